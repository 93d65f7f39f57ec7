"""Charts of a report as inline SVG, drawn by matplotlib: text stays text, colours follow the page's light or dark."""

from __future__ import annotations

import html
import io
import re
import unicodedata
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from qx.eval.extra import need
from qx.serial import value

Axes = Any
"""``matplotlib.axes.Axes``, whose methods have types that are partly unknown."""

WIDTH = 5.6
"""Inches; a page shows two beside one another, a telephone one, a little smaller."""
COLOURS = 8
"""Conditions that have a colour of their own; further ones begin again."""
_FONT = 11.0
_LONGEST = 22.0
"""Letters of a name that a chart shows; the tables have the whole of it."""

# matplotlib knows no CSS variables: it draws in these, which are put in their place afterwards
_INK, _SOFT, _LINE, _GAIN, _LOSS = "#010203", "#010204", "#010205", "#010206", "#010207"
_SERIES = tuple(f"#0102{16 + at:02x}" for at in range(COLOURS))
_VARIABLES = {
    _INK: "--text", _SOFT: "--soft", _LINE: "--line", _GAIN: "--good", _LOSS: "--bad",
    **{colour: f"--series-{at}" for at, colour in enumerate(_SERIES)},
}  # fmt: skip


@value
class Chart:
    """A drawing: ``svg`` is markup, ``title`` and ``description`` are text."""

    title: str
    description: str
    svg: str


@value
class Bar:
    """One line of a chart: a figure and, where known, the bounds of it."""

    name: str
    figure: float
    low: float | None = None
    high: float | None = None
    series: int = 0
    shown: str = ""


def dots(title: str, bars: Sequence[Bar], *, axis: str, zero: bool = False) -> Chart:
    """Draw a dot for each bar, with its bounds as a line; ``zero`` marks where nothing differs."""

    def draw(axes: Axes) -> None:
        for place, bar in enumerate(bars):
            colour = _SERIES[bar.series % COLOURS]
            if bar.low is not None and bar.high is not None:
                axes.plot([bar.low, bar.high], [place, place], color=colour, linewidth=2.4, solid_capstyle="butt")
            axes.plot([bar.figure], [place], marker="o", markersize=7, color=colour, linestyle="none")
            axes.annotate(
                bar.shown,
                (bar.figure, place),
                xytext=(0, 6),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=9,
                color=_SOFT,
            )
        if zero:
            axes.axvline(0, color=_INK, linewidth=1)
        axes.margins(x=0.12)

    return _lines(title, bars, draw, axis=axis, row=0.5)


def bars(title: str, groups: Sequence[tuple[str, Sequence[Bar]]], *, axis: str) -> Chart:
    """Draw a bar for each figure, one group below the other; all of a group's bars have one name in the margin."""
    rows = [Bar(name=name if not at else "", figure=bar.figure, series=bar.series, shown=bar.shown)
            for name, found in groups for at, bar in enumerate(found)]  # fmt: skip
    places = [group + at for group, at in _spaced([len(found) for _, found in groups])]

    def draw(axes: Axes) -> None:
        for place, bar in zip(places, rows, strict=True):
            axes.barh([place], [bar.figure], height=0.78, color=_SERIES[bar.series % COLOURS])
            axes.annotate(
                bar.shown,
                (bar.figure, place),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
                color=_SOFT,
            )
        axes.set_xlim(0, (max((bar.figure for bar in rows), default=0) or 1) * 1.22)
        if all(bar.figure == int(bar.figure) for bar in rows):
            axes.xaxis.set_major_locator(need("matplotlib.ticker").MaxNLocator(nbins=6, integer=True))

    told = [Bar(name=name, figure=b.figure, shown=b.shown) for name, found in groups for b in found]
    return _lines(title, rows, draw, axis=axis, row=0.3, places=places, told=told)


def waterfall(title: str, differences: Sequence[float], *, axis: str, extent: float, lower: bool = False) -> Chart:
    """Draw the differences of all queries, worst first, as one bar each.

    Args:
        title: Of the chart.
        differences: One a query.
        axis: What the figures are.
        extent: The height of the axis.
        lower: Less is better: then a query with more has lost.
    """

    def draw(axes: Axes) -> None:
        places = range(len(differences))
        colours = [_GAIN if (number > 0) is not lower else _LOSS for number in differences]
        axes.bar(places, differences, width=1.0, color=colours)
        axes.axhline(0, color=_INK, linewidth=1)
        axes.set_ylim(-extent * 1.05, extent * 1.05)
        axes.set_xlim(-0.5, max(len(differences), 1) - 0.5)
        axes.set_xticks([])
        axes.set_ylabel(axis, color=_SOFT)
        axes.grid(axis="y", color=_LINE, linewidth=0.8)

    worse, better = sum(d < 0 for d in differences), sum(d > 0 for d in differences)
    same = len(differences) - worse - better
    told = f"{title}: of {len(differences)} queries {worse} are lower, {same} the same, {better} higher"
    return Chart(title=title, description=told, svg=_svg(draw, title, told, height=2.4, left=0.75, bottom=0.2))


