"""Lowering: a filter in canonical fields becomes one in an engine's own names, scales, units and spellings."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Literal, cast

from pydantic import Field, field_validator

from qx.filters.conversion import as_given, binary, canonical, convert, exact, plain
from qx.filters.stand_ins import stand_ins, unit_of
from qx.filters.tree import And, Compare, Exists, Filter, Leaf, Not, leaves, rewrite, without
from qx.model import Model
from qx.serial import replace, value
from qx.types import Scalar

FieldType = Literal["text", "keyword", "number", "date", "bool"]


class StoredField(Model):
    """How an engine stores one canonical field.

    Attributes:
        name: The engine's name, such as ``price_cents`` or ``brand.keyword``.
        type: None: read from the data.
        boost: Weight of the field's words in the score; 0 keeps those of a keyword from being searched.
        scale: Stored number per canonical number (100: cents).
        unit: The unit that is stored; an amount in another is converted or, where it cannot be, not lowered.
        values: What is said -> the value that is stored (``{小米: xiaomi}``), compared without case.
    """

    name: str
    type: FieldType | None = None
    boost: float = 1.0
    scale: float = Field(default=1.0, gt=0, allow_inf_nan=False)
    unit: str | None = None
    values: Mapping[str, str] = Field(default_factory=dict)

    @field_validator("values", mode="before")
    @classmethod
    def _said_to_stored(cls, item: object) -> object:
        given: Mapping[object, object] = cast("Mapping[object, object]", item) if isinstance(item, Mapping) else {}
        for stored, said in given.items():
            if isinstance(said, (list, tuple)):
                words = ", ".join(f"{one}: {stored}" for one in cast("Sequence[object]", said))
                raise ValueError(f"what is said stands on the left, the stored value on the right: {{{words}}}")
        return cast("object", item)


FieldMap = Mapping[str, StoredField]
"""Canonical name -> stored field."""


@value
class Unlowered:
    """A leaf that the engine's fields cannot carry, and why."""

    leaf: Compare | Exists
    reason: str


@value
class Lowered:
    """``filter`` has stored names and scaled values; None asks for nothing.

    ``unlowered`` leaves were taken out so that the filter is never stronger than what was asked.
    """

    filter: Filter | None
    unlowered: tuple[Unlowered, ...] = ()

    @property
    def refused(self) -> tuple[Unlowered, ...]:
        """The caller's own leaves among the unlowered: an engine that has any of them must not be asked at all."""
        return tuple(u for u in self.unlowered if u.leaf.origin == "caller")


class Inexpressible(ValueError):
    """A value that a stored field cannot hold; the text is the reason."""


def lower(tree: Filter | None, fields: FieldMap) -> Lowered:
    """Return ``tree`` in the names, scales, units and spellings of ``fields``."""
    unlowered: list[Unlowered] = []

    def change(leaf: Leaf, positive: bool) -> Filter | None:
        try:
            return _lower_leaf(leaf, fields, positive=positive)
        except Inexpressible as reason:
            unlowered.append(Unlowered(leaf=leaf, reason=str(reason)))
            return None

    lowered = rewrite(tree, change)
    failed = {repr(u.leaf) for u in unlowered}
    kept = {repr(leaf) for leaf in leaves(without(tree, lambda leaf: repr(leaf) in failed))}
    unlowered += [
        Unlowered(leaf=leaf, reason="its alternative cannot be expressed")
        for leaf in (leaves(tree) if failed else ())
        if leaf.origin == "caller" and repr(leaf) not in kept | failed
    ]
    return Lowered(filter=lowered, unlowered=tuple(unlowered))


def _lower_leaf(leaf: Leaf, fields: FieldMap, *, positive: bool) -> Filter:
    stored = fields.get(leaf.field) or _stand_in(leaf, fields)
    if stored is None:
        raise Inexpressible(f"no field '{leaf.field}'")
    if isinstance(leaf, Exists):
        return Exists(field=stored.name, origin=leaf.origin)
    if leaf.op in ("lt", "le", "gt", "ge") and stored.type in ("text", "keyword", "bool"):
        raise Inexpressible(f"'{leaf.field}' is stored as {stored.type} and has no order")
    if stored.type == "date":
        return _dated(leaf, stored)
    if stored.type == "number":
        leaf = _in_years(leaf, positive=positive)
    values = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
    if isinstance(leaf.value, tuple) and leaf.op != "in":
        raise Inexpressible(f"'{leaf.field}' is compared with several values by {leaf.op}")
    readings = [_readings(item, leaf, stored) for item in values]
    if leaf.op in ("lt", "le", "gt", "ge"):
        return _compare(leaf, stored, _bounding(readings[0], leaf.op))
    wanted = tuple(dict.fromkeys(one for each in readings for one in each))
    if leaf.op == "in" or len(wanted) == 1:
        return _compare(leaf, stored, wanted if leaf.op == "in" else wanted[0])
    either = replace(_compare(leaf, stored, wanted), op="in")
    return either if leaf.op == "eq" else Not(filter=either)


