"""The ledger's file: what it promises, also to several processes, and where it cannot be used."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.cache import Key
from qx.clock import SystemClock
from qx.errors import Closed, ProfileError
from qx.ledger import written
from qx.spending.ledger_file import LedgerFile, units
from qx.spending.sqlite_ledger import SqliteLedger
from qx.testing.conformance.ledger import CountersConformance, LedgerConformance
from qx.types import Usage

KEY = Key(tenant="acme", kind="budget", digest="2026-11-30 calls")
DAY = date(2026, 11, 30)


class LoopClock(SystemClock):
    """A wall clock that follows the loop's time."""

    def now(self) -> datetime:
        return datetime(2026, 11, 30, tzinfo=UTC) + timedelta(seconds=self.monotonic())


@pytest_asyncio.fixture
async def made(tmp_path: Path) -> AsyncIterator[SqliteLedger]:
    ledger = SqliteLedger(tmp_path / "ledger.db", LoopClock())
    yield ledger
    await ledger.aclose()


class TestCounters(CountersConformance):
    @pytest.fixture
    def counters(self, made: SqliteLedger) -> SqliteLedger:
        return made


class TestLedger(LedgerConformance):
    @pytest.fixture
    def ledger(self, made: SqliteLedger) -> SqliteLedger:
        return made


async def test_the_file_is_made_on_first_use_for_its_owner_alone(tmp_path: Path) -> None:
    asked: list[Path] = []

    def place() -> Path:
        asked.append(tmp_path / "data" / "ledger.db")
        return asked[-1]

    ledger = SqliteLedger(place, LoopClock())
    assert not asked
    await ledger.record("acme", Usage(calls=1), datetime.now(UTC))
    await ledger.aclose()
    assert stat.S_IMODE(asked[0].stat().st_mode) == 0o600
    with pytest.raises(Closed):
        await ledger.report("acme", datetime.now(UTC))


def add(file: LedgerFile, amount: int = 1, *, ceiling: int | None = None) -> int | None:
    return file.add(KEY, amount, now=0.0, ttl=60, ceiling=ceiling)


def test_two_writers_never_pass_the_ceiling_together(tmp_path: Path) -> None:
    passed: list[int] = []

    def work() -> None:
        file = LedgerFile(tmp_path / "ledger.db")
        while (number := add(file, ceiling=300)) is not None:
            passed.append(number)
        file.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(passed) == list(range(1, 301))


WORKER = """
import sys
from pathlib import Path
from qx.cache import Key
from qx.spending.ledger_file import LedgerFile
file = LedgerFile(Path(sys.argv[1]))
key = Key(tenant="acme", kind="budget", digest="2026-11-30 calls")
while (number := file.add(key, 1, now=0.0, ttl=60, ceiling=int(sys.argv[2]))) is not None:
    print(number, flush=True)
"""


def test_what_was_counted_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    worker = subprocess.Popen([sys.executable, "-c", WORKER, str(path), "1000000"], stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    told = [int(worker.stdout.readline()) for _ in range(200)]
    file = LedgerFile(path)
    assert add(file)  # while the other one writes
    os.kill(worker.pid, signal.SIGKILL)
    told += [int(line) for line in worker.stdout.read().split("\n")[:-1]]
    worker.stdout.close()
    worker.wait()
    total = add(file, 0)
    assert total is not None
    assert len(told) + 1 <= total <= len(told) + 2, (
        "every number that was told is counted, and one may not have been told"
    )
    with sqlite3.connect(path) as link:
        assert link.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    link.close()
    file.close()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 10**10), max_size=30))
def test_money_does_not_drift(billionths: list[int]) -> None:
    assert sum(units(amount / 1e9) for amount in billionths) == sum(billionths)


def test_a_thousand_small_amounts_are_their_sum(tmp_path: Path) -> None:
    file = LedgerFile(tmp_path / "ledger.db")
    for _ in range(1000):
        file.record("acme", DAY, "m", Usage(calls=1, cost=0.0000001))
    (row,) = file.report(DAY)
    file.close()
    assert row.usage.cost == 0.0001


