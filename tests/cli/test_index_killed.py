"""``kill -9`` at any moment of ``qx index``: the index stays usable, and the next run ends what was begun."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engines import PLUGINS
from qx import Engine
from qx.builtin.local.lock import writer
from qx.settings import Profile

from .conftest import Run
from .shop import write_lines, write_shop

NUMBER, BATCH = 450, 100
PROGRAM = Path(__file__).with_name("killed.py")
PLACES = ["rows added", "before the commit", "after the commit", "old rows retired", "batch written"]


def indexing(place: str, nth: int = 1) -> subprocess.Popen[str]:
    """Begin an indexing that is killed at ``place``."""
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), place, str(nth), "shop", "products.jsonl"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture
def records(own_folder: Path) -> list[dict[str, object]]:
    """The shop with many products."""
    made = [
        {"_id": str(n), "title": f"laptop {n}", "text": "笔记本电脑", "metadata": {"price": n}} for n in range(NUMBER)
    ]
    write_lines(write_shop(own_folder), *made)
    return made


async def _held(folder: Path, text: str, quiet: bool) -> list[tuple[str, str]]:
    blocks = {"products": {"type": "local", "path": "index"}}
    settings = {"tenant": "t", "folder": folder / "profiles", "search": {"backends": blocks, "depth": 1000}}
    async with Engine.opened(Profile.model_validate(settings), plugins=PLUGINS) as engine:
        found = await engine.search(text, limit=1000, expand=False)
        if quiet:
            assert len(found.hits) == len(await engine.backend().ids())  # type: ignore[attr-defined]
        return [(hit.id, hit.title) for hit in found.hits]


def held(folder: Path, *, quiet: bool = True) -> dict[str, str]:
    """Id and title of every document that a reader finds; each is found once (``quiet``: nobody is writing)."""
    found = asyncio.run(_held(folder, "laptop", quiet))
    assert len({id for id, _ in found}) == len(found)
    return dict(found)


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_a_run_that_is_killed_leaves_the_last_commit_and_is_taken_up(
    place: str, run: Run, own_folder: Path, records: list[dict[str, object]]
) -> None:
    killed = indexing(place, 3)
    out, err = killed.communicate(timeout=60)
    assert (killed.returncode, out) == (-signal.SIGKILL, ""), err
    whole = 300 if place in ("after the commit", "old rows retired", "batch written") else 200
    assert held(own_folder) == {str(n): f"laptop {n}" for n in range(whole)}
    done = json.loads(run("index", "products.jsonl", "-p", "shop", "--json").out)
    journaled = 300 if place == "batch written" else 200
    assert (done["indexed"], done["resumed"], done["skipped"]) == (NUMBER - journaled, journaled, [])
    assert held(own_folder) == {str(n): f"laptop {n}" for n in range(NUMBER)}


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_a_run_that_is_killed_while_it_replaces_documents(
    place: str, run: Run, own_folder: Path, records: list[dict[str, object]]
) -> None:
    assert run("index", "products.jsonl", "-p", "shop").code == 0
    newer = [record | {"title": f"laptop mark {record['_id']}"} for record in records]
    write_lines(own_folder / "products.jsonl", *newer)
    killed = indexing(place, 2)
    killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL
    found = held(own_folder)
    whole = 200 if place in ("after the commit", "old rows retired", "batch written") else 100
    assert sorted(found, key=int) == [str(n) for n in range(NUMBER)]
    assert {id for id, title in found.items() if "mark" in title} == {str(n) for n in range(whole)}
    assert run("index", "products.jsonl", "-p", "shop").code == 0
    assert held(own_folder) == {str(record["_id"]): record["title"] for record in newer}


@pytest.mark.slow
def test_readers_find_whole_commits_while_a_run_writes_and_dies(
    own_folder: Path, records: list[dict[str, object]]
) -> None:
    """The run is killed by its number, at moments that nobody chose."""
    seen: set[int] = set()
    for wait in (0.0, 0.15, 0.4):
        work = indexing("never")
        deadline = time.monotonic() + 60
        while work.poll() is None and time.monotonic() < deadline:
            if (own_folder / "profiles" / "index" / "words" / "meta.json").exists():
                seen.add(len(held(own_folder, quiet=False)))
                time.sleep(wait)
                work.kill()
        work.communicate(timeout=60)
        number = len(held(own_folder)) if (own_folder / "profiles" / "index" / "words" / "meta.json").exists() else 0
        assert number in (0, 100, 200, 300, 400, NUMBER)
    assert seen <= {0, 100, 200, 300, 400, NUMBER}
    last = indexing("never")
    _, err = last.communicate(timeout=60)
    assert last.returncode == 0, err
    assert len(held(own_folder)) == NUMBER


def test_a_second_writer_waits_and_then_says_so(run: Run, own_folder: Path) -> None:
    write_shop(own_folder)
    profile = own_folder / "profiles" / "shop.yaml"
    profile.write_text(profile.read_text("utf-8").replace("path: index", "path: index\n      wait: 300ms"), "utf-8")
    assert run("index", "products.jsonl", "-p", "shop").code == 0
    import threading

    import tantivy

    index = tantivy.Index.open(str(own_folder / "profiles" / "index" / "words"))
    with writer(index, threading.Lock(), lambda: None, name="other", place=own_folder, wait=1):  # type: ignore[arg-type,return-value]
        began = time.monotonic()
        result = run("index", "products.jsonl", "-p", "shop")
        assert time.monotonic() - began >= 0.3
        assert (result.code, result.out) == (4, "")
        assert "another process has been writing" in result.err
        assert run("-q", "search", "-p", "shop", "laptop", "--no-expand").out.count("\n") == 2  # readers read on
    assert run("index", "products.jsonl", "-p", "shop").code == 0