def _readings(item: Scalar, leaf: Compare, stored: StoredField) -> tuple[Scalar, ...]:
    """What one value may be stored as: a terabyte as 1,000 or as 1,024 gigabytes."""
    found = _stored(item, leaf, stored)
    if stored.unit is None or isinstance(found, (str, bool)):
        return (found,)
    more = binary(_number(item, leaf, stored)[1], stored.unit)
    return (found,) if more is None else (found, plain(exact(found) * more))


def _bounding(readings: tuple[Scalar, ...], op: str) -> Scalar:
    """The reading that a bound means: "at most" and "at least" take in either, "more" and "less than" neither."""
    numbers = [one for one in readings if isinstance(one, (int, float)) and not isinstance(one, bool)]
    if len(numbers) < 2:
        return readings[0]
    return max(numbers) if op in ("le", "gt") else min(numbers)


def _compare(leaf: Compare, stored: StoredField, to: Scalar | tuple[Scalar, ...]) -> Compare:
    return Compare(field=stored.name, op=leaf.op, value=to, origin=leaf.origin, soft=leaf.soft)


def _stored(item: Scalar, leaf: Compare, stored: StoredField) -> Scalar:
    """Return one value as the engine stores it."""
    if stored.type == "number":
        return _amount(*_number(item, leaf, stored), leaf, stored)
    if stored.type == "bool":
        return _boolean(item, leaf)
    if stored.type is None and isinstance(item, (int, float)) and not isinstance(item, bool):
        return _amount(item, leaf.unit, leaf, stored)
    if stored.values:
        folded = str(item).casefold()
        item = next((kept for spelling, kept in stored.values.items() if spelling.casefold() == folded), item)
    if stored.type in ("text", "keyword") and not isinstance(item, str):
        return str(item).lower() if isinstance(item, bool) else str(item)
    return item


def spoken_of(fields: FieldMap) -> frozenset[str]:
    """Return the canonical names that a query's conditions may have: those of ``fields``, and what these stand in for."""
    return frozenset((*fields, *stand_ins(fields)))


def _stand_in(leaf: Leaf, fields: FieldMap) -> StoredField | None:
    """Return the field that a query's condition is meant of, where the one of its name is not there."""
    name = stand_ins(fields).get(leaf.field) if leaf.origin == "inferred" else None
    if name is None:
        return None
    stored = fields[name]
    return stored if leaf.field == "published" else stored.model_copy(update={"unit": unit_of(name, stored)})


_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}:\d{2})\S{0,20})?")


def _in_years(leaf: Compare, *, positive: bool) -> Compare:
    """Return a comparison with a day as one with years, for a field of numbers: books before 2015 have a year below it.

    A day within a year bounds no whole years: what was read from a query then asks for the year's other days too, which is
    weaker; what the caller gave, or what is negated, cannot be said.
    """
    match = _DAY.fullmatch(leaf.value.strip()) if isinstance(leaf.value, str) else None
    if match is None:
        return leaf
    first = match.group(2, 3) == ("01", "01") and match[4] in (None, "00:00")
    if first and leaf.op in ("lt", "ge"):
        return replace(leaf, value=int(match[1]), unit=None)
    if leaf.origin != "inferred" or not positive or leaf.op not in ("lt", "le", "gt", "ge"):
        raise Inexpressible(f"'{leaf.field}' is a number, and {leaf.value} is a day")
    return replace(leaf, op="le" if leaf.op in ("lt", "le") else "ge", value=int(match[1]), unit=None)


_WITH_UNIT = re.compile(
    r"\s*(?P<sign>[A-Za-z]{2,3}(?![A-Za-z])\$?|[$¥￥€£₹₽元])?\s*"
    r"(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d{1,15})?)(?![,.]\d)\s*(?P<unit>\S.{0,20})?"
)
_EITHER = "¥￥"
"""Signs of two currencies."""


def _number(item: Scalar, leaf: Compare, stored: StoredField) -> tuple[int | float | str, str | None]:
    """Return the number and its unit: of ``16``, ``"16"``, ``"16 GB"``, ``"$1,600"``."""
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        return item, leaf.unit
    match = _WITH_UNIT.fullmatch(item) if isinstance(item, str) else None
    said = [part.strip() for part in match.group("sign", "unit") if part] if match is not None else []
    units = {_currency(unit, stored) for unit in said}
    if match is None or len(units) > 1 or (match["sign"] and not _is_money(*units)):
        raise Inexpressible(f"'{leaf.field}' is a number")
    return match["number"].replace(",", ""), units.pop() if units else leaf.unit


