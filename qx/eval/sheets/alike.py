"""Rows of two conditions that show the same: nothing can be better of the two, and who rates them apart is not sure.

Settings that differ often make the same set of a query.  Both rows stand in the sheet, since nobody may see what is whose; but
a difference in what was said of them is the rater's, not the conditions'.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from qx.eval.sheets.items import Item, Key
from qx.eval.sheets.ratings import Rating


def alike(items: Iterable[Item], first: str) -> dict[str, frozenset[str]]:
    """Return the originals whose row shows the same as the first condition's: condition -> ids of originals."""
    shown = {(item.query, item.condition): (item.queries, item.answer, item.results) for item in items}
    found: dict[str, set[str]] = {}
    for (query, condition), what in shown.items():
        if condition != first and shown.get((query, first)) == what:
            found.setdefault(condition, set()).add(query)
    return {condition: frozenset(queries) for condition, queries in found.items()}


def consistency(
    key: Key, ratings: Sequence[Rating], first: str, condition: str, queries: frozenset[str]
) -> tuple[int, int]:
    """Return how many ratings of such rows a rater gave alike to both, and how many were given to both."""
    place = {id_: (item.query, item.condition) for id_, item in key.rows.items()}
    given = {(one.rater, one.question, *place[one.row]): one.value for one in ratings}
    both = [
        value == given[rater, question, query, condition]
        for (rater, question, query, where), value in given.items()
        if where == first and query in queries and (rater, question, query, condition) in given
    ]
    return sum(both), len(both)


def notes(key: Key, ratings: Sequence[Rating], first: str) -> list[str]:
    """Return what a reader must know of such rows."""
    said: list[str] = []
    for condition, queries in alike(key.rows.values(), first).items():
        total = len({item.query for item in key.rows.values() if item.condition == condition})
        same, both = consistency(key, ratings, first, condition, queries)
        told = f"; raters gave both the same in {same} of {both} ratings, which says how sure they are" if both else ""
        said.append(
            f"{len(queries)} of {total} originals have one and the same set or answer in {first} and {condition}: they "
            f"count as a tie of the two, while the means are as they were rated{told}"
        )
    return said


def tied(
    scores: Mapping[str, Mapping[str, Mapping[str, float]]], same: Mapping[str, frozenset[str]], first: str
) -> dict[str, dict[str, dict[str, float]]]:
    """Return scores (condition -> question -> original) with those of such rows as the first condition's."""
    made = {name: {q: dict(of) for q, of in questions.items()} for name, questions in scores.items()}
    for condition, queries in same.items():
        for question, of in made[condition].items():
            for query in queries & of.keys() & made[first][question].keys():
                of[query] = made[first][question][query]
    return made


__all__ = ["alike", "consistency", "notes", "tied"]
