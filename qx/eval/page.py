"""A report as one page: charts, tables, the worst queries; no script, no network, everything escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qx.eval.charts import COLOURS, Bar, Chart, bars, dots, waterfall
from qx.eval.deciding import decide, told
from qx.eval.names import FAMILIES, parse_measure
from qx.eval.table import points, tables
from qx.eval.values import Report, WorstQuery
from qx.serial import value

_CONDITIONS = 12
"""Conditions that a chart shows; the tables have all of them."""
_MEASURES = 4


@value
class Group:
    """Queries of one condition, with what is shown of each."""

    condition: str
    queries: tuple[WorstQuery, ...]


def page(report: Report) -> str:
    """Return the page of a report, as one HTML file that needs nothing else."""
    import jinja2
    from markupsafe import Markup

    environment: Any = jinja2.Environment(
        loader=jinja2.PackageLoader("qx.eval", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_printable,
    )
    environment.filters["markup"] = Markup  # what qx.eval.charts drew; all text in it is escaped there
    environment.filters["points"] = points
    drawn = charts(report)
    return environment.get_template("report.html").render(
        report=report,
        decisions=told(decide(report)),
        tables={table.title: table for table in tables(report)},
        charts=drawn,
        series=range(COLOURS),
        worst=grouped(report.worst),
        best=grouped(report.best),
        meanings={name: FAMILIES[parse_measure(name).family].meaning for name in report.measures},
    )


def _printable(item: object) -> object:
    """Text without what would reorder the line; what is markup already stays as it is."""
    from qx.text.printable import printable

    return printable(item) if type(item) is str else item


def charts(report: Report) -> Mapping[str, Sequence[Chart]]:
    """Return the charts of each section: ``means``, ``differences``, ``kinds``, ``time``, ``strategies``."""
    return {
        "means": list(_means(report)),
        "differences": [*_differences(report), *_waterfalls(report)],
        "kinds": list(_kinds(report)),
        "time": list(_time(report)),
        "strategies": list(_strategies(report)),
    }


def grouped(queries: Sequence[WorstQuery]) -> list[Group]:
    """Return queries by condition, in the order in which they come."""
    names = dict.fromkeys(query.condition for query in queries)
    return [Group(condition=name, queries=tuple(q for q in queries if q.condition == name)) for name in names]


def _shown(report: Report) -> list[str]:
    """The measures that have charts of their own: those that conditions are compared on."""
    compared = [m for m in report.measures if not parse_measure(m).about.relative]
    return [m for m in compared if any(m in c.measures for c in report.conditions)][:_MEASURES]


def _scale(measure: str) -> tuple[float, str]:
    unit = parse_measure(measure).about.unit
    return (100.0, "points") if unit == "points" else (1.0, unit)


def _means(report: Report) -> Iterator[Chart]:
    for measure in _shown(report):
        scale, unit = _scale(measure)
        rows = [
            Bar(
                name=c.name,
                figure=scale * c.measures[measure],
                low=scale * c.intervals[measure][0] if measure in c.intervals else None,
                high=scale * c.intervals[measure][1] if measure in c.intervals else None,
                series=place,
                shown=points(measure, c.measures[measure]),
            )
            for place, c in enumerate(report.conditions[:_CONDITIONS])
            if measure in c.measures
        ]
        yield dots(measure, rows, axis=f"{unit}, mean with its 95 % interval")


def _differences(report: Report) -> Iterator[Chart]:
    places = _places(report)
    for measure in _shown(report):
        scale, unit = _scale(measure)
        rows = [
            Bar(
                name=c.b,
                figure=scale * c.difference,
                low=scale * c.low,
                high=scale * c.high,
                series=places[c.b],
                shown=f"{scale * c.difference:+.2f}",
            )
            for c in report.comparisons
            if c.measure == measure and c.queries and c.a == _against(report, c.b)
        ][:_CONDITIONS]
        if rows:
            yield dots(f"{measure}: difference", rows, axis=f"{unit} against no expansion, 95 %", zero=True)


def _waterfalls(report: Report) -> Iterator[Chart]:
    found = [spread for spread in report.spreads if any(spread.differences)][:_CONDITIONS]
    if not found:
        return
    scale, unit = _scale(found[0].measure)
    lower = parse_measure(found[0].measure).about.lower
    extent = max(abs(scale * number) for spread in found for number in spread.differences)
    for spread in found:
        numbers = [scale * number for number in spread.differences]
        yield waterfall(f"{spread.b}: {spread.measure} by query", numbers, axis=unit, extent=extent, lower=lower)


def _kinds(report: Report) -> Iterator[Chart]:
    measure = next(iter(_shown(report)), None)
    if measure is None:
        return
    scale, unit = _scale(measure)
    for title, by in (("kind of query", "kinds"), ("language", "languages")):
        groups: dict[str, list[Bar]] = {}
        for place, c in enumerate(report.conditions[:COLOURS]):
            for label, means in (c.kinds if by == "kinds" else c.languages).items():
                if measure in means:
                    shown = points(measure, means[measure])
                    groups.setdefault(label, []).append(
                        Bar(name=label, figure=scale * means[measure], series=place, shown=shown)
                    )
        if len(groups) > 1:
            yield bars(f"{measure} by {title}", sorted(groups.items()), axis=unit)


def _time(report: Report) -> Iterator[Chart]:
    timed = [(place, c) for place, c in enumerate(report.conditions[:_CONDITIONS]) if c.latency.median is not None]
    if not timed:
        return
    for title, of in (("median", 0), ("95th percentile", 1)):
        rows: list[tuple[str, list[Bar]]] = []
        for place, c in timed:
            figure = (c.latency.median or 0.0, c.latency.p95 or 0.0)[of]
            rows.append((c.name, [Bar(name=c.name, figure=figure, series=place, shown=f"{figure:.0f} ms")]))
        yield bars(f"latency, {title}", rows, axis="milliseconds")


def _strategies(report: Report) -> Iterator[Chart]:
    for place, c in enumerate(report.conditions[:_CONDITIONS]):
        added = {name: counts for name, counts in c.strategies.items() if name != "original"}
        if added:
            rows = [
                (name, [Bar(name=name, figure=n["relevant_only"], series=place, shown=f"{n['relevant_only']:.0f}")])
                for name, n in added.items()
            ]
            yield bars(f"{c.name}: relevant documents that only one strategy brought", rows, axis="documents")


def _places(report: Report) -> Mapping[str, int]:
    return {c.name: place for place, c in enumerate(report.conditions)}


def _against(report: Report, name: str) -> str:
    return next((c.against for c in report.conditions if c.name == name), "")
