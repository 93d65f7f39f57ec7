"""The SQLite file of a tenant's ledger: usage by day and model, and the counters of its budgets.

Everything here blocks and runs in one thread.  Each method is one transaction, so that processes may share the file and
any of them may be killed at any moment.  Money is kept as whole billionths: sums of fractions would drift.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection
from datetime import date
from pathlib import Path
from typing import TypeVar

from qx.cache import Key
from qx.errors import ProfileError
from qx.ledger import DayLimit, UsageRow
from qx.sqlite import opened
from qx.types import Usage

T = TypeVar("T")

UNIT = 1_000_000_000
"""Units of money in one of its currency: a token at 0.1 a million is a hundred of them."""
BUDGET = "budget"
"""The kind of the keys of budgets; their digest is ``DAY OF`` or ``DAY cost CURRENCY``."""

ALERT = "alert"
"""The kind of the keys that say whether observers were told of a limit."""

_APPLICATION = 0x71786C65  # "qxle"
_MOST = 2**62
_SCHEMA = """
CREATE TABLE IF NOT EXISTS usage_1 (
    tenant TEXT NOT NULL, day TEXT NOT NULL, model TEXT NOT NULL, currency TEXT NOT NULL,
    calls INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL, cost INTEGER NOT NULL,
    unpriced INTEGER NOT NULL,
    PRIMARY KEY (tenant, day, model, currency)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counters_1 (
    tenant TEXT NOT NULL, kind TEXT NOT NULL, digest TEXT NOT NULL,
    total INTEGER NOT NULL, ceiling INTEGER, expires REAL NOT NULL,
    PRIMARY KEY (tenant, kind, digest)
) WITHOUT ROWID;
"""
_ADD_USAGE = """
INSERT INTO usage_1 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, day, model, currency) DO UPDATE SET
    calls = calls + excluded.calls, input = input + excluded.input, output = output + excluded.output,
    cost = cost + excluded.cost, unpriced = unpriced + excluded.unpriced
