"""User -> arm: deterministic, without a store, the same in every process, on every machine and in every version.

    u = (the first 8 bytes of SHA-256(experiment + NUL + user), big endian) / 2^64

and the arm is the first whose cumulated share of the weights is above u, in the order in which the arms are given.  The
experiment's name is the salt: who is in the first arm of one test is in any arm of another.  Adding an arm, changing a
weight or the order moves users: that is another experiment, and wants another name.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime

from qx.errors import UsageError
from qx.eval.ab.records import Exposure, Outcome
from qx.serial import value
from qx.types import SearchResult

HEAVIEST = 1e15
"""So that weights can be added up."""


def bucket(experiment: str, user: str) -> float:
    """Return where a user falls in an experiment: a number from 0 (inclusive) to 1 (exclusive)."""
    digest = hashlib.sha256(f"{experiment}\0{user}".encode("utf-8", "surrogatepass")).digest()
    return (int.from_bytes(digest[:8], "big") >> 11) / 2**53  # 53 bits: what a float holds, so that 1.0 never comes out


def assign(experiment: str, user: str, arms: Mapping[str, float]) -> str:
    """Return the arm of a user.

    Args:
        experiment: Its name, which salts the hash.
        user: Any stable id; an empty one is nobody's.
        arms: Name -> weight, in an order that stays; weights need not add up to 1.

    Raises:
        UsageError: there is no arm, a weight is no number from 0 on, all are 0, or a name is empty.
    """
    check_arms(experiment, arms)
    if not user:
        raise UsageError(f"experiment {experiment!r}: the user is empty: all without an id would be in one arm")
    place, reached = bucket(experiment, user) * math.fsum(arms.values()), 0.0
    for arm, weight in arms.items():
        reached += weight
        if place < reached:
            return arm
    return next(arm for arm, weight in reversed(list(arms.items())) if weight > 0)  # rounding, at the very end


def check_arms(experiment: str, arms: Mapping[str, float]) -> None:
    """Raise ``UsageError`` unless users can be shared out among ``arms``."""
    if not experiment:
        raise UsageError("an experiment needs a name: it salts the assignment")
    wrong = [f"{arm}: {weight}" for arm, weight in arms.items() if not arm or not 0 <= weight <= HEAVIEST]
    if wrong:
        raise UsageError(
            f"experiment {experiment!r}: an arm has a name and a weight from 0 to {HEAVIEST:g}, not {wrong[0]!r}"
        )
    if not any(arms.values()):
        raise UsageError(f"experiment {experiment!r}: no arm has a weight above 0")


def _even() -> Mapping[str, float]:
    return {"control": 1.0, "treatment": 1.0}


@value
class Experiment:
    """One test, as a server that shows its arms holds it.

    ::

        test = Experiment(name="expansion-2026-02", arms={"control": 1, "expanded": 1})
        engine = engines[test.arm(user)]

    Attributes:
        name: Salts the assignment, and stands in every row.
        arms: Name -> weight; the order counts.
    """

    name: str
    arms: Mapping[str, float] = field(default_factory=_even)

    def __post_init__(self) -> None:
        check_arms(self.name, self.arms)

    def arm(self, user: str) -> str:
        """Return the arm of a user; see ``assign``."""
        return assign(self.name, user, self.arms)

    def exposure(
        self, user: str, query: str, result: SearchResult, milliseconds: float, *, at: datetime | None = None
    ) -> Exposure:
        """Return the row that says what a user was shown.

        Args:
            result: What was shown: how many hits there were, and what it cost.
            milliseconds: How long the user waited.
            at: Aware; None: now.
        """
        return Exposure(
            experiment=self.name,
            arm=self.arm(user),
            user=user,
            query=query,
            at=at or datetime.now(UTC),
            results=len(result.hits),
            milliseconds=milliseconds,
            cost=result.usage.cost if result.usage.calls else 0.0,
        )

    def outcome(self, user: str, kind: str, amount: float = 1.0, *, at: datetime | None = None) -> Outcome:
        """Return the row that says what a user did: ``click``, ``success``, ``satisfaction`` (a grade), ``order`` (its
        worth), or a kind of your own."""
        return Outcome(experiment=self.name, user=user, kind=kind, value=amount, at=at or datetime.now(UTC))
