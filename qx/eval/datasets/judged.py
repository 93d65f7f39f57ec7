"""Whether a file that stands for queries holds judgements or a run: searching for their lines would measure nothing."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from qx.eval.datasets.reading import lines

_LOOKED_AT = 20
_HEADER = re.compile(r"query[-_]?id\t(?:corpus|doc|document)[-_]?id\t(?:score|grade|relevance)", re.IGNORECASE)
_TABBED = re.compile(r"\S+\t\S+\t-?\d+(?:\.\d+)?")
_COLUMNS = re.compile(r"\S+\s+(?:0|Q0)\s+\S+\s+-?\d+(?:\.\d+)?", re.IGNORECASE)
_RUN = re.compile(r"\S+\s+(?:0|Q0)\s+\S+\s+\d+\s+-?[\d.]+(?:e[+-]?\d+)?\s+\S+", re.IGNORECASE)
"""The columns of TREC: query, iteration, document, and the grade; of a run rank, score and tag."""


def judged(path: Path) -> str | None:
    """Return ``judgements`` or ``a run`` where every one of the first lines has its columns, else None.

    Raises:
        DatasetError: the file cannot be read.
    """
    first = [text.strip() for _, text in islice(lines(path), _LOOKED_AT)]
    if first and _HEADER.fullmatch(first[0]):
        return "judgements"
    if len(first) == 1 and "\t" not in first[0]:
        return None  # "win 0 errors 1" alone is a query
    for what, forms in (("judgements", (_TABBED, _COLUMNS)), ("a run", (_RUN,))):
        if first and any(all(form.fullmatch(text) for text in first) for form in forms):
            return what
    return None
