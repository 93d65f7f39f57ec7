"""Every preset against replies in the form that its API documents (the contents are our own)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from qx.backend import SearchRequest
from qx.builtin.web.backend import WebSearch
from qx.builtin.web.presets import over, preset, preset_names
from qx.errors import AuthError, BadRequest, ProviderError, QuotaExhausted, RateLimited
from qx.filters import And, Compare
from qx.filters.fieldmap import lower
from qx.syntax import parse

Make = Callable[..., Any]
KEY = "canary-key-55e0d1"

BRAVE = {
    "type": "search",
    "query": {"original": "茶", "more_results_available": False},
    "web": {
        "type": "search",
        "results": [
            {"title": "Green <strong>tea</strong> &amp; more", "url": "https://tea.example/green", "language": "en",
             "description": "How to brew <strong>tea</strong>.", "page_age": "2024-03-01T10:00:00", "age": "March 1, 2024",
             "profile": {"name": "Tea", "url": "https://tea.example"}, "extra_snippets": ["One.", "Two."]},
            {"title": "红茶", "url": "https://cha.example/hong", "description": "冲泡方法"},
        ],
    },
}  # fmt: skip
SEARXNG = {
    "query": "tea",
    "number_of_results": 0,
    "results": [
        {"title": "Green tea", "url": "https://tea.example/green", "content": "How to brew tea.", "engine": "duckduckgo",
         "engines": ["duckduckgo", "brave"], "category": "general", "publishedDate": "2024-03-01T00:00:00",
         "score": 2.0, "positions": [1, 2]},
        {"title": "红茶", "url": "https://cha.example/hong", "content": "冲泡方法", "engine": "baidu", "publishedDate": None},
    ],
    "answers": [], "infoboxes": [], "suggestions": [], "unresponsive_engines": [["google", "timeout"]],
}  # fmt: skip
GOOGLE = {
    "kind": "customsearch#search",
    "queries": {"request": [{"count": 2}]},
    "searchInformation": {"totalResults": "2", "searchTime": 0.2},
    "items": [
        {"title": "Green tea", "link": "https://tea.example/green", "snippet": "How to brew tea.", "displayLink": "tea.example",
         "pagemap": {"metatags": [{"article:published_time": "2024-03-01T00:00:00Z"}]}},
        {"title": "红茶", "link": "https://cha.example/hong", "snippet": "冲泡方法", "displayLink": "cha.example",
         "mime": "application/pdf"},
    ],
}  # fmt: skip
SERPAPI = {
    "search_metadata": {"status": "Success"},
    "search_information": {"total_results": 41000, "organic_results_state": "Results for exact spelling"},
    "organic_results": [
        {"position": 1, "title": "Green tea", "link": "https://tea.example/green", "snippet": "How to brew tea.",
         "displayed_link": "https://tea.example › green", "date": "Mar 1, 2024", "source": "Tea"},
        {"position": 2, "title": "红茶", "link": "https://cha.example/hong", "snippet": "冲泡方法"},
    ],
}  # fmt: skip
BING = {
    "_type": "SearchResponse",
    "queryContext": {"originalQuery": "tea"},
    "webPages": {
        "totalEstimatedMatches": 41000,
        "value": [
            {"id": "https://api/#WebPages.0", "name": "Green tea", "url": "https://tea.example/green", "language": "en",
             "snippet": "How to brew tea.", "datePublished": "2024-03-01T00:00:00.0000000", "displayUrl": "tea.example/green"},
            {"id": "https://api/#WebPages.1", "name": "红茶", "url": "https://cha.example/hong", "snippet": "冲泡方法"},
        ],
    },
}  # fmt: skip
BAIDU = {
    "request_id": "5f0a",
    "references": [
        {"id": 1, "title": "Green tea", "url": "https://tea.example/green", "content": "How to brew tea.",
         "date": "2024-03-01 00:00:00", "website": "Tea", "type": "web"},
        {"id": 2, "title": "红茶", "url": "https://cha.example/hong", "content": "冲泡方法", "date": "", "type": "web"},
    ],
}  # fmt: skip
TAVILY = {
    "query": "tea",
    "results": [
        {"title": "Green tea", "url": "https://tea.example/green", "content": "How to brew tea.", "score": 0.9,
         "published_date": "Fri, 01 Mar 2024 00:00:00 GMT"},
        {"title": "红茶", "url": "https://cha.example/hong", "content": "冲泡方法", "score": 0.4},
    ],
    "response_time": 0.4,
}  # fmt: skip

REPLIES: dict[str, Any] = {
    "brave": BRAVE,
    "searxng": SEARXNG,
    "google-cse": GOOGLE,
    "serpapi": SERPAPI,
    "bing": BING,
    "bocha": {"code": 200, "log_id": "a1", "msg": None, "data": BING},
    "baidu": BAIDU,
    "tavily": TAVILY,
}
EMPTY: dict[str, Any] = {
    "brave": {"type": "search", "query": {"original": "x"}},
    "searxng": {"query": "x", "number_of_results": 0, "results": []},
    "google-cse": {"kind": "customsearch#search", "searchInformation": {"totalResults": "0"}},
    "serpapi": {
        "search_information": {"organic_results_state": "Fully empty"},
        "error": "Google hasn't returned any results for this query.",
    },
    "bing": {"_type": "SearchResponse", "queryContext": {"originalQuery": "x"}},
    "bocha": {"code": 200, "msg": None, "data": {"_type": "SearchResponse"}},
    "baidu": {"request_id": "5f0b"},
    "tavily": {"query": "x", "results": []},
}
NEEDS: dict[str, dict[str, Any]] = {"google-cse": {"vars": {"cx": "engine-1"}}}


def own(name: str) -> dict[str, Any]:
    keyed = {} if name == "searxng" else {"api_key": KEY}
    return {"preset": name, **keyed, **NEEDS.get(name, {})}


def ask(text: str = "tea", **wanted: Any) -> SearchRequest:
    return SearchRequest(text=text, expression=parse(text), **{"limit": 10, **wanted})


def test_every_preset_is_tried() -> None:
    assert set(preset_names()) == set(REPLIES) == set(EMPTY)


@pytest.mark.parametrize("name", preset_names())
async def test_a_preset_reads_its_apis_answer(api: Any, make: Make, name: str) -> None:
    backend = await make(**own(name))
    api.reply = REPLIES[name]
    response = await backend.search(ask())
    assert list(response.identities) == ["https://tea.example/green", "https://cha.example/hong"]
    first, second = response.hit(0), response.hit(1)
    assert first.title == ("Green tea & more" if name == "brave" else "Green tea")
    assert first.text == "How to brew tea."
    assert str(first.metadata["published"]).startswith("2024-03-01T")
    assert (second.title, second.text) == ("红茶", "冲泡方法")
    assert not second.metadata.get("published")
    assert None not in second.metadata.values()
    assert len(api.asked) == 1
    asked = api.asked[0]
    assert "tea" in repr([asked.query, asked.body])
    assert name == "searxng" or KEY in repr([asked.query, asked.body, *asked.headers.items()])


@pytest.mark.parametrize("name", preset_names())
async def test_no_hits_are_no_error(api: Any, make: Make, name: str) -> None:
    backend = await make(**own(name))
    api.reply = EMPTY[name]
    assert (await backend.search(ask())).ids == ()


@pytest.mark.parametrize(("name", "reply", "kind"), [
    ("brave", (422, {"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "The provided "
     "subscription token is invalid.", "status": 422}}), AuthError),
    ("brave", (429, {"type": "ErrorResponse", "error": {"code": "RATE_LIMITED", "detail": "Request rate limit exceeded for "
     "plan.", "status": 429}}), RateLimited),
    ("brave", (422, {"error": {"code": "VALIDATION", "detail": "Unable to validate request parameter(s)"}}), BadRequest),
    ("searxng", (403, "<h1>Forbidden</h1>"), AuthError),
    ("searxng", (429, "Too Many Requests"), RateLimited),
    ("google-cse", (400, {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.",
     "status": "INVALID_ARGUMENT"}}), AuthError),
    ("google-cse", (429, {"error": {"code": 429, "message": "Quota exceeded for quota metric 'Queries' and limit 'Queries "
     "per day' of service", "status": "RESOURCE_EXHAUSTED"}}), QuotaExhausted),
    ("serpapi", (401, {"error": "Invalid API key. Your API key should be here: …"}), AuthError),
    ("serpapi", (429, {"error": "Your account has run out of searches."}), QuotaExhausted),
    ("bing", (401, {"error": {"code": "401", "message": "Access denied due to invalid subscription key"}}), AuthError),
    ("bing", (400, {"_type": "ErrorResponse", "errors": [{"code": "InvalidRequest", "message": "Parameter has invalid "
     "value."}]}), BadRequest),
    ("bocha", (403, {"code": "403", "message": "You do not have enough money", "log_id": "1"}), QuotaExhausted),
    ("bocha", (200, {"code": 500, "msg": "内部错误", "data": None}), BadRequest),
    ("baidu", (200, {"code": 216003, "message": "Authentication error", "request_id": "1"}), AuthError),
    ("baidu", (401, {"code": "invalid_iam_token", "message": "鉴权失败"}), AuthError),
    ("tavily", (401, {"detail": {"error": "Unauthorized: missing or invalid API key."}}), AuthError),
    ("tavily", (432, {"detail": {"error": "This request exceeds your plan's set usage limit."}}), QuotaExhausted),
])  # fmt: skip
async def test_a_presets_refusals(api: Any, make: Make, name: str, reply: Any, kind: type) -> None:
    backend = await make(**own(name))
    api.reply = reply
    with pytest.raises(ProviderError) as caught:
        await backend.search(ask())
    assert type(caught.value) is kind, caught.value
    assert KEY not in str(caught.value)


async def test_what_is_sent_to_each_api(api: Any, make: Make) -> None:
    api.reply = lambda asked: {"query": {}}
    await (await make(**own("brave"))).search(ask("绿茶 怎么泡", limit=100))
    asked = api.asked.pop()
    assert asked.params == {"q": "绿茶 怎么泡", "count": "20", "offset": "0", "search_lang": "zh-hans", "result_filter": "web",
                            "text_decorations": "false"}  # fmt: skip
    assert asked.headers["X-Subscription-Token"] == KEY
    api.reply = {"searchInformation": {}, "queries": {"nextPage": [{}]}, "items": [{"link": "https://e.org/a"}]}
    await (await make(**own("google-cse"), language="zh")).search(ask("tea -milk", limit=20, offset=10))
    assert api.asked.pop(0).params == {
        "key": KEY,
        "cx": "engine-1",
        "q": "tea -milk",
        "num": "10",
        "start": "11",
        "hl": "zh-CN",
    }
    api.asked.clear()
    api.reply = BAIDU
    await (await make(**own("baidu"))).search(ask("茶" * 100, limit=20))
    assert api.asked.pop().body == {
        "messages": [{"role": "user", "content": "茶" * 36}],
        "search_source": "baidu_search_v2",
        "resource_type_filter": [{"type": "web", "top_k": 20}],
    }


def dated(backend: WebSearch, **ends: str) -> Any:
    parts = [Compare(field="published", op=op, value=text) for op, text in ends.items()]  # type: ignore[arg-type]
    return lower(And(filters=tuple(parts)), backend.fields).filter


async def test_time_becomes_the_apis_own_words(api: Any, make: Make) -> None:
    backend = await make(**own("brave"))
    tree = dated(backend, ge="2024-03", lt="2024-05-01")
    assert backend.inexpressible(tree) == ()
    api.reply = BRAVE
    response = await backend.search(ask(filter=tree))
    assert api.asked[0].params["freshness"] == "2024-03-01to2024-04-30"
    assert [id[-5:] for id in response.ids] == ["green", "/hong"]  # the second has no date: the engine's word counts
    later = dated(backend, ge="2024-04-01")
    assert [id[-5:] for id in (await backend.search(ask(filter=later))).ids] == ["/hong"]


async def test_periods_hold_what_was_asked_and_no_more(api: Any, make: Make, services: Any) -> None:
    from datetime import timedelta

    backend = await make(**own("searxng"))
    now = services.clock.now()
    for days, word in ((1, "day"), (6, "week"), (7, "week"), (8, "month"), (300, "year")):
        tree = dated(backend, ge=(now - timedelta(days=days)).isoformat())
        assert backend.inexpressible(tree) == ()
        api.reply = SEARXNG
        await backend.search(ask(filter=tree))
        assert api.asked.pop().params["time_range"] == word
    assert backend.inexpressible(dated(backend, ge="1999-01-01"))  # no word reaches so far
    assert backend.inexpressible(dated(backend, ge=now.date().isoformat(), lt="2100-01-01"))  # nor has one an end


async def test_sites_and_countries(api: Any, make: Make) -> None:
    bocha, google = await make(**own("bocha")), await make(**own("google-cse"))
    api.reply = REPLIES["bocha"]
    await bocha.search(ask(filter=Compare(field="site", op="in", value=("qq.com", "163.com"))))
    assert api.asked.pop().body["include"] == "qq.com|163.com"
    api.reply = GOOGLE
    both = And(filters=(Compare(field="site", op="eq", value="e.org"), Compare(field="country", op="eq", value="cn")))
    assert google.inexpressible(both) == ()
    await google.search(ask(filter=both))
    asked = api.asked.pop()
    assert (asked.params["q"], asked.params["gl"]) == ("tea site:e.org", "cn")


async def test_a_typed_date_comes_back_into_googles_line(api: Any, make: Make) -> None:
    backend = await make(**own("google-cse"))
    api.reply = GOOGLE
    await backend.search(ask("tea", filter=dated(backend, ge="2024-01-01", lt="2025-01-01")))
    assert api.asked.pop().params["q"] == "tea after:2024-01-01 before:2025-01-01"


async def test_what_no_api_can_say_is_inexpressible(make: Make) -> None:
    from qx.filters import Exists, Not, Or

    backend = await make(**own("bocha"))
    site = Compare(field="site", op="eq", value="qq.com")
    google = await make(**own("google-cse"))
    for tree in (
        Not(filter=site),
        Or(filters=(site, Compare(field="site", op="eq", value="b.cn"))),
        Exists(field="site"),
        Compare(field="site", op="ne", value="qq.com"),
        Compare(field="site", op="in", value=("a|b", "c")),
        Compare(field="price", op="lt", value=5),
        Compare(field="published", op="eq", value="2024-01-01"),
    ):
        assert backend.inexpressible(tree) == (tree,), tree
    mixed = And(filters=(site, Compare(field="price", op="lt", value=5), Compare(field="site", op="eq", value="b.cn")))
    assert backend.inexpressible(mixed) == mixed.filters[1:]
    for value in ("e.org OR b.org", 'e.org"', "-x", "e.org site:b.org", ""):
        assert google.inexpressible(Compare(field="site", op="eq", value=value)), value


async def test_single_keys_of_a_preset_can_be_replaced(api: Any, make: Make) -> None:
    backend = await make(
        **own("brave"), params={"count": 5, "freshness": None, "country": "DE"}, filters=None, page_size=5
    )
    api.reply = BRAVE
    await backend.search(ask())
    asked = api.asked.pop()
    assert (asked.params["count"], asked.params["country"]) == ("5", "DE")
    assert "freshness" not in asked.params
    assert preset("brave")["params"]["count"] == "{limit}"  # the preset itself is as it was


def test_over_merges_mapping_by_mapping() -> None:
    below = {"a": {"x": 1, "y": {"z": 2}}, "b": [1], "c": 3}
    assert over(below, {"a": {"y": {"z": 4}, "n": 5}, "b": [2], "c": None}) == {
        "a": {"x": 1, "y": {"z": 4}, "n": 5},
        "b": [2],
    }


@pytest.mark.parametrize(("given", "said"), [
    ({"preset": "searxng"}, "needs your server's address"),
    ({"preset": "brave"}, "`api_key` is missing"),
    ({"preset": "google-cse", "api_key": KEY}, "{cx}"),
    ({"preset": "googel-cse", "api_key": KEY}, "did you mean 'google-cse'"),
    ({"preset": "zzz", "api_key": KEY}, "known: baidu, bing"),
])  # fmt: skip
def test_what_a_preset_needs_is_said(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        WebSearch.Settings.model_validate(given)
    assert said in str(caught.value)
    assert KEY not in str(caught.value.errors(include_input=False))
