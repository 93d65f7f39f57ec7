"""Rows that want two readings of one query: both count, and at least one of them as misread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from qx.eval.understanding.matching import plain
from qx.eval.understanding.rows import Row, Wanted, places
from qx.text.normalise import fold
from qx.types import Kind

_TOLD = 5
"""Contradictions that are told one by one."""
_Said = Mapping[object, object]
"""What is wanted -> what more is said of it, None: anything will do."""


def contradicting(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a note for each row that contradicts one before it, with the lines of both."""
    found = list(_pairs(rows))
    for before, row, what in found[:_TOLD]:
        said = f"two readings of {row.wanted.text[:40]!r} are wanted ({places((before, row))}: {what})"
        yield f"{said}: both rows count, and no reading is right for both"
    if len(found) > _TOLD:
        yield f"and {len(found) - _TOLD} more such contradictions"


def _pairs(rows: Sequence[Row]) -> Iterator[tuple[Row, Row, str]]:
    first: dict[tuple[object, ...], tuple[Row, _Said]] = {}
    ruled: dict[tuple[object, ...], Row] = {}
    for row in rows:
        query = row.wanted.query()
        same = (fold(query.text), query.now, query.timezone)
        for what, said in _readings(row.wanted):
            before, other = first.setdefault((*same, what), (row, said))
            if before is not row and _differ(other, said):
                yield before, row, what
        for words, key, opposite in ((row.wanted.must, "must", "must not"), (row.wanted.must_not, "must not", "must")):
            for word in dict.fromkeys(map(fold, words or ())):
                ruled.setdefault((*same, word, key), row)
                if (before := ruled.get((*same, word, opposite), row)) is not row:
                    yield before, row, f"the word {word!r}"


def _readings(wanted: Wanted) -> Iterator[tuple[str, _Said]]:
    """What a row says of its query, each as it is compared; what it does not say contradicts nothing."""
    if wanted.kind in get_args(Kind):  # another one only groups the tables
        yield "the kind", {wanted.kind: None}
    for name in ("language", "sentiment", "stance"):
        if (one := getattr(wanted, name)) is not None:
            yield f"the {name}", {one: None}
    if wanted.intents is not None:
        yield "the intents", dict.fromkeys(wanted.intents)
    if wanted.entities is not None:
        yield "the entities", {plain(one.text): one.type for one in wanted.entities}
    if wanted.constraints is not None:
        yield "the constraints", {(one.field, one.op, one.value): one.unit for one in wanted.constraints}


def _differ(one: _Said, two: _Said) -> bool:
    if one.keys() != two.keys():
        return True
    return any(said is not None and two[key] is not None and said != two[key] for key, said in one.items())
