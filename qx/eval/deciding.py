"""The decision in words: expansion helps, hurts, or no difference is shown, and how many queries it would take."""

from __future__ import annotations

import math
from collections.abc import Iterator

from qx.eval.extra import need
from qx.eval.names import parse_measure
from qx.eval.values import Comparison, Report
from qx.serial import value

LEVEL = 0.05
POWER = 0.8
"""How often a difference that is there would be shown, with the number of queries that is named."""
POINT = 0.01
"""The difference that is worth seeing: one point."""


@value
class Decision:
    """What one condition's comparison on the deciding measure says."""

    condition: str
    verdict: str
    text: str


def decide(report: Report) -> tuple[Decision, ...]:
    """Return one decision for each condition that is held against one without expansion.

    Behind them come the conditions that are better or worse than the first profile, where that is shown.
    """
    return tuple(_decisions(report))


def _decisions(report: Report) -> Iterator[Decision]:
    main = next((name for name in report.measures if not parse_measure(name).about.relative), None)
    against = {c.name: c.against for c in report.conditions}
    for comparison in report.comparisons:
        if comparison.measure == main and against.get(comparison.b) == comparison.a:
            yield _decision(comparison)
    for comparison in report.comparisons:
        if comparison.measure == main and against.get(comparison.b) != comparison.a and _is_shown(comparison):
            yield _between(comparison)


def _is_shown(c: Comparison) -> bool:
    return (c.low > 0 or c.high < 0) and c.p < LEVEL


def _figures(c: Comparison) -> str:
    scale, unit = (100.0, "points of ") if parse_measure(c.measure).about.unit == "points" else (1.0, "of ")
    return f"{_signed(scale * c.difference)} {unit}{c.measure} ({_signed(scale * c.low)} to {_signed(scale * c.high)})"


def _between(c: Comparison) -> Decision:
    verdict = "better" if (c.difference > 0) != parse_measure(c.measure).about.lower else "worse"
    return Decision(
        condition=c.b, verdict=verdict, text=f"{c.b} is {verdict} than {c.a}: {_figures(c)}, p {p_text(c.p)}"
    )


def _decision(c: Comparison) -> Decision:
    about = parse_measure(c.measure).about
    figures = _figures(c)
    if c.queries == 0:
        return Decision(condition=c.b, verdict="unknown", text=f"{c.b}: nothing can be said: no query counts")
    apart = c.low > 0 or c.high < 0
    if _is_shown(c):
        better = (c.difference > 0) != about.lower
        verdict = "helps" if better else "hurts"
        return Decision(condition=c.b, verdict=verdict, text=f"{c.b}: expansion {verdict}: {figures}, p {p_text(c.p)}")
    why = f" once corrected for all comparisons (p {p_text(c.p)})" if apart else ""
    text = f"{c.b}: no difference shown{why}: {figures}{_outlook(c) if about.unit == 'points' else ''}"
    return Decision(condition=c.b, verdict="no difference shown", text=text)


def _outlook(c: Comparison) -> str:
    """What more queries would show."""
    if c.deviation == 0:
        return "; every query scores the same in both"
    wanted = queries_needed(c.deviation)
    if wanted > c.queries:
        return f"; about {_rounded(wanted - c.queries)} more queries would be needed to see 1 point"
    return f"; {c.queries} queries would most likely have shown a difference of 1 point"


def queries_needed(deviation: float, difference: float = POINT) -> int:
    """Return how many queries show a true ``difference`` four times out of five (two-sided, 5 %).

    Args:
        deviation: Standard deviation of the paired differences, fraction of 1.
        difference: The true mean difference, fraction of 1.

    Source: n = ((z(1 - a/2) + z(power)) * s / d)^2, for paired samples (e.g. Sakai, Information Retrieval Journal 2016).
    """
    norm = need("scipy.stats").norm
    factor = float(norm.ppf(1 - LEVEL / 2) + norm.ppf(POWER))
    return math.ceil((factor * deviation / difference) ** 2)


def p_text(p: float) -> str:
    """Return a p value as it is written: never 0."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _signed(number: float) -> str:
    return f"{number:+.2f}"


def _rounded(number: int) -> str:
    """Two digits are more than such an estimate knows: 1,240 becomes 1,300."""
    digits = max(0, len(str(number)) - 2)
    return f"{math.ceil(number / 10**digits) * 10**digits:,}"
