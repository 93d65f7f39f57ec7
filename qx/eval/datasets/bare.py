"""A bare list of queries: one a line, or the column ``text`` of a CSV, TSV or JSON lines file.  Nothing is graded.

Queries that differ in case or width alone are one: a log repeats itself, and what is counted as so many independent queries
would make every interval too narrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from qx.errors import DatasetError
from qx.eval.datasets.gathering import Placed, gathered, unique
from qx.eval.datasets.reading import lines, objects, rows, text_of, wrong
from qx.eval.values import Dataset, EvalQuery
from qx.text.normalise import fold

TEXT = ("text", "query")
IDS = ("_id", "id", "query-id", "query_id")
TABLES = (".csv", ".tsv")
OBJECTS = (".jsonl", ".ndjson")


def load(path: Path, *, name: str, split: str | None, limit: int | None, seed: int) -> Dataset:
    """Read a list; a query without an id is called by its place among the queries: ``q1``, ``q2``, …

    Raises:
        DatasetError: a row has no text, two have one id, or there is none; or a split is named, of which a list has none.
    """
    if split is not None:
        raise DatasetError(f"there is no split {split!r}", file=str(path), hint="a list of queries has none")
    found = _Different(path)
    made = gathered(name, found.queries, None, place=path, limit=limit, seed=seed)
    return replace(made, notes=(*found.notes(), *made.notes))


class _Different:
    """The queries of a file, each text once, case and width aside: a line that comes sixty times is one query."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = 0
        self._texts: set[str] = set()

    def queries(self) -> Iterator[EvalQuery]:
        """Yield those that differ."""
        for query in unique(queries(self._path), self._path):
            self._lines += 1
            if (text := fold(query.text)) not in self._texts:
                self._texts.add(text)
                yield query

    def notes(self) -> Iterator[str]:
        """Yield what was left out, once all were read."""
        if again := self._lines - len(self._texts):
            yield f"{again} of {self._lines} queries say the same as another one and are left out"


def queries(path: Path) -> Iterator[Placed]:
    """Yield the queries of a file, by its ending.

    Raises:
        DatasetError: a row has no text.
    """
    suffix = path.suffix.lower()
    if suffix in TABLES:
        yield from _named(rows(path), path)
    elif suffix in OBJECTS:
        yield from _named(objects(path), path)
    else:
        for place, (number, text) in enumerate(lines(path), 1):
            yield number, EvalQuery(id=f"q{place}", text=text.strip())


def _named(found: Iterator[tuple[int, Mapping[str, Any]]], path: Path) -> Iterator[Placed]:
    for place, (number, fields) in enumerate(found, 1):
        text = text_of(fields, TEXT)
        if text is None:
            there = ", ".join(fields) or "nothing"
            wrong(path, number, f"a query without text (it has: {there})", "a row has `text`")
        yield (
            number,
            EvalQuery(
                id=text_of(fields, IDS) or f"q{place}",
                text=text,
                language=text_of(fields, ("language",)),
                kind=text_of(fields, ("kind",)) or "",
            ),
        )
