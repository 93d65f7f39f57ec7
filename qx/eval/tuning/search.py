"""``tune``: searches settings on one half of the queries, and proves them on the other.

The search is short on purpose.  There are some ten settings, a trial takes a minute, and the noise between 50 queries is
greater than what a clever sampler would gain over 40 draws: so random draws on a part of the training queries, the best
quarter of them on all (successive halving: Jamieson, Talwalkar, AISTATS 2016), then small changes of the best.  Random
search with the same budget is within noise of Bayesian optimisation at this size (Bergstra, Bengio, JMLR 2012); a library
for it would bring a database and its own notion of resuming for fifty lines.

Whatever it finds is drawn from a seed and depends on nothing but the rows, which are kept: the same command, ended midway,
goes on to the same end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from qx.eval.measures import Measure
from qx.eval.tuning.decision import PROVING, TOLERANCE, decide, sides
from qx.eval.tuning.space import Changes, Space, applied, space
from qx.eval.tuning.splitting import part, split
from qx.eval.tuning.trials import Trials, checked, digest
from qx.eval.tuning.values import Budget, Progress, Side, Trial, TuneReport
from qx.eval.values import Dataset
from qx.plugins import Plugins
from qx.settings import Profile

MEASURES = ("ndcg@10", "recall@100")
EXPLORE = 0.6
"""Share of the budget for draws on a part of the queries."""
PROMOTED = 4
"""One in so many of them goes on to all training queries."""
PART = 40
"""Queries of the part, at least; half of the training side where that is more."""


async def tune(
    profile: Profile,
    dataset: Dataset,
    *,
    measures: tuple[str, ...] = MEASURES,
    budget: Budget | None = None,
    share: float = 0.5,
    seed: int = 0,
    tolerance: float = TOLERANCE,
    plugins: Plugins | None = None,
    folder: Path | None = None,
    command: str = "",
    on_progress: Callable[[Progress], None] | None = None,
    **run: Any,
) -> TuneReport:
    """Search a profile's settings, and decide on the held-out queries which profile is to be used.

    Args:
        measures: What is to be better (any), and what must not be worse (all).
        budget: None: 40 trials.
        share: Of the queries that are searched on.
        tolerance: How much worse a measure's lower bound may be, a fraction of 1.
        plugins: What is installed; None: looked for.
        folder: Where rows and answers are kept; None: ``$QX_HOME/eval``.
        command: What the report says would do the same again.
        on_progress: Told after each trial.
        run: Further arguments of ``qx.eval.running.Run``.

    Raises:
        UsageError: too few queries, a measure that is none, or queries that fail.
        ProfileError, PluginError, ProviderError: an engine cannot be opened.
    """
    wanted = checked(measures)
    limits = budget or Budget()
    known = plugins or Plugins.load()
    train, held = split(dataset, share=share, seed=seed)
    trials = Trials(profile, wanted, plugins=known, folder=folder, run=run)
    found = _Search(trials, space(profile, known), train, limits, seed, on_progress)
    best = await found.run()
    held_out, training = await _sides(trials, best, held, wanted), await _sides(trials, best, train, wanted)
    beside = sides(await trials.scores({}, held), {"tuned": await trials.scores(best, held)} if best else {}, wanted)
    choice, reason = decide(held_out, beside, tolerance=tolerance)
    return TuneReport(
        dataset=dataset.name,
        profile=profile.name,
        command=command,
        seed=seed,
        measures=tuple(one.name for one in wanted),
        train=len(train.queries),
        held=len(held.queries),
        trials=tuple(found.trials),
        changes=best,
        training=training,
        held_out=held_out,
        beside=beside,
        choice=choice,
        reason=reason,
        ended=found.ended,
        usage=trials.usage,
        notes=(*_notes(dataset, train, held), *trials.notes),
        settings=_settings(profile, best) if choice == "tuned" else {} if choice == "before" else OFF,
    )


async def _sides(trials: Trials, best: Changes, side: Dataset, measures: Sequence[Measure]) -> tuple[Side, ...]:
    """The profile as it was, and as it was tuned, on one side of the split."""
    profiles: dict[str, Changes] = {"before": {}} | ({"tuned": best} if best else {})
    return sides(await trials.raw(side), {name: await trials.scores(c, side) for name, c in profiles.items()}, measures)


OFF: Mapping[str, Any] = {"expand.abstain": "always"}


def _settings(profile: Profile, changes: Changes) -> Changes:
    """Changes as a profile writes them: what is done without, with what was done without before."""
    made = dict(changes)
    if "expand.without" in made:
        made["expand.without"] = list(applied(profile, changes).expand.without)
    return made


def _notes(dataset: Dataset, train: Dataset, held: Dataset) -> tuple[str, ...]:
    left = len(dataset.queries) - len(train.queries) - len(held.queries)
    notes = [*dataset.notes]
    if left:
        notes.append(f"{left} queries have no relevant document and were left out")
    if len(held.queries) < PROVING:
        notes.append(
            f"{len(held.queries)} held-out queries prove nothing, it takes {PROVING}: give more queries, or a smaller share "
            "to the search"
        )
    return tuple(notes)


class _Search:
    def __init__(
        self,
        trials: Trials,
        space: Space,
        train: Dataset,
        budget: Budget,
        seed: int,
        tell: Callable[[Progress], None] | None,
    ) -> None:
        self._measured = trials
        self._space = space
        self._train = train
        self._part = part(train, max(PART, len(train.queries) // 2), seed=seed)
        self._budget = budget
        self._chance = random.Random(seed)
        self._tell = tell
        self._best: Trial | None = None
        self._known: set[str] = set()
        self.trials: list[Trial] = []
        self.ended = ""

    async def run(self) -> Changes:
        """Return the best changes; empty where the profile as it was is as good."""
        before = await self._tried({}, self._train, "before")
        drawn: list[Trial] = []
        promoted = max(1, round(self._budget.trials * EXPLORE / PROMOTED))
        while len(self.trials) < self._budget.trials * EXPLORE:
            changes = self._new(lambda: self._space.draw(self._chance))
            if self._ends() or changes is None:
                break
            drawn.append(await self._tried(changes, self._part, "draws"))
        for one in sorted(drawn, key=_order)[:promoted]:
            if self._part is not self._train and not self._ends():
                await self._tried(dict(one.changes), self._train, "best draws")
        while not self._ends():
            start: Changes = dict(self._best.changes) if self._best is not None else {}
            changes = self._new(lambda start=start: self._space.neighbour(start, self._chance))
            if changes is None:
                self.ended = "there is nothing left to try"
                break
            await self._tried(changes, self._train, "changes of the best")
        if self._best is None or self._best.score <= before.score:
            return {}
        return dict(self._best.changes)

    def _new(self, make: Callable[[], Changes]) -> Changes | None:
        """A setting that was not tried yet; None where a hundred draws bring none."""
        for _ in range(100):
            changes = make()
            if changes and digest(changes) not in self._known:
                self._known.add(digest(changes))
                return changes
        return None

    async def _tried(self, changes: Changes, dataset: Dataset, stage: str) -> Trial:
        made = await self._measured.trial(changes, dataset)
        self.trials.append(made)
        if dataset is self._train and (self._best is None or _order(made) < _order(self._best)):
            self._best = made
        if self._tell is not None:
            best = None if self._best is None else self._best.score
            self._tell(Progress(trial=len(self.trials), trials=self._budget.trials, best=best, stage=stage))
        return made

    def _ends(self) -> bool:
        if not self.ended:
            spent = self._budget.spent(self._measured.seconds, self._measured.usage)
            tried = f"{self._budget.trials} trials" if len(self.trials) >= self._budget.trials else ""
            self.ended = tried or spent
        return bool(self.ended)


def _order(trial: Trial) -> tuple[float, int, str]:
    """The better first; of equals the one that changes less."""
    return (-trial.score, len(trial.changes), digest(trial.changes))


__all__ = ["MEASURES", "tune"]
