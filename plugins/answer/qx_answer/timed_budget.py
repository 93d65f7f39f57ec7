"""A budget whose refusals for want of time are written down in a recording, so that its replay refuses the same calls.

A call that is not made is in no record: a replay, for which no time passes, would ask for it in vain.
"""

from __future__ import annotations

from collections import Counter

from qx.budget import Budget, Cost, Lease
from qx.errors import BudgetExceeded
from qx_answer.deadline import Decisions


class TimedBudget:
    """Implements ``Budget``.

    Args:
        budget: The plain one.
        question: What it is the budget of: tells one answer of a recording from another.
        decisions: Where it is written down.
    """

    def __init__(
        self, budget: Budget, question: str, decisions: Decisions, *, counted: Counter[str] | None = None
    ) -> None:
        self._budget = budget
        self._question = question
        self._decisions = decisions
        self._counted: Counter[str] = Counter() if counted is None else counted

    def remaining(self) -> Cost:
        return self._budget.remaining()

    async def reserve(self, cost: Cost, /) -> Lease:
        """Set ``cost`` aside, where it was allowed when it was recorded.

        Raises:
            BudgetExceeded: not enough of something is left, or no time was left then.
        """
        asked = f"calls={cost.calls} tokens={cost.tokens}"
        self._counted[asked] += 1
        number = f"{self._question}: no time for {asked}, number {self._counted[asked]}"
        if self._decisions.find(number):
            raise _out_of_time()
        try:
            return await self._budget.reserve(cost)
        except BudgetExceeded as error:
            if error.of == "seconds":
                self._decisions.keep(number, True)
                raise _out_of_time() from None
            raise

    def child(self, *, keep: Cost) -> TimedBudget:
        inner = self._budget.child(keep=keep)
        return TimedBudget(inner, self._question, self._decisions, counted=self._counted)


def _out_of_time() -> BudgetExceeded:
    error = BudgetExceeded("the request's budget of seconds does not allow this call: nothing of it is left")
    error.of = "seconds"
    return error
