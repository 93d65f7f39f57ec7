"""The tree of a filter: combined, simplified, taken apart."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

from conditions import CHEAP, MINE, RECORDS, TREES, WHITE, compare
from hypothesis import given, settings

from qx.filters import (
    NOTHING,
    And,
    Exists,
    Filter,
    Not,
    Or,
    combine,
    leaves,
    originated,
    simplify,
    without,
)
from qx.filters.matching import evaluate
from qx.serial import from_json, to_json
from qx.types import Query


def test_a_filter_survives_json() -> None:
    tree = And(
        filters=(MINE, Not(filter=Or(filters=(WHITE, Exists(field="stock")))), compare("size", "in", ("S", "M")))
    )
    query = Query(text="shirt", filters=tree)
    assert from_json(Query, to_json(query)) == query


def test_combine_flattens_and_drops_doubles() -> None:
    assert combine() is None
    assert combine(None, MINE) == MINE
    assert combine(And(filters=(MINE, WHITE)), None, And(filters=(WHITE, CHEAP))) == And(filters=(MINE, WHITE, CHEAP))


def test_simplify_knows_the_constants() -> None:
    assert simplify(And(filters=())) is None
    assert simplify(Or(filters=())) == NOTHING
    assert simplify(Not(filter=NOTHING)) is None
    assert simplify(Not(filter=And(filters=()))) == NOTHING
    assert simplify(Not(filter=Not(filter=MINE))) == MINE
    assert simplify(Or(filters=(MINE, And(filters=())))) is None
    assert simplify(And(filters=(compare("a", "eq", True), compare("a", "eq", 1)))) != compare("a", "eq", True)


def test_taking_a_leaf_out_never_makes_the_rest_stronger() -> None:
    def gone(leaf: object) -> bool:
        return leaf == WHITE

    assert without(And(filters=(MINE, WHITE)), gone) == MINE
    assert without(Or(filters=(MINE, WHITE)), gone) is None
    assert without(Not(filter=And(filters=(MINE, WHITE))), gone) is None
    assert without(Not(filter=Or(filters=(MINE, WHITE))), gone) == Not(filter=MINE)


def test_originated_marks_every_leaf() -> None:
    tree = originated(And(filters=(MINE, Not(filter=Or(filters=(WHITE, Exists(field="stock")))))), "typed")
    assert {leaf.origin for leaf in leaves(tree)} == {"typed"}


def test_the_tree_imports_nothing_heavy() -> None:
    code = "import sys, qx.filters; print('pydantic' in sys.modules, 'yaml' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@settings(max_examples=100, deadline=None)
@given(TREES, RECORDS)
def test_simplifying_keeps_the_meaning(tree: Filter, record: Mapping[str, object]) -> None:
    simpler = simplify(tree)
    assert evaluate(simpler, record) == evaluate(tree, record)
    assert simplify(simpler) == simpler
