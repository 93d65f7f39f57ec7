"""What ``qx usage`` tells: it reads the ledgers that tenants have under ``$QX_HOME/data``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from qx.durations import seconds
from qx.errors import ProfileError, QxError
from qx.ledger import DayLimit, UsageRow, written
from qx.paths import file_name, home
from qx.registry import suggest
from qx.serial import replace, value
from qx.types import Usage

if TYPE_CHECKING:
    from qx.settings import Profile

DAY = 86400.0


@value
class UsageReport:
    """Usage from the day ``since`` on, and how far the budgets of each tenant's latest day are spent.

    ``total`` adds all rows up; what was paid in a second currency stands in its ``other_costs``.
    """

    tenant: str | None
    since: date
    rows: tuple[UsageRow, ...] = ()
    total: Usage
    unpriced: int = 0
    budgets: tuple[DayLimit, ...] = ()


def since_day(said: str, now: datetime) -> date:
    """Return the first day of ``7d`` (today is the last of them), of ``12h``, or a date itself.

    Raises:
        click.UsageError: it is neither.
    """
    try:
        return date.fromisoformat(said)
    except ValueError:
        pass
    try:
        span = seconds(said)
    except ValueError:
        span = said
    if not isinstance(span, float) or not 0 < span <= 36500 * DAY:
        raise click.UsageError(f"--since {said}: give a span such as 7d, 12h or 4w, or a date such as 2026-11-24")
    whole = span % DAY == 0
    return (now - timedelta(seconds=span)).date() + timedelta(days=1 if whole else 0)


def usage_report(
    tenant: str | None, said: str, profile: Profile | None = None
) -> tuple[UsageReport, tuple[ProfileError, ...]]:
    """Read what a tenant spent, or all of them; returns it with what is wrong with ledgers that cannot be read.

    Args:
        tenant: None: everybody whose ledger is here.
        said: What ``--since`` says.
        profile: The tenant's, whose limits and midnight count; None: the profile of its name, where there is one.

    Raises:
        click.UsageError: nothing is known of such a tenant.
        ProfileError: the ledger of ``tenant`` cannot be read.
    """
    now = datetime.now(UTC)
    known = profile or _profile_of(tenant)
    since = since_day(said, now.astimezone(UTC if known is None else ZoneInfo(known.timezone)))
    rows: list[UsageRow] = []
    budgets: list[DayLimit] = []
    wrong: list[ProfileError] = []
    for path in _ledgers(tenant):
        try:
            found, limits = _read(path, since, now)
        except ProfileError as error:
            if tenant is not None:
                raise
            wrong.append(error)
            continue
        rows += found
        budgets += limits
    if tenant is not None:
        rows = [row for row in rows if row.tenant == tenant]
        budgets = [limit for limit in budgets if limit.tenant == tenant]
    rows.sort(key=lambda row: (row.day, row.tenant, row.model))
    report = UsageReport(
        tenant=tenant,
        since=since,
        rows=tuple(rows),
        total=sum((row.usage for row in rows), Usage()),
        unpriced=sum(row.unpriced for row in rows),
        budgets=tuple(_as_of_now(limit, known or _profile_of(limit.tenant)) for limit in budgets),
    )
    return report, tuple(wrong)


def _ledgers(tenant: str | None) -> list[Path]:
    from qx.spending.sqlite_ledger import NAME

    data = home() / "data"
    if tenant is None:
        return sorted(data.glob(f"*/{NAME}"))
    folder = data / file_name(tenant)
    if not folder.is_dir():
        known = sorted(path.name for path in data.iterdir() if path.is_dir()) if data.is_dir() else []
        near = suggest(tenant, known) or (f"known: {', '.join(known[:10])}" if known else f"{data} is empty")
        raise click.UsageError(f"nothing is kept of a tenant {tenant!r} ({near})")
    return [path for path in [folder / NAME] if path.is_file()]


def _read(path: Path, since: date, now: datetime) -> tuple[list[UsageRow], list[DayLimit]]:
    from qx.spending.ledger_file import LedgerFile

    if not path.stat().st_size:  # to open it would make a new ledger of it
        hint = (
            "restore it from a backup, else the next call begins it anew, and with it what is spent of today's budget"
        )
        raise ProfileError("the ledger is empty (0 bytes): what was in it is gone", file=str(path), hint=hint)
    file = LedgerFile(path)
    try:
        rows = file.report(since)
        for ahead in (1, 0, -1):  # it may be tomorrow where the tenant is
            if limits := file.limits(now.date() + timedelta(days=ahead)):
                return rows, limits
        return rows, []
    finally:
        file.close()


def _profile_of(tenant: str | None) -> Profile | None:
    """Return the profile of a tenant's name; None where there is none, or it is another tenant's or broken."""
    from qx.profiles import load_profile

    if tenant is None:
        return None
    try:
        found = load_profile(tenant, lenient=True)
    except QxError:
        return None
    return found if found.tenant == tenant else None


def _as_of_now(counted: DayLimit, profile: Profile | None) -> DayLimit:
    """Return ``counted`` with the limit that the profile gives now: the ledger knows that of the last call."""
    if profile is None or profile.tenant != counted.tenant:
        return counted
    limits = profile.budget
    money = limits.cost_per_day
    now = {
        "calls": limits.calls_per_day,
        "tokens": limits.tokens_per_day,
        "cost": None if money is None or money.currency not in (None, "", counted.currency) else money.amount,
    }[counted.of]
    if now is None or now == counted.limit:
        return counted
    return replace(counted, limit=float(now), exhausted=counted.spent >= now)


def money(usage: Usage) -> str:
    """Return what was paid, each currency by itself; "" where no price is known."""
    costs = {} if usage.cost is None else {usage.currency: usage.cost}
    return " + ".join(f"{written(cost)} {currency}" for currency, cost in (costs | dict(usage.other_costs)).items())


def spent(usage: Usage, unpriced: int) -> str:
    """Return usage as a line."""
    parts = [_count(usage.calls, "call"), f"{usage.input_tokens:,} tokens in", f"{usage.output_tokens:,} out"]
    if paid := money(usage):
        parts.append(paid)
    return ", ".join(parts) + (f" ({_count(unpriced, 'call')} at no known price)" if unpriced else "")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def by_day(report: UsageReport) -> Iterator[tuple[date, list[UsageRow]]]:
    """Yield the days of a report with their rows."""
    for day in dict.fromkeys(row.day for row in report.rows):
        yield day, [row for row in report.rows if row.day == day]
