"""The decision in words: expansion helps, hurts, or no difference is shown, and how many queries it would take."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from qx.eval.comparing import LEVEL, can_show, shows
from qx.eval.extra import need
from qx.eval.names import parse_measure
from qx.eval.values import Comparison, ConditionReport, Decision, Report

POWER = 0.8
"""How often a difference that is there would be shown, with the number of queries that is named."""
UNANSWERED = 0.01
"""Above this share of queries without an answer, in a condition or in what it is held against, nothing is decided: which
searches fail is no chance."""
POINT = 0.01
"""The difference that is worth seeing: one point."""
MANY = 4
"""Conditions without a difference that are told one by one."""
FEW = 50
"""Queries below which an interval is too narrow (docs/measures.md), and one without any width proves nothing: a loss that is
rare but large is easily not among them."""


def too_many(unanswered: int, queries: int) -> bool:
    """Whether so many queries without an answer, of so many, leave nothing to be decided."""
    return unanswered > UNANSWERED * queries


def decide(report: Report) -> tuple[Decision, ...]:
    """Return one decision for each condition that is held against one without expansion.

    Behind them come the conditions that are better or worse than the first profile, where that is shown.
    """
    return tuple(_decisions(report))


def told(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return decisions as a person reads them: of many that show no difference the first ones, and how many others."""
    quiet = [one for one in decisions if one.verdict == "no difference shown"]
    if len(quiet) <= MANY:
        return tuple(decisions)
    left = {id(one) for one in quiet[MANY:]}
    names = ", ".join(one.condition for one in quiet[MANY:])
    others = f"no difference shown either for {len(left)} others: {names}"
    text = Decision(condition="", verdict="no difference shown", text=others)
    return (*(one for one in decisions if id(one) not in left), text)


def _decisions(report: Report) -> Iterator[Decision]:
    shared = sum(map(can_show, report.comparisons))
    main = next((name for name in report.measures if not parse_measure(name).about.relative), None)
    if main is None:
        yield from (_no_measure(c.name, report.measures) for c in report.conditions if c.against)
        return
    against = {c.name: c.against for c in report.conditions}
    open_ = {c.name for c in report.conditions if too_many(c.unanswered, report.queries)}
    for one in report.conditions:
        if one.name in open_ and one.against:
            yield _not_decided(one, report.queries)
        else:
            pair = (one.against, one.name, main)
            found = [c for c in report.comparisons if (c.a, c.b, c.measure) == pair]
            yield from (_decision(c, shared) for c in found)
            if one.against and not found:
                said = f"{one.name}: nothing can be said of {main}: no query counts for it (see the notes)"
                yield Decision(condition=one.name, verdict="unknown", text=said)
    for comparison in report.comparisons:
        others = comparison.measure == main and against.get(comparison.b) != comparison.a
        if others and shows(comparison) and not open_ & {comparison.a, comparison.b}:
            yield _between(comparison)


def _no_measure(name: str, measures: Sequence[str]) -> Decision:
    tell = "tells" if len(measures) == 1 else "tell"
    text = (
        f"{name}: nothing is decided: {', '.join(measures)} {tell} how a list differs from the raw query's, not which "
        "is better: add a measure such as ndcg@10"
    )
    return Decision(condition=name, verdict="unknown", text=text)


def _not_decided(c: ConditionReport, queries: int) -> Decision:
    text = (
        f"{c.name}: not to be decided: {c.unanswered} of {queries} queries have no answer, in it or in {c.against} "
        f"(more than {100 * UNANSWERED:.0f} %): run again, they are asked anew"
    )
    return Decision(condition=c.name, verdict="unknown", text=text)


def _figures(c: Comparison) -> str:
    scale, unit = (100.0, "points of ") if parse_measure(c.measure).about.unit == "points" else (1.0, "of ")
    return f"{_signed(scale * c.difference)} {unit}{c.measure} ({_signed(scale * c.low)} to {_signed(scale * c.high)})"


def _between(c: Comparison) -> Decision:
    verdict = "better" if (c.difference > 0) != parse_measure(c.measure).about.lower else "worse"
    return Decision(
        condition=c.b, verdict=verdict, text=f"{c.b} is {verdict} than {c.a}: {_figures(c)}, p {p_text(c.p)}"
    )


def _decision(c: Comparison, shared: int) -> Decision:
    about = parse_measure(c.measure).about
    figures = _figures(c)
    apart = c.low > 0 or c.high < 0
    if shows(c):
        better = (c.difference > 0) != about.lower
        verdict = "helps" if better else "hurts"
        return Decision(condition=c.b, verdict=verdict, text=f"{c.b}: expansion {verdict}: {figures}, p {p_text(c.p)}")
    why = f" once corrected for all comparisons (p {p_text(c.p)})" if apart else ""
    text = f"{c.b}: no difference shown{why}: {figures}{_outlook(c, shared, points=about.unit == 'points')}"
    return Decision(condition=c.b, verdict="no difference shown", text=text)


def _outlook(c: Comparison, shared: int, *, points: bool) -> str:
    """What more queries would show: 1 point, where the measure has points, and the difference that was seen."""
    if c.deviation == 0:
        return "; every query scores the same in both"
    point = _more(c, shared, POINT) if points else 0
    seen = _more(c, shared, abs(c.difference)) if c.difference else 0
    enough = (
        f"; {c.queries} queries would most likely have shown a difference of 1 point" if points and not point else ""
    )
    sizes = ((point, "1 point"), (seen, "a difference as large as the one seen"))
    told = [f"about {_rounded(more)} to see {said}" for more, said in sizes if more]
    return f"{enough}; more queries would be needed: {', '.join(told)}" if told else enough


def _more(c: Comparison, shared: int, difference: float) -> int:
    """Queries that are missing to show a true ``difference`` four times out of five; 0: none."""
    return max(0, queries_needed(c.deviation, difference, comparisons=shared) - c.queries)


def queries_needed(deviation: float, difference: float = POINT, *, comparisons: int = 1) -> int:
    """Return how many queries show a true ``difference`` four times out of five (two-sided, 5 %).

    Args:
        deviation: Standard deviation of the paired differences, fraction of 1.
        difference: The true mean difference, fraction of 1.
        comparisons: That share the level, as p is corrected for all of them (Bonferroni's, which Holm never exceeds).

    Source: n = ((z(1 - a/2m) + z(power)) * s / d)^2, for paired samples (e.g. Sakai, Information Retrieval Journal 2016).
    """
    norm = need("scipy.stats").norm
    factor = float(norm.ppf(1 - LEVEL / max(1, comparisons) / 2) + norm.ppf(POWER))
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
