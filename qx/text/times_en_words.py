"""The English words that time rules share, and how a rule is compiled."""

from __future__ import annotations

import re

YEAR = r"(?:19|20)[0-9]{2}"
WHICH = r"(?P<which>last|past|previous|this|current|next|coming|upcoming)"
SIGN = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1}
BEGIN, END = r"(?<![A-Za-z0-9_$¥€£.,-])", r"(?![A-Za-z0-9_])"
"""Where a word begins and ends; a Chinese character beside it does not join it."""


def rule(pattern: str) -> re.Pattern[str]:
    """Compile the pattern of a rule, case ignored."""
    return re.compile(pattern, re.IGNORECASE)
