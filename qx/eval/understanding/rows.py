"""Rows of an evaluation set: what people say that a query means, one JSON object a line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from pydantic import Field, field_validator

from qx.errors import DatasetError
from qx.eval.datasets.reading import objects
from qx.model import Model
from qx.serial import value
from qx.types import Label, Op, Query, Scalar, Stance
from qx.validation import Problem, WrongValue, failure, problems_of
from qx.yaml import Loc, Place


class WantedEntity(Model):
    """An entity that should be read; without ``type`` any type will do."""

    text: str = Field(min_length=1)
    type: str | None = None


class WantedConstraint(Model):
    """A constraint that should be read; without ``unit`` any unit will do."""

    field: str
    op: Op
    value: Scalar | tuple[Scalar, ...]
    unit: str | None = None


class Wanted(Model):
    """One row.  Only ``text`` is needed; what is absent or null is not scored on this row, an empty list is.

    ``must``: words of which each stands in one of the queries; ``must_not``: words that stand in none.  ``kind`` groups
    the tables; where it is one of qx's own kinds it is scored as well.  ``now`` is the moment that "yesterday" is
    relative to, ``timezone`` where it is meant.
    """

    text: str
    language: str | None = None
    kind: str | None = None
    intents: tuple[str, ...] | None = None
    entities: tuple[WantedEntity, ...] | None = None
    constraints: tuple[WantedConstraint, ...] | None = None
    implicit_needs: tuple[str, ...] | None = None
    sentiment: Label | None = None
    stance: Stance | None = None
    must: tuple[str, ...] | None = None
    must_not: tuple[str, ...] | None = None
    now: datetime | None = None
    timezone: str | None = None

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise WrongValue("is empty", "write the query")
        return text

    @field_validator("now")
    @classmethod
    def _has_a_zone(cls, now: datetime | None) -> datetime | None:
        if now is not None and now.tzinfo is None:
            raise WrongValue("has no time zone", "write it as 2026-11-29T14:30:00+08:00")
        return now

    def query(self) -> Query:
        """Return the query as the engine is asked it: the language is for qx to find out."""
        return Query(text=self.text, now=self.now, timezone=self.timezone)


ROW = '{"text": "…", "intents": ["…"]}'
"""The least that a row says."""
_MOST = 5
"""Places that one note names."""


@value
class Row:
    """A row and where it stands: the line counts from 1."""

    line: int
    wanted: Wanted
    file: str = ""


def places(rows: Sequence[Row]) -> str:
    """Return where rows stand, for a note: ``line 3, 7``, or of several files ``a.jsonl:3, b.jsonl:7``."""
    more = ", …" if len(rows) > _MOST else ""
    if len({row.file for row in rows}) == 1:
        return f"line {', '.join(str(row.line) for row in rows[:_MOST])}{more}"
    return f"{', '.join(f'{row.file}:{row.line}' for row in rows[:_MOST])}{more}"


def read_rows(path: str | Path) -> tuple[Row, ...]:
    """Read an evaluation set.

    Raises:
        DatasetError: the file cannot be read or has no rows; or rows are wrong: each with its line and the reason.
    """
    path = Path(path)
    rows: list[Row] = []
    problems: list[Problem] = []
    for line, data in objects(path, ROW):
        place = Place(file=str(path), line=line)
        wrong = problems_of(Wanted, data, locate=lambda _, place=place: place, where=_same)
        problems += wrong
        if not wrong:
            rows.append(Row(line=line, wanted=Wanted.model_validate(data), file=path.name))
    if problems:
        raise failure(problems, DatasetError)
    if not rows:
        raise DatasetError("no rows", file=str(path), hint=f"one object a line: {ROW}")
    return tuple(rows)


def _same(loc: Loc) -> Loc:
    return loc
