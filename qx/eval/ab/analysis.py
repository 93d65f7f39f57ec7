"""Rows of an experiment -> what they show: figures of each arm, differences from the control, a verdict.

The order of the checks is that of trust: the users' ratio first, then the end that was fixed before, then differences.
What is compared (goals; all arms against the control) shares one corrected level of 5 % (Holm); guardrails are not
corrected: an alarm too many costs less than a harm not seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import Literal

from qx.errors import UsageError
from qx.eval.ab.assignment import check_arms
from qx.eval.ab.horizon import Counted, Horizon, count
from qx.eval.ab.log import Logged
from qx.eval.ab.measures import GUARDRAILS, estimates
from qx.eval.ab.statistics import FEWEST, Estimate, difference, sample_ratio
from qx.eval.values import Provenance
from qx.serial import empty, value

ALPHA = 0.05
MISMATCH = 0.001
"""Below this p the arms' users are not shared out as they should be."""

_UNKNOWN_ARMS = (
    "the arms are those that the log has, with equal weights: one that lost all of its users is not missed: name them "
    "with --arms"
)

Verdict = Literal["better", "worse", "unclear"]


@value
class Figure:
    """A measure of one arm; ``low`` and ``high`` bound it with 95 % (None: too few users).

    ``deviation`` is that of one user's figure, which ``qx ab plan --deviation`` asks for: the figure's error times the
    square root of the users (None: too few).
    """

    value: float
    low: float | None
    high: float | None
    users: int
    deviation: float | None = None


@value
class ArmReport:
    """One arm.  Before the end it has guardrails only."""

    name: str
    users: int
    exposures: int
    measures: Mapping[str, Figure]


@value
class ArmComparison:
    """Arm ``b`` against the control ``a``; ``relative`` is the difference as a share of the control's figure.

    ``p`` of a goal is corrected for all that is compared; the interval is of this comparison alone.
    """

    a: str
    b: str
    measure: str
    difference: float
    low: float
    high: float
    relative: float | None
    p: float
    guardrail: bool
    verdict: Verdict


@value
class SampleRatio:
    """Whether the arms have as many users as their weights ask for."""

    expected: Mapping[str, float]
    users: Mapping[str, int]
    p: float
    ok: bool


@value
class AbReport:
    """What ``qx ab report --json`` prints.

    Attributes:
        status: ``running`` (before the end: nothing is compared), ``untrusted`` (the sample ratio is wrong: nothing is
            compared), ``complete``.
        crossed: Users seen in several arms; they count in none.
        early, late: Rows left out: outcomes before a user's first exposure, rows after the end.
        unreadable: Why lines were left out -> how many.
        verdict: The whole in a sentence.
        provenance: When it was made, by which version and command; None from Python.
    """

    experiment: str
    status: Literal["running", "untrusted", "complete"]
    control: str
    horizon: str
    progress: str
    sample_ratio: SampleRatio
    arms: tuple[ArmReport, ...]
    comparisons: tuple[ArmComparison, ...] = ()
    crossed: int = 0
    early: int = 0
    late: int = 0
    unreadable: Mapping[str, int] = field(default_factory=empty)
    notes: tuple[str, ...] = ()
    verdict: str = ""
    provenance: Provenance | None = None


def analyse(
    experiment: str,
    logged: Logged,
    horizon: Horizon,
    *,
    now: datetime,
    arms: Mapping[str, float] | None = None,
    control: str | None = None,
) -> AbReport:
    """Return what an experiment shows at ``now``.

    Args:
        arms: Name -> weight, as they were assigned; None: all that were seen, with equal weights.
        control: The arm that the others are compared with; None: ``control`` where there is one, else the first.

    Raises:
        UsageError: an arm in the log is not among ``arms``, or there is no such control.
    """
    weights, against = _arms(experiment, logged, arms, control)
    counted = count(logged, horizon, now)
    shared = _shared(counted, weights, alone=arms is None and len(weights) < 2)
    status = "untrusted" if not shared.ok else "complete" if counted.reached else "running"
    figures = estimates(counted)
    report = AbReport(
        experiment=experiment,
        status=status,
        control=against,
        horizon=horizon.said,
        progress=counted.progress,
        sample_ratio=shared,
        arms=tuple(_arm(name, counted, figures.get(name, {}), hidden=not counted.reached) for name in weights),
        comparisons=_compared(figures, against, tuple(weights)) if status == "complete" else (),
        crossed=len(counted.crossed),
        early=counted.early,
        late=counted.late,
        unreadable=logged.unreadable,
        notes=(
            *(() if arms is not None else (_UNKNOWN_ARMS,)),
            *_notes(counted, logged, figures if status == "complete" else {}),
        ),
    )
    from qx.eval.ab.wording import verdict

    return replace(report, verdict=verdict(report))


