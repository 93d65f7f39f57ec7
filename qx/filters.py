"""The filter tree.  Each leaf knows its origin: ``caller`` filters are never relaxed, ``inferred`` ones may be."""

from __future__ import annotations

from typing import Literal

from qx.serial import value

Origin = Literal["caller", "typed", "inferred"]
FilterOp = Literal["eq", "ne", "lt", "le", "gt", "ge", "in"]


@value
class Compare:
    field: str
    op: FilterOp
    value: str | int | float | bool | tuple[str | int | float | bool, ...]
    unit: str | None = None
    origin: Origin = "caller"


@value
class Exists:
    field: str
    origin: Origin = "caller"


@value
class And:
    filters: tuple[Filter, ...]


@value
class Or:
    filters: tuple[Filter, ...]


@value
class Not:
    filter: Filter


Filter = Compare | Exists | And | Or | Not
