"""What a filter means: which documents pass it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from conditions import compare

from qx.filters import (
    NOTHING,
    And,
    Exists,
    Filter,
    Not,
    Or,
    combine,
    everything,
)
from qx.filters.matching import evaluate
from qx.filters.text import filter_text

RECORD = {
    "price": 4999.0,
    "color": ["black", "White"],
    "tags": [],
    "stock": None,
    "new": True,
    "count": 1,
    "published": "2023-05-01T10:00:00+08:00",
    "added": date(2023, 5, 1),
    "metadata": {"brand": "小米", "a.b": 5},
    "weird": float("nan"),
}

MEANINGS: list[tuple[Filter | None, bool]] = [
    (None, True),
    (And(filters=()), True),
    (NOTHING, False),
    (compare("price", "le", 4999), True),
    (compare("price", "lt", 4999), False),
    (compare("price", "eq", 4999), True),
    (compare("price", "eq", "4999"), False),
    (compare("price", "gt", "a"), False),
    (compare("color", "eq", "white"), False),  # text is equal exactly
    (compare("color", "eq", "White"), True),
    (compare("color", "ne", "White"), False),  # one element is equal
    (compare("color", "ne", "red"), True),
    (compare("color", "in", ("red", "black")), True),
    (compare("color", "in", ()), False),
    (compare("absent", "eq", "x"), False),
    (compare("absent", "ne", "x"), True),
    (compare("absent", "le", 5), False),
    (Not(filter=compare("absent", "le", 5)), True),
    (compare("stock", "ne", 0), True),
    (Exists(field="stock"), False),
    (Exists(field="tags"), False),
    (Exists(field="color"), True),
    (compare("new", "eq", True), True),
    (compare("new", "eq", 1), False),
    (compare("count", "eq", True), False),
    (compare("count", "ge", 1), True),
    (compare("published", "ge", "2023-05-01"), True),
    (compare("published", "lt", "2023-05-01T03:00:00+00:00"), True),
    (compare("published", "lt", "2023-05-01"), False),
    (compare("added", "eq", "2023-05-01"), True),
    (compare("metadata.brand", "eq", "小米"), True),
    (compare("metadata.a.b", "eq", 5), True),
    (compare("metadata.none", "eq", 5), False),
    (compare("price.x", "eq", 5), False),
    (compare("weird", "le", 5), False),
    (compare("weird", "gt", 5), False),
    (Or(filters=(compare("price", "gt", 9000), compare("new", "eq", True))), True),
]


@pytest.mark.parametrize(("tree", "expected"), MEANINGS)
def test_what_a_filter_means(tree: Filter | None, expected: bool) -> None:
    assert evaluate(tree, RECORD) is expected


def test_moments_compare_across_time_zones() -> None:
    record = {"at": datetime(2023, 5, 1, 2, tzinfo=UTC)}
    assert evaluate(compare("at", "eq", "2023-05-01T10:00:00+08:00"), record)


@pytest.mark.parametrize("item", [{}, {"brand": "HP"}, {"brand": None}, {"brand": []}])
def test_everything_passes_everything(item: dict[str, object]) -> None:
    tree = combine(everything("brand"))
    assert tree is not None
    assert evaluate(tree, item)
    assert filter_text(tree) == "everything"
