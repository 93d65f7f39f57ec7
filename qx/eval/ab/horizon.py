"""Which rows count, and whether the end that was fixed before the test began has come.

Whoever looks every day and stops when it looks good finds effects where there are none: with a look a day for two weeks
one test in five, not one in twenty (Johari, Koomen, Pekelis, Walsh, "Peeking at A/B Tests", KDD 2017).  So the end is
fixed before, by a moment or by a number of users, and before it nothing is compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from qx.errors import UsageError
from qx.eval.ab.log import Logged
from qx.eval.ab.records import Exposure, Outcome
from qx.serial import value

_LONGEST = timedelta(days=3650)


@value
class Horizon:
    """The end of a test: a moment, or so many users, each followed for a while.

    Attributes:
        until: Rows up to here count (aware).
        users: The first so many users count, all arms together, by their first exposure.
        follow: How long each of them is followed from then on.
    """

    until: datetime | None = None
    users: int | None = None
    follow: timedelta = timedelta(days=1)

    def __post_init__(self) -> None:
        if (self.until is None) is (self.users is None):
            raise UsageError(
                "a test ends at a moment (--until, until=) or with a number of users (--users, users=): "
                "fix one of them before it begins"
            )
        if self.until is not None and self.until.tzinfo is None:
            raise UsageError(f"until {self.until.isoformat()}: without a time zone")
        if not timedelta() <= self.follow <= _LONGEST:
            raise UsageError(f"follow {in_words(self.follow)}: a user is followed for up to {_LONGEST.days} days")
        if self.users is not None and self.users < 2:
            raise UsageError(f"users {self.users}: a test has at least 2")

    @property
    def said(self) -> str:
        """The end in words."""
        if self.until is not None:
            return self.until.isoformat()
        return f"{self.users} users, each followed for {in_words(self.follow)}"


def in_words(span: timedelta) -> str:
    """Return a span as people say it: ``1 day 12 hours``; what is below a second is left out."""
    left = abs(int(span.total_seconds()))
    parts: list[str] = []
    for unit, seconds in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        number, left = divmod(left, seconds)
        parts += [f"{number} {unit}{'s' if number > 1 else ''}"] if number else []
    return ("-" if span < timedelta() else "") + (" ".join(parts) or "0 seconds")


@value
class Counted:
    """The rows that count, by user.

    Attributes:
        arms: User -> arm, of the users who were in one arm only.
        exposures, outcomes: Of those users, within the horizon; outcomes from the first exposure on.
        crossed: Users who were seen in several arms, and count in none.
        early: Outcomes left out: they came before the user's first exposure, or of users who had none.
        late: Rows left out that came after the end.
        reached: Whether the end has come.
        progress: How far it is, in words.
    """

    arms: Mapping[str, str]
    exposures: Sequence[Exposure]
    outcomes: Sequence[Outcome]
    crossed: tuple[str, ...]
    early: int
    late: int
    reached: bool
    progress: str


def count(logged: Logged, horizon: Horizon, now: datetime) -> Counted:
    """Return the rows that count at ``now``."""
    shown = sorted(logged.exposures, key=lambda row: row.at)
    first: dict[str, datetime] = {}
    for row in shown:
        first.setdefault(row.user, row.at)
    ends, reached, progress = _ends(first, horizon, now)
    seen: dict[str, set[str]] = {}
    exposures: list[Exposure] = []
    for row in shown:
        if row.user in ends and row.at <= ends[row.user]:
            exposures.append(row)
            seen.setdefault(row.user, set()).add(row.arm)
    arms = {user: next(iter(found)) for user, found in seen.items() if len(found) == 1}
    outcomes: list[Outcome] = []
    early = late = 0
    for row in logged.outcomes:
        if row.user not in first or row.at < first[row.user]:
            early += 1
        elif row.user not in ends or row.at > ends[row.user]:
            late += 1
        elif row.user in arms:
            outcomes.append(row)
    return Counted(
        arms=arms,
        exposures=[row for row in exposures if row.user in arms],
        outcomes=outcomes,
        crossed=tuple(sorted(user for user, found in seen.items() if len(found) > 1)),
        early=early,
        late=late + len(shown) - len(exposures),
        reached=reached,
        progress=progress,
    )


def _ends(first: Mapping[str, datetime], horizon: Horizon, now: datetime) -> tuple[dict[str, datetime], bool, str]:
    """Until when each user's rows count, whether the end has come, and how far it is."""
    if horizon.until is not None:
        until = horizon.until
        return {user: until for user, at in first.items() if at <= until}, now >= until, f"until {until.isoformat()}"
    wanted = horizon.users or 0
    chosen = sorted(first, key=lambda user: (first[user], user))[:wanted]
    ends = {user: first[user] + horizon.follow for user in chosen}
    if len(chosen) < wanted:
        return ends, False, f"{len(chosen)} of {wanted} users"
    last = max(ends.values())
    return ends, now >= last, f"{wanted} users, the last of them followed until {last.isoformat()}"


__all__ = ["Counted", "Horizon", "count", "in_words"]
