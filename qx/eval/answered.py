"""One query asked of an engine: what it answered, how long that took, what was kept of it, or why there is no answer."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Generic, TypeVar

from qx.errors import CassetteMiss, Closed, QxError
from qx.eval.kept import Count, counted

T = TypeVar("T")
log = logging.getLogger("qx")


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """Either ``result`` or ``error`` is there.

    Attributes:
        result: None where there is none.
        error: Why not, else empty.
        kept: Calls that were answered from what an earlier run kept.
        milliseconds: Of the whole.
    """

    result: T | None
    error: str
    kept: int
    milliseconds: float


async def answered(work: Awaitable[T], about: str) -> Answered[T]:
    """Wait for ``work``; whatever is wrong with this query alone must not take the others along.

    Args:
        work: Such as ``engine.search(query)``.
        about: What is asked, for the log.

    Raises:
        Closed: the engine is.
        CassetteMiss: a recording lacks something, so nothing that is counted would be of it.
    """
    count = Count()
    token = counted.set(count)
    began = time.perf_counter()
    result, error = None, ""
    try:
        result = await work
    except (CassetteMiss, Closed):
        raise
    except QxError as failure:
        error = str(failure) or type(failure).__name__
    except Exception as failure:
        log.debug("%s failed", about, exc_info=failure)
        error = f"{type(failure).__name__}: {failure}"
    finally:
        counted.reset(token)
    return Answered(result=result, error=error, kept=count.answers, milliseconds=(time.perf_counter() - began) * 1000)
