"""``qx expand``."""

from __future__ import annotations

import click

from qx.cli.output import is_terminal, note, write_json, write_rows, write_story
from qx.cli.request import Request, request_options
from qx.cli.session import ask, say_rules
from qx.cli.state import state_of
from qx.cli.story import expansion_story


@click.command()
@request_options
@click.option("--json", "as_json", is_flag=True, help="Print the Expansion as one JSON document.")
@click.pass_context
def command(ctx: click.Context, request: Request, as_json: bool) -> None:
    """Turn a query into the queries to run, the original first.

    TEXT is the query, in one argument or several; "-" reads it from standard input.

    A terminal gets a tree; a pipe gets one query a line: text, strategy and reason, apart by tabs. The original is the
    query as it is searched, without markup and doubled marks. An empty query has no lines.
    """
    expansion, profile = ask(request, ctx, lambda engine, query: engine.expand(query))
    say_rules(request, profile, ctx)
    if as_json:
        write_json(expansion)
    elif is_terminal():
        write_story(expansion_story(expansion, profile))
    else:
        write_rows((query.text, query.strategy, query.why) for query in expansion.queries if query.text)
        if expansion.abstained and not state_of(ctx).quiet:
            note(f"the query was left alone: {expansion.abstained}")
