"""One row against what was read of it: counts that add up, and what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import get_args

from qx.eval.understanding import keeping, matching
from qx.eval.understanding.rows import Row, Wanted, WantedConstraint, WantedEntity
from qx.eval.understanding.values import FailedRow, Failure
from qx.serial import value
from qx.types import Constraint, Degraded, Entity, Kind, SubQuery, Understanding, Usage

NOTHING = "(nothing)"
"""Where nothing is wanted or read."""


@value
class Reading:
    """What qx made of one row.

    Attributes:
        milliseconds: Of understanding and expanding together, as it was when it was really done.
        kept: Calls that were answered from what an earlier run kept.
        silent: Why a model did not answer, in whose place the rules read the row; else empty.
        error: Why there is no result, else empty.
    """

    understanding: Understanding = field(default_factory=Understanding)
    queries: tuple[SubQuery, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    usage: Usage = field(default_factory=Usage)
    milliseconds: float = 0.0
    kept: int = 0
    silent: str = ""
    error: str = ""


@value
class Count:
    """``found`` of ``wanted``; ``read`` in all."""

    found: int = 0
    wanted: int = 0
    read: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(found=self.found + other.found, wanted=self.wanted + other.wanted, read=self.read + other.read)


@value
class Scored:
    """A row with its counts; None: the row does not say what is wanted.

    Attributes:
        kind, language: As the row says, else as they were read: the tables' groups.
        exact, partial: Counts by field (``entities``, ``constraints``, ``implicit_needs``).
        shares: By field: how many of how many (a row's sentiment: 1 of 1).
    """

    row: Row
    reading: Reading
    kind: str
    language: str
    exact: dict[str, Count]
    partial: dict[str, Count]
    shares: dict[str, Count]
    failures: tuple[Failure, ...]

    def failed(self) -> FailedRow | None:
        """Return what failed of the row, None where nothing did."""
        if not self.failures:
            return None
        read = self.reading.understanding
        return FailedRow(
            file=self.row.file,
            line=self.row.line,
            text=self.row.wanted.text,
            kind=self.kind,
            language=self.language,
            failures=self.failures,
            source=read.source,
            confidence=read.confidence,
            queries=tuple(query.text for query in keeping.others(self.reading.queries)),
        )


def score(row: Row, reading: Reading) -> Scored:
    """Compare a row with what was read of it."""
    wanted, read = row.wanted, reading.understanding
    exact, partial = _matched(wanted, read)
    shares = _labels(wanted, read) | _kept(wanted, reading)
    return Scored(
        row=row,
        reading=reading,
        kind=wanted.kind or read.kind,
        language=wanted.language or read.language,
        exact=exact,
        partial=partial,
        shares=shares,
        failures=tuple(_failures(wanted, reading, exact, shares)),
    )


def _matched(wanted: Wanted, read: Understanding) -> tuple[dict[str, Count], dict[str, Count]]:
    exact: dict[str, Count] = {}
    partial: dict[str, Count] = {}
    if wanted.entities is not None:
        one, other = wanted.entities, read.entities
        exact["entities"] = _count(len(one), len(other), matching.pairs(one, other, matching.same_entity))
        overlapping = matching.overlapping_entity(wanted.text)
        partial["entities"] = _count(len(one), len(other), matching.pairs(one, other, overlapping))
    if wanted.constraints is not None:
        one, other = wanted.constraints, read.constraints
        exact["constraints"] = _count(len(one), len(other), matching.pairs(one, other, matching.same_constraint))
        partial["constraints"] = _count(len(one), len(other), matching.pairs(one, other, matching.close_constraint))
    if wanted.implicit_needs is not None:
        one, other = wanted.implicit_needs, read.implicit_needs
        exact["implicit_needs"] = _count(len(one), len(other), matching.pairs(one, other, matching.same_need))
        partial["implicit_needs"] = _count(len(one), len(other), matching.pairs(one, other, matching.like_need))
    return exact, partial


def _count(wanted: int, read: int, found: int) -> Count:
    return Count(found=found, wanted=wanted, read=read)


def _labels(wanted: Wanted, read: Understanding) -> dict[str, Count]:
    """What has one right answer: 1 of 1 or 0 of 1."""
    found: dict[str, bool] = {}
    if wanted.intents is not None:
        found["first"] = read.intent[:1] == wanted.intents[:1]
        found["among"] = bool(set(read.intent[:1]) & set(wanted.intents)) or (not read.intent and not wanted.intents)
    if wanted.sentiment is not None:
        found["sentiment"] = read.sentiment.label == wanted.sentiment
    if wanted.stance is not None:
        found["stance"] = read.stance == wanted.stance
    if wanted.kind in get_args(Kind):
        found["kind"] = read.kind == wanted.kind
    if wanted.language is not None:
        found["language_read"] = read.language == wanted.language
    return {name: Count(found=int(right), wanted=1) for name, right in found.items()}


def _kept(wanted: Wanted, reading: Reading) -> dict[str, Count]:
    found: dict[str, Count] = {}
    if wanted.language is not None:
        kept, of = keeping.in_language(reading.queries, wanted.language)
        found["language_kept"] = Count(found=kept, wanted=of)
    if wanted.must is not None:
        missing = keeping.lost(reading.queries, wanted.must)
        found["must"] = Count(found=len(wanted.must) - len(missing), wanted=len(wanted.must))
    if wanted.must_not is not None:
        there = keeping.brought(reading.queries, wanted.must_not)
        found["must_not"] = Count(found=len(wanted.must_not) - len(there), wanted=len(wanted.must_not))
    return found


def _failures(wanted: Wanted, reading: Reading, exact: dict[str, Count], shares: dict[str, Count]) -> list[Failure]:
    if reading.error:
        return [Failure(field="error", expected="a result", read=reading.error)]
    read = reading.understanding
    said: dict[str, tuple[str, str]] = {
        "first": (_listed(wanted.intents or ()), _listed(read.intent)),
        "sentiment": (str(wanted.sentiment), read.sentiment.label),
        "stance": (str(wanted.stance), read.stance),
        "kind": (str(wanted.kind), read.kind),
        "language_read": (str(wanted.language), read.language),
        "entities": (_listed(map(_entity, wanted.entities or ())), _listed(map(_entity, read.entities))),
        "constraints": (_listed(map(_limit, wanted.constraints or ())), _listed(map(_limit, read.constraints))),
        "implicit_needs": (_listed(wanted.implicit_needs or ()), _listed(read.implicit_needs)),
    }
    failures = [
        Failure(field=_FIELDS.get(name, name), expected=said[name][0], read=said[name][1])
        for name in said
        if _is_wrong(shares.get(name), exact.get(name))
    ]
    return failures + _failures_of_queries(wanted, reading, shares)


_FIELDS = {"first": "intents", "language_read": "language"}


def _is_wrong(share: Count | None, exact: Count | None) -> bool:
    if share is not None:
        return share.found < share.wanted
    return exact is not None and not exact.found == exact.wanted == exact.read


def _failures_of_queries(wanted: Wanted, reading: Reading, shares: dict[str, Count]) -> list[Failure]:
    found: list[Failure] = []
    if (kept := shares.get("language_kept")) is not None and kept.found < kept.wanted:
        strange = [
            query.text
            for query in keeping.others(reading.queries)
            if keeping.in_language([query], str(wanted.language)) == (0, 1)
        ]
        found.append(Failure(field="language_kept", expected=str(wanted.language), read=_listed(strange)))
    if missing := keeping.lost(reading.queries, wanted.must or ()):
        found.append(Failure(field="must", expected=_listed(missing), read="in no query"))
    if there := keeping.brought(reading.queries, wanted.must_not or ()):
        found.append(Failure(field="must_not", expected=f"none with {_listed(there)}", read="in a query"))
    return found


def _listed(items: Sequence[str] | map[str]) -> str:
    return ", ".join(items) or NOTHING


def _entity(entity: Entity | WantedEntity) -> str:
    return f"{entity.text} ({entity.type})" if entity.type else entity.text


def _limit(limit: Constraint | WantedConstraint) -> str:
    item = "|".join(map(str, limit.value)) if isinstance(limit.value, tuple) else str(limit.value)
    return f"{limit.field} {limit.op} {item}" + (f" {limit.unit}" if limit.unit else "")
