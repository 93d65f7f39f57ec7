"""Strategies that write no query of a dataset: what a profile finds without them, or with them alone, is known already.

Of such a strategy ``shop -boolean`` is ``shop`` again, and ``shop only boolean`` is no expansion at all: both would cost a
run, and stand in the correction for many comparisons beside those that can show something.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from qx.engine import Engine
from qx.errors import Closed, QxError
from qx.eval.asking import opened
from qx.eval.values import Condition, Row
from qx.plugins import Plugins
from qx.serial import replace
from qx.strategy import reads_hits
from qx.types import Query

_MOST = 20
"""The greatest limit of queries that a profile may have."""
_FIRST = 50
"""Queries after which only the strategies go on being tried that have written nothing yet."""
_Asked = Sequence[tuple[str, Query]]
"""The id of each query of the dataset, and the query as an engine is asked it."""


async def ablations(
    whole: Condition,
    parts: Sequence[Condition],
    rows: Iterable[Row],
    queries: _Asked,
    plugins: Plugins,
    *,
    tell: Callable[[], None] = lambda: None,
) -> tuple[Condition, ...]:
    """Return those of ``parts`` that would find what ``whole``, or no expansion, has found already.

    Args:
        whole: The profile with all of its strategies, without a model.
        parts: Ablations of it.
        rows: Of ``whole``.
        queries: Of the dataset.
        plugins: What is installed.
        tell: Called after each query that is tried; nothing is searched.

    Raises:
        ProfileError, PluginError, ProviderError: the profile cannot be opened.
    """
    named = {one.part.strategy: one.part for one in parts if one.part is not None}
    idle = unused(rows, len(queries), named)
    found = plugins.registry("strategies")
    tried = [name for name in sorted(idle) if not reads_hits(found.get(name))]  # what reads hits ran for every query
    alone = idle.difference(tried) | await silent_alone(whole, tried, queries, plugins, tell=tell)
    gone = {True: alone, False: idle}
    return tuple(one for one in parts if one.part is not None and one.part.strategy in gone[one.part.alone])


def unused(rows: Iterable[Row], queries: int, strategies: Collection[str]) -> frozenset[str]:
    """Return those of ``strategies`` that wrote none of the queries of a condition's rows.

    Args:
        rows: Of a condition in which all of them may run.
        queries: Of the dataset.
        strategies: Names.

    Returns:
        Nothing where a row is missing, or where an expansion fell short: what it would have had is not known.
    """
    left, seen = set(strategies), set[str]()
    for row in rows:
        if row.error or any(step.step == "expand" for step in row.degraded):
            return frozenset()
        seen.add(row.query)
        left.difference_update(query.strategy for query in row.queries)
    return frozenset(left) if len(seen) == queries else frozenset()


async def silent_alone(
    whole: Condition,
    strategies: Sequence[str],
    queries: _Asked,
    plugins: Plugins,
    *,
    tell: Callable[[], None] = lambda: None,
) -> frozenset[str]:
    """Return those of ``strategies`` that have no candidate for any query, each tried on all of them.

    Where strategies are chosen for each query, one that was never chosen may still write something by itself.

    Raises:
        ProfileError, PluginError, ProviderError: the profile cannot be opened.
    """
    left = list(strategies)
    for part in (queries[:_FIRST], queries[_FIRST:]):
        if not left or not part:
            break
        async with opened(_trying(whole, left), plugins) as engine:
            for _, query in part:
                tried = await _candidates(engine, query)
                if tried is None:
                    return frozenset()
                left = [name for name in left if name not in tried]
                tell()
                if not left:
                    break
    return frozenset(left)


def _trying(whole: Condition, strategies: Sequence[str]) -> Condition:
    expand = whole.profile.expand.model_copy(
        update={"strategies": tuple(strategies), "without": (), "limit": _MOST, "mode": "rules"}
    )
    return replace(whole, profile=whole.profile.model_copy(update={"expand": expand}))


async def _candidates(engine: Engine, query: Query) -> set[str] | None:
    """The strategies that have a candidate for a query, kept or dropped; None: it is not known."""
    try:
        made = await engine.expand(query)
    except Closed:
        raise
    except QxError:
        return None
    return None if made.degraded else {one.strategy for one in (*made.queries, *made.dropped)}


def told(conditions: Sequence[Condition]) -> tuple[str, ...]:
    """Return notes on conditions that were not run, for each profile one: which, and what they would have been."""
    gone: dict[str, list[Condition]] = {}
    for one in conditions:
        if one.part is not None:
            gone.setdefault(one.part.of, []).append(one)
    return tuple(_note(of, parts) for of, parts in gone.items())


def _note(of: str, parts: Sequence[Condition]) -> str:
    alone = [one for one in parts if one.part is not None and one.part.alone]
    same = [f"{of} again" for _ in parts[len(alone) :][:1]] + [f"{alone[0].against} again" for _ in alone[:1]]
    names = ", ".join(one.name for one in parts)
    return (
        f"not run, since these strategies write no query of this dataset: {names} (they would be {' or '.join(same)})"
    )
