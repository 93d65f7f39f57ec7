"""``Context.search`` and ``Context.fetch``, and what a request has to report."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

import qx.testing.plugin
from backends import ids, searching
from engines import engine
from qx import Compare, Engine, Profile, Query
from qx.budget import Cost, RequestBudget
from qx.context import Context
from qx.errors import (
    AuthError,
    BudgetExceeded,
    NotAllowed,
    ProfileError,
    ScrapeError,
    SearchFailed,
    Unavailable,
    UsageError,
)
from qx.fetch import FetchLimits, FetchRequest, Page
from qx.hookspecs import Services
from qx.model import Model
from qx.plugins import Plugins
from qx.testing import Listing, ScriptedBackend, ScriptedLLM


async def test_a_search_within_a_request():
    backend = ScriptedBackend(lambda request: ["a", "b", "c"])
    async with searching(backend) as opened:
        context = opened.begin("red shoes", step="mine")
        result = await context.search("blue shoes", limit=2, expand=False)
        assert ids(result) == ["a", "b"]
        assert result.expansion is not None
        assert result.expansion.original == "blue shoes"


async def test_it_has_the_callers_filter_whatever_it_is_for():
    backend = ScriptedBackend(lambda request: ["a"])
    cheap, red = Compare(field="price", op="lt", value=5), Compare(field="price", op="gt", value=1)
    fields = {"price": {"name": "metadata.price", "type": "number"}}
    async with searching(backend, search={"fields": fields}) as opened:
        context = opened.begin(Query(text="shoes", filters=cheap, timezone="Asia/Shanghai"), step="mine")
        await context.search("blue shoes", expand=False)
        await context.search(Query(text="blue shoes", filters=red), expand=False)
        filters = [str(request.filter) for request in backend.requests]
    assert all("lt" in one for one in filters)
    assert any("lt" in one and "gt" in one for one in filters)


async def test_what_it_spends_and_falls_to_counts_for_the_request():
    llm = ScriptedLLM(default=Unavailable("down"))
    backend = ScriptedBackend(lambda request: ["a"])
    async with searching(backend, llm=llm, understand={"mode": "llm"}) as opened:
        context = opened.begin("x", step="mine")
        await context.search("red shoes for the rain")
        assert "rules" in {one.rung for one in context.degraded}
        names = [span.name for span in context.report.spans]  # type: ignore[attr-defined]
        assert "mine.search" in names


async def test_it_is_within_the_requests_budget():
    backend = ScriptedBackend(lambda request: Listing(hang=True))
    async with searching(backend) as opened:
        budget = RequestBudget(Cost(seconds=0.05), asyncio.get_running_loop().time)
        with pytest.raises(SearchFailed):
            await opened.begin("x", step="mine", budget=budget).search("red shoes", expand=False)


async def test_a_search_that_failed_says_of_what_kind():
    async with searching(ScriptedBackend(default=AuthError("401"))) as opened:
        with pytest.raises(SearchFailed) as failure:
            await opened.begin("x", step="mine").search("red shoes", expand=False)
        assert failure.value.kinds == {"AuthError"}
    refused = ScriptedBackend(default=AuthError("401"))
    async with searching(refused, ScriptedBackend(lambda request: ["a"])) as opened:
        result = await opened.begin("x", step="mine").search("red shoes", expand=False)
        assert {report.error for report in result.rankings} == {"AuthError", ""}


async def test_a_profile_without_a_backend():
    async with engine() as opened:
        with pytest.raises(ProfileError, match="names no search backend"):
            await opened.begin("x", step="mine").search("red shoes")


async def test_another_tenants_query_is_refused():
    async with searching(ScriptedBackend(lambda request: ["a"])) as opened:
        with pytest.raises(NotAllowed):
            await opened.begin("x", step="mine").search(Query(text="red", tenant="other"))
        with pytest.raises(NotAllowed):
            opened.begin(Query(text="red", tenant="other"), step="mine")


class Again:
    """A processor that searches in every search."""

    class Settings(Model):
        pass

    @classmethod
    async def create(cls, settings: Any, services: Services, /) -> "Again":
        return cls()

    async def process_hits(self, ranking: Any, context: Context, /) -> Any:
        await context.search("again", expand=False)
        return ranking

    async def aclose(self) -> None: ...


async def test_what_searches_in_every_search_is_stopped(monkeypatch: pytest.MonkeyPatch):
    backend = ScriptedBackend(lambda request: ["a"])
    async with searching(backend) as opened:
        context = opened.begin("x", step="mine")
        processor = Again()
        failures: list[Exception] = []

        async def process(ranking: Any, inner: Context, /) -> Any:
            try:
                return await processor.process_hits(ranking, inner)
            except UsageError as error:
                failures.append(error)
                raise

        opened.steps = opened.steps.__class__(
            **{name: getattr(opened.steps, name) for name in ("understand", "expand", "search", "fuse")},
            process=process,
        )
        with pytest.raises(UsageError, match="a search within a search"):
            await context.search("red shoes", expand=False)
        assert len(backend.requests) <= 4


# ---- pages ----


class Library:
    """A fetcher that reads from a shelf."""

    class Settings(Model):
        shelf: str = "a"

    asked: list[FetchRequest] = []  # noqa: RUF012
    running = peak = 0

    @classmethod
    async def create(cls, settings: Any, services: Services, /) -> "Library":
        made = cls()
        made.shelf = settings.shelf  # type: ignore[attr-defined]
        return made

    async def fetch(self, request: FetchRequest, /) -> Page:
        self.asked.append(request)
        Library.running += 1
        Library.peak = max(Library.peak, Library.running)
        try:
            if "slow" in request.url:
                await asyncio.sleep(1)
            if "hang" in request.url:
                await asyncio.sleep(3600)
            if "bad" in request.url:
                raise ValueError("the shelf fell down")
            if "none" in request.url:
                return None  # type: ignore[return-value]
            if "gone" in request.url:
                raise ScrapeError("it is gone", kind="status", status=410)
            return Page(url=request.url, text=f"{self.shelf} page")  # type: ignore[attr-defined]
        finally:
            Library.running -= 1

    async def aclose(self) -> None: ...


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Plugins:
    import sys
    import types

    from qx import Contribution, hookimpl

    module = types.ModuleType("library_of_pages")
    module.Library = Library  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "library_of_pages", module)

    def qx_fetchers() -> Sequence[Any]:
        return [Contribution(name="library", target="library_of_pages:Library")]

    module.qx_fetchers = hookimpl(qx_fetchers)  # type: ignore[attr-defined]
    Library.asked, Library.peak = [], 0
    return Plugins.load(allow=(), modules=[qx.testing.plugin, module])


def reading(**fetch: Any) -> Profile:
    return Profile.model_validate({"understand": {"mode": "rules"}, "fetch": {"type": "library", **fetch}})


async def test_the_profiles_fetcher_reads(plugins: Plugins):
    async with Engine.opened(reading(shelf="top"), plugins=plugins) as opened:
        page = await opened.begin("x", step="mine").fetch("http://a.example/", FetchLimits(seconds=3))
    assert page.text == "top page"
    assert Library.asked == [FetchRequest(url="http://a.example/", limits=FetchLimits(seconds=3))]


@pytest.mark.parametrize(
    ("url", "kind", "said"),
    [
        ("http://gone.example/", "status", "it is gone"),
        ("http://bad.example/", "unreadable", "the fetcher failed: ValueError: the shelf fell down"),
        ("http://none.example/", "unreadable", "returned no Page but NoneType"),
    ],
)
async def test_all_that_fails_is_a_scrape_error(plugins: Plugins, url: str, kind: str, said: str):
    async with Engine.opened(reading(), plugins=plugins) as opened:
        with pytest.raises(ScrapeError, match=said) as caught:
            await opened.begin("x", step="mine").fetch(url)
    assert caught.value.kind == kind


async def test_the_fetcher_is_made_when_the_first_page_is_wanted_and_once(
    plugins: Plugins, monkeypatch: pytest.MonkeyPatch
):
    made: list[Any] = []
    plain = Library.create.__func__  # type: ignore[attr-defined]

    async def create(cls: Any, settings: Any, services: Any, /) -> Library:
        made.append(settings)
        await asyncio.sleep(0)
        return await plain(cls, settings, services)

    monkeypatch.setattr(Library, "create", classmethod(create))
    async with Engine.opened(reading(), plugins=plugins) as opened:
        assert made == []
        context = opened.begin("x", step="mine")
        await asyncio.gather(*(context.fetch(f"http://a.example/{n}") for n in range(5)))
        assert len(made) == 1


@pytest.mark.virtual_time
async def test_a_page_has_its_time_and_no_more(plugins: Plugins):
    async with Engine.opened(reading(), plugins=plugins) as opened:
        budget = RequestBudget(Cost(seconds=5), asyncio.get_running_loop().time)
        context = opened.begin("x", step="mine", budget=budget)
        with pytest.raises(ScrapeError, match=r"http://hang\.example/x: not read in time \(2 s at most\)") as caught:
            await context.fetch("http://hang.example/x?key=1", FetchLimits(seconds=2))
        assert caught.value.kind == "timeout"
        with pytest.raises(ScrapeError, match=r"not read in time \(3 s at most\)"):
            await context.fetch("http://hang.example/")
        with pytest.raises(BudgetExceeded, match="seconds"):
            await context.fetch("http://hang.example/")


@pytest.mark.virtual_time
async def test_so_many_at_once(plugins: Plugins):
    async with Engine.opened(reading(concurrency=3), plugins=plugins) as opened:
        context = opened.begin("x", step="mine")
        await asyncio.gather(*(context.fetch(f"http://slow.example/{n}") for n in range(9)))
    assert Library.peak == 3


async def test_the_guarded_fetcher_is_the_default_and_refuses_what_is_inside():
    async with engine() as opened:
        for url in ("http://127.0.0.1:9/", "http://2130706433/", "http://[::ffff:127.0.0.1]/", "file:///etc/passwd"):
            with pytest.raises(ScrapeError) as caught:
                await opened.begin("x", step="mine").fetch(url)
            assert caught.value.kind == "address"
            assert isinstance(caught.value, NotAllowed)


async def test_what_the_operator_allows_is_read(monkeypatch: pytest.MonkeyPatch):
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    monkeypatch.setenv("QX_ALLOW_ADDRESSES", "127.0.0.1")
    async with engine(fetch={"robots": False}) as opened:
        port = server.sockets[0].getsockname()[1]
        assert (await opened.begin("x", step="mine").fetch(f"http://127.0.0.1:{port}/")).text == "hello"
        with pytest.raises(ScrapeError):
            await opened.begin("x", step="mine").fetch(f"http://127.0.0.2:{port}/")
    server.close()
    await server.wait_closed()
