"""Filters as the command line takes them."""

from __future__ import annotations

import pytest
from conditions import compare
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.filters import (
    And,
)
from qx.filters.options import parse_option, parse_options


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("price <= 5000", ("price", "le", 5000)),
        ("price<=19.5", ("price", "le", 19.5)),
        ("price >= -3", ("price", "ge", -3)),
        ("price < 5000 CNY", ("price", "lt", "5000 CNY")),
        ("price > 1", ("price", "gt", 1)),
        ("brand = Marks & Spencer", ("brand", "eq", "Marks & Spencer")),
        ("brand != 小米", ("brand", "ne", "小米")),
        ("title = a <= b = c", ("title", "eq", "a <= b = c")),
        ("code = 007", ("code", "eq", "007")),
        ("code = 1e5", ("code", "eq", "1e5")),
        ("code = nan", ("code", "eq", "nan")),
        ("code = 1.50", ("code", "eq", "1.50")),
        ('quote = "x" ', ("quote", "eq", '"x" ')),
        ("metadata.brand-name = x", ("metadata.brand-name", "eq", "x")),
        ("品牌 = 小米", ("品牌", "eq", "小米")),
        ("brand =", ("brand", "eq", "")),
        ("x = =5", ("x", "eq", "=5")),
        ("x == 5", ("x", "eq", "= 5")),  # all after the operator is the literal value
    ],
)
def test_an_option_is_read(text: str, expected: tuple[str, str, object]) -> None:
    leaf = parse_option(text)
    assert (leaf.field, leaf.op, leaf.value) == expected
    assert type(leaf.value) is type(expected[2])
    assert leaf.origin == "caller"


@pytest.mark.parametrize("text", ["", "price", "price 5000", "<= 5000", "price <=", "two words = x", "= ="])
def test_an_option_that_cannot_be_read_says_how_to_write_it(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_option(text)
    assert caught.value.exit_code == 2
    assert "value" in str(caught.value).lower()


def test_options_are_all_asked_for() -> None:
    assert parse_options([]) is None
    assert parse_options(["a = 1", "b = 2"]) == And(filters=(compare("a", "eq", 1), compare("b", "eq", 2)))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=30))
def test_any_option_is_read_or_refused(text: str) -> None:
    try:
        leaf = parse_option(text)
    except UsageError:
        return
    assert leaf.field in text
    assert str(leaf.value) in text


@pytest.mark.parametrize(
    ("text", "field", "values"),
    [
        ("brand in HP, Dell", "brand", ("HP", "Dell")),
        ("brand IN (HP,Dell)", "brand", ("HP", "Dell")),
        ("品牌 in 惠普，戴尔", "品牌", ("惠普", "戴尔")),
        ('brand in "Marks, Inc", HP', "brand", ("Marks, Inc", "HP")),
        ("year in 2024, 2025", "year", (2024, 2025)),
        ("a in b = c", "a", ("b = c",)),
    ],
)
def test_one_of_several_values_on_the_command_line(text: str, field: str, values: tuple[object, ...]) -> None:
    leaf = parse_option(text)
    assert (leaf.field, leaf.op, leaf.value, leaf.origin) == (field, "in", values, "caller")


@pytest.mark.parametrize("text", ["brand in", "brand in , HP", "brand in ()", "in HP"])
def test_no_value_is_told(text: str) -> None:
    with pytest.raises(UsageError, match=r"filter"):
        parse_option(text)


def test_a_field_may_be_called_in() -> None:
    assert parse_option("in = 5") == compare("in", "eq", 5)
