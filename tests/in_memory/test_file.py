"""A file that changes, is wrong, is missing, or belongs to somebody else; and what expressions mean in memory."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.backend import Document, SupportsIndexing
from qx.errors import BadResponse, NotAllowed, Unavailable
from qx.filters.fieldmap import StoredField
from qx.in_memory import FileBackend, WritableFileBackend
from qx.in_memory.words import terms, tokenised
from qx.syntax import Terms, parse
from qx.testing import FakeBackend, TestServices
from qx.testing.conformance.backend import ask, ids


class Lines(FileBackend):
    """A title a line."""

    def read(self, path: Path) -> Iterable[Document]:
        return [Document(id=str(n), title=line) for n, line in enumerate(path.read_text("utf-8").splitlines(), 1)]


class Kept(WritableFileBackend, Lines):
    def write(self, path: Path, documents: Collection[Document]) -> None:
        if any(d.title == "full" for d in documents):
            raise OSError(28, "No space left on device")
        path.write_text("".join(f"{d.title}\n" for d in documents), "utf-8")


class Named(WritableFileBackend):
    """``id:title`` a line."""

    def read(self, path: Path) -> Iterable[Document]:
        pairs = [line.split(":", 1) for line in path.read_text("utf-8").split()]
        return [Document(id=id, title=title) for id, title in pairs]

    def write(self, path: Path, documents: Collection[Document]) -> None:
        path.write_text("".join(f"{d.id}:{d.title}\n" for d in documents), "utf-8")


WRITER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_file import Named
from qx.backend import Document

async def main():
    path = Path(sys.argv[2])
    backend = Named(Named.Settings.model_validate({"name": "mine", "path": path}), path)
    await backend.prepare(fingerprint=None, dimensions=0)
    for n in range(30):
        await backend.upsert([Document(id=f"{sys.argv[3]}-{n}", title="red")])

asyncio.run(main())
"""

B = TypeVar("B", bound=FileBackend)


async def opened(kind: type[B], services: TestServices, path: str) -> B:
    return await kind.create(kind.Settings.model_validate({"name": "mine", "path": path}), services)


def write(path: Path, text: str, at: int) -> None:
    path.write_text(text, "utf-8")
    os.utime(path, ns=(at, at))  # two writes within one tick of the file system's clock are two files


async def test_a_file_that_changes_is_read_again(services: TestServices) -> None:
    file = services.folder / "a.txt"
    write(file, "red shoes\n", 1)
    backend = await opened(Lines, services, "a.txt")
    assert await ids(backend, "red") == ["1"]
    write(file, "blue\nred hats\n", 2)
    assert await ids(backend, "red") == ["2"]
    file.unlink()
    with pytest.raises(Unavailable, match=r"mine.*a\.txt"):
        await ids(backend, "red")
    assert not (await backend.health()).ok
    write(file, "red again\n", 3)
    assert await ids(backend, "red") == ["1"]


async def test_a_file_that_cannot_be_read_is_told_with_its_reason(services: TestServices) -> None:
    (services.folder / "a.txt").write_bytes(b"\xff\xfe\xff")
    backend = await opened(Lines, services, "a.txt")
    with pytest.raises(BadResponse, match=r"a\.txt cannot be read: UnicodeDecodeError"):
        await ids(backend, "red")


async def test_a_path_stays_in_the_profiles_folder(services: TestServices) -> None:
    with pytest.raises(NotAllowed):
        await opened(Lines, services, "../a.txt")


async def test_only_one_that_says_how_can_be_written(services: TestServices) -> None:
    assert not isinstance(await opened(Lines, services, "a.txt"), SupportsIndexing)
    assert isinstance(await opened(Kept, services, "a.txt"), SupportsIndexing)


async def test_what_cannot_be_written_leaves_the_file_as_it_was(services: TestServices) -> None:
    backend = await opened(Kept, services, "a.txt")
    assert isinstance(backend, Kept)
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id="1", title="red")])
    with pytest.raises(Unavailable, match="No space left"):
        await backend.upsert([Document(id="2", title="full")])
    assert (services.folder / "a.txt").read_text() == "red\n"
    assert await ids(backend, "full") == []
    assert sorted(p.name for p in services.folder.iterdir()) == ["a.txt", "a.txt.lock", "a.txt.qx.json"]
    assert json.loads((services.folder / "a.txt.qx.json").read_text())["made by"] == "qx"


async def test_writers_at_once_lose_nothing(services: TestServices) -> None:
    backend = FakeBackend()
    await asyncio.gather(*(backend.upsert([Document(id=f"{n}", title="red")]) for n in range(40)))
    assert len(await backend.ids()) == 40


async def test_writers_of_one_file_lose_nothing(services: TestServices) -> None:
    writers = [await opened(Named, services, "a.txt") for _ in range(4)]
    await asyncio.gather(*(writer.prepare(fingerprint=None, dimensions=0) for writer in writers))
    reports = await asyncio.gather(*(writers[n % 4].upsert([Document(id=f"{n:02}", title="red")]) for n in range(40)))
    assert sum(report.indexed for report in reports) == 40
    assert len(await writers[0].ids()) == 40
    gone = await asyncio.gather(*(writers[n % 4].delete([f"{n:02}"]) for n in range(0, 40, 2)))
    assert sum(gone) == 20
    assert sorted((services.folder / "a.txt").read_text().split()) == [f"{n:02}:red" for n in range(1, 40, 2)]


