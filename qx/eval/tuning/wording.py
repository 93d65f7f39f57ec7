"""A tuning's report for people: training and held-out side by side."""

from __future__ import annotations

from collections.abc import Iterator

from qx.eval.aligned import indented
from qx.eval.deciding import p_text
from qx.eval.tuning.values import Side, TuneReport

_CHOSEN = {"tuned": "the tuned settings", "before": "the settings as they were", "off": "no expansion"}


def lines(report: TuneReport) -> Iterator[str]:
    """Yield the report as lines of text."""
    yield f"{report.profile} on {report.dataset}: {_CHOSEN[report.choice]}: {report.reason}"
    yield ""
    yield f"{len(report.trials)} trials on {report.train} queries ({report.ended}); {report.held} held out; points"
    head = ("", "measure", "training: without", "gain", "held out: without", "gain", "95 %", "p")
    yield from indented([head, *map(_row, _pairs(report))], left=2)
    if report.beside:
        yield ""
        yield "tuned beside the profile as it was, held out:"
        head = ("measure", "before", "tuned", "difference", "95 %", "p")
        yield from indented([head, *map(_beside, report.beside)], left=1)
    if report.changes:
        yield ""
        yield "best on the training queries:"
        yield from (f"  {name}: {item}" for name, item in sorted(report.changes.items()))
    if report.usage.calls:
        yield f"{report.usage.calls} model calls, {report.usage.input_tokens + report.usage.output_tokens} tokens"
    for note in report.notes:
        yield f"note: {note}"


def _pairs(report: TuneReport) -> list[tuple[Side, Side]]:
    trained = {(one.name, one.measure): one for one in report.training}
    return [(trained[one.name, one.measure], one) for one in report.held_out]


def _row(pair: tuple[Side, Side]) -> tuple[str, ...]:
    trained, held = pair
    return (
        held.name,
        held.measure,
        f"{100 * trained.without:.2f}",
        f"{100 * trained.difference:+.2f}",
        f"{100 * held.without:.2f}",
        f"{100 * held.difference:+.2f}",
        _span(held),
        p_text(held.p),
    )


def _beside(one: Side) -> tuple[str, ...]:
    figures = (f"{100 * one.without:.2f}", f"{100 * one.figure:.2f}", f"{100 * one.difference:+.2f}")
    return (one.measure, *figures, _span(one), p_text(one.p))


def _span(one: Side) -> str:
    return f"{100 * one.low:+.2f} to {100 * one.high:+.2f}"


__all__ = ["lines"]
