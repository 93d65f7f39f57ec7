"""Reading pages: fetched at once where a hit is a snippet, cleaned, and never from where nobody may go."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from qx import Engine
from qx.backend import Document
from qx.errors import ScrapeError
from qx.fetch import Page
from qx.testing import FakeFetcher, ScriptedBackend
from qx_answer.events import Progress, Warning
from qx_answer.operation import AnswerOperation

QUESTION = "How long do I have to return a jacket?"
URL = "https://shop.example/returns"
TEXT = "Our shop was founded in 1999. A jacket can be returned within 60 days. Worn ones are not taken back."
SNIPPET = Document(id="r", title="Returns", text="A jacket can be …", url=URL)
BORDERS = (
    "file:///etc/passwd",
    "http://2130706433/",
    "http://0x7f000001",
    "http://[::ffff:127.0.0.1]",
    "http://127.0.0.1:8080/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://user:word@shop.example/",
    "ftp://shop.example/x",
)


async def told(engine: Engine, **request: Any) -> list[Any]:
    """All that one answer tells, the result last."""
    async with aclosing(engine.call("answer", {"question": QUESTION, **request})) as found:
        return [event async for event in found]


async def test_the_page_of_a_snippet_is_read(opened):
    pages = FakeFetcher({URL: Page(url=URL, text=TEXT, title="Returns and refunds", published="2025-02-01")})
    async with opened(ScriptedBackend(default=[SNIPPET]), pages=pages) as engine:
        done = await engine.result("answer", {"question": QUESTION})
    assert done.claims[0].quote == "A jacket can be returned within 60 days."
    assert TEXT[done.claims[0].start : done.claims[0].end] == done.claims[0].quote
    assert (done.sources[0].title, done.sources[0].url) == ("Returns and refunds", URL)


async def test_a_whole_text_is_not_fetched_again(opened):
    pages = FakeFetcher()
    whole = Document(id="r", title="Returns", text=TEXT, url=URL)
    async with opened(ScriptedBackend(default=[whole]), pages=pages) as engine:
        done = await engine.result("answer", {"question": QUESTION})
    assert done.claims
    assert pages.requests == []


@pytest.mark.parametrize("url", BORDERS)
async def test_what_an_address_that_is_refused_promises_is_no_source(opened, url: str):
    snippet = Document(id="r", title="Returns", text="A jacket can be returned within 60 days. Worn …", url=url)
    async with opened(ScriptedBackend(default=[snippet])) as engine:
        done = await engine.result("answer", {"question": QUESTION})
    assert (done.claims, done.sources) == ((), ())


async def test_of_a_page_that_cannot_be_read_the_snippet_is_the_source(opened):
    snippet = Document(id="r", title="Returns", text="A jacket can be returned within 60 days. Worn …", url=URL)
    gone = FakeFetcher({URL: ScrapeError("gone", kind="status", status=410)})
    async with opened(ScriptedBackend(default=[snippet]), pages=gone) as engine:
        done = await engine.result("answer", {"question": QUESTION})
    assert done.claims[0].quote == "A jacket can be returned within 60 days."
    assert ("read", "the snippet") in {(one.step, one.rung) for one in done.degraded}


async def test_a_page_that_is_not_read_is_told_once(opened, caplog: pytest.LogCaptureFixture):
    gone = FakeFetcher({URL: ScrapeError(f"{URL}: gone", kind="status", status=410)})
    with caplog.at_level("WARNING", "qx"):
        async with opened(ScriptedBackend(default=[SNIPPET]), pages=gone) as engine:
            events = await told(engine)
    said = [AnswerOperation().text(event) for event in events[:-1]]
    assert sum("gone" in line for line in (*said, *caplog.messages)) == 1
    assert sum(isinstance(event, Warning) and event.kind == "page" for event in events) == 1


@pytest.mark.virtual_time
async def test_pages_are_read_at_once_and_it_says_how_far_it_is(opened):
    hits = [
        Document(id=f"p{n}", title=f"Page {n}", text="A jacket …", url=f"https://shop.example/{n}") for n in range(8)
    ]
    pages = FakeFetcher({hit.url or "": TEXT for hit in hits}, delay=0.2)
    async with opened(ScriptedBackend(default=hits), pages=pages) as engine:
        loop = asyncio.get_running_loop()
        began = loop.time()
        events = await told(engine, budget={"rounds": 1})
        assert loop.time() - began < 0.4
    assert pages.peak == 8
    assert [(event.n, event.of) for event in events if isinstance(event, Progress)] == [(n, 8) for n in range(1, 9)]


CHALLENGE = "Just a moment... Verify you are human. Please enable JavaScript and cookies to continue."


CHALLENGE_ZH = "安全验证：请完成下方验证后继续访问。正在检查您的浏览器，请开启 JavaScript 和 Cookie。"


@pytest.mark.parametrize(("text", "title"), [(CHALLENGE, "Just a moment..."), (CHALLENGE_ZH, "安全验证")])
async def test_a_challenge_page_is_no_source(opened, text: str, title: str):
    page = Page(url=URL, text=text, title=title)
    async with opened(ScriptedBackend(default=[SNIPPET]), pages=FakeFetcher({URL: page})) as engine:
        events = await told(engine)
    assert events[-1].claims == ()
    assert any(isinstance(event, Warning) and "challenge" in event.text for event in events)


@pytest.mark.parametrize("word", ["jacket{}", "外套退货词语{}"])
async def test_a_list_of_words_is_no_source(opened, word: str):
    words = "\n".join(word.format(n) for n in range(140_000))
    assert len(words) > 1_600_000
    pages = FakeFetcher({URL: Page(url=URL, text=f"jacket\nreturn\nreturned\n{words}", title="Words")})
    async with opened(ScriptedBackend(default=[SNIPPET]), pages=pages) as engine:
        events = await told(engine)
    assert events[-1].claims == ()
    assert any(isinstance(event, Warning) and "list of words" in event.text for event in events)


async def test_spam_among_the_hits_leads_to_other_words(opened):
    spam = [
        Document(
            id=f"s{n}", title="Cheap jackets", url=f"https://deals{n}.example/",
            text="BUY NOW!!! Limited offer, free shipping, order now and save 70% off. Click here to buy. Sponsored.",
        )
        for n in range(4)
    ]  # fmt: skip
    backend = ScriptedBackend(default=spam)
    async with opened(backend, pages=FakeFetcher()) as engine:
        done = await engine.result("answer", {"question": QUESTION})
    assert done.claims == ()
    assert done.budget.searches.used > 1


@pytest.mark.parametrize("url", BORDERS)
async def test_addresses_that_nobody_may_fetch_are_refused_by_the_guarded_fetcher(opened, url):
    hit = Document(id="x", title="Returns", text="", url=url)
    async with opened(ScriptedBackend(default=[hit])) as engine:
        events = await told(engine, budget={"rounds": 1})
    done = events[-1]
    assert (done.claims, done.sources) == ((), ())
    refused = [event for event in events if isinstance(event, Warning) and event.kind == "page"]
    assert refused, "the page was tried, and refused"
    assert ("read", "without this page") in {(one.step, one.rung) for one in done.degraded}
    assert "root:" not in str(events)


async def test_ones_own_documents_may_advertise(opened):
    text = "BUY NOW!!! Limited offer, free shipping, order now. A jacket can be returned within 60 days. Click here to buy."
    async with opened([Document(id="ours", title="Cheap jackets", text=text)]) as engine:
        done = await engine.result("answer", {"question": QUESTION})
    assert [claim.quote for claim in done.claims] == ["A jacket can be returned within 60 days."]
