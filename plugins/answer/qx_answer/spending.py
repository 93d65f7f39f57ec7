"""What one answer may spend, and what it has: rounds, searches, time; tokens and money are the core's account."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import Field, field_validator

from qx.budget import Budget, Cost
from qx.clock import Clock
from qx.context import Context
from qx.durations import Wait
from qx.engine import Engine
from qx.model import Model
from qx_answer.deadline import Decisions, OutOfTime, in_time
from qx_answer.events import Allowed, BudgetShown, Spent
from qx_answer.loop_settings import BudgetSettings
from qx_answer.timed_budget import TimedBudget

T = TypeVar("T")

_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,6})?")
_BESIDE = 2_500
"""Tokens of a call beside the passages: instructions, the question, what is written."""

_WRITING = 0.25
"""Share of the money that is kept for writing."""


class Limits(Model):
    """``--budget rounds=3,seconds=30``: what one question may spend, where it is not what the profile says."""

    rounds: int | None = Field(default=None, ge=1, le=20, description="Rounds of searching and reading.")
    searches: int | None = Field(default=None, ge=1, le=200, description="Searches.")
    tokens: int | None = Field(default=None, ge=500, le=10_000_000, description="Tokens of the model, in and out.")
    seconds: Wait | None = Field(default=None, description="Seconds from the question to the answer.")
    calls: int | None = Field(default=None, ge=1, le=10_000, description="Calls of the model.")
    cost: float | None = Field(default=None, gt=0, description="Money, in the currency of the profile's prices.")

    @field_validator("seconds", mode="before")
    @classmethod
    def _bare(cls, item: object) -> object:
        """``seconds=30`` of a command line is a text."""
        return float(item) if isinstance(item, str) and _NUMBER.fullmatch(item.strip()) else item

    def over(self, settings: BudgetSettings) -> BudgetSettings:
        """Return the profile's limits with these in their place."""
        return settings.model_copy(update=self.model_dump(exclude_none=True))


class Account:
    """The budget of one answer.

    Args:
        engine: Whose clock counts the seconds; the day's budget of its tenant holds in any case.
        question: What it is about, which tells one answer of a recording from another.
        writes: Whether a model writes, for whom time and tokens are kept.
        decisions: Where it is written down what was there in time.
    """

    def __init__(
        self,
        engine: Engine,
        question: str,
        limits: BudgetSettings,
        clock: Clock,
        *,
        writes: bool,
        decisions: Decisions | None,
    ) -> None:
        self.limits = limits
        self._question = question
        self.rounds = 0
        self.searches = 0
        self._clock = clock
        self._decisions = decisions
        kept = min(limits.reserve_seconds, limits.seconds / 3) if writes else min(0.25, limits.seconds / 10)
        tokens = min(limits.reserve_tokens, limits.tokens // 3) if writes else 0
        plain = engine.budget(Cost(seconds=limits.seconds, calls=limits.calls, tokens=limits.tokens, money=limits.cost))
        self.all: Budget = plain if decisions is None else TimedBudget(plain, question, decisions)
        money = limits.cost * _WRITING if writes and limits.cost is not None else None
        calls = 2 if writes and limits.calls is not None and limits.calls > 3 else 0
        self.finding: Budget = self.all.child(keep=Cost(seconds=kept, tokens=tokens, calls=calls, money=money))
        self._end = clock.monotonic() + limits.seconds
        self._until = self._end - kept

    async def find(self, what: str, work: Callable[[], Awaitable[T]]) -> T:
        """Do ``work`` in the time for finding.

        Raises:
            OutOfTime: it was not done in that time; it is cancelled then.
        """
        return await self._within(self._until, what, work)

    async def finish(self, what: str, work: Callable[[], Awaitable[T]]) -> T:
        """Do ``work`` in the time for writing too; raises as ``find``."""
        return await self._within(self._end, what, work)

    async def _within(self, until: float, what: str, work: Callable[[], Awaitable[T]]) -> T:
        return await in_time(until, f"{self._question}: {what}", work, self._clock, self._decisions)

    def time_is_up(self) -> bool:
        """Whether the time for finding is over; in a replay, whether it was then."""
        question = f"{self._question}: time for round {self.rounds + 1}"
        kept = None if self._decisions is None else self._decisions.find(question)
        left = self._clock.monotonic() < self._until if kept is None else kept
        if self._decisions is not None and kept is None:
            self._decisions.keep(question, left)
        return not left

    def tokens_left(self) -> int | None:
        """What finding may still spend; None: no limit."""
        return self.finding.remaining().tokens

    def window(self, context: Context, wanted: int) -> int:
        """Return how many tokens of passages fit: what is wanted, less where the model's window or the budget is smaller."""
        fits = [wanted]
        if context.has_model:
            known, left = context.capabilities().context, self.all.remaining().tokens
            fits += [known - _BESIDE] if known is not None else []
            fits += [left - _BESIDE] if left is not None else []
        return max(100, min(fits))

    def shown(self, tokens: int) -> BudgetShown:
        """Return what was spent, as the result shows it."""
        return BudgetShown(
            rounds=Spent(used=self.rounds, limit=self.limits.rounds),
            searches=Spent(used=self.searches, limit=self.limits.searches),
            tokens=Spent(used=tokens, limit=self.limits.tokens),
            seconds=Allowed(limit=self.limits.seconds),
        )


__all__ = ["Account", "Limits", "OutOfTime"]
