"""What an answer may not cost, and how it ends: empty engines, refused keys, time, being left, other answers beside it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from qx.backend import Document
from qx.errors import AuthError, Unavailable
from qx.testing import Answer, Listing, ScriptedBackend, ScriptedLLM
from qx_answer.events import Action, Claim, Data, Done, Progress, Thinking, Warning

QUESTION = "How long do I have to return a jacket?"
TEXT = "A jacket can be returned within 60 days."
RETURNS = Document(id="returns", title="Returns", text=TEXT)


@pytest.mark.parametrize("question", [QUESTION, "外套多久之内可以退货？"])
async def test_an_engine_that_is_always_empty(opened, question):
    backend = ScriptedBackend()
    async with opened(backend) as engine:
        done = await engine.result("answer", {"question": question})
    assert (done.claims, done.sources, done.stopped_because) == ((), (), "nothing found")
    assert done.answer.startswith("没有找到" if "外套" in question else "Nothing found")
    assert done.budget.rounds.used <= 3
    assert done.budget.searches.used <= 10


async def test_what_found_nothing_is_asked_otherwise_and_in_the_other_language(opened):
    backend = ScriptedBackend()
    events = []
    async with (
        opened(backend) as engine,
        aclosing(engine.call("answer", {"question": "重置路由器的方法是什么"})) as found,
    ):
        events = [event async for event in found]
    strategies = [event.strategy for event in events if isinstance(event, Action) and event.kind == "search"]
    assert strategies[0] == "asked"
    assert "other-language" in strategies
    assert len(strategies) == len(set(strategies)), "each is tried once"
    assert any("router" in query for query in backend.queries)


async def test_a_key_that_is_refused_is_not_met_by_other_words(opened):
    backend = ScriptedBackend(default=AuthError("401: check the key"))
    async with opened(backend) as engine:
        done = await engine.result("answer", {"question": QUESTION})
    assert done.stopped_because == "authentication"
    assert done.budget.searches.used == 1
    assert "refused the key" in done.answer
    assert any("check the key" in one.reason for one in done.degraded)


async def test_an_engine_that_is_down_is_said_to_be(opened):
    async with opened(ScriptedBackend(default=Unavailable("docs failed (503: busy)"))) as engine:
        done = await engine.result("answer", {"question": QUESTION})
    assert done.stopped_because == "search failed"
    assert done.answer.startswith("Nothing found: the search engine did not answer")
    assert "no answer from docs (status 503)" in {one.reason for one in done.degraded}


@pytest.mark.parametrize(
    ("error", "said"),
    [(AuthError("401: check the key"), "搜索引擎拒绝了密钥"), (Unavailable("down"), "搜索引擎没有响应")],
)
async def test_a_reader_of_chinese_is_told_why_in_chinese(opened, error: Exception, said: str):
    async with opened(ScriptedBackend(default=error)) as engine:
        done = await engine.result("answer", {"question": "外套多久之内可以退货？"})
    assert done.answer == f"没有找到答案：{said}。"


@pytest.mark.virtual_time
async def test_when_the_time_is_up_the_answer_is_written_from_what_is_there(opened):
    half = ScriptedBackend(lambda request: [RETURNS] if "jacket" in request.text else Listing(hang=True))
    question = "How long do I have to return a jacket, and what is the Zephyr-9?"
    async with opened(half) as engine:
        loop = asyncio.get_running_loop()
        began = loop.time()
        done = await engine.result("answer", {"question": question, "budget": {"seconds": 4}})
        assert loop.time() - began <= 4
        assert half.running == 0
    assert [claim.quote for claim in done.claims] == [TEXT]
    assert done.stopped_because == "search failed"


@pytest.mark.virtual_time
async def test_an_engine_that_hangs_costs_no_more_than_the_time(opened):
    backend = ScriptedBackend(default=Listing(hang=True))
    async with opened(backend) as engine:
        loop = asyncio.get_running_loop()
        began = loop.time()
        done = await engine.result("answer", {"question": QUESTION, "budget": {"seconds": 3}})
        assert loop.time() - began <= 3.5
        assert backend.running == 0
    assert done.claims == ()
    assert done.stopped_because == "search failed"


async def test_searches_and_rounds_are_counted(opened):
    async with opened(ScriptedBackend()) as engine:
        done = await engine.result("answer", {"question": QUESTION, "budget": {"rounds": 1, "searches": 1}})
    assert (done.budget.rounds.used, done.budget.searches.used) == (1, 1)
    assert (done.budget.rounds.limit, done.budget.searches.limit) == (1, 1)


async def test_what_is_left_early_leaves_nothing_behind(opened):
    backend = ScriptedBackend(default=Listing(hang=True))
    async with opened(backend) as engine:
        before = asyncio.all_tasks()
        async with aclosing(engine.call("answer", {"question": QUESTION})) as events:
            async for event in events:
                if isinstance(event, Action):
                    break
        await asyncio.sleep(0)
        assert not {task for task in asyncio.all_tasks() - before if not task.done()}
        assert backend.running == 0


async def test_two_answers_at_once_share_nothing(opened):
    pens = Document(id="pens", title="Pens", text="A pen can be returned within 10 days.")
    backend = ScriptedBackend(lambda request: [RETURNS if "jacket" in request.text else pens])
    async with opened(backend) as engine:
        one, other = await asyncio.gather(
            engine.result("answer", {"question": QUESTION}),
            engine.result("answer", {"question": "How long do I have to return a pen?"}),
        )
        again = await engine.result("answer", {"question": QUESTION})
    assert [claim.source_id for claim in one.claims] == ["returns"]
    assert [claim.source_id for claim in other.claims] == ["pens"]
    assert one.budget == again.budget
    assert one == again, "what the first one knew does not count for the next"


async def test_events_tell_what_happens(opened):
    async with (
        opened(ScriptedBackend(default=[RETURNS])) as engine,
        aclosing(engine.call("answer", {"question": QUESTION})) as found,
    ):
        events = [event async for event in found]
    kinds = [type(event) for event in events]
    assert kinds[-1] is Done
    assert {Action, Data, Progress, Thinking, Claim} <= set(kinds)
    search = next(event for event in events if isinstance(event, Action))
    assert (search.query, search.backends) == (QUESTION, ("docs",))
    progress = next(event for event in events if isinstance(event, Progress))
    assert (progress.n, progress.of, progress.title) == (1, 1, "Returns")
    claim = next(event for event in events if isinstance(event, Claim))
    assert (claim.marker, claim.source_id) == (1, "returns")
    ranked = next(event for event in events if isinstance(event, Data) and event.kind == "ranked")
    assert ranked.rung


async def test_the_list_of_questions_says_what_is_answered_by_which_quote_and_what_is_missing(opened):
    question = "How long do I have to return a jacket, and what is the Zephyr-9?"
    async with (
        opened(ScriptedBackend(default=[RETURNS])) as engine,
        aclosing(engine.call("answer", {"question": question, "budget": {"rounds": 1}})) as found,
    ):
        events = [event async for event in found]
    planned, read = [event.questions for event in events if isinstance(event, Thinking)]
    assert [(one.answered, one.missing) for one in planned] == [(None, one.asked) for one in planned]
    known, missing = read
    assert (known.answered, known.source_id, known.missing) == (TEXT, "returns", None)
    assert (missing.answered, missing.missing) == (None, missing.asked)
    assert "Zephyr-9" in missing.asked


async def test_reranking_comes_before_reading_and_names_its_rung(opened):
    many = [Document(id=f"d{n}", title=f"Notes {n}", text=f"Nothing of note on page {n}.") for n in range(60)]
    backend = ScriptedBackend(default=[*many, RETURNS])
    async with (
        opened(backend, answer={"read": {"pool": 100, "pages": 5}}) as engine,
        aclosing(engine.call("answer", {"question": QUESTION, "budget": {"rounds": 1}})) as found,
    ):
        events = [event async for event in found]
    ranked = next(event for event in events if isinstance(event, Data) and event.kind == "ranked")
    assert ranked.found == 5
    assert ranked.rung.startswith("rerank by lexical: took")
    read = [event.title for event in events if isinstance(event, Progress)]
    assert len(read) == 5
    assert "Returns" in read, "the one that is about it came up from the last place"


async def test_a_slow_reader_delays_nobody(opened):
    many = [Document(id=f"d{n}", title=f"Returns {n}", text=TEXT) for n in range(8)]
    async with opened(ScriptedBackend(default=many)) as engine:
        answering = await engine.section("answer")
        run = answering.begin(engine, QUESTION)
        first, slow = run.events(), run.events(limit=3)
        seen = [event async for event in first]
        assert isinstance(seen[-1], Done)
        late = [event async for event in slow]
        await run.aclose()
    assert isinstance(late[0], Warning)
    assert late[0].kind == "missed"
    assert isinstance(late[-1], Done)


async def test_a_caller_replaces_a_step(opened):
    from dataclasses import replace

    from qx_answer.values import Searched, Wanted

    asked: list[str] = []

    async def search(wanted: Wanted, context, /) -> Searched:
        asked.append(wanted.text)
        result = await context.search(wanted.text)
        return Searched(wanted=wanted, hits=result.hits)

    async with opened(ScriptedBackend(default=[RETURNS])) as engine:
        answering = await engine.section("answer")
        steps = replace(answering.steps(engine), search=search)
        run = answering.begin(engine, QUESTION, steps=steps)
        done = await run.result()
        await run.aclose()
    assert asked == [QUESTION]
    assert done.claims


@pytest.mark.virtual_time
async def test_time_is_kept_for_the_model_to_write(opened):
    """An engine hangs for one of two questions: the time for finding ends, and what was found is still written."""
    claim = '{"statement": "You have 60 days.", "source_id": "returns", "quote": "A jacket can be returned within 60 days."}'
    calls: list[str] = []

    def say(request):
        properties = (request.schema or {}).get("properties", {})
        calls.append(next((key for key in ("parts", "next", "claims") if key in properties), "judge"))
        if calls[-1] == "parts":
            parts = '[{"text": "How long do I have to return a jacket?"}, {"text": "What is the Zephyr-9?"}]'
            return Answer(text=f'{{"parts": {parts}}}', delay=1)
        if calls[-1] == "claims":
            return Answer(text=f'{{"claims": [{claim}]}}', delay=3)
        return Answer(text='{"questions": [{"id": "1"}, {"id": "2"}]}', delay=0.1)

    half = ScriptedBackend(lambda request: [RETURNS] if "jacket" in request.text else Listing(hang=True))
    async with opened(half, ScriptedLLM(say), answer={"judge": {"type": "off"}}) as engine:
        loop = asyncio.get_running_loop()
        began = loop.time()
        done = await engine.result("answer", {"question": QUESTION, "budget": {"seconds": 12}})
        assert loop.time() - began <= 12
    assert done.claims[0].statement == "You have 60 days."
    assert calls[-1] == "claims"
