from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.eval.understanding.matching import (
    close_constraint,
    like_need,
    overlapping_entity,
    pairs,
    same_constraint,
    same_entity,
    same_need,
)
from qx.eval.understanding.rows import WantedConstraint, WantedEntity
from qx.types import Constraint, Entity

edges = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=15)


@given(allowed=edges)
@settings(max_examples=100, deadline=None)
def test_as_many_are_paired_as_can_be(allowed: set[tuple[int, int]]):
    best = max(sum((i, j) in allowed for i, j in enumerate(order)) for order in permutations(range(5)))
    assert pairs(range(5), range(5), lambda a, b: (a, b) in allowed) == best


def test_each_is_paired_once():
    assert pairs(["a", "a"], ["a"], lambda a, b: a == b) == 1
    assert pairs([], ["a"], lambda a, b: True) == 0


@pytest.mark.parametrize(
    ("wanted", "read", "exact", "partial"),
    [
        (("手机", "product"), ("手机", "product"), True, True),
        (("手机", None), ("手机", "thing"), True, True),
        (("手机", "product"), ("手机", "thing"), False, False),
        (("老人手机", "product"), ("手机", "product"), False, True),
        (("Linen Shirt", "product"), ("linen shirt", "product"), True, True),
        (("linen shirt", "product"), ("shirt for summer", "product"), False, True),  # overlap in the query
        (("linen", "product"), ("summer", "product"), False, False),
        (("印表機", "product"), ("打印机", "product"), True, True),
    ],
)
def test_entities(wanted: tuple[str, str | None], read: tuple[str, str], exact: bool, partial: bool):
    one, other = WantedEntity(text=wanted[0], type=wanted[1]), Entity(text=read[0], type=read[1])
    assert same_entity(one, other) is exact
    assert overlapping_entity("cheap linen shirt for summer 老人手机")(one, other) is partial


@pytest.mark.parametrize(
    ("wanted", "read", "exact", "partial"),
    [
        (("price", "le", 5000, "CNY"), ("price", "le", 5000.0, "CNY"), True, True),
        (("price", "le", 5000, None), ("price", "le", 5000.0, "CNY"), True, True),
        (("price", "le", 5000, "CNY"), ("price", "le", 5000.0, "USD"), False, False),
        (("price", "le", 5000, "CNY"), ("price", "le", 5400.0, "CNY"), False, True),
        (("price", "le", 5000, "CNY"), ("price", "le", 5600.0, "CNY"), False, False),
        (("price", "le", 5000, "CNY"), ("price", "lt", 5000.0, "CNY"), False, False),
        (("price", "le", 0, "CNY"), ("price", "le", 1.0, "CNY"), False, False),
        (("colour", "eq", "dark blue", None), ("colour", "eq", "Blue", None), False, True),
        (("brand", "in", ("A", "B"), None), ("brand", "in", ("b", "a"), None), True, True),
        (("brand", "in", ("A", "B"), None), ("brand", "in", ("a",), None), False, True),
        (("wireless", "eq", True, None), ("wireless", "eq", True, None), True, True),
        (("wireless", "eq", True, None), ("wireless", "eq", 1, None), False, False),
    ],
)
def test_constraints(wanted: tuple, read: tuple, exact: bool, partial: bool):
    keys = ("field", "op", "value", "unit")
    one = WantedConstraint(**dict(zip(keys, wanted, strict=True)))
    other = Constraint(**dict(zip(keys, read, strict=True)))
    assert same_constraint(one, other) is exact
    assert close_constraint(one, other) is partial


def test_needs():
    assert same_need("售后服务", "售後服務")
    assert not same_need("售后服务", "售后")
    assert like_need("售后服务", "售后")
    assert like_need("price comparison", "comparison of price")
    assert not like_need("price", "warranty")
    assert not like_need("", "warranty")