def _arms(
    experiment: str, logged: Logged, arms: Mapping[str, float] | None, control: str | None
) -> tuple[dict[str, float], str]:
    """The arms with their weights, and the control's name."""
    seen = sorted({row.arm for row in logged.exposures})
    if not seen:
        raise UsageError(f"experiment {experiment!r}: nobody was shown anything: there are outcomes only")
    weights = dict(arms) if arms is not None else dict.fromkeys(seen, 1.0)
    check_arms(experiment, weights)
    unknown = [arm for arm in seen if arm not in weights]
    if unknown:
        raise UsageError(f"experiment {experiment!r}: the log has an arm {unknown[0]!r}, which is not among the given")
    against = control or ("control" if "control" in weights else next(iter(weights)))
    if against not in weights:
        raise UsageError(f"experiment {experiment!r}: no arm is called {against!r} (there are: {', '.join(weights)})")
    return weights, against


def _shared(counted: Counted, weights: Mapping[str, float], *, alone: bool) -> SampleRatio:
    """Whether the arms have their users.  One arm ``alone`` is no test, unless somebody said that there is no other."""
    users = dict.fromkeys(weights, 0)
    for arm in counted.arms.values():
        users[arm] += 1
    whole = math.fsum(weights.values())
    p = sample_ratio(list(users.values()), list(weights.values()))
    expected = {arm: weight / whole for arm, weight in weights.items()}
    return SampleRatio(expected=expected, users=users, p=p, ok=p >= MISMATCH and not alone)


def _arm(name: str, counted: Counted, figures: Mapping[str, Estimate], *, hidden: bool) -> ArmReport:
    """An arm; before the end the goals stay hidden, so that nobody stops when they look good."""
    return ArmReport(
        name=name,
        users=sum(arm == name for arm in counted.arms.values()),
        exposures=sum(counted.arms[row.user] == name for row in counted.exposures),
        measures={m: _figure(e) for m, e in figures.items() if not hidden or m in GUARDRAILS},
    )


def _figure(estimate: Estimate) -> Figure:
    low, high = estimate.interval() if estimate.units >= FEWEST else (-math.inf, math.inf)
    bounded = math.isfinite(low)
    return Figure(
        value=estimate.value,
        low=low if bounded else None,
        high=high if bounded else None,
        users=estimate.units,
        deviation=estimate.error * math.sqrt(estimate.units) if bounded else None,
    )


def _compared(
    figures: Mapping[str, Mapping[str, Estimate]], control: str, arms: Sequence[str]
) -> tuple[ArmComparison, ...]:
    from qx.eval.comparing import corrected

    found: list[ArmComparison] = []
    for arm in arms:
        for measure, estimate in figures.get(arm, {}).items():
            base = figures.get(control, {}).get(measure)
            made = None if base is None or arm == control else difference(base, estimate)
            if base is None or made is None:
                continue
            found.append(
                ArmComparison(
                    a=control,
                    b=arm,
                    measure=measure,
                    difference=made.difference,
                    low=made.low,
                    high=made.high,
                    relative=made.difference / base.value if base.value else None,
                    p=made.p,
                    guardrail=measure in GUARDRAILS,
                    verdict="unclear",
                )
            )
    goals = iter(corrected([c for c in found if not c.guardrail]))
    return tuple(_judged(c if c.guardrail else next(goals)) for c in found)


def _judged(made: ArmComparison) -> ArmComparison:
    if made.p >= ALPHA or made.difference == 0:
        return made
    return replace(made, verdict="better" if (made.difference > 0) is not made.guardrail else "worse")


def _notes(counted: Counted, logged: Logged, figures: Mapping[str, Mapping[str, Estimate]]) -> tuple[str, ...]:
    notes: list[str] = []
    if counted.crossed:
        notes.append(f"{len(counted.crossed)} users were seen in several arms and count in none: was a weight changed?")
    if logged.copies:
        notes.append(f"{logged.copies} rows stand word for word in two files: they count once (a log and its copy?)")
    if logged.unreadable:
        lost = sum(logged.unreadable.values())
        notes.append(
            f"{lost} lines cannot be read: {'; '.join(f'{why} ({n})' for why, n in logged.unreadable.items())}"
        )
    if counted.early:
        notes.append(
            f"{counted.early} outcomes came before the user's first exposure, or without one, and do not count"
        )
    few = sorted({m for found in figures.values() for m, e in found.items() if e.units < FEWEST})
    if few:
        notes.append(f"fewer than {FEWEST} users of an arm have {', '.join(few)}: not compared")
    return tuple(notes)


__all__ = ["AbReport", "ArmComparison", "ArmReport", "Figure", "SampleRatio", "analyse"]
