"""Why a query lost (or won) against no expansion, in one line, from the two rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby

from qx.eval.strategies import FIRST
from qx.eval.values import Row
from qx.names import fallen as said_of

_TOLD = 2
"""Documents, and sub-queries, that a line names."""
_CLIP = 80
"""Code points of a sub-query that a line shows."""


def reason(raw: Row | None, row: Row | None, grades: Mapping[str, int], *, good: int = 1, won: bool = False) -> str:
    """Say in one line what the rows know of a difference.

    Args:
        raw: The raw query's row; None: it was not searched.
        row: The condition's.
        grades: The query's.
        good: The least grade that counts as relevant.
        won: Whether the condition is better than the raw query.
    """
    if row is None:
        return "it was not searched"
    if row.error:
        return f"no result: {row.error}"
    if raw is None or raw.error:
        return f"the raw query has no result: {raw.error if raw else 'it was not searched'}"
    parts = list(_moves(raw, row, grades, good, won))
    if not won:
        parts += _drift(row, grades, good)
    parts += _circumstances(row)
    return "; ".join(parts) or "the lists hold the same relevant documents in the same places"


def _moves(raw: Row, row: Row, grades: Mapping[str, int], good: int, won: bool) -> Iterator[str]:
    """What relevant documents moved, those first that moved furthest from (or to) the top; best grades first."""
    before = {listed.id: rank for rank, listed in enumerate(raw.found, 1)}
    after = {listed.id: rank for rank, listed in enumerate(row.found, 1)}
    changed = [
        (grade, (1 / there if there else 0.0) - (1 / here if here else 0.0), id_, there, here)
        for id_, grade in grades.items()
        if grade >= good and (there := before.get(id_)) != (here := after.get(id_))
    ]
    moved = [one for one in changed if (one[1] < 0) == won]
    moved.sort(key=lambda one: (-one[0] * abs(one[1]), one[2]))
    for grade, _, id_, there, here in moved[:_TOLD]:
        yield _gained(id_, grade, there, here, row) if won else _lost(id_, grade, there, here, before, row)
    if len(moved) > _TOLD:
        yield f"{len(moved) - _TOLD} more relevant {'came up' if won else 'fell'}"


def _lost(id_: str, grade: int, there: int | None, here: int | None, before: Mapping[str, int], row: Row) -> str:
    """One relevant document that fell, and the sub-queries whose hits came to stand before it."""
    fell = f"{id_} (grade {grade}) fell from rank {there} to {here}" if here else _gone(id_, grade, there, row)
    above = row.found[: here - 1] if here else row.found[: there or FIRST]
    passed = [listed for listed in above if before.get(listed.id, len(before) + 1) > (there or 0)]
    blamed = Counter(
        place for listed in passed for place in _blamed(listed.by, row) if row.queries[place].strategy != "original"
    )
    if blamed:
        return f"{fell}, behind {_brought(blamed, row)}"
    return f"{fell}, behind {len(passed)} that the raw query had below it" if passed else fell


def _gone(id_: str, grade: int, there: int | None, row: Row) -> str:
    if not row.found:
        return f"nothing was found; {id_} (grade {grade}) was at rank {there}"
    return f"{id_} (grade {grade}) at rank {there} was lost, not in the {len(row.found)} found"


def _gained(id_: str, grade: int, there: int | None, here: int | None, row: Row) -> str:
    """One relevant document that came up, and the sub-queries that brought it."""
    came = f"{id_} (grade {grade}) came " + (f"from rank {there} " if there else "in ") + f"to {here}" if here else id_
    listed = next((one for one in row.found if one.id == id_), None)
    brought = Counter(_blamed(listed.by, row)) if listed else Counter[int]()
    return f"{came}, by {_brought(brought, row, count=False)}" if brought else came


def _blamed(by: tuple[int, ...], row: Row) -> list[int]:
    """The sub-queries of a document; the original only where nothing else brought it."""
    places = [place for place in by if 0 <= place < len(row.queries)]
    return [place for place in places if row.queries[place].strategy != "original"] or places


def _brought(blamed: Counter[int], row: Row, *, count: bool = True) -> str:
    told = [
        (f"{number} from " if count else "") + f"{row.queries[place].strategy} “{_shown(row.queries[place].text)}”"
        for place, number in blamed.most_common(_TOLD)
    ]
    more = len(blamed) - len(told)
    return " and ".join(told) + (f" and {more} more" if more else "")


def _shown(text: str) -> str:
    """A sub-query for people: a word that is repeated (so that it weighs more) once, with the number."""
    counted = ((word, sum(1 for _ in same)) for word, same in groupby(text.split()))
    line = " ".join(word if number == 1 else f"{word}×{number}" for word, number in counted)
    return line if len(line) <= _CLIP else line[: _CLIP - 1].rstrip() + "…"


def _drift(row: Row, grades: Mapping[str, int], good: int) -> Iterator[str]:
    """Sub-queries that filled at least three places of the first page and brought nothing relevant anywhere."""
    first: Counter[int] = Counter()
    useful: set[int] = set()
    for rank, listed in enumerate(row.found):
        for place in _blamed(listed.by, row):
            first[place] += rank < FIRST
            if grades.get(listed.id, 0) >= good:
                useful.add(place)
    for place, number in first.most_common():
        if number >= 3 and place not in useful and row.queries[place].strategy != "original":
            query = row.queries[place]
            yield f"drift: {query.strategy} “{_shown(query.text)}” has {number} of the first {FIRST}, none of them relevant"
            return


def _circumstances(row: Row) -> Iterator[str]:
    """What else the row says: a step that fell, a condition that became a filter, an order given up."""
    if row.abstained:
        yield f"left alone: {row.abstained}"
    for fallen in row.degraded:
        yield f"degraded: {said_of(fallen.step, fallen.rung)} ({fallen.reason})"
    if row.outcome not in ("ok", "empty"):
        yield f"outcome: {row.outcome}"
    if row.filters:
        yield f"read as a filter: {', '.join(row.filters)}"
    yield from row.notes
