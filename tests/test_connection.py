"""A backend that answers several requests in one round trip: what becomes of those that fail by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from qx.backend import SearchRequest, SearchResponse
from qx.calls.connection import Connection
from qx.clock import SystemClock
from qx.errors import BadRequest, ProviderTimeout, QxError, RateLimited
from qx.settings import BackendBlock
from qx.syntax import lexical
from qx.testing import ScriptedBackend

pytestmark = pytest.mark.virtual_time


class Batching(ScriptedBackend):
    """``errors``: text -> what is answered in its place, in turn."""

    def __init__(self, errors: dict[str, list[QxError]]) -> None:
        super().__init__(default=["1"])
        self.errors = errors
        self.trips: list[list[str]] = []

    async def search_many(self, requests: Sequence[SearchRequest], /) -> Sequence[SearchResponse | QxError]:
        self.trips.append([request.text for request in requests])
        return [self.errors[r.text].pop(0) if self.errors.get(r.text) else await self.search(r) for r in requests]


async def ask(backend: Batching, *texts: str, left: float | None = 60.0) -> list[SearchResponse | QxError]:
    connection = Connection("b", backend, BackendBlock(type="scripted"), clock=SystemClock(), redact=lambda text: text)
    requests = [SearchRequest(text=text, expression=lexical(text)) for text in texts]
    return await connection.ask(requests, lambda: left)


async def test_single_errors_that_may_pass_are_asked_again() -> None:
    backend = Batching({"b": [RateLimited("slow down")], "c": [BadRequest("no such field")]})
    answers = await ask(backend, "a", "b", "c")
    assert backend.trips == [["a", "b", "c"], ["b"]]
    assert [getattr(answer, "ids", str(answer)) for answer in answers] == [("1",), ("1",), "no such field"]


async def test_what_fails_again_stands_in_its_place() -> None:
    backend = Batching({"b": [RateLimited("first"), RateLimited("second")]})
    answers = await ask(backend, "a", "b")
    assert backend.trips == [["a", "b"], ["b"]]
    assert [getattr(answer, "ids", str(answer)) for answer in answers] == [("1",), "second"]


async def test_nothing_is_asked_again_where_no_time_is_left() -> None:
    backend = Batching({"b": [RateLimited("slow down", retry_after=30)]})
    answers = await ask(backend, "a", "b", left=1.0)
    assert backend.trips == [["a", "b"]]
    assert str(answers[1]) == "slow down"


async def test_a_second_trip_that_fails_as_a_whole_costs_nothing_that_was_there() -> None:
    class Broken(Batching):
        async def search_many(self, requests: Sequence[SearchRequest], /) -> Sequence[SearchResponse | QxError]:
            if self.trips:
                raise BadRequest("the whole trip")
            return await super().search_many(requests)

    answers = await ask(Broken({"b": [RateLimited("slow down")]}), "a", "b")
    assert [getattr(answer, "ids", str(answer)) for answer in answers] == [("1",), "slow down"]


async def test_what_is_asked_aside_is_waited_for_where_no_result_may_depend_on_the_machine() -> None:
    async def slow() -> str:
        await asyncio.sleep(3)
        return "said"

    def made(*, patient: bool) -> Connection:
        block, backend = BackendBlock(type="scripted"), ScriptedBackend()
        return Connection("b", backend, block, clock=SystemClock(), redact=lambda text: text, patient=patient)

    with pytest.raises(ProviderTimeout, match=r"no answer within 0\.10 s"):
        await made(patient=False).aside(slow(), 0.1)
    assert await made(patient=True).aside(slow(), 0.1) == "said"
