"""Lowering: a filter in canonical fields becomes one in an engine's names, units and spellings."""

from __future__ import annotations

from typing import Any

import pytest
from conditions import CHEAP, MINE, TREES, compare
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from qx.filters import (
    And,
    Compare,
    Exists,
    Filter,
    FilterOp,
    Not,
    Or,
    leaves,
)
from qx.filters.fieldmap import FieldMap, StoredField, lower, spoken_of
from qx.filters.matching import evaluate

FIELDS = {
    "price": StoredField(name="price_cents", type="number", scale=100, unit="CNY"),
    "brand": StoredField(name="brand.keyword", type="keyword", values={"小米": "xiaomi", "Xiaomi": "xiaomi"}),
    "memory": StoredField(name="ram_mb", type="number", unit="MB"),
    "screen": StoredField(name="screen_cm", type="number", unit="cm"),
    "weight": StoredField(name="weight", type="number", unit="kg"),
    "available": StoredField(name="in_stock", type="bool"),
    "published": StoredField(name="date", type="date"),
    "rating": StoredField(name="stars"),
    "title": StoredField(name="title", type="text"),
}

LOWERED: list[tuple[Compare, object]] = [
    (compare("price", "le", 5000), ("price_cents", "le", 500000)),
    (compare("price", "le", 5000, unit="CNY"), ("price_cents", "le", 500000)),
    (compare("price", "le", 5000, unit="元"), ("price_cents", "le", 500000)),
    (compare("price", "le", "5000元"), ("price_cents", "le", 500000)),
    (compare("price", "le", "¥5000"), ("price_cents", "le", 500000)),
    (compare("price", "le", "￥ 5,000.50"), ("price_cents", "le", 500050)),
    (compare("price", "le", "元5000"), ("price_cents", "le", 500000)),
    (compare("price", "le", "RMB 5000"), ("price_cents", "le", 500000)),
    (compare("price", "le", "¥5000元"), ("price_cents", "le", 500000)),
    (compare("price", "le", "5000 ￥"), ("price_cents", "le", 500000)),
    (compare("price", "le", "19.99"), ("price_cents", "le", 1999)),
    (compare("price", "le", 19.99), ("price_cents", "le", 1999)),  # not 1998.9999999999998
    (compare("price", "in", (10, 20)), ("price_cents", "in", (1000, 2000))),
    (compare("brand", "eq", "小米"), ("brand.keyword", "eq", "xiaomi")),
    (compare("brand", "ne", "XIAOMI"), ("brand.keyword", "ne", "xiaomi")),
    (compare("brand", "in", ("小米", "华为")), ("brand.keyword", "in", ("xiaomi", "华为"))),
    (compare("brand", "eq", 360), ("brand.keyword", "eq", "360")),
    (compare("memory", "ge", 16, unit="GB"), ("ram_mb", "ge", 16000)),
    (compare("memory", "ge", "16GB"), ("ram_mb", "ge", 16000)),
    (compare("memory", "ge", "1 TB"), ("ram_mb", "ge", 1000000)),
    (compare("screen", "ge", 15.6, unit="inch"), ("screen_cm", "ge", 39.624)),
    (compare("screen", "ge", 15.6, unit="寸"), ("screen_cm", "ge", 39.624)),
    (compare("weight", "le", 3, unit="斤"), ("weight", "le", 1.5)),
    (compare("available", "eq", "是"), ("in_stock", "eq", True)),
    (compare("available", "eq", False), ("in_stock", "eq", False)),
    (compare("published", "ge", "2023"), ("date", "ge", "2023-01-01")),
    (compare("published", "gt", 2023), ("date", "ge", "2024-01-01")),
    (compare("published", "le", "2023-05"), ("date", "lt", "2023-06-01")),
    (compare("published", "lt", "2023-05-01"), ("date", "lt", "2023-05-01")),
    (compare("published", "ge", "2023-05-01T10:00:00+08:00"), ("date", "ge", "2023-05-01T10:00:00+08:00")),
    (compare("rating", "ge", 4.5), ("stars", "ge", 4.5)),
    (compare("rating", "ge", "four"), ("stars", "ge", "four")),
]


