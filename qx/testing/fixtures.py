"""The pytest side of ``qx.testing``: the marker ``virtual_time`` and the fixtures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

if TYPE_CHECKING:
    from qx.testing.server import ModelServer
    from qx.testing.services import TestServices


pytest.register_assert_rewrite("qx.testing.conformance")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "virtual_time: run the test in an event loop whose time never has to be waited for"
    )


@pytest.hookimpl(optionalhook=True)
def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Give a test with the marker ``virtual_time``, and its async fixtures, a loop with virtual time."""
    if item.get_closest_marker("virtual_time") is None:
        return {"real": asyncio.new_event_loop}
    from qx.testing.loop import VirtualLoop

    return {"virtual": VirtualLoop}


@pytest_asyncio.fixture
async def services(tmp_path: Path) -> AsyncIterator[TestServices]:
    """``Services`` for a factory's ``create``, with the test's temporary folder."""
    from qx.testing.services import TestServices

    made = TestServices(tmp_path)
    yield made
    await made.aclose()


@pytest_asyncio.fixture
async def model_server() -> AsyncIterator[ModelServer]:
    """A loopback server that speaks the OpenAI API; ``model_server.react(...)`` says how it answers."""
    from qx.testing.server import ModelServer

    async with ModelServer() as server:
        yield server
