"""Words that name a wish or a fault and do not mean it: "I don't want to cancel", 问题已经解决了."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.text.segment import Word

_DENIED = re.compile(
    r"(?:[不没]想要?|不是(?:要|想|来)?|不要|不用|不需要|无需|无须|别|不打算)\s?$|"
    r"\b(?:(?:do ?n.?t|did ?n.?t|do not|did not|not) (?:want|need|wish|looking|trying|going|asking|planning|here)"
    r"|not|no need|rather than|instead of)(?: (?:to|for|a|an|any|the|my|me|get|have|make|be|see))*\s$"
)
_SOLVED = re.compile(
    r"(?:问题|故障|毛病)(?:都|已经|已|终于|现在|总算)*(?:解决|修好|搞定|处理好)好?了|(?:已经|终于|总算)(?:解决|修好|搞定|处理好)了|"
    r"\b(?:problem|issue|error|bug|it|that|this|everything)(?:.s| is| was| has been| got)(?: all| now| already| finally)* "
    r"(?:solved|fixed|resolved|sorted)\b"
)
_UNSOLVED = re.compile(
    r"还没|没有|没能|又|但|可是|吗|怎么|如何|not\b|n.t\b|\bbut\b|\bagain\b|\?|？|\bhow\b|\buntil\b|\bwhen\b|\bif\b"
)
"""What takes back that something is solved, or asks whether it is."""


_ABSENT = re.compile(r"(?:[不没未无]|没有)$|\b(?:no|not|without|never)\s+(?:any\s+|an?\s+)?$", re.IGNORECASE)


def is_absent(text: str, name: str) -> bool:
    """Whether ``text`` says that ``name`` is not there or does not happen: 不排水, "but no fever"."""
    at = text.find(name)
    return at > 0 and _ABSENT.search(text[:at]) is not None


def is_denied(folded: str, start: int) -> bool:
    """Whether the wish named at ``start`` is one that the asker says not to have: 不想退款, "not a survey"."""
    return start > 0 and _DENIED.search(folded[:start]) is not None


_WANTED = re.compile(
    r"(?:[不没]想要?|不是(?:要|想|来)|不要|不需要|无需|无须|不打算)\s?$|"
    r"\b(?:(?:do ?n.?t|did ?n.?t|do not|did not|not|never) (?:want|need|wish|trying|asking|planning)|no need)"
    r"(?: (?:to|for|a|an|any|the|my|me|get|have|make|be|see))*\s$"
)
"""Before what somebody does not want done, as ``_DENIED``, but for a mere "not" that may tell a fault."""
_ALSO = frozenset({"or", "nor", "和", "或", "或者", "、", "也", "跟", "/"})


def denied(folded: str, words: Sequence[Word]) -> tuple[str, ...]:
    """Return the words of ``folded`` that name what the asker does not want: the "cancel" of "don't want to cancel or return"."""
    if not _CUE.search(folded):
        return ()
    found: list[str] = []
    on = False
    for word in words:
        own = folded[word.start : word.end]
        if on and own in _ALSO:
            continue
        on = (on and bool(found) and _joined(folded, word.start)) or _WANTED.search(folded[: word.start]) is not None
        if on and word.content:
            found.append(own if not own.isascii() or len(own) < 6 else own.removesuffix("e"))
    return tuple(found)


_CUE = re.compile(r"[不没]想|不是|不要|不需|无需|无须|不打算|n.?t\b|\bnot\b|\bnever\b|\bno need\b")


def _joined(folded: str, start: int) -> bool:
    return any(folded[:start].rstrip().endswith(joint) for joint in _ALSO)


def is_solved(folded: str) -> bool:
    """Whether the asker says that the fault is no more, and asks nothing about it."""
    return _SOLVED.search(folded) is not None and _UNSOLVED.search(folded) is None


__all__ = ["denied", "is_absent", "is_denied", "is_solved"]