@pytest.mark.parametrize(("leaf", "expected"), LOWERED)
def test_a_leaf_is_lowered(leaf: Compare, expected: tuple[str, str, object]) -> None:
    lowered = lower(leaf, FIELDS)
    assert isinstance(lowered.filter, Compare)
    assert (lowered.filter.field, lowered.filter.op, lowered.filter.value) == expected
    assert type(lowered.filter.value) is type(expected[2])
    assert lowered.filter.unit is None
    assert lowered.unlowered == ()


REFUSED: list[tuple[Compare | Exists, str]] = [
    (compare("price", "le", 5000, unit="EUR"), "CNY"),
    (compare("price", "le", "5000 USD"), "CNY"),
    (compare("price", "le", "$500"), "stored in CNY, not in USD"),
    (compare("price", "le", "€500"), "stored in CNY, not in EUR"),
    (compare("price", "le", "£500"), "stored in CNY, not in GBP"),
    (compare("price", "le", "$500 元"), "number"),
    (compare("price", "le", "kg 5"), "number"),
    (compare("price", "le", "x5"), "number"),
    (compare("price", "le", "5,00"), "number"),
    (compare("price", "le", "$"), "number"),
    (compare("price", "le", "cheap"), "number"),
    (compare("price", "le", True), "number"),
    (compare("price", "le", float("inf")), "finite"),
    (compare("price", "le", (1, 2)), "several"),
    (compare("memory", "ge", 3, unit="kg"), "MB"),
    (compare("brand", "gt", "a"), "order"),
    (compare("title", "le", "a"), "order"),
    (compare("available", "eq", "maybe"), "true or false"),
    (compare("published", "ge", "2023-13-01"), "date"),
    (compare("published", "ge", "soon"), "date"),
    (compare("flavour", "eq", "x"), "no field"),
    (Exists(field="flavour"), "no field"),
]


@pytest.mark.parametrize(("leaf", "reason"), REFUSED)
def test_a_leaf_that_a_field_cannot_carry_is_reported(leaf: Compare | Exists, reason: str) -> None:
    lowered = lower(leaf, FIELDS)
    assert lowered.filter is None
    assert lowered.unlowered[0].leaf == leaf
    assert reason in lowered.unlowered[0].reason
    assert lowered.refused == lowered.unlowered  # the caller's own


@pytest.mark.parametrize("end", ["9999", "9999-12", "9999-12-31"])
def test_the_end_of_the_calendar_ends_a_period(end: str) -> None:
    def passes(op: FilterOp, at: str) -> bool:
        lowered = lower(compare("published", op, end), FIELDS)
        assert lowered.unlowered == ()
        return evaluate(lowered.filter, {"date": at})

    for at in ("9999-12-31", "9999-12-31T23:59:59", "9999-12-31T23:00:00+00:00"):
        assert passes("le", at) and passes("eq", at) and passes("ge", at)  # noqa: PT018 - one meaning
        assert not passes("gt", at) and not passes("lt", at) and not passes("ne", at)  # noqa: PT018
    assert passes("le", "2023-05-01")
    assert not passes("eq", "2023-05-01")


@pytest.mark.parametrize(
    ("op", "to", "passing"),
    [
        ("le", "2023", {"2021", "2021-05", "2021-05-03"}),
        ("lt", "2021-05-01", {"2021"}),
        ("ge", "2021-05-01", {"2021-05", "2021-05-03", "2024-06"}),
        ("gt", "2021-05", {"2024-06"}),
        ("gt", "2024-05", {"2024-06"}),
        ("eq", "2021", {"2021", "2021-05", "2021-05-03"}),
        ("ne", "2021", {"2024-06", "not a date", "99", "2021-13", "0000", ""}),
    ],
)
def test_a_stored_part_of_a_date_is_its_beginning_and_other_text_is_no_date(op: FilterOp, to: str, passing: set[str]):
    stored = ("2021", "2021-05", "2021-05-03", "2024-06", "not a date", "99", "2021-13", "0000", "")
    tree = lower(compare("published", op, to), FIELDS).filter
    assert {text for text in stored if evaluate(tree, {"date": text})} == passing


def test_texts_of_keywords_are_compared_as_they_stand() -> None:
    assert not evaluate(compare("model", "eq", "2021-01-01"), {"model": "2021"})
    assert not evaluate(compare("model", "eq", "2021"), {"model": "2021-01-01"})


