"""Words that name a wish or a fault and do not mean it: "I don't want to cancel", 问题已经解决了."""

from __future__ import annotations

import re

_DENIED = re.compile(
    r"(?:不想要?|不是(?:要|想|来)?|不要|不用|不需要|无需|无须|别|不打算)\s?$|"
    r"\b(?:(?:do ?n.?t|did ?n.?t|do not|did not|not) (?:want|need|wish|looking|trying|going|asking|planning|here)"
    r"|not|no need|rather than|instead of)(?: (?:to|for|a|an|any|the|my|me))*\s$"
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


def is_denied(folded: str, start: int) -> bool:
    """Whether the wish named at ``start`` is one that the asker says not to have: 不想退款, "not a survey"."""
    return start > 0 and _DENIED.search(folded[:start]) is not None


def is_solved(folded: str) -> bool:
    """Whether the asker says that the fault is no more, and asks nothing about it."""
    return _SOLVED.search(folded) is not None and _UNSOLVED.search(folded) is None


__all__ = ["is_denied", "is_solved"]
