"""PostgreSQL: an import that was killed goes on where it stopped, as on SQLite."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROFILE = "timezone: UTC\nunderstand: {mode: rules}\nchat: {store: {type: postgres, dsn: '${CHAT_DSN}'}}\n"
ROWS = 20_000


@pytest.mark.slow
def test_an_import_that_was_killed_goes_on_where_it_stopped(tmp_path: Path, server: str) -> None:
    with (tmp_path / "log.jsonl").open("w") as stream:
        for n in range(ROWS):
            stream.write(
                f'{{"id": "m{n}", "user": "u{n % 7}", "session": "s", "role": "user", '
                f'"time": "2026-01-01T00:00:00Z", "content": "tea number {n}"}}\n'
            )
    (tmp_path / "p.yaml").write_text(PROFILE)
    command = [sys.executable, "-m", "qx", "chat", "import", "log.jsonl", "-p", "./p.yaml", "--json"]
    env = {**os.environ, "QX_HOME": str(tmp_path / "home"), "CHAT_DSN": server}
    running = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while running.poll() is None and time.monotonic() < until and _stored(server) < 2_000:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    time.sleep(1)  # the server may still be ending what the client had sent
    there = _stored(server)
    assert 0 < there < ROWS
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert _stored(server) == ROWS
    assert f'"added": {ROWS - there}' in done.stdout
    assert f'"known": {there}' in done.stdout


def _stored(dsn: str) -> int:
    import asyncpg

    async def ask() -> int:
        connection = await asyncpg.connect(dsn)
        try:
            return await connection.fetchval("SELECT coalesce(sum(messages), 0) FROM chat_scopes")
        except asyncpg.UndefinedTableError:
            return 0
        finally:
            await connection.close()

    return asyncio.run(ask())
