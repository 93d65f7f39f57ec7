"""A report of an experiment for people."""

from __future__ import annotations

from collections.abc import Iterator

from qx.eval.ab.analysis import AbReport, ArmComparison, Figure
from qx.eval.aligned import indented
from qx.eval.deciding import p_text


def verdict(report: AbReport) -> str:
    """Return the whole in a sentence."""
    if report.status == "untrusted" and len(report.arms) < 2:
        return (
            f"not trusted: the log has one arm alone, {report.control}: another one has lost all of its users, or its log "
            "is not here; name the arms that there are with --arms"
        )
    if report.status == "untrusted":
        return (
            f"not trusted: the arms do not have the users that their weights ask for ({_p(report.sample_ratio.p)}); "
            "look for what loses or moves users of one arm (redirects, errors, bots, a late log) and begin again"
        )
    if report.status == "running":
        return f"still running ({report.progress}): nothing is compared before the end that was fixed, {report.horizon}"
    harmed = [c for c in report.comparisons if c.guardrail and c.verdict == "worse"]
    lost = [c for c in report.comparisons if not c.guardrail and c.verdict == "worse"]
    won = [c for c in report.comparisons if not c.guardrail and c.verdict == "better"]
    if not any(not c.guardrail for c in report.comparisons):
        said = "no goal can be compared: too few users, or no outcomes"
    elif not won and not lost:
        said = "no difference is shown: stay with the simpler arm"
    else:
        said = "; ".join(f"{c.b} is {c.verdict} than {c.a} on {c.measure}" for c in (*won, *lost))
    if harmed:
        said += "; guardrails harmed: " + ", ".join(f"{c.measure} of {c.b}" for c in harmed)
    return said


def lines(report: AbReport) -> Iterator[str]:
    """Yield the report as lines of text."""
    yield f"experiment {report.experiment}: {report.verdict}"
    yield ""
    shared = report.sample_ratio
    told = "as assigned" if shared.ok else "NOT as assigned"
    yield f"end: {report.horizon} ({report.progress})"
    yield f"sample ratio: {told}, {_p(shared.p)}" if len(report.arms) > 1 else "sample ratio: there is one arm alone"
    yield from indented([("arm", "users", "expected", "searches"), *(
        (arm.name, str(arm.users), f"{100 * shared.expected[arm.name]:.1f} %", str(arm.exposures)) for arm in report.arms
    )], left=1)  # fmt: skip
    measures = list(dict.fromkeys(name for arm in report.arms for name in arm.measures))
    if measures:
        yield ""
        rows = [(m, *(_shown(arm.measures.get(m)) for arm in report.arms)) for m in measures]
        control = next(arm for arm in report.arms if arm.name == report.control)
        deviations = [_number(control.measures[m].deviation if m in control.measures else None) for m in measures]
        rows = [(*row, deviation) for row, deviation in zip(rows, deviations, strict=True)]
        yield from indented([("", *(arm.name for arm in report.arms), "deviation"), *rows], left=2 + len(report.arms))
    if report.comparisons:
        yield ""
        head = ("against " + report.control, "measure", "difference", "95 %", "relative", "p", "")
        yield from indented([head, *(_compared(c) for c in report.comparisons)], left=len(head))
    for note in report.notes:
        yield f"note: {note}"


def _p(p: float) -> str:
    """A p value is never 0."""
    return f"p = {p:.3g}" if p >= 0.001 else "p < 0.001"


def _number(found: float | None) -> str:
    return "-" if found is None else f"{found:.4g}"


def _shown(figure: Figure | None) -> str:
    if figure is None:
        return "-"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.4g}"
    return f"{figure.value:.4g} ({figure.low:.4g} to {figure.high:.4g})"


def _compared(made: ArmComparison) -> tuple[str, ...]:
    relative = "-" if made.relative is None else f"{100 * made.relative:+.1f} %"
    said = {"better": "better", "worse": "WORSE", "unclear": "no difference shown"}[made.verdict]
    span = f"{made.low:+.4g} to {made.high:+.4g}"
    name = f"{made.measure} (guardrail)" if made.guardrail else made.measure
    return (made.b, name, f"{made.difference:+.4g}", span, relative, p_text(made.p), said)


__all__ = ["lines", "verdict"]
