"""``qx explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qx.cli.output import note, write_json, write_story
from qx.cli.request import Request, request_options
from qx.cli.session import ask, say_rules, with_placeholder
from qx.cli.state import state_of
from qx.cli.story import explanation, prompt_story

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.steps.prompt import RenderedPrompt
    from qx.types import Query


@click.command()
@request_options
@click.option(
    "--prompt", is_flag=True, help="Print the messages a model would get, with their tokens; no call is made."
)
@click.option("--json", "as_json", is_flag=True, help="Print the Expansion (or the prompts) as one JSON document.")
@click.pass_context
def command(ctx: click.Context, request: Request, prompt: bool, as_json: bool) -> None:
    """Tell how a query was read and expanded: strategies, reasons, what was dropped, time and tokens.

    TEXT is the query, in one argument or several; "-" reads it from standard input.
    """
    if prompt:
        _show_prompts(ctx, request, as_json=as_json)
        return
    expansion, profile = ask(request, ctx, lambda engine, query: engine.expand(query))
    say_rules(request, profile, ctx)
    if as_json:
        write_json(expansion)
    else:
        write_story(explanation(expansion, profile))


def _show_prompts(ctx: click.Context, request: Request, *, as_json: bool) -> None:
    prompts, profile = ask(request, ctx, _prompts, prepare=with_placeholder)
    if profile.llm is not None and profile.llm.model == "" and not state_of(ctx).quiet:
        note("no model configured: these are the prompts that one would get")
    if as_json:
        write_json(prompts)
    else:
        write_story(prompt_story(prompts))


async def _prompts(engine: Engine, query: Query) -> tuple[RenderedPrompt, ...]:
    return engine.prompts(query)