def test_five_thousand_yuan_are_not_five_thousand_euros() -> None:
    fields = {"price": StoredField(name="price", type="number", unit="EUR"), "shop": StoredField(name="shop")}
    lowered = lower(And(filters=(MINE, CHEAP)), fields)
    assert lowered.filter == MINE
    assert [u.leaf for u in lowered.unlowered] == [CHEAP]
    assert lowered.refused == ()  # only an inferred leaf is missing: the engine may be asked


@pytest.mark.parametrize(
    ("text", "unit", "stored"),
    [
        ("$500", "USD", 500),
        ("US$ 500", "USD", 500),
        ("$1,299.50", "USD", 1299.5),
        ("USD 500", "USD", 500),
        ("500$", "USD", 500),
        ("£500", "GBP", 500),
        ("€500", "EUR", 500),
        ("¥500", "JPY", 500),
        ("¥500", "CNY", 500),
        ("HK$500", "HKD", 500),
        ("NT$ 500", "TWD", 500),
        ("500元", "TWD", 500),
        ("500塊", "HKD", 500),
        ("500元", "CNY", 500),
        ("$500", None, 500),
    ],
)
def test_a_currency_may_stand_before_the_amount(text: str, unit: str | None, stored: float) -> None:
    lowered = lower(compare("price", "lt", text), {"price": StoredField(name="p", type="number", unit=unit)})
    assert isinstance(lowered.filter, Compare), lowered.unlowered
    assert lowered.filter.value == stored


def test_a_day_is_a_range() -> None:
    inside = lower(compare("published", "eq", "2023-05-01"), FIELDS).filter
    assert inside == And(filters=(compare("date", "ge", "2023-05-01"), compare("date", "lt", "2023-05-02")))
    outside = lower(compare("published", "ne", "2024-02"), FIELDS).filter
    assert evaluate(outside, {"date": "2024-03-01"})
    assert not evaluate(outside, {"date": "2024-02-29"})


def test_an_alternative_that_is_lost_takes_the_callers_with_it_and_says_so() -> None:
    lowered = lower(Or(filters=(compare("brand", "eq", "小米"), compare("flavour", "eq", "x", origin="typed"))), FIELDS)
    assert lowered.filter is None
    assert [u.leaf.field for u in lowered.refused] == ["brand"]


def test_origin_and_softness_are_kept() -> None:
    leaf = lower(compare("price", "le", 5, origin="inferred", soft=True), FIELDS).filter
    assert isinstance(leaf, Compare)
    assert (leaf.origin, leaf.soft) == ("inferred", True)


def test_a_scale_is_positive_and_finite() -> None:
    for scale in (0, -1, float("inf"), float("nan")):
        with pytest.raises(ValidationError):
            StoredField(name="x", scale=scale)


STORED = {
    "price": StoredField(name="cents", type="number", scale=100),
    "brand": StoredField(name="maker", type="keyword", values={"小米": "xiaomi"}),
    "available": StoredField(name="available"),
}


@settings(max_examples=100, deadline=None)
@given(TREES, st.dictionaries(st.just("price"), st.sampled_from([0, 1, 2.5, 7])), st.sampled_from([None, "小米", "x"]))
def test_lowering_never_asks_for_more(tree: Filter, record: dict[str, object], brand: str | None) -> None:
    stored: dict[str, object] = {"cents": record["price"] * 100} if record else {}  # type: ignore[operator]
    if brand is not None:
        record["brand"], stored["maker"] = brand, {"小米": "xiaomi"}.get(brand, brand)
    lowered = lower(tree, STORED)
    assert evaluate(lowered.filter, stored) or not evaluate(tree, record)
    if not lowered.unlowered:
        assert {leaf.field for leaf in leaves(lowered.filter)} <= {"cents", "maker", "available"}


@pytest.mark.parametrize(
    "written",
    [
        "1_000",
        "0x10",
        "5 OR 1=1",
        "5 apples",
        "5k",
        "3万",
        "5e3x",
        "5000元以下",
        "10; drop",
        "5' or '1",
        "5 GB or more",
    ],
)
def test_what_stands_behind_a_number_and_is_no_unit_is_an_error(written: str):
    for stored in (StoredField(name="p", type="number"), StoredField(name="p", type="number", unit="USD")):
        found = lower(Compare(field="price", op="lt", value=written), {"price": stored})
        assert found.filter is None
        assert "number" in found.unlowered[0].reason