def _spaced(sizes: Sequence[int]) -> list[tuple[float, int]]:
    """The place of each bar: groups stand apart by half a bar."""
    made: list[tuple[float, int]] = []
    start = 0.0
    for size in sizes:
        made += [(start, at) for at in range(size)]
        start += size + 0.5
    return made


def _lines(
    title: str,
    rows: Sequence[Bar],
    draw: Callable[[Axes], None],
    *,
    axis: str,
    row: float,
    places: Sequence[float] | None = None,
    told: Sequence[Bar] | None = None,
) -> Chart:
    """A chart with one line for each bar, names in the left margin, the first on top."""
    at = list(places if places is not None else map(float, range(len(rows))))

    def drawn(axes: Axes) -> None:
        draw(axes)
        labelled = [(place, bar.name) for place, bar in zip(at, rows, strict=True) if bar.name]
        axes.set_yticks([place for place, _ in labelled], [_shortened(name) for _, name in labelled])
        axes.set_ylim((at[-1] if at else 0) + 0.6, -0.75)
        axes.set_xlabel(axis, color=_SOFT)
        axes.grid(axis="x", color=_LINE, linewidth=0.8)

    widest = max((_letters(_shortened(bar.name)) for bar in rows), default=0)
    left = 0.25 + widest * _FONT * 0.56 / 72
    height = 0.75 + row * ((at[-1] if at else 0) + 1)
    text = f"{title}: " + "; ".join(f"{bar.name} {bar.shown}" for bar in told or rows)
    return Chart(title=title, description=text, svg=_svg(drawn, title, text, height=height, left=left, bottom=0.55))


def _svg(
    draw: Callable[[Axes], None], title: str, description: str, *, height: float, left: float, bottom: float
) -> str:
    """Let ``draw`` draw, and return the SVG; margins are in inches, as matplotlib has no measure of Chinese letters."""
    matplotlib: Any = need("matplotlib")
    figures: Any = need("matplotlib.figure")
    settings = {
        "svg.fonttype": "none",
        "svg.hashsalt": title,
        "text.parse_math": False,
        "font.size": _FONT,
        "text.color": _INK,
        "axes.edgecolor": _LINE,
        "xtick.color": _SOFT,
        "ytick.color": _INK,
        "xtick.labelcolor": _SOFT,
        "ytick.labelcolor": _INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
    }
    out = io.StringIO()
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # the reader's browser has the letter
        figure = figures.Figure(figsize=(WIDTH, height))
        axes = figure.add_axes((left / WIDTH, bottom / height, 1 - (left + 0.2) / WIDTH, 1 - (bottom + 0.12) / height))
        axes.set_facecolor("none")
        axes.tick_params(length=0)
        draw(axes)
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _inlined(out.getvalue(), title, description)


_METADATA = re.compile(r"<metadata>.*?</metadata>\s*", re.S)
_GROUP_ID = re.compile(r'<g id="[^"]*"')
_SIZE = re.compile(r'(<svg[^>]*?) width="[^"]*"([^>]*?)>', re.S)
_HEIGHT = re.compile(r'(<svg[^>]*?) height="[^"]*"', re.S)
_FAMILY = re.compile(r"font-family: [^;\"]*;? ?")
_STYLE = re.compile(r"<style.*?</style>\s*", re.S)
_COLOUR = re.compile("|".join(_VARIABLES))


def _inlined(svg: str, title: str, description: str) -> str:
    """The drawing as part of a page: no header, no ids but those that are used, colours and letters of the page."""
    svg = svg[svg.index("<svg") :]
    svg = _GROUP_ID.sub("<g", _METADATA.sub("", svg))
    svg = _HEIGHT.sub(r"\1", _SIZE.sub(r"\1\2>", svg, count=1), count=1)
    svg = _FAMILY.sub("", _STYLE.sub("", svg))
    svg = _COLOUR.sub(lambda found: f"var({_VARIABLES[found[0]]})", svg)
    head = f'<svg role="img" aria-label="{html.escape(_shown(description), quote=True)}" '
    return svg.replace("<svg ", head, 1).replace(">", f"><title>{html.escape(_shown(title))}</title>", 1).strip()


def _shown(text: str) -> str:
    """Text without what would reorder the line, or is no XML."""
    from qx.text.printable import printable

    return printable(text)


def _letters(text: str) -> float:
    """The width of a text in letters of the Latin alphabet: Chinese ones are nearly two."""
    return sum(1.8 if unicodedata.east_asian_width(letter) in "WF" else 1.0 for letter in text)


def _shortened(name: str) -> str:
    name, width = _shown(name), 0.0
    for place, letter in enumerate(name):
        width += _letters(letter)
        if width > _LONGEST:
            return name[:place] + "…"
    return name
