"""Runs of indexing that were cut off: the next one goes on, and removes what is left over and nothing else."""

import contextlib
from typing import Any

import pytest

pytest.importorskip("qx_qdrant", reason="the plugin qx-query-qdrant is not installed")

from qdrant_client import models

from qx.backend import Document, SearchRequest
from qx.syntax import parse
from qx.testing import TestServices
from qx_qdrant.backend import Qdrant, Settings


def ask(text: str) -> SearchRequest:
    return SearchRequest(text=text, expression=parse(text))


async def opened(services: TestServices) -> Qdrant:
    return await Qdrant.create(Settings(path=":memory:", collection="docs", name="mine"), services)


class CutOff(Exception):
    """The process ends here."""


async def collections(made: Qdrant) -> list[str]:
    names = await made._connection.call("get_collections", seconds=5)
    return sorted(item.name for item in names.collections)


def cut_off(made: Qdrant, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next call of ``method`` be the end of this run."""
    inner = made._connection.call

    async def call(name: str, /, **arguments: Any) -> Any:
        if name == method:
            raise CutOff
        return await inner(name, **arguments)

    monkeypatch.setattr(made._connection, "call", call)


WAYS = ("create_collection", "update_collection_aliases", "update_collection", "delete_collection", "upsert", "count")


@pytest.mark.parametrize("rebuilding", [False, True], ids=["first", "rebuilding"])
@pytest.mark.parametrize("method", WAYS)
async def test_a_run_that_was_cut_off_anywhere_does_not_stop_the_next(
    services: TestServices, monkeypatch: pytest.MonkeyPatch, method: str, rebuilding: bool
) -> None:
    made = await opened(services)
    if rebuilding:
        await made.prepare(fingerprint=None, dimensions=0)
        await made.upsert([Document(id="a", text="red")])
    with monkeypatch.context() as patch, contextlib.suppress(CutOff):
        cut_off(made, method, patch)
        await made.prepare(fingerprint="one", dimensions=3)
    if rebuilding:
        assert (await made.search(ask("red"))).ids == ("a",), "found all the time"
    for _ in range(2):
        await made.prepare(fingerprint="two", dimensions=2)  # as if other settings were tried next
    await made.upsert([Document(id="b", text="red")])
    assert set((await made.search(ask("red"))).ids) == ({"a", "b"} if rebuilding else {"b"})
    assert len(await collections(made)) == 1
    await made.aclose()


async def test_an_empty_collection_of_a_run_that_was_cut_off_is_taken_up(
    services: TestServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await opened(services)
    with monkeypatch.context() as patch:
        cut_off(made, "update_collection_aliases", patch)
        with pytest.raises(CutOff):
            await made.prepare(fingerprint=None, dimensions=0)
    assert await collections(made) == ["docs__qx1"]
    await made.prepare(fingerprint=None, dimensions=0)
    assert await collections(made) == ["docs__qx1"]
    await made.aclose()


async def test_only_leftovers_of_qx_are_removed(services: TestServices) -> None:
    made = await opened(services)
    sparse = {"bm25": models.SparseVectorParams(modifier=models.Modifier.IDF)}
    ours, finished = {"qx": {"analysis": 1, "disposable": True}}, {"qx": {"analysis": 1}}
    marks = {
        "docs__qx1": ours,
        "docs__qx2": None,  # somebody else's
        "docs__qx3": finished,  # was in use: an alias was taken away by hand
        "docs__qx4": ours,  # an alias of another name points to it
        "docs__qx5__qx1": ours,  # another collection's
        "docs2__qx1": ours,
        "docs__qx6": finished,  # in use, and empty
    }
    for name, metadata in marks.items():
        await made._connection.call(
            "create_collection",
            collection_name=name,
            vectors_config={},
            sparse_vectors_config=sparse,
            metadata=metadata,
            seconds=5,
        )
    point = models.PointStruct(id=7, vector={}, payload={"title": "x"})
    for name in ("docs__qx1", "docs__qx3"):
        await made._connection.call("upsert", collection_name=name, points=[point], seconds=5)
    alias = models.CreateAlias(collection_name="docs__qx4", alias_name="kept")
    change = [models.CreateAliasOperation(create_alias=alias)]
    await made._connection.call("update_collection_aliases", change_aliases_operations=change, seconds=5)
    await made.prepare(fingerprint="one", dimensions=3)
    assert await collections(made) == sorted((set(marks) - {"docs__qx1", "docs__qx6"}) | {"docs__qx7"})
    await made.aclose()
