"""Whether expansions wait for the raw query's hits is settled once, and never by chance."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from qx.errors import Unavailable
from qx.eval.conditions import conditions
from qx.eval.running import Run
from qx.eval.values import Dataset
from qx.eval.waiting import settled
from qx.testing import ScriptedLLM

from .conftest import PLUGINS, MakeProfile, answer
from .counting import Counting


def test_a_local_index_and_a_model_are_waited_for(local: MakeProfile, remote: MakeProfile) -> None:
    for profile in (local(), remote(llm=ScriptedLLM(answer))):
        assert settled(conditions([profile], plugins=PLUGINS)[1]) == "always"
    raw, rules = conditions([remote()], plugins=PLUGINS)
    assert (settled(raw), settled(rules)) == ("always", None)


@pytest.mark.parametrize(("delay", "waiting"), [(0.0, "always"), (0.05, "never")])
async def test_an_engine_elsewhere_is_tried_once_for_all(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting, delay: float, waiting: str
) -> None:
    engine_that_counts._delay = delay
    run = Run(dataset, conditions([remote(), remote("twin")], plugins=PLUGINS), plugins=PLUGINS)
    await run.run()
    plain = json.loads((run.folder.path / "run.json").read_text("utf-8"))
    assert list(plain["waiting"].values()) == [waiting]
    of = {name: {row.query: row.found for row in run.rows(name)} for name in ("remote", "twin")}
    assert of["remote"] == of["twin"]
    engine_that_counts._delay = 0.0  # it is quick today: what was settled stays
    later = Run(dataset, conditions([remote("third")], plugins=PLUGINS), plugins=PLUGINS)
    await later.run()
    assert {row.query: row.found for row in later.rows("third")} == of["remote"]


async def test_what_is_kept_is_no_quick_engine(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    engine_that_counts._delay = 0.05
    made = conditions([remote()], plugins=PLUGINS)
    await Run(dataset, made, plugins=PLUGINS).run()
    half = replace(dataset, queries=dataset.queries[:10], fingerprint="half")  # its searches are kept by now
    run = Run(half, made, plugins=PLUGINS)
    await run.run()
    assert set(run.folder.moment().waiting.values()) == {"never"}


async def test_an_engine_that_fails_is_not_waited_for(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    engine_that_counts._script = lambda request: Unavailable("down")
    few = replace(dataset, queries=dataset.queries[:2], fingerprint="few")
    run = Run(few, conditions([remote()], plugins=PLUGINS), plugins=PLUGINS)
    assert (await run.run()).failed == {"no-expansion": 2, "remote": 2}
