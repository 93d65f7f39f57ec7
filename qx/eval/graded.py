"""Bare lists of queries: a classifier grades the snippets of what was found, and the dataset has grades.

Grades go from 0 to 3 as in the field: 0 has nothing to do with it, 1 touches it, 2 helps, 3 answers it; ``GOOD`` and
above count as useful.  The report then is the ordinary one, with the measures of ``qx.eval.names.BARE``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from qx.errors import BadResponse, ProviderError
from qx.eval.values import Condition, Dataset, EvalQuery, Listed, Row
from qx.grading import asking, graded
from qx.llm import Completion, CompletionRequest
from qx.serial import value

GOOD = 2
"""The least grade that counts as useful."""
DEPTH = 10
"""Documents of each list that are graded: the first page."""
BATCH = 10
"""Documents of one query that a model grades in one call."""
CLIP = 600
"""Code points of a document's title and text that a model reads."""
_AT_ONCE = 1_000
"""Queries whose snippets are held at once: the rows are read again for the next ones."""
_LABELS = {"answers": 3, "helps": 2, "touches": 1, "unrelated": 0}
_TASK = (
    "Grade each search result for the person who typed the query: answers (what was wanted, all conditions met), helps "
    "(useful, a condition is open), touches (same subject, another need or a condition broken), unrelated."
)

Complete = Callable[[CompletionRequest], Awaitable[Completion]]


@value
class Snippet:
    """What a classifier sees of a document."""

    id: str
    title: str = ""
    text: str = ""


class Classifier(Protocol):
    """Grades documents for one query."""

    @property
    def about(self) -> str:
        """What a reader of the report must know of it."""
        ...

    async def grades(self, query: EvalQuery, snippets: Sequence[Snippet], /) -> Mapping[str, int]:
        """Return document id -> grade; what could not be graded is not in it."""
        ...


class ByModel:
    """A model grades in batches; it only chooses among offered labels.

    Args:
        complete: Asks the model: ``Context.complete``, or an engine's.  What it answers is kept by whoever gives it.
        timeout: Seconds for a call.
    """

    about = "graded by a model from title and snippet, 0 to 3; nobody has checked it"

    def __init__(self, complete: Complete, *, timeout: float = 60.0) -> None:
        self._complete = complete
        self._timeout = timeout

    async def grades(self, query: EvalQuery, snippets: Sequence[Snippet], /) -> Mapping[str, int]:
        """Grade in calls of ``BATCH`` documents; an answer that cannot be read leaves its batch without grades.

        Raises:
            ProviderError: the model cannot be reached.
        """
        found: dict[str, int] = {}
        for start in range(0, len(snippets), BATCH):
            part = snippets[start : start + BATCH]
            texts = {f"r{nth}": _text(one) for nth, one in enumerate(part, 1)}
            request = asking(_TASK, texts, list(_LABELS), query=query.text, called="results", timeout=self._timeout)
            try:
                labels = graded((await self._complete(request)).text, texts, list(_LABELS))
            except BadResponse:
                continue
            found |= {one.id: _LABELS[labels[key]] for key, one in zip(texts, part, strict=True) if key in labels}
        return found


async def with_grades(
    dataset: Dataset,
    conditions: Iterable[Condition],
    rows_of: Callable[[str], Iterable[Row]],
    classifier: Classifier,
    *,
    depth: int = DEPTH,
    concurrency: int = 4,
) -> Dataset:
    """Return the dataset with grades for the first ``depth`` documents of every condition's list.

    A document is graded once for a query, whichever conditions found it, and without knowing which.

    Args:
        dataset: Queries.
        conditions: Whose rows are read.
        rows_of: A condition's name -> its rows, with titles and texts.
        classifier: Who grades.
        depth: Of each list.
        concurrency: Queries that are graded at once.

    Raises:
        ProviderError: the classifier's model cannot be reached.
    """
    names = [condition.name for condition in conditions]
    grades: dict[str, dict[str, int]] = {}
    pooled = 0
    for start in range(0, len(dataset.queries), _AT_ONCE):
        queries = dataset.queries[start : start + _AT_ONCE]
        pools = _pools({query.id for query in queries}, names, rows_of, depth)
        pooled += sum(map(len, pools.values()))
        grades |= await _graded(queries, pools, classifier, concurrency)
    notes = _notes(classifier, pooled, sum(map(len, grades.values())))
    return replace(dataset, grades=grades, notes=(*dataset.notes, *notes))


async def _graded(
    queries: Sequence[EvalQuery], pools: Mapping[str, Mapping[str, Snippet]], classifier: Classifier, concurrency: int
) -> dict[str, dict[str, int]]:
    """Query id -> document id -> grade."""
    limit = asyncio.Semaphore(concurrency)

    async def one(query: EvalQuery) -> tuple[str, dict[str, int]]:
        pool = [pools[query.id][id_] for id_ in sorted(pools.get(query.id, ()))]
        async with limit:
            return query.id, dict(await classifier.grades(query, pool)) if pool else {}

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(query)) for query in queries]
    except ExceptionGroup as failed:
        raise _first(failed) from failed
    return dict(task.result() for task in tasks)


def _pools(
    queries: Collection[str], names: Sequence[str], rows_of: Callable[[str], Iterable[Row]], depth: int
) -> dict[str, dict[str, Snippet]]:
    """Query id -> document id -> what is seen of it."""
    pools: dict[str, dict[str, Snippet]] = {}
    for name in names:
        for row in rows_of(name):
            if row.query not in queries:
                continue
            pool = pools.setdefault(row.query, {})
            for listed in row.found[:depth]:
                known = pool.get(listed.id)
                if known is None or not (known.title or known.text):
                    pool[listed.id] = _snippet(listed)
    return pools


def _snippet(listed: Listed) -> Snippet:
    return Snippet(id=listed.id, title=listed.title, text=listed.text)


def _text(snippet: Snippet) -> str:
    text = snippet.text if snippet.text.startswith(snippet.title) else f"{snippet.title}\n{snippet.text}"
    return text.strip()[:CLIP] or snippet.id


def _notes(classifier: Classifier, pooled: int, given: int) -> Iterator[str]:
    yield f"grades: {classifier.about}"
    if given < pooled:
        yield f"{pooled - given} of {pooled} documents could not be graded and count as 0"


def _first(failed: ExceptionGroup[Exception]) -> Exception:
    """What a caller can act on: the model's failure rather than the group of all of them."""
    known = [error for error in failed.exceptions if isinstance(error, ProviderError)]
    return known[0] if known else failed.exceptions[0]
