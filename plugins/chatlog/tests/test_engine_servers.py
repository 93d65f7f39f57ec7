"""A store with a real Elasticsearch node beside it, which goes away in the middle and comes back empty."""

from __future__ import annotations

import asyncio
import json
import os
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from qx import Engine, Profile
from qx.plugins import Plugins
from qx_chatlog.store import Search

from .test_engine_store import ALONE, ANN, BOB, said

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a real node: that of ``QX_TEST_ELASTICSEARCH_URL``, else one that runs until the tests are over."""
    if "elasticsearch" not in Plugins.load().registry("backends"):
        pytest.skip("the plugin elasticsearch is not installed")
    if given := os.environ.get("QX_TEST_ELASTICSEARCH_URL"):
        yield given
        return
    from servers.elasticsearch.node import missing, running

    if reason := missing():
        pytest.skip(reason)
    with running(tmp_path_factory.mktemp("elasticsearch")) as url:
        yield url


class Line:
    """The way to the node, which can be cut: then there is nobody at its address, as where a server was killed."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._there = parts.hostname or "", parts.port or 9200
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._running: set[asyncio.Task[None]] = set()
        self.port = 0

    async def connect(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in list(self._open):
            writer.close()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._server.wait_closed()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        far_reader, far_writer = await asyncio.open_connection(*self._there)
        both = {writer, far_writer}
        self._open |= both
        await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
        self._open -= both
        self._running.discard(task)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


def _ask(url: str, method: str = "GET") -> Any:
    with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=60) as answer:
        return json.load(answer)


async def test_an_engine_that_goes_away_and_comes_back_empty(
    node: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("QX_ALLOW_PATHS", str(tmp_path))
    index = f"qx-chat-{uuid.uuid4().hex[:8]}"
    line = Line(node)
    await line.connect()
    engine = {"type": "elasticsearch", "hosts": [f"http://127.0.0.1:{line.port}"], "index": index}
    chat = {
        "store": {"type": "sqlite", "path": str(tmp_path / "chat.db")},
        "search": {"timeout": "10s", "backend": engine},
    }
    profile = Profile.model_validate({"tenant": "t", "understand": {"mode": "rules"}, "chat": chat})

    async with Engine.opened(profile) as opened:
        store = (await opened.section("chat")).store

        async def found(text: str, who: Any = ANN) -> tuple[list[str], str]:
            result = await store.search(who, Search(text=text, controls=ALONE))
            return [one.message.id for one in result.found], " ".join(result.degraded)

        await store.append([said("the budget meeting", 0), said("会议改到周六", 1, session="s2"), said("budget", 2)])
        await store.append([said("budget budget meeting", n, user="bob") for n in range(60)])
        assert await found("budget meeting") == (["m0", "m2"], "")
        for word in ("会议", "周六", "会"):
            assert await found(word) == (["m1"], "")
        for odd in ("50%", '"', "(", "*", "AND", "a:b", "广西 OR 桂林"):
            assert (await found(odd))[1] == ""

        await line.cut()
        ids, why = await found("budget meeting")
        assert ids == ["m0", "m2"]
        assert "without the engine" in why
        await store.append([said("more budget", 3)])  # taken in all the same

        await line.connect()
        ids, why = await found("budget")
        assert set(ids) == {"m0", "m2", "m3"}
        assert "synchronise" in why
        assert await store.synchronise(ANN) == 4
        ids, why = await found("budget")
        assert (set(ids), why) == ({"m0", "m2", "m3"}, "")
        assert (await found("meeting", BOB))[1] == ""

        for made in list(_ask(f"{node}/{index}*/_alias")):
            _ask(f"{node}/{made}", "DELETE")
        ids, why = await found("budget")
        assert len(ids) == 3
        assert why
        await store.append([said("budget news", 99, user="bob")])  # and the index is there again
        ids, why = await found("budget")
        assert len(ids) == 3
        assert "synchronise" in why
        assert await store.synchronise(ANN) == 4
        assert (await found("会议"))[1] == ""
        assert await store.delete(ANN) == 4
        assert await found("budget") == ([], "")
    for made in list(_ask(f"{node}/{index}*/_alias")):
        _ask(f"{node}/{made}", "DELETE")
    await line.cut()
