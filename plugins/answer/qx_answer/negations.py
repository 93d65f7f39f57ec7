"""The words by which texts deny: the core's (``qx.text.negation.words``), and those that deny without a "not"."""

from __future__ import annotations

import re

from qx.text import negation
from qx.text.numerals import fold_width

_WITHOUT_NOT = re.compile(
    r"\b(?:unless|except|otherwise|overdue|hardly)\b|除非|除了|逾期|过期|否则|勿|不一定|未必|不等于", re.IGNORECASE
)
"""What the core leaves out, since a query excludes nothing by it."""
_GAP = re.compile(r"(?:\s+[a-z]+){0,2}\s*|[是再会被须需法]?", re.IGNORECASE)
"""What may stand between a negation and what it denies right before it: "is not yet fully open"."""
_REACH = 30
"""Characters before a word among which a negation of it is looked for."""


_MORE = frozenset(("nobody", "nowhere", "non", "none"))
_BY_THEMSELVES = frozenset(("unable", "except"))
"""Words that deny, and turn round none that follows."""
_HAN = re.compile(r"从未|从不|绝不|决不|并不|并非|没有|毫不|毫无|[不没無无未非别勿莫毋]|禁(?![止忌区令果毒地])")
_HAN_REST = re.compile(r"[能会可应该得必要想敢曾有是太很再被允许法须需]{0,3}(?P<rest>.*)", re.DOTALL)
_LEXICAL = (
    "不仅 不但 不过 不断 不同 不少 不错 不锈钢 不久 不如 不管 不论 不止 不光 不只 不妨 无论 无线 无线电 无锡 非常 非洲 未来 别人 别墅 "
    "别的 无人机 不等式 不得不 不动产 无机"
)
_NO_NEGATIONS = frozenset(_LEXICAL.split())
"""Words of Han that deny nothing; the core's list holds others, which exclude nothing but deny: 不一定, 未婚."""


def spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return where words stand that deny something, in order."""
    known = negation.words(text)
    taken = {i for start, end in known for i in range(start, end)}
    others = [match.span() for match in _WITHOUT_NOT.finditer(text) if match.start() not in taken]
    return tuple(sorted([*known, *others]))


def denies(text: str) -> bool:
    """Whether a text denies anything."""
    return bool(spans(text))


def before(text: str, at: int) -> tuple[int, int] | None:
    """Return where the negation stands right before a place; None: there is none."""
    low = max(0, at - _REACH)
    piece = fold_width(text[low:at])
    for start, end in reversed(negation.words(piece)):
        if _GAP.fullmatch(piece, end):
            return low + start, low + end
    return None


def of_word(word: str, after: str) -> str | None:
    """Return what a word denies within itself (支持 of 不支持), often nothing; None where it is no negation.

    Args:
        after: The text behind it: "not only" denies nothing.
    """
    if word.lower() in _MORE:
        return ""
    if word[:1].isascii():
        known = negation.words(f"{word} {after.lstrip()[:12]}")
        return "" if known and known[0] == (0, len(word)) and word.lower() not in _BY_THEMSELVES else None
    found = None if word in _NO_NEGATIONS else _HAN.match(word)
    rest = None if found is None else _HAN_REST.match(word, found.end())
    return rest["rest"] if rest else None
