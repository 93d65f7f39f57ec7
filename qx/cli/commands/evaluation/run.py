"""``qx eval run``: conditions over a dataset, their rows, their report, the gate."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qx.cli.commands.evaluation.before import CHARTS, MEASURING, check_installed, check_judged, check_writable
from qx.cli.commands.evaluation.grading import graded
from qx.cli.commands.evaluation.indexing import index
from qx.cli.commands.evaluation.provenance import provenance
from qx.cli.options import is_given
from qx.cli.output import note, printable, write_json
from qx.cli.progress import Counting, RunProgress
from qx.cli.request import ProfileChoice, complete_profile, env_file_option
from qx.cli.session import load, run
from qx.cli.state import common_options, state_of
from qx.cli.stopping import saying_how_far

if TYPE_CHECKING:
    from qx.eval.gate import Gate
    from qx.eval.running import Run, RunResult
    from qx.eval.values import Dataset, Report
    from qx.settings import Profile

FAILED, GATE = 4, 6

_OPTIONS = (
    click.argument("dataset", type=click.Path(path_type=Path), metavar="DATASET"),
    click.option(
        "--profile",
        "-p",
        "profiles",
        multiple=True,
        metavar="NAME|FILE",
        shell_complete=complete_profile,
        help="The profile to measure; repeatable: they stand side by side.  [default: default]",
    ),
    env_file_option,
    click.option("--ablate", is_flag=True, help="Also each strategy alone, all but one, and variants of the prompts."),
    click.option(
        "--baseline",
        "baselines",
        multiple=True,
        metavar="NAME",
        help="A published method beside the profiles: rm3, querygym:METHOD; repeatable.",
    ),
    click.option(
        "--measure",
        "measures",
        multiple=True,
        metavar="NAME[@K]",
        help="Such as ndcg@10, recall@100, mrr, map, p@5, success@1, zero-results; the first decides.",
    ),
    click.option("--depth", type=click.IntRange(1, 1000), default=100, show_default=True, help="Hits of each search."),
    click.option("--limit", type=click.IntRange(1), help="Queries at most: a sample, drawn by --seed."),
    click.option("--seed", type=int, default=0, show_default=True, help="The same seed draws the same sample."),
    click.option(
        "--split",
        metavar="NAME",
        help="Which judgements of a BEIR folder with several.  [default: qrels.tsv, else test]",
    ),
    click.option(
        "--format",
        "form",
        type=click.Choice(("beir", "trec", "clicks", "bare")),
        help="What DATASET is, if not found out.",
    ),
    click.option(
        "--impressions",
        type=click.IntRange(1),
        default=5,
        show_default=True,
        help="Of a log of clicks: how often a document must have been seen to be judged.",
    ),
    click.option(
        "--grader",
        type=click.Choice(("rules", "model")),
        default="rules",
        show_default=True,
        help="Who grades what was found for a bare list of queries; the model is the first profile's.",
    ),
    click.option("--index", "indexing", is_flag=True, help="First index a BEIR folder's corpus by the first profile."),
    click.option(
        "--keep",
        type=click.Choice(("auto", "all", "models", "none")),
        default="auto",
        show_default=True,
        help="Which answers to keep for later runs; auto: all but the searches of local indexes.",
    ),
    click.option("--fresh", is_flag=True, help="Forget what an earlier run over this dataset found, and ask anew."),
    click.option("--concurrency", type=click.IntRange(1, 1000), help="Queries at a time.  [default: 8; local: 1]"),
    click.option(
        "--workers", type=click.IntRange(1, 64), help="Processes.  [default: 1; where all is local, the processors]"
    ),
    click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document."),
    click.option(
        "--html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the report as one page."
    ),
    click.option(
        "--jsonl",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write what every query found, one row a line.",
    ),
    click.option(
        "--fail-if",
        "gates",
        multiple=True,
        metavar="EXPR",
        help="Exit with 6 if it holds, such as 'ndcg@10 lower bound < -0.5' (points); repeatable.",
    ),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for."""

    dataset: Path
    profiles: tuple[str, ...]
    env_file: Path | None
    ablate: bool
    baselines: tuple[str, ...]
    measures: tuple[str, ...]
    depth: int
    limit: int | None
    seed: int
    split: str | None
    form: Any
    impressions: int
    grader: str
    indexing: bool
    keep: Any
    fresh: bool
    concurrency: int | None
    workers: int | None
    as_json: bool
    html: Path | None
    jsonl: Path | None
    gates: tuple[str, ...]


def _with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    function = common_options(function)
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command()
@_with_options
@click.pass_context
def command(ctx: click.Context, **options: Any) -> None:
    """Search with every query of DATASET: raw, and as each profile expands it; measure and compare.

    DATASET is a BEIR folder, TREC files (TOPICS:QRELS), a log of clicks (JSONL, CSV: query, shown, clicked), or a bare
    list of queries (one a line; CSV, TSV, JSONL with text). What was found is kept under $QX_HOME/eval: the same run
    again asks nobody, one that was cut off goes on where it was.

    Exits with 6 where a gate of --fail-if does not hold, with 4 where queries failed.
    """
    wanted = Wanted(**options)
    gates = _gates(wanted.gates)
    check_installed(*MEASURING, *(CHARTS if wanted.html is not None else ()))
    check_writable(html=wanted.html, jsonl=wanted.jsonl)
    dataset, run_, result = _run(ctx, wanted, gates)
    report = _report(ctx, wanted, run_, dataset, result)
    report = replace(report, gates=tuple(gate.result(report) for gate in gates))
    _write(wanted, run_, report)
    failed = sum(result.failed.values())
    if failed:
        said = ", ".join(f"{name} {count}" for name, count in result.failed.items())
        click.echo(
            f"error: {failed} queries failed and count as empty lists ({printable(said)}): the same command asks them "
            "again",
            err=True,
        )
    broken = [failure for gate in report.gates for failure in gate.failures]
    for failure in broken:
        click.echo(f"gate failed: {printable(failure)}", err=True)
    if broken or failed:
        ctx.exit(GATE if broken else FAILED)


