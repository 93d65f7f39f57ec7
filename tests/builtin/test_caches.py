"""What every built-in cache promises, and what the file cache promises besides."""

import asyncio
import logging
import os
import sqlite3
import stat
import sys
import tempfile
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.builtin.memory_cache import MemoryCache, MemoryCacheSettings
from qx.builtin.no_cache import NoCache, NoCacheSettings
from qx.builtin.sqlite_cache import SqliteCache, SqliteCacheSettings
from qx.cache import Cache, CacheStats, Key
from qx.clock import SystemClock
from qx.errors import NotAllowed
from qx.testing import CacheConformance

LOG = logging.getLogger("qx.tests.cache")


class ManualClock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return datetime(2026, 11, 29, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float, /) -> None:
        self.seconds += seconds


class FakeServices:
    """What a cache's factory uses of ``Services``."""

    def __init__(self, folder: Path) -> None:
        self.tenant = "acme"
        self.clock = ManualClock()
        self.folder = folder
        self.data = folder / "data"
        self.log = LOG


@pytest.fixture
def services(tmp_path: Path) -> FakeServices:
    return FakeServices(tmp_path)


def key(digest: str, tenant: str = "acme") -> Key:
    return Key(tenant=tenant, kind="understand", digest=digest)


async def sqlite(services: FakeServices, **values: object) -> SqliteCache:
    return await SqliteCache.create(SqliteCacheSettings(**values), services)


@pytest.fixture(params=["memory", "sqlite"])
async def cache(request: pytest.FixtureRequest, services: FakeServices):
    if request.param == "memory":
        made = await MemoryCache.create(MemoryCacheSettings(), services)
    else:
        made = await sqlite(services)
    yield made
    await made.aclose()


async def test_what_was_kept_is_found_again(cache: Cache) -> None:
    assert isinstance(cache, Cache)
    assert await cache.get(key("a")) is None
    await cache.set(key("a"), b"\x00one\xff", ttl=60)
    await cache.set(key("a"), b"two", ttl=60)
    assert await cache.get(key("a")) == b"two"
    assert await cache.stats("acme") == CacheStats(entries=1, bytes=3, hits=1, misses=1)


async def test_tenants_are_apart(cache: Cache) -> None:
    await cache.set(key("a", "acme"), b"acme's", ttl=60)
    assert await cache.get(key("a", "umbrella")) is None
    await cache.set(key("a", "umbrella"), b"umbrella's", ttl=60)
    assert await cache.clear("acme") == 1
    assert await cache.get(key("a", "acme")) is None
    assert await cache.get(key("a", "umbrella")) == b"umbrella's"
    assert (await cache.stats("acme")).entries == 0
    assert (await cache.stats(None)).entries == 1
    assert await cache.clear(None) == 1


async def test_an_entry_expires(cache: Cache, services: FakeServices) -> None:
    await cache.set(key("a"), b"x", ttl=10)
    await cache.set(key("never"), b"x", ttl=0)
    services.clock.seconds = 9.9
    assert await cache.get(key("a")) == b"x"
    services.clock.seconds = 10
    assert await cache.get(key("a")) is None
    assert await cache.get(key("never")) is None
    assert (await cache.stats("acme")).entries == 0


async def test_no_cache_keeps_nothing(services: FakeServices) -> None:
    cache = await NoCache.create(NoCacheSettings(), services)
    await cache.set(key("a"), b"x", ttl=60)
    assert await cache.get(key("a")) is None
    assert await cache.clear(None) == 0
    assert (await cache.stats(None)).entries == 0
    await cache.aclose()


async def test_memory_forgets_the_least_recently_used_first(services: FakeServices) -> None:
    cache = await MemoryCache.create(MemoryCacheSettings(max_bytes=10, max_entries=3), services)
    for name in "abc":
        await cache.set(key(name), b"xx", ttl=60)
    await cache.get(key("a"))
    await cache.set(key("d"), b"xx", ttl=60)
    assert [await cache.get(key(n)) is not None for n in "abcd"] == [True, False, True, True]
    await cache.set(key("e"), b"x" * 9, ttl=60)
    assert (await cache.stats(None)).bytes == 9
    await cache.set(key("f"), b"x" * 11, ttl=60)
    assert await cache.get(key("f")) is None
    assert await cache.get(key("e")) == b"x" * 9


operations = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 12), st.integers(0, 5)), max_size=40)


