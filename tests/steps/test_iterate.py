import json

from engines import analysis, asked, engine, queries, stage
from qx.llm import CompletionRequest
from qx.testing import ScriptedLLM

TEXT = "how to train for a first marathon"
FIRST = ("beginner marathon training plan", "marathon training schedule weeks", "first marathon tips")


def coverage(*texts: str, marginal: tuple[str, ...] = ()) -> str:
    listed = [{"text": text, "strategy": "refine", "why": ""} for text in texts]
    return json.dumps({"aspects": ["plan", "tips"], "marginal": list(marginal), "queries": listed})


def model(answer: str):
    def answered(request: CompletionRequest) -> str:
        name = stage(request)
        return analysis() if name == "understand" else answer if name == "iterate" else queries(*FIRST)

    return ScriptedLLM(answered)


async def test_the_model_replaces_marginal_queries_and_fills_holes():
    llm = model(
        coverage("marathon training nutrition", "marathon injury prevention", marginal=("first marathon tips",))
    )
    async with engine(llm, expand={"iterate": 1}) as opened:
        expansion = await opened.expand(TEXT)
    texts = [q.text for q in expansion.queries]
    assert {"marathon training nutrition", "marathon injury prevention"} <= set(texts)
    assert "first marathon tips" not in texts
    assert ("first marathon tips", "marginal, by the model") in {(d.text, d.reason) for d in expansion.dropped}
    added = next(q for q in expansion.queries if q.text == "marathon training nutrition")
    assert "plan、tips" in added.why or "plan" in added.why
    assert set(FIRST) <= set(asked(llm.requests[2])["queries"])


async def test_what_is_added_passes_the_guard_too():
    llm = model(coverage("half price sofas"))
    async with engine(llm, expand={"iterate": 1}) as opened:
        expansion = await opened.expand(TEXT)
    assert "half price sofas" not in [q.text for q in expansion.queries]
    assert "half price sofas" in [d.text for d in expansion.dropped]


async def test_iterating_is_off_by_default_and_ends_when_nothing_is_added():
    llm = model(coverage())
    async with engine(llm) as opened:
        await opened.expand(TEXT)
    assert [stage(r) for r in llm.requests] == ["understand", "expand"]
    again = model(coverage())
    async with engine(again, expand={"iterate": 3}) as opened:
        await opened.expand(TEXT)
    assert [stage(r) for r in again.requests].count("iterate") == 1


async def test_a_failed_round_is_said_and_costs_nothing_else():
    llm = model("no JSON")
    async with engine(llm, expand={"iterate": 1}) as opened:
        expansion = await opened.expand(TEXT)
    assert set(FIRST) <= {q.text for q in expansion.queries}
    assert [(d.step, d.rung) for d in expansion.degraded] == [("expand", "without iterating")]
