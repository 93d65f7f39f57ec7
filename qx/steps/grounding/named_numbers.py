"""Numbers that a query names by their field ("more than 20 pages", 页数超过20), and bare ones beside any goods.

The rules know the amounts that everybody has: prices, sizes, weights.  A number that only this index has goes by its own
name, where a bound stands beside it.  "Items under 40" says no unit: where the index has a price, that is what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from qx.backend import SearchBackend, SupportsFilter
from qx.context import Context
from qx.rules.protection import base_text
from qx.serial import replace
from qx.steps.collective import DOCUMENTS, DOCUMENTS_ZH, ENDS, ENDS_ZH, plurals
from qx.steps.grounding.everyday import asks_about, is_denied
from qx.text.segment import WORD_BEGINS, WORD_ENDS
from qx.types import Constraint, Op, Understanding

LONGEST = 400
"""Characters of a query in which numbers are named; a longer one is a text."""
PRICE = "price"
_CALLED: Mapping[str, tuple[str, ...]] = {
    "page": ("页数", "页"), "rating": ("评分",), "score": ("分数", "得分"), "stock": ("库存",), "seat": ("座位数", "座"),
    "view": ("浏览量", "阅读量"), "like": ("点赞数",), "quantity": ("数量",), "floor": ("层数", "层"), "calorie": ("热量", "卡路里"),
    "serving": ("人份",), "player": ("玩家数", "玩家"), "room": ("房间数",), "bedroom": ("卧室",), "chapter": ("章数", "章"),
    "vote": ("票数", "票"), "mileage": ("里程",), "citation": ("引用数", "引用"), "download": ("下载量",), "salary": ("薪资", "工资"),
}  # fmt: skip
_BOUNDS: tuple[tuple[Op, str], ...] = (
    ("ge", r"(?:at\s+least|no\s+(?:fewer|less)\s+than|not\s+(?:fewer|less)\s+than|min(?:imum)?(?:\s+of)?|>=|≥)"),
    ("le", r"(?:at\s+most|up\s+to|no\s+more\s+than|not\s+more\s+than|max(?:imum)?(?:\s+of)?|<=|≤)"),
    ("gt", r"(?:more\s+than|over|above|greater\s+than|>)"),
    ("lt", r"(?:less\s+than|fewer\s+than|under|below|<)"),
)
_BOUNDS_ZH: tuple[tuple[Op, str], ...] = (
    ("ge", "(?:不少于|不低于|不小于|至少|最少)"), ("le", "(?:不超过|不多于|不高于|不大于|最多|至多)"),
    ("gt", "(?:超过|大于|多于|高于)"), ("lt", "(?:少于|小于|低于|不到|不足)"),
)  # fmt: skip
_BEHIND: tuple[tuple[Op, str], ...] = (
    ("ge", r"(?:及?以上|\s+or\s+more|\s+and\s+(?:up|more))"),
    ("le", r"(?:及?以下|以内|之内|\s+or\s+(?:less|fewer))"),
)
_N = r"(?P<n>[0-9]{1,9}(?:\.[0-9]{1,4})?)(?![0-9.,]?[0-9])"
_NOUN = "|".join(form for noun in DOCUMENTS for form in (noun, *plurals(noun)))
_NOUN_ZH = "|".join(sorted(DOCUMENTS_ZH, key=len, reverse=True))
_BY = r"(?:\s+(?:by|from)(?:\s+[\w.'’-]{1,30}){1,4}?)?"
"""Whose the goods are."""
_Found = tuple[Op, re.Pattern[str]]


def numbered(understanding: Understanding, context: Context) -> Understanding:
    """Return the analysis with the bounds on declared numbers that the query names."""
    if context.vocabulary is None or len(context.query.text) > LONGEST:
        return understanding
    text = base_text(context.query, understanding)
    if not any(character.isdigit() for character in text) or asks_about(text):
        return understanding
    taken = {constraint.field for constraint in understanding.constraints}
    names = sorted({name for b in context.vocabulary.backends for name in _numbers(b)} - taken)
    words = {field.id: field.words for field in context.knowledge.taxonomy.fields}
    said = [constraint.text for constraint in understanding.constraints if constraint.text]
    made: list[Constraint] = []
    for name in names:
        hard = name != PRICE
        patterns = _named(name, tuple(words.get(name, ()))) if hard else _BARE
        found = next(_found(text, patterns), None)
        if found is not None and not any(found[1] in one or one in found[1] for one in said):
            op, whole, number = found
            value = int(number) if number.isdigit() else float(number)
            made.append(Constraint(field=name, op=op, value=value, text=whole, hard=hard))
            said.append(whole)
    return replace(understanding, constraints=(*understanding.constraints, *made)) if made else understanding


def _numbers(backend: SearchBackend) -> Iterator[str]:
    """The canonical names of the declared numbers that a backend filters by."""
    if isinstance(backend, SupportsFilter):
        yield from (name for name, field in backend.fields.items() if field.type == "number")


def _found(text: str, patterns: tuple[_Found, ...]) -> Iterator[tuple[Op, str, str]]:
    for op, pattern in patterns:
        for match in pattern.finditer(text):
            if not is_denied(text, match.start("bound")):
                yield op, match["bound"].strip(), match["n"]


@lru_cache(maxsize=256)
def _named(name: str, words: tuple[str, ...]) -> tuple[_Found, ...]:
    """What finds a number's name beside a bound: before the number or behind it."""
    own = name.casefold().replace("_", " ")
    one = own[:-1] if own.endswith("s") and not own.endswith("ss") else own
    latin = {own, one, *plurals(one), *(word for word in words if word.isascii())}
    han = sorted({*_CALLED.get(one, ()), *(word for word in words if not word.isascii())}, key=len, reverse=True)
    called = "|".join([f"{WORD_BEGINS}(?:{_either(latin)}){WORD_ENDS}", *map(re.escape, han)])
    found: list[_Found] = []
    for op, bound in (*_BOUNDS, *_BOUNDS_ZH):
        begins = WORD_BEGINS if bound[3:4].isalpha() and bound[3:4].isascii() else ""
        found.append((op, _compiled(rf"(?P<bound>{begins}{bound}\s*{_N}[\s-]*(?:{called}))")))
        found.append(
            (op, _compiled(rf"(?P<bound>(?:{called})\s*(?:is|are|of|在|是|为|:|：)?\s*{bound}\s*{_N})(?!\s*[a-z%])"))
        )
    for op, bound in _BEHIND:
        found.append((op, _compiled(rf"(?P<bound>{_N}[\s-]*(?:{called}){bound})")))
        found.append((op, _compiled(rf"(?P<bound>(?:{called})\s*(?:在|是|为|:|：)?\s*{_N}{bound})")))
    return tuple(found)


def _either(words: set[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _reached(op: Op) -> Op:
    """A bare bound is one of money, which the rules read as reached: "under 40" takes what costs 40."""
    return "le" if op == "lt" else "ge" if op == "gt" else op


_BARE: tuple[_Found, ...] = (
    *(
        (_reached(op), _compiled(rf"(?<![^\W_])(?:{_NOUN}){_BY}\s+(?P<bound>{bound}\s*{_N}){ENDS}"))
        for op, bound in _BOUNDS
    ),
    *((op, _compiled(rf"(?P<bound>{_N}{bound})的(?:{_NOUN_ZH}){ENDS_ZH}")) for op, bound in _BEHIND),
)
"""A bound without a unit beside a word for any document."""

__all__ = ["numbered"]
