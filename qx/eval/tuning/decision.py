"""What the held-out queries prove, and which profile follows: never one that is worse than no expansion.

A profile is *proven* where, on the held-out queries, against no expansion,

- each measure counts at least 50 of them: in fewer, losses that are rare but large are easily missing, and then no interval
  has the width to show them,
- one measure is better: its interval of 95 % lies above 0 and p < 0.05, corrected (Holm) for every measure of both
  profiles that are judged, and
- no measure is worse by more than the tolerance: each interval's lower bound is above it.

The tuned profile is taken if it is proven, unless the profile as it was is proven too and the tuned one is shown to be worse
than that on any measure; else the profile as it was, if that is proven; else expansion is switched off.  How the tuned one
stands beside the profile as it was is said in any case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from qx.eval.comparing import compare_arrays, corrected, shows
from qx.eval.deciding import FEW
from qx.eval.extra import need
from qx.eval.measures import Measure
from qx.eval.tuning.values import Choice, Side

if TYPE_CHECKING:
    from qx.eval.tuning.trials import Scores

TOLERANCE = 0.005
"""Half a point: what a gate in CI usually allows."""
PROVING = FEW
"""Held-out queries that prove anything; docs/measures.md: below, intervals are too narrow."""


def sides(raw: Scores, profiles: Mapping[str, Scores], measures: Sequence[Measure]) -> tuple[Side, ...]:
    """Return each profile against another one's scores (no expansion's, mostly); above 0 is better, whatever the measure."""
    numpy = need("numpy")
    found: list[Side] = []
    for name, scores in profiles.items():
        for one in measures:
            a, b = raw[one.name], scores[one.name]
            made = compare_arrays(a, b, names=("no-expansion", name), measure=one.name, lower=one.about.lower)
            difference, low, high = made.difference, made.low, made.high
            if one.about.lower:
                difference, low, high = -difference, -high, -low
            found.append(
                Side(
                    name=name,
                    measure=one.name,
                    without=float(numpy.nanmean(a)),
                    figure=float(numpy.nanmean(b)),
                    difference=difference,
                    low=low,
                    high=high,
                    p=made.p,
                    queries=made.queries,
                )
            )
    return corrected(found)


def decide(
    held_out: Sequence[Side], beside: Sequence[Side] = (), *, tolerance: float = TOLERANCE
) -> tuple[Choice, str]:
    """Return which profile is to be written, and why.

    Args:
        held_out: Of ``before``, and of ``tuned`` where the search found another setting.
        beside: Of ``tuned`` against ``before``, on the same queries.
        tolerance: A fraction of 1.
    """
    tuned, before = _proof(held_out, "tuned", tolerance), _proof(held_out, "before", tolerance)
    worse = [one for one in beside if one.difference < 0 and shows(one)]
    if tuned == "" and not (before == "" and worse):
        said = f"the tuned profile is proven better than no expansion: {_better(held_out, 'tuned')}"
        return "tuned", f"{said}; {_beside(beside)}" if beside else said
    if tuned == "":
        tuned = f"proven, but {_beside(beside)}"
    said = "the search found nothing better than the profile as it was" if tuned is None else f"tuned: {tuned}"
    if before is not None and not before:
        return "before", f"{said}; the profile as it was is proven: {_better(held_out, 'before')}"
    return "off", f"expansion is switched off, as it is not proven: {said}; before: {before}"


def _proof(held_out: Sequence[Side], name: str, tolerance: float) -> str | None:
    """Why a profile is not proven; empty where it is, None where it was not judged."""
    own = [one for one in held_out if one.name == name]
    if not own:
        return None
    fewest = min(own, key=lambda one: one.queries)
    if fewest.queries < PROVING:
        return (
            f"too few queries to prove anything: {fewest.queries} held out count for {fewest.measure}, "
            f"{PROVING} are needed"
        )
    worse = [one for one in own if one.low < -tolerance]
    if worse:
        lowest = min(worse, key=lambda one: one.low)
        word = "is worse" if lowest.high < 0 else "may be worse"
        return f"{lowest.measure} {word} ({_figures(lowest)})"
    if not any(_is_better(one) for one in own):
        return "no difference shown (" + ", ".join(f"{one.measure} {_figures(one)}" for one in own) + ")"
    return ""


def _beside(beside: Sequence[Side]) -> str:
    """How the tuned profile stands beside the one as it was."""
    words = {one.measure: "worse" if one.difference < 0 else "better" for one in beside if shows(one)}
    told = (f"{one.measure} {words.get(one.measure, 'no difference shown')}, {_figures(one)}" for one in beside)
    return f"beside the profile as it was: {'; '.join(told)}"


def _is_better(one: Side) -> bool:
    return one.difference > 0 and shows(one)


def _better(held_out: Sequence[Side], name: str) -> str:
    return ", ".join(f"{one.measure} {_figures(one)}" for one in held_out if one.name == name and _is_better(one))


def _figures(one: Side) -> str:
    return f"{100 * one.difference:+.2f} points, {100 * one.low:+.2f} to {100 * one.high:+.2f}"


__all__ = ["PROVING", "TOLERANCE", "decide", "sides"]
