"""Runs of other systems in TREC's format: ``query Q0 document rank score tag``, one document a line."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from pathlib import Path

from qx.errors import DatasetError
from qx.eval.datasets.reading import lines, wrong
from qx.eval.values import Listed, Row

_MOST = 3.4e38


def read_run(path: str | Path, *, condition: str | None = None) -> tuple[Row, ...]:
    """Read a run as the rows of a condition.

    The order is that of ``trec_eval``: by score, highest first, then by document id, highest first; the column ``rank``
    is not read.  Scores are compared in single precision, as there.

    Args:
        path: The file.
        condition: As it stands in reports; None: the name of the file.

    Raises:
        DatasetError: a line has not six columns, its score is no number, or a document comes twice for a query; names
            file and line.
    """
    path = Path(path)
    scores: dict[str, dict[str, tuple[float, int]]] = {}
    for number, query, document, score in _lines(path):
        found = scores.setdefault(query, {})
        if document in found:
            first = found[document][1]
            wrong(
                path,
                number,
                f"document {document!r} comes twice for query {query!r}: first in line {first}",
                "a list with a document twice has no score: keep the better one",
            )
        found[document] = (score, number)
    if not scores:
        raise DatasetError("there is no line", file=str(path), hint="a line is: query Q0 document rank score tag")
    name = condition or path.stem
    return tuple(Row(query=query, condition=name, found=_ordered(found)) for query, found in scores.items())


def _ordered(found: dict[str, tuple[float, int]]) -> tuple[Listed, ...]:
    ids = sorted(found, key=lambda document: (found[document][0], document), reverse=True)
    return tuple(Listed(id=document) for document in ids)


def _lines(path: Path) -> Iterator[tuple[int, str, str, float]]:
    for number, text in lines(path):
        cells = text.split()
        if len(cells) != 6:
            wrong(path, number, f"{len(cells)} columns", "a line of a run is: query Q0 document rank score tag")
        yield number, cells[0], cells[2], _score(cells[4], path, number)


def _score(text: str, path: Path, number: int) -> float:
    try:
        score = float(text)
    except ValueError:
        wrong(path, number, f"the score {text!r} is no number")
    if math.isnan(score) or abs(score) > _MOST:
        wrong(path, number, f"the score {text!r} is none that lists can be ordered by")
    return float(struct.unpack("f", struct.pack("f", score))[0])
