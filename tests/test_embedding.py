import struct

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as bounds
from hypothesis import strategies as st

from qx.budget import Cost, RequestBudget
from qx.builtin.memory_cache import MemoryCache, MemoryCacheSettings
from qx.cache import Key
from qx.calls.embedding import Embedding, VectorCache
from qx.clock import SystemClock
from qx.embedder import EmbedRequest
from qx.errors import AuthError, BadResponse, BudgetExceeded, ProviderTimeout, Unavailable
from qx.testing import FakeEmbedder, run_virtual

pytestmark = pytest.mark.virtual_time
REQUEST = EmbedRequest(texts=("苹果", "apple"))


def budget(**limits: float) -> RequestBudget:
    return RequestBudget(Cost(**limits), SystemClock().monotonic)  # type: ignore[arg-type]


async def test_vectors_come_back_and_are_paid_for():
    spent = budget(calls=2, tokens=100)
    embeddings = await Embedding(FakeEmbedder(), SystemClock()).embed(REQUEST, budget=spent)
    assert len(embeddings.vectors) == 2
    assert spent.remaining().calls == 1


async def test_what_may_pass_is_tried_again_what_may_not_is_not():
    passing = FakeEmbedder(failures=[Unavailable("down"), Unavailable("down")])
    await Embedding(passing, SystemClock()).embed(REQUEST, budget=budget(seconds=30))
    assert len(passing.requests) == 3
    wrong = FakeEmbedder(failures=[AuthError("wrong key")])
    with pytest.raises(AuthError):
        await Embedding(wrong, SystemClock()).embed(REQUEST, budget=budget(seconds=30))
    assert len(wrong.requests) == 1


async def test_an_embedder_with_a_bug_is_a_bad_response_without_secrets():
    broken = FakeEmbedder(failures=[ValueError("no vector for key sk-canary")])
    hiding = Embedding(broken, SystemClock(), redact=lambda text: text.replace("sk-canary", "***"))
    with pytest.raises(BadResponse, match=r"ValueError: no vector for key \*\*\*"):
        await hiding.embed(REQUEST, budget=budget(seconds=30))


async def test_an_attempt_that_was_refused_is_not_paid_for():
    spent = budget(calls=1)
    await Embedding(FakeEmbedder(failures=[Unavailable("down")]), SystemClock()).embed(REQUEST, budget=spent)
    assert spent.remaining().calls == 0


async def test_a_hanging_embedder_ends_with_the_budget():
    clock = SystemClock()
    began = clock.monotonic()
    with pytest.raises((ProviderTimeout, BudgetExceeded)):
        await Embedding(FakeEmbedder(delay=3600), clock).embed(REQUEST, budget=budget(seconds=2))
    assert clock.monotonic() - began <= 2.01


class Spying(MemoryCache):
    """Remembers the keys it was asked to keep, so that a test can spoil what lies there."""

    def __init__(self) -> None:
        super().__init__(MemoryCacheSettings(), SystemClock())
        self.keys: list[Key] = []

    async def set(self, key: Key, data: bytes, /, *, ttl: float) -> None:
        self.keys.append(key)
        await super().set(key, data, ttl=ttl)


class Learning(FakeEmbedder):
    """Does not know the length of its vectors before its first answer."""

    @property
    def dimensions(self) -> int:
        return super().dimensions if self.requests else 0


def cached(embedder: FakeEmbedder, cache: MemoryCache, tenant: str = "acme") -> Embedding:
    return Embedding(embedder, SystemClock(), VectorCache(cache, tenant, ttl=60))


async def test_what_was_embedded_is_not_embedded_again_and_only_the_rest_is_sent():
    embedder, cache = FakeEmbedder(), Spying()
    embedding = cached(embedder, cache)
    await embedding.embed(REQUEST, budget=budget(calls=1))
    more = EmbedRequest(texts=("apple", "pear", "苹果", "pear", "apple"))
    found = await embedding.embed(more, budget=budget(calls=1))
    assert embedder.requests[1].texts == ("pear",)
    assert found.vectors == embedder.vectors(more.texts)
    assert found.usage.cached == 2
    again = await embedding.embed(more, budget=budget(calls=0))
    assert again.vectors == found.vectors
    assert (again.usage.calls, again.usage.cached) == (0, 3)