def test_counters_that_are_over_are_swept_out(tmp_path: Path) -> None:
    file = LedgerFile(tmp_path / "ledger.db")
    for number in range(1001):
        file.add(Key(tenant="acme", kind="seen", digest=str(number)), 1, now=float(number), ttl=10, ceiling=None)
    file.close()
    with sqlite3.connect(tmp_path / "ledger.db") as link:
        (kept,) = link.execute("SELECT count(*) FROM counters_1").fetchone()
    link.close()
    assert kept <= 11


def test_budgets_of_a_day_are_told_with_their_limits(tmp_path: Path) -> None:
    file = LedgerFile(tmp_path / "ledger.db")
    file.add(Key(tenant="acme", kind="budget", digest="2026-11-30 calls"), 3, now=0, ttl=60, ceiling=4)
    file.add(
        Key(tenant="acme", kind="budget", digest="2026-11-30 cost CNY"), units(1.5), now=0, ttl=60, ceiling=units(2)
    )
    file.add(Key(tenant="acme", kind="budget", digest="2026-12-01 calls"), 1, now=0, ttl=60, ceiling=4)
    calls, cost = file.limits(DAY)
    file.close()
    assert (calls.of, calls.spent, calls.limit, calls.share) == ("calls", 3, 4, 0.75)
    assert (cost.of, cost.currency, cost.spent, cost.limit) == ("cost", "CNY", 1.5, 2)


def test_a_file_that_is_none_of_ours_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "ledger.db"
    with sqlite3.connect(other) as link:
        link.execute("CREATE TABLE theirs (x)")
    link.close()
    with pytest.raises(ProfileError, match=r"ledger.db: .*another program's"):
        LedgerFile(other).open()


def test_a_damaged_file_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    with pytest.raises(ProfileError, match=r"ledger.db: .*move the file away"):
        LedgerFile(path).open()
    assert path.stat().st_size == 5016


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ProfileError, match="QX_HOME"):
        LedgerFile(tmp_path / "file" / "ledger.db").open()


def test_a_full_disk_ends_in_an_error_and_loses_nothing(tmp_path: Path) -> None:
    file = LedgerFile(tmp_path / "ledger.db")
    file.record("acme", date(2026, 11, 30), "m", Usage(calls=1))
    connection = file._connection
    assert connection is not None
    connection.execute(f"PRAGMA max_page_count = {connection.execute('PRAGMA page_count').fetchone()[0]}")
    kept = 1

    def fill() -> None:
        nonlocal kept
        for kept in range(1, 1000):
            file.record("acme", date(2026, 11, 30), f"model {kept} {'x' * 200}", Usage(calls=1))

    with pytest.raises(ProfileError, match=r"full.*ledger\.db|ledger\.db.*full") as full:
        fill()
    assert "free the disk" in str(full.value.hint)
    assert sum(row.usage.calls for row in file.report(date(2026, 11, 30))) == kept
    connection.execute("PRAGMA max_page_count = 100000")
    file.record("acme", date(2026, 11, 30), "m", Usage(calls=1))
    assert sum(row.usage.calls for row in file.report(date(2026, 11, 30))) == kept + 1
    file.close()


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (0.000018, "0.000018"), (0, "0"), (5, "5"), (4.2, "4.2"), (1234567, "1234567"), (100.0, "100"), (0.1 + 0.2, "0.3"),
        (1e-9, "0.000000001"), (1234567.25, "1234567.25"),
    ],
)  # fmt: skip
def test_amounts_are_written_out(amount: float, said: str) -> None:
    assert written(amount) == said


async def test_one_that_was_cut_to_nothing_does_not_begin_anew_in_silence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "ledger.db"
    path.touch()
    for said in (1, 0):
        caplog.clear()
        ledger = SqliteLedger(path, SystemClock())
        await ledger.open()
        await ledger.aclose()
        assert caplog.text.count("was empty") == said
