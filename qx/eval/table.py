"""A report as tables of cells: what ``qx.cli.report_table`` prints and the page shows; fractions are points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qx.eval.deciding import p_text
from qx.eval.gate import spent
from qx.eval.names import parse_measure
from qx.eval.values import Comparison, ConditionReport, Report, WorstQuery
from qx.serial import value


@value
class Table:
    """Cells as text; columns after the first ``words`` hold numbers."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


def tables(report: Report) -> Iterator[Table]:
    """Yield the tables of a report, those that decide first."""
    yield _means(report)
    if report.comparisons:
        yield _comparisons(report)
    for title, of in (("by kind of query", "kinds"), ("by language", "languages")):
        groups = {c.name: (c.kinds if of == "kinds" else c.languages) for c in report.conditions}
        if len({label for found in groups.values() for label in found}) > 1:
            yield _grouped(report, title, groups)
    yield _spent(report)
    if any(len(c.strategies) > 1 for c in report.conditions):
        yield _strategies(report)


def points(measure: str, mean: float) -> str:
    """Return a figure as tables show it: fractions as points, numbers of documents and grades as they are."""
    return f"{100 * mean:.1f}" if parse_measure(measure).about.unit == "points" else f"{mean:.2f}"


def _means(report: Report) -> Table:
    rows = [
        (c.name, *(points(m, c.measures[m]) if m in c.measures else "-" for m in report.measures))
        for c in report.conditions
    ]
    return Table(title="means", header=("condition", *report.measures), rows=tuple(rows))


def _comparisons(report: Report) -> Table:
    header = ("against", "condition", "measure", "difference", "low", "high", "p", "wins", "ties", "losses")
    return Table(
        title="differences, with 95 % intervals",
        header=header,
        rows=tuple(comparison_cells(c) for c in report.comparisons),
        words=3,
    )


def comparison_cells(c: Comparison) -> tuple[str, ...]:
    """Return a comparison as the cells of a row."""
    scale = 100.0 if parse_measure(c.measure).about.unit == "points" else 1.0
    bounds = (f"{scale * number:+.2f}" for number in (c.difference, c.low, c.high))
    return (c.a, c.b, c.measure, *bounds, p_text(c.p), str(c.wins), str(c.ties), str(c.losses))


def _grouped(report: Report, title: str, groups: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Table:
    labels = sorted({label for found in groups.values() for label in found})
    rows: list[tuple[str, ...]] = []
    for label in labels:
        for name, found in groups.items():
            means = found.get(label, {})
            cells = (points(m, means[m]) if m in means else "-" for m in report.measures)
            rows.append((label, name, f"{means.get('queries', 0):.0f}", *cells))
    header = (title.rpartition(" ")[2] if title != "by kind of query" else "kind", "condition", "queries")
    return Table(title=title, header=(*header, *report.measures), rows=tuple(rows), words=2)


def _spent(report: Report) -> Table:
    header = (
        "condition", "median ms", "p95 ms", "timed", "calls", "tokens", "cost", "abstained", "degraded", "errors",
    )  # fmt: skip
    return Table(title="time and money, a query", header=header, rows=tuple(map(spent_cells, report.conditions)))


def spent_cells(c: ConditionReport) -> tuple[str, ...]:
    """Return what a condition spent on an average query, as the cells of a row."""
    cost = spent("cost", c)
    return (
        c.name,
        "-" if c.latency.median is None else f"{c.latency.median:.1f}",
        "-" if c.latency.p95 is None else f"{c.latency.p95:.1f}",
        f"{c.latency.rows}",
        f"{spent('calls', c) or 0:.2f}",
        f"{spent('tokens', c) or 0:.0f}",
        "-" if cost is None else f"{cost:.6f} {c.usage.currency}" if c.usage.calls else "0",
        *(f"{number}" for number in (c.abstained, c.degraded, c.errors)),
    )


def _strategies(report: Report) -> Table:
    header = (
        "condition",
        "strategy",
        "searches",
        "queries",
        "hits",
        "hits alone",
        "relevant",
        "relevant alone",
        "first 10",
    )
    rows = [(c.name, *cells) for c in report.conditions if len(c.strategies) > 1 for cells in strategy_cells(c)]
    return Table(title="what each strategy brought", header=header, rows=tuple(rows), words=2)


def strategy_cells(c: ConditionReport) -> Iterator[tuple[str, ...]]:
    """Yield what each strategy brought, as the cells of a row."""
    for name, counts in c.strategies.items():
        totals = (f"{counts[key]:.0f}" for key in ("rows", "queries", "hits", "only", "relevant", "relevant_only"))
        yield (name, *totals, f"{100 * counts['first']:.1f} %")


def worst_rows(report: Report) -> list[tuple[str, ...]]:
    """Return the worst queries, those first that lost most, as the cells of rows."""

    def gain(one: WorstQuery) -> float:
        return (one.after - one.before) * (-1 if parse_measure(one.measure).about.lower else 1)

    ordered = sorted(report.worst, key=gain)
    return [
        (w.condition, f"{w.query} “{w.text}”", points(w.measure, w.before), points(w.measure, w.after), w.reason)
        for w in ordered
    ]
