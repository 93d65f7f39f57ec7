"""``qx eval judge``: what is to be judged is gathered, judged, held against people, and only then ranked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from qx.errors import UsageError
from qx.eval.conditions import conditions
from qx.eval.judging.filling import CONCURRENCY, Filled, Progress, Subject
from qx.eval.judging.opening import judging_profile, model_of, opened_filling
from qx.eval.judging.qrels import write_qrels
from qx.eval.judging.report import (
    JudgeReport,
    Standing,
    compared,
    grades_by_query,
    may_rank,
    preferred,
    scores_given,
    standing,
    trust_in_grades,
    trust_in_people,
    values_by_query,
)
from qx.eval.judging.rubrics import Task, version
from qx.eval.judging.subjects import (
    CLIP,
    Pair,
    answer_subjects,
    pairs_found,
    pairs_graded,
    preference_subjects,
    relevance_subjects,
    set_subjects,
    texts_in,
    texts_of,
)
from qx.eval.judging.trust import THRESHOLD, Trust
from qx.eval.running import Run
from qx.eval.sheets.items import Item
from qx.eval.sheets.people import RatedItem
from qx.eval.tally import Tally
from qx.eval.values import Dataset, Row
from qx.serial import empty, value
from qx.settings import Profile

if TYPE_CHECKING:
    from qx.plugins import Plugins


_PEOPLE = "rated by people: "
"""Before the condition's name of what people have rated: their sets need not be those of today."""


@value
class Options:
    """How a judge works.

    Attributes:
        batch: Documents of one query in a call; 1: each by itself.
        threshold: Kappa below which there is no ranking.
        clip: Characters of a document that are read.
        pool: The file of judgements; None: in qx's own folder.
    """

    batch: int = 1
    concurrency: int = CONCURRENCY
    threshold: float = THRESHOLD
    clip: int = CLIP
    pool: Path | None = None
    progress: Progress | None = field(default=None, compare=False)


async def judge_relevance(
    dataset: Dataset,
    judge: Profile,
    profiles: Sequence[Profile],
    *,
    top: int = 10,
    agree: int = 50,
    seed: int = 0,
    corpus: Path | None = None,
    out: Path | None = None,
    options: Options | None = None,
    plugins: Plugins | None = None,
) -> JudgeReport:
    """Judge the first documents that conditions find, and a sample of the pairs that people have graded.

    Args:
        dataset: The queries, and the grades of people that the judge is held against.
        judge: The profile whose model judges.
        profiles: The conditions, beside no expansion; empty: the judge is held against people, no more.  What a run of
            them has kept is not searched again.
        top: Documents of each list.
        agree: Pairs that people have graded, drawn by ``seed``.
        corpus: Where the documents' texts are; None: where the rows keep them.
        out: Where to write grades for ``qx eval run``; not where the judge may not rank.

    Raises:
        UsageError: there is nothing to judge.
        DatasetError: a text, the pool or ``out`` cannot be read or written.
        ProfileError, PluginError, ProviderError: a profile cannot be opened, or the judge cannot be asked.
    """
    judging_profile(judge)  # before anything is searched for
    searched = await _searched(dataset, profiles, plugins)
    rows, options = searched.rows, options or Options()
    pairs: list[Pair] = [pair for found in rows.values() for pair in pairs_found(found, top)]
    pairs += pairs_graded(dataset.grades, agree, seed=seed)
    subjects = await _subjects(dataset, pairs, rows, corpus, options)
    filled = await _filled(subjects, judge, options, plugins)
    trusted = (trust_in_grades(filled, dataset.grades, options.threshold),)
    ranked, _ = may_rank(trusted)
    graded = {name: grades_by_query(found, filled.judged, top) for name, found in rows.items()} if ranked else {}
    if ranked and out is not None:
        write_qrels(out, filled.judged, dataset.grades)
    made = _report(
        "relevance", dataset.name, judge, subjects, filled, trusted,
        scores={name: scores for name, (scores, _) in graded.items()},
        unjudged={name: count for name, (_, count) in graded.items()},
        kinds={query.id: query.kind for query in dataset.queries},
        unanswered={name: {row.query for row in found if not row.is_whole} for name, found in rows.items()},
    )  # fmt: skip
    return replace(
        made,
        qrels=str(out) if ranked and out is not None else "",
        failed_searches=searched.failed,
        notes=tuple(dict.fromkeys((*dataset.notes, *searched.notes, *made.notes))),
    )


async def _subjects(
    dataset: Dataset, pairs: Sequence[Pair], rows: Mapping[str, Sequence[Row]], corpus: Path | None, options: Options
) -> Sequence[Subject]:
    """What is judged: the texts of documents beside their queries, as rows keep them or the corpus has them."""
    if not pairs:
        raise UsageError("nothing to judge: name a profile to search with (-p), or a dataset with grades")
    texts = texts_of(row for found in rows.values() for row in found)
    if corpus is not None:
        texts |= await asyncio.to_thread(texts_in, corpus, {item for _, item in pairs} - texts.keys())
    return relevance_subjects(dataset, pairs, texts, clip=options.clip)


