"""What ``qx cache stats`` tells."""

from __future__ import annotations

from qx.serial import value


@value
class CacheReport:
    """``tenant`` is None where all tenants are counted.  ``bytes`` are those of the values."""

    type: str
    tenant: str | None
    entries: int
    bytes: int
    hits: int
    misses: int
