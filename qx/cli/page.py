"""The trace of one search as a page of its own: no script, no network, everything escaped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from qx.cli.output import Node, printable
from qx.cli.results import facts_of, snippet_of
from qx.cli.search_story import by_place, common_filter, contribution, list_facts, merging, unasked
from qx.cli.story import add_expansion, degradations, spent
from qx.serial import value
from qx.types import Hit, SearchResult, Span

if TYPE_CHECKING:
    from qx.settings import Profile

STEPS = ("understand", "expand", "search", "fuse", "process", "other")
"""Each has a colour of its own in the chart."""
THINNEST = 0.4
"""Percent of the chart's width that the shortest bar has: one can see that it is there."""

Piece = tuple[str, bool]
"""Text, and whether it matches the query."""


@value
class Row:
    """One bar of the chart; ``left`` and ``width`` in percent of the whole time."""

    name: str
    step: str
    depth: int
    left: float
    width: float
    began: str
    took: str
    details: str


@value
class Card:
    """One hit."""

    rank: int
    id: str
    backend: str
    title: Sequence[Piece]
    snippet: Sequence[Piece]
    url: str
    link: str
    facts: str
    score: str
    contributions: Sequence[str]


def page(text: str, result: SearchResult, profile: Profile) -> str:
    """Return the page for a search for ``text``."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("qx.cli", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
    )
    return environment.get_template("search.html").render(
        language=result.understanding.language or "und",
        title=text or "(everything that passes the filter)",
        steps=STEPS,
        badges=badges(result),
        notes=(*result.notes, *(f"{what}: {why}" for what, why in degradations(result.degraded))),
        rows=rows(result.trace.spans),
        story_nodes=_story(result, profile),
        common=common_filter(result),
        lists=[(report, list_facts(report, common_filter(result))) for report in result.rankings],
        unasked=unasked(result),
        merged=merging(result, profile),
        hits=[card(hit) for hit in result.hits],
        facets=list(result.facets.items()),
        dropped=result.dropped,
    )


def _shown(item: object) -> object:
    """Text without what would reorder the line or steer a terminal; what is markup already stays as it is."""
    return printable(item) if type(item) is str else item


def badges(result: SearchResult) -> list[tuple[str, bool]]:
    """Return what stands under the title, and whether it is bad news."""
    took = max(map(_end, result.trace.spans), default=0.0)
    total = "" if result.total is None else f" of {result.total}"
    told = [
        (f"{len(result.hits)} hits{total}", False),
        (f"{len(result.rankings)} lists", False),
        (f"{took:.0f} ms", False),
        (spent(result.usage), False),
    ]
    if result.outcome != "ok":
        told.append((f"outcome: {result.outcome}", True))
    if result.partial:
        told.append((f"partial: {result.partial}", True))
    return told


def rows(spans: Sequence[Span]) -> list[Row]:
    """Return the bars of the chart: a span that lies within another one of its step is set in below it."""
    whole = max(map(_end, spans), default=0.0) or 1.0
    made: list[Row] = []
    around: list[Span] = []
    for span in sorted(spans, key=lambda item: (item.start, -item.duration)):
        step = _step(span)
        while around and not (_step(around[-1]) == step and _end(span) <= _end(around[-1])):
            around.pop()
        width = max(100 * span.duration / whole, THINNEST)
        made.append(
            Row(
                name=span.name,
                step=step if step in STEPS else "other",
                depth=len(around),
                left=round(min(100 * span.start / whole, 100 - width), 3),
                width=round(width, 3),
                began=f"{span.start:.1f} ms",
                took=f"{span.duration:.1f} ms",
                details=" ".join(f"{name}={item}" for name, item in span.attributes.items() if item is not None),
            )
        )
        around.append(span)
    return made


def _step(span: Span) -> str:
    return span.name.partition(".")[0]


def _end(span: Span) -> float:
    return span.start + span.duration


def card(hit: Hit) -> Card:
    """Return what is shown of one hit."""
    url = hit.url or ""
    marked = next((h.spans for h in hit.highlights if h.field == "title" and h.text == hit.title), ())
    return Card(
        rank=hit.rank,
        id=hit.id,
        backend=hit.backend,
        title=pieces(hit.title or hit.id, marked),
        snippet=pieces(*snippet_of(hit)),
        url=url,
        link=url if is_web_address(url) else "",
        facts=facts_of(hit.metadata),
        score=f"{hit.score:g}",
        contributions=[contribution(found) for found in by_place(hit)],
    )


def is_web_address(url: str) -> bool:
    """Whether a document's URL may become a link: anything else (``javascript:``) is only shown."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and printable(url) == url


def pieces(text: str, spans: Sequence[tuple[int, int]]) -> list[Piece]:
    """Cut a text where its matches begin and end."""
    made: list[Piece] = []
    at = 0
    for start, end in sorted(spans):
        made += [(text[at:start], False), (text[start:end], True)]
        at = end
    return [piece for piece in (*made, (text[at:], False)) if piece[0]]


def _story(result: SearchResult, profile: Profile) -> list[Node]:
    root = Node()
    if result.expansion is not None:
        add_expansion(root, result.expansion, profile, result.trace)
    return root.children
