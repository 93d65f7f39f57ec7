"""The contract of a cache: bytes by key, apart for each tenant.  Values are validated by whoever reads them."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from qx.serial import value


@value
class Key:
    """``tenant`` is a field of its own, so that no tenant's entry can answer another."""

    tenant: str
    kind: str
    digest: str


@value
class CacheStats:
    entries: int
    bytes: int
    hits: int = 0
    misses: int = 0


@runtime_checkable
class Cache(Protocol):
    """Registered through ``qx_caches``.  A damaged or unreachable cache is a miss with a warning, never an error."""

    async def get(self, key: Key, /) -> bytes | None: ...

    async def set(self, key: Key, data: bytes, /, *, ttl: float) -> None:
        """Keep ``data`` for ``ttl`` seconds."""
        ...

    async def clear(self, tenant: str | None, /) -> int:
        """Forget a tenant's entries (None: all) and return how many there were."""
        ...

    async def stats(self, tenant: str | None, /) -> CacheStats: ...

    async def aclose(self) -> None: ...
