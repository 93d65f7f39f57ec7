"""A search result as a person reads it: title, snippet with its matches marked, which sub-queries found it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from qx.cli.output import printable
from qx.filters.text import filter_text
from qx.types import Found, Hit, SearchResult

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

SNIPPET = 160
"""Characters of a text that is shown where nothing in it is marked."""
FINDERS = 3
"""Sub-queries that are named beside a hit."""
FACTS = 5
"""Values of a hit's metadata that are shown."""
_FACT = 40
FACETS = 10
"""Values of a facet that are shown."""
TRIED = 200
"""Characters of a query that is said to have found nothing."""
_MATCH = "bold yellow"


def write_result(text: str, result: SearchResult, *, secondary: bool = True) -> None:
    """Print ``result`` to a terminal.

    Args:
        text: The query as it was typed.
        result: What was found.
        secondary: Whether notes and the like are printed below the list.
    """
    from rich.console import Console

    console = Console(highlight=False)
    marks = console.is_terminal and not console.is_dumb_terminal  # else there is no style to mark with
    console.print(_head(text, result))
    for hit in result.hits:
        console.print()
        console.print(_hit(hit, result, marks=marks))
    for name, counts in result.facets.items():
        console.print()
        console.print(_facet(name, counts))
    lines = list(remarks(result)) if secondary else []
    if lines and result.hits:
        console.print()
    for line in lines:
        console.print(_plain(line, "dim"))


def remarks(result: SearchResult) -> Iterator[str]:
    """Yield what is worth knowing besides the hits: failures, relaxed conditions, what was tried.

    What fell back is in the log, which stands on the same stderr.
    """
    if result.partial:
        yield f"partial: {result.partial}"
    asked = [r for r in result.rankings if r.query.strategy == "original"]
    for line in dict.fromkeys(f"{r.backend}: {r.reason}" for r in asked if r.status == "skipped"):
        yield f"not searched: {line}"
    if not result.hits and result.outcome == "ok":
        pass  # a page behind the end of the list: the notes say so
    elif not result.hits:
        yield from _tried(result)
    elif result.outcome != "ok":
        yield {"stale": "all dated hits are older than what was asked for", "spam": "most of the hits were spam"}.get(
            result.outcome, result.outcome
        )
    if conditions := conditions_of(result):
        yield f"conditions: {conditions}"
    yield from result.notes


def counts(result: SearchResult) -> Iterator[str]:
    """Yield a line for each facet, for where no table is printed: ``brand: HP 12, Dell 3 and 7 more``."""
    for name, counted in result.facets.items():
        told = ", ".join(f"{item} {count}" for item, count in counted[:FACETS])
        yield f"{name}: {told or 'no values'}" + (f" and {len(counted) - FACETS} more" if len(counted) > FACETS else "")


def nothing(result: SearchResult) -> str:
    """Return what an empty page is called: there may be hits on the pages before it."""
    return "no more hits" if result.outcome == "ok" else "nothing found"


def conditions_of(result: SearchResult) -> str:
    """Return the conditions that the original was searched with, as the engines were told: ``price <= 5000``."""
    told = dict.fromkeys(
        filter_text(r.filter) for r in result.rankings if r.filter is not None and r.query.strategy == "original"
    )
    return "; ".join(told)


