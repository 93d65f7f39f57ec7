"""What a caller in Python may hand over, and what is refused with a word on what to pass instead."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx import Profile, Query, Turn
from qx.asking import asked, page
from qx.errors import UsageError
from qx.filters import And, Compare, Exists, Filter, Not, Or
from qx.filters.checking import MOST_DEEP, checked
from qx.types import SortBy

PROFILE = Profile(name="t", tenant="t")


def compare(**changed: Any) -> Compare:
    return Compare(**{"field": "price", "op": "eq", "value": 1} | changed)


def deep(levels: int) -> Filter:
    tree: Filter = compare()
    for level in range(levels - 1):
        tree = Not(filter=tree) if level % 2 else And(filters=(tree, Exists(field="brand")))
    return tree


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (5, "a str or a Query"),
        (Query(text=b"red"), "Query(text=…) is a str, not bytes"),  # type: ignore[arg-type]
        (Query(text="a", now="2021"), "Query(now=…) is a datetime"),  # type: ignore[arg-type]
        (Query(text="a", language=5), "Query(language=…) is a str"),  # type: ignore[arg-type]
        (Query(text="a", history=["b"]), "tuple of Turn"),  # type: ignore[arg-type]
        (Query(text="a", history=("b",)), "tuple of Turn"),  # type: ignore[arg-type]
        (Query(text="a", filters="price<5"), "not the text 'price<5': qx.filters.options.parse_option"),  # type: ignore[arg-type]
        (Query(text="a", filters=[compare()]), "not a list: And(filters=(…))"),  # type: ignore[arg-type]
        (Query(text="a", filters={"price": 5}), "a tree of Compare"),  # type: ignore[arg-type]
        (Query(text="a", filters=And(filters=[compare()])), "And(filters=…) takes a tuple"),  # type: ignore[arg-type]
        (Query(text="a", filters=Not(filter="x")), "not the text 'x'"),  # type: ignore[arg-type]
        (Query(text="a", filters=compare(op="like")), "there is no operator 'like'; there are eq, ne, lt"),
        (Query(text="a", filters=compare(op=">=")), "there is no operator '>='"),
        (Query(text="a", filters=compare(field="")), "a field is a canonical name"),
        (Query(text="a", filters=Exists(field=5)), "a field is a canonical name"),  # type: ignore[arg-type]
        (Query(text="a", filters=compare(value=None)), "a value is a str, int, float or bool, not NoneType"),
        (Query(text="a", filters=compare(op="in", value=[1, 2])), "for several values a tuple, not list"),
        (Query(text="a", filters=compare(op="in", value=(1, (2,)))), "not tuple"),
        (Query(text="a", filters=compare(value=10**400)), "greater than any that is stored"),
        (Query(text="a", filters=compare(op="in", value=(1, -(10**400)))), "greater than any that is stored"),
        (Query(text="a", filters=compare(unit=5)), "a unit is a text"),
        (Query(text="a", filters=deep(MOST_DEEP + 1)), "64 levels"),
        (Query(text="a", filters=deep(20_000)), "64 levels"),
    ],
)
def test_a_wrong_query_is_refused(query: Any, said: str) -> None:
    with pytest.raises(UsageError) as error:
        asked(query, PROFILE)
    assert said in str(error.value)


def test_a_right_query_passes() -> None:
    turn = Turn(role="user", content="earlier")
    query = Query(text="a", now=datetime.now(UTC), history=(turn,), filters=deep(MOST_DEEP), timezone="UTC")
    assert asked(query, PROFILE) == query
    wide = Or(filters=tuple(compare(value=n) for n in range(20_000)))
    assert checked(wide) is wide


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"limit": 2.5}, "limit=2.5: give a whole number"),
        ({"limit": True}, "limit=True"),
        ({"limit": "10"}, "give a whole number"),
        ({"offset": None}, "offset=None"),
        ({"limit": 0}, "a limit from 1"),
        ({"offset": -1}, "an offset from 0"),
        ({"sort": 5}, "give a sequence of fields"),
        ({"sort": (5,)}, "5 is no field: give 'price', '-price' or SortBy"),
        ({"sort": ("-",)}, "is no field"),
        ({"sort": (SortBy(field=5),)}, "is no field"),  # type: ignore[arg-type]
        ({"facets": (5,)}, "give the names of fields"),
        ({"facets": 5}, "give a sequence of fields"),
    ],
)
def test_a_wrong_part_of_a_list_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as error:
        page(**{"limit": 10, "offset": 0, "sort": (), "facets": ()} | options)
    assert said in str(error.value)


def test_an_order_may_be_given_by_name() -> None:
    down = SortBy(field="price", descending=True)
    for sort in ("-price", ["-price"], ("-price",), down, [down]):
        assert page(10, 0, sort, ()).sort == (down,)  # type: ignore[arg-type]
    assert page(10, 0, ["price", "-num"], "brand").sort[0] == SortBy(field="price")
    assert page(10, 0, (), "brand").facets == ("brand",)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | inner.map(lambda one: Not(filter=one))
        | st.lists(inner, max_size=3).map(lambda some: And(filters=tuple(some)))
        | st.builds(Compare, field=inner, op=st.sampled_from(["eq", "in", "?"]), value=inner)  # type: ignore[arg-type]
    ),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(ANYTHING)
def test_whatever_it_is_it_passes_or_is_a_usage_error(tree: Any) -> None:
    with contextlib.suppress(UsageError):
        assert checked(tree) is tree
