"""For every test: afterwards no asyncio task, thread or socket of its own is left.  And engines over small corpora."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from typing import Any

import pytest

import qx.testing.plugin
import qx_answer
from qx import Engine, Profile
from qx.backend import Document
from qx.fetch import Fetcher
from qx.plugins import Plugins
from qx.testing import FakeBackend, FakeFetcher, ScriptedBackend, ScriptedLLM
from qx.testing.leaks import *  # noqa: F403

PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin, qx_answer])
_names = count()

Corpus = Sequence[Document] | FakeBackend | ScriptedBackend
Opening = Callable[..., AbstractAsyncContextManager[Engine]]


def profile(
    corpus: Corpus,
    llm: ScriptedLLM | None = None,
    pages: Fetcher | None = None,
    prices: dict[str, float] | None = None,
    **settings: Any,
) -> Profile:
    """A profile over a corpus, by rules; with a model that writes where one is given."""
    name = f"answer-{next(_names)}"
    if isinstance(corpus, ScriptedBackend):
        corpus.named(name)
        block = {"type": "scripted", "instance": name}
    else:
        found = corpus if isinstance(corpus, FakeBackend) else FakeBackend(corpus)
        found.named(name)
        block = {"type": "fake", "instance": name}
    blocks: dict[str, Any] = {"name": "test", "tenant": "test", "understand": {"mode": "rules"}}
    blocks["search"] = {"backends": {"docs": block}, "min_results": 0}
    if llm is not None:
        llm.named(name)
        blocks["llm"] = {"provider": "scripted", "model": "m", "options": {"instance": name}, "retries": 0}
        blocks["llm"] |= {} if prices is None else {"prices": prices}
    if isinstance(pages, FakeFetcher):
        pages.named(name)
        blocks["fetch"] = {"type": "fake", "instance": name}
    for key, part in settings.items():
        blocks[key] = blocks.get(key, {}) | part if isinstance(part, dict) else part
    return Profile.model_validate(blocks)


@pytest.fixture(scope="session")
def opened() -> Opening:
    """Opens an engine over documents, with the plugin: ``async with opened(documents, llm) as engine``."""

    @asynccontextmanager
    async def open_engine(
        corpus: Corpus, llm: ScriptedLLM | None = None, pages: Fetcher | None = None, **settings: Any
    ) -> AsyncGenerator[Engine]:
        async with Engine.opened(profile(corpus, llm, pages, **settings), plugins=PLUGINS) as engine:
            yield engine

    return open_engine
