"""Rows of Markdown tables: what a row says is in its heading, so it is quoted from there on."""

from __future__ import annotations

import re

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")


def is_rule(line: str) -> bool:
    """Whether a line is the rule below a heading: ``|---|---|``."""
    return _RULE.fullmatch(line) is not None


def table_begin(text: str, start: int) -> int | None:
    """Return where the table of a row begins; None where there is no row of a table, or no heading above it.

    Args:
        start: Where the row begins.
    """
    if not text.startswith("|", start):
        return None
    begin, lines = start, list[str]()
    while begin > 0:
        line = text.rfind("\n", 0, begin - 1) + 1
        above = text[line : begin - 1]
        if not above.lstrip().startswith("|"):
            break
        lines.append(above)
        begin = line
    return begin if len(lines) > 1 and is_rule(lines[-2]) else None
