"""Fields that no engine has, in filters, orders and counts."""

from __future__ import annotations

from typing import Any

import pytest

from backends import BRAND, PRICE, docs, ids, searching
from qx import Query
from qx.errors import UsageError
from qx.filters import Compare, Exists
from qx.testing.backend import ScriptedBackend
from qx.types import SortBy

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize(
    ("filters", "options", "said"),
    [
        (Compare(field="prize", op="le", value=5), {}, "did you mean 'price'"),
        (Exists(field="colour"), {}, "known: brand, price"),
        (Compare(field="price", op="lt", value="cheap"), {}, "'price' is a number"),
        (Compare(field="price", op="lt", value="便宜"), {}, "'price' is a number"),
        (Compare(field="price", op="le", value=500, unit="HKD"), {}, "stored in USD, not in HKD"),
        (Compare(field="brand", op="lt", value="HP"), {}, "has no order"),
        (None, {"sort": [SortBy(field="prise")]}, "sort: no backend of the profile has a field 'prise'"),
        (None, {"facets": ["brnd"]}, "did you mean 'brand'"),
    ],
)
async def test_a_field_or_a_value_that_cannot_be_is_an_error(filters: Any, options: dict[str, Any], said: str):
    backend = ScriptedBackend(default=docs("1"))
    async with searching(backend, search={"fields": PRICE | BRAND}) as opened:
        with pytest.raises(UsageError, match=said.replace("(", r"\(")):
            await opened.search(Query(text="laptop", filters=filters), **options)
    assert backend.requests == []


@pytest.mark.parametrize(
    "options",
    [
        {"sort": [SortBy(field="price")]},
        {"sort": [SortBy(field="metadata.price")]},
        {"sort": [SortBy(field="metadata.weight")]},
        {"sort": [SortBy(field="title")]},
        {"facets": ["brand"]},
    ],
)
async def test_what_may_be_stored_is_asked_for(options: dict[str, Any]):
    async with searching(ScriptedBackend(default=docs("1")), search={"fields": PRICE | BRAND}) as opened:
        assert ids(await opened.search("laptop", **options)) == ["1"]


async def test_an_engine_that_does_not_know_its_fields_may_have_any():
    async with searching(ScriptedBackend(default=docs("1"))) as opened:
        assert ids(await opened.search("laptop", sort=[SortBy(field="anything")])) == ["1"]
