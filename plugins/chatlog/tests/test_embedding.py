"""Vectors of messages: of new ones alone, in batches, now and in the background."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from qx import Principal
from qx.embedder import Embedder
from qx.errors import ProfileError, Unavailable, UsageError
from qx.testing import FakeEmbedder, TestContext
from qx_chatlog.embedding import embed, keep_embedded
from qx_chatlog.message import Message
from qx_chatlog.sqlite.store import SqliteStore
from qx_chatlog.store import Controls, Search

T0 = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
ANN = Principal(tenant="t", user="ann")


def said(content: str, n: int, user: str = "ann") -> Message:
    time = T0 + timedelta(minutes=n)
    return Message(id=f"m{n}", tenant="t", user=user, session="s", role="user", time=time, content=content)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await SqliteStore.open(tmp_path / "chat.db")
    await opened.append([said("sailing to the island", 0), said("  ", 1), said("a new sail", 2, user="bob")])
    yield opened
    await opened.aclose()


def context(embedder: Embedder | None) -> TestContext:
    return TestContext(embedder=embedder, seconds=None)


async def test_new_messages_alone_are_embedded(store: SqliteStore) -> None:
    embedder = FakeEmbedder()
    told: list[int] = []
    assert await embed(store, context(embedder), tenant="t", batch=2, tell=told.append) == 3
    assert told == [2, 3]
    assert [len(request.texts) for request in embedder.requests] == [2, 1]
    assert {request.kind for request in embedder.requests} == {"document"}
    assert await embed(store, context(embedder), tenant="t") == 0
    await store.append([said("boats", 3), said("ships", 4)])
    assert await embed(store, context(embedder), tenant="t", limit=1) == 1
    assert embedder.requests[-1].texts == ("boats",)
    assert (await store.stats(ANN)).embedded == 3
    vector = (await context(embedder).embed(embedder.requests[-1])).vectors[0]
    near = await store.search_semantic(ANN, Search(controls=Controls(window=0)), vector)
    assert near.found[0].message.id == "m3"


async def test_without_an_embedder_or_with_another_one_it_is_said(store: SqliteStore) -> None:
    with pytest.raises(ProfileError, match="embedder"):
        await embed(store, context(None), tenant="t")
    await embed(store, context(FakeEmbedder()), tenant="t", limit=1)
    with pytest.raises(UsageError, match="--anew"):
        await embed(store, context(FakeEmbedder(dimensions=8)), tenant="t")
    await store.drop_vectors("t")
    assert await embed(store, context(FakeEmbedder(dimensions=8)), tenant="t") == 3


class Clock:
    """Sleeps until it is woken."""

    def __init__(self) -> None:
        self.woken: asyncio.Queue[None] = asyncio.Queue()
        self.asked: asyncio.Queue[float] = asyncio.Queue()

    def now(self) -> datetime:
        return T0

    def monotonic(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        self.asked.put_nowait(seconds)
        await self.woken.get()


async def test_in_the_background_a_failure_waits_for_the_next_time(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = FakeEmbedder(failures=[Unavailable("down")] * 10)
    clock = Clock()

    task = asyncio.create_task(
        keep_embedded(
            store, lambda: context(embedder), clock, logging.getLogger("qx"), tenant="t", every=60.0, batch=10
        )
    )
    assert await clock.asked.get() == 60.0
    clock.woken.put_nowait(None)
    await clock.asked.get()
    assert "were not made" in caplog.text
    embedder._failures.clear()  # pyright: ignore[reportPrivateUsage]
    clock.woken.put_nowait(None)
    await clock.asked.get()
    assert (await store.stats(ANN)).embedded == 2
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
