"""A log of searches with what was shown and what was clicked: grades out of clicks.

A click says little by itself: people look from the top, and mostly stop at what they took.  So a document counts as seen
in a search only where it stood at or above the lowest click; a search without a click tells nothing.  Of the times that
a document was seen for a query, the share in which it was clicked makes the grade: from 60 % 3, from 30 % 2, from 5 % 1,
below 0.  (The attractiveness of the simplified dynamic Bayesian network of Chapelle and Zhang, "A Dynamic Bayesian
Network Click Model for Web Search Ranking", WWW 2009.)  What was seen fewer than ``impressions`` times is not judged.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from qx.errors import DatasetError
from qx.eval.datasets.gathering import gathered
from qx.eval.datasets.reading import objects, rows, text_of, wrong
from qx.eval.values import Dataset, EvalQuery
from qx.text.normalise import fold

STEPS = ((0.6, 3), (0.3, 2), (0.05, 1))
"""The least share of clicks, and the grade that it makes."""
IMPRESSIONS = 5
UNDER_WAY = 10_000
"""Searches of sessions that are held open for a further row; then the oldest is counted as it is."""
SHOWN = ("shown", "results", "documents")
CLICKED = ("clicked", "clicks")


class _Search:
    """One search of one person: what was shown, from the top, and what was clicked."""

    def __init__(self) -> None:
        self.shown: dict[str, None] = {}
        self.clicked: set[str] = set()

    def add(self, shown: Sequence[str], clicked: Sequence[str], path: Path, number: int) -> None:
        if stray := next((id for id in clicked if id not in shown), None):
            wrong(path, number, f"{stray!r} was clicked but not shown", "`shown` lists all, from the top")
        self.shown |= dict.fromkeys(shown)
        self.clicked.update(clicked)


class _Query:
    """What a log says about one query, however it was spelt in capitals and width."""

    def __init__(self) -> None:
        self.spellings: Counter[str] = Counter()
        self.language: str | None = None
        self.kind = ""
        self.seen: Counter[str] = Counter()
        self.clicked: Counter[str] = Counter()

    def count(self, search: _Search) -> None:
        """Add a search: what stood at or above the lowest click was seen."""
        shown = list(search.shown)
        lowest = max((place for place, document in enumerate(shown) if document in search.clicked), default=-1)
        self.seen.update(shown[: lowest + 1])
        self.clicked.update(search.clicked)


def is_log(fields: Mapping[str, Any]) -> bool:
    """Whether a row has what a log's have."""
    return any(name in fields for name in CLICKED) and "query" in fields


def load(
    path: Path, *, name: str, split: str | None, limit: int | None, seed: int, impressions: int = IMPRESSIONS
) -> Dataset:
    """Read a log; two rows of one ``session`` with the same query are one search (a page further, a reload).

    Args:
        path: JSON lines, or CSV with lists as JSON or apart by ``|``.
        impressions: How often a document must have been seen for a query to be judged.

    Raises:
        DatasetError: a row is wrong; no document was seen often enough; or a split is named, of which a log has none.
    """
    if split is not None:
        raise DatasetError(f"there is no split {split!r}", file=str(path), hint="a log of clicks has none")
    found = _gathered(path)
    queries: list[EvalQuery] = []
    grades: dict[str, dict[str, int]] = {}
    for key, one in found.items():
        id = "q" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        text = min(one.spellings, key=lambda text: (-one.spellings[text], text))
        queries.append(EvalQuery(id=id, text=text, language=one.language, kind=one.kind))
        judged = {d: grade(one.clicked[d] / seen) for d, seen in one.seen.items() if seen >= impressions}
        if judged:
            grades[id] = judged
    if queries and not grades:
        most = max((seen for one in found.values() for seen in one.seen.values()), default=0)
        raise DatasetError(
            f"no document was seen {impressions} times for one query (at most {most} times)",
            file=str(path),
            hint="give a longer log, or let fewer impressions do: --impressions",
        )
    return gathered(name, lambda: iter(queries), grades, place=path, limit=limit, seed=seed)


def grade(share: float) -> int:
    """Return the grade for a share of clicks."""
    return next((made for least, made in STEPS if share >= least), 0)


def _gathered(path: Path) -> dict[str, _Query]:
    found: dict[str, _Query] = {}
    under_way: dict[tuple[str, str], _Search] = {}
    for number, fields in _rows(path):
        text = text_of(fields, ("query",))
        if text is None:
            wrong(path, number, "a search without its query", 'a row has "query", "shown" and "clicked"')
        key = fold(text)
        one = found.setdefault(key, _Query())
        one.spellings[text] += 1
        one.language = one.language or text_of(fields, ("language",))
        one.kind = one.kind or text_of(fields, ("kind",)) or ""
        session = text_of(fields, ("session", "session_id"))
        search = _Search() if session is None else under_way.setdefault((session, key), _Search())
        search.add(_ids(fields, SHOWN, path, number), _ids(fields, CLICKED, path, number), path, number)
        if session is None:
            one.count(search)
        elif len(under_way) > UNDER_WAY:
            oldest = next(iter(under_way))
            found[oldest[1]].count(under_way.pop(oldest))
    for (_, key), search in under_way.items():
        found[key].count(search)
    return found


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    return rows(path) if path.suffix.lower() in (".csv", ".tsv") else objects(path)


_SEPARATED = re.compile(r"[\s,;]")
"""What others put between ids."""


def _parts(cell: str, name: str, path: Path, number: int) -> object:
    """The ids of a cell."""
    if cell.startswith("["):
        try:
            return json.loads(cell)
        except ValueError as error:
            wrong(path, number, f"`{name}` is no list: {error}")
    if "|" not in cell and _SEPARATED.search(cell):
        hint = 'separate ids by |, or write a list as JSON: ["d1", "d2"]; an id with such a sign in it stands in a list too'
        wrong(path, number, f"`{name}` is {cell[:60]!r}: is that one id, or several?", hint)
    return [part for part in cell.split("|") if part.strip()]


def _ids(fields: Mapping[str, Any], names: tuple[str, ...], path: Path, number: int) -> list[str]:
    """The ids of a list; in a table a list is JSON, or ids apart by ``|``."""
    item: object = next((fields[name] for name in names if name in fields), None)
    if item is None:
        return []
    if isinstance(item, str):
        item = _parts(item.strip(), names[0], path, number)
    if not isinstance(item, list):
        wrong(path, number, f"`{names[0]}` is no list", 'such as ["d1", "d2"]')
    ids: dict[str, None] = {}
    for one in cast("list[object]", item):
        if not isinstance(one, (str, int)) or isinstance(one, bool) or not str(one).strip():
            wrong(path, number, f"`{names[0]}` holds {one!r}, which is no id")
        ids[str(one).strip()] = None
    return list(ids)
