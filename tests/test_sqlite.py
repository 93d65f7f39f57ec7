"""SQLite files that several processes open at once, for the first time too."""

from __future__ import annotations

import multiprocessing
import sqlite3
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from qx.sqlite import NotOurs, opened, write_ahead

MARK = 0x71787473
TABLE = "CREATE TABLE IF NOT EXISTS t (a INTEGER)"


def cache(path: Path) -> None:
    import logging

    from qx.builtin.sqlite_file import SqliteFile

    file = SqliteFile(path, max_bytes=1_000_000, busy=10, log=logging.getLogger("qx"))
    file.stats(None, 0)
    file.close()


def ledger(path: Path) -> None:
    from qx.spending.ledger_file import LedgerFile

    file = LedgerFile(path, busy=10)
    file.open()
    file.close()


def answers(path: Path) -> None:
    opened(path, TABLE, wait=10).close()


def index(path: Path) -> None:
    from qx.builtin.local.sources import Sources

    Sources(path, wait=10).close()


def _at_once(open_: Callable[[Path], None], paths: list[Path], gate: object, failed: object) -> None:
    for path in paths:
        gate.wait()  # type: ignore[attr-defined]
        try:
            open_(path)
        except Exception as error:  # noqa: BLE001 - told to the test
            failed.put(f"{type(error).__name__}: {error}")  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("open_", [cache, ledger, answers, index])
def test_processes_that_open_a_new_file_at_once_all_get_it(open_: Callable[[Path], None], tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    gate, failed = spawn.Barrier(3), spawn.SimpleQueue()
    paths = [tmp_path / f"{n}.db" for n in range(8)]
    workers = [spawn.Process(target=_at_once, args=(open_, paths, gate, failed)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failed.empty(), failed.get()


def test_the_log_is_waited_for_while_another_one_is_making_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    threading.Timer(0.1, lambda: other.execute("COMMIT")).start()
    link = sqlite3.connect(path, timeout=0, isolation_level=None)
    write_ahead(link, 5)
    assert link.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    link.close()
    other.close()


def test_what_is_wrong_otherwise_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.db"
    sqlite3.connect(path).executescript("CREATE TABLE t (a)").connection.close()
    monkeypatch.setattr("qx.sqlite.time.sleep", lambda seconds: pytest.fail("it waits"))
    link = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        write_ahead(link, 5)
    link.close()


def test_a_file_is_for_its_owner_and_bears_its_mark(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.db"
    link = opened(path, TABLE, wait=1, application=MARK)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert link.execute("PRAGMA application_id").fetchone() == (MARK,)
    path.chmod(0o644)
    opened(path, TABLE, wait=1, application=MARK).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    link.close()


@pytest.mark.parametrize("statement", ["CREATE TABLE theirs (a)", "PRAGMA application_id = 7"])
def test_another_programs_file_is_not_written(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "a.db"
    other = sqlite3.connect(path)
    other.execute(statement)
    other.close()
    before = path.read_bytes()
    with pytest.raises(NotOurs):
        opened(path, TABLE, wait=1, application=MARK)
    assert path.read_bytes() == before


def test_opening_a_file_again_leaves_the_locks_on_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    link = opened(path, TABLE, wait=1, application=MARK)
    link.execute("BEGIN IMMEDIATE")
    again = opened(path, TABLE, wait=0, application=MARK)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        again.execute("BEGIN IMMEDIATE")
    again.close()
    link.close()
