"""``--filter 'FIELD OP VALUE'``: one comparison as it is written on a command line."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from qx.errors import UsageError
from qx.filters.tree import Compare, Filter, FilterOp, combine
from qx.types import Scalar

_OPTION = re.compile(r"\s*(?P<field>[^\s=!<>]+)\s*(?P<op>!=|<=|>=|=|<|>)\s*(?P<value>.*)", re.S)
_IN = re.compile(r"\s*(?P<field>[^\s=!<>]+)\s+in\s+(?P<values>\S.*)", re.S | re.I)
_OPS: dict[str, FilterOp] = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def parse_option(text: str) -> Compare:
    """Read ``price <= 5000`` or ``brand = Marks & Spencer``; all after the operator is the literal value.

    ``brand in HP, Dell`` takes any of several values, apart by commas; one that holds a comma stands in double quotes.
    A value that is written as a plain number is a number (``5000``, ``19.5``; not ``007``); the engine's field decides
    what it is stored as.  The leaf's origin is ``caller``.

    Raises:
        UsageError: there is no field, no operator, or no value where the operator needs one.
    """
    match = _OPTION.fullmatch(text)
    if match is None and (several := _IN.fullmatch(text)) is not None:
        return _any_of(several["field"], several["values"], text)
    if match is None:
        raise UsageError(
            f"cannot read the filter {text[:80]!r}: write 'FIELD OP VALUE' with OP one of = != < <= > >= in, "
            "for example 'price <= 5000' or 'brand in HP, Dell'"
        )
    op, literal = _OPS[match["op"]], match["value"]
    if not literal and op not in ("eq", "ne"):
        raise UsageError(f"the filter {text[:80]!r} compares with nothing: give a value after {match['op']}")
    return Compare(field=match["field"], op=op, value=_literal(literal))


def _any_of(field: str, values: str, text: str) -> Compare:
    bare = values.strip()
    bare = bare[1:-1] if bare.startswith("(") and bare.endswith(")") else bare
    found = [item.strip() for item in next(csv.reader([bare.replace("，", ",")], skipinitialspace=True), list[str]())]
    if not all(found) or not found:
        raise UsageError(f"the filter {text[:80]!r} has an empty value: write 'FIELD in VALUE, VALUE'")
    return Compare(field=field, op="in", value=tuple(map(_literal, found)))


def parse_options(texts: Sequence[str]) -> Filter | None:
    """Return the filter that asks for all of several options; None of none."""
    return combine(*map(parse_option, texts))


def _literal(text: str) -> Scalar:
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if str(number) == text and text not in ("nan", "inf", "-inf"):
            return number
    return text
