"""``qx explain``."""

from __future__ import annotations

from pathlib import Path
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
@click.option("--search", is_flag=True, help="Search as well, and tell every list, filter, drop and time.")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="With --search: write the whole trace to this file, as a page that needs nothing else.",
)
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="With --search: hits.")
@click.option(
    "--prompt", is_flag=True, help="Print the messages a model would get, with their tokens; no call is made."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the Expansion (SearchResult, prompts) as one JSON document."
)
@click.pass_context
def command(
    ctx: click.Context, request: Request, search: bool, page: Path | None, limit: int, prompt: bool, as_json: bool
) -> None:
    """Tell how a query was read and expanded: strategies, reasons, what was dropped, time and tokens.

    TEXT is the query, in one argument or several; "-" reads it from standard input.
    """
    if search and prompt:
        raise click.UsageError("--prompt makes no call: it does not go with --search")
    if page is not None and not search:
        raise click.UsageError("--html is a page of a search: add --search")
    if prompt:
        _show_prompts(ctx, request, as_json=as_json)
        return
    if search:
        _show_search(ctx, request, page, limit=limit, as_json=as_json)
        return
    expansion, profile = ask(request, ctx, lambda engine, query: engine.expand(query))
    say_rules(request, profile, ctx)
    if as_json:
        write_json(expansion)
    else:
        write_story(explanation(expansion, profile))


def _show_search(ctx: click.Context, request: Request, page: Path | None, *, limit: int, as_json: bool) -> None:
    from qx.cli.page import page as rendered
    from qx.cli.search_story import search_explanation

    result, profile = ask(request, ctx, lambda engine, query: engine.search(query, limit=limit))
    say_rules(request, profile, ctx)
    if page is not None:
        made = state_of(ctx).redact(rendered(request.text(), result, profile))
        try:
            page.write_text(made, encoding="utf-8")
        except OSError as error:
            raise click.UsageError(f"--html {page}: cannot be written: {error.strerror}") from error
        if not state_of(ctx).quiet:
            note(f"{page}: written")
    if as_json:
        write_json(result)
    elif page is None:
        write_story(search_explanation(request.text(), result, profile))


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