@pytest.mark.parametrize(
    ("written", "unit", "value"),
    [("5 USD", "USD", 5), ("$5", "USD", 5), ("5 美元", "USD", 5), ("16 GB", "GB", 16), ("5 rounds", "rounds", 5)],
)
def test_a_unit_behind_a_number_is_read(written: str, unit: str, value: float):
    stored = StoredField(name="p", type="number", unit=unit)
    assert lower(Compare(field="x", op="lt", value=written), {"x": stored}).filter == Compare(
        field="p", op="lt", value=value
    )


def test_a_unit_of_the_callers_that_is_none_is_an_error():
    stored = StoredField(name="p", type="number", unit="USD")
    assert lower(Compare(field="x", op="lt", value=5, unit="parsec"), {"x": stored}).filter is None
    assert lower(Compare(field="x", op="lt", value=5, unit="parsec"), {"x": StoredField(name="p")}).filter is None


BOOKS = {"published": StoredField(name="year", type="number")}
"""Catalogues of books and films hold the year of a thing, no date."""


@pytest.mark.parametrize("fields", [BOOKS, {"year": BOOKS["published"]}])
@pytest.mark.parametrize(
    ("op", "day", "expected"),
    [
        ("lt", "2015-01-01", ("lt", 2015)),
        ("ge", "2020-01-01", ("ge", 2020)),
        ("ge", "2020-06-01", ("ge", 2020)),  # weaker: the rest of 2020 passes too
        ("lt", "2015-06-01", ("le", 2015)),
    ],
)
def test_a_day_of_a_query_limits_a_field_of_years(op: FilterOp, day: str, expected: tuple[str, int], fields: FieldMap):
    leaf = Compare(field="published", op=op, value=day, origin="inferred")
    lowered = lower(leaf, fields).filter
    assert isinstance(lowered, Compare)
    assert (lowered.field, lowered.op, lowered.value) == ("year", *expected)


def test_a_day_within_a_year_that_is_the_callers_or_denied_does_not_limit_years():
    asked = Compare(field="published", op="lt", value="2015-06-01", origin="caller")
    assert "is a day" in lower(asked, BOOKS).refused[0].reason
    denied = Not(filter=Compare(field="published", op="lt", value="2015-06-01", origin="inferred"))
    assert lower(denied, BOOKS).filter is None
    assert lower(Compare(field="published", op="lt", value="2015-01-01", origin="caller"), BOOKS).refused == ()
    assert lower(asked, {"year": BOOKS["published"]}).refused  # a caller names the field itself


COOKERY = {"minutes": StoredField(name="metadata.minutes", type="number")}


@pytest.mark.parametrize(
    ("fields", "said", "lowered"),
    [
        (COOKERY, ("duration", "le", 20, "min"), ("metadata.minutes", "le", 20)),
        (COOKERY, ("duration", "lt", 1, "h"), ("metadata.minutes", "lt", 60)),
        ({"cook_time": StoredField(name="t", type="number", unit="s")}, ("duration", "le", 2, "min"), ("t", "le", 120)),
        (
            {"updated": StoredField(name="u", type="date")},
            ("published", "ge", "2026-06-01", None),
            ("u", "ge", "2026-06-01"),
        ),
        (
            {"created_at": StoredField(name="c", type="date")},
            ("published", "lt", "2026-06-01", None),
            ("c", "lt", "2026-06-01"),
        ),
    ],
)
def test_a_field_stands_in_for_the_canonical_one_that_is_not_there(
    fields: FieldMap, said: tuple[str, FilterOp, Any, str | None], lowered: tuple[str, str, Any]
):
    name, op, value, unit = said
    found = lower(Compare(field=name, op=op, value=value, unit=unit, origin="inferred"), fields).filter
    assert isinstance(found, Compare)
    assert (found.field, found.op, found.value) == lowered
    assert name in spoken_of(fields)
    assert lower(Compare(field=name, op=op, value=value, unit=unit, origin="caller"), fields).refused


@pytest.mark.parametrize(
    "fields",
    [
        {"expires": StoredField(name="e", type="date")},
        {"time": StoredField(name="t", type="number")},
        {"length": StoredField(name="t", type="number", unit="cm")},
        {"updated": StoredField(name="e", type="keyword")},
    ],
)
def test_what_is_no_such_field_stands_in_for_none(fields: FieldMap):
    assert spoken_of(fields) == frozenset(fields)
