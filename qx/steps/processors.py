"""An expansion on its way through the profile's query processors (``expand.processors``); hits have ``process``."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from qx.bounding import bounded
from qx.containment import contained
from qx.context import Context
from qx.errors import QxError
from qx.processor import QueryProcessor
from qx.serial import replace
from qx.types import Expansion

log = logging.getLogger("qx")


async def processed(
    expansion: Expansion, processors: Sequence[tuple[str, QueryProcessor]], context: Context
) -> Expansion:
    """Return what the processors, each with its name, make of ``expansion`` one after the other.

    One that fails or is too late costs its own work only, and is reported.
    """
    for name, processor in processors:
        expansion = await _one(name, processor, expansion, context)
    return expansion


async def _one(name: str, processor: QueryProcessor, expansion: Expansion, context: Context) -> Expansion:
    try:
        with context.span(f"processor {name}"), contained("it"):
            left = context.budget.remaining().seconds
            return _sound(expansion, await bounded(processor.process_queries(expansion, context), left))
    except (QxError, TimeoutError) as error:
        context.degrade("expand", f"without processor {name}", str(error) or "no answer before the deadline")
    except Exception as error:  # a plugin may raise anything; the queries are there without it
        log.warning("processor %s failed: %s", name, type(error).__name__, exc_info=error)
        context.degrade("expand", f"without processor {name}", type(error).__name__)
    return expansion


def _sound(before: Expansion, done: object) -> Expansion:
    """Return what a processor made of ``before``: the original stays first, and nothing else may call itself original.

    Raises:
        TypeError: it is no expansion.
    """
    if not isinstance(done, Expansion):
        raise TypeError("it returned no Expansion")
    rest = tuple(q for q in done.queries if q.strategy != "original")
    return replace(done, original=before.original, queries=(before.queries[0], *rest))