async def test_kind_embedder_and_tenant_are_apart():
    cache = Spying()
    first = FakeEmbedder()
    await cached(first, cache).embed(REQUEST, budget=budget())
    await cached(first, cache).embed(EmbedRequest(texts=REQUEST.texts, kind="document"), budget=budget())
    await cached(first, cache, "other").embed(REQUEST, budget=budget())
    assert len(first.requests) == 3
    other = FakeEmbedder(dimensions=8)
    await cached(other, cache).embed(REQUEST, budget=budget())
    assert len(other.requests) == 1
    assert len(set(cache.keys)) == 8
    assert {(key.tenant, key.kind) for key in cache.keys} == {("acme", "embedding"), ("other", "embedding")}


async def test_entries_expire():
    clock, embedder, cache = SystemClock(), FakeEmbedder(), Spying()
    embedding = cached(embedder, cache)
    await embedding.embed(REQUEST, budget=budget())
    await clock.sleep(61)
    await embedding.embed(REQUEST, budget=budget())
    assert len(embedder.requests) == 2


@pytest.mark.parametrize(
    "spoilt",
    [b"", b"abc", b"\0" * 4 * 63, b"\0" * 4 * 65, struct.pack("<64f", *[float("nan")] * 64)],
    ids=["empty", "torn", "short", "long", "not a number"],
)
async def test_a_damaged_entry_is_a_miss(spoilt: bytes):
    embedder, cache = FakeEmbedder(), Spying()
    embedding = cached(embedder, cache)
    await embedding.embed(REQUEST, budget=budget())
    await cache.set(cache.keys[0], spoilt, ttl=60)
    found = await embedding.embed(REQUEST, budget=budget())
    assert found.vectors == embedder.vectors(REQUEST.texts)
    assert [r.texts for r in embedder.requests] == [REQUEST.texts, REQUEST.texts[:1]]


async def test_an_embedder_that_learns_its_length_does_not_take_over_vectors_of_another():
    embedder, cache = Learning(), Spying()
    await cached(embedder, cache).embed(REQUEST, budget=budget())
    for key in tuple(cache.keys):
        await cache.set(key, bytes(32), ttl=60)
    fresh = Learning()
    texts = (*REQUEST.texts, "pear")
    found = await cached(fresh, cache).embed(EmbedRequest(texts=texts), budget=budget())
    assert found.vectors == fresh.vectors(texts)


async def test_the_shape_is_known_from_the_cache_too():
    cache = Spying()
    assert await cached(Learning(), cache).shape(budget()) == ("fake-64", 64)
    fresh = Learning()
    assert await cached(fresh, cache).shape(budget(calls=0)) == ("fake-64", 64)
    assert fresh.requests == []


async def test_a_failure_keeps_nothing():
    cache = Spying()
    with pytest.raises(AuthError):
        await cached(FakeEmbedder(failures=[AuthError("wrong key")]), cache).embed(REQUEST, budget=budget())
    assert cache.keys == []


async def test_no_texts_ask_nobody():
    embedder = FakeEmbedder()
    assert (await cached(embedder, Spying()).embed(EmbedRequest(texts=()), budget=budget())).vectors == ()


@bounds(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(batches=st.lists(st.lists(st.text(st.characters(), max_size=6), max_size=6), max_size=4))
def test_with_and_without_a_cache_the_vectors_are_the_same(batches: list[list[str]]):
    async def run() -> None:
        embedder = FakeEmbedder(dimensions=8)
        embedding = cached(embedder, Spying())
        for texts in batches:
            found = await embedding.embed(EmbedRequest(texts=tuple(texts)), budget=budget())
            assert found.vectors == embedder.vectors(texts)
        sent = [text for request in embedder.requests for text in request.texts]
        assert len(sent) == len(set(sent))

    run_virtual(run())