"""
_COUNTER = "SELECT total, expires FROM counters_1 WHERE tenant = ? AND kind = ? AND digest = ?"
_SWEEP = 1000
"""Counters are looked through for those that are over at every so many new ones."""


def units(money: float) -> int:
    """Return an amount of money in whole ``UNIT``s."""
    return min(round(money * UNIT), _MOST)


class LedgerFile:
    """One file.  Every method raises ``ProfileError`` where the file cannot be used.

    Args:
        path: The file; made, for its owner alone, on first use.
        busy: Seconds to wait for another process's lock.
    """

    def __init__(self, path: Path, *, busy: float = 5.0) -> None:
        self.path = path
        self._busy = busy
        self._connection: sqlite3.Connection | None = None
        self._made = 0

    def add(self, key: Key, amount: int, *, now: float, ttl: float, ceiling: int | None) -> int | None:
        """See ``SupportsCounters.add``; ``now`` is in seconds since the epoch."""
        return self._in_one(lambda connection: self._add(connection, key, amount, now, ttl, ceiling))

    def record(self, tenant: str, day: date, model: str, usage: Usage) -> None:
        """Add ``usage`` to a day's row."""
        costs = dict(usage.other_costs)
        unpriced = usage.calls if usage.cost is None and not costs else 0
        first = (tenant, day.isoformat(), model, usage.currency, usage.calls, usage.input_tokens, usage.output_tokens)
        rows = [(*first, units(usage.cost or 0), unpriced)]
        rows += [(*first[:3], currency, 0, 0, 0, units(cost), 0) for currency, cost in costs.items()]
        self._in_one(lambda connection: connection.executemany(_ADD_USAGE, rows))

    def report(self, since: date, tenant: str | None = None) -> list[UsageRow]:
        """Return the rows from ``since`` on; ``tenant`` None: of everybody in this file."""
        wanted = "SELECT * FROM usage_1 WHERE day >= ?1 AND (?2 IS NULL OR tenant = ?2) ORDER BY day, tenant, model"
        return [_row(*row) for row in self._reading(wanted, since.isoformat(), tenant)]

    def limits(self, day: date) -> list[DayLimit]:
        """Return the budgets of a day that have been counted on."""
        wanted = (
            "SELECT tenant, digest, total, ceiling FROM counters_1 "
            "WHERE kind = ?1 AND digest >= ?2 AND digest < ?3 AND ceiling IS NOT NULL ORDER BY digest"
        )
        told = "SELECT tenant, digest FROM counters_1 WHERE kind = ?1 AND digest >= ?2 AND digest < ?3"
        span = (f"{day.isoformat()} ", f"{day.isoformat()}!")
        known = {(str(tenant), str(digest)) for tenant, digest in self._reading(told, ALERT, *span)}
        return [_limit(*row, known=known) for row in self._reading(wanted, BUDGET, *span)]

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def open(self) -> None:
        """Open the file, or make it.

        Raises:
            ProfileError: it is another program's, damaged, or in a place that cannot be written.
        """
        self._said(self._connected)

    def _in_one(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def run() -> T:
            connection = self._connected()
            connection.execute("BEGIN IMMEDIATE")
            try:
                done = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            return done

        return self._said(run)

    def _reading(self, statement: str, *given: object) -> list[tuple[str | int, ...]]:
        return self._said(lambda: self._connected().execute(statement, given).fetchall())

    def _said(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (sqlite3.Error, OSError) as error:
            hint = "free the disk or give QX_HOME a folder that can be written"
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                hint = "move the file away: usage then begins anew, and so does what is spent of today's budget"
            raise ProfileError(f"the ledger cannot be used: {error}", file=str(self.path), hint=hint) from error

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = opened(self.path, _SCHEMA, wait=self._busy, application=_APPLICATION, any_thread=True)
        return self._connection

    def _add(
        self, connection: sqlite3.Connection, key: Key, amount: int, now: float, ttl: float, ceiling: int | None
    ) -> int | None:
        where = (key.tenant, key.kind, key.digest)
        row: tuple[int, float] | None = connection.execute(_COUNTER, where).fetchone()
        fresh = row is None or row[1] <= now
        before, expires = (0, now + ttl) if row is None or fresh else row
        total = min(max(0, before + amount), _MOST)
        refused = amount > 0 and ceiling is not None and total > ceiling
        connection.execute(
            "INSERT INTO counters_1 VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, kind, digest) DO UPDATE SET "
            "total = excluded.total, ceiling = coalesce(excluded.ceiling, ceiling), expires = excluded.expires",
            (*where, before if refused else total, ceiling, expires),  # a refusal, too, tells the limit of now
        )
        if fresh:
            self._made += 1
            if self._made % _SWEEP == 1:
                connection.execute("DELETE FROM counters_1 WHERE expires <= ?", (now,))
        return None if refused else total


def _row(*row: str | int) -> UsageRow:
    tenant, day, model, currency, calls, sent, written, cost, unpriced = row
    known = int(calls) > int(unpriced) or int(cost) > 0
    usage = Usage(
        calls=int(calls),
        input_tokens=int(sent),
        output_tokens=int(written),
        cost=int(cost) / UNIT if known else None,
        currency=str(currency),
    )
    return UsageRow(
        tenant=str(tenant), day=date.fromisoformat(str(day)), model=str(model), usage=usage, unpriced=int(unpriced)
    )


def alert(day: date, of: str, percent: int, limit: int) -> str:
    """Return the digest of the key that says whether observers were told that ``percent`` of a limit is spent."""
    return f"{day.isoformat()} {of} {percent} {limit}"


def _limit(*row: str | int, known: Collection[tuple[str, str]]) -> DayLimit:
    tenant, digest, total, ceiling = row
    day, of, *currency = str(digest).split(" ")
    scale = UNIT if of == "cost" else 1
    return DayLimit(
        tenant=str(tenant),
        day=date.fromisoformat(day),
        of=of,
        spent=int(total) / scale,
        limit=int(ceiling) / scale,
        currency=currency[0] if currency else "",
        exhausted=int(total) >= int(ceiling)
        or (str(tenant), alert(date.fromisoformat(day), of, 100, int(ceiling))) in known,
    )


__all__ = ["ALERT", "BUDGET", "UNIT", "LedgerFile", "alert", "units"]
