"""One setting, measured: run over queries (what an earlier run asked is there already), scored against no expansion."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qx.errors import UsageError
from qx.eval.comparing import paired
from qx.eval.conditions import conditions
from qx.eval.extra import need
from qx.eval.measures import Measure, measure, parse_measures
from qx.eval.names import MOST, check_depth
from qx.eval.running import DEPTH, Run
from qx.eval.tuning.space import applied
from qx.eval.tuning.values import Trial
from qx.eval.values import Condition, Dataset, Row
from qx.plugins import Plugins
from qx.settings import Profile
from qx.types import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = Mapping[str, NDArray[np.float64]]


def checked(names: Sequence[str]) -> tuple[Measure, ...]:
    """Return the measures to tune for.

    Raises:
        UsageError: one is none, compares with the raw query by itself, is no share of 1 (the score is a mean over measures,
            the tolerance is in points), or asks for more hits than a search brings.
    """
    found = tuple(parse_measures(names))
    wrong = [one.name for one in found if one.about.relative or one.about.unit != "points"]
    if wrong:
        raise UsageError(f"tuning goes by shares of 1 that a list has by itself, such as ndcg@10: not by {wrong[0]}")
    check_depth(found, MOST)
    return found


def depth_of(measures: Sequence[Measure]) -> int:
    """Return how many hits of each search the measures need: 100, or the deepest."""
    return max(DEPTH, *(one.depth or 0 for one in measures))


class Trials:
    """Measures settings of one profile.

    Args:
        measures: What is scored.
        folder: Where rows and answers are kept; None: ``$QX_HOME/eval``.
        run: Further arguments of ``Run``.

    Attributes:
        usage: What all rows so far spent, those of earlier runs too.
        notes: What the runs say of the index: that it lacks documents which are judged relevant.
    """

    def __init__(
        self,
        profile: Profile,
        measures: Sequence[Measure],
        *,
        plugins: Plugins,
        folder: Path | None = None,
        run: Mapping[str, Any] | None = None,
    ) -> None:
        self._profile = profile
        self._measures = measures
        self._plugins = plugins
        self._folder = folder
        self._depth = depth_of(measures)
        self._options = dict(run or {})
        self._began = time.monotonic()
        self._scored: dict[tuple[str, str], Scores] = {}
        self._raw = conditions([profile], plugins=plugins)[0]
        self.usage = Usage()
        self.notes: dict[str, None] = {}

    @property
    def seconds(self) -> float:
        """Since the first trial."""
        return time.monotonic() - self._began

    async def raw(self, dataset: Dataset) -> Scores:
        """Return the scores without expansion, by measure, in the order of the dataset's queries."""
        return await self._scores(self._raw, dataset)

    async def scores(self, changes: Mapping[str, Any], dataset: Dataset) -> Scores:
        """Return the scores of a setting."""
        name = f"trial {digest(changes)}" if changes else "before"
        condition = Condition(name=name, profile=applied(self._profile, changes), against=self._raw.name)
        return await self._scores(condition, dataset)

    async def trial(self, changes: Mapping[str, Any], dataset: Dataset) -> Trial:
        """Measure a setting."""
        numpy = need("numpy")
        raw, found = await self.raw(dataset), await self.scores(changes, dataset)
        gains: dict[str, float] = {}
        careful: list[float] = []
        for one in self._measures:
            differences = paired(raw[one.name], found[one.name]) * (-1 if one.about.lower else 1)
            gain = float(differences.mean()) if differences.size else 0.0
            error = float(differences.std(ddof=1) / numpy.sqrt(differences.size)) if differences.size > 1 else 0.0
            gains[one.name] = gain
            careful.append(gain - error)
        score = sum(careful) / len(careful)
        return Trial(changes=dict(changes), queries=len(dataset.queries), gains=gains, score=round(score, 12))

    async def _scores(self, condition: Condition, dataset: Dataset) -> Scores:
        key = (condition.name, dataset.fingerprint)
        if key not in self._scored:
            run = Run(
                dataset, [condition], folder=self._folder, depth=self._depth, plugins=self._plugins, **self._options
            )
            self.notes |= dict.fromkeys((await run.run()).notes)
            rows: list[Row] = []
            for row in run.rows(condition.name):
                self.usage += row.usage
                rows.append(row)
            failed = [row.error or row.incomplete for row in rows if not row.is_whole]
            if failed:
                raise UsageError(
                    f"{len(failed)} of {len(rows)} queries failed in {condition.name}, or lack an answer, the first with: "
                    f"{failed[0]}; a list that is not the profile's own proves nothing: put that right, the same command "
                    "goes on"
                )
            self._scored[key] = measure(rows, dataset, [one.name for one in self._measures])
        return self._scored[key]


def digest(changes: Mapping[str, Any]) -> str:
    """Return a short name of a setting."""
    return hashlib.sha256(json.dumps(changes, sort_keys=True).encode()).hexdigest()[:10]


__all__ = ["Trials", "checked", "depth_of", "digest"]
