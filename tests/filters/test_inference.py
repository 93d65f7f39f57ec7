"""Filters made from constraints, and how they are relaxed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from conditions import CHEAP, MINE, RECORDS, TREES, WHITE, compare
from hypothesis import given, settings

from qx.filters import (
    And,
    Filter,
    Not,
    Or,
    combine,
    leaves,
    simplify,
)
from qx.filters.inference import exclusions, from_constraints, relaxations
from qx.filters.matching import evaluate
from qx.types import Constraint


def test_constraints_become_inferred_filters() -> None:
    tree = from_constraints(
        [
            Constraint(field="price", op="le", value=5000, unit="CNY"),
            Constraint(field="weight", op="prefer", value="thin", hard=False),
            Constraint(field="color", op="ne", value="white"),
            Constraint(field="brand", op="eq", value="小米"),
            Constraint(field="brand", op="eq", value="华为"),
            Constraint(field="screen", op="ge", value=6, hard=False),
        ]
    )
    assert tree == And(
        filters=(
            compare("brand", "in", ("小米", "华为"), origin="inferred"),
            CHEAP,
            compare("color", "ne", "white", origin="inferred"),
            compare("screen", "ge", 6, origin="inferred", soft=True),
        )
    )


@pytest.mark.parametrize(
    ("text", "unit", "kept"),
    [
        ("under 500", "USD", None),
        ("8千以内", "CNY", None),
        ("预算2000左右", "CNY", None),
        ("budget of 500", "USD", None),
        ("under $500", "USD", "USD"),
        ("500欧以下", "EUR", "EUR"),
        ("5000元以下", "CNY", "CNY"),
        ("", "CNY", "CNY"),
        ("8GB", "GB", "GB"),
    ],
)
def test_money_without_a_currency_is_in_that_of_the_field(text: str, unit: str, kept: str | None) -> None:
    said = Constraint(field="price", op="le", value=500, unit=unit, text=text)
    assert from_constraints([said]) == compare("price", "le", 500, unit=kept, origin="inferred")
    same = from_constraints([replace(said, op="eq")])
    assert same == compare("price", "eq", 500, unit=kept, origin="inferred")


def test_wishes_alone_are_no_filter() -> None:
    assert from_constraints([]) is None
    assert from_constraints([Constraint(field="price", op="prefer", value="low")]) is None


def test_relaxing_goes_softest_first_and_never_touches_what_was_said() -> None:
    typed = compare("price", "ge", 100, origin="typed")
    wish = compare("screen", "ge", 6, origin="inferred", soft=True)
    feature = compare("material", "eq", "linen", origin="inferred")
    exclusion = compare("color", "ne", "white", origin="inferred")
    tree = combine(MINE, typed, exclusion, CHEAP, feature, wish)
    steps = list(relaxations(tree))
    assert [step.dropped for step in steps] == [
        *((wish,), (feature,), (CHEAP,)),
        *((wish, feature), (wish, CHEAP), (feature, CHEAP)),
        (wish, feature, CHEAP),
    ]
    assert steps[-1].filter == And(filters=(MINE, typed, exclusion))
    assert list(relaxations(combine(MINE, typed))) == []
    assert list(relaxations(None)) == []
    assert [step.filter for step in relaxations(CHEAP)] == [None]


@pytest.mark.parametrize("soft", [False, True])
def test_an_exclusion_is_never_relaxed_into_its_opposite(soft: bool) -> None:
    brand = compare("brand", "eq", "HP", origin="inferred", soft=soft)
    several = compare("brand", "in", ("HP", "Dell"), origin="inferred", soft=soft)
    denied = [
        compare("brand", "ne", "HP", origin="inferred", soft=soft),
        compare("used", "eq", False, origin="inferred", soft=soft),
        Not(filter=brand),
        Not(filter=several),
        Not(filter=Or(filters=(brand, CHEAP))),
    ]
    for tree in denied:
        assert all("brand" not in [leaf.field for leaf in step.dropped] for step in relaxations(tree)), tree
        assert exclusions(tree), tree
    assert not list(relaxations(combine(denied[0], denied[1])))
    assert exclusions(combine(brand, CHEAP, MINE)) == ()


def test_an_alternative_to_what_was_said_is_not_relaxed() -> None:
    assert list(relaxations(Or(filters=(MINE, WHITE)))) == []


@settings(max_examples=100, deadline=None)
@given(TREES, RECORDS)
def test_relaxing_only_ever_weakens(tree: Filter, record: Mapping[str, object]) -> None:
    before = evaluate(tree, record)
    said = {repr(leaf) for leaf in leaves(simplify(tree)) if leaf.origin != "inferred"}
    for step in relaxations(tree):
        after = evaluate(step.filter, record)
        assert after or not before
        assert said <= {repr(leaf) for leaf in leaves(step.filter)}
        assert all(leaf.origin == "inferred" for leaf in step.dropped)


@pytest.mark.parametrize("values", [(14, 15.6), (15.6, 14), (14, 16), (0.5, 1.5)])
def test_whole_and_broken_numbers_of_one_field_are_alternatives(values) -> None:
    made = from_constraints([Constraint(field="screen", op="eq", value=v, unit="inch", text="") for v in values])
    assert made is not None
    assert [evaluate(made, {"screen": v}) for v in (*values, 13)] == [True, True, False]
