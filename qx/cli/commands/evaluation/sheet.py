"""``qx eval sheet``: blind rating sheets for people, out and back in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from qx.cli.commands.evaluation.before import COMPARING, SHEETS, check_installed, check_writable
from qx.cli.commands.evaluation.provenance import provenance
from qx.cli.output import note, write_json, write_lines
from qx.cli.progress import Counting
from qx.cli.request import ProfileChoice, complete_profile, env_file_option
from qx.cli.session import load, run
from qx.cli.state import common_options, state_of
from qx.cli.stopping import ANEW, saying_how_far

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qx.eval.sheets import Item
    from qx.settings import Profile


@click.group()
def command() -> None:
    """Let people judge sets of queries, or answers, without knowing what made them.

    "make" writes a sheet to fill in and keeps the key to it; "read" takes what several raters filled in.
    """


@command.command(short_help="Write a sheet of a sample of a log or dataset.")
@click.argument("source", metavar="LOG|DATASET|ANSWERS", type=click.Path(path_type=Path))
@click.option(
    "--profile",
    "-p",
    "profiles",
    multiple=True,
    metavar="NAME|FILE",
    shell_complete=complete_profile,
    help="A profile whose queries are shown; give several to compare them.  [default: default]",
)
@env_file_option
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="NAME.xlsx or NAME.csv.")
@click.option("--sample", "count", type=click.IntRange(1), default=50, show_default=True, help="Originals.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed draws and shuffles alike.")
@click.option("--results", type=click.IntRange(0, 50), default=0, help="Show so many titles of what is found as well.")
@click.option("--answers", is_flag=True, help="ANSWERS is JSON lines of text, answer, condition: rate those.")
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", help="Of headings and instructions.")
@click.option(
    "--key", type=click.Path(dir_okay=False, path_type=Path), help="The key's file, instead of qx's own folder."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@common_options
@click.pass_context
def make(
    ctx: click.Context,
    source: Path,
    profiles: tuple[str, ...],
    env_file: Path | None,
    out: Path,
    count: int,
    seed: int,
    results: int,
    answers: bool,
    language: str,
    key: Path | None,
    force: bool,
) -> None:
    """Write a rating sheet: each original with its set of queries, shuffled, conditions not named.

    The sample is stratified by kind, language and length of the queries. The key says which row is of which profile:
    raters must not have it.
    """
    from qx.eval.sheets import blinded, key_place, write_key, write_sheet
    from qx.eval.sheets.files import check_ending

    check_ending(out)
    if answers and (profiles or results):
        raise click.UsageError("--answers rates what the file holds: it goes with neither --profile nor --results")
    check_writable(out=out)
    if key is not None and key.is_dir():
        raise click.UsageError(f"--key {key}: is a folder: name a file in it")
    check_installed(*(SHEETS if out.suffix.lower() == ".xlsx" else ()))
    for path in (out, key):
        if path is not None and path.exists() and not force:
            raise click.UsageError(f"{path} is there already: name another file, or --force")
    if answers:
        name, items = source.stem, _answers(ctx, source, count, seed)
    else:
        chosen = [load(ProfileChoice(named, env_file), ctx) for named in profiles or (None,)]
        name, items = _queries(ctx, source, chosen, count=count, seed=seed, results=results)
    asking = "answers" if answers else "queries"
    made = blinded(items, name=name, asking=asking, tongue="zh" if language == "zh" else "en", seed=seed)
    kept = write_key(made, key)
    for path in write_sheet(made, out):
        click.echo(str(path))
    if not state_of(ctx).quiet:
        where = "" if key is None and kept == key_place(made.sheet) else f" (read needs --key {kept})"
        note(f"{len(items)} rows; the key, not for raters, is {kept}{where}")
        for said in _repeated(items):
            note(said)


def _repeated(items: Sequence[Item]) -> list[str]:
    """Say how many originals are rated twice though both rows show the same."""
    from qx.eval.sheets.alike import alike

    first, total = items[0].condition if items else "", len({item.query for item in items})
    return [
        f"{len(queries)} of {total} originals have one and the same set or answer in {first} and {condition}: they show how "
        "sure raters are, and count as a tie"
        for condition, queries in alike(items, first).items()
    ]


def _answers(ctx: click.Context, source: Path, count: int, seed: int) -> Sequence[Item]:
    from qx.eval.kinds import read
    from qx.eval.sheets import read_answers, sampled_answers
    from qx.settings import Profile

    found = run(read(read_answers(source), Profile(), state_of(ctx).plugins()))
    return sampled_answers(found, count, seed=seed)


def _queries(
    ctx: click.Context, source: Path, profiles: Sequence[Profile], *, count: int, seed: int, results: int
) -> tuple[str, Sequence[Item]]:
    from qx.eval.conditions import told_apart
    from qx.eval.sheets import items_of, sample

    plugins = state_of(ctx).plugins()
    counting = Counting("rows", quiet=state_of(ctx).quiet)

    async def work() -> tuple[str, Sequence[Item]]:
        dataset, queries = await sample(source, count, seed=seed, profile=profiles[0], plugins=plugins)
        conditions = told_apart(profiles)
        made = await items_of(queries, conditions, results=results, plugins=plugins, progress=counting)
        return dataset.name, made

    try:
        with saying_how_far(lambda: counting.far, ANEW):
            return run(work())
    finally:
        counting.end()


def _rater(_ctx: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[tuple[str, Path], ...]:
    """Read ``anna=part1.xlsx``; without a name, the rater is called as the file."""
    found: list[tuple[str, Path]] = []
    for item in given:
        name, sign, path = item.partition("=")
        if not sign or Path(item).exists():
            name, path = Path(item).stem, item
        if not Path(path).is_file():
            raise click.BadParameter(f"there is no file {path!r}")
        if any(known.resolve() == Path(path).resolve() for _, known in found):
            raise click.BadParameter(f"{path} is named twice: its ratings would count as those of two raters")
        if any(rater == name and known != Path(path) for rater, known in found) and not sign:
            raise click.BadParameter(f"two files are called {name!r}: say whose they are: NAME={path}")
        found.append((name, Path(path)))
    return tuple(found)


@command.command(short_help="Read filled-in sheets and report.")
@click.argument("files", metavar="[RATER=]FILE…", nargs=-1, required=True, callback=_rater)
@click.option(
    "--key", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Where it is not in qx's own folder."
)
@click.option(
    "--ratings",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the ratings to FILE, as judges are held against.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
@common_options
@click.pass_context
def read(
    ctx: click.Context, files: tuple[tuple[str, Path], ...], key: Path | None, ratings: Path | None, as_json: bool
) -> None:
    """Read what raters filled in: means, intervals, the useful share, agreement, by condition and kind.

    Sheets may be filled in in part. Ratings that are no value of the scale are refused, each with its cell.
    """
    from dataclasses import replace

    from qx.eval.sheets import read_sheets, report
    from qx.eval.sheets.people import write_ratings
    from qx.eval.sheets.table import lines

    check_installed(*COMPARING)
    check_writable(ratings=ratings)
    known, given = read_sheets(files, key)
    made = replace(report(known, given, raters=[name for name, _ in files]), provenance=provenance(ctx))
    if as_json:
        write_json(made)
    else:
        write_lines(lines(made))
    if ratings is not None:
        write_ratings(known, given, ratings)
