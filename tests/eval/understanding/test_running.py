"""Rows read by an engine: with rules, and with a model whose answers are kept."""

import asyncio

import pytest

from engines import PLUGINS, analysis, profile, queries, stage
from qx import Engine, Expansion, Query
from qx.errors import BadRequest, Unavailable
from qx.eval.understanding import Row, Wanted, read_all, report, unknown_intents
from qx.eval.understanding.table import lines
from qx.gathering import gather_knowledge
from qx.llm import CompletionRequest
from qx.testing import Answer, ScriptedLLM

TEXTS = ("Python里怎么把列表里的重复元素去掉", "how to descale a kettle", "泰山海拔多少米")
ROWS = tuple(Row(line=n, wanted=Wanted(text=text, intents=("how-to",)), file="f") for n, text in enumerate(TEXTS, 1))


def model(request: CompletionRequest) -> str:
    return analysis() if stage(request) == "understand" else queries("one more query", "yet another")


async def test_rules_read_every_row_in_order_and_tell_progress():
    told: list[tuple[int, int]] = []
    found = await read_all(ROWS, profile(), plugins=PLUGINS, progress=lambda done, of: told.append((done, of)))
    assert [row.row.line for row in found] == [1, 2, 3]
    assert told == [(1, 3), (2, 3), (3, 3)]
    made = report("f", profile(), found)
    assert made.mode == "rules"
    assert made.rungs == {"rules": 3}
    assert made.latency.rows == 3
    assert made.usage.calls == 0
    assert all(row.reading.queries for row in found)


async def test_rules_alone_need_no_folder_to_write_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QX_HOME", "/dev/null/home")
    assert len(await read_all(ROWS, profile(), plugins=PLUGINS)) == 3


async def test_two_readings_of_one_set_have_the_same_rows_in_each_group() -> None:
    found = await read_all(ROWS, profile(), plugins=PLUGINS)
    made = report("f", profile(), found, kinds=["simple", "complex", "complex"])
    assert {kind: scores.rows for kind, scores in made.kinds.items()} == {"complex": 2, "simple": 1}


def test_an_intent_that_no_pack_has_is_told() -> None:
    rows = [Row(line=n, wanted=Wanted(text="x", intents=(name,))) for n, name in enumerate(("how-two", "how-to"), 1)]
    taxonomy = gather_knowledge(profile(), PLUGINS).taxonomy
    assert unknown_intents(rows, taxonomy) == (
        "no pack of the profile has the intent 'how-two' (line 1): did you mean 'how-to'?",
    )


async def test_rules_take_one_row_after_the_other_though_the_profile_names_a_model():
    """``understand: {mode: rules}`` alone is enough: ``expand`` has its mode."""
    own = profile(ScriptedLLM(model), understand={"mode": "rules"})
    at_once: list[int] = []
    under_way = 0
    expand = Engine.expand

    async def watched(self: Engine, query: Query) -> Expansion:
        nonlocal under_way
        under_way += 1
        at_once.append(under_way)
        try:
            await asyncio.sleep(0)
            return await expand(self, query)
        finally:
            under_way -= 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "expand", watched)
        found = await read_all(ROWS, own, plugins=PLUGINS)
    assert max(at_once) == 1
    assert report("f", own, found).mode == "rules"


async def test_a_second_run_asks_no_model():
    llm = ScriptedLLM(model)
    own = profile(llm)
    first = await read_all(ROWS, own, plugins=PLUGINS)
    assert llm.calls == 6
    made = report("f", own, first)
    assert (made.usage.calls, made.usage.cached, made.latency.rows) == (6, 0, 3)
    assert made.rungs == {"llm": 3}
    assert made.scores.intents is not None
    assert made.scores.intents.first == 1.0

    second = await read_all(ROWS, own, plugins=PLUGINS)
    assert llm.calls == 6
    assert report("f", own, second).usage.cached == 6
    assert report("f", own, second).latency.rows == 0
    assert [row.reading.queries for row in second] == [row.reading.queries for row in first]


async def test_a_fresh_run_asks_anew():
    llm = ScriptedLLM(model)
    own = profile(llm)
    await read_all(ROWS, own, plugins=PLUGINS)
    await read_all(ROWS, own, plugins=PLUGINS, fresh=True)
    assert llm.calls == 12


async def test_a_model_that_fails_shows_in_the_rungs():
    llm = ScriptedLLM(default=Answer(error=BadRequest("too long")))
    found = await read_all(ROWS, profile(llm), plugins=PLUGINS, concurrency=2)
    made = report("f", profile(llm), found)
    assert made.rungs == {"rules": 3}
    assert made.degraded == 3
    assert made.errors == 0
    assert made.notes == ()  # it has answered


async def test_a_model_that_does_not_answer_is_told():
    down = profile(ScriptedLLM(default=Answer(error=Unavailable("refused"))))
    made = report("f", down, await read_all(ROWS, down, plugins=PLUGINS, concurrency=2), ["first"])
    assert made.notes == (
        "first",
        "3 of 3 rows are as the rules read them, since the model did not answer (refused): these figures are not the "
        "model's; run again once it answers",
    )
    assert made.notes[1] in "\n".join(lines(made))


async def test_rows_are_read_at_once_but_no_more_than_asked():
    llm = ScriptedLLM(model, delay=0.01)
    await read_all(ROWS, profile(llm), plugins=PLUGINS, concurrency=2)
    assert llm.peak == 2


@pytest.mark.parametrize("cache", ["memory", "none"])
async def test_no_result_of_another_row_is_remembered(cache: str):
    twice = (ROWS[0], ROWS[0])
    found = await read_all(twice, profile(cache={"type": cache}), plugins=PLUGINS)
    assert all(row.reading.usage.cached == 0 for row in found)
