"""Writes ``benchmarks/RESULTS.md``: what expanding brings on four sets of queries, over two engines, whatever it says.

::

    QX_TEST_DATA=DIR python benchmarks/results.py [--elasticsearch URL] [--model FILE] [--sets shop,…] [--queries N]

Conditions: no expansion, rules, RM3; with ``--model`` (a GGUF file, ``plugins/llamacpp``) on a sample of one set that model
as ``llm`` and ``llm-single`` beside one method of QueryGym (``pip install querygym pandas``) with it.  Then each set's
default is tuned on one half of its queries and reported on the other (``qx tune``).  What models answer, and every row, is
kept under ``$QX_HOME``: ended midway, the same command goes on.  ``results_page.py`` writes the page.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from results_page import page
from sets import SETS, TEXT_FIELDS, Collection, block, collection, filled, profile

from qx import Profile
from qx.errors import QxError
from qx.eval.conditions import conditions
from qx.eval.reporting import report
from qx.eval.running import Progress, Run
from qx.eval.tuning import Budget, TuneReport, tune
from qx.eval.tuning.splitting import FEWEST
from qx.eval.values import Condition, Report
from qx.plugins import Plugins

MEASURES = ("ndcg@10", "recall@100")
METHOD = "querygym:query2doc"
WORDS = "words alone"
MODEL_SET = "papers"


@dataclass
class Results:
    """What the page shows."""

    reports: dict[tuple[str, str], Report] = field(default_factory=dict)
    """(set, engine) -> conditions measured."""
    tunings: dict[tuple[str, str], TuneReport] = field(default_factory=dict)
    documents: dict[str, int] = field(default_factory=dict)
    model: Report | None = None
    model_name: str = ""
    notes: list[str] = field(default_factory=list)


async def measured(of: Collection, ways: Sequence[Condition], plugins: Plugins, quiet: bool, **how: Any) -> Report:
    """Run conditions and measure them."""
    run = Run(of.dataset, ways, plugins=plugins, on_progress=None if quiet else _tell, **how)
    await run.run()
    return report(of.dataset, ways, run.rows, MEASURES)


async def one_set(of: Collection, engine: str, url: str | None, results: Results, options: Options) -> None:
    """Measure a set over one engine, and tune its default."""
    backend = block(of, url)
    rules = profile("rules", of, backend)
    results.documents[of.folder.name] = await filled(of, rules, options.plugins)
    ways = list(conditions([rules], baselines=("rm3",), plugins=options.plugins))
    if of.name == "constrained":  # what conditions bring once they go as filters: beside the raw query they stay words
        bare = profile("bare", replace(of, fields=TEXT_FIELDS), backend)
        ways.insert(0, Condition(name=WORDS, profile=bare, expand=False))
    results.reports[of.name, engine] = await measured(of, ways, options.plugins, options.quiet, **options.run)
    few = len(of.dataset.queries) < 2 * FEWEST
    if options.trials and few and engine == next(iter(options.engines)):
        results.notes.append(f"{of.name} is not tuned: {len(of.dataset.queries)} queries are too few for two halves")
    if options.trials and not few:
        results.tunings[of.name, engine] = await tune(
            rules,
            of.dataset,
            measures=MEASURES,
            budget=Budget(trials=options.trials),
            plugins=options.plugins,
            on_progress=None if options.quiet else lambda p: _say(f"{of.name} {engine}: trial {p.trial} of {p.trials}"),
            **options.run,
        )


async def with_model(of: Collection, llm: Mapping[str, Any], results: Results, options: Options) -> None:
    """Measure a model on a sample of a set, beside a method of QueryGym with it."""
    backend = block(of, None)
    slow = {"llm": dict(llm), "deadline": "1h", "prompts": {"variant": "lean"}}
    profiles: list[Profile] = [
        profile(mode, of, backend, understand={"mode": mode}, **slow) for mode in ("llm-single", "llm")
    ]
    profiles.append(profile("rules", of, backend))
    baselines = [METHOD] if find_spec("querygym") else []
    if not baselines:
        results.notes.append("QueryGym is not installed: no method of it stands beside the model")
    await filled(of, profiles[-1], options.plugins)
    ways = conditions(profiles, baselines=baselines, plugins=options.plugins)
    results.model = await measured(of, ways, options.plugins, options.quiet, **options.run)
    results.model_name = Path(str(llm.get("model", ""))).name


@dataclass
class Options:
    """What is measured, and how."""

    data: Path
    sets: Sequence[str] = SETS
    engines: Mapping[str, str | None] = field(default_factory=lambda: {"local": None})
    queries: int | None = None
    trials: int = 16
    llm: Mapping[str, Any] | None = None
    model_set: str = MODEL_SET
    model_queries: int = 25
    plugins: Plugins = field(default_factory=Plugins.load)
    quiet: bool = False
    run: Mapping[str, Any] = field(default_factory=lambda: {"concurrency": 1, "keep": "models"})
    """One query at a time, and every search made: latencies are an engine's own."""


async def measure(options: Options) -> Results:
    """Measure all that ``options`` ask for."""
    results = Results()
    for name in options.sets:
        of = collection(options.data, name, options.queries)
        for engine, url in options.engines.items():
            await one_set(of, engine, url, results, options)
    if options.llm is not None:
        sample = collection(options.data, options.model_set, min(options.model_queries, options.queries or 10**9))
        await with_model(sample, options.llm, results, options)
    return results


def _tell(progress: Progress) -> None:
    if progress.done == progress.total or progress.done % 25 == 0 or progress.rate < 0.2:
        left = f", {progress.left:.0f} s left" if progress.left else ""
        _say(f"{progress.condition}: {progress.done} of {progress.total}{left}")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--elasticsearch", metavar="URL", help="besides the local backend")
    parser.add_argument("--model", type=Path, metavar="FILE", help="a chat model in the GGUF format")
    parser.add_argument("--model-set", default=MODEL_SET)
    parser.add_argument("--model-queries", type=int, default=25)
    parser.add_argument("--threads", type=int, default=1, help="of the model")
    parser.add_argument("--queries", type=int, help="of each set at most")
    parser.add_argument("--trials", type=int, default=16, help="of tuning; 0: none")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("RESULTS.md"))
    given = parser.parse_args()
    llm = None
    if given.model is not None:
        model = str(given.model.resolve())
        os.environ["QX_ALLOW_PATHS"] = os.pathsep.join(
            filter(None, (os.environ.get("QX_ALLOW_PATHS"), str(given.model.resolve().parent)))
        )
        options = {"n_ctx": 4096, "threads": given.threads}
        llm = {"provider": "llamacpp", "model": model, "timeout": "1h", "retries": 0, "options": options}
    chosen = Options(
        data=Path(os.environ["QX_TEST_DATA"]),
        sets=[name for name in given.sets.split(",") if name],
        engines={"local": None} | ({"Elasticsearch": given.elasticsearch} if given.elasticsearch else {}),
        queries=given.queries,
        trials=given.trials,
        llm=llm,
        model_set=given.model_set,
        model_queries=given.model_queries,
    )
    try:
        results = asyncio.run(measure(chosen))
    except QxError as error:
        raise SystemExit(f"error: {error}") from error
    given.output.write_text(page(results), encoding="utf-8")
    _say(f"{given.output}: written")


if __name__ == "__main__":
    main()
