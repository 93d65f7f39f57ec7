"""What stands in the place of an answer that did not come: nowhere is it taken for the profile's own."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qx.errors import ProviderError, Unavailable, UsageError
from qx.eval.judging.working import Options, judge_relevance
from qx.eval.running import Run
from qx.eval.sheets import items_of
from qx.eval.tuning.trials import Trials, checked
from qx.eval.values import Condition, Dataset
from qx.llm import CompletionRequest
from qx.settings import Profile
from qx.testing import ScriptedLLM

from .conftest import PLUGINS, MakeProfile, answer
from .counting import Counting


def down(request: CompletionRequest) -> Exception:
    return Unavailable("connection refused")


async def test_tuning_measures_no_rules_in_the_place_of_a_model_that_is_down(
    dataset: Dataset, remote: MakeProfile
) -> None:
    llm = ScriptedLLM(down)
    trials = Trials(remote(llm=llm), checked(["mrr"]), plugins=PLUGINS)
    with pytest.raises(UsageError, match=r"20 of 20 queries failed in before, or lack an answer.*connection refused"):
        await trials.scores({}, dataset)
    llm._script = answer
    assert len((await trials.scores({}, dataset))["mrr"]) == len(dataset.queries)


async def test_a_judge_compares_no_lists_that_lack_an_answer(
    dataset: Dataset, remote: MakeProfile, filled: Path
) -> None:
    """What rules found in the model's place is neither gain nor loss of the model's."""

    def sometimes(request: CompletionRequest) -> str | Exception:
        return Unavailable("refused") if "怎么补胎" in request.messages[-1].content else answer(request)

    block = {"provider": "scripted", "model": "j", "options": {"instance": "judge-lacks"}, "retries": 0}
    judge = Profile.model_validate({"name": "judge", "tenant": "eval", "llm": block})
    ScriptedLLM(default='{"grade": 2}').named("judge-lacks")
    made = await judge_relevance(
        replace(dataset, grades={}), judge, [remote(llm=ScriptedLLM(sometimes))],
        top=3, corpus=filled / "help", options=Options(threshold=-1.0), plugins=PLUGINS,
    )  # fmt: skip
    assert any("remote: 1 of 20 searches lack what" in note for note in made.notes)
    assert {one.queries for one in made.comparisons} == {19}


async def test_an_engine_that_does_not_answer_a_baseline_is_no_tie_with_the_raw_query(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    """What is shown then are the raw query's hits."""
    script: Any = engine_that_counts._script
    data = replace(dataset, queries=dataset.queries[:2])
    way = [Condition(name="rm3", profile=remote(), baseline="rm3")]
    whole = Run(data, way, plugins=PLUGINS)
    await whole.run()
    second = {row.queries[1].text for row in whole.rows("rm3")}
    assert second
    engine_that_counts._script = lambda r: Unavailable("no shard") if r.text in second else script(r)
    run = Run(data, way, plugins=PLUGINS, fresh=True)
    await run.run()
    assert [("no shard" in row.incomplete, bool(row.found)) for row in run.rows("rm3")] == [(True, True)] * 2


async def test_nor_is_one_whose_first_search_fails(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    script: Any = engine_that_counts._script
    data = replace(dataset, queries=dataset.queries[:1])
    asked = Counter[str]()

    def once(request: Any) -> Any:  # the first time it is tried how fast the engine is, which tries a second time
        asked[request.text] += 1
        return Unavailable("no shard") if asked[request.text] in (2, 3) else script(request)

    engine_that_counts._script = once
    run = Run(data, [Condition(name="rm3", profile=remote(), baseline="rm3")], plugins=PLUGINS)
    await run.run()
    assert ["no shard" in row.error for row in run.rows("rm3")] == [True]


async def test_no_sheet_shows_rules_in_the_place_of_a_model_that_is_down(dataset: Dataset, remote: MakeProfile) -> None:
    shown = (("remote", remote(llm=ScriptedLLM(down))),)
    for results in (0, 3):
        with pytest.raises(ProviderError, match="remote: connection refused: what stands in its place"):
            await items_of(dataset.queries[:2], shown, results=results, plugins=PLUGINS)
