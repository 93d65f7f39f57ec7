"""The cache that keeps nothing: ``cache: {type: none}``."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from qx.cache import CacheStats, Key
from qx.hookspecs import Services


class NoCacheSettings(BaseModel):
    """There is nothing to set."""

    model_config = ConfigDict(extra="forbid")


class NoCache:
    """Every look-up is a miss."""

    Settings = NoCacheSettings
    keeps = False  # what a cache must give back does not hold for one that keeps nothing

    @classmethod
    async def create(cls, settings: NoCacheSettings, services: Services, /) -> NoCache:
        return cls()

    async def get(self, key: Key, /) -> bytes | None:
        return None

    async def set(self, key: Key, data: bytes, /, *, ttl: float) -> None:
        return None

    async def clear(self, tenant: str | None, /) -> int:
        return 0

    async def stats(self, tenant: str | None, /) -> CacheStats:
        return CacheStats(entries=0, bytes=0)

    async def aclose(self) -> None:
        return None