@pytest.mark.slow
async def test_processes_that_write_one_file_lose_nothing(services: TestServices) -> None:
    path, here = services.folder / "a.txt", Path(__file__)
    writers = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, str(here.parent), str(path), str(worker))
        for worker in range(2)
    ]
    assert [await writer.wait() for writer in writers] == [0, 0]
    assert len(path.read_text().split()) == 60


async def test_a_change_of_the_same_size_within_a_tick_is_seen(services: TestServices) -> None:
    file = services.folder / "a.txt"
    write(file, "red\n", 1)
    backend = await opened(Lines, services, "a.txt")
    write(file, "tan\n", 1)
    assert await ids(backend, "tan") == ["1"]


async def test_who_waits_too_long_for_another_writer_is_told(
    services: TestServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qx.in_memory.file.PATIENCE", 0.02)
    one, other = await opened(Named, services, "a.txt"), await opened(Named, services, "a.txt")
    await one.prepare(fingerprint=None, dimensions=0)
    with one.alone(), pytest.raises(Unavailable, match=r"mine.*a\.txt.*another writer"):
        await other.upsert([Document(id="1", title="red")])
    assert (await other.upsert([Document(id="1", title="red")])).indexed == 1


DOCUMENTS = (
    Document(
        id="a", title="red shoes", text="for the road", url="https://shop.example/en/a", metadata={"maker": "Asics"}
    ),
    Document(id="b", title="road bike", text="red frame", url="https://other.example/b", metadata={"maker": "Bianchi"}),
    Document(id="c", title="红色 跑鞋", text="公路跑步用", url=None, metadata={}),
)
FIELDS = {"maker": StoredField(name="metadata.maker", type="text"), "title": StoredField(name="title")}


@pytest.mark.parametrize(
    ("query", "found", "missing"),
    [
        ('"red shoes"', {"a"}, ()),
        ("intitle:road", {"b"}, ()),
        ("maker:bianchi road", {"b"}, ()),
        ("red -intitle:road", {"a"}, ()),
        ("red -nowhere:road", {"a", "b"}, ("nowhere:",)),
        ("red site:shop.example", {"a"}, ()),
        ("red site:shop.example/en", {"a"}, ()),
        ("red site:example", {"a", "b"}, ()),
        ("red filetype:pdf", {"a", "b"}, ("filetype:pdf",)),
        ("red -filetype:pdf", {"a", "b"}, ("filetype:pdf",)),
        ("shoes OR frame", {"a"}, ()),
        ("跑鞋 OR 紅色", {"c"}, ()),
    ],
)  # fmt: skip
async def test_what_an_expression_means(query: str, found: set[str], missing: tuple[str, ...]) -> None:
    fields = FIELDS | {"text": StoredField(name="text")} if "OR" not in query and query[0] != '"' else FIELDS
    backend = FakeBackend(DOCUMENTS, fields=fields)
    response = await backend.search(ask(parse(query, fields=("maker", "nowhere"))))
    assert set(response.ids) == found
    assert response.unexpressed == missing


async def test_rare_words_and_titles_count_more() -> None:
    backend = FakeBackend(
        [Document(id=f"{n}", title="red shoes", text="common words") for n in range(5)]
        + [Document(id="rare", title="red umbrella", text="common words")],
        fields={"title": StoredField(name="title", boost=3), "text": StoredField(name="text")},
    )
    response = await backend.search(ask("red umbrella"))
    assert response.ids[0] == "rare"
    assert response.frequencies == {"red": 6, "umbrella": 1}
    assert response.documents == 6


WORDS = ("red", "shoe", "shoes", "road", "红色", "跑鞋", "跑", "GPT-4", "gpt", "16GB", "ＲＥＤ", "會議", "会议")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=5), max_size=6),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
)
def test_a_document_is_found_by_any_of_its_words_and_by_no_other(held: list[list[str]], asked: list[str]) -> None:
    """Read again by the rule itself: a word's tokens stand side by side in title or text."""
    documents = [
        Document(id=str(n), title=" ".join(words[:2]), text=" ".join(words[2:])) for n, words in enumerate(held)
    ]
    backend = FakeBackend(documents)
    response = asyncio.run(backend.search(ask(Terms(words=tuple(asked)), limit=100)))

    def holds(document: Document) -> bool:
        texts = [tokenised(document.title), tokenised(document.text)]
        return any(term in text for word in asked for term in terms(word) for text in texts)

    assert set(response.ids) == {document.id for document in documents if holds(document)}
    assert list(response.scores) == sorted(response.scores, reverse=True)
    assert all(score > 0 for score in response.scores)
    for word in asked:
        exact = {str(n) for n, words in enumerate(held) if word in words}
        assert exact <= set(response.ids), "whatever stands there as it was typed is found"
