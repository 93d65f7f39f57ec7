"""The search by itself, over settings whose worth is made up: which draws go on, and what a score is made of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from qx.eval.measures import parse_measures
from qx.eval.tuning.search import EXPLORE, PROMOTED, _Search
from qx.eval.tuning.space import Space, space
from qx.eval.tuning.trials import Trials, digest
from qx.eval.tuning.values import Budget, Trial
from qx.eval.values import Dataset, EvalQuery
from qx.plugins import Plugins
from qx.settings import Profile
from qx.types import Usage

PLUGINS = Plugins.load(allow=())
PROFILE = Profile.model_validate({"name": "p", "tenant": "t", "search": {"backends": {"main": {"type": "local"}}}})


def queries(count: int) -> Dataset:
    made = tuple(EvalQuery(id=f"q{n}", text=f"query {n}") for n in range(count))
    return Dataset(name="d", queries=made, grades={q.id: {"x": 1} for q in made}, fingerprint="f")


class Worth:
    """Trials whose score is a figure of the setting, another one on a part of the queries than on all of them."""

    seconds, usage = 0.0, Usage()

    async def trial(self, changes: Mapping[str, Any], dataset: Dataset) -> Trial:
        worth = int(digest(changes), 16) / 16**10 if changes else 0.0
        whole = len(dataset.queries) == 100
        return Trial(changes=dict(changes), queries=len(dataset.queries), gains={}, score=1 - worth if whole else worth)


def searching(budget: Budget, count: int = 100, seed: int = 1) -> _Search:
    searched: Space = space(PROFILE, PLUGINS)
    return _Search(Worth(), searched, queries(count), budget, seed, None)  # type: ignore[arg-type]


async def test_the_best_quarter_of_the_draws_goes_on_to_all_training_queries() -> None:
    made = searching(Budget(trials=40))
    best = await made.run()
    before, *rest = made.trials
    drawn = [trial for trial in rest if trial.queries == 50]
    assert (before.changes, before.queries, len(made.trials)) == ({}, 100, 40)
    assert len(drawn) == 40 * EXPLORE - 1
    assert [trial.queries for trial in rest] == [50] * len(drawn) + [100] * (39 - len(drawn))
    count = round(40 * EXPLORE / PROMOTED)
    promoted = [trial.changes for trial in rest[len(drawn) : len(drawn) + count]]
    assert promoted == [trial.changes for trial in sorted(drawn, key=lambda one: -one.score)[:count]]
    assert rest[len(drawn) + count].changes not in [trial.changes for trial in drawn]
    # what a part of the queries said is no reason: only trials on all of them can win
    whole = [trial for trial in made.trials if trial.queries == 100]
    assert best == max(whole, key=lambda one: one.score).changes


async def test_where_the_part_is_the_whole_nothing_is_tried_twice() -> None:
    made = searching(Budget(trials=20), count=30)
    await made.run()
    assert len({digest(trial.changes) for trial in made.trials}) == 20


async def test_a_score_is_the_mean_gain_less_its_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    measures = tuple(parse_measures(["mrr", "zero-results"]))
    trials = Trials(PROFILE, measures, plugins=PLUGINS)
    raw = {"mrr": np.array([0.1, 0.2, 0.3, np.nan]), "zero-results": np.array([1.0, 1.0, 0.0, 1.0])}
    found = {"mrr": np.array([0.3, 0.2, 0.7, np.nan]), "zero-results": np.array([0.0, 1.0, 0.0, 0.0])}

    async def scored(condition: Any, dataset: Dataset) -> Any:
        return found if condition.name.startswith("trial") else raw

    monkeypatch.setattr(trials, "_scores", scored)
    made = await trials.trial({"search.share": 0.5}, SimpleNamespace(queries=range(4), fingerprint="f"))  # type: ignore[arg-type]
    # mrr: 0.2, 0, 0.4: mean 0.2, deviation 0.2; zero-results falls by 1, 0, 0, 1: mean 0.5, deviation 1 / sqrt 3
    assert made.gains == pytest.approx({"mrr": 0.2, "zero-results": 0.5})
    careful = (0.2 - 0.2 / math.sqrt(3)) + (0.5 - math.sqrt(1 / 3) / math.sqrt(4))
    assert made.score == pytest.approx(careful / 2)
