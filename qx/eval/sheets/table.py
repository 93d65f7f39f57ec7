"""The report of ``qx eval sheet read`` as lines for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from qx.eval.aligned import aligned, number, points
from qx.eval.first_named import difference_lines
from qx.eval.sheets.report import Mean, SheetReport


def lines(report: SheetReport) -> list[str]:
    """Return the whole report as lines."""
    raters = ", ".join(f"{who} ({rows})" for who, rows in report.raters.items())
    out = [f"{report.name}: {report.rated} of {report.rows} rows rated by {raters or 'nobody'}", ""]
    names = list(report.agreement)
    rows = [["", "rated", *names]]
    for condition in report.conditions:
        rows.append([condition.name, f"{condition.rated} of {condition.rows}", *_cells(condition.questions, names)])
    rows.append(["alpha", "", *(number(found.alpha) for found in report.agreement.values())])
    out += [*aligned(rows), "", "means of 1 to 5 (of useful: the share of yes, in %) with 95 % intervals"]
    kinds = sorted({kind for condition in report.conditions for kind in condition.kinds})
    if len(kinds) > 1:
        rows = [["by kind", "", *names]]
        for kind in kinds:
            for condition in report.conditions:
                if kind in condition.kinds:
                    rows.append([kind, condition.name, *_cells(condition.kinds[kind], names)])
        out += ["", *aligned(rows, left=2)]
    out += difference_lines(report.comparisons)
    return out + [f"note: {note}" for note in report.notes]


def _cells(means: Mapping[str, Mean], names: list[str]) -> list[str]:
    return [_mean(name, means.get(name)) for name in names]


def _mean(name: str, found: Mean | None) -> str:
    if found is None:
        return "-"
    if name == "useful":
        return f"{points(found.mean, 0)} % [{points(found.low, 0)}, {points(found.high, 0)}]"
    return f"{found.mean:.2f} [{found.low:.2f}, {found.high:.2f}]"
