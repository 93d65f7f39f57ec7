"""The contract of a ledger: what each tenant spent, by day and model, kept for ``qx usage``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Protocol, runtime_checkable

from qx.serial import value
from qx.types import Usage


@value
class UsageRow:
    """What one tenant spent on one model on one day.

    Attributes:
        day: In the tenant's time zone.
        model: As the endpoint calls it.
        usage: Calls, tokens and money.
        unpriced: How many of the calls nobody knows the price of; ``usage.cost`` is without them.
    """

    tenant: str
    day: date
    model: str = ""
    usage: Usage
    unpriced: int = 0


@value
class DayLimit:
    """How far a tenant's budget of one day is spent.

    Attributes:
        of: ``calls``, ``tokens`` or ``cost``.
        spent: With what calls under way have set aside.
        currency: Of a cost; "" otherwise.
    """

    tenant: str
    day: date
    of: str
    spent: float
    limit: float
    currency: str = ""
    exhausted: bool = False
    """Whether all of it is spent, or a call did not fit into what was left."""

    @property
    def share(self) -> float:
        """``spent`` of ``limit``: 1 where all of it is spent."""
        return self.spent / self.limit if self.limit else 1.0


def written(amount: float) -> str:
    """Return an amount with all of its whole digits, and never as ``1.8e-05``: 0.000018, 8.5, 1234567.25."""
    said = f"{amount:.6g}" if abs(amount) < 1 else f"{amount:.5f}"
    whole, dot, rest = format(Decimal(said), "f").partition(".")
    return f"{whole}{dot}{rest}".rstrip("0").rstrip(".") if dot else whole


@runtime_checkable
class Ledger(Protocol):
    """Keeps usage.  Several processes may write into one; what was recorded survives the end of any of them."""

    async def record(self, tenant: str, usage: Usage, at: datetime, /, *, model: str = "") -> None:
        """Add ``usage`` to the tenant's day, which is the date of ``at`` in the zone that it carries.

        Raises:
            QxError: it cannot be kept.
        """
        ...

    async def report(self, tenant: str, since: datetime, /) -> Sequence[UsageRow]:
        """Return the tenant's rows from the date of ``since`` on, the oldest day first.

        Raises:
            QxError: it cannot be read.
        """
        ...

    async def aclose(self) -> None: ...
