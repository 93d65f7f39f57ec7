"""``qx understand``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qx.cli.output import write_json, write_story
from qx.cli.request import Request, request_options
from qx.cli.session import ask, say_rules
from qx.cli.story import understanding_story

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.types import Query, Understanding


@click.command()
@request_options
@click.option("--json", "as_json", is_flag=True, help="Print the Understanding as one JSON document.")
@click.pass_context
def command(ctx: click.Context, request: Request, as_json: bool) -> None:
    """Read a query: intent, entities, constraints, implicit needs, mood.

    TEXT is the query, in one argument or several; "-" reads it from standard input.
    """
    (text, understanding), profile = ask(request, ctx, _understand)
    say_rules(request, profile, ctx)
    if as_json:
        write_json(understanding)
    else:
        write_story(understanding_story(text, understanding, profile))


async def _understand(engine: Engine, query: Query) -> tuple[str, Understanding]:
    return query.text, await engine.understand(query)
