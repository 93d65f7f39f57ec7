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
    from collections.abc import Sequence

    from qx.engine import Engine
    from qx.filters import Filter
    from qx.types import Query, SearchResult


@click.command()
@request_options
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Hits to print.")
@click.option("--offset", type=click.IntRange(0, 10_000), default=0, help="Hits to leave out before.")
@click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="'FIELD OP VALUE'",
    help="Such as 'price < 500' or 'brand in HP, Dell'; repeatable.",
)
@click.option("--sort", "sorts", multiple=True, metavar="FIELD", help="Order by a field, -FIELD the other way round.")
@click.option("--facets", metavar="FIELD,…", help="Count the values of these fields.")
@click.option("--all", "everything", is_flag=True, help='With an empty query (""): all documents, to sort and count.')
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
    everything: bool,
    no_expand: bool,
    as_json: bool,
) -> None:
    """Search with a query and its expansions, and print one ranked list.

    TEXT is the query, in one argument or several; "-" reads it from standard input. With --filter or --all
    it may be empty ("").

    A terminal gets a list with snippets; a pipe gets one hit a line: rank, id, title and url, apart by tabs.
    """
    from qx.filters.options import parse_options
    from qx.types import SortBy

    tree = parse_options(filters) if filters else None
    order = [SortBy(field=name.lstrip("-"), descending=name.startswith("-")) for name in sorts]
    counted = [name.strip() for name in (facets or "").split(",") if name.strip()]

    if everything and request.text().strip():
        raise click.UsageError('--all lists all documents: it goes with an empty query (""), not with words')

    async def search(engine: Engine, query: Query) -> SearchResult:
        if everything and tree is None:
            query = replace(query, filters=all_of(engine, (*(one.field for one in order), *counted)))
        if tree is not None:
            check_fields(engine, tree)
            query = replace(query, filters=tree)
        return await engine.search(query, limit=limit, offset=offset, sort=order, facets=counted, expand=not no_expand)

    result, profile = ask(request, ctx, search)
    if not no_expand:
        say_rules(request, profile, ctx)
    _show(request.text(), result, as_json=as_json, quiet=state_of(ctx).quiet)


def all_of(engine: Engine, named: Sequence[str]) -> Filter | None:
    """Return the filter that every document passes, by a field that every backend has; those that are used anyway first.

    Raises:
        click.UsageError: the backends have no field in common that they filter by.
    """
    from qx.filters import everything

    backends = [engine.backend(name) for name in engine.profile.search.backends]
    kept = [set(backend.fields) for backend in backends]
    common = set[str].intersection(*kept) if kept else set[str]()
    kinds = {name: backends[0].fields[name].type for name in common}
    quick = sorted(name for name in common if kinds[name] not in ("text", None) and name != "id")
    field = next((name for name in (*named, *quick, *sorted(common)) if name in common), None)
    if field is None and backends:
        raise click.UsageError("--all: the profile's backends have no field in common; declare one under `fields`")
    return everything(field) if field is not None else None


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
    from qx.cli.results import counts, nothing, remarks, write_result

    if as_json:
        write_json(result)
    elif is_terminal():
        write_result(text, result, secondary=not quiet)
    else:
        write_rows((str(hit.rank), hit.id, hit.title, hit.url or "") for hit in result.hits)
        if not quiet:
            for line in (*(() if result.hits else (nothing(result),)), *counts(result), *remarks(result)):
                note(line)
