"""Dates that a query names by their field: "listed after 20 November", 11月20日之后上架的.

The rules read a time, and do not know whose.  Where the name of a declared date stands beside it, it is that one's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from qx.backend import SearchBackend, SupportsFilter
from qx.context import Context
from qx.rules.protection import base_text
from qx.serial import replace
from qx.text.segment import WORD_BEGINS
from qx.types import Constraint, Understanding

_TIMES = ("date", "published")
"""What the rules call a time of which they do not know more."""
_CALLED: Mapping[str, tuple[str, ...]] = {
    "listed": ("上架", "挂出", "发布"), "due": ("截止", "到期"), "deadline": ("截止",), "expires": ("到期", "过期", "失效"),
    "expiry": ("到期", "过期", "失效"), "end": ("结束", "结课"), "ends": ("结束", "结课"),
    **dict.fromkeys(("start", "starts", "begin", "begins"), ("开始", "开课", "开班", "开学", "开讲", "开演", "开幕", "开工", "开赛", "启动")),
    "created": ("创建", "建立"), "joined": ("加入", "入职"), "hired": ("入职",), "born": ("出生",), "opened": ("开业", "开放"),
    "sold": ("售出", "卖出", "成交"), "updated": ("更新", "修改"), "modified": ("修改", "更新"), "signed": ("签署", "签订"),
    "added": ("添加", "加入"), "filed": ("提交", "归档"), "closed": ("关闭", "结束"), "paid": ("支付", "付款"),
}  # fmt: skip
_VERB = re.compile(r"(?:e?s|ed)$")
"""The ending of a name that is a verb's form: ``starts``, ``listed``."""
_VERBS = frozenset({"start", "begin", "end"})
_PART = re.compile(r"_?(?:at|on|date|time|day)$")


def dated(understanding: Understanding, context: Context) -> Understanding:
    """Return the analysis with its times as conditions on the declared dates beside whose names they stand."""
    times = [c for c in understanding.constraints if c.field in _TIMES and c.text and c.op != "prefer"]
    if not times or context.vocabulary is None:
        return understanding
    names = tuple(sorted({name for b in context.vocabulary.backends for name in _dates(b)}))
    if not names:
        return understanding
    text = base_text(context.query, understanding)
    meant = {id(c): found for c in times if (found := _named(c, text, names)) is not None}
    if not meant:
        return understanding
    return replace(understanding, constraints=tuple([meant.get(id(c), c) for c in understanding.constraints]))


def _dates(backend: SearchBackend) -> Iterator[str]:
    """The canonical names of the declared dates that a backend filters by."""
    if isinstance(backend, SupportsFilter):
        yield from (name for name, field in backend.fields.items() if field.type == "date" and name not in _TIMES)


def _named(time: Constraint, text: str, names: tuple[str, ...]) -> Constraint | None:
    start = text.find(time.text)
    if start < 0:
        return None
    end = start + len(time.text)
    for name in names:
        before, after = _patterns(name)
        if found := before.search(text[:start]):
            return replace(time, field=name, text=text[found.start() : end], hard=True)
        if after is not None and (found := after.match(text, end)):
            return replace(time, field=name, text=text[start : found.end()], hard=True)
    return None


def _forms(name: str) -> tuple[str, ...]:
    """A name, and what else its verb may be: "starting", "start" of ``starts``."""
    stem = name if name in _VERBS else _VERB.sub("", name)
    if name not in _CALLED or (stem == name and name not in _VERBS):
        return (name,)
    doubled = stem + "n" if stem.endswith("gin") else stem
    return tuple(dict.fromkeys((name, stem, f"{stem}s", f"{stem}e", f"{stem}es", f"{stem}ed", f"{doubled}ing")))


@lru_cache(maxsize=256)
def _patterns(name: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """What finds a date's name before a time, and its Chinese name behind one."""
    own = _PART.sub("", name.casefold()) or name.casefold()
    latin = {re.escape(form.replace("_", " ")) for form in (*_forms(own), name.casefold())}
    han = _CALLED.get(own, ())
    said = [rf"{WORD_BEGINS}(?:{'|'.join(sorted(latin, key=len, reverse=True))})", *han]
    before = re.compile(
        rf"(?:{'|'.join(said)})(?:日期|时间|時間|于|在)?(?:\s+(?:is|on|in|at))?\s*[:：]?\s*$", re.IGNORECASE
    )
    after = re.compile(rf"\s*(?:才|就|已)?(?:{'|'.join(han)})(?:的)?") if han else None
    return before, after


__all__ = ["dated"]
