"""Filling a pool: what was judged before is read, what is new is judged, several at a time, each kept at once."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from qx.errors import BadResponse, BudgetExceeded, ProviderError
from qx.eval.judging.judge import Judge, Verdict
from qx.eval.judging.pool import Judged, Pool, key_of
from qx.eval.judging.rubrics import Task, Tongue
from qx.eval.together import together
from qx.serial import value
from qx.types import Usage

CONCURRENCY = 8
Progress = Callable[[int, int], None]


@value
class Subject:
    """What is to be judged.

    Attributes:
        query: The id of the query that it belongs to.
        item: What it is of that query: a document's id, a condition's name, of two conditions ``a`` and ``b`` both.
        shown: Exactly what the judge sees.
        steered: It spoke to the judge, and those sentences were left out.
    """

    query: str
    item: str
    task: Task
    tongue: Tongue
    shown: Mapping[str, object]
    steered: bool = False


@value
class Filled:
    """The judgements of all subjects.

    Attributes:
        judged: (query, item) -> judgement; those that failed are not in it.
        asked: How many were judged now; ``kept``: how many an earlier run had judged.
        failed: (query, item, reason).
    """

    judged: Mapping[tuple[str, str], Judged]
    asked: int = 0
    kept: int = 0
    failed: tuple[tuple[str, str, str], ...] = ()
    usage: Usage = field(default_factory=Usage)

    @property
    def flagged(self) -> int:
        """How many judgements changed with the order of showing."""
        return sum(judged.flagged for judged in self.judged.values())


class Filling:
    """Judges subjects over one pool.

    Args:
        judge: Asks the model.
        pool: Where judgements are kept.
        model: What tells this model from others; a part of every key.
        batch: Documents of one query in one call, in both orders; 1: each by itself.
        concurrency: Calls at a time.
        progress: Told after each judgement: done, of how many new ones.
    """

    def __init__(
        self,
        judge: Judge,
        pool: Pool,
        *,
        model: str,
        batch: int = 1,
        concurrency: int = CONCURRENCY,
        progress: Progress | None = None,
    ) -> None:
        self._judge = judge
        self._pool = pool
        self._model = model
        self._batch = batch
        self._gate = asyncio.Semaphore(concurrency)
        self._progress = progress

    async def fill(self, subjects: Sequence[Subject]) -> Filled:
        """Judge what is new of ``subjects``; the same subject twice is judged once.

        Raises:
            ProviderError: the model cannot be asked at all (wrong key, quota used up, nothing there), or it could judge
                none of them.
            DatasetError: the pool cannot be used.
        """
        keys = {(s.query, s.item): self._key(s) for s in subjects}
        known = self._pool.find(list(keys.values()))
        new = list({keys[s.query, s.item]: s for s in subjects if keys[s.query, s.item] not in known}.values())
        made: dict[str, Judged] = {}
        failed: list[tuple[str, str, str]] = []
        usage = Usage()

        async def some(part: Sequence[Subject]) -> None:
            nonlocal usage
            async with self._gate:
                try:
                    verdicts = await self._asked(part)
                except (BadResponse, BudgetExceeded) as error:
                    failed.extend((s.query, s.item, str(error)) for s in part)
                except ProviderError as error:
                    if not error.retryable:
                        raise
                    failed.extend((s.query, s.item, str(error)) for s in part)
                else:
                    for subject, verdict in zip(part, verdicts, strict=True):
                        usage += verdict.usage
                        judged = Judged(values=verdict.values, flagged=verdict.flagged)
                        key = keys[subject.query, subject.item]
                        made[key] = judged
                        self._pool.add(key, judged, task=subject.task, tongue=subject.tongue, model=self._model)
            if self._progress is not None:
                self._progress(len(made) + len(failed), len(new))

        await together(some(part) for part in self._parts(new))
        if new and not made and failed:
            raise BadResponse(f"the judge judged none of {len(new)}: {failed[0][2]}", step="judge")
        found = known | made
        return Filled(
            judged={place: found[key] for place, key in keys.items() if key in found},
            asked=len(made),
            kept=sum(key in known for key in keys.values()),
            failed=tuple(failed),
            usage=usage,
        )

    def _key(self, subject: Subject) -> str:
        listed = subject.task == "relevance" and self._batch > 1
        way = f"in lists of {self._batch}" if listed else "alone"
        return key_of(subject.task, subject.tongue, self._model, subject.shown, way=way)

    def _parts(self, subjects: Sequence[Subject]) -> list[list[Subject]]:
        """What goes into one call: one subject, or documents of one query."""
        if self._batch == 1 or any(subject.task != "relevance" for subject in subjects):
            return [[subject] for subject in subjects]
        groups: dict[tuple[str, Tongue], list[Subject]] = defaultdict(list)
        for subject in subjects:
            groups[subject.query, subject.tongue].append(subject)
        size = self._batch
        return [group[start : start + size] for group in groups.values() for start in range(0, len(group), size)]

    async def _asked(self, part: Sequence[Subject]) -> Sequence[Verdict]:
        first = part[0]
        if first.task == "preference":
            shown: Mapping[str, object] = first.shown
            one, other = _texts(shown["A"]), _texts(shown["B"])
            return [await self._judge.prefer(first.tongue, str(shown["original"]), one, other)]
        if len(part) > 1:
            documents = [_mapping(subject.shown["document"]) for subject in part]
            return await self._judge.documents(first.tongue, str(first.shown["query"]), documents)
        return [await self._judge.one(first.task, first.tongue, first.shown)]


def _texts(found: object) -> list[str]:
    return [str(item) for item in found] if isinstance(found, (list, tuple)) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _mapping(found: object) -> Mapping[str, object]:
    return found if isinstance(found, Mapping) else {"text": str(found)}  # pyright: ignore[reportUnknownVariableType]
