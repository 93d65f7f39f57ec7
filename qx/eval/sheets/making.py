"""From a log or dataset to a blind sheet: a stratified sample, each profile's queries for it, and the key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qx.engine import Engine
from qx.errors import DatasetError, ProviderError
from qx.eval.datasets import format_of, load_dataset
from qx.eval.datasets.reading import objects, text_of, wrong
from qx.eval.kinds import read
from qx.eval.sheets.items import Item
from qx.eval.sheets.sampling import length_class, stratified
from qx.eval.silence import silent
from qx.eval.together import together
from qx.eval.values import Dataset, EvalQuery
from qx.settings import CacheSettings, Profile, Search
from qx.text.normalise import fold

if TYPE_CHECKING:
    from qx.plugins import Plugins

LOOKED_AT = 1000
"""Queries of a log whose kind is found out by rules before the sample is drawn (or 20 times the sample)."""
_CONCURRENCY = 8

Progress = Callable[[int, int], None]


async def sample(
    path: Path,
    count: int | None,
    *,
    split: str | None = None,
    seed: int,
    profile: Profile,
    plugins: Plugins | None = None,
) -> tuple[Dataset, tuple[EvalQuery, ...]]:
    """Draw a sample of the different queries of a log or dataset, stratified by kind, language and length.

    What the data does not say of kind and language, the rules read.

    Args:
        path: What ``qx.eval.datasets.load_dataset`` reads; of a log of clicks all queries, clicked or not.
        count: Queries; None: all of them.
        split: Of a BEIR folder with several files of judgements.
        seed: The same seed draws the same sample.
        profile: Whose packs the rules know.
        plugins: What is installed; None: discover it.

    Raises:
        DatasetError: it cannot be read.
        UsageError: ``count`` is below 1.
    """
    form = format_of(path)
    dataset = load_dataset(path, split=split, seed=seed, format="bare" if form == "clicks" else form)
    if count is None:
        return dataset, tuple(await read(dataset.queries, profile, plugins, languages=True))
    looked_at = max(LOOKED_AT, 20 * count)
    different = list({fold(query.text): query for query in reversed(dataset.queries)}.values())[::-1]
    few = stratified(different, min(looked_at, len(different)), lambda query: length_class(query.text), seed=seed)
    told = await read(few, profile, plugins, languages=True)
    chosen = stratified(told, count, lambda q: (q.kind, q.language, length_class(q.text)), seed=seed)
    return dataset, chosen


_ALONE = {"search": Search(), "cache": CacheSettings(type="none")}


async def items_of(
    queries: Sequence[EvalQuery],
    conditions: Sequence[tuple[str, Profile]],
    *,
    results: int = 0,
    plugins: Plugins | None = None,
    progress: Progress | None = None,
) -> tuple[Item, ...]:
    """Return a row for each query under each condition: the set of queries that it makes.

    Args:
        queries: The originals.
        conditions: Name and profile of each.
        results: How many titles of what it finds are shown; 0: nothing is searched.
        plugins: What is installed; None: discover it.
        progress: Told after each row: done, of how many.

    Raises:
        ProfileError, PluginError, ProviderError: a profile cannot be opened, or names no backend though results are
            wanted; an engine or a model did not answer.
    """
    made: list[Item] = []
    total = len(queries) * len(conditions)
    gate = asyncio.Semaphore(_CONCURRENCY)
    for name, profile in conditions:
        own = profile if results else profile.model_copy(update=_ALONE)
        async with Engine.opened(own, plugins=plugins) as engine:

            async def one(query: EvalQuery, engine: Engine = engine, name: str = name) -> None:
                async with gate:
                    found = await _item(engine, query, name, results)
                made.append(found)
                if progress is not None:
                    progress(len(made), total)

            await together(one(query) for query in queries)
    place = {query.id: number for number, query in enumerate(queries)}
    order = {name: number for number, (name, _) in enumerate(conditions)}
    return tuple(sorted(made, key=lambda item: (place[item.query], order[item.condition])))


async def _item(engine: Engine, query: EvalQuery, name: str, results: int) -> Item:
    titles: tuple[str, ...] = ()
    if results:
        found = await engine.search(query.text, limit=results)
        expansion = found.expansion
        titles = tuple(hit.title or hit.text[:100] or hit.id for hit in found.hits)
    else:
        found = expansion = await engine.expand(query.text)
    if missing := silent(found):
        raise ProviderError(
            f"{name}: {missing}: what stands in its place is not the profile's own, and raters would rate that; once it "
            "answers, run again"
        )
    queries = tuple(sub.text for sub in expansion.queries) if expansion is not None else (query.text,)
    return Item(
        query=query.id,
        text=query.text,
        condition=name,
        kind=query.kind,
        language=query.language or "",
        queries=queries,
        results=titles,
    )


def read_answers(path: Path) -> tuple[Item, ...]:
    """Read answers to be rated: JSON lines of ``text``, ``answer``, and if need be ``condition``, ``id``, ``kind``.

    Raises:
        DatasetError: a line has no text or no answer, one question has two answers of one condition, or there is none.
    """
    found: dict[tuple[str, str], Item] = {}
    for number, fields in objects(path):
        text, answer = text_of(fields, ("text", "question", "query")), text_of(fields, ("answer",))
        if text is None or answer is None:
            wrong(path, number, "no text or no answer", '{"text": "…", "answer": "…", "condition": "…"}')
        id_ = text_of(fields, ("_id", "id")) or text
        condition = text_of(fields, ("condition",)) or "answers"
        if (id_, condition) in found:
            wrong(path, number, f"a second answer of {condition!r} to {id_!r}", "give the questions ids of their own")
        found[id_, condition] = Item(
            query=id_,
            text=text,
            condition=condition,
            kind=text_of(fields, ("kind",)) or "",
            language=text_of(fields, ("language",)) or "",
            answer=answer,
        )
    if not found:
        raise DatasetError("no answers", file=str(path), hint='one a line: {"text": "…", "answer": "…"}')
    return tuple(found.values())


def sampled_answers(items: Sequence[Item], count: int | None, *, seed: int) -> tuple[Item, ...]:
    """Draw ``count`` questions (None: all) with all their answers, stratified as queries are.

    Raises:
        UsageError: ``count`` is below 1.
    """
    if count is None:
        return tuple(items)
    questions = list({item.query: item for item in items}.values())
    chosen = stratified(questions, count, lambda i: (i.kind, i.language, length_class(i.text)), seed=seed)
    wanted = {item.query for item in chosen}
    return tuple(item for item in items if item.query in wanted)
