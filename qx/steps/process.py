"""The step ``process``: Ranking -> Ranking, through the profile's hit processors in their order."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from qx.bounding import bounded
from qx.containment import contained
from qx.context import Context
from qx.errors import QxError
from qx.processor import HitProcessor
from qx.ranking import Ranking

log = logging.getLogger("qx")


class ProcessStep:
    """Runs hit processors.

    Args:
        processors: Name and processor, in order; the automatic reranker first, where the profile's engines need it.
    """

    def __init__(self, processors: Sequence[tuple[str, HitProcessor]]) -> None:
        self._processors = processors

    async def __call__(self, value: Ranking, context: Context, /) -> Ranking:
        return await self._run(value, context, self._processors)

    async def at_once(self, value: Ranking, context: Context, /) -> Ranking:
        """Run those alone that call nobody: for hits that are shown before the result is there."""
        free = [(name, processor) for name, processor in self._processors if not getattr(processor, "calls", False)]
        return await self._run(value, context, free)

    async def _run(self, value: Ranking, context: Context, processors: Sequence[tuple[str, HitProcessor]]) -> Ranking:
        sorts = bool(context.options.sort)
        for name, processor in processors:
            if not value.keys:
                break
            if sorts and getattr(processor, "reorders", False):
                continue  # the caller's order replaces every ranking
            try:
                with context.span(f"processor {name}", hits=len(value.keys)) as span:
                    with contained("it"):
                        left = context.budget.remaining().seconds
                        done = _sound(await bounded(processor.process_hits(value, context), left))
                    span.set(left=len(done.keys))
                value = _in_the_order_of(value, done) if sorts else done
            except (QxError, TimeoutError) as error:
                context.degrade("process", f"without processor {name}", str(error) or "no answer before the deadline")
            except Exception as error:  # a plugin may raise anything; the hits are there without it
                log.warning("processor %s failed: %s", name, type(error).__name__, exc_info=error)
                context.degrade("process", f"without processor {name}", type(error).__name__)
        return value


def _in_the_order_of(before: Ranking, done: Ranking) -> Ranking:
    """What a processor left, in the order that it got: the caller's."""
    place = {key: index for index, key in enumerate(before.keys)}
    order = sorted(range(len(done.keys)), key=lambda i: place.get(done.keys[i], len(place)))
    return done if order == list(range(len(order))) else done.pick(order)


def _sound(done: object) -> Ranking:
    """Return what a processor made.

    Raises:
        TypeError: it is no ranked list, or one without a score for each key.
    """
    if not isinstance(done, Ranking):
        raise TypeError("it returned no Ranking")
    if len(done.scores) != len(done.keys):
        raise TypeError(f"it returned {len(done.keys)} keys with {len(done.scores)} scores")
    return done
