"""Versions, addresses and other numbers of several points (3.4.1, 192.168.7.1): they are compared whole."""

from __future__ import annotations

import re

_DOTTED = re.compile(r"(?<![A-Za-z0-9.])[vV]?(?P<of>\d{1,5}(?:\.\d{1,5}){2,7})(?![A-Za-z0-9]|\.\d)")
_VERSION = re.compile(
    r"(?:\b(?:versions?|releases?|firmware|builds?|section|chapter|clause|v)[\s.]{0,2}|(?:版本|固件|系统|章|节|§)[号為为]?\s?)"
    r"(?P<of>\d{1,5}\.\d{1,5})(?!\.?\d)",
    re.IGNORECASE,
)
"""Of two parts: a version, no fraction: 3.10 is not 3.1."""


def other(said: str, known: str) -> str:
    """Return what is wrong where the folded statement ``said`` has such a number that the quote ``known`` has not, else ""."""
    theirs = {match["of"] for match in _DOTTED.finditer(known)}
    for match in _DOTTED.finditer(said):
        if match["of"] not in theirs and not _is_grouped(match["of"]):
            return f"the statement's {match[0]} is not in the quote"
    for match in _VERSION.finditer(said):
        if re.search(rf"(?<![\d.]){re.escape(match['of'])}(?!\.?\d)", known) is None:
            return f"the statement's {match[0].strip()} is not in the quote"
    return ""


def _is_grouped(number: str) -> bool:
    """Whether its points part thousands: 1.299.000 is an amount, 192.168.100.200 is none."""
    parts = number.split(".")
    grouped = all(len(part) == 3 for part in parts[1:]) and len(parts[0]) <= 3
    return grouped and (len(parts) != 4 or any(part.startswith("0") or int(part) > 255 for part in parts))


def without(text: str) -> str:
    """Return ``text`` with blanks in their places: their parts are no numbers by themselves."""
    return _DOTTED.sub(lambda match: match[0] if _is_grouped(match["of"]) else " " * len(match[0]), text)
