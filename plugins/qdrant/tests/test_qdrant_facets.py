"""Counts of values that are made by reading name them as people write them."""

from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("qx_qdrant", reason="the plugin qx-query-qdrant is not installed")

from qx.backend import Document, SearchRequest
from qx.syntax import Terms
from qx.testing import TestServices
from qx_qdrant.backend import Qdrant, Settings


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        ((8, 8.0, 8.5, [8, 8.0]), {"8": 3, "8.5": 1}),
        ((10**20, 1e20, -0.0, 0), {str(10**20): 2, "0": 2}),
        ((True, False, [True]), {"true": 2, "false": 1}),
        (({"name": "HP"}, [{"name": "HP"}], [[1]], "HP", None, []), {"HP": 1}),
    ],
    ids=str,
)
async def test_facets(services: TestServices, values: tuple[Any, ...], counts: Mapping[str, int]) -> None:
    made = await Qdrant.create(Settings(path=":memory:", collection="docs", name="mine"), services)
    await made.prepare(fingerprint=None, dimensions=0)
    await made.upsert([Document(id=str(i), text="same", metadata={"x": x}) for i, x in enumerate(values)])
    request = SearchRequest(text="same", expression=Terms(words=("same",)), facets=("metadata.x",))
    assert dict((await made.search(request)).facets["metadata.x"]) == counts
    assert dict(await made.values("metadata.x", limit=10)) == counts
    await made.aclose()
