"""Engines that accept a connection and never answer: what they cost the opening of an engine."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from qx import Engine, Profile

TYPES = {
    "elasticsearch": lambda url: {"hosts": [url], "index": "silent"},
    "meilisearch": lambda url: {"url": url, "index": "silent"},
    "qdrant": lambda url: {"url": url, "collection": "silent"},
}


@pytest_asyncio.fixture
async def silent() -> AsyncIterator[str]:
    """The address of a server that says nothing."""
    held: list[asyncio.StreamWriter] = []

    async def hold(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.append(writer)

    server = await asyncio.start_server(hold, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    server.close()
    for writer in held:
        writer.close()
    await server.wait_closed()


def profile(*backends: Any, deadline: str) -> Profile:
    return Profile.model_validate(
        {
            "understand": {"mode": "rules"},
            "cache": {"type": "none"},
            "deadline": deadline,
            "search": {"backends": {f"b{at}": backend for at, backend in enumerate(backends)}},
        }
    )


async def seconds(made: Profile) -> float:
    clock = asyncio.get_running_loop().time
    began = clock()
    async with Engine.opened(made):
        return clock() - began


@pytest.mark.parametrize("kind", TYPES)
async def test_a_silent_engine_costs_the_opening_a_part_of_the_deadline(silent: str, kind: str):
    if importlib.util.find_spec(f"qx_{kind}") is None:
        pytest.skip(f"{kind} is not installed")
    silently = {"type": kind, **TYPES[kind](silent)}
    await seconds(profile(silently, deadline="300ms"))  # which imports the client
    assert await seconds(profile(*[silently] * 8, deadline="300ms")) < 4  # one after the other for 5 s each: 40
