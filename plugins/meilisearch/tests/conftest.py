"""The Meilisearch that the tests speak to: the loopback server, or ``QX_TEST_MEILISEARCH_URL``."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from qx.testing.leaks import *  # noqa: F403

pytest.importorskip("meilisearch_python_sdk")


class Place:
    """A Meilisearch: its address and key, a fresh name for an index, and the loopback server if it is one."""

    def __init__(self, url: str, key: str | None, server: Any = None) -> None:
        self.url, self.key, self.server = url, key, server
        self.index = f"qx-{uuid.uuid4().hex[:12]}"

    def settings(self, **more: Any) -> dict[str, Any]:
        return {"name": "meili", "url": self.url, "api_key": self.key, "index": self.index, **more}


@pytest_asyncio.fixture
async def place() -> AsyncIterator[Place]:
    """A Meilisearch without the index that ``place.index`` names; what a test makes of it is removed."""
    url = os.environ.get("QX_TEST_MEILISEARCH_URL")
    if url is None:
        from servers.meilisearch.server import MeilisearchServer

        async with MeilisearchServer(master="master-key-of-tests", search="search-key-of-tests") as server:
            yield Place(server.url, "master-key-of-tests", server)
        return
    from meilisearch_python_sdk import AsyncClient

    found = Place(url, os.environ.get("QX_TEST_MEILISEARCH_KEY"))
    yield found
    async with AsyncClient(url, found.key) as client:
        await client.delete_index_if_exists(found.index)


@pytest_asyncio.fixture
async def loopback(place: Place) -> Place:
    """The same, where it is the loopback server: it can be made to misbehave."""
    if place.server is None:
        pytest.skip("only the loopback server misbehaves on demand")
    return place
