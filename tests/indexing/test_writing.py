"""Writing documents into a local index: where a run goes on, and what a synchronising one removes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines import PLUGINS
from qx import Engine, Profile
from qx.errors import UsageError
from qx.indexing import writing


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


async def test_synchronising_removes_what_is_gone_but_nothing_while_a_record_is_broken(tmp_path: Path):
    path = write(tmp_path / "docs.jsonl", *"012")
    async with Engine.opened(profile(tmp_path), plugins=PLUGINS) as engine:
        await run(engine, path)
        path.write_text('{"_id": "0"}\n{"_id": "1", "title":\n', encoding="utf-8")
        with pytest.raises(UsageError, match="nothing was removed"):
            await run(engine, path, sync=True)
        assert len(await engine.backend().ids()) == 3  # type: ignore[attr-defined]
        assert (await run(engine, write(path, "0", "1"), sync=True)).deleted == 1
