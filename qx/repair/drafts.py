"""From a value (list, object, string, under whatever keys) to drafts of sub-queries."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import cast, get_args

from qx.repair import lines
from qx.serial import value
from qx.types import Target

QUERY_KEYS = (
    "queries", "sub_queries", "subqueries", "search_queries", "expanded_queries", "expansions", "alternatives",
    "rewrites", "rewritten_queries", "variants", "query_list", "proposals", "查询列表", "搜索词", "检索词", "查询", "query",
)  # fmt: skip
WRAPPER_KEYS = (
    "result", "results", "data", "answer", "response", "output", "content", "json", "value", "arguments", "parameters",
    "properties", "items", "list", "message", "object", "结果", "数据", "答案", "输出", "回答",
)  # fmt: skip
_TEXT_KEYS = ("text", "query", "q", "search_query", "search", "content", "value", "string", "question", "keywords", "查询", "搜索词", "文本")  # fmt: skip
_STRATEGY_KEYS = ("strategy", "type", "category", "method", "策略", "类型")
_TARGET_KEYS = ("target", "engine", "目标")
_WHY_KEYS = ("why", "reason", "rationale", "explanation", "理由", "原因", "说明")
_FOLDED_KEYS = frozenset((*_TEXT_KEYS, *_STRATEGY_KEYS, *_TARGET_KEYS, *_WHY_KEYS))
_NUMBERED_KEY = re.compile(r"(?:(?:sub-?_?)?(?:query|question|q|查询|问题)[ _-]?)?\d{1,3}", re.I)
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\ufeff]")
_TARGETS: Mapping[str, Target] = {target: target for target in get_args(Target)}
_DEPTH = 6
LONGEST_LINE = 1000
"""Characters of a text that can still be a query."""


@value
class SubQueryDraft:
    """One sub-query as a model wrote it; ``strategy`` is empty where it named none."""

    text: str
    strategy: str = ""
    target: Target = "any"
    why: str = ""


def from_value(found: object) -> list[SubQueryDraft] | None:
    """Return the drafts that a JSON value holds (empty: it has the place, but no query), None: not such a value."""
    return _container(found, 0)


def from_lines(texts: Sequence[str]) -> list[SubQueryDraft]:
    """Return a draft for each line that is a whole text."""
    return [draft for text in texts if (draft := _draft(text)) is not None]


def from_text(text: str, *, sure: bool) -> list[SubQueryDraft]:
    """Return the drafts of text written one query a line; ``sure``: the text is known to be queries, not prose."""
    items = lines.listed(text) or ([t for t in text.splitlines() if t.strip()] if sure else lines.bare(text))
    return from_lines(items)


def clean(text: str) -> str:
    """Return ``text`` without lone surrogates and control characters."""
    return text if text.isprintable() else _CONTROL.sub("", _SURROGATES.sub("", text))


def is_sound(text: str) -> bool:
    """Whether no JSON in ``text`` can hold what ``clean`` takes out: it has none of it, nor an escape that makes it."""
    if "\\u" in text:
        return False
    return text.isprintable() or (_SURROGATES.search(text) is None and _CONTROL.search(text) is None)


def _container(found: object, depth: int) -> list[SubQueryDraft] | None:
    if depth > _DEPTH:
        return None
    if isinstance(found, str):
        return _string(found, depth, sure=False)
    if isinstance(found, Mapping):
        return _mapping(cast("Mapping[str, object]", found), depth)
    return _items(cast("list[object]", found), depth) if isinstance(found, list) else None


def _string(text: str, depth: int, *, sure: bool) -> list[SubQueryDraft] | None:
    from qx.repair.documents import strict

    nested = strict(text.strip()) if text.strip()[:1] in ("[", "{") else None
    if nested is not None:
        return _container(nested.value, depth + 1)
    return from_text(text, sure=sure) or ([] if sure else None)


def _mapping(found: Mapping[str, object], depth: int) -> list[SubQueryDraft] | None:
    keys = {key.strip().casefold(): key for key in found}
    for name in QUERY_KEYS:
        if name in keys and not (name in _TEXT_KEYS and isinstance(found[keys[name]], str) and _is_item(keys)):
            return _named(found[keys[name]], depth)
    single = _item(found)
    if single is not None and "text" in keys:
        return [single]
    for name in WRAPPER_KEYS:
        if name in keys and (inner := _container(found[keys[name]], depth + 1)) is not None:
            return inner
    numbered = [found[key] for key in found if _NUMBERED_KEY.fullmatch(key.strip())]
    if numbered and len(numbered) == len(found):
        return _items(numbered, depth)
    return [single] if single is not None and _is_item(keys) else None


def _named(found: object, depth: int) -> list[SubQueryDraft] | None:
    """Read what stands under a key that names queries: here a plain string is one query (or one a line)."""
    if found is None:
        return []
    if isinstance(found, str):
        return _string(found, depth, sure=True)
    if isinstance(found, list):
        return _items(cast("list[object]", found), depth) or []
    if not isinstance(found, Mapping):
        return []
    members = cast("Mapping[str, object]", found)
    inner = _mapping(members, depth + 1)
    return inner if inner is not None else _by_strategy(members)


def _by_strategy(members: Mapping[str, object]) -> list[SubQueryDraft]:
    """Read ``{"synonym": ["a"], "refine": "b"}``."""
    drafts: list[SubQueryDraft] = []
    for name, texts in members.items():
        for text in cast("list[object]", texts) if isinstance(texts, list) else [texts]:
            draft = _draft(text, strategy=name) if isinstance(text, str) else _item(text)
            drafts += [draft] if draft else []
    return drafts


def _items(found: Sequence[object], depth: int) -> list[SubQueryDraft] | None:
    """Read a list: of strings, of objects, of lists; None where it holds other things."""
    if not found:
        return []
    drafts: list[SubQueryDraft] = []
    known = False
    texts = _without_numbers([i for i in found if isinstance(i, str)]) if isinstance(found[0], str) else None
    for item in texts if texts and all(isinstance(i, str) for i in found) else found:
        if isinstance(item, str):
            known, draft = True, _draft(item)
            drafts += [draft] if draft else []
        elif (draft := _item(item)) is not None:
            known = True
            drafts.append(draft)
        elif isinstance(item, (list, dict, Mapping)):
            inner = _container(cast("object", item), depth + 1)
            known = known or inner is not None
            drafts += inner or []
    return drafts if known else None


def _without_numbers(texts: list[str]) -> list[str]:
    """Take off numbering inside the strings, where they really count 1, 2, 3."""
    counted = all(re.match(rf"\s*{n}[.)、:]\s*(?!\d)\S", text) for n, text in enumerate(texts, 1))
    return [lines.unnumbered(text) or text for text in texts] if counted else texts


def _is_item(keys: Mapping[str, str]) -> bool:
    return any(name in keys for name in (*_STRATEGY_KEYS, *_TARGET_KEYS, *_WHY_KEYS, "weight"))


def _item(found: object) -> SubQueryDraft | None:
    if not isinstance(found, (dict, Mapping)):
        return None
    item = cast("Mapping[str, object]", found)
    if not item.keys() <= _FOLDED_KEYS:
        item = {str(k).strip().casefold(): v for k, v in item.items()}
    for name in _TEXT_KEYS:
        text = item.get(name)
        if isinstance(text, str):
            return _draft(
                text,
                strategy=_first(item, _STRATEGY_KEYS),
                target=_first(item, _TARGET_KEYS),
                why=_first(item, _WHY_KEYS),
            )
    return None


def _first(item: Mapping[str, object], names: Sequence[str]) -> str:
    for name in names:
        if isinstance(found := item.get(name), str):
            return found
    return ""


def _draft(text: str, *, strategy: str = "", target: str = "", why: str = "") -> SubQueryDraft | None:
    """Make a draft; None for a text without words, or one with the scars of broken UTF-8 in it."""
    line = lines.plain(clean(text))
    if (
        "\ufffd" in line
        or len(line) > LONGEST_LINE
        or not (line[:1].isalnum() or any(c.isalnum() or unicodedata.category(c) == "So" for c in line))
    ):
        return None
    return SubQueryDraft(
        text=line,
        strategy=_one_line(strategy),
        target=_TARGETS.get(target, "any"),
        why=_one_line(why),
    )


def _one_line(text: str) -> str:
    return text if text.isalnum() else " ".join(clean(text).split())
