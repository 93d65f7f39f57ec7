# ruff: noqa: S101 - tests, though they lie in the package
"""The contract of a cache, as tests."""

from __future__ import annotations

import asyncio

import pytest

from qx.cache import Cache, Key


class CacheConformance:
    """Subclass it, and override the fixture ``cache`` with an empty one.  Needs ``asyncio_mode = "auto"``.

    ``expires`` is False for a cache that measures time by something other than the loop's clock.
    """

    expires = True

    @pytest.fixture
    def cache(self) -> Cache:
        raise NotImplementedError("override the fixture `cache`")

    @staticmethod
    def key(digest: str = "d", *, tenant: str = "acme", kind: str = "expand") -> Key:
        """A key."""
        return Key(tenant=tenant, kind=kind, digest=digest)

    async def test_it_has_the_shape_of_the_contract(self, cache: Cache) -> None:
        assert isinstance(cache, Cache)

    async def test_what_was_set_is_got(self, cache: Cache) -> None:
        assert await cache.get(self.key()) is None
        data = bytes(range(256)) + "缓存".encode()
        await cache.set(self.key(), data, ttl=60)
        assert await cache.get(self.key()) == data
        await cache.set(self.key(), b"", ttl=60)
        assert await cache.get(self.key()) == b""

    async def test_tenants_kinds_and_digests_are_apart(self, cache: Cache) -> None:
        await cache.set(self.key(), b"mine", ttl=60)
        for other in (self.key(tenant="other"), self.key(kind="understand"), self.key("e")):
            assert await cache.get(other) is None
        await cache.set(self.key("b", tenant="a"), b"1", ttl=60)
        assert await cache.get(self.key("", tenant="ab")) is None

    async def test_clearing_forgets_one_tenant_or_all(self, cache: Cache) -> None:
        for tenant in ("one", "two"):
            for digest in ("a", "b"):
                await cache.set(self.key(digest, tenant=tenant), b"x", ttl=60)
        assert await cache.clear("one") == 2
        assert await cache.get(self.key("a", tenant="one")) is None
        assert await cache.get(self.key("a", tenant="two")) == b"x"
        assert await cache.clear(None) == 2

    async def test_stats_count_one_tenant_or_all(self, cache: Cache) -> None:
        await cache.set(self.key("a", tenant="one"), b"12345", ttl=60)
        await cache.set(self.key("a", tenant="two"), b"12345", ttl=60)
        assert (await cache.stats("one")).entries == 1
        assert (await cache.stats(None)).entries == 2
        assert (await cache.stats(None)).bytes >= 10

    async def test_many_at_once(self, cache: Cache) -> None:
        keys = [self.key(str(i)) for i in range(50)]
        await asyncio.gather(*(cache.set(key, key.digest.encode(), ttl=60) for key in keys))
        found = await asyncio.gather(*map(cache.get, keys))
        assert found == [key.digest.encode() for key in keys]

    @pytest.mark.virtual_time
    async def test_an_entry_ends_with_its_time(self, cache: Cache) -> None:
        if not self.expires:
            pytest.skip("it does not measure time by the loop's clock")
        await cache.set(self.key(), b"x", ttl=10)
        await asyncio.sleep(9)
        assert await cache.get(self.key()) == b"x"
        await asyncio.sleep(2)
        assert await cache.get(self.key()) is None

    async def test_closing_twice_is_harmless(self, cache: Cache) -> None:
        await cache.aclose()
        await cache.aclose()
