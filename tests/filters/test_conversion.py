"""Amounts and numbers in one unit and one text."""

from __future__ import annotations

import pytest
from conditions import compare
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.filters import (
    Compare,
)
from qx.filters.conversion import canonical, convert, exact, number_text, plain, too_large
from qx.filters.fieldmap import StoredField, lower
from qx.filters.matching import evaluate


@pytest.mark.parametrize(
    ("number", "source", "target", "expected"),
    [
        (1, "TB", "GB", 1000),
        (1, "inch", "cm", 2.54),
        (2, "斤", "g", 1000),
        (100, "C", "F", 212),
        (212, "℉", "C", 100),
        (90, "min", "h", 1.5),
        (1, "year", "month", 12),
        (5, None, "CNY", 5),
        (5, "块", "CNY", 5),
        (5, "$", "USD", 5),
        (5, "CNY", "EUR", None),
        (5, "kg", "cm", None),
        (5, "h", "mAh", None),
        (5, "widgets", "CNY", None),
        (5, "widgets", "widgets", 5),
    ],
)
def test_amounts_are_converted_within_a_dimension(
    number: int, source: str, target: str, expected: float | None
) -> None:
    converted = convert(exact(number), source, target)
    assert (None if converted is None else plain(converted)) == expected


def test_units_have_one_name() -> None:
    assert canonical("元")[0] == canonical("RMB")[0] == canonical("¥")[0] == "CNY"
    assert canonical(None)[0] is None


@given(
    st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**30), 10**30), st.integers(-(10**30), 10**30)
)
@settings(max_examples=100, deadline=None)
def test_a_number_has_one_text_and_is_lowered_to_itself(one: float, other: int):
    for a, b in ((one, other), (one, float(other)), (other, float(other)), (one, one)):
        assert (number_text(a) == number_text(b)) == (a == b)
    for stored in (StoredField(name="n", type="number"), StoredField(name="n")):
        leaf = lower(Compare(field="n", op="eq", value=one), {"n": stored}).filter
        assert isinstance(leaf, Compare)
        assert leaf.value == one


def test_large_numbers_are_short_as_text():
    assert [number_text(n) for n in (5, 5.0, -0.0, 0.1, 1e20, 1e23, 10**23, 1e300, float("inf"))] == [
        "5", "5", "0", "0.1", "100000000000000000000", "1e+23", "1" + "0" * 23, "1e+300", "inf",
    ]  # fmt: skip
    assert number_text(10**5000).startswith("0x")
    assert too_large({"a": [{"b": (1, 10**400)}]})
    assert not too_large({"a": [{"b": (1, 10**300, 1e300, True, "x")}]})


BYTES = {
    "storage": StoredField(name="disk_gb", type="number", unit="GB"),
    "memory": StoredField(name="ram_mb", type="number", unit="MB"),
    "disk": StoredField(name="disk_tb", type="number", unit="TB"),
    "price": StoredField(name="price", type="number", unit="CNY"),
}


@pytest.mark.parametrize(
    ("field", "op", "said", "unit", "passes", "fails"),
    [
        ("storage", "eq", 1, "TB", (1000, 1024), (512, 2048)),
        ("storage", "eq", "1 TB", None, (1000, 1024), (512,)),
        ("memory", "eq", "8GB", None, (8000, 8192), (4096, 16384)),
        ("memory", "in", (8, 16), "GB", (8000, 8192, 16000, 16384), (4096,)),
        ("memory", "ne", 8, "GB", (4096, 16384), (8000, 8192)),
        ("disk", "eq", 512, "GB", (0.512, 0.5), (1,)),
        ("disk", "eq", 1024, "GB", (1.024, 1), (2,)),
        ("storage", "ge", 1, "TB", (1000, 1024, 2000), (512,)),
        ("storage", "le", 1, "TB", (512, 1000, 1024), (2000,)),
        ("storage", "gt", 1, "TB", (2000, 2048), (1000, 1024)),
        ("storage", "lt", 1, "TB", (512,), (1000, 1024)),
        ("storage", "eq", 512, "GB", (512,), (500,)),
        ("price", "eq", 1000, "CNY", (1000,), (1024,)),
    ],
)
def test_memory_is_stored_in_thousands_or_in_1024s(field, op, said, unit, passes, fails) -> None:
    lowered = lower(compare(field, op, said, unit=unit), BYTES)
    assert lowered.filter is not None
    assert not lowered.unlowered
    name = BYTES[field].name
    assert [n for n in (*passes, *fails) if evaluate(lowered.filter, {name: n})] == list(passes)
