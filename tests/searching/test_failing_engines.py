"""What an engine that fails or hangs costs: its own lists, and nothing that was there already."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from backends import PRICE, TEXT, docs, ids, searching
from qx.errors import BadRequest, QxError
from qx.testing.backend import Listing, ScriptedBackend

pytestmark = pytest.mark.virtual_time


async def test_a_sub_query_that_hangs_costs_its_own_list_only():
    asked: list[str] = []

    def script(request: Any) -> Any:
        asked.append(request.text)
        return Listing(hang=True) if len(asked) == 3 else [request.text]

    async with searching(ScriptedBackend(script), deadline=2.0) as opened:
        result = await opened.search(TEXT)
    by_status = [report.status for report in result.rankings]
    assert by_status.count("timeout") == 1
    assert by_status.count("ok") == len(by_status) - 1 > 2
    assert isinstance(result.partial, str)


async def test_the_breaker_opens_for_an_engine_that_hangs():
    hanging, other = ScriptedBackend(default=Listing(hang=True)), ScriptedBackend(default=["1"])
    async with searching(hanging, other, deadline=2.0) as opened:
        for _ in range(6):
            assert ids(await opened.search(TEXT, expand=False)) == ["1"]
        calls = len(hanging.requests)
        result = await opened.search(TEXT, expand=False)
    assert len(hanging.requests) == calls
    assert "left alone" in str(result.partial)


async def test_an_error_about_a_filter_is_no_reason_to_leave_the_filter_out():
    def refuse(request: Any) -> Any:
        return BadRequest("attribute `price` is not filterable") if request.filter is not None else docs("1", price=900)

    async with searching(ScriptedBackend(refuse), search={"fields": PRICE}) as opened:
        with pytest.raises(QxError, match="not filterable"):
            await opened.search("laptop under $500")


async def test_one_engine_s_error_stays_told_when_another_relaxes():
    def refuse(request: Any) -> Any:
        return BadRequest("attribute `price` is not filterable") if request.filter is not None else docs("1", price=900)

    empty = ScriptedBackend(lambda request: () if request.filter is not None else docs("2", price=900))
    async with searching(ScriptedBackend(refuse), empty, search={"fields": PRICE}) as opened:
        result = await opened.search("laptop under $500")
    assert "2" in ids(result)
    assert "not filterable" in str(result.partial)


async def test_what_timed_out_is_not_asked_again_without_its_conditions():
    backend = ScriptedBackend(default=Listing(hang=True))
    async with searching(backend, search={"fields": PRICE}, deadline=2.0) as opened:
        with pytest.raises(QxError):
            await opened.search("laptop under $500")
    assert all(request.filter is not None for request in backend.requests)


async def test_relaxing_keeps_to_the_order():
    def script(request: Any) -> Any:
        return () if request.filter is not None else docs(*(f"{n}" for n in range(20)), price=900)

    backend = ScriptedBackend(script)
    search = {"fields": PRICE, "order": "sequential", "strong": 1.0}
    async with searching(backend, search=search) as opened:
        await opened.search("laptop under $500", limit=3)
    assert len([request for request in backend.requests if request.filter is None]) == 1


async def test_nothing_goes_on_after_a_search_has_raised(monkeypatch: pytest.MonkeyPatch):
    from qx.errors import ProfileError
    from qx.searching.first_pass import FirstLists

    async def raising(self: FirstLists) -> Any:
        await asyncio.sleep(0.01)
        raise ProfileError("these vectors are another embedder's")

    monkeypatch.setattr(FirstLists, "rankings", raising)
    backend = ScriptedBackend(default=Listing(documents=docs("1"), delay=1.5))
    async with searching(backend) as opened:
        with pytest.raises(ProfileError):
            await opened.search(TEXT)
        assert backend.running == 0


class _Nearby(ScriptedBackend):
    in_process = True


@pytest.mark.parametrize("deadline", [0.05, 0.0001])
@pytest.mark.parametrize("beside", [True, False])
async def test_an_index_in_this_process_is_heard_though_the_time_is_short(beside: bool, deadline: float):
    own = _Nearby(default=Listing(documents=docs("1"), delay=0.08))
    others = [ScriptedBackend(default=Listing(hang=True))] if beside else []
    async with searching(own, *others, deadline=deadline) as opened:
        began = asyncio.get_running_loop().time()
        result = await opened.search("desk lamp")
        took = asyncio.get_running_loop().time() - began
    assert ids(result) == ["1"]
    assert any("a answered when the time was over" in note for note in result.notes)
    assert bool(result.partial)
    assert took < 0.3


async def test_an_index_in_this_process_that_hangs_is_given_up():
    hanging, other = _Nearby(default=Listing(hang=True)), ScriptedBackend(default=["1"])
    async with searching(hanging, other, deadline=0.05) as opened:
        result = await opened.search("desk lamp", expand=False)
    assert ids(result) == ["1"]
    assert "a:" in str(result.partial)


async def test_a_machine_that_is_busy_loses_no_list_that_is_there():
    own = ScriptedBackend(default=Listing(documents=docs("1"), delay=0.04))
    async with searching(own, ScriptedBackend(default=Listing(hang=True)), deadline=0.05) as opened:
        loop: Any = asyncio.get_running_loop()

        def busy() -> None:
            loop._jumping.now += 0.1

        loop.call_at(loop.time() + 0.03, busy)
        result = await opened.search("desk lamp", expand=False)
    assert ids(result) == ["1"]
