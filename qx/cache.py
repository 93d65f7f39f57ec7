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
    """What a cache holds (``bytes`` of values and keys), and how often it was asked since it was made or cleared."""

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


@runtime_checkable
class SupportsCounters(Protocol):
    """Of a cache that processes share: numbers that any of them adds to in one step, for budgets and how often.

    Unlike an entry, a count is never lost in silence: what cannot be counted raises.
    """

    async def add(self, key: Key, amount: int, /, *, ttl: float, ceiling: int | None) -> int | None:
        """Add ``amount`` to a number and return what it is then; one that is not there, or is over, begins at 0.

        Args:
            amount: Below 0: give back, which no ceiling forbids; 0: look.
            ttl: Seconds that the number is kept, from when it began.
            ceiling: The most that it may be; None: no limit.

        Returns:
            None where it would go over the ceiling: then nothing is added.

        Raises:
            QxError: it cannot be counted.
        """
        ...