@settings(max_examples=60, deadline=None)
@given(operations)
def test_memory_stays_within_its_bounds(steps: list[tuple[str, int, int]]) -> None:
    async def run() -> None:
        clock = ManualClock()
        cache = MemoryCache(MemoryCacheSettings(max_bytes=20, max_entries=4), clock)
        for name, size, wait in steps:
            await cache.set(key(name), b"x" * size, ttl=8)
            found = await cache.get(key(name))
            assert found == b"x" * size
            stats = await cache.stats(None)
            assert stats.bytes <= 20
            assert stats.entries <= 4
            clock.seconds += wait

    asyncio.run(run())


async def test_the_file_is_its_owners_alone(services: FakeServices) -> None:
    cache = await sqlite(services, path="sub/cache.db")
    await cache.set(key("a"), b"x", ttl=60)
    folder = services.folder / "sub"
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    assert len(list(folder.iterdir())) == 3
    await cache.aclose()


@pytest.mark.parametrize("path", ["../elsewhere.db", "/etc/qx.db"])
async def test_a_path_outside_the_profiles_folder_is_refused(services: FakeServices, path: str) -> None:
    with pytest.raises(NotAllowed, match="out of the profile's folder"):
        await sqlite(services, path=path)


async def test_the_operator_may_allow_another_folder(
    services: FakeServices, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path_factory.mktemp("other")
    monkeypatch.setenv("QX_ALLOW_PATHS", f"/nowhere{os.pathsep}{other}")
    cache = await sqlite(services, path=str(other / "cache.db"))
    await cache.set(key("a"), b"x", ttl=60)
    assert (other / "cache.db").exists()
    await cache.aclose()


async def test_the_file_outlives_the_process_and_so_do_the_counters(services: FakeServices) -> None:
    first = await sqlite(services)
    await first.get(key("a"))
    await first.set(key("a"), b"x", ttl=60)
    await first.aclose()
    second = await sqlite(services)
    assert await second.get(key("a")) == b"x"
    assert await second.stats("acme") == CacheStats(entries=1, bytes=1, hits=1, misses=1)
    await second.aclose()


async def test_the_size_is_bounded(services: FakeServices) -> None:
    cache = await sqlite(services, max_bytes=400_000)
    for number in range(100):
        services.clock.seconds += 1
        await cache.set(key(f"{number}"), bytes(10_000), ttl=10_000)
    stats = await cache.stats(None)
    assert 200_000 < stats.bytes <= 400_000
    assert await cache.get(key("99")) is not None
    assert await cache.get(key("0")) is None
    await cache.set(key("huge"), bytes(300_000), ttl=60)
    assert await cache.get(key("huge")) is None
    await cache.aclose()
    assert (services.data / "cache.db").stat().st_size <= 450_000


async def test_what_was_used_lately_stays(services: FakeServices) -> None:
    cache = await sqlite(services, max_bytes=400_000)
    await cache.set(key("kept"), bytes(10_000), ttl=100_000)
    for number in range(60):
        services.clock.seconds += 100
        assert await cache.get(key("kept")) is not None, number
        await cache.set(key(f"{number}"), bytes(10_000), ttl=100_000)
    assert await cache.get(key("0")) is None
    await cache.aclose()


@pytest.mark.parametrize("garbage", [b"not a database at all" * 50, b"SQLite format 3\x00" + b"\xff" * 8000])
async def test_a_damaged_file_is_moved_aside(
    services: FakeServices, garbage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = services.folder / "cache.db"
    path.write_bytes(garbage)
    cache = await sqlite(services, path="cache.db")
    assert await cache.get(key("a")) is None
    assert "damaged" in caplog.text
    await cache.set(key("a"), b"x", ttl=60)
    assert await cache.get(key("a")) == b"x"
    await cache.aclose()
    (aside,) = services.folder.glob("cache.db.damaged-*")
    assert aside.read_bytes() == garbage


async def test_damage_while_it_is_open_is_a_miss(services: FakeServices, caplog: pytest.LogCaptureFixture) -> None:
    cache = await sqlite(services, path="cache.db")
    for number in range(200):
        await cache.set(key(f"{number}"), bytes(1000), ttl=60)
    await cache.aclose()
    path = services.folder / "cache.db"
    data = bytearray(path.read_bytes())
    for page in range(4096, len(data), 4096):
        data[page : page + 200] = os.urandom(200)
    cache = await sqlite(services, path="cache.db")
    path.write_bytes(data)
    found = [await cache.get(key(f"{number}")) for number in range(200)]
    assert None in found
    assert "damaged" in caplog.text
    await cache.set(key("new"), b"x", ttl=60)
    assert await cache.get(key("new")) == b"x"
    await cache.aclose()


async def test_another_programs_database_is_left_alone(
    services: FakeServices, caplog: pytest.LogCaptureFixture
) -> None:
    path = services.folder / "theirs.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE customers (name)")
    other.commit()
    other.close()
    before = path.read_bytes()
    cache = await sqlite(services, path="theirs.db")
    await cache.set(key("a"), b"x", ttl=60)
    assert await cache.get(key("a")) is None
    await cache.aclose()
    assert path.read_bytes() == before
    assert "another program's database" in caplog.text


async def test_a_locked_file_is_a_miss_and_is_then_left_alone_for_a_while(
    services: FakeServices, caplog: pytest.LogCaptureFixture
) -> None:
    cache = await sqlite(services, path="cache.db", busy=0.01)
    await cache.set(key("a"), b"x", ttl=600)
    other = sqlite3.connect(services.folder / "cache.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    await cache.set(key("b"), b"y", ttl=600)
    assert "locked" in caplog.text
    caplog.clear()
    assert await cache.get(key("b")) is None
    assert caplog.text == ""
    other.execute("COMMIT")
    other.close()
    services.clock.seconds += 2
    assert await cache.get(key("a")) == b"x"
    await cache.set(key("b"), b"y", ttl=600)
    assert await cache.get(key("b")) == b"y"
    await cache.aclose()


async def test_an_unusable_place_is_a_miss(services: FakeServices, caplog: pytest.LogCaptureFixture) -> None:
    (services.folder / "cache.db").mkdir()
    cache = await sqlite(services, path="cache.db")
    await cache.set(key("a"), b"x", ttl=60)
    services.clock.seconds += 2
    assert await cache.get(key("a")) is None
    assert (await cache.stats(None)).entries == 0
    assert "going on without it" in caplog.text
    await cache.aclose()


async def test_closing_ends_the_thread_and_a_closed_cache_misses(services: FakeServices) -> None:
    cache = await sqlite(services)
    await cache.set(key("a"), b"x", ttl=60)
    assert any(t.name.startswith("qx-cache") for t in threading.enumerate())
    await cache.aclose()
    await cache.aclose()
    assert not any(t.name.startswith("qx-cache") for t in threading.enumerate())
    assert await cache.get(key("a")) is None
    await cache.set(key("a"), b"x", ttl=60)


async def test_only_so_many_calls_wait(services: FakeServices) -> None:
    cache = await sqlite(services, max_pending=2)
    await cache.set(key("a"), b"x", ttl=60)
    found = await asyncio.gather(*(cache.get(key("a")) for _ in range(10)))
    assert found.count(b"x") == 2
    assert await cache.get(key("a")) == b"x"
    await cache.aclose()


WRITER = """
import asyncio, logging, sys
from pathlib import Path
from qx.builtin.sqlite_cache import SqliteCache, SqliteCacheSettings
from qx.cache import Key
from qx.clock import SystemClock

async def run(path, worker):
    log = logging.getLogger()
    cache = SqliteCache(SqliteCacheSettings(busy=10.0), Path(path), SystemClock(), log)
    for number in range(50):
        name = f"{worker}-{number}"
        await cache.set(Key(tenant="acme", kind="k", digest=name), name.encode(), ttl=600)
        assert await cache.get(Key(tenant="acme", kind="k", digest=name)) == name.encode(), name
    await cache.aclose()

asyncio.run(run(*sys.argv[1:]))
"""


async def test_several_processes_write_at_once(services: FakeServices) -> None:
    path = services.folder / "cache.db"
    processes = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, str(path), str(worker))
        for worker in range(4)
    ]
    assert [await process.wait() for process in processes] == [0, 0, 0, 0]
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM entries_1").fetchone() == (200,)
    assert connection.execute("SELECT hits, misses FROM counters_1").fetchall() == [(200, 0)]
    connection.close()


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=20), st.text(max_size=20), st.binary(max_size=200))
def test_any_key_and_value_is_safe(tenant: str, digest: str, data: bytes) -> None:
    async def run(folder: Path) -> None:
        cache = await sqlite(FakeServices(folder))
        await cache.set(key(digest, tenant), data, ttl=60)
        assert await cache.get(key(digest, tenant)) == data
        assert await cache.get(key(digest, tenant + "x")) is None
        await cache.aclose()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


class TestMemoryConforms(CacheConformance):
    """With the loop's own clock."""

    @pytest.fixture
    def cache(self) -> Cache:
        return MemoryCache(MemoryCacheSettings(), SystemClock())


class TestSqliteConforms(CacheConformance):
    """It measures time by the wall clock, which every process shares."""

    expires = False

    @pytest.fixture
    async def cache(self, services: FakeServices) -> AsyncIterator[Cache]:
        made = await sqlite(services)
        yield made
        await made.aclose()
