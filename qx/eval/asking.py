"""One query under one condition: from an open engine to a row."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from qx.engine import Engine
from qx.eval.answered import answered
from qx.eval.row_file import Line
from qx.eval.silence import silent
from qx.eval.values import Condition, EvalQuery, Listed, Row
from qx.filters import And
from qx.filters.text import filter_text
from qx.plugins import Plugins
from qx.serial import replace, value
from qx.steps.pace import Waiting
from qx.types import Query, SearchResult, SubQuery

SNIPPET = 500
"""Characters of a document's text that are kept where nobody has graded documents."""


@value
class Asking:
    """How queries are asked.

    Attributes:
        now: What "yesterday" is relative to, the same for all queries of a run.
        depth: Hits of each list.
        snippets: Whether titles and texts are kept in the rows.
    """

    now: datetime
    depth: int
    snippets: bool = False

    def query(self, query: EvalQuery) -> Query:
        """Return a query of the dataset as an engine is asked it."""
        return Query(text=query.text, language=query.language, now=self.now)


@asynccontextmanager
async def opened(condition: Condition, plugins: Plugins, waiting: Waiting = "always") -> AsyncGenerator[Engine]:
    """Open a condition's engine; who observes the profile's searches is not told of an evaluation's.

    Args:
        plugins: What is installed, over what is kept.
        waiting: Whether an expansion waits for the raw query's hits (``qx.eval.waiting``): never by chance.

    Raises:
        ProfileError, PluginError, ProviderError: it cannot be opened.
    """
    profile = condition.profile.model_copy(update={"observers": ()})
    steps = None
    if condition.baseline is not None:
        from qx.eval import baselines

        steps = baselines.steps(condition.baseline)
    async with Engine.opened(profile, plugins=plugins, steps=steps, waiting=waiting) as engine:
        yield engine


async def ask(engine: Engine, condition: Condition, query: EvalQuery, asking: Asking) -> Row:
    """Search for one query; whatever is wrong with it alone is its row's ``error``.

    Raises:
        Closed: the engine is.
    """
    found = await answered(
        engine.search(asking.query(query), limit=asking.depth, expand=condition.expand, highlights=False),
        f"the query {query.id!r}",
    )
    if found.result is None:
        return Row(query=query.id, condition=condition.name, kept=found.kept, error=found.error)
    row = _row(found.result, condition, query, asking, milliseconds=found.milliseconds, kept=found.kept)
    return replace(row, incomplete=silent(found.result))


def _row(
    result: SearchResult, condition: Condition, query: EvalQuery, asking: Asking, *, milliseconds: float, kept: int
) -> Row:
    queries = _queries(result, query.text)
    places = {one.text: place for place, one in reversed(list(enumerate(queries)))}
    found = tuple(
        Listed(
            id=hit.id,
            by=tuple(sorted({places[one.query] for one in hit.contributions if one.query in places})),
            title=hit.title if asking.snippets else "",
            text=hit.text[:SNIPPET] if asking.snippets else "",
        )
        for hit in result.hits
    )
    expansion = result.expansion
    partial = (f"partial: {result.partial}",) if result.partial else ()
    return Row(
        query=query.id,
        condition=condition.name,
        found=found,
        queries=queries,
        abstained=expansion.abstained if expansion is not None and condition.expand else None,
        outcome=result.outcome,
        degraded=result.degraded,
        notes=(*partial, *result.notes),
        filters=_filters(result),
        milliseconds=round(milliseconds, 3),
        usage=result.usage,
        kept=kept,
    )


def _filters(result: SearchResult) -> tuple[str, ...]:
    """The conditions that went along with the original, in the engines' names."""
    trees = [report.filter for report in result.rankings if report.query.strategy == "original" and report.filter]
    parts = [part for tree in trees for part in (tree.filters if isinstance(tree, And) else (tree,))]
    return tuple(dict.fromkeys(map(filter_text, parts)))


def _queries(result: SearchResult, text: str) -> tuple[SubQuery, ...]:
    """What was searched: the expansion's queries, and those of a second round."""
    first = result.expansion.queries if result.expansion is not None else (SubQuery(text=text, strategy="original"),)
    ran = {report.query.text: report.query for report in reversed(result.rankings)}
    known = {one.text for one in first}
    return (*first, *(one for said, one in ran.items() if said not in known))


async def asked(
    engine: Engine, condition: Condition, pending: Sequence[EvalQuery], asking: Asking, at_once: int
) -> AsyncGenerator[Line]:
    """Ask in this process, ``at_once`` queries at a time, and yield their rows' lines as they come."""
    left = iter(pending)
    under_way: set[asyncio.Task[Row]] = set()

    def more() -> None:
        while len(under_way) < at_once and (query := next(left, None)) is not None:
            under_way.add(asyncio.create_task(ask(engine, condition, query, asking)))

    try:
        more()
        while under_way:
            done, rest = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            under_way.clear()
            under_way.update(rest)
            more()
            for one in done:
                yield Line.of(one.result())
    finally:
        for one in under_way:
            one.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
