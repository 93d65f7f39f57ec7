"""Filters that tests of several parts use."""

from __future__ import annotations

from hypothesis import strategies as st

from qx.filters import (
    And,
    Compare,
    Exists,
    FilterOp,
    Not,
    Or,
)


def compare(field: str, op: FilterOp, value: object, **more: object) -> Compare:
    return Compare(field=field, op=op, value=value, **more)  # type: ignore[arg-type]


CHEAP = compare("price", "le", 5000, unit="CNY", origin="inferred")
WHITE = compare("color", "eq", "white", origin="inferred")
MINE = compare("shop", "eq", "acme")
NAMES = st.sampled_from(["price", "brand", "available", "flavour"])
VALUES = st.sampled_from([0, 1, 2.5, True, "小米", "x", ""])
OPS = st.sampled_from(["eq", "ne", "lt", "le", "gt", "ge"])
ORIGINS = st.sampled_from(["caller", "typed", "inferred"])
LEAVES = st.one_of(
    st.builds(Compare, field=NAMES, op=OPS, value=VALUES, origin=ORIGINS, soft=st.booleans()),
    st.builds(Compare, field=NAMES, op=st.just("in"), value=st.lists(VALUES, max_size=3).map(tuple), origin=ORIGINS),
    st.builds(Exists, field=NAMES, origin=ORIGINS),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(And, filters=st.lists(inner, max_size=3).map(tuple)),
        st.builds(Or, filters=st.lists(inner, max_size=3).map(tuple)),
        st.builds(Not, filter=inner),
    ),
    max_leaves=8,
)
RECORDS = st.dictionaries(NAMES, st.one_of(VALUES, st.none(), st.lists(VALUES, max_size=2)))
