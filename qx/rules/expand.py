"""Expanding without a model: which strategies suit a query, and their candidates in a good order.

This is the default of mode ``rules`` and the last rung of every fallback.  What it returns still passes the guard, which
the caller applies before it cuts to the limit.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from qx.bounding import bounded
from qx.containment import contained
from qx.domain import Knowledge
from qx.errors import QxError
from qx.rules.protection import base_text
from qx.rules.terms import terms, without
from qx.rules.wording import sharing
from qx.serial import replace
from qx.types import Dropped, Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context
    from qx.strategy import Strategy

_log = logging.getLogger("qx")

MODEL_STRATEGIES = frozenset({"translate", "step-back", "pseudo-document"})
"""Strategies that cost a model call each: never chosen, only run where the profile names them."""
FROM_HITS = ("feedback",)
"""Strategies that read the hits of a search's first pass, and run where the profile names none."""
_AIM = 5
_MOST = 50
"""Candidates that are taken of one strategy."""


def choose(query: Query, understanding: Understanding, knowledge: Knowledge) -> tuple[str, ...]:
    """Return the strategies that suit the query, most useful first; all of them work without a model."""
    intents = set(knowledge.widened(understanding.intent))
    names = ["spelling"]
    if understanding.senses:
        names.append("senses")
    if "comparison" in intents:
        names.append("decompose")
    names += ["synonym", "refine"]
    if "troubleshooting" in intents and "comparison" not in intents:
        names.append("decompose")
    names.append("keywords")
    if intents & {"research", "how-to", "troubleshooting", "comparison", "recommendation"} or understanding.negations:
        names += ["boolean", "site"]
    elif any(
        intents.intersection(rule.intents) for rule in (*knowledge.sites[: knowledge.own_sites], *knowledge.platforms)
    ):
        names.append("site")
    soft = any(not c.hard for c in understanding.constraints)
    if (
        soft
        or understanding.kind in {"specialist", "complex"}
        or len(terms(understanding)) >= 3
        or "troubleshooting" in intents
    ):
        names.append("generalize")
    return tuple(names)


async def expand(
    query: Query,
    understanding: Understanding,
    context: Context,
    strategies: Mapping[str, Strategy],
    *,
    filtered: frozenset[str] = frozenset(),
) -> tuple[SubQuery, ...]:
    """Run ``strategies`` (in the order of the mapping) and return all their candidates, best first, interleaved.

    A strategy that fails is recorded as degraded and the others go on.  Constraints on ``filtered`` fields go to the
    engine as filters: the strategies see the query without those words.
    """
    query = query if query.now is not None else replace(query, now=context.clock.now())
    understanding = unlimited(query, understanding, filtered)
    with sharing():
        rows = await _rows(query, understanding, context, strategies)
    return tuple(interleave(rows))


async def _rows(
    query: Query, understanding: Understanding, context: Context, strategies: Mapping[str, Strategy]
) -> list[Sequence[SubQuery]]:
    rows: list[Sequence[SubQuery]] = []
    for name, strategy in strategies.items():
        try:
            # a strategy that never waits finishes even when no time is left; one that hangs ends with the request's time
            with contained("it"):
                made = await bounded(strategy.expand(query, understanding, context), context.budget.remaining().seconds)
                rows.append(_sound(name, made))
        except TimeoutError:
            context.degrade("expand", "rules", f"strategy {name}: no answer before the deadline")
        except QxError as error:
            context.degrade("expand", "rules", f"strategy {name}: {error}")
        except Exception as error:  # noqa: BLE001  a plugin's strategy may raise anything; it must not take the others along
            _log.warning("strategy %s failed: %s", name, type(error).__name__, exc_info=error)
            context.degrade("expand", "rules", f"strategy {name}: {type(error).__name__}")
    return rows


def _sound(name: str, made: object) -> Sequence[SubQuery]:
    """Return a strategy's candidates, at most ``_MOST`` of them.

    Raises:
        TypeError: it returned something else.
    """
    if isinstance(made, (list, tuple)):
        found = cast("Sequence[object]", made)[:_MOST]
        if all(isinstance(item, SubQuery) and isinstance(cast("Any", item.text), str) for item in found):
            return cast("Sequence[SubQuery]", found)
    raise TypeError(f"strategy {name} returned no sequence of SubQuery")


def interleave(rows: Sequence[Sequence[SubQuery]]) -> Iterator[SubQuery]:
    """The first of every row, then every second, and so on: variety survives a limit.

    ``refine`` gives three at a time, since every need is another side of the query; the parts of a decomposition stay
    together, since none is much use alone.
    """
    queues = [list(row) for row in rows if row]
    while queues:
        for queue in queues:
            take = len(queue) if queue[0].strategy == "decompose" else 3 if queue[0].strategy == "refine" else 1
            yield from queue[:take]
            del queue[:take]
        # after the first round more needs come last: they are the likeliest to say what another query says
        queues = sorted((queue for queue in queues if queue), key=lambda queue: queue[0].strategy == "refine")


def unlimited(query: Query, understanding: Understanding, filtered: frozenset[str]) -> Understanding:
    """The understanding without the constraints that go as filters, their words taken out of the standalone form."""
    gone = [c for c in understanding.constraints if c.field in filtered]
    if not gone:
        return understanding
    text = base_text(query, understanding)
    for constraint in sorted(gone, key=lambda c: -len(c.text)):
        text = without(text, constraint.text)
    said = " ".join(f"{c.text} {c.value}" for c in gone if c.op == "ne").casefold()
    return replace(
        understanding,
        standalone=" ".join(text.split()).strip(" ,，、;；") or understanding.standalone,
        constraints=tuple(c for c in understanding.constraints if c.field not in filtered),
        negations=tuple(word for word in understanding.negations if word.casefold() not in said),
    )


def shortfall(
    queries: Sequence[SubQuery], dropped: Sequence[Dropped], *, limit: int, foreign: str = ""
) -> tuple[str, ...]:
    """Why there are fewer than five queries beside the original: the ``notes`` of an ``Expansion``; () if there are not.

    Args:
        foreign: The query's language, where rules wrote the list and it is none of theirs.
    """
    found = sum(1 for q in queries if q.strategy != "original")
    if found >= min(_AIM, limit):
        return () if limit >= _AIM else (f"expand.limit is {limit}",)
    drifted = sum(1 for d in dropped if not d.reason.startswith("duplicate"))
    doubled = len(dropped) - drifted
    notes: list[str] = []
    if drifted:
        notes.append(f"{drifted} more did not stay true to the query (see dropped)")
    if doubled:
        notes.append(f"{doubled} more said the same")
    if foreign:
        notes.append(f"rules write Chinese and English, not {foreign}: a model (`llm:`) does")
    return tuple(notes) or ("nothing more that is different",)
