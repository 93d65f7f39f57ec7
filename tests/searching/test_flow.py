"""The flow of a search over scripted backends, in virtual time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from backends import BRAND, PRICE, TEXT, block, docs, ids, searching
from engines import PLUGINS, analysis, engine, profile, queries, stage
from qx import Context, Engine, Query, Turn
from qx.backend import Document, SearchRequest, SearchResponse
from qx.errors import BadRequest, BadResponse, ProfileError, ProviderError, RateLimited, Unavailable, UsageError
from qx.filters import Compare, leaves
from qx.ranking import Ranking
from qx.rules.understand import RuleUnderstanding
from qx.syntax.tree import NOTHING
from qx.testing import Answer, ScriptedLLM
from qx.testing.backend import Listing, ScriptedBackend
from qx.types import Expansion, Hit

pytestmark = pytest.mark.virtual_time


async def test_the_original_and_its_expansions_make_one_list_that_says_who_found_what():
    backend = ScriptedBackend({TEXT: ["1", "2"]}, default=["2", "3"])
    async with searching(backend) as opened:
        result = await opened.search(TEXT)
    assert set(ids(result)) == {"1", "2", "3"}
    assert ids(result)[0] == "2"  # in every list
    assert [hit.rank for hit in result.hits] == [1, 2, 3]
    found = {c.query for c in result.hits[0].contributions}
    assert TEXT in found
    assert len(found) > 2
    assert result.partial is False
    assert result.expansion is not None
    asked = [q.text for q in result.expansion.queries if q.target != "web"]
    assert set(asked) <= set(backend.queries)
    assert backend.queries.count(TEXT) == 1  # the raw query ran once, for both purposes


async def test_without_expansion_one_query_runs():
    backend = ScriptedBackend(default=["1"])
    async with searching(backend) as opened:
        result = await opened.search(TEXT, expand=False)
    assert backend.queries == [TEXT]
    assert ids(result) == ["1"]


async def test_the_raw_query_is_searched_while_the_model_thinks_and_can_be_streamed():
    llm = ScriptedLLM(
        lambda r: Answer(text=analysis() if stage(r) == "understand" else queries("brake squeal noise"), delay=2)
    )
    backend = ScriptedBackend({TEXT: ["1"]}, default=["2"], delay=0.1)
    async with searching(backend, llm=llm) as opened:
        loop = asyncio.get_running_loop()
        began = loop.time()
        seen: list[tuple[float, list[str]]] = []
        async for result in opened.search_events(TEXT):
            seen.append((loop.time() - began, ids(result)))
    assert seen[0] == (pytest.approx(0.1), ["1"])
    assert seen[-1][0] == pytest.approx(4.1)
    assert set(seen[-1][1]) == {"1", "2"}


@pytest.mark.parametrize(
    "bad",
    [
        Listing(hang=True),
        Unavailable("refused"),
        RateLimited("429"),
        BadRequest("400 parse error"),
        ValueError("garbage"),
    ],
)
async def test_one_engine_failing_out_of_three_costs_its_own_hits_only(bad: Any):
    good = [ScriptedBackend(default=docs("1")), ScriptedBackend(default=docs("2"))]
    async with searching(*good, ScriptedBackend(default=bad), deadline=3.0) as opened:
        loop = asyncio.get_running_loop()
        began = loop.time()
        result = await opened.search(TEXT)
        took = loop.time() - began
    assert took <= 3.0
    assert set(ids(result)) == {"1", "2"}
    assert isinstance(result.partial, str)
    assert result.partial.startswith("c: ")
    assert {r.status for r in result.rankings if r.backend == "c"} <= {"failed", "timeout"}
    assert all(r.status == "ok" for r in result.rankings if r.backend in ("a", "b"))


async def test_all_engines_failing_is_one_error_that_lists_each_cause():
    async with searching(
        ScriptedBackend(default=Unavailable("refused")), ScriptedBackend(default=BadRequest("no such index"))
    ) as opened:
        with pytest.raises(ProviderError) as caught:
            await opened.search(TEXT)
    assert "a: " in str(caught.value)
    assert "refused" in str(caught.value)
    assert "b: no such index" in str(caught.value)


async def test_the_breaker_opens_and_closes_again():
    class Flaky:
        broken = True

        def __call__(self, request: Any) -> Any:
            return Unavailable("down") if self.broken else ["1"]

    script = Flaky()
    backend = ScriptedBackend(script)
    async with searching(backend, ScriptedBackend(default=["2"]), search={"strong": 1.0}) as opened:
        for _ in range(6):
            await opened.search(TEXT, expand=False)
        calls = len(backend.requests)
        result = await opened.search(TEXT, expand=False)
        assert len(backend.requests) == calls  # nobody asks an open circuit
        assert isinstance(result.partial, str)
        script.broken = False
        await asyncio.sleep(120)
        result = await opened.search(TEXT, expand=False)
    assert result.partial is False
    assert len(backend.requests) == calls + 1


async def test_an_empty_query_finds_nothing_and_with_a_filter_all_that_passes():
    backend = ScriptedBackend(default=(*docs("1", price=5), *docs("2", price=50)))
    price = Compare(field="price", op="lt", value=10, unit="USD")
    async with searching(backend, search={"fields": PRICE}) as opened:
        nothing = await opened.search("")
        assert (nothing.hits, nothing.outcome) == ((), "empty")
        assert backend.requests == []
        result = await opened.search(Query(text="", filters=price))
    assert ids(result) == ["1"]


async def test_constraints_become_filters_where_the_engine_has_the_field_and_words_elsewhere():
    document = docs("1", price=400)
    with_field, without = ScriptedBackend(default=document), ScriptedBackend(default=document)
    async with searching(with_field, search={"fields": PRICE}) as opened:
        await opened.search("laptop under $500")
    assert all(r.filter is not None for r in with_field.requests)
    assert not any("500" in r.text for r in with_field.requests)
    async with searching(without) as opened:
        await opened.search("laptop under $500")
    assert all(r.filter is None for r in without.requests)
    assert all("500" in r.text for r in without.requests)


async def test_inferred_filters_are_relaxed_when_they_leave_nothing_the_callers_never():
    backend = ScriptedBackend(default=docs("1", price=900, used=True))
    fields = PRICE | {"used": {"name": "metadata.used", "type": "bool"}}
    used = Compare(field="used", op="eq", value=True)
    async with searching(backend, search={"fields": fields}) as opened:
        result = await opened.search(Query(text="laptop under $500", filters=used))
        assert ids(result) == ["1"]
        assert any("relaxed: price" in note for note in result.notes)
        new = await opened.search(Query(text="laptop under $500", filters=Compare(field="used", op="eq", value=False)))
    assert new.hits == ()
    assert new.outcome == "empty"
    assert all("metadata.used" in repr(r.filter) for r in backend.requests)


async def test_a_backend_that_cannot_apply_the_callers_filter_is_skipped_and_says_so():
    able = ScriptedBackend(default=docs("1", price=5))
    unable = ScriptedBackend(default=docs("2"), filters=False)
    price = Compare(field="price", op="lt", value=10, unit="USD")
    async with searching(able, unable, search={"fields": PRICE}) as opened:
        result = await opened.search(Query(text=TEXT, filters=price))
    assert ids(result) == ["1"]
    assert {r.status for r in result.rankings if r.backend == "b"} == {"skipped"}
    assert unable.requests == []


async def test_few_hits_bring_wider_queries_below_the_narrow_ones():
    narrow = "5000元以下、轻薄、续航好的笔记本电脑"
    backend = ScriptedBackend(lambda r: ["9", "8"] if "轻薄" not in r.text else ["1"])
    async with searching(backend, search={"min_results": 5}, expand={"strategies": ["refine"]}) as opened:
        result = await opened.search(narrow)
    assert ids(result)[0] == "1"
    assert {"8", "9"} <= set(ids(result))
    assert any(note.startswith("few hits: tried") for note in result.notes)


async def test_marks_alone_are_a_query_without_words_for_every_engine() -> None:
    backend = ScriptedBackend(default=["1"])
    async with searching(backend, search={"fields": PRICE}) as opened:
        await opened.search(Query(text="~!@#{$%^&*()_+}", filters=Compare(field="price", op="lt", value=500)))
    assert {request.expression for request in backend.requests} == {NOTHING}


async def test_few_hits_bring_no_strategy_that_the_profile_is_without() -> None:
    backend = ScriptedBackend(lambda r: ["9", "8"] if "轻薄" not in r.text else ["1"])
    expand = {"strategies": ["refine"], "without": ["generalize"]}
    async with searching(backend, search={"min_results": 5}, expand=expand) as opened:
        result = await opened.search("5000元以下、轻薄、续航好的笔记本电脑")
    assert ids(result) == ["1"]
    assert all("轻薄" in request.text for request in backend.requests)


async def test_queries_that_find_more_stay_below_the_first_page():
    backend = ScriptedBackend(lambda r: ["wide"] if r.text == "bicycle brake" else [str(n) for n in range(12)])
    llm = ScriptedLLM(
        lambda r: analysis() if stage(r) == "understand" else queries("bicycle brake", strategy="generalize")
    )
    async with searching(backend, llm=llm, expand={"strategies": ["generalize"]}) as opened:
        result = await opened.search(TEXT, limit=20)
        page = await opened.search(TEXT, limit=10)
    assert "wide" in ids(result)
    assert "wide" not in ids(page)


async def test_a_strong_first_pass_is_left_alone():
    strong = [Document(id=str(n), title=f"fix squeaky bicycle brake at home {n}") for n in range(5)]
    async with searching(ScriptedBackend(default=strong)) as opened:
        result = await opened.search(TEXT)
    assert result.expansion is not None
    assert "first hits" in (result.expansion.abstained or "")
    async with searching(ScriptedBackend(default=strong), search={"strong": 1.0}) as opened:
        assert (await opened.search(TEXT)).expansion.abstained is None  # type: ignore[union-attr]


async def test_paging_goes_on_where_the_page_before_ended():
    backend = ScriptedBackend(default=[str(n) for n in range(30)])
    async with searching(backend) as opened:
        first = await opened.search(TEXT, limit=10)
        second = await opened.search(TEXT, limit=10, offset=10)
    assert not set(ids(first)) & set(ids(second))
    assert [hit.rank for hit in second.hits] == list(range(11, 21))


async def test_sequential_order_stops_once_there_is_enough():
    backend = ScriptedBackend(default=[str(n) for n in range(10)])
    async with searching(backend, search={"order": "sequential"}) as opened:
        result = await opened.search(TEXT, limit=5)
    assert len(backend.requests) == 1
    assert {r.reason for r in result.rankings if r.status == "skipped"} >= {"there were enough hits"}


async def test_rules_of_the_profile_come_first_and_are_in_the_result():
    backend = ScriptedBackend({"apple phone case": ["1", "2", "3"], "apple smartphone": ["9"]}, default=[])
    rule = {"match": "iphone", "replace": "apple phone", "add": ["apple smartphone"], "pin": ["3"], "block": ["1"]}
    async with searching(backend, rewrite=[rule], expand={"strategies": ["site"]}) as opened:
        result = await opened.search("iPhone case")
    assert ids(result)[0] == "3"
    assert "1" not in ids(result)
    assert "9" in ids(result)
    assert any("iphone" in note for note in result.notes)


async def test_a_profile_without_a_backend_says_what_to_add():
    async with engine() as opened:
        with pytest.raises(ProfileError, match="names no search backend"):
            await opened.search(TEXT)


async def test_hits_of_two_engines_with_one_url_are_one():
    one = Document(id="1", title="t", url="https://e.org/a?utm_source=x&id=1#f")
    two = Document(id="x", title="t", url="https://E.org/a?id=1")
    async with searching(ScriptedBackend(default=[one]), ScriptedBackend(default=[two])) as opened:
        result = await opened.search(TEXT)
    assert len(result.hits) == 1
    assert {c.backend for c in result.hits[0].contributions} == {"a", "b"}
    assert result.hits[0].url in (one.url, two.url)


async def test_an_engine_that_hangs_leaves_the_others_time_for_the_other_queries():
    good = ScriptedBackend(default=docs("1"), delay=0.3)
    async with searching(good, ScriptedBackend(default=Listing(hang=True)), deadline=3.0) as opened:
        result = await opened.search(TEXT)
    assert {r.status for r in result.rankings if r.backend == "a"} == {"ok"}
    assert {r.status for r in result.rankings if r.backend == "b"} == {"timeout"}


async def test_a_model_that_reranks_is_asked_once_unless_the_early_hits_are_wanted():
    def answer(request: Any) -> Answer:
        graded = '{"r1": "good", "r2": "good", "r3": "good", "r4": "good"}'
        text = {"understand": analysis(), "expand": queries("brake squeal noise")}
        judging = "r1" in (request.schema or {}).get("properties", {})
        return Answer(text=graded if judging else text[stage(request)], delay=2)

    llm = ScriptedLLM(answer)
    backend = ScriptedBackend(default=docs("1", "2", "3", "4"), delay=0.1)
    async with searching(backend, llm=llm, search={"processors": [{"type": "rerank", "by": "llm"}]}) as opened:
        result = await opened.search(TEXT)
    assert len(llm.requests) == 3  # understand, expand, rerank
    assert result.usage.calls == 3


async def test_wider_queries_keep_the_filter_that_was_typed():
    backend = ScriptedBackend(lambda r: docs("9", price=900) if "轻薄" not in r.text else docs("1", price=100))
    settings = {"fields": PRICE, "min_results": 5}
    async with searching(backend, search=settings, expand={"strategies": ["refine"]}) as opened:
        result = await opened.search("轻薄、续航好的笔记本电脑 price:..200")
    assert any(note.startswith("few hits: tried") for note in result.notes)
    assert all(request.filter is not None for request in backend.requests)
    assert ids(result) == ["1"]


async def test_an_answer_that_is_not_whole_costs_its_own_hits_only():
    class Broken(ScriptedBackend):
        def _response(self, listing: Listing, request: Any) -> Any:
            return replace(super()._response(listing, request), identities=("x",))

    async with searching(ScriptedBackend(default=["1"]), Broken(default=["2", "3"])) as opened:
        result = await opened.search(TEXT)
    assert ids(result) == ["1"]
    assert "b answered 2 ids" in str(result.partial)


async def test_the_raw_querys_hits_are_there_when_everything_after_them_fails():
    calls = count()
    backend = ScriptedBackend(lambda r: ["1"] if next(calls) == 0 else Unavailable("down"))
    llm = ScriptedLLM(
        lambda r: Answer(
            text=analysis(standalone="how to fix a squeaky mountain bicycle brake")
            if stage(r) == "understand"
            else queries("brake squeal"),
            delay=1,
        )
    )
    history = (Turn(role="user", content="I ride a mountain bike"),)
    async with searching(backend, llm=llm) as opened:
        result = await opened.search(Query(text=TEXT, history=history))
    assert ids(result) == ["1"]
    assert isinstance(result.partial, str)
    assert [d.rung for d in result.degraded] == ["the raw query's hits"]


async def test_a_processor_with_a_bug_costs_its_own_work_only(monkeypatch: pytest.MonkeyPatch):
    async def bug(self: object, ranking: object, context: object) -> object:
        raise KeyError("bug")

    monkeypatch.setattr("qx.builtin.processors.block.Block.process_hits", bug)
    settings = {"processors": [{"type": "block", "ids": ["9"]}]}
    async with searching(ScriptedBackend(default=["1"]), search=settings) as opened:
        result = await opened.search(TEXT)
    assert ids(result) == ["1"]
    assert [(d.step, d.rung, d.reason) for d in result.degraded] == [("process", "without processor block", "KeyError")]


@pytest.mark.parametrize("options", [{"limit": 0}, {"limit": -1}, {"offset": -3}])
async def test_a_part_of_the_list_that_cannot_be_is_an_error(options: dict[str, int]):
    async with searching(ScriptedBackend(default=["1"])) as opened:
        with pytest.raises(UsageError, match="limit"):
            await opened.search(TEXT, **options)


class Counting:
    """A hit processor that keeps what it was given."""

    def __init__(self) -> None:
        self.given: list[tuple[str, ...]] = []

    async def __call__(self, ranking: Any, context: Any, /) -> Any:
        self.given.append(ranking.keys)
        return ranking


async def test_a_second_round_processes_its_own_hits_only():
    narrow = "5000元以下、轻薄、续航好的笔记本电脑"
    backend = ScriptedBackend(lambda r: ["9", "8", "1"] if "轻薄" not in r.text else ["1"])
    counting = Counting()
    settings = {"backends": {"a": block(backend)}, "min_results": 5, "rerank": "never"}
    async with Engine.opened(
        profile(None, search=settings, expand={"strategies": ["refine"]}),
        plugins=PLUGINS,
        steps=lambda steps: replace(steps, process=counting),
    ) as opened:
        result = await opened.search(narrow)
    assert ids(result)[0] == "1"
    assert len(counting.given) == 2
    assert not set(counting.given[0]) & set(counting.given[1])
    assert [hit.rank for hit in result.hits] == [1, 2, 3]
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)


PUBLISHED = {"published": {"name": "metadata.published", "type": "date"}}


def news(*pairs: tuple[str, str]) -> tuple[Document, ...]:
    return tuple(Document(id=id, title=f"brake news {id}", metadata={"published": day}) for id, day in pairs)


async def test_hits_that_are_too_old_lead_to_one_round_with_the_date_whose_hits_come_first():
    now = datetime(2026, 6, 1, tzinfo=UTC)
    backend = ScriptedBackend(
        lambda r: news(("new", "2026-05-20")) if r.filter is not None else news(("old", "2019-01-01"))
    )
    settings = {"fields": PUBLISHED, "processors": ["stale"]}
    async with searching(backend, search=settings) as opened:
        result = await opened.search(Query(text="latest bicycle brake news", now=now))
    assert ids(result) == ["new", "old"]
    assert result.outcome == "ok"
    dated = [r for r in backend.requests if r.filter is not None]
    assert [leaf.value for leaf in leaves(dated[0].filter)] == ["2025-01-01"]
    assert any(note.startswith("all dated hits are older") for note in result.notes)


async def test_where_nothing_newer_is_found_it_is_said():
    now = datetime(2026, 6, 1, tzinfo=UTC)
    backend = ScriptedBackend(lambda r: () if r.filter is not None else news(("old", "2019-01-01")))
    async with searching(backend, search={"fields": PUBLISHED, "processors": ["stale"]}) as opened:
        result = await opened.search(Query(text="最新 自行车 新闻", now=now))
    assert ids(result) == ["old"]
    assert result.outcome == "stale"


async def test_exclusions_alone_ask_for_nothing_and_with_a_filter_for_all_that_passes():
    backend = ScriptedBackend(default=docs("1", price=5))
    async with searching(backend, search={"fields": PRICE}) as opened:
        nothing = await opened.search("-bicycle")
        assert (nothing.hits, nothing.outcome) == ((), "empty")
        assert backend.requests == []
        price = Compare(field="price", op="lt", value=10, unit="USD")
        result = await opened.search(Query(text="-bicycle", filters=price), expand=False)
    assert ids(result) == ["1"]


class Faceted(ScriptedBackend):
    """Counts brands: three HP and one of its own name."""

    def _response(self, listing: Listing, request: Any) -> Any:
        made = super()._response(listing, request)
        counted = dict.fromkeys(request.facets, ((self.name, 1), ("HP", 3)))
        return replace(made, facets=counted)


@pytest.mark.parametrize(("totals", "total"), [((70, 50), 70), ((70, None), None)])
async def test_counts_of_several_engines_are_put_together_honestly(totals: tuple[int, int | None], total: int | None):
    class Untold(Faceted):
        def _response(self, listing: Listing, request: Any) -> Any:
            return replace(super()._response(listing, request), total=None)

    first = Faceted(default=Listing(documents=docs("1"), total=totals[0]))
    second: Any = (
        Untold(default=docs("2"))
        if totals[1] is None
        else Faceted(default=Listing(documents=docs("2"), total=totals[1]))
    )
    async with searching(first, second, search={"fields": BRAND}) as opened:
        result = await opened.search(TEXT, facets=["brand"])
    assert result.total == total
    assert result.facets == {"brand": (("HP", 6), ("a", 1), ("b", 1))}
    assert [r.facets for r in first.requests if r.text != TEXT] == [()] * (len(first.requests) - 1)


async def test_the_rules_read_a_query_once(monkeypatch: pytest.MonkeyPatch):
    read = RuleUnderstanding.begin
    queries: list[str] = []

    def counted(self: RuleUnderstanding, query: Query, **options: Any) -> Any:
        queries.append(query.text)
        return read(self, query, **options)

    async with searching(ScriptedBackend(default=["1"]), search={"min_results": 5}) as opened:
        monkeypatch.setattr(RuleUnderstanding, "begin", counted)
        await opened.search(TEXT)
        await opened.search(TEXT, expand=False)
        assert queries == [TEXT]  # and remembered: people ask the same again
        for _ in range(2):
            await opened.search("news since yesterday", expand=False)
    assert queries[1:] == ["news since yesterday"] * 2  # what depends on the moment is read anew by every request


async def test_sequential_order_goes_on_until_there_is_enough():
    def answer(request: Any) -> list[str]:
        return [f"{len(seen)}-{n}" for n in range(3)] if not seen.append(request.text) else []

    seen: list[str] = []
    backend = ScriptedBackend(answer, delay=0.1)
    async with searching(backend, search={"order": "sequential", "strong": 1.0}) as opened:
        result = await opened.search(TEXT, limit=7)
    assert len(seen) == 3  # three, six, nine
    assert backend.peak == 1
    assert len(result.hits) == 7


async def test_hits_show_what_matched_where_the_engine_does_not():
    text = "Anything at all. " * 30 + "The squeaky brakes of a Bicycle, fixed. " + "And more. " * 50
    document = Document(id="1", title="刹车异响 brake", text=text)
    async with searching(ScriptedBackend(default=[document])) as opened:
        (hit,) = (await opened.search(TEXT)).hits
        (chinese,) = (await opened.search("自行车刹車异响")).hits
    title, body = hit.highlights
    assert [title.text[s:e] for s, e in title.spans] == ["brake"]
    assert [body.text[s:e] for s, e in body.spans] == ["squeaky", "brakes", "Bicycle", "fixed"]
    assert len(body.text) <= 240
    assert [chinese.highlights[0].text[s:e] for s, e in chinese.highlights[0].spans] == ["刹车异响"]


SIX = tuple(f"bicycle brake {word}" for word in ("squeal", "noise", "cleaning", "pads", "rim"))


async def test_six_sub_queries_over_three_engines_take_as_long_as_the_slowest_call():
    llm = ScriptedLLM(lambda r: analysis() if stage(r) == "understand" else queries(*SIX))
    backends = [ScriptedBackend(default=docs("1", "2"), delay=delay) for delay in (0.02, 0.025, 0.03)]
    async with searching(*backends, llm=llm, search={"min_results": 0}) as opened:
        loop = asyncio.get_running_loop()
        for _ in range(3):
            began = loop.time()
            result = await opened.search(TEXT)
            assert loop.time() - began == pytest.approx(0.03)
    assert len({r.query.text for r in result.rankings}) >= 6
    assert {r.status for r in result.rankings} == {"ok"}


@pytest.mark.parametrize(("delay", "calls"), [(0.0, 0), (0.2, 1)])
async def test_a_model_that_a_strong_first_pass_makes_needless_is_not_asked_or_its_call_is_told(
    delay: float, calls: int
) -> None:
    strong = [Document(id=str(n), title=f"fix squeaky bicycle brake at home {n}") for n in range(5)]
    backend = ScriptedBackend(lambda r: strong if r.text == TEXT else ["other"], delay=delay)
    llm = ScriptedLLM(lambda r: analysis() if stage(r) == "understand" else queries("bicycle brake noise"), delay=1.0)
    async with searching(backend, llm=llm) as opened:
        await opened.search("brake pads")  # from here on it is known how fast the engine is
        before = len(llm.requests)
        result = await opened.search(TEXT)
    assert result.expansion is not None
    assert result.expansion.abstained == "the first hits already hold all of the query's words"
    assert (len(llm.requests) - before, result.usage.calls) == (calls, calls)
    assert any("its tokens are not known" in note for note in result.notes) == bool(calls)


async def test_a_slow_first_pass_that_is_strong_leaves_the_others_out_all_the_same():
    strong = [Document(id=str(n), title=f"fix squeaky bicycle brake at home {n}") for n in range(5)]
    backend = ScriptedBackend(lambda r: strong if r.text == TEXT else ["other"], delay=0.2)
    async with searching(backend) as opened:
        result = await opened.search(TEXT)
    assert result.expansion is not None
    assert "first hits" in (result.expansion.abstained or "")
    assert [q.text for q in result.expansion.queries] == [TEXT]
    assert "other" not in ids(result)


async def test_engines_next_door_are_waited_for_so_that_their_hits_give_words():
    same = [Document(id=str(n), title="Quiet stopping", text="Toe the calipers, sand the pads.") for n in range(5)]
    near, far = ScriptedBackend(default=same, delay=0.005), ScriptedBackend(default=same, delay=0.1)
    for backend, waits in ((near, True), (far, False)):
        async with searching(backend) as opened:
            await opened.search(TEXT)
            result = await opened.search(TEXT)
        assert ("feedback" in {q.strategy for q in result.expansion.queries}) is waits  # type: ignore[union-attr]


class Torn(ScriptedBackend):
    """An engine whose answer names a hit that it then cannot make."""

    def __init__(self, *args: Any, torn: str, error: BaseException, **options: Any) -> None:
        super().__init__(*args, **options)
        self.torn, self.error = torn, error

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        answer = await super().search(request)

        def hit(index: int) -> Hit:
            if answer.ids[index] == self.torn:
                raise self.error
            return answer.hit(index)

        return replace(answer, hit=hit)


@pytest.mark.parametrize("error", [KeyError("title"), BadResponse("no such field"), SystemExit(3)])
@pytest.mark.parametrize("processors", [[], [{"type": "near-duplicates"}, {"type": "rerank"}]])
async def test_a_hit_that_cannot_be_made_costs_itself_only(error: BaseException, processors: list[Any]):
    backend = Torn(default=("1", "2", "3"), torn="2", error=error)
    async with searching(backend, search={"processors": processors}) as opened:
        result = await opened.search(TEXT, limit=2)
    assert ids(result) == ["1", "3"]
    assert isinstance(result.partial, str)
    assert result.partial.startswith("a: the hit '2' cannot be read")
    assert result.degraded == ()


async def test_a_hit_that_another_engine_can_make_is_there():
    torn, whole = Torn(default=("1",), torn="1", error=KeyError("title")), ScriptedBackend(default=docs("1"))
    async with searching(torn, whole, search={"identity": "id"}) as opened:
        result = await opened.search(TEXT)
    assert [hit.title for hit in result.hits] == ["title 1"]
    assert result.partial is False


async def test_pages_never_overlap_and_lose_nothing():
    forwards, backwards = [f"{n:03}" for n in range(200)], [f"{n:03}" for n in reversed(range(200))]

    def script(request: Any) -> Any:
        return forwards if request.text == TEXT else backwards

    async with searching(ScriptedBackend(script), search={"strong": 1.0}) as opened:
        pages = [ids(await opened.search(TEXT, limit=10, offset=offset)) for offset in range(0, 200, 10)]
    assert sorted(id for page in pages for id in page) == forwards


async def test_a_search_of_the_caller_s_own_is_all_that_searches():
    async def own(value: Expansion, context: Context) -> tuple[Ranking, ...]:
        hits = [Hit(id=query.text, backend="mine", title=query.text) for query in value.queries]
        return (
            Ranking(
                query=value.queries[0],
                backend="mine",
                keys=tuple(hit.id for hit in hits),
                scores=tuple(1 / (n + 1) for n in range(len(hits))),
                hit=lambda index: hits[index],
            ),
        )

    backend = ScriptedBackend(default=["never"])
    async with searching(backend) as opened:
        opened.steps = replace(opened.steps, search=own)
        result = await opened.search(TEXT)
        assert backend.requests == []
        assert result.hits[0].id == TEXT
    async with engine() as opened:
        opened.steps = replace(opened.steps, search=own)
        assert (await opened.search(TEXT)).hits[0].backend == "mine"


async def test_hits_that_are_shown_first_cost_no_call():
    llm = ScriptedLLM(lambda request: Answer(text='{"grades": []}', delay=0.5))
    processors = [{"type": "rerank", "by": "llm"}]
    backend = ScriptedBackend(default=docs("1", "2", "3"))
    async with searching(backend, llm=llm, search={"processors": processors, "strong": 1.0}) as opened:
        whole = await opened.search(TEXT)
        calls = len(llm.requests)
        seen = [result async for result in opened.search_events(f"{TEXT} again")]
    assert len(seen) == 2
    assert len(llm.requests) == 2 * calls
    assert seen[0].degraded == ()
    assert whole.degraded == seen[1].degraded


async def test_what_an_engine_says_of_its_answer_is_a_note():
    class Telling(ScriptedBackend):
        async def search(self, request: SearchRequest, /) -> SearchResponse:
            return replace(await super().search(request), notes=("facets count a part",))

    async with searching(Telling(default=["1"])) as opened:
        assert (await opened.search(TEXT)).notes.count("a: facets count a part") == 1