def snippet_of(hit: Hit) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the first highlighted piece of the text with its matches, else the beginning of the text."""
    for highlight in hit.highlights:
        if highlight.field != "title" and highlight.spans:
            return highlight.text, highlight.spans
    text = " ".join(hit.text.split())
    return _shortened(text, SNIPPET), ()


def found_by(hit: Hit, result: SearchResult) -> str:
    """Return the sub-queries that brought the hit, the original first, then by place; backends where there are several."""
    kinds = {query.text: query.strategy for query in (result.expansion.queries if result.expansion else ())}
    several = len({report.backend for report in result.rankings}) > 1

    def place(found: Found) -> tuple[bool, int]:
        return kinds.get(found.query) != "original", found.rank

    def said(found: Found) -> str:
        kind = kinds.get(found.query, "")
        name = ("your query" if found.query else "the conditions") if kind == "original" or not found.query else ""
        where = f" in {found.backend}" if several else ""
        return f"{name or f'{kind} “{found.query}”'.strip()} #{found.rank}{where}"

    first = sorted(hit.contributions, key=place)
    more = len(first) - FINDERS
    return ", ".join(map(said, first[:FINDERS])) + (f", and {more} more" if more > 0 else "")


def facts_of(metadata: Mapping[str, object]) -> str:
    """Return the first short values of a hit's metadata on one line."""
    told: list[str] = []
    for name, item in metadata.items():
        listed = cast("Sequence[object]", item) if isinstance(item, (list, tuple)) else [item]
        if all(isinstance(part, (str, int, float)) for part in listed) and listed:
            text = ", ".join(str(part) for part in listed)
            if text and len(text) <= _FACT:
                told.append(f"{name}: {text}")
    return " · ".join(told[:FACTS])


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _tried(result: SearchResult) -> Iterator[str]:
    ran = [report for report in result.rankings if report.status == "ok"]
    queries = list(dict.fromkeys(f"“{_shortened(r.query.text, TRIED)}”" for r in ran if r.query.text))
    if not ran:
        yield "nothing was asked for: an empty query finds nothing; --filter 'FIELD OP VALUE' lists what passes, --all all"
    if not queries:
        return
    shown, more = queries[:8], len(queries) - 8
    backends = ", ".join(dict.fromkeys(report.backend for report in ran))
    yield f"tried in {backends}: {', '.join(shown)}" + (f" and {more} more" if more > 0 else "")


def _head(text: str, result: SearchResult) -> RenderableType:
    from rich.text import Text

    line = Text(printable(text) or "(everything that passes the filter)", "bold")
    if not result.hits:
        return line.append(f"\n{nothing(result)}", "not bold")
    first, last = result.hits[0].rank, result.hits[-1].rank
    count = f"hits {first}–{last}" if last > first else f"hit {first}"
    of = "" if result.total is None else f" · the query as typed matches {result.total}"
    ran = len({(r.query.text, r.backend) for r in result.rankings if r.status == "ok"})
    lists = f" · {ran} lists merged" if ran > 1 else ""
    return line.append(f"\n{count}{of}{lists}", "not bold dim")


def _hit(hit: Hit, result: SearchResult, *, marks: bool) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", min_width=3, style="bold cyan")
    grid.add_column(overflow="fold")
    title = next((h for h in hit.highlights if h.field == "title" and h.text == hit.title), None)
    marked = _marked(hit.title or hit.id, title.spans if title else (), marks=marks, style="bold")
    if hit.title and hit.id != hit.url:
        marked.append(f"  {printable(hit.id)}", "not bold dim")
    grid.add_row(f"{hit.rank}", marked)
    if hit.url:
        grid.add_row("", _plain(hit.url, "blue"))
    text, spans = snippet_of(hit)
    if text:
        grid.add_row("", _marked(text, spans, marks=marks, style=""))
    if facts := facts_of(hit.metadata):
        grid.add_row("", _plain(facts, ""))
    grid.add_row("", Text("found by ", "dim").append_text(_plain(found_by(hit, result), "dim")))
    return grid


def _facet(name: str, counts: tuple[tuple[str, int], ...]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_row(Text(printable(name), "bold cyan"), "")
    for item, count in counts[:FACETS]:
        grid.add_row(_plain(f"  {item}", ""), Text(str(count), "dim"))
    if len(counts) > FACETS:
        grid.add_row(Text(f"  and {len(counts) - FACETS} more", "dim"), "")
    return grid


def _plain(text: str, style: str) -> Text:
    from rich.text import Text

    return Text(printable(text), style)


def _marked(text: str, spans: tuple[tuple[int, int], ...], *, marks: bool, style: str) -> Text:
    """The text with its matches in colour; in brackets where the terminal has no styles."""
    from rich.text import Text

    made = Text(style=style)
    at = 0
    for start, end in sorted(spans):
        made.append(printable(text[at:start]))
        match = printable(text[start:end])
        made.append(match, _MATCH) if marks else made.append(f"[{match}]")
        at = end
    return made.append(printable(text[at:]))
