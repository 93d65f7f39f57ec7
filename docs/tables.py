"""Markdown for the generated parts."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [list(head), ["---"] * len(head), *map(list, rows)]
    return "\n".join("| " + " | ".join(cell.replace("\n", " ").strip() for cell in line) + " |" for line in lines)


def code(text: object) -> str:
    """Return ``text`` as code for a table's cell."""
    return "`" + str(text).replace("|", r"\|") + "`"


def prose(docstring: str | None, *, whole: bool = False) -> str:
    """Return the first sentence (or the first paragraph) of a docstring as Markdown."""
    paragraph = " ".join(inspect.cleandoc(docstring or "").split("\n\n")[0].split()).replace("``", "`")
    if whole:
        return paragraph
    return re.split(r"(?<=[.;])\s+(?=[A-Z`\"])|;\s", paragraph)[0].rstrip(";.") + "."
