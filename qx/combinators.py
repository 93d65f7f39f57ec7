"""Typed combinators over steps: ``then``, ``fan_out``, ``recover``.

A step is an async callable ``(value, Context) -> value``.  Searches and answers are written with these three, and a
caller puts a step of its own between two others::

    understand_masked = then(mask_names, steps.understand)
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from qx.context import Step
from qx.errors import QxError, UsageError

if TYPE_CHECKING:
    from qx.context import Context

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")


def then(first: Step[A, B], second: Step[B, C]) -> Step[A, C]:
    """Run ``first``, then ``second`` on its result."""

    async def both(value: A, context: Context, /) -> C:
        return await second(await first(value, context), context)

    return both


def fan_out(step: Step[A, B], limit: int) -> Step[Sequence[A], tuple[B, ...]]:
    """Run ``step`` on every item, at most ``limit`` at once; results in the order of the items.

    The first failure cancels the rest and is raised as it is.

    Raises:
        UsageError: ``limit`` is less than one.
    """
    if limit < 1:
        raise UsageError(f"fan_out needs a limit of at least 1, not {limit}")

    async def every(values: Sequence[A], context: Context, /) -> tuple[B, ...]:
        places = asyncio.Semaphore(limit)

        async def one(value: A) -> B:
            async with places:
                return await step(value, context)

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(value)) for value in values]
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return tuple(task.result() for task in tasks)

    return every


def recover(step: Step[A, B], fallback: Step[A, B], *, name: str = "recover", rung: str = "fallback") -> Step[A, B]:
    """Run ``step``; where it raises a ``QxError`` or runs out of time, record that and run ``fallback``."""

    async def either(value: A, context: Context, /) -> B:
        try:
            return await step(value, context)
        except (QxError, TimeoutError) as error:
            context.degrade(name, rung, str(error) or "no answer in time")
            return await fallback(value, context)

    return either
