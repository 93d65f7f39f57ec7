"""The Chinese words that time rules share, and how a rule is compiled."""

from __future__ import annotations

import re

from qx.text.numerals import value_of

OFFSET = {"大上": -2, "上上": -2, "上": -1, "本": 0, "这": 0, "這": 0, "下": 1, "下下": 2, "当": 0}
NOT_UP = r"(?<![马早晚以])"


def rule(pattern: str) -> re.Pattern[str]:
    """Compile the pattern of a rule, case ignored."""
    return re.compile(pattern, re.IGNORECASE)


def number(text: str) -> int:
    """Read a whole number in digits or Chinese numerals; 0 where it is none."""
    return int(value_of(text) or 0)