def _check_unit(unit: str, leaf: Compare, stored: StoredField) -> None:
    """Refuse what stands behind a number and is no unit: ``5 OR 1=1`` is not 5, nor is ``1_000`` 1."""
    from qx.text.units import is_unit

    if not is_unit(unit) and (stored.unit is None or unit.casefold() != stored.unit.casefold()):
        raise Inexpressible(f"'{leaf.field}' is a number, and {unit!r} behind one is no unit")


def _currency(unit: str, stored: StoredField) -> str:
    """Return what a unit means for a field: ¥ and 元 are those of several currencies, of the field's own first."""
    from qx.text.units import COUNTED_IN_YUAN, YUAN

    meant = ("CNY", "JPY") if unit in _EITHER else COUNTED_IN_YUAN if unit in YUAN else ()
    if meant:
        own = canonical(stored.unit)[0] or ""
        return own if own in meant else "CNY"
    return canonical(unit)[0] or unit if _is_money(unit) else unit


def _is_money(unit: str) -> bool:
    from qx.text import units  # imported late: its table is long

    known = units.UNITS.get(unit.casefold())
    return unit.casefold() in units.CURRENCIES or (known is not None and known.kind == "money")


def _amount(number: float | str, unit: str | None, leaf: Compare, stored: StoredField) -> int | float:
    if unit is not None and leaf.origin != "inferred":
        _check_unit(unit, leaf, stored)
    try:
        converted = convert(exact(number), unit and _currency(unit, stored), stored.unit)
    except ValueError as error:
        raise Inexpressible(f"'{leaf.field}' is a finite number") from error
    if converted is None:
        said = "元" if leaf.unit == "元" else canonical(unit)[0]
        raise Inexpressible(f"'{leaf.field}' is stored in {stored.unit}, not in {said}")
    return as_given(plain(converted * exact(stored.scale)), number)


_TRUE = frozenset(("true", "yes", "1", "是", "有", "on"))
_FALSE = frozenset(("false", "no", "0", "否", "无", "off"))


def _boolean(item: Scalar, leaf: Compare) -> bool:
    word = str(item).casefold().strip()
    if word not in _TRUE and word not in _FALSE:
        raise Inexpressible(f"'{leaf.field}' is true or false")
    return word in _TRUE


_PARTIAL = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


def _dated(leaf: Compare, stored: StoredField) -> Filter:
    """Lower a comparison with a moment, a day, a month or a year (the last three are ranges)."""
    if leaf.op == "in" or isinstance(leaf.value, tuple):
        raise Inexpressible(f"'{leaf.field}' is a date: give a range")
    start, end = _period(str(leaf.value), leaf)
    if leaf.op in ("eq", "ne") and start != end:
        inside = And(filters=(_bound(leaf, stored, "ge", start), _bound(leaf, stored, "lt", end)))
        return inside if leaf.op == "eq" else Not(filter=inside)
    if start == end:
        return _bound(leaf, stored, leaf.op, start)
    # "after 2023" begins when the year is over, "until 2023" includes it
    return {
        "lt": _bound(leaf, stored, "lt", start),
        "le": _bound(leaf, stored, "lt", end),
        "gt": _bound(leaf, stored, "ge", end),
        "ge": _bound(leaf, stored, "ge", start),
    }[leaf.op]


def _bound(leaf: Compare, stored: StoredField, op: Literal["eq", "ne", "lt", "le", "gt", "ge"], at: str) -> Compare:
    return Compare(field=stored.name, op=op, value=at, origin=leaf.origin, soft=leaf.soft)


def _period(text: str, leaf: Compare) -> tuple[str, str]:
    """Return where a date begins and ends (ISO, end exclusive); twice the same for a moment.

    What reaches the end of the calendar ends at its last microsecond.
    """
    match = _PARTIAL.fullmatch(text.strip().replace("/", "-"))
    try:
        if match is None:
            moment = datetime.fromisoformat(text.strip())
            return moment.isoformat(), moment.isoformat()
        year, month, day = (int(part) if part else None for part in match.groups())
        if year is not None and month is not None and day is not None:
            first = date(year, month, day)
            return first.isoformat(), _after(first, 1).isoformat()
        first = date(year or 0, month or 1, 1)
        last = first.replace(month=month or 12)
        return first.isoformat(), _after(last, monthrange(last.year, last.month)[1]).isoformat()
    except (ValueError, OverflowError) as error:
        raise Inexpressible(f"'{leaf.field}' is a date such as 2023, 2023-05 or 2023-05-01") from error


def _after(day: date, days: int) -> date:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return datetime.max
