"""Lists whose own order is no BM25, or that come from several engines, are put in order by the words that hits hold."""

from __future__ import annotations

from typing import Any

import pytest

from backends import ids, searching
from qx.backend import Document
from qx.testing.backend import ScriptedBackend

pytestmark = pytest.mark.virtual_time
TEXT = "squeaky bicycle brake"
HOLDS = Document(id="holds", title="Squeaky bicycle brake", text="How a bicycle brake stops to be squeaky.")
PARTLY = Document(id="partly", title="Bicycle shop", text="Open on Sundays.")
LACKS = Document(id="lacks", title="Fresh bread", text="Baked daily.")


BM25, OTHER = True, False


def backend(bm25: bool, *found: Document) -> ScriptedBackend:
    return ScriptedBackend(default=found, bm25=bm25)


@pytest.mark.parametrize(
    ("engines", "search", "reranked"),
    [
        ([OTHER], {}, True),
        ([BM25], {}, False),  # its order is BM25's: there is nothing to gain
        ([BM25, BM25], {}, True),
        ([BM25, OTHER], {}, True),
        ([OTHER], {"rerank": "never"}, False),
        ([OTHER], {"processors": ["near-duplicates"]}, True),
        ([OTHER], {"processors": [{"type": "rerank", "by": "lexical"}]}, True),
    ],
    ids=str,
)
async def test_the_pool_is_put_in_order_by_words(engines: list[bool], search: dict[str, Any], reranked: bool):
    made = [backend(kind, LACKS, PARTLY, HOLDS) for kind in engines]
    async with searching(*made, search={"rerank": "auto"} | search, expand={"strategies": ["senses"]}) as opened:
        result = await opened.search(TEXT)
    wanted = ["holds", "partly", "lacks"] if reranked else ["lacks", "partly", "holds"]
    assert list(dict.fromkeys(ids(result))) == wanted


async def test_the_profiles_own_reranker_is_the_only_one():
    made = backend(OTHER, LACKS, PARTLY, HOLDS)
    processors = [{"type": "rerank", "by": "lexical", "top": 2}]
    async with searching(made, search={"rerank": "auto", "processors": processors}) as opened:
        result = await opened.search(TEXT)
    assert ids(result)[-1] == "holds"  # it looks at two hits, and nothing has reordered all before it
