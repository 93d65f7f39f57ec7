"""``qx search``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from qx.cli.output import note, write_json, write_rows, write_story
from qx.cli.request import Request, request_options
from qx.cli.results import result_story
from qx.cli.session import ask, say_rules
from qx.cli.state import state_of

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.types import Query, SearchResult


@click.command()
@request_options
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Hits to print.")
@click.option("--offset", type=click.IntRange(0, 10_000), default=0, help="Hits to leave out before.")
@click.option(
    "--filter", "filters", multiple=True, metavar="'FIELD OP VALUE'", help="Such as 'price < 500'; repeatable."
)
@click.option("--sort", "sorts", multiple=True, metavar="FIELD", help="Order by a field, -FIELD the other way round.")
@click.option("--facets", metavar="FIELD,…", help="Count the values of these fields.")
@click.option("--no-expand", is_flag=True, help="Search the query alone.")
@click.option("--json", "as_json", is_flag=True, help="Print the SearchResult as one JSON document.")
@click.pass_context
def command(
    ctx: click.Context,
    request: Request,
    limit: int,
    offset: int,
    filters: tuple[str, ...],
    sorts: tuple[str, ...],
    facets: str | None,
    no_expand: bool,
    as_json: bool,
) -> None:
    """Search with a query and its expansions, and print one ranked list.

    TEXT is the query, in one argument or several; "-" reads it from standard input. With --filter it may be empty ("").

    A terminal gets a list with snippets; a pipe gets one hit a line: rank, id, title and url, apart by tabs.
    """
    from qx.filters.options import parse_options
    from qx.types import SortBy

    tree = parse_options(filters) if filters else None
    order = [SortBy(field=name.lstrip("-"), descending=name.startswith("-")) for name in sorts]
    counted = [name.strip() for name in (facets or "").split(",") if name.strip()]

    async def search(engine: Engine, query: Query) -> SearchResult:
        asked = replace(query, filters=tree) if tree is not None else query
        return await engine.search(asked, limit=limit, offset=offset, sort=order, facets=counted, expand=not no_expand)

    result, profile = ask(request, ctx, search)
    if not no_expand:
        say_rules(request, profile, ctx)
    if as_json:
        write_json(result)
        return
    from qx.cli.output import is_terminal

    if is_terminal():
        write_story(result_story(request.text(), result))
        return
    write_rows((str(hit.rank), hit.id, hit.title, hit.url or "") for hit in result.hits)
    for line in (*result.notes, *([f"partial: {result.partial}"] if result.partial else [])):
        if not state_of(ctx).quiet:
            note(line)
    if not result.hits and not state_of(ctx).quiet:
        note("nothing found")
