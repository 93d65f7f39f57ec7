"""Converting between units: exactly, within one dimension, with the names that people write."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.filters import conversion
from qx.text import units
from qx.text.quantities import find


@pytest.mark.parametrize(
    ("number", "source", "target", "made"),
    [
        (1, "TB", "GB", 1000),
        (15, "inch", "cm", Fraction(381, 10)),
        (6, "ft", "cm", Fraction(4572, 25)),
        (1, "lb", "g", Fraction(45359237, 100000)),
        (1, "kg", "t", Fraction(1, 1000)),
        (100, "C", "F", 212),
        (212, "F", "C", 100),
        (90, "min", "h", Fraction(3, 2)),
        (2, "year", "month", 24),
        (5, "CNY", "CNY", 5),
        (5, None, None, 5),
        (1, "kg", "s", None),
        (1, "km", "GB", None),
        (1, "CNY", "EUR", None),
        (1, "month", "d", None),
        (1, "C", "kg", None),
        (1, None, "kg", None),
    ],
)
def test_within_one_dimension(number: int, source: str | None, target: str | None, made: Fraction | None) -> None:
    assert units.convert(Fraction(number), source, target) == made


@pytest.mark.parametrize(
    ("unit", "name"),
    [("元", ("CNY", 1)), ("斤", ("kg", Fraction(1, 2))), ("GB", ("GB", 1)), (None, (None, 1)), ("qubit", ("qubit", 1))],
)
def test_names_that_people_write(unit: str | None, name: tuple[str | None, Fraction]) -> None:
    assert units.canonical(unit) == name
    assert conversion.canonical(unit) == name


def test_filters_and_queries_share_one_table() -> None:
    assert conversion.convert(Fraction(3), "斤", "kg") == Fraction(3, 2)
    assert conversion.convert(Fraction(3), "kg", "斤") == 6
    assert conversion.convert(Fraction(3), None, "kg") == 3
    assert conversion.convert(Fraction(3), "公里", "GB") is None


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [("500g-1kg 的哑铃", 0.5, 1, "kg"), ("5ft to 2m tall", 1.524, 2, "m"), ("512GB到1TB的硬盘", 0.512, 1, "TB")],
)
def test_a_range_of_two_units_is_in_the_second(text: str, low: float, high: float, unit: str) -> None:
    found = find(text)[0]
    assert (found.low, found.high, found.unit) == (low, high, unit)


def test_ends_of_two_dimensions_are_no_range() -> None:
    assert [q.op for q in find("3kg到5小时")] == ["eq", "eq"]


PAIRS = [(a, b) for table in units._DIMENSIONS for a in table for b in table]


@given(st.fractions(min_value=-1000, max_value=1000), st.sampled_from(PAIRS))
@settings(max_examples=80, deadline=None)
def test_there_and_back_is_the_same(number: Fraction, pair: tuple[str, str]) -> None:
    there = units.convert(number, *pair)
    assert there is not None
    assert units.convert(there, pair[1], pair[0]) == number
