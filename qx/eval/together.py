"""Several pieces of work at a time; what goes wrong with one comes out as it is, not as a group of errors."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from qx.errors import QxError

T = TypeVar("T")


async def together(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run ``works`` at the same time and return their results in order; the first that fails ends the others.

    Raises:
        QxError: the first that one of them raised; any other exception comes as a group, as a ``TaskGroup`` raises it.
    """
    first: QxError | None = None
    tasks: list[asyncio.Task[T]] = []
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work) for work in works]
    except* QxError as errors:
        first = _innermost(errors)
    if first is not None:
        raise first
    return [task.result() for task in tasks]


def _innermost(errors: BaseExceptionGroup[QxError]) -> QxError:
    inner = errors.exceptions[0]
    return inner if isinstance(inner, QxError) else _innermost(inner)
