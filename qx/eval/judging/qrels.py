"""Judgements as a file of grades that ``qx eval run`` reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from qx.errors import DatasetError
from qx.eval.judging.pool import Judged
from qx.eval.judging.subjects import Pair
from qx.eval.values import Grades


def write_qrels(path: Path, judged: Mapping[Pair, Judged], people: Grades) -> int:
    """Write the grades of a judge, those of people in their place where there are any; returns how many lines.

    The form is BEIR's: ``query-id``, ``corpus-id``, ``score``, apart by tabs, with a header.

    Raises:
        DatasetError: an id holds a tab or the end of a line, or the file cannot be written.
    """
    grades: dict[Pair, int] = {place: one.values["grade"] for place, one in judged.items()}
    for query, given in people.items():
        for item, grade in given.items():
            grades[query, item] = grade
    for place in grades:
        if any(mark in part for part in place for mark in "\t\r\n"):
            raise DatasetError(f"the id {place!r} cannot stand in a file of grades", file=str(path))
    lines = ["query-id\tcorpus-id\tscore", *(f"{q}\t{d}\t{grade}" for (q, d), grade in sorted(grades.items()))]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise DatasetError(f"cannot be written: {error.strerror or error}", file=str(path)) from error
    except UnicodeEncodeError as error:
        raise DatasetError(
            f"an id holds broken text: {error.object[error.start - 20 : error.end]!r}", file=str(path)
        ) from error
    return len(grades)