def _gates(texts: Sequence[str]) -> list[Gate]:
    """Read the gates before hours are spent."""
    if not texts:
        return []
    from qx.eval.gate import parse_gate

    return [parse_gate(text) for text in texts]


def _run(ctx: click.Context, wanted: Wanted, gates: Sequence[Gate]) -> tuple[Dataset, Run, RunResult]:
    from qx.eval.conditions import conditions
    from qx.eval.datasets import load_dataset
    from qx.eval.kinds import with_kinds
    from qx.eval.names import check_depth, parse_measure
    from qx.eval.running import Run

    state = state_of(ctx)
    profiles = [load(ProfileChoice(name, wanted.env_file), ctx) for name in wanted.profiles or (None,)]
    dataset = load_dataset(
        wanted.dataset,
        split=wanted.split,
        limit=wanted.limit,
        seed=wanted.seed,
        format=wanted.form,
        impressions=wanted.impressions,
    )
    _check(ctx, wanted, dataset, profiles[0])
    measures = _measures(wanted, dataset)
    check_judged(dataset, wanted.dataset, wanted.form, wanted.measures, gates)
    with Counting("queries read", quiet=state.quiet) as reading, saying_how_far(lambda: ""):  # which nothing keeps
        dataset = run(with_kinds(dataset, profiles[0], state.plugins(), progress=reading))
    made = conditions(profiles, ablate=wanted.ablate, baselines=wanted.baselines, plugins=state.plugins())
    for gate in gates:
        gate.check(made, measures)
    check_depth(map(parse_measure, measures), wanted.depth)
    if wanted.indexing:
        index(ctx, wanted.dataset, profiles[0])
    with RunProgress(quiet=state.quiet) as progress:
        run_ = Run(
            dataset,
            made,
            depth=wanted.depth,
            concurrency=wanted.concurrency,
            workers=wanted.workers,
            keep=wanted.keep,
            fresh=wanted.fresh,
            always=[gate.condition for gate in gates if gate.condition is not None],
            on_progress=progress,
        )
        with saying_how_far(lambda: progress.far):
            result = run(run_.run())
    if not state.quiet:
        note(f"{result.asked} searches made, {result.there} were there already; rows are in {result.folder}")
    return dataset, run_, result


def _check(ctx: click.Context, wanted: Wanted, dataset: Dataset, first: Profile) -> None:
    """Refuse options that the dataset has no use for, before hours are spent."""
    from qx.eval.datasets import format_of

    if is_given(ctx, "grader") and dataset.grades:
        raise click.UsageError(f"--grader goes with a bare list of queries: {dataset.name} has grades")
    if is_given(ctx, "impressions") and (wanted.form or format_of(wanted.dataset)) != "clicks":
        raise click.UsageError(f"--impressions goes with a log of clicks: {dataset.name} is none")
    if wanted.grader == "model" and first.llm is None:
        raise click.UsageError(f"--grader model: the profile {first.name} names no model")


def _measures(wanted: Wanted, dataset: Dataset) -> tuple[str, ...]:
    """Read the measures' names, those of gates with them, before hours are spent."""
    from qx.eval.gate import measured

    return measured(_gates(wanted.gates), wanted.measures or _default_measures(dataset, wanted.depth))


def _default_measures(dataset: Dataset, depth: int) -> tuple[str, ...]:
    from qx.eval.names import BARE, DEFAULT, within

    return within(DEFAULT if dataset.grades else BARE, depth)


def _report(ctx: click.Context, wanted: Wanted, run_: Run, dataset: Dataset, result: RunResult) -> Report:
    from qx.eval.reporting import report

    measures = _measures(wanted, dataset)
    good = 1
    if not dataset.grades:
        from qx.eval.graded import GOOD

        dataset, good = graded(ctx, run_, dataset, measures, grader=wanted.grader, keep=wanted.keep), GOOD
    made = report(dataset, run_.conditions, run_.rows, measures, good=good, depth=wanted.depth)
    told = tuple(dict.fromkeys((*dataset.notes, *result.notes, *made.notes)))
    return replace(made, notes=told, provenance=provenance(ctx, dataset=dataset.fingerprint, now=result.now))


def _write(wanted: Wanted, run_: Run, report: Report) -> None:
    """Print the report, and only then write files: one that cannot be written after all loses nobody the figures."""
    if wanted.as_json:
        write_json(report)
    else:
        from qx.cli.report_table import write

        write(report)
        sys.stdout.flush()
    if wanted.html is not None:
        from qx.eval.page import page

        wanted.html.write_text(page(report), encoding="utf-8")
    if wanted.jsonl is not None:
        from qx.eval.row_file import exported

        with wanted.jsonl.open("wb") as file:
            file.writelines(exported(row) for condition in run_.conditions for row in run_.rows(condition.name))
