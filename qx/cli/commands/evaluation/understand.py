"""``qx eval understand``: how well queries are read, against rows that say what they mean."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qx.cli.commands.evaluation.provenance import provenance
from qx.cli.output import write_json, write_lines
from qx.cli.progress import Counting
from qx.cli.request import MODES, ProfileChoice, profile_options
from qx.cli.session import load, run
from qx.cli.state import state_of
from qx.cli.stopping import ANEW, GOES_ON, saying_how_far

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qx.eval.understanding import Row
    from qx.eval.understanding.scoring import Scored
    from qx.settings import Profile


def reading_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add how the rows of an evaluation set are read, and how much of the report is shown."""
    for decorate in (
        click.option("--failed", type=click.IntRange(0), default=20, show_default=True, help="Failed rows to show."),
        click.option("--fresh", is_flag=True, help="Ask the model anew, whatever earlier runs have kept."),
        click.option(
            "--concurrency",
            type=click.IntRange(1, 1000),
            help="Rows at a time.  [default: 8 where a model is asked, else 1]",
        ),
        click.option(
            "--mode", type=click.Choice(MODES), help="How to read and expand, instead of what the profile says."
        ),
        profile_options,
    ):
        function = decorate(function)
    return function


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print the report, every failed row too, as one JSON document.")
@click.pass_context
def command(
    ctx: click.Context,
    file: Path,
    choice: ProfileChoice,
    mode: str | None,
    concurrency: int | None,
    fresh: bool,
    failed: int,
    as_json: bool,
) -> None:
    """Score how queries are read: intents, entities, constraints, needs, mood, and what their expansions keep.

    FILE is JSON lines: text, and what it means: language, kind, intents, entities, constraints, implicit_needs,
    sentiment, stance, must (words that some query holds), must_not (words that none does). What a row does not say is
    not scored on it. What a model answered is kept, so that a second run costs nothing.
    """
    from dataclasses import replace

    from qx.eval.understanding import read_rows, report, unscorable
    from qx.eval.understanding.table import lines
    from qx.gathering import gather_knowledge

    rows = read_rows(file)
    profile = with_mode(load(choice, ctx), mode)
    scored = run_rows(ctx, rows, profile, concurrency, fresh=fresh)
    notes = unscorable(rows, gather_knowledge(profile, state_of(ctx).plugins()))
    made = replace(report(file.name, profile, scored, notes), provenance=provenance(ctx))
    if as_json:
        write_json(made)
    else:
        write_lines(lines(made, failed=failed))


def with_mode(profile: Profile, mode: str | None) -> Profile:
    """Return ``profile`` with ``mode`` in both steps; None: as it is."""
    if mode is None:
        return profile
    understand = profile.understand.model_copy(update={"mode": mode})
    return profile.model_copy(
        update={"understand": understand, "expand": profile.expand.model_copy(update={"mode": None})}
    )


def run_rows(
    ctx: click.Context, rows: Sequence[Row], profile: Profile, concurrency: int | None, *, fresh: bool
) -> tuple[Scored, ...]:
    """Read ``rows`` with ``profile``, with a line of progress where a person watches."""
    from qx.eval.conditions import asks_model
    from qx.eval.understanding import read_all

    state = state_of(ctx)
    counting = Counting("rows", quiet=state.quiet)
    try:
        reading = read_all(
            rows, profile, plugins=state.plugins(), concurrency=concurrency, fresh=fresh, progress=counting
        )
        with saying_how_far(lambda: counting.far, GOES_ON if asks_model(profile) else ANEW):
            return run(reading)
    finally:
        counting.end()
