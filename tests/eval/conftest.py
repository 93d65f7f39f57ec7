"""A small collection in both languages, indexed once; profiles over it; an engine and a model that count."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import qx.testing.plugin
from engines import analysis, queries, stage
from qx import Engine, Profile
from qx.backend import Document
from qx.eval.datasets import corpus, load_dataset
from qx.eval.values import Dataset
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.testing import ScriptedLLM

from . import counting
from .collection import documents, write_collection

_names = count()
PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin, counting])

MakeProfile = Callable[..., Profile]


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory, own_home: None) -> Path:
    """A folder with the collection (``help``) and its local index (``index``); not to be written to."""
    folder = tmp_path_factory.mktemp("collection")
    write_collection(folder / "help")

    async def fill() -> None:
        async with Engine.opened(_local(folder), plugins=PLUGINS) as engine:
            backend: Any = engine.backend()
            await backend.prepare(fingerprint=None, dimensions=0)
            assert (await backend.upsert(list(corpus(folder / "help")))).indexed == len(documents())

    asyncio.run(fill())
    return folder


def _local(folder: Path, name: str = "help", **settings: Any) -> Profile:
    blocks: dict[str, Any] = {"name": name, "tenant": "eval", "understand": {"mode": "rules"}, "deadline": "60s"}
    blocks["search"] = {"backends": {"main": {"type": "local", "path": "index"}}}
    for key, part in settings.items():
        blocks[key] = blocks.get(key, {}) | part if isinstance(part, dict) else part
    return Profile.model_validate(blocks).model_copy(update={"folder": folder})


@pytest.fixture
def dataset(filled: Path) -> Dataset:
    """The collection's queries and grades."""
    return load_dataset(filled / "help")


@pytest.fixture
def local(filled: Path) -> MakeProfile:
    """Makes profiles over the index that all tests share, which none may write to."""
    return lambda name="help", **settings: _local(filled, name, **settings)


@pytest.fixture
def own_index(filled: Path, tmp_path: Path) -> MakeProfile:
    """Makes profiles over a copy of the index, which the test may write to."""
    shutil.copytree(filled / "index", tmp_path / "index")
    return lambda name="help", **settings: _local(tmp_path, name, **settings)


@pytest.fixture
def engine_that_counts() -> counting.Counting:
    """An engine elsewhere that finds the documents of the collection that hold one of the query's words."""
    held = [Document(id=d["_id"], title=d["title"], text=d["text"]) for d in documents()]

    def found(request: Any) -> list[Document]:
        words = request.text.casefold().split()
        hits = [d for d in held if any(word in f"{d.title} {d.text}".casefold() for word in words)]
        return hits or held[:3]

    engine = counting.Counting(found, default=held)
    engine.named(f"counted-{next(_names)}")
    return engine


@pytest.fixture
def remote(engine_that_counts: counting.Counting) -> MakeProfile:
    """Makes profiles over ``engine_that_counts``, and over a model where one is given."""
    instance = next(name for name, one in counting.Counting._instances.items() if one is engine_that_counts)

    def make(name: str = "remote", llm: ScriptedLLM | None = None, **settings: Any) -> Profile:
        search = {"backends": {"main": {"type": "counting", "instance": instance}}, "rerank": "never"}
        blocks: dict[str, Any] = {"name": name, "tenant": "eval", "understand": {"mode": "rules"}, "search": search}
        if llm is not None:
            called = f"eval-model-{next(_names)}"
            llm.named(called)
            blocks["understand"] = {"mode": "llm"}
            blocks["llm"] = {"provider": "scripted", "model": "m", "options": {"instance": called}, "retries": 0}
        for key, part in settings.items():
            blocks[key] = blocks.get(key, {}) | part if isinstance(part, dict) else part
        return Profile.model_validate(blocks)

    return make


def answer(request: CompletionRequest) -> str:
    """What the scripted model says: an analysis, and two queries."""
    return queries("bicycle repair guide", "自行车 修理 指南") if stage(request) == "expand" else analysis()
