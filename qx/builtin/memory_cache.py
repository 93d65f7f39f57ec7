"""A cache in the memory of one process: ``cache: {type: memory, max_bytes: 64000000}``.

The least recently used entry goes first when either bound is reached.
"""

from __future__ import annotations

from collections import Counter, OrderedDict

from pydantic import BaseModel, ConfigDict, Field

from qx.cache import CacheStats, Key
from qx.clock import Clock
from qx.hookspecs import Services


class MemoryCacheSettings(BaseModel):
    """Both bounds hold; bytes are those of the values."""

    model_config = ConfigDict(extra="forbid")
    max_bytes: int = Field(default=64_000_000, ge=0)
    max_entries: int = Field(default=100_000, ge=0)


class MemoryCache:
    """Least-recently-used, bounded in entries and bytes, each entry with its own time to live.

    Args:
        settings: The bounds.
        clock: Its monotonic time decides what has expired.
    """

    Settings = MemoryCacheSettings

    def __init__(self, settings: MemoryCacheSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._entries: OrderedDict[Key, tuple[bytes, float]] = OrderedDict()
        self._bytes = 0
        self._hits: Counter[str] = Counter()
        self._misses: Counter[str] = Counter()

    @classmethod
    async def create(cls, settings: MemoryCacheSettings, services: Services, /) -> MemoryCache:
        return cls(settings, services.clock)

    async def get(self, key: Key, /) -> bytes | None:
        entry = self._entries.get(key)
        if entry is not None and entry[1] <= self._clock.monotonic():
            self._remove(key)
            entry = None
        if entry is None:
            self._misses[key.tenant] += 1
            return None
        self._entries.move_to_end(key)
        self._hits[key.tenant] += 1
        return entry[0]

    async def set(self, key: Key, data: bytes, /, *, ttl: float) -> None:
        if key in self._entries:
            self._remove(key)
        if ttl <= 0 or len(data) > self._settings.max_bytes:
            return
        self._entries[key] = (data, self._clock.monotonic() + ttl)
        self._bytes += len(data)
        while self._bytes > self._settings.max_bytes or len(self._entries) > self._settings.max_entries:
            self._remove(next(iter(self._entries)))

    async def clear(self, tenant: str | None, /) -> int:
        gone = [key for key in self._entries if tenant is None or key.tenant == tenant]
        for key in gone:
            self._remove(key)
        return len(gone)

    async def stats(self, tenant: str | None, /) -> CacheStats:
        now = self._clock.monotonic()
        sizes = [
            len(data)
            for key, (data, expires) in self._entries.items()
            if expires > now and (tenant is None or key.tenant == tenant)
        ]
        hits, misses = (
            counter.total() if tenant is None else counter[tenant] for counter in (self._hits, self._misses)
        )
        return CacheStats(entries=len(sizes), bytes=sum(sizes), hits=hits, misses=misses)

    async def aclose(self) -> None:
        self._entries.clear()
        self._bytes = 0

    def _remove(self, key: Key) -> None:
        data, _ = self._entries.pop(key)
        self._bytes -= len(data)
