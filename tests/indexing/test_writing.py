"""Writing documents into a local index: where a run goes on, and what a synchronising one removes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engines import PLUGINS
from qx import Engine, Profile
from qx.backend import Document, IndexReport
from qx.clock import SystemClock
from qx.errors import BadRequest, QxError, RateLimited, UsageError
from qx.indexing import writing
from qx.indexing.journal import Journal


def profile(folder: Path, index: str = "index") -> Profile:
    blocks = {"main": {"type": "local", "path": index}}
    return Profile.model_validate({"name": "t", "tenant": "t", "folder": folder, "search": {"backends": blocks}})


def write(path: Path, *ids: str) -> Path:
    path.write_text("".join(json.dumps({"_id": id, "title": f"title {id}"}) + "\n" for id in ids), encoding="utf-8")
    return path


async def run(engine: Engine, path: Path, *, sync: bool = False, stop_after: int | None = None) -> writing.Summary:
    batches = 0

    def progress(summary: writing.Summary, path: Path) -> None:
        nonlocal batches
        batches += 1
        if batches == stop_after:
            raise KeyboardInterrupt

    return await engine.indexer().run((path,), adopt=False, sync=sync, strict=False, progress=progress)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(writing, "BATCH", 2)


async def test_a_run_that_was_cut_off_goes_on_in_its_own_index_only(tmp_path: Path):
    path = write(tmp_path / "docs.jsonl", *"012345")
    async with Engine.opened(profile(tmp_path), plugins=PLUGINS) as engine:
        with pytest.raises(KeyboardInterrupt):
            await run(engine, path, stop_after=2)
    async with Engine.opened(profile(tmp_path, "other"), plugins=PLUGINS) as engine:
        assert (await run(engine, path)).resumed == 0
        assert len(await engine.backend().ids()) == 6  # type: ignore[attr-defined]
    async with Engine.opened(profile(tmp_path), plugins=PLUGINS) as engine:
        assert (await run(engine, path)).resumed == 4
        assert len(await engine.backend().ids()) == 6  # type: ignore[attr-defined]


async def test_what_another_run_wrote_over_is_written_again(tmp_path: Path):
    path, other = write(tmp_path / "a.jsonl", *"012345"), tmp_path / "b.jsonl"
    other.write_text("".join(json.dumps({"_id": id, "title": "title swapped"}) + "\n" for id in "012345"))

    async def titles(engine: Engine) -> set[str]:
        return {hit.title for hit in (await engine.search("title", limit=9)).hits}

    for stop in (None, 1):  # the other run comes to its end, or is cut off itself
        async with Engine.opened(profile(tmp_path), plugins=PLUGINS) as engine:
            with pytest.raises(KeyboardInterrupt):
                await run(engine, path, stop_after=2)
        # by another profile of another tenant: the index is the same
        named = profile(tmp_path).model_copy(update={"name": "u", "tenant": "u"})
        async with Engine.opened(named, plugins=PLUGINS) as engine:
            if stop is None:
                await run(engine, other)
            else:
                with pytest.raises(KeyboardInterrupt):
                    await run(engine, other, stop_after=stop)
            assert "title swapped" in await titles(engine)
        async with Engine.opened(profile(tmp_path), plugins=PLUGINS) as engine:
            assert (await run(engine, path)).resumed == 0
            assert await titles(engine) == {f"title {id}" for id in "012345"}


async def test_of_two_files_the_later_one_counts_also_when_a_run_goes_on(tmp_path: Path):
    first, second = write(tmp_path / "a.jsonl", *"01"), tmp_path / "b.jsonl"
    second.write_text("".join(json.dumps({"_id": id, "title": "later"}) + "\n" for id in "0123"))
    batches = 0

    def progress(summary: writing.Summary, path: Path) -> None:
        nonlocal batches
        batches += 1
        if batches == 2:
            raise KeyboardInterrupt

    backend = Busy()
    options: Any = {"adopt": False, "sync": False, "strict": False, "progress": progress}
    with pytest.raises(KeyboardInterrupt):
        await indexer(backend, tmp_path).run((first, second), **options)
    first.write_text(first.read_text() + "\n\n")  # changed, so it is written again, and then what came after it
    await indexer(backend, tmp_path).run((first, second), **options)
    assert {document.title for document in backend.held.values()} == {"later"}


async def test_synchronising_removes_what_is_gone_but_nothing_while_a_record_is_broken(tmp_path: Path):
    path = write(tmp_path / "docs.jsonl", *"012")
    async with Engine.opened(profile(tmp_path), plugins=PLUGINS) as engine:
        await run(engine, path)
        path.write_text('{"_id": "0"}\n{"_id": "1", "title":\n', encoding="utf-8")
        with pytest.raises(UsageError, match="nothing was removed"):
            await run(engine, path, sync=True)
        assert len(await engine.backend().ids()) == 3  # type: ignore[attr-defined]
        assert (await run(engine, write(path, "0", "1"), sync=True)).deleted == 1


async def test_a_run_is_resumed_only_where_its_documents_still_are(tmp_path: Path):
    path = write(tmp_path / "docs.jsonl", *"012345")
    async with Engine.opened(profile(tmp_path), plugins=PLUGINS) as engine:
        with pytest.raises(KeyboardInterrupt):
            await run(engine, path, stop_after=2)
    shutil.rmtree(tmp_path / "index")
    async with Engine.opened(profile(tmp_path), plugins=PLUGINS) as engine:
        again = await run(engine, path)
        assert (again.indexed, again.resumed) == (6, 0)
        with pytest.raises(KeyboardInterrupt):
            await run(engine, path, stop_after=2)
        await engine.indexer().delete(["1"])
        again = await run(engine, path)
        assert (again.indexed, again.resumed) == (3, 3)
        assert sorted(await engine.backend().ids()) == list("012345")  # type: ignore[attr-defined]


async def test_what_would_happen_is_told_and_not_done(tmp_path: Path):
    path = write(tmp_path / "docs.jsonl", *"012", "0")
    async with Engine.opened(profile(tmp_path), plugins=PLUGINS) as engine:
        plan = await engine.indexer().plan((path,), sync=True, strict=False)
        assert (plan.indexed, plan.deleted) == (3, 0)
        assert not (tmp_path / "index").exists()
        assert await engine.indexer().plan_delete(["0"]) == 0
        await run(engine, path)
        write(path, "0", "9")
        plan = await engine.indexer().plan((path,), sync=True, strict=False)
        assert (plan.indexed, plan.deleted) == (2, 2)
        assert await engine.indexer().plan_delete(["0", "0", "1", "8"]) == 2
        assert len(await engine.backend().ids()) == 3  # type: ignore[attr-defined]
        path.write_text("broken\n", encoding="utf-8")
        with pytest.raises(UsageError, match="nothing would be removed"):
            await engine.indexer().plan((path,), sync=True, strict=False)


class Busy:
    """An engine that is too busy at first: ``refusals`` are raised in turn, then documents refused ``times`` times."""

    def __init__(self, *refusals: QxError, times: int = 0) -> None:
        self._refusals = list(refusals)
        self._times = times
        self.held: dict[str, Document] = {}
        self.calls = 0

    async def prepare(self, *, fingerprint: str | None, dimensions: int, adopt: bool = False) -> None: ...

    async def upsert(self, documents: Sequence[Document], /) -> IndexReport:
        self.calls += 1
        if self._refusals:
            raise self._refusals.pop(0)
        busy = {d.id for d in documents if d.id in "13" and self._times}
        self._times -= bool(busy)
        bad = {d.id for d in documents if d.id == "bad"}
        self.held |= {d.id: d for d in documents if d.id not in busy | bad}
        failed = [(id, "queue full") for id in sorted(busy)] + [(id, "no such field") for id in sorted(bad)]
        return IndexReport(indexed=len(documents) - len(failed), failed=tuple(failed), again=frozenset(busy))

    async def delete(self, ids: Sequence[str], /) -> int:
        self.calls += 1
        if self._refusals:
            raise self._refusals.pop(0)
        return len([self.held.pop(id) for id in ids if id in self.held])

    async def ids(self) -> Sequence[str]:
        return list(self.held)


def indexer(backend: Busy, folder: Path) -> writing.Indexer:
    told: list[str] = []
    context: Any = SimpleNamespace(has_embedder=False, clock=SystemClock(), emit=lambda name, **_: told.append(name))
    return writing.Indexer(backend, context, Journal(folder / "journal.json"))


async def written(backend: Busy, path: Path) -> writing.Summary:
    return await indexer(backend, path.parent).run(
        (path,), adopt=False, sync=False, strict=False, progress=lambda summary, path: None
    )


@pytest.mark.virtual_time
async def test_an_engine_that_is_busy_is_asked_again(tmp_path: Path):
    path = write(tmp_path / "docs.jsonl", *"01")
    backend = Busy(RateLimited("slow down", retry_after=20), RateLimited("slow down"))
    assert (await written(backend, path)).indexed == 2
    assert backend.calls == 3
    backend = Busy(RateLimited("slow down"))
    assert await indexer(backend, tmp_path).delete(["0"]) == 0
    assert backend.calls == 2


@pytest.mark.virtual_time
async def test_single_documents_that_an_engine_was_too_busy_for_are_sent_again(tmp_path: Path):
    path = write(tmp_path / "docs.jsonl", "0", "1", "bad", "3")
    backend = Busy(times=3)
    summary = await written(backend, path)
    assert (summary.indexed, sorted(backend.held)) == (3, ["0", "1", "3"])
    assert [str(bad) for bad in summary.skipped] == [f"{path}:3: no such field"]


@pytest.mark.virtual_time
async def test_an_engine_that_stays_busy_costs_what_it_refuses_and_says_so(tmp_path: Path):
    path = write(tmp_path / "docs.jsonl", *"01")
    summary = await written(Busy(times=100), path)
    assert (summary.indexed, [str(bad) for bad in summary.skipped]) == (1, [f"{path}:2: queue full"])
    with pytest.raises(RateLimited):
        await written(Busy(*[RateLimited("slow down")] * 100), path)


@pytest.mark.virtual_time
async def test_what_will_not_pass_is_not_tried_again(tmp_path: Path):
    backend = Busy(BadRequest("no"))
    with pytest.raises(BadRequest):
        await written(backend, write(tmp_path / "docs.jsonl", "0"))
    assert backend.calls == 1


def test_a_damaged_journal_counts_as_none(tmp_path: Path):
    path, file = tmp_path / "journal.json", write(tmp_path / "docs.jsonl", "0")
    for damaged in (b"", b"[1]", b"{", b"\xff", b'{"x": "y"}'):
        path.write_bytes(damaged)
        assert Journal(path).done(file) == 0
    journal = Journal(path)
    journal.note(file, 7, "e5")
    assert (Journal(path).done(file, "e5"), Journal(path).done(file, "other")) == (7, 0)
    write(file, "0", "1")
    assert Journal(path).done(file, "e5") == 0
