"""The scripted backend: lists, delays, failures, and the contract's own suite over it."""

import asyncio

import pytest
import pytest_asyncio

from qx.backend import Document, SearchBackend
from qx.errors import Closed, Unavailable
from qx.filters import Compare
from qx.hookspecs import Services
from qx.testing import HealthConformance, InTurn, Listing, ScriptedBackend
from qx.testing.conformance.backend import ask


async def test_lists_by_query_and_a_default() -> None:
    backend = ScriptedBackend({"red": ("a", "b", "c")}, default=("z",))
    response = await backend.search(ask("red", limit=2))
    assert (response.ids, response.total) == (("a", "b"), 3)
    assert response.scores[0] > response.scores[1]
    assert (await backend.search(ask("red", limit=2, offset=2))).ids == ("c",)
    assert (await backend.search(ask("blue"))).ids == ("z",)
    assert backend.queries == ["red", "red", "blue"]
    assert backend.made == 0
    assert response.hit(1).id == "b"
    assert backend.made == 1


async def test_a_function_of_the_request() -> None:
    backend = ScriptedBackend(lambda request: (f"{request.text}-{request.limit}",))
    assert (await backend.search(ask("red", limit=7))).ids == ("red-7",)


async def test_lists_in_turn() -> None:
    backend = ScriptedBackend({"red": InTurn(lists=(Unavailable("down"), ("a",)))})
    with pytest.raises(Unavailable, match="down"):
        await backend.search(ask("red"))
    assert (await backend.search(ask("red"))).ids == ("a",)
    assert (await backend.search(ask("red"))).ids == ("a",)


async def test_a_filter_is_applied_to_scripted_documents() -> None:
    documents = tuple(Document(id=str(i), metadata={"n": i}) for i in range(4))
    backend = ScriptedBackend({"red": documents})
    response = await backend.search(ask("red", filter=Compare(field="metadata.n", op="ge", value=2)))
    assert response.ids == ("2", "3")
    assert dict(response.hit(0).metadata) == {"n": 2}


@pytest.mark.virtual_time
async def test_delays_hanging_and_cancelling() -> None:
    backend = ScriptedBackend({"slow": Listing(delay=3), "never": Listing(hang=True)}, delay=1)
    loop = asyncio.get_running_loop()
    before = loop.time()
    await backend.search(ask("slow"))
    assert loop.time() - before == pytest.approx(3)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(60):
            await asyncio.gather(backend.search(ask("never")), backend.search(ask("other")))
    assert (backend.cancelled, backend.running, backend.peak) == (1, 0, 2)


async def test_closed() -> None:
    backend = ScriptedBackend()
    await backend.aclose()
    with pytest.raises(Closed):
        await backend.search(ask("red"))


async def test_from_a_profile(services: Services) -> None:
    made = await ScriptedBackend.create(ScriptedBackend.Settings(name="x", answers={"red": ("a",)}), services)
    assert (await made.search(ask("red"))).hit(0).backend == "x"
    known = ScriptedBackend(default=("k",)).named("known")
    assert await ScriptedBackend.create(ScriptedBackend.Settings(name="y", instance="known"), services) is known
    assert known.name == "y"
    assert isinstance(known, SearchBackend)


class TestScriptedHealth(HealthConformance):
    @pytest_asyncio.fixture
    async def backend(self) -> SearchBackend:
        return ScriptedBackend()

    async def fill(self, backend, documents) -> None:
        """It holds nothing but its script."""
