"""``qx chat eval``: what searching a chat log brings, on LoCoMo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from qx.cli.public import (
    ProfileChoice,
    Progress,
    load,
    open_engine,
    profile_options,
    run,
    state_of,
    write_json,
    write_lines,
)

if TYPE_CHECKING:
    from qx.settings import Profile
    from qx_chatlog.evaluation.locomo import Locomo
    from qx_chatlog.evaluation.running import Evaluation


@click.command()
@click.argument("locomo", metavar="LOCOMO", type=click.Path(path_type=Path))
@profile_options
@click.option(
    "--errors",
    type=click.Choice(("leave-out", "correct", "keep")),
    default="leave-out",
    show_default=True,
    help="What to do with questions that locomo_errors.json, beside LOCOMO, knows to be wrong.",
)
@click.option("--conversations", type=click.IntRange(1, 10), metavar="N", help="Only the first N of the ten.")
@click.option(
    "--planner",
    type=click.IntRange(0, 2000),
    metavar="N",
    help="Ask the planner N questions by chance.  [default: 20 where the profile has a model, else 0]",
)
@click.option(
    "--memory",
    is_flag=True,
    help="Also a structured memory: facts of each session, found by meaning; needs an embedder.",
)
@click.option(
    "--facts",
    type=click.Choice(("rules", "model")),
    default="rules",
    show_default=True,
    help="Who writes the facts of --memory: rules, or the profile's model, of the first conversation alone.",
)
@click.option(
    "--sheet",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the answers of planner and memory side by side as a blind sheet.",
)
@click.option("--markdown", is_flag=True, help="Print tables of Markdown.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON document.")
@click.pass_context
def eval_(
    ctx: click.Context,
    locomo: Path,
    choice: ProfileChoice,
    errors: str,
    conversations: int | None,
    planner: int | None,
    memory: bool,
    facts: str,
    sheet: Path | None,
    markdown: bool,
    as_json: bool,
) -> None:
    """Measure on LoCoMo how much of what answers a question is found: plain BM25, all controls, each left out.

    LOCOMO is locomo10.json. It needs no profile; one with a model adds the planner, and `--memory` a memory of extracted
    facts.
    """
    from qx_chatlog.evaluation import locomo as sets
    from qx_chatlog.evaluation import report

    read = sets.read(locomo, errors=errors, conversations=conversations)  # pyright: ignore[reportArgumentType]
    wanted = choice.profile is not None or planner or memory or sheet
    profile = load(choice, ctx) if wanted else None
    with Progress(quiet=state_of(ctx).quiet, logged=True) as progress:
        made = run(_evaluate(ctx, read, profile, planner, facts if memory else None, sheet, progress))
    if as_json:
        write_json(made)
    else:
        write_lines(report.page(made) if markdown else report.lines(made))


async def _evaluate(
    ctx: click.Context,
    read: Locomo,
    profile: Profile | None,
    planner: int | None,
    memory: str | None,
    sheet: Path | None,
    progress: Progress,
) -> Evaluation:
    from qx_chatlog.evaluation import running
    from qx_chatlog.evaluation.further import check, further
    from qx_chatlog.section import ChatSection

    if profile is None:
        return await running.run(read, tell=progress.show)
    # read, not opened: the set's chats are kept in memory, the profile's store has no part in this
    ask = ChatSection.Settings.model_validate(profile.sections.get("chat", {})).ask
    async with open_engine(profile, ctx) as engine:
        check(engine, memory=memory, sheet=sheet)
        made = await running.run(read, tell=progress.show)
        return await further(
            engine, read, made, ask=ask, planner=planner, memory=memory, sheet=sheet, tell=progress.show
        )
