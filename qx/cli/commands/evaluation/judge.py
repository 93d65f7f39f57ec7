"""``qx eval judge``: a model as judge of what was found, of sets of queries, of answers."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qx.cli.commands.evaluation.before import COMPARING, check_installed, check_writable
from qx.cli.commands.evaluation.provenance import provenance
from qx.cli.options import is_given
from qx.cli.output import write_json, write_lines
from qx.cli.progress import Counting
from qx.cli.request import ProfileChoice, complete_profile, env_file_option
from qx.cli.session import load, run
from qx.cli.state import common_options, state_of
from qx.cli.stopping import saying_how_far

if TYPE_CHECKING:
    from qx.eval.judging import JudgeReport
    from qx.eval.judging.working import Options
    from qx.settings import Profile

FAILED, NOT_TRUSTED = 4, 6
log = logging.getLogger("qx")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for."""

    source: Path
    judge: str
    profiles: tuple[str, ...]
    env_file: Path | None
    task: str
    top: int
    agree: int
    people: Path | None
    threshold: float
    out: Path | None
    corpus: Path | None
    split: str | None
    limit: int | None
    seed: int
    batch: int
    pairwise: bool
    concurrency: int
    as_json: bool


@click.command()
@click.argument("source", metavar="DATASET|LOG|ANSWERS", type=click.Path(path_type=Path))
@click.option(
    "--judge",
    metavar="NAME|FILE",
    required=True,
    shell_complete=complete_profile,
    help="The profile whose model judges.",
)
@click.option(
    "--profile",
    "-p",
    "profiles",
    multiple=True,
    metavar="NAME|FILE",
    shell_complete=complete_profile,
    help="What is judged: what it finds, or its sets of queries; several are compared.",
)
@env_file_option
@click.option(
    "--task",
    type=click.Choice(["relevance", "queries", "answers"]),
    default="relevance",
    show_default=True,
    help="Of documents (0-3); coverage (1-5) and use of sets of queries; accuracy, completeness, fluency (1-5).",
)
@click.option("--top", type=click.IntRange(1, 1000), default=10, show_default=True, help="Documents of each list.")
@click.option(
    "--agree",
    type=click.IntRange(0),
    default=50,
    show_default=True,
    help="Pairs that people have graded, which the judge grades as well.",
)
@click.option(
    "--people",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What people said of sets or answers: qx eval sheet read --ratings FILE.",
)
@click.option(
    "--threshold", type=float, default=0.4, show_default=True, help="Kappa with people below which there is no ranking."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write grades for qx eval run to FILE.")
@click.option("--corpus", type=click.Path(path_type=Path), help="Where the documents' texts are, if not in DATASET.")
@click.option("--split", metavar="NAME", help="Of a BEIR folder with several files of grades.")
@click.option("--limit", type=click.IntRange(1), help="A sample of so many queries.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the samples.")
@click.option("--batch", type=click.IntRange(1, 20), default=1, help="Documents in one call, judged in both orders.")
@click.option("--pairwise", is_flag=True, help="With --task queries: compare sets two by two, in both orders.")
@click.option("--concurrency", type=click.IntRange(1, 1000), default=8, show_default=True, help="Calls at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
@common_options
@click.pass_context
def command(ctx: click.Context, **given: Any) -> None:
    """Let a model judge, hold it against people, and rank only where it agrees with them.

    Judgements are kept: a second run judges only what is new. Exits with 6 where Cohen's kappa with people's grades is
    below the threshold; then nothing is ranked and no grades are written. Exits with 4 where searches or judgements
    failed: the same command asks for those again.
    """
    from qx.eval.judging.table import lines

    wanted = Wanted(**given)
    _check(ctx, wanted)
    check_installed(*(COMPARING if wanted.profiles or wanted.task != "relevance" else ()))
    check_writable(out=wanted.out)
    made = _judged(ctx, wanted)
    if wanted.as_json:
        write_json(made)
    else:
        write_lines(lines(made))
    if made.unchecked:
        log.warning("the judge was not checked against people: nobody has graded any of what it judged")
    _say_failures(made)
    if not made.ranked or not made.complete:
        ctx.exit(FAILED if made.ranked else NOT_TRUSTED)


def _judged(ctx: click.Context, wanted: Wanted) -> JudgeReport:
    from qx.eval.judging.working import Options

    counting = Counting("judgements", quiet=state_of(ctx).quiet)
    options = Options(batch=wanted.batch, concurrency=wanted.concurrency, threshold=wanted.threshold, progress=counting)
    judge, *profiles = (load(ProfileChoice(name, wanted.env_file), ctx) for name in (wanted.judge, *wanted.profiles))
    work = _relevance if wanted.task == "relevance" else _items
    try:
        with saying_how_far(lambda: counting.far):
            made = work(ctx, wanted, judge, profiles, options)
        return replace(made, provenance=provenance(ctx))
    finally:
        counting.end()


def _say_failures(made: JudgeReport) -> None:
    searches = sum(made.failed_searches.values())
    parts = [f"{searches} searches failed and count as empty lists"] if searches else []
    parts += [f"{made.failed} of {made.subjects} could not be judged and count in no mean"] if made.failed else []
    if parts:
        click.echo(f"error: {'; '.join(parts)}: the same command asks again", err=True)


_TASKS = {
    "top": ("relevance",),
    "agree": ("relevance",),
    "out": ("relevance",),
    "corpus": ("relevance",),
    "batch": ("relevance",),
    "split": ("relevance", "queries"),
    "profiles": ("relevance", "queries"),
    "people": ("queries", "answers"),
    "pairwise": ("queries",),
}
"""Option -> the tasks that it goes with; what is not here goes with all."""


def _check(ctx: click.Context, wanted: Wanted) -> None:
    """Refuse options that do not go together, rather than leave one of them out."""
    task, profiles = wanted.task, wanted.profiles
    names = {one.name: one.opts[-1] if one.opts[-1] != "-p" else one.opts[0] for one in ctx.command.params}
    for option, tasks in _TASKS.items():
        if is_given(ctx, option) and task not in tasks:
            raise click.UsageError(f"{names[option]} goes with --task {' and '.join(tasks)}, not with {task}")
    if task == "queries" and not profiles:
        raise click.UsageError("--task queries judges the sets of profiles: name one with -p")
    if is_given(ctx, "top") and not profiles:
        raise click.UsageError("--top is of what profiles find: name one with -p")
    if is_given(ctx, "pairwise") and len(profiles) < 2:
        raise click.UsageError("--pairwise compares the sets of two profiles: name another one with -p")
    if is_given(ctx, "threshold") and task != "relevance" and wanted.people is None:
        raise click.UsageError("--threshold is of the agreement with people: name what they said with --people")


def _relevance(
    ctx: click.Context, wanted: Wanted, judge: Profile, profiles: Sequence[Profile], options: Options
) -> JudgeReport:
    from qx.eval.datasets import format_of, load_dataset
    from qx.eval.datasets.beir import CORPUS
    from qx.eval.judging.working import judge_relevance
    from qx.eval.kinds import with_kinds

    source, corpus, seed = wanted.source, wanted.corpus, wanted.seed
    dataset = load_dataset(source, split=wanted.split, limit=wanted.limit, seed=seed)
    if not dataset.grades and is_given(ctx, "agree"):
        raise click.UsageError(f"--agree is of pairs that people have graded: {dataset.name} has none")
    if not dataset.grades and is_given(ctx, "threshold"):
        raise click.UsageError(f"--threshold is of the agreement with people's grades: {dataset.name} has none")
    if corpus is not None and not (corpus / CORPUS if corpus.is_dir() else corpus).is_file():
        raise click.UsageError(f"--corpus: {corpus} is no file of documents, and no folder with {CORPUS}")
    place = corpus or (source if format_of(source) == "beir" and (source / CORPUS).is_file() else None)
    plugins = state_of(ctx).plugins()

    async def work() -> JudgeReport:
        return await judge_relevance(
            await with_kinds(dataset, profiles[0] if profiles else judge, plugins), judge, profiles,
            top=wanted.top, agree=wanted.agree, seed=seed, corpus=place, out=wanted.out, options=options, plugins=plugins,
        )  # fmt: skip

    return run(work())


def _items(
    ctx: click.Context, wanted: Wanted, judge: Profile, profiles: Sequence[Profile], options: Options
) -> JudgeReport:
    from qx.eval.conditions import told_apart
    from qx.eval.judging.working import judge_items
    from qx.eval.kinds import read
    from qx.eval.sheets import items_of, read_answers, sample, sampled_answers
    from qx.eval.sheets.people import read_ratings

    plugins = state_of(ctx).plugins()
    said = () if wanted.people is None else read_ratings(wanted.people)
    source, limit, seed = wanted.source, wanted.limit, wanted.seed

    async def work() -> JudgeReport:
        if wanted.task == "answers":
            name = source.stem
            items = sampled_answers(await read(read_answers(source), judge, plugins), limit, seed=seed)
            return await judge_items("answers", items, judge, name=name, people=said, options=options, plugins=plugins)
        dataset, queries = await sample(
            source, limit, split=wanted.split, seed=seed, profile=profiles[0], plugins=plugins
        )
        items = await items_of(queries, told_apart(profiles), plugins=plugins)
        return await judge_items(
            "queries", items, judge,
            name=dataset.name, people=said, pairwise=wanted.pairwise, options=options, plugins=plugins,
        )  # fmt: skip

    return run(work())
