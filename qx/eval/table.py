"""A report in the terminal: tables for a person, tab-separated lines for a pipe; points, and the decision in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from qx.eval.deciding import Decision, decide, p_text
from qx.eval.gate import spent
from qx.eval.names import parse_measure
from qx.eval.values import Comparison, ConditionReport, Report
from qx.serial import value

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

_WORST = 10
"""Worst queries that a terminal shows, over all conditions; the page and ``--json`` have them all."""
_GAP = 2
_WORD = 20
"""Columns of a terminal that a column of words may take before it is folded."""
_COLOURS = {"helps": "green", "hurts": "red", "better": "green", "worse": "red"}


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


def write(report: Report, console: Console | None = None) -> None:
    """Print a report: as tables where a person reads (or a ``console`` is given), else as tab-separated lines."""
    from qx.cli.output import is_terminal

    if console is None and not is_terminal():
        write_plain(report)
        return
    from rich.console import Console

    write_rich(report, console or Console(highlight=False))


def write_plain(report: Report) -> None:
    """Print every table as tab-separated lines under a line with its title, then notes and decisions."""
    from qx.cli.output import write_lines, write_rows

    for table in tables(report):
        write_lines([f"# {table.title}"])
        write_rows([table.header, *table.rows])
    if report.worst:
        write_lines(["# worst queries"])
        write_rows([("condition", "query", "before", "after", "reason"), *_worst(report)])
    write_lines(["# notes", *report.notes] if report.notes else [])
    write_lines(["# decision", *(d.text for d in decide(report))])


def write_rich(report: Report, console: Console) -> None:
    """Print tables, the worst queries, notes, and the decision last."""
    from rich.text import Text

    from qx.cli.output import printable

    console.print(Text(printable(f"{report.dataset}: {report.queries} queries"), "bold"))
    for table in tables(report):
        for part in _fitting(table, console.width):
            console.print(_rich(part))
    if report.worst:
        console.print(Text("worst queries", "bold"))
        for condition, query, before, after, why in _worst(report)[:_WORST]:
            console.print(Text(printable(f"{condition}  {query}  {before} → {after}"), "red"))
            console.print(Text(printable(f"    {why}")))
    for line in report.notes:
        console.print(Text(printable(f"note: {line}"), "dim"))
    for decision in decide(report):
        console.print(_verdict(decision))


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


def _worst(report: Report) -> list[tuple[str, ...]]:
    ordered = sorted(report.worst, key=lambda w: w.after - w.before)
    return [
        (w.condition, f"{w.query} “{w.text}”", points(w.measure, w.before), points(w.measure, w.after), w.reason)
        for w in ordered
    ]


def _fitting(table: Table, width: int) -> Iterator[Table]:
    """Cut a table that is wider than the terminal into several, each with the columns of words."""
    widths = [max(map(_width, column)) + _GAP for column in zip(table.header, *table.rows, strict=True)]
    words = sum(min(number, _WORD) for number in widths[: table.words])
    start = table.words
    while start < len(widths):
        end, taken = start + 1, words + widths[start]
        while end < len(widths) and taken + widths[end] <= width:
            taken += widths[end]
            end += 1
        yield replace(
            table,
            title=table.title if start == table.words else f"{table.title}, continued",
            header=(*table.header[: table.words], *table.header[start:end]),
            rows=tuple((*row[: table.words], *row[start:end]) for row in table.rows),
        )
        start = end


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _rich(table: Table) -> Grid:
    from rich.table import Table as RichTable
    from rich.text import Text

    from qx.cli.output import printable

    title = Text(table.title, "bold")
    grid = RichTable(title=title, title_justify="left", box=None, padding=(0, _GAP, 0, 0), header_style="cyan")
    for place, name in enumerate(table.header):
        words = place < table.words
        grid.add_column(name, justify="left" if words else "right", overflow="fold", no_wrap=not words)
    for row in table.rows:
        grid.add_row(*(Text(printable(cell)) for cell in row))
    return grid


def _verdict(decision: Decision) -> Text:
    from rich.text import Text

    from qx.cli.output import printable

    return Text(printable(decision.text), f"bold {_COLOURS.get(decision.verdict, 'yellow')}")
