"""A report in the terminal: tables for a person, tab-separated lines for a pipe; points, and the decision in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from qx.cli.output import is_terminal, printable, write_lines, write_rows
from qx.eval.deciding import Decision, decide, told
from qx.eval.table import Table, tables, worst_rows
from qx.eval.values import Report

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


def write(report: Report, console: Console | None = None) -> None:
    """Print a report: as tables where a person reads (or a ``console`` is given), else as tab-separated lines."""
    if console is None and not is_terminal():
        write_plain(report)
        return
    from rich.console import Console

    write_rich(report, console or Console(highlight=False))


def write_plain(report: Report) -> None:
    """Print every table as tab-separated lines under a line with its title, then notes and decisions."""
    for table in tables(report):
        write_lines([f"# {table.title}"])
        write_rows([table.header, *table.rows])
    if report.worst:
        write_lines(["# worst queries"])
        write_rows([("condition", "query", "before", "after", "reason"), *worst_rows(report)])
    write_lines(["# notes", *report.notes] if report.notes else [])
    write_lines(["# decision", *(d.text for d in told(decide(report)))])


def write_rich(report: Report, console: Console) -> None:
    """Print tables, the worst queries, notes, and the decision last."""
    from rich.text import Text

    console.print(Text(printable(f"{report.dataset}: {report.queries} queries"), "bold"))
    for table in tables(report):
        for part in _fitting(table, console.width):
            console.print(_rich(part))
    if report.worst:
        console.print(Text("worst queries", "bold"))
        for condition, query, before, after, why in worst_rows(report)[:_WORST]:
            console.print(Text(printable(f"{condition}  {query}  {before} → {after}"), "red"))
            console.print(Text(printable(f"    {why}")))
    for line in report.notes:
        console.print(Text(printable(f"note: {line}"), "dim"))
    for decision in told(decide(report)):
        console.print(_verdict(decision))


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

    return Text(printable(decision.text), f"bold {_COLOURS.get(decision.verdict, 'yellow')}")
