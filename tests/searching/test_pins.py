"""Documents that a rule pins and that no list has brought."""

from __future__ import annotations

from typing import Any

import pytest

from backends import PRICE, docs, ids, searching
from qx import Query
from qx.backend import Document, SearchRequest
from qx.errors import Unavailable
from qx.filters import Compare
from qx.testing.backend import ScriptedBackend
from qx.types import SearchResult

pytestmark = pytest.mark.virtual_time
RULE = {"match": "iphone", "pin": ["promo"]}


class Store(ScriptedBackend):
    """Finds ``found`` by words, and by its filter what is in ``stored``."""

    def __init__(self, *found: str, stored: Any = (), **options: Any) -> None:
        super().__init__(lambda request: stored if not request.text else found, **options)


def by_id(backend: ScriptedBackend) -> list[SearchRequest]:
    return [request for request in backend.requests if not request.text]


async def pinned(*backends: ScriptedBackend, query: Query | str = "iphone case", **search: Any) -> SearchResult:
    async with searching(*backends, search=search, rewrite=[RULE]) as opened:
        return await opened.search(query)


async def test_a_pinned_document_is_fetched_by_its_id_and_comes_first():
    backend = Store("1", "2", stored=docs("promo", "other"))
    result = await pinned(backend)
    assert ids(result) == ["promo", "1", "2"]
    assert [hit.rank for hit in result.hits] == [1, 2, 3]
    assert any("promo" in note and "fetched" in note for note in result.notes)
    assert len(by_id(backend)) == 1


async def test_what_was_found_is_not_fetched():
    backend = Store("1", "promo", stored=docs("promo"))
    assert ids(await pinned(backend)) == ["promo", "1"]
    assert by_id(backend) == []


async def test_one_that_nobody_holds_is_told():
    backend = Store("1", stored=docs("other"))
    result = await pinned(backend)
    assert ids(result) == ["1"]
    assert any("pinned promo: no backend returns it by its id" in note for note in result.notes)


async def test_an_engine_that_cannot_filter_is_not_asked():
    backend = Store("1", stored=docs("promo"), filters=False)
    result = await pinned(backend)
    assert ids(result) == ["1"]
    assert by_id(backend) == []
    assert any("no backend returns it by its id" in note for note in result.notes)


async def test_the_callers_filter_holds_for_it():
    cheap = Compare(field="price", op="le", value=100, unit="USD")
    for price, first in ((50, "promo"), (500, "1")):
        stored = Document(id="promo", metadata={"price": price})
        backend = Store()
        backend._script = lambda request, stored=stored: (  # pyright: ignore[reportPrivateUsage]
            (stored,) if not request.text else docs("1", price=20)
        )
        result = await pinned(backend, query=Query(text="iphone case", filters=cheap), fields=PRICE)
        assert ids(result)[0] == first


async def test_an_engine_that_fails_at_it_costs_the_pin_only():
    backend = ScriptedBackend(lambda request: Unavailable("down") if not request.text else ["1"])
    result = await pinned(backend)
    assert ids(result) == ["1"]
    assert any("down" in degraded.reason for degraded in result.degraded)


async def test_a_pin_is_there_where_nothing_else_is():
    result = await pinned(Store(stored=docs("promo")))
    assert ids(result) == ["promo"]
    assert result.outcome == "ok"
