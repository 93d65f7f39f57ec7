"""The engine for code without ``async``, also after a fork."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import qx.sync
from qx import Engine

FORKED = """
import multiprocessing, sys
import qx.sync

def work(text):
    return qx.sync.expand(text).original

if __name__ == "__main__":
    assert work("red shoes") == "red shoes"
    with multiprocessing.get_context("fork").Pool(2) as pool:
        done = pool.map_async(work, ["one shoe", "two shoes", "三双鞋"]).get(timeout=60)
    print(done, work("green shoes"))
    qx.sync.close()
"""


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork")
def test_forked_workers_open_engines_of_their_own_and_the_parents_stays(tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text(FORKED, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "QX_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        capture_output=True,
        env=environment,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert done.stderr.decode() == ""
    assert done.stdout.decode().strip() == "['one shoe', 'two shoes', '三双鞋'] green shoes"


def test_threads_share_it_and_a_closed_one_begins_anew():
    found: list[str] = []

    def work(text: str) -> None:
        found.append(qx.sync.expand(text).original)

    threads = [threading.Thread(target=work, args=(f"shoe {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [f"shoe {n}" for n in range(4)]
    qx.sync.close()
    qx.sync.close()
    assert qx.sync.understand("red shoes").language == "en"
    qx.sync.close()


def test_it_searches_the_backends_of_a_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    profile, shoes = tmp_path / "shop.yaml", tmp_path / "shoes.jsonl"
    profile.write_text("search: {backends: {shop: {type: local, path: index}}}\n", "utf-8")
    shoes.write_text('{"_id": "1", "title": "red shoes"}\n{"_id": "2", "title": "green hat"}\n', "utf-8")

    async def fill() -> None:
        async with Engine.opened(profile) as engine:
            await engine.indexer().run((shoes,), adopt=False, sync=False, strict=True, progress=lambda *told: None)

    asyncio.run(fill())
    try:
        found = qx.sync.search("red shoes", limit=1, profile=profile)
    finally:
        qx.sync.close()
    assert [hit.id for hit in found.hits] == ["1"]


def test_an_operation_of_a_plugin(monkeypatch: pytest.MonkeyPatch):
    import notebook

    from qx import Principal
    from qx.plugins import Plugins

    plugins = Plugins.load(allow=(), modules=[notebook])
    monkeypatch.setattr(Plugins, "load", classmethod(lambda cls, **options: plugins))
    try:
        who = Principal(tenant="default", user="ann")
        assert qx.sync.call("notes.add", {"text": "tea"}, principal=who).count == 1
        assert qx.sync.call("notes.add", {"text": "cups"}, principal=who).count == 2
    finally:
        qx.sync.close()
