"""The arms of an evaluation that need a model or an embedder: scripted ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from qx.budget import Cost
from qx.engine import Engine
from qx.errors import BadResponse, Unavailable, UsageError
from qx.llm import CompletionRequest
from qx.testing import FakeEmbedder, ScriptedLLM, TestContext
from qx.types import Query
from qx_chatlog.evaluation import further, locomo, planned, remembered, running
from qx_chatlog.evaluation.answers import judged
from qx_chatlog.evaluation.arms import ARMS

from .test_evaluation import SET


class Begins:
    """As much of an engine as the arms use: every request has the same model and embedder."""

    def __init__(self, llm: ScriptedLLM | None = None, embedder: FakeEmbedder | None = None) -> None:
        self._llm, self._embedder = llm, embedder

    def budget(self, limits: Cost) -> None:
        return None

    def begin(self, query: Query, *, step: str, budget: object = None) -> TestContext:
        return TestContext(query, llm=self._llm, embedder=self._embedder, seconds=60.0)


def engine(llm: ScriptedLLM | None = None, *, embedder: bool = False) -> Engine:
    return cast("Engine", Begins(llm, FakeEmbedder() if embedder else None))


@pytest.fixture
def read(tmp_path: Path) -> locomo.Locomo:
    path = tmp_path / "locomo10.json"
    path.write_text(json.dumps(SET), encoding="utf-8")
    return locomo.read(path)


QUESTION = locomo.Question(
    id="q", user="c0", text="Where?", category=4, evidence=frozenset(("D1:2",)), answer="Harbour Street"
)


@pytest.mark.parametrize(
    ("reply", "right"),
    [('{"verdict": "right"}', True), ('{"verdict": "wrong"}', False), ("I think so", None), ("{}", None)],
)
async def test_a_judge_says_right_wrong_or_nothing(reply: str, right: bool | None) -> None:
    seen: list[CompletionRequest] = []

    def script(request: CompletionRequest) -> str:
        seen.append(request)
        return reply

    context = TestContext(Query(text="Where?"), llm=ScriptedLLM(script))
    assert await judged(context, QUESTION, "In Harbour Street") is right
    assert json.loads(seen[0].messages[-1].content)["right_answer"] == "Harbour Street"


async def test_a_judge_that_fails_says_nothing() -> None:
    context = TestContext(Query(text="Where?"), llm=ScriptedLLM([Unavailable("it is down")]))
    assert await judged(context, QUESTION, "In Harbour Street") is None


async def test_a_model_writes_facts_down_and_only_turns_that_are_there_count(read: locomo.Locomo) -> None:
    facts = [{"fact": "Bo found a flat", "turns": ["D1:2", "D7:7"]}, {"fact": "made up", "turns": ["D9:9"]}]
    model = ScriptedLLM(lambda _: json.dumps({"facts": facts}))
    found = await remembered.by_model(engine(model), read.conversations[0].messages, lambda _: None)
    assert {fact.text for fact in found} == {"Bo found a flat"}
    assert all(fact.turns == {"D1:2"} for fact in found)
    with pytest.raises(BadResponse, match="no fact"):
        await remembered.by_model(engine(ScriptedLLM(lambda _: "no")), read.conversations[0].messages, lambda _: None)


async def test_a_memory_is_measured_like_turns_and_set_beside_the_planner(read: locomo.Locomo, tmp_path: Path) -> None:
    made = await running.run(read, arms=ARMS[:2])
    told: list[str] = []
    sheet = tmp_path / "sheet.csv"
    whole = await further.further(
        engine(embedder=True), read, made, planner=10, memory="rules", sheet=sheet, tell=told.append
    )
    assert [one.name for one in whole.sampled] == ["planner by rules", "memory by rules"]
    memory = whole.sampled[1]
    assert memory.at[20].recall == 1.0  # all there is comes back
    assert memory.at[20].tokens > 0
    assert memory.against is not None
    assert len(whole.answers) == len(read.questions)
    assert any("facts of 5 turns" in note for note in whole.notes)
    assert sheet.read_text(encoding="utf-8-sig").startswith("id,question,answer A,answer B,accuracy A")
    assert told


async def test_the_planner_with_a_model_is_judged(read: locomo.Locomo) -> None:
    def script(request: CompletionRequest) -> str:
        if "check answers" in request.messages[0].content:
            return '{"verdict": "right"}'
        return json.dumps({"needed": True, "calls": [], "done": True, "found": False, "answer": "", "claims": []})

    made = await planned.ask_planner(engine(ScriptedLLM(script)), read, read.questions)
    assert made.measured.name == "planner with a model"
    assert all(one.right for one in made.answers)
    assert all(one.calls for one in made.answers)
    assert "right" in planned.said(made)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"memory": "rules"}, "embedder"), ({"memory": "model"}, "llm"), ({"sheet": Path("s.csv")}, "--memory")],
)
async def test_what_the_profile_lacks_is_said(read: locomo.Locomo, options: dict[str, Any], said: str) -> None:
    made = await running.run(read, arms=ARMS[:1])
    told: list[str] = []
    asked: dict[str, Any] = {"planner": None, "memory": None, "sheet": None, "tell": told.append, **options}
    with pytest.raises(UsageError, match=said):
        await further.further(engine(embedder=said == "llm"), read, made, **asked)
