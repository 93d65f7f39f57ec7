"""``qx tune``: settings that prove better on one's own queries, written as a new profile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from qx.cli.commands.evaluation.before import MEASURING, check_installed, check_writable
from qx.cli.commands.evaluation.provenance import command_line, provenance
from qx.cli.output import write_json, write_lines
from qx.cli.progress import TuneProgress
from qx.cli.request import ProfileChoice, complete_profile, env_file_option
from qx.cli.state import common_options, state_of
from qx.cli.stopping import saying_how_far

if TYPE_CHECKING:
    from qx.eval.tuning.values import TuneReport


@click.command()
@click.argument("profile", metavar="PROFILE", shell_complete=complete_profile)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--measure", "measures", multiple=True, metavar="NAME", help="Repeatable.  [default: ndcg@10, recall@100]"
)
@click.option("--budget", type=click.IntRange(1), default=40, show_default=True, help="Settings to try.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="End the search after so long.")
@click.option("--calls", type=click.IntRange(1), help="End the search after so many model calls.")
@click.option("--cost", type=click.FloatRange(0, min_open=True), help="End the search once its model calls cost this.")
@click.option(
    "--share", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.5, show_default=True,
    help="Of the queries, for searching; the others prove.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the split and of the draws.")
@click.option(
    "--tolerance", type=click.FloatRange(0), default=0.5, show_default=True,
    help="Points that a measure's lower bound may lie below no expansion.",
)  # fmt: skip
@click.option("--split", metavar="NAME", help="Of a BEIR folder with several files of judgements.")
@click.option("--output", metavar="NAME", help="The new profile, beside the old.  [default: PROFILE-tuned]")
@click.option("--force", is_flag=True, help="Write over a profile that is there.")
@click.option("--dry-run", is_flag=True, help="Write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
@env_file_option
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    profile: str,
    dataset: Path,
    measures: tuple[str, ...],
    budget: int,
    minutes: float | None,
    calls: int | None,
    cost: float | None,
    share: float,
    seed: int,
    tolerance: float,
    split: str | None,
    output: str | None,
    force: bool,
    dry_run: bool,
    as_json: bool,
    env_file: Path | None,
) -> None:
    """Search for better settings on one half of DATASET's queries, prove them on the other, write a new profile.

    Searched are the strategies, how many queries there are and what they weigh, ways of merging, and the thresholds of
    abstaining, likeness and fit. The new profile has what is proven better than no expansion on the held-out queries:
    the tuned settings, else the old ones, else none ("abstain: always"). Killed, the same command goes on.
    """
    from dataclasses import replace
    from datetime import UTC, datetime

    from qx.cli.session import load, run
    from qx.eval.datasets import load_dataset
    from qx.eval.kinds import with_kinds
    from qx.eval.tuning import Budget, tune
    from qx.eval.tuning.search import MEASURES
    from qx.eval.tuning.wording import lines
    from qx.eval.tuning.writing import place, text, write

    loaded = load(ProfileChoice(profile, env_file), ctx)
    path = None if dry_run else place(loaded, output)
    if path is not None and path.exists() and not force:
        raise click.UsageError(f"{path} is there already; --force writes over it")
    check_installed(*MEASURING)
    check_writable(output=path)
    state = state_of(ctx)
    plugins = state.plugins()

    async def work() -> TuneReport:
        return await tune(
            loaded,
            await with_kinds(load_dataset(dataset, split=split), loaded, plugins),
            measures=measures or MEASURES,
            budget=Budget(trials=budget, seconds=minutes and minutes * 60, calls=calls, cost=cost),
            share=share,
            seed=seed,
            tolerance=tolerance / 100,
            plugins=plugins.only(loaded.plugins),
            command=_said(ctx),
            on_progress=progress,
        )

    with TuneProgress(quiet=state.quiet) as progress, saying_how_far(lambda: progress.far):
        report = run(work())
    report = replace(report, provenance=provenance(ctx))
    if path is not None:
        made = text(report, loaded, datetime.now(UTC))
        write(path, made, lambda fresh: load(ProfileChoice(str(fresh), env_file), ctx))
        report = replace(report, written=str(path))
    if as_json:
        write_json(report)
        return
    write_lines(lines(report))
    if path is not None:
        click.echo(f"{path}: written; `qx search -p {path} TEXT` uses it")


def _said(ctx: click.Context) -> str:
    """The command line that does the same: where the new profile is there already, it has to be written over."""
    said = command_line(ctx, without=("as_json", "force", "dry_run", "quiet", "verbose", "debug"))
    return f"{said} {'--dry-run' if ctx.params['dry_run'] else '--force'}"