async def judge_items(
    task: Task,
    items: Sequence[Item],
    judge: Profile,
    *,
    name: str,
    people: Sequence[RatedItem] = (),
    pairwise: bool = False,
    options: Options | None = None,
    plugins: Plugins | None = None,
) -> JudgeReport:
    """Judge sets of queries or answers, and hold the judge against what people said of the same.

    Args:
        task: ``queries`` or ``answers``.
        items: What is judged.
        people: Sets or answers that people have rated (``qx eval sheet read --ratings``): the judge is shown the same.
        pairwise: Compare the sets of each two conditions as well, in both orders.

    Raises:
        UsageError, DatasetError, ProfileError, PluginError, ProviderError: as ``judge_relevance``.
    """
    own = options or Options()
    asked = set_subjects if task == "queries" else answer_subjects
    rated = [replace(one.item, condition=f"{_PEOPLE}{one.item.condition}") for one in people]
    subjects = asked([*items, *rated])
    if not subjects:
        raise UsageError("nothing to judge")
    filled = await _filled(subjects, judge, own, plugins)
    said = {(item.query, item.condition): one.values for item, one in zip(rated, people, strict=True)}
    trusted = trust_in_people(task, filled, said, own.threshold)
    ranked, _ = may_rank(trusted)
    names = list(dict.fromkeys(item.condition for item in items))
    scores = {condition: values_by_query(condition, filled) for condition in names} if ranked else {}
    unjudged = Counter(item for _, item, _ in filled.failed)
    kinds = {item.query: item.kind for item in items}
    made = _report(task, name, judge, subjects, filled, trusted, scores=scores, unjudged=unjudged, kinds=kinds)
    if pairwise and ranked and task == "queries":
        both = await _filled(preference_subjects(items), judge, own, plugins)
        made = replace(
            made,
            preferences=preferred(names, both),
            flagged=made.flagged + both.flagged,
            failed=made.failed + len(both.failed),
        )
    return made


@value
class _Searched:
    """What the conditions found, by their names; searches that ``failed``, and what is to be known of all of them."""

    rows: Mapping[str, Sequence[Row]] = field(default_factory=empty)
    failed: Mapping[str, int] = field(default_factory=empty)
    notes: tuple[str, ...] = ()


async def _searched(dataset: Dataset, profiles: Sequence[Profile], plugins: Plugins | None) -> _Searched:
    if not profiles:
        return _Searched()
    run = Run(dataset, conditions(profiles, plugins=plugins), plugins=plugins)
    result = await run.run()
    rows = {one.name: list(run.rows(one.name)) for one in run.conditions}
    return _Searched(rows=rows, failed=result.failed, notes=(*result.notes, *_lacks(dataset, rows)))


def _lacks(dataset: Dataset, rows: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """What is wrong with what was found, as the report of a run says it."""
    for name, found in rows.items():
        tally = Tally(name, dataset)
        for row in found:
            tally.add(row)
        yield from tally.lacks()


async def _filled(subjects: Sequence[Subject], profile: Profile, options: Options, plugins: Plugins | None) -> Filled:
    async with opened_filling(
        profile,
        plugins,
        batch=options.batch,
        concurrency=options.concurrency,
        pool=options.pool,
        progress=options.progress,
    ) as filling:
        return await filling.fill(subjects)


def _report(
    task: Task,
    dataset: str,
    judge: Profile,
    subjects: Sequence[Subject],
    filled: Filled,
    trusted: Sequence[Trust],
    *,
    scores: Mapping[str, Mapping[str, Mapping[str, float]]],
    unjudged: Mapping[str, int],
    kinds: Mapping[str, str],
    unanswered: Mapping[str, Collection[str]] | None = None,
) -> JudgeReport:
    ranked, unchecked = may_rank(trusted)
    standings: list[Standing] = [standing(name, given, kinds, unjudged.get(name, 0)) for name, given in scores.items()]
    reasons = dict.fromkeys(reason for _, _, reason in filled.failed)
    return JudgeReport(
        task=task,
        dataset=dataset,
        model=model_of(judge),
        rubrics={tongue: version(task, tongue) for tongue in sorted({subject.tongue for subject in subjects})},
        subjects=len({(subject.query, subject.item) for subject in subjects}),
        asked=filled.asked,
        kept=filled.kept,
        failed=len(filled.failed),
        flagged=filled.flagged,
        steered=sum(subject.steered for subject in subjects),
        trust=tuple(trusted),
        ranked=ranked,
        unchecked=unchecked,
        conditions=tuple(standings),
        comparisons=compared(scores, unanswered or {}) if scores else (),
        usage=filled.usage,
        notes=tuple(f"not judged: {reason}" for reason in list(reasons)[:3]),
        scores=scores_given(subjects, filled),
    )
