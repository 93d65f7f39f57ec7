"""The folder: crashes, other processes, what qx did not make, embedders that change."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qx.backend import Document
from qx.builtin.local import codes
from qx.builtin.local.backend import LocalBackend
from qx.errors import BadRequest, NotAllowed, ProfileError, Unavailable
from qx.filters import Compare
from qx.testing import FakeEmbedder, TestServices
from qx.testing.conformance.backend import ask, ids

WRITE = """
import asyncio, sys, pathlib
from qx.backend import Document
from qx.builtin.local.backend import LocalBackend
from qx.testing import TestServices
async def main():
    services = TestServices(pathlib.Path(sys.argv[1]))
    backend = await LocalBackend.create(LocalBackend.Settings(name="x", path=pathlib.Path("index")), services)
    for batch in range(10_000):
        await backend.upsert([Document(id=f"{batch}-{i}", title=f"batch{batch} common") for i in range(50)])
        print(batch, flush=True)
asyncio.run(main())
"""

HOLD = """
import sys, tantivy
index = tantivy.Index.open(sys.argv[1])
writer = index.writer(64_000_000, 1)
print("held", flush=True)
sys.stdin.readline()
"""


async def opened(services: TestServices, **settings: object) -> LocalBackend:
    return await LocalBackend.create(
        LocalBackend.Settings.model_validate({"name": "mine", "path": "index", **settings}), services
    )


@pytest.fixture
def child():
    started: list[subprocess.Popen[str]] = []

    def start(code: str, argument: Path) -> subprocess.Popen[str]:
        made = subprocess.Popen(
            [sys.executable, "-c", code, str(argument)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        started.append(made)
        return made

    yield start
    for process in started:
        process.kill()
        process.communicate()


async def test_a_killed_writer_leaves_the_last_commit_and_readers_see_each(services, tmp_path, child) -> None:
    backend = await opened(services)
    await backend.prepare(fingerprint=None, dimensions=0)
    writer = child(WRITE, tmp_path)
    await asyncio.to_thread(writer.stdout.readline)
    assert await backend.count(None) >= 50  # a reader goes over to the new state
    for _ in range(3):
        line = await asyncio.to_thread(writer.stdout.readline)
        assert (await backend.search(ask("common"))).total >= 50 * (int(line) + 1)
    os.kill(writer.pid, signal.SIGKILL)
    await asyncio.to_thread(writer.wait)
    left = await backend.ids()
    assert len(left) == len(set(left)) == await backend.count(None)
    assert len(left) % 50 == 0
    assert len(left) >= 200
    # the run resumes: nothing lost or doubled
    batches = len(left) // 50 + 1
    await backend.upsert([Document(id=f"{b}-{i}", title=f"batch{b} common") for b in range(batches) for i in range(50)])
    assert sorted(await backend.ids()) == sorted(f"{b}-{i}" for b in range(batches) for i in range(50))
    assert (await backend.search(ask("common", limit=10_000))).total == batches * 50
    await backend.aclose()


async def test_documents_without_a_commit_are_let_go(services) -> None:
    """A crash between the two files."""
    backend = await opened(services)
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id="a", title="kept words")])
    backend._store.sources.add([(Document(id="lost"), {}), (Document(id="a"), {})])
    assert await backend.ids() == ["a"]
    assert await backend.delete(["lost"]) == 0
    await backend.upsert([Document(id="b", title="words")])
    assert sorted(await backend.ids()) == ["a", "b"]
    assert (await backend.search(ask("kept"))).hit(0).title == "kept words"
    assert backend._store.sources.number() == 2
    await backend.aclose()


async def test_a_second_writer_waits_then_says_so(services, tmp_path, child) -> None:
    backend = await opened(services, wait=0.2)
    patient = await opened(services, wait=30)
    await backend.prepare(fingerprint=None, dimensions=0)
    other = child(HOLD, tmp_path / "index" / "words")
    assert (await asyncio.to_thread(other.stdout.readline)).strip() == "held"
    began = time.monotonic()
    with pytest.raises(Unavailable, match="LockBusy"):
        await backend.upsert([Document(id="a")])
    assert time.monotonic() - began < 10
    assert await ids(backend, "anything") == []  # reading goes on
    waiting = asyncio.ensure_future(patient.upsert([Document(id="a", title="late words")]))
    await asyncio.sleep(0)
    other.stdin.write("\n")
    other.stdin.flush()
    assert (await waiting).indexed == 1
    assert await ids(backend, "late") == ["a"]
    await backend.aclose()
    await patient.aclose()


async def test_writers_of_one_process_take_turns(services) -> None:
    backend = await opened(services)
    await backend.prepare(fingerprint=None, dimensions=0)
    await asyncio.gather(*(backend.upsert([Document(id=str(i), title="words")]) for i in range(8)))
    assert len(await ids(backend, "words")) == 8
    await backend.aclose()


async def test_a_folder_that_qx_did_not_make_and_paths_outside(services, tmp_path) -> None:
    with pytest.raises(NotAllowed):
        await opened(services, path="../elsewhere")
    (tmp_path / "index").write_text("a file")
    backend = await opened(services)
    with pytest.raises(NotAllowed):
        await backend.prepare(fingerprint=None, dimensions=0)
    assert (tmp_path / "index").read_text() == "a file"
    await backend.aclose()


async def test_without_an_index_the_error_says_what_to_do(services) -> None:
    backend = await opened(services)
    with pytest.raises(BadRequest, match="qx index"):
        await backend.search(ask("x"))
    assert not (await backend.health()).ok
    await backend.aclose()


async def test_a_damaged_marker_and_other_fields_are_told(services, tmp_path) -> None:
    backend = await opened(services)
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.aclose()
    other = await opened(services, fields={"body": {"name": "metadata.body", "type": "text"}})
    with pytest.raises(ProfileError, match="body"):
        await other.prepare(fingerprint=None, dimensions=0)
    await other.aclose()
    (tmp_path / "index" / "qx.json").write_text("{")
    with pytest.raises(ProfileError, match="damaged"):
        await opened(services)


def _remove_documents(folder: Path) -> None:
    for file in folder.glob("documents.db*"):
        file.unlink()


def _empty_documents(folder: Path) -> None:
    _remove_documents(folder)
    (folder / "documents.db").touch()


def _remove_words(folder: Path) -> None:
    shutil.rmtree(folder / "words")


def _remove_meta(folder: Path) -> None:
    (folder / "words" / "meta.json").unlink()


@pytest.mark.parametrize("damage", [_remove_documents, _empty_documents, _remove_words, _remove_meta])
async def test_a_folder_that_lost_a_part_is_neither_searched_nor_written(services, tmp_path, damage) -> None:
    backend = await opened(services)
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id="a", title="kept words"), Document(id="b", title="more words")])
    await backend.aclose()
    damage(tmp_path / "index")
    before = sorted(p.name for p in (tmp_path / "index").rglob("*"))
    for _ in range(2):
        with pytest.raises(ProfileError, match="damaged") as told:
            await opened(services)
        assert "index all documents again" in str(told.value)
    assert {p.name for p in (tmp_path / "index").rglob("*")} <= {*before, "documents.db-wal", "documents.db-shm"}


async def test_documents_that_vanish_while_it_is_open_stop_the_writing(services) -> None:
    backend = await opened(services)
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id="a", title="kept words"), Document(id="b", title="more words")])
    backend._store.sources._link.execute("DELETE FROM documents WHERE id = 'a'")
    with pytest.raises(ProfileError, match="lacks 1 of the 2"):
        await backend.upsert([Document(id="c", title="words")])
    await backend.aclose()


async def test_an_index_that_was_begun_is_gone_on_with(services, tmp_path) -> None:
    """A crash of the very first preparation, after each of its steps."""
    backend = await opened(services)
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.aclose()
    _remove_documents(tmp_path / "index")
    again = await opened(services)
    await again.prepare(fingerprint=None, dimensions=0)
    await again.aclose()
    _remove_documents(tmp_path / "index")
    _remove_words(tmp_path / "index")
    last = await opened(services)
    await last.prepare(fingerprint=None, dimensions=0)
    await last.upsert([Document(id="a", title="words")])
    assert await last.ids() == ["a"]
    await last.aclose()


async def test_text_fields_of_metadata_are_searched(services) -> None:
    backend = await opened(services, fields={"text": "metadata.body", "title": "title^2"})
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id="a", text="unsearched", metadata={"body": "deep words 会议"})])
    assert await ids(backend, "words") == await ids(backend, "会议") == ["a"]
    assert await ids(backend, "unsearched") == []
    await backend.aclose()


async def test_vectors_of_another_embedder_are_never_compared(services) -> None:
    one, two = FakeEmbedder(dimensions=8), FakeEmbedder(dimensions=16)
    backend = await opened(services)
    await backend.prepare(fingerprint="one", dimensions=8)
    vectors = one.vectors(["red", "blue"])
    await backend.upsert([Document(id=i, title=i, vector=v) for i, v in zip(("red", "blue"), vectors, strict=True)])
    report = await backend.upsert([Document(id="odd", vector=b"1234"), Document(id="none")])
    assert (report.indexed, report.failed[0][0]) == (1, "odd")
    asked = ask("zzz", target="vector", vector=one.vectors(["red"])[0])
    assert (await backend.search(asked)).ids[0] == "red"
    await backend.prepare(fingerprint="two", dimensions=16)
    assert await backend.stored_fingerprint() is None
    with pytest.raises(BadRequest, match="dimensions"):
        await backend.search(asked)
    await backend.upsert([Document(id="red", title="red", vector=two.vectors(["red"])[0])])
    assert await backend.stored_fingerprint() == "two"
    found = await backend.search(ask("zzz", target="vector", vector=two.vectors(["red"])[0]))
    assert found.ids == ("red",)
    hybrid = await backend.search(ask("blue", vector=two.vectors(["red"])[0]))
    assert set(hybrid.ids) == {"red", "blue"}
    await backend.aclose()


async def test_more_paths_than_columns_are_compared_all_the_same(services) -> None:
    backend = await opened(services)
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id=str(i), metadata={f"n{j}": i + j for j in range(100)}) for i in range(4)])
    for path in ("n0", "n99"):
        offset = int(path[1:])
        tree = Compare(field=f"metadata.{path}", op="ge", value=offset + 2)
        assert sorted(await ids(backend, "", filter=tree)) == ["2", "3"]
        assert await backend.count(tree) == 2
    await backend.aclose()


async def test_replacing_uses_rows_again_and_an_old_answer_stays_readable(services, tmp_path) -> None:
    embedder = FakeEmbedder(dimensions=8)
    backend = await opened(services)
    await backend.prepare(fingerprint="one", dimensions=8)
    for n in range(5):
        await backend.upsert([Document(id="a", title=f"words {n}", vector=embedder.vectors([f"text {n}"])[0])])
    old = await backend.search(ask("words"))
    await backend.upsert([Document(id="a", title="fresh")])
    assert old.hit(0).title == "words 4"
    assert (tmp_path / "index" / "vectors-1.f32").stat().st_size <= 2 * 8 * 4
    await backend.aclose()


def test_values_have_the_same_tokens_one_by_one_and_all_at_once():
    record: dict[str, object] = {
        "brand": "HP", "note": "x" * 300, "price": 5, "weight": 1.5, "large": 10**300, "odd": float("nan"), "new": True,
        "used": False, "gone": None, "tags": ["a", "b c", None, 1, True], "none": [], "empty": {}, "year": "2021",
        "released": "2021-05-03T12:00:00Z", "of": {"deep": {"er": "tab\there"}, "list": [{"a": 1}]}, "again": "HP",
    }  # fmt: skip
    for _ in range(2):  # the second time much of it is remembered
        found, texts = codes.coded(record, "metadata.")
        assert repr(found) == repr(codes.walk(record, "metadata."))
        assert sorted(" ".join(texts).split()) == sorted(token for one in found for token in codes.codes(one))
    assert ("metadata.price", "n", 5) in found
    assert ("metadata.new", "b", True) in found
    assert ("metadata.of.deep.er", "s", "tab\there") in found
