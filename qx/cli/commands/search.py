"""``qx search``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from qx.cli.output import note, write_json, write_rows
from qx.cli.request import Request, request_options
from qx.cli.session import ask, say_rules
from qx.cli.state import state_of

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.filters import Filter
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
        if tree is not None:
            check_fields(engine, tree)
            query = replace(query, filters=tree)
        return await engine.search(query, limit=limit, offset=offset, sort=order, facets=counted, expand=not no_expand)

    result, profile = ask(request, ctx, search)
    if not no_expand:
        say_rules(request, profile, ctx)
    _show(request.text(), result, as_json=as_json, quiet=state_of(ctx).quiet)


def check_fields(engine: Engine, tree: Filter) -> None:
    """Refuse a filter by a field that no backend has: it could only ever find nothing.

    Raises:
        click.UsageError: says which fields there are.
    """
    from qx.filters import leaves

    known = sorted({field for name in engine.profile.search.backends for field in engine.backend(name).fields})
    unknown = next((leaf.field for leaf in leaves(tree) if leaf.field not in known), None)
    if unknown is not None and known:
        from qx.registry import suggest

        near = suggest(unknown, known)
        raise click.UsageError(
            f"--filter: no backend of the profile has a field {unknown!r}{f' ({near})' if near else ''}; "
            f"known: {', '.join(known)}"
        )


def _show(text: str, result: SearchResult, *, as_json: bool, quiet: bool) -> None:
    from qx.cli.output import is_terminal
    from qx.cli.results import nothing, remarks, write_result

    if as_json:
        write_json(result)
    elif is_terminal():
        write_result(text, result, secondary=not quiet)
    else:
        write_rows((str(hit.rank), hit.id, hit.title, hit.url or "") for hit in result.hits)
        if not quiet:
            for line in (*(() if result.hits else (nothing(result),)), *remarks(result)):
                note(line)
