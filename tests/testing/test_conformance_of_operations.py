"""The suites for fetchers, operations and sections, over qx's own and over the fakes; and that each can fail."""

from collections.abc import AsyncIterator
from typing import Any

import notebook
import pytest
import pytest_asyncio

import qx.testing.plugin
from qx import Engine, Hit, Query
from qx.errors import ScrapeError, UsageError
from qx.fetch import FetchRequest, Page
from qx.fetching.web_pages import Settings, WebPages
from qx.llm import CompletionRequest
from qx.model import Model
from qx.operation import Principal
from qx.plugins import Plugins
from qx.settings import Profile
from qx.testing import (
    FakeFetcher,
    FetcherConformance,
    OperationConformance,
    ScriptedLLM,
    SectionConformance,
    TestContext,
    TestServices,
)

PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin, notebook])


class TestFakeFetcher(FetcherConformance):
    @pytest.fixture
    def fetcher(self) -> FakeFetcher:
        return FakeFetcher({"http://example.org/": "hello"})

    @pytest.fixture
    def page(self) -> str:
        return "http://example.org/"


class TestWebPages(FetcherConformance):
    @pytest_asyncio.fixture
    async def fetcher(self, services: TestServices) -> AsyncIterator[WebPages]:
        yield WebPages(Settings(), services)


class TestAdd(OperationConformance):
    name = "notes.add"
    principal = Principal(tenant="default", user="ann")
    requests = ({"text": "a note"},)

    @pytest.fixture
    def operation(self) -> Any:
        return notebook.Add

    @pytest_asyncio.fixture
    async def engine(self) -> AsyncIterator[Engine]:
        profile = Profile.model_validate({"tenant": "default", "understand": {"mode": "rules"}})
        async with Engine.opened(profile, plugins=PLUGINS) as opened:
            yield opened


class TestAsk(OperationConformance):
    @pytest.fixture
    def operation(self) -> Any:
        return notebook.Ask


class TestNotes(SectionConformance):
    @pytest.fixture
    def section(self) -> Any:
        return notebook.Notes


class TestPlain(SectionConformance):
    @pytest.fixture
    def section(self) -> Any:
        return notebook.Plain


class Careless(FakeFetcher):
    async def fetch(self, request: FetchRequest, /) -> Page:
        return Page(url=request.url, text="whatever is there")


async def test_a_fetcher_that_goes_anywhere_fails():
    with pytest.raises(pytest.fail.Exception):
        await FetcherConformance().test_what_is_no_page_is_refused(Careless(), "file:///etc/passwd")


@pytest.mark.parametrize("pages", [{}, {"http://example.org/": " "}])
async def test_a_fetcher_that_reads_nothing_fails(pages: dict[str, str]):
    with pytest.raises((ScrapeError, AssertionError)):
        await FetcherConformance().test_a_page_is_read(FakeFetcher(pages), "http://example.org/")


def test_an_operation_that_takes_any_field_fails():
    class Open(notebook.Count):
        """Count."""

        class Request(Model):
            model_config = Model.model_config | {"extra": "ignore"}

    with pytest.raises(AssertionError, match="unknown fields must be errors"):
        OperationConformance().test_it_declares_what_it_takes_and_gives(Open)
    with pytest.raises(pytest.fail.Exception):
        OperationConformance().test_a_field_that_it_does_not_have_is_refused(Open)


def test_a_section_that_cannot_be_closed_fails():
    class Leaking:
        class Settings(Model):
            pass

        @classmethod
        async def create(cls, settings: Any, services: Any, /) -> Any:
            return cls()

    with pytest.raises(AssertionError, match="aclose"):
        SectionConformance().test_what_opens_it_is_a_factory(Leaking)


async def test_a_context_for_tests_searches_reads_and_streams():
    def find(query: Query, limit: int) -> list[Hit]:
        return [Hit(id=f"{query.text} {n}", backend="a") for n in range(9)]

    fetcher = FakeFetcher({"http://a.example/": "text of a", "http://b.example/": ScrapeError("no", kind="robots")})
    context = TestContext("tea", llm=ScriptedLLM(default="two words"), fetcher=fetcher, search=find)
    assert [hit.id for hit in (await context.search("red tea", limit=2)).hits] == ["red tea 0", "red tea 1"]
    assert (await context.fetch("http://a.example/")).text == "text of a"
    for url, kind in (("http://b.example/", "robots"), ("http://c.example/", "status")):
        with pytest.raises(ScrapeError) as caught:
            await context.fetch(url)
        assert caught.value.kind == kind
    deltas = [delta async for delta in context.stream(CompletionRequest(model="", messages=()))]
    assert [delta.text for delta in deltas] == ["two ", "words", ""]
    with pytest.raises(UsageError):
        await TestContext().fetch("http://a.example/")
    with pytest.raises(UsageError):
        await TestContext().search("tea")


async def test_the_fake_is_chosen_by_a_profile():
    FakeFetcher({"http://a.example/": "text of a"}).named("shelf")
    profile = Profile.model_validate({"fetch": {"type": "fake", "instance": "shelf"}, "understand": {"mode": "rules"}})
    async with Engine.opened(profile, plugins=PLUGINS) as opened:
        assert (await opened.begin("x", step="mine").fetch("http://a.example/")).text == "text of a"
