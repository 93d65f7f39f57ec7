import json
from dataclasses import replace
from typing import Any

import pytest

from engines import PLUGINS, analysis, asked, engine, profile, queries, stage
from qx import Engine, Query, Steps
from qx.errors import Unavailable
from qx.llm import Capabilities, CompletionRequest
from qx.testing import ScriptedLLM

TEXTS = [f"how to repair a bicycle wheel with {n} broken spokes" for n in range(2, 14)] + ["怎么修自行车的轮子"]


def result(name: str, item: dict[str, Any]) -> dict[str, Any]:
    """What the model says of one query, alone or in a batch."""
    text = item["query"]
    understood = json.loads(analysis(keywords=text.split()[:3]))
    listed = json.loads(queries(f"{text} guide", f"{text} tutorial"))
    return {"understand": understood, "expand": listed, "single": understood | listed}[name]


def model(request: CompletionRequest) -> str:
    if stage(request) != "batch":
        return json.dumps(result(stage(request), asked(request)), ensure_ascii=False)
    properties = (request.schema or {})["properties"]["items"]["items"]["properties"]["result"]["properties"]
    both = {"intent", "queries"} <= set(properties)
    name = "single" if both else "expand" if "queries" in properties else "understand"
    items = asked(request)["items"]
    return json.dumps({"items": [{"id": i["id"], "result": result(name, i)} for i in items]}, ensure_ascii=False)


@pytest.mark.parametrize("mode", ["llm", "llm-single"])
async def test_batches_give_what_single_calls_give_in_input_order(mode: str):
    settings: dict[str, Any] = {"understand": {"mode": mode}}
    batch, single = ScriptedLLM(model), ScriptedLLM(model)
    async with engine(batch, **settings) as opened:
        together = await opened.expand_many(TEXTS)
    async with engine(single, **settings) as opened:
        alone = [await opened.expand(text) for text in TEXTS]
    assert [e.original for e in together] == TEXTS
    for one, other in zip(together, alone, strict=True):
        assert one.queries == other.queries
        assert one.understanding == other.understanding
        assert one.dropped == other.dropped
    per_stage = 3  # twelve English queries in two batches, the Chinese one in its own
    assert batch.calls == per_stage * (2 if mode == "llm" else 1)
    assert single.calls == len(TEXTS) * (2 if mode == "llm" else 1)


async def test_what_is_missing_doubled_or_malformed_is_redone_alone():
    def sloppy(request: CompletionRequest) -> str:
        if stage(request) != "batch":
            return model(request)
        items = json.loads(model(request))["items"]
        if len(items) > 4:
            items[1]["id"] = items[0]["id"]
            items[2]["result"] = {"intent": ["nonsense"]}
            items[3] = "what"
        return json.dumps({"items": items})

    llm = ScriptedLLM(sloppy)
    async with engine(llm, understand={"mode": "llm-single"}) as opened:
        together = await opened.expand_many(TEXTS[:6])
    assert [stage(r) for r in llm.requests] == ["batch"] + ["single"] * 4
    assert [e.original for e in together] == TEXTS[:6]
    assert all(e.understanding.source == "llm-single" and len(e.queries) >= 3 for e in together)
    assert all(e.degraded == () for e in together)


async def test_a_batch_that_cannot_be_read_is_done_alone():
    def broken(request: CompletionRequest) -> str:
        return "no" if stage(request) == "batch" else model(request)

    llm = ScriptedLLM(broken)
    async with engine(llm, understand={"mode": "llm-single"}) as opened:
        together = await opened.expand_many(TEXTS[:3])
    assert [stage(r) for r in llm.requests].count("single") == 3
    assert all(e.degraded == () for e in together)


async def test_a_batch_is_halved_when_the_window_would_overflow():
    llm = ScriptedLLM(model, capabilities=Capabilities(context=9000))
    async with engine(llm, understand={"mode": "llm-single"}) as opened:
        await opened.expand_many(TEXTS[:10])
    assert [len(asked(r)["items"]) for r in llm.requests] == [5, 5]


async def test_each_result_is_cached_by_itself_and_equal_queries_are_done_once():
    llm = ScriptedLLM(model)
    async with engine(llm, understand={"mode": "llm-single"}) as opened:
        await opened.expand(TEXTS[0])
        first = await opened.expand_many([TEXTS[0], TEXTS[1], TEXTS[1]])
        assert [len(asked(r).get("items", [0])) for r in llm.requests] == [1, 1]
        again = await opened.expand_many(TEXTS[:2])
        alone = await opened.expand(TEXTS[1])
    assert llm.calls == 2
    assert first[1] == first[2]
    assert [e.queries for e in again] == [first[0].queries, first[1].queries]
    assert alone.usage.cached == 1


async def test_without_a_model_and_with_mixed_values():
    async with engine() as opened:
        together = await opened.expand_many([Query(text="DEC-0054"), TEXTS[0], ""])
    assert [e.original for e in together] == ["DEC-0054", TEXTS[0], ""]
    assert together[0].abstained
    assert len(together[1].queries) > 2
    assert await _nothing() == ()


async def _nothing() -> tuple[object, ...]:
    async with engine() as opened:
        return await opened.expand_many([])


async def test_what_a_batch_fell_to_is_said_of_each_of_its_queries_and_none_is_kept():
    broken, spare = ScriptedLLM(default=Unavailable("down")), ScriptedLLM(model).named("many-spare")
    fallback = {"provider": "scripted", "model": "spare", "options": {"instance": "many-spare"}}
    async with engine(broken, llm={"fallbacks": [fallback]}) as opened:
        together = await opened.expand_many(TEXTS[:3])
        assert all([d.rung for d in e.degraded] == ["fallback scripted spare"] * 2 for e in together)
        calls = len(spare.requests)
        await opened.expand(TEXTS[1])
    assert len(spare.requests) == calls + 2


@pytest.mark.parametrize(("replaced", "calls"), [("process", 4), ("expand", 2 * len(TEXTS))])
async def test_only_a_replaced_step_of_its_own_gives_up_the_batches(replaced: str, calls: int):
    class Own:
        """The engine's own step, in a wrapper."""

        fingerprint = "wrapped"

        def __init__(self, step: Any) -> None:
            self.step = step

        async def __call__(self, given: Any, context: Any, /) -> Any:
            return await self.step(given, context)

    llm = ScriptedLLM(model)

    def steps(own: Steps) -> Steps:
        return replace(own, **{replaced: Own(getattr(own, replaced))})

    async with Engine.opened(profile(llm, expand={"batch": 50}), plugins=PLUGINS, steps=steps) as opened:
        found = await opened.expand_many(TEXTS)
    assert [e.original for e in found] == TEXTS
    assert llm.calls == calls  # two stages, two languages
