"""What is SQLite's own: the file, its versions and locks, the index in pieces."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qx import Principal
from qx.errors import ProviderError, Unavailable, UsageError
from qx_chatlog.index import gathering
from qx_chatlog.index.analysis import folded, words
from qx_chatlog.message import Message
from qx_chatlog.sqlite import writing
from qx_chatlog.sqlite.store import SqliteStore
from qx_chatlog.store import Controls, Filters, Note, Search

T0 = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
ANN = Principal(tenant="t", user="ann")
ALONE = Controls(window=0)


def said(content: str, n: int, user: str = "ann") -> Message:
    return Message(
        id=f"m{n}", tenant="t", user=user, session="s", role="user", time=T0 + timedelta(minutes=n), content=content
    )


async def test_what_is_deleted_is_not_in_the_file(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "chat.db")
    secret = [said(f"zanzibarrendezvous {n} 秘密约定地点", n) for n in range(400)]
    await store.append(secret)
    await store.append([said("tea", n, user="bob") for n in range(400)])
    await store.put_notes(ANN, [Note(kind="fact", key="k", value="zanzibarrendezvous", time=T0)])
    assert await store.delete(ANN) == 400
    await store.aclose()
    for file in tmp_path.iterdir():
        data = file.read_bytes()
        assert b"zanzibarrendezv" not in data, file
        assert "秘密约定".encode() not in data, file


async def test_a_locked_file_is_said_to_be(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "chat.db", wait=0.05)
    other = sqlite3.connect(tmp_path / "chat.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="locked by others"):
        await store.append([said("tea", 0)])
    assert await store.count(ANN, Filters()) == 0  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    assert (await store.append([said("tea", 0)])).added == 1
    await store.aclose()


async def test_a_reader_that_was_cancelled_leaves_nothing_open(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "chat.db")
    await store.append([said("tea", n) for n in range(50)])
    for turns in range(12):
        tasks = [asyncio.create_task(store.search(ANN, Search(text="tea"))) for _ in range(6)]
        for _ in range(turns):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await store.append([said("tea", 99)])
    counts = await asyncio.gather(*(store.count(ANN, Filters()) for _ in range(8)))
    assert set(counts) == {51}  # no reader still sees an older moment
    await store.aclose()


async def test_another_programs_file_and_a_newer_versions_are_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "theirs.db") as theirs:
        theirs.execute("CREATE TABLE t (x)")
    theirs.close()
    with pytest.raises(UsageError, match="another program's"):
        await SqliteStore.open(tmp_path / "theirs.db")
    store = await SqliteStore.open(tmp_path / "newer.db")
    await store.aclose()
    with sqlite3.connect(tmp_path / "newer.db") as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(UsageError, match="newer"):
        await SqliteStore.open(tmp_path / "newer.db")
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(ProviderError):
        await SqliteStore.open(tmp_path / "folder.db")


async def test_an_index_of_another_version_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "chat.db"
    store = await SqliteStore.open(path)
    await store.append([said("tea", n) for n in range(3)])
    await store.put_notes(ANN, [Note(kind="fact", key="k", value=1, message="m1", time=T0)])
    await store.aclose()
    with sqlite3.connect(path) as sql:
        sql.execute("UPDATE recent SET words = ''")
        sql.execute("UPDATE scopes SET analysis = 0")
    sql.close()
    store = await SqliteStore.open(path)
    assert len((await store.search(ANN, Search(text="tea", controls=ALONE))).found) == 3
    assert [note.value for note in await store.notes(ANN, "fact")] == [1]
    await store.aclose()


WORDS = ("tea", "red", "sea", "会议", "考勤", "茶")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(st.lists(st.sampled_from(WORDS), max_size=4), max_size=6), max_size=5))
async def test_every_message_is_found_however_its_words_are_kept(
    batches: list[list[list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "TOGETHER", 4)
    monkeypatch.setattr(gathering, "POSTINGS", 3)
    monkeypatch.setattr(gathering, "PIECE", 3)
    (tmp_path / "chat.db").unlink(missing_ok=True)
    store = await SqliteStore.open(tmp_path / "chat.db")
    texts: list[str] = []
    for batch in batches:
        new = [" ".join(chosen) for chosen in batch]
        await store.append([said(text, len(texts) + n) for n, text in enumerate(new)])
        texts += new
    for word in WORDS:
        result = await store.search(ANN, Search(text=word, controls=ALONE, limit=100))
        assert {one.message.content for one in result.found} == {text for text in texts if word in text.split()}
        assert len(result.found) == sum(word in text.split() for text in texts)
    await store.delete(ANN)
    await store.aclose()
    for suffix in ("", "-wal", "-shm"):
        Path(f"{tmp_path / 'chat.db'}{suffix}").unlink(missing_ok=True)


@settings(max_examples=50, deadline=None)
@given(text=st.text(alphabet=st.sampled_from("aÀẞİ，。！Ａ１茶會会e\u0301 ﬁ²'’don"), max_size=12))
def test_quick_folding_finds_the_same_words(text: str) -> None:
    assert words(text) == words(folded(text))


@settings(max_examples=50, deadline=None)
@given(counted=st.dictionaries(st.sampled_from(["a", "ab", "abc", "茶叶", "茶", "1"]), st.integers(1, 300)))
def test_words_of_recent_messages(counted: dict[str, int]) -> None:
    text = gathering.spelled(counted)
    assert gathering.counted_in(text) == counted
    for word in ("a", "ab", "茶", "b"):
        assert gathering.occurrences(text, word, prefix=False) == counted.get(word, 0)
        expected = sum(often for one, often in counted.items() if one.startswith(word))
        assert gathering.occurrences(text, word, prefix=True) == expected


PROFILE = "timezone: UTC\nunderstand: {mode: rules}\nchat: {store: {type: sqlite, path: chat.db}}\n"


@pytest.mark.slow
def test_an_import_that_was_killed_goes_on_where_it_stopped(tmp_path: Path) -> None:
    rows = 20_000
    with (tmp_path / "log.jsonl").open("w") as stream:
        for n in range(rows):
            stream.write(
                f'{{"id": "m{n}", "user": "u{n % 7}", "session": "s", "role": "user", '
                f'"time": "2026-01-01T00:00:00Z", "content": "tea number {n}"}}\n'
            )
    (tmp_path / "p.yaml").write_text(PROFILE)
    command = [sys.executable, "-m", "qx", "chat", "import", "log.jsonl", "-p", "./p.yaml", "--json"]
    env = {**os.environ, "QX_HOME": str(tmp_path / "home")}
    running = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while running.poll() is None and time.monotonic() < until and _stored(tmp_path / "chat.db") < 2_000:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    there = _stored(tmp_path / "chat.db")
    assert 0 < there < rows
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert f'"added": {rows - there}' in done.stdout
    assert f'"known": {there}' in done.stdout
    assert _stored(tmp_path / "chat.db") == rows


def _stored(path: Path) -> int:
    if not path.exists():
        return 0
    sql = sqlite3.connect(path, timeout=10)
    try:
        return sql.execute("SELECT coalesce(sum(messages), 0) FROM scopes").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        sql.close()


@pytest.mark.slow
def test_processes_write_at_once(tmp_path: Path) -> None:
    script = """
import asyncio, sys
from datetime import UTC, datetime
from pathlib import Path
from qx_chatlog.message import Message
from qx_chatlog.sqlite.store import SqliteStore
async def main(n):
    store = await SqliteStore.open(Path("chat.db"))
    for k in range(25):
        one = Message(id=f"{n}-{k}", tenant="t", user="ann", session="s", role="user", time=datetime.now(UTC), content="tea")
        assert (await store.append([one])).added == 1
    await store.aclose()
asyncio.run(main(sys.argv[1]))
"""
    running = [subprocess.Popen([sys.executable, "-c", script, str(n)], cwd=tmp_path) for n in range(6)]
    assert [one.wait(timeout=100) for one in running] == [0] * 6
    assert _stored(tmp_path / "chat.db") == 150
