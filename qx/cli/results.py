"""A search result as a story that a person can read."""

from __future__ import annotations

from qx.cli.output import Node
from qx.types import Hit, SearchResult

SNIPPET = 160
FINDERS = 3


def result_story(text: str, result: SearchResult) -> Node:
    """Return the hits with their snippets and the sub-queries that found them, then what is worth knowing."""
    root = Node("", text or "(everything that passes the filter)")
    total = "" if result.total is None else f"of {result.total} that match the query as it was typed"
    hits = root.add("hits", str(len(result.hits)), total)
    for hit in result.hits:
        shown = hits.add(f"{hit.rank}", hit.title or hit.id, hit.url or hit.id)
        if snippet := snippet_of(hit):
            shown.add("", snippet)
        shown.add("found by", found_by(hit))
    if not result.hits:
        hits.add("", "nothing found")
    for name, counts in result.facets.items():
        root.add_each(name, [(value, str(count)) for value, count in counts])
    if result.outcome != "ok":
        root.add("outcome", result.outcome)
    if result.partial:
        root.add("partial", result.partial)
    root.add_each("notes", [(note, "") for note in result.notes])
    root.add_each("degraded", [(f"{d.step} fell back to {d.rung}", d.reason) for d in result.degraded])
    return root


def snippet_of(hit: Hit) -> str:
    """The first highlighted piece of the text with its matches marked, else the beginning of the text."""
    for highlight in hit.highlights:
        if highlight.field != "title":
            return _marked(highlight.text, highlight.spans)
    text = " ".join(hit.text.split())
    return text if len(text) <= SNIPPET else text[: SNIPPET - 1] + "…"


def _marked(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += (text[at:start], "[", text[start:end], "]")
        at = end
    return " ".join("".join((*parts, text[at:])).split())


def found_by(hit: Hit) -> str:
    """The sub-queries that brought the hit, the best place first."""
    first = sorted(hit.contributions, key=lambda found: found.rank)
    shown = [f"{found.query} (#{found.rank}, {found.backend})" for found in first[:FINDERS]]
    more = len(first) - FINDERS
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")
