"""Pages that follow one another are the list that is asked for at once, whatever orders or thins it on the way."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from backends import Knowing, ids, searching
from qx.backend import Document, SearchRequest
from qx.testing.backend import ScriptedBackend

pytestmark = pytest.mark.virtual_time

WORDS = ("red", "case", "silicone", "leather", "blue", "cover", "clear", "thin")


def many(seed: int, count: int = 420, first: int = 0) -> tuple[Document, ...]:
    """Documents whose titles name what is not wanted now and then, and repeat one another."""
    drawn = random.Random(seed)
    return tuple(
        Document(id=f"{n:04}", title=f"{' '.join(drawn.choices(WORDS, k=3))} {n % 60}", text="iphone case " * (n % 3))
        for n in range(first, first + count)
    )


def backend(seed: int, **options: Any) -> ScriptedBackend:
    def script(request: SearchRequest) -> tuple[Document, ...]:
        listed = list(many(seed))
        random.Random(f"{seed} {request.text}").shuffle(listed)
        return tuple(listed)

    return ScriptedBackend(script, **options)


SPAM = {"type": "spam", "detectors": ["farm"]}


@pytest.mark.parametrize(
    ("engines", "search"),
    [
        (1, {}),
        (2, {"depth": 30}),
        (2, {"rerank": "auto"}),
        (1, {"processors": [{"type": "rerank", "by": "lexical"}]}),
        (1, {"processors": ["near-duplicates", SPAM, "stale"]}),
        (1, {"processors": [{"type": "rerank", "by": "lexical", "top": 500}, {"type": "mmr", "top": 150}]}),
    ],
    ids=["plain", "shallow", "auto", "rerank", "thinned", "variety"],
)
async def test_pages_are_the_list(engines: int, search: dict[str, Any]):
    query = "iphone 15 case not silicone"
    made = [backend(seed) for seed in range(engines)]
    async with searching(*made, search={"strong": 1.0, "identity": "id", **search}) as opened:
        whole = ids(await opened.search(query, limit=240))
        assert len(set(whole)) == len(whole) == 240
        for size in (60, 120):
            pages = [ids(await opened.search(query, limit=size, offset=start)) for start in range(0, 240, size)]
            assert [id for page in pages for id in page] == whole
        for start in (0, 90, 100):
            assert ids(await opened.search(query, limit=10, offset=start)) == whole[start : start + 10]


@pytest.mark.parametrize("size", [1, 3, 5])
async def test_a_page_beyond_a_short_list_has_the_wider_queries_hits(size: int):
    def script(request: SearchRequest) -> tuple[Document, ...]:
        return many(1, 4) if "squeaky" in request.text else many(2, 12, 100)

    async with searching(ScriptedBackend(script), search={"min_results": 10}) as opened:
        query = "how to fix a squeaky bicycle brake"
        whole = ids(await opened.search(query, limit=15))
        pages = [ids(await opened.search(query, limit=size, offset=start)) for start in range(0, 15, size)]
    assert [id for page in pages for id in page] == whole


async def test_lists_are_asked_for_in_whole_steps_of_their_depth():
    made = backend(1)
    async with searching(made, search={"strong": 1.0}) as opened:
        for end in (1, 50, 75, 76, 175, 176, 300):
            await opened.search("red cover", limit=1, offset=end - 1, expand=False)
    assert [request.limit for request in made.requests] == [100, 100, 100, 200, 200, 300, 400]


class Unsteady(ScriptedBackend):
    """As slow as ``seconds`` says at the moment."""

    seconds = 0.0

    async def search(self, request: SearchRequest, /) -> Any:
        await asyncio.sleep(self.seconds)
        return await super().search(request)


@pytest.mark.parametrize(("first", "then"), [(0.0, 0.05), (0.5, 0.0)])
async def test_the_same_search_gives_the_same_list_however_busy_the_engine_is(first: float, then: float):
    def script(request: SearchRequest) -> tuple[Document, ...]:
        listed = list(many(3, 40))
        random.Random(request.text).shuffle(listed)
        return tuple(listed)

    made = Unsteady(script)
    async with searching(made, search={"strong": 1.0, "identity": "id"}, expand={"limit": 8}) as opened:
        await opened.search("leather cover red")  # how fast it is
        made.seconds = first
        before = await opened.search("red leather cover", limit=20)
        made.seconds = then
        pages = [await opened.search("red leather cover", limit=10, offset=start) for start in (0, 10)]
        again = await opened.search("red leather cover", limit=20)
    assert before.expansion is not None
    reads = "feedback" in {query.strategy for query in before.expansion.queries}
    assert reads == (first == 0.0)
    assert ids(again) == ids(before) == [id for page in pages for id in ids(page)]
    said = [note for note in before.notes if note.startswith("feedback left out: the engines took longer")]
    assert len(said) == (not reads)
    assert set(said) <= set(again.notes)


@pytest.mark.parametrize(("first", "then"), [(0.0, 0.2), (1.0, 0.0)])
async def test_nor_does_it_hang_on_how_soon_the_engine_counts(first: float, then: float):
    made = Knowing(
        lambda request: tuple(random.Random(request.text).sample(many(3, 40), 40)),
        held=dict.fromkeys(("leather", "red", "cover"), 3),
    )
    async with searching(made, search={"strong": 1.0, "identity": "id"}, expand={"limit": 8}) as opened:
        made.slow = first
        before = await opened.search("red leather cover", limit=20)
        made.slow = then
        again = await opened.search("red leather cover", limit=20)
    assert ids(again) == ids(before)
