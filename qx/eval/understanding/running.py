"""Reading every row of an evaluation set with a profile, several at a time."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from qx.engine import Engine
from qx.eval.answered import answered
from qx.eval.conditions import asks_model
from qx.eval.kept import Keep, Kept
from qx.eval.silence import silent
from qx.eval.tally import latency
from qx.eval.together import together
from qx.eval.understanding.rows import Row
from qx.eval.understanding.scoring import Reading, Scored, score
from qx.eval.understanding.summary import calibrate, confusion, grouped, summarise
from qx.eval.understanding.values import UnderstandingReport
from qx.paths import home
from qx.plugins import Plugins
from qx.settings import CacheSettings, Profile, Search
from qx.steps.understand import resolve_mode
from qx.types import Usage

CONCURRENCY = 8
"""Rows at a time where a model is asked; rules alone take one after the other, so that each has the time for itself."""

Progress = Callable[[int, int], None]
"""Told after each row: how many are done, of how many."""


def evaluated(profile: Profile) -> Profile:
    """Return ``profile`` as it is evaluated: it understands and expands, opens no engine, and remembers no result."""
    return profile.model_copy(update={"search": Search(), "cache": CacheSettings(type="none"), "observers": ()})


async def read_all(
    rows: Sequence[Row],
    profile: Profile,
    *,
    plugins: Plugins | None = None,
    concurrency: int | None = None,
    keep: Keep = "models",
    fresh: bool = False,
    progress: Progress | None = None,
) -> tuple[Scored, ...]:
    """Return the rows with what ``profile`` makes of them, in their order.

    Args:
        rows: What is wanted.
        profile: How they are read; see ``evaluated``.
        plugins: What is installed; None: discover it.
        concurrency: Rows at a time; None: ``CONCURRENCY`` where a model is asked, else 1.
        keep: What answers are kept of (``qx.eval.kept``): a second run asks no model again, nor does one that goes on.
        fresh: Answers of earlier runs do not count.
        progress: Told after each row.

    Raises:
        ProfileError, PluginError: the profile cannot be opened.
    """
    gate = asyncio.Semaphore(concurrency or (CONCURRENCY if asks_model(profile) else 1))
    done = 0

    async def one(engine: Engine, row: Row) -> Scored:
        nonlocal done
        async with gate:
            scored = score(row, await _read(engine, row))
        done += 1
        if progress is not None:
            progress(done, len(rows))
        return scored

    if not asks_model(profile):
        keep = "none"  # rules cost nothing, and need no folder to write to
    kept = Kept(home() / "eval" / "answers.db", keep, began=time.time(), fresh=fresh)
    try:
        over = kept.over(plugins or await asyncio.to_thread(Plugins.load))
        async with Engine.opened(evaluated(profile), plugins=over) as engine:
            return tuple(await together(one(engine, row) for row in rows))
    finally:
        kept.close()


async def _read(engine: Engine, row: Row) -> Reading:
    found = await answered(engine.expand(row.wanted.query()), f"the row {row.line!r}")
    if found.result is None:
        return Reading(error=found.error, kept=found.kept)
    return Reading(
        understanding=found.result.understanding,
        queries=found.result.queries,
        degraded=found.result.degraded,
        usage=found.result.usage,
        milliseconds=found.milliseconds,
        kept=found.kept,
        silent=silent(found.result),
    )


def report(
    name: str,
    profile: Profile,
    rows: Sequence[Scored],
    notes: Sequence[str] = (),
    *,
    kinds: Sequence[str] | None = None,
) -> UnderstandingReport:
    """Add up scored rows into the report of ``qx eval understand``.

    Args:
        name: What the report is called.
        profile: What read the rows.
        rows: Their scores.
        notes: What is worth knowing.
        kinds: The kind of each row, where it is not what this reading made of it: so that two readings of one set have
            the same rows in each group.
    """
    kind_of = {id(row): kind for row, kind in zip(rows, kinds, strict=True)} if kinds is not None else {}
    failed = [row.failed() for row in rows]
    usage = sum((row.reading.usage for row in rows), Usage())
    return UnderstandingReport(
        name=name,
        profile=profile.name,
        mode=resolve_mode(None, profile),
        rows=len(rows),
        scores=summarise(rows),
        kinds=grouped(rows, lambda row: kind_of.get(id(row), row.kind)),
        languages=grouped(rows, lambda row: row.language),
        confusion=confusion(rows),
        calibration=calibrate(rows),
        failed=tuple(row for row in failed if row is not None),
        rungs=dict(Counter(row.reading.understanding.source for row in rows).most_common()),
        degraded=sum(bool(row.reading.degraded) for row in rows),
        errors=sum(bool(row.reading.error) for row in rows),
        latency=latency([row.reading.milliseconds for row in rows if not row.reading.kept and not row.reading.error]),
        usage=replace(usage, cached=sum(row.reading.kept for row in rows)),
        notes=(*notes, *_silence(rows)),
    )


def _silence(rows: Sequence[Scored]) -> Iterator[str]:
    causes = Counter(row.reading.silent for row in rows if row.reading.silent)
    if causes:
        (cause, _), *_ = causes.most_common(1)
        yield (
            f"{causes.total()} of {len(rows)} rows are as the rules read them, since the model did not answer ({cause}): "
            "these figures are not the model's; run again once it answers"
        )
