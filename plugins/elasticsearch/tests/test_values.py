"""Attribute values as terms: their order as text is their order as values."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("qx_elasticsearch")

from qx_elasticsearch.values import beginning_of, decoded, encoded, kind_of, leaves, moment_of, number_term, shortened

NUMBERS = st.one_of(st.integers(-(2**53), 2**53), st.floats(allow_nan=False))


@settings(deadline=None, max_examples=100)
@given(NUMBERS, NUMBERS)
def test_numbers_are_ordered_as_numbers(left: float, right: float) -> None:
    one, other = number_term(left), number_term(right)
    assert one is not None
    assert other is not None
    assert (one < other, one == other) == (float(left) < float(right), float(left) == float(right))


@settings(deadline=None, max_examples=100)
@given(st.datetimes(), st.datetimes(timezones=st.just(UTC)))
def test_dates_are_ordered_as_moments(left: datetime, right: datetime) -> None:
    one, other = moment_of(left.isoformat()), moment_of(right.isoformat())
    assert one is not None
    assert other is not None
    aware = left.replace(tzinfo=UTC)
    assert (one < other, one == other) == (aware < right, aware == right)


def test_zones_do_not_count() -> None:
    assert moment_of("2023-05-01T08:00:00+08:00") == moment_of("2023-05-01") == moment_of("2023-05-01T00:00:00Z")


@pytest.mark.parametrize(
    "text", ["", "2023", "2023-05", "not a date", "2023-13-01", "12345678901", "0001-01-01T00:00:00+14:00"]
)
def test_what_is_no_date(text: str) -> None:
    assert moment_of(text) is None
    assert encoded(text) == f"s{text}"


@pytest.mark.parametrize(
    ("value", "shown", "kind"),
    [
        ("HP", "HP", "keyword"), ("", "", "keyword"), ("2023-05-01", "2023-05-01", "date"), (5, "5", "number"),
        (5.0, "5", "number"), (-0.5, "-0.5", "number"), (0, "0", "number"), (True, "true", "bool"),
        (False, "false", "bool"), ("5", "5", "keyword"), ("会议", "会议", "keyword"),
    ],
)  # fmt: skip
def test_values_are_read_back_with_their_kind(value: object, shown: str, kind: str) -> None:
    term = encoded(value)
    assert term is not None
    assert decoded(term) == shown
    assert kind_of(term) == kind


def test_what_has_no_term() -> None:
    assert encoded(None) is None
    assert encoded(math.nan) is None
    assert decoded(encoded({"a": 1}) or "") is None
    assert encoded(10**400) == number_term(math.inf)


def test_kinds_are_apart() -> None:
    assert len({encoded(v) for v in (1, "1", True, "true", 1.5, "2023-05-01")}) == 6


def test_long_texts_are_equal_only_to_themselves() -> None:
    left, right = "x" * 50_000 + "a", "x" * 50_000 + "b"
    assert shortened(left) != shortened(right)
    assert len(shortened(left).encode()) < 32_000
    assert shortened("会" * 50_000).encode()


def test_broken_surrogates_can_be_sent() -> None:
    assert (encoded("a\ud800b") or "").encode()


def test_leaves_of_nested_metadata() -> None:
    found = list(leaves({"a": 1, "b": {"c": ["x", None, {"d": 2}], "e": {}}, "f.g": None, "h": []}))
    assert [(path, item) for path, item in found if not isinstance(item, dict)] == [("a", 1), ("b.c", "x")]
    assert {path for path, item in found if isinstance(item, dict)} == {"b", "b.c", "b.e"}


@pytest.mark.parametrize(
    ("item", "begins"),
    [("2021", "2021-01-01T00:00:00.000000"), ("2021-05", "2021-05-01T00:00:00.000000"), ("2021-13", None), ("soon", None),
     ("2021-05-01", None), (2021, None)],
)  # fmt: skip
def test_a_part_of_a_date_begins_at_a_moment(item: object, begins: str | None) -> None:
    assert beginning_of(item) == begins
