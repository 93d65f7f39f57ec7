"""What one request may spend: seconds, calls, tokens, money."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from qx.errors import BudgetExceeded
from qx.serial import value


@value
class Cost:
    """An amount of each resource; None means no limit (in a budget) or unknown (of a call)."""

    seconds: float | None = None
    calls: int | None = None
    tokens: int | None = None
    money: float | None = None


class Lease(Protocol):
    """A reserved cost.  Not settling it (a cancelled call) leaves the reservation spent."""

    def settle(self, actual: Cost, /) -> None:
        """Replace the reservation by what was really spent."""
        ...


class Budget(Protocol):
    """What a request may still spend: seconds, calls, tokens and money (``Cost``; None: without a limit)."""

    def remaining(self) -> Cost: ...

    async def reserve(self, cost: Cost, /) -> Lease:
        """Set ``cost`` aside.

        Raises:
            BudgetExceeded: not enough of something is left; says of what.
        """
        ...

    def child(self, *, keep: Cost) -> Budget:
        """A budget over the same account that leaves ``keep`` untouched, for the steps that follow."""
        ...


_NAMES = ("calls", "tokens", "money")


class _Account:
    """The shared counters of a budget and its children."""

    def __init__(self, limits: Cost) -> None:
        self.limits = limits
        self.spent: dict[str, float] = dict.fromkeys(_NAMES, 0)


def _left(limit: float, kept: float | None, spent: float) -> float:
    return max(0, limit - (kept or 0) - spent)


class _Reserved:
    def __init__(self, account: _Account, amounts: dict[str, float]) -> None:
        self._account = account
        self._amounts: dict[str, float] | None = amounts

    def settle(self, actual: Cost, /) -> None:
        if self._amounts is None:
            return
        for name, reserved in self._amounts.items():
            self._account.spent[name] += (getattr(actual, name) or 0) - reserved
        self._amounts = None


class RequestBudget:
    """The budget of one request.

    Args:
        limits: ``seconds`` from now on, and how many calls, tokens and how much money.
        monotonic: The clock that ``seconds`` are measured by.
    """

    def __init__(self, limits: Cost, monotonic: Callable[[], float]) -> None:
        self._account = _Account(limits)
        self._monotonic = monotonic
        self._deadline = None if limits.seconds is None else monotonic() + limits.seconds
        self._keep = Cost()

    @property
    def deadline(self) -> float | None:
        """The moment on the monotonic clock at which nothing is left, less what is kept; None: no deadline."""
        return None if self._deadline is None else self._deadline - (self._keep.seconds or 0.0)

    def remaining(self) -> Cost:
        limits, spent, keep, deadline = self._account.limits, self._account.spent, self._keep, self.deadline
        return Cost(
            seconds=None if deadline is None else max(0.0, deadline - self._monotonic()),
            calls=None if limits.calls is None else int(_left(limits.calls, keep.calls, spent["calls"])),
            tokens=None if limits.tokens is None else int(_left(limits.tokens, keep.tokens, spent["tokens"])),
            money=None if limits.money is None else _left(limits.money, keep.money, spent["money"]),
        )

    async def reserve(self, cost: Cost, /) -> Lease:
        left = self.remaining()
        for name in ("seconds", *_NAMES):
            have, want = getattr(left, name), getattr(cost, name)
            if have is not None and (have <= 0 or (want is not None and want > have)):
                shown = f"{have:g}" if isinstance(have, float) else str(have)
                said = f"{shown} left, {want:g} needed" if want is not None else "nothing of it is left"
                error = BudgetExceeded(f"the request's budget of {name} does not allow this call: {said}")
                error.of = name
                raise error
        amounts = {name: float(getattr(cost, name) or 0) for name in _NAMES}
        for name, amount in amounts.items():
            self._account.spent[name] += amount
        return _Reserved(self._account, amounts)

    def child(self, *, keep: Cost) -> RequestBudget:
        other = object.__new__(RequestBudget)
        other._account = self._account
        other._monotonic = self._monotonic
        other._deadline = self._deadline

        def total(name: str) -> float:
            return (getattr(self._keep, name) or 0) + (getattr(keep, name) or 0)

        other._keep = Cost(
            seconds=total("seconds"), calls=int(total("calls")), tokens=int(total("tokens")), money=total("money")
        )
        return other
