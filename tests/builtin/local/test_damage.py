"""Damaged files, a disk that cannot be written, a stemmer that is another one: each is said with what to do."""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

import pytest

from qx.backend import Document
from qx.builtin.local.backend import LocalBackend
from qx.builtin.local.failures import translated
from qx.builtin.local.integrity import damage
from qx.errors import BadResponse, ProfileError, QxError, Unavailable
from qx.testing import TestServices
from qx.testing.conformance.backend import ask

T = TypeVar("T")


async def opened(folder: Path, **settings: object) -> LocalBackend:
    checked = LocalBackend.Settings.model_validate({"name": "mine", "path": "index", **settings})
    return await LocalBackend.create(checked, TestServices(folder))


async def filled(folder: Path, **settings: object) -> LocalBackend:
    made = await opened(folder, **settings)
    await made.prepare(fingerprint=None, dimensions=0)
    drawn = random.Random(1)
    await made.upsert(
        [
            Document(id=str(n), title=" ".join(f"w{drawn.randrange(500)}" for _ in range(9)), metadata={"price": n})
            for n in range(800)
        ]
    )
    return made


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import asyncio

    folder = tmp_path_factory.mktemp("whole")

    async def make() -> None:
        await (await filled(folder)).aclose()

    asyncio.run(make())
    return folder


async def tried(work: Awaitable[T]) -> T | str:
    """What comes of it; of an error the text."""
    try:
        return await work
    except QxError as error:
        return str(error)


def garble(path: Path, seed: int = 0) -> None:
    """Change bytes here and there; what tantivy looks at when it opens the file stays as it was."""
    data, drawn = bytearray(path.read_bytes()), random.Random(seed)
    for _ in range(max(1, len(data) // 20)):
        data[drawn.randrange(max(len(data) - 300, 1))] ^= 0x5A
    path.write_bytes(data)


@pytest.mark.parametrize("kind", ["idx", "term", "pos", "fast", "fieldnorm", "store"])
async def test_a_damaged_file_is_found_by_asking_how_it_is(whole: Path, tmp_path: Path, kind: str) -> None:
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    for path in (tmp_path / "index" / "words").glob(f"*.{kind}"):
        garble(path)
    made = await tried(opened(tmp_path))
    if isinstance(made, str):
        assert "is damaged" in made
        return
    health = await made.health()
    assert health.ok is False
    assert "is damaged" in health.detail
    for words in ("w1 w2 w3", "w7", "w11 w400"):
        found = await tried(made.search(ask(words)))
        assert not isinstance(found, str) or ("is damaged" in found and "index all documents again" in found)
    await made.aclose()


async def test_so_is_a_damaged_file_of_documents(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "index" / "documents.db"
    data = bytearray(path.read_bytes())
    data[8192:12288] = os.urandom(4096)
    path.write_bytes(data)
    made = await tried(opened(tmp_path))
    if isinstance(made, str):
        assert "is damaged" in made
        return
    health = await made.health()
    assert (health.ok, "documents.db" in health.detail) == (False, True)
    await made.aclose()


async def test_a_whole_index_is_well(whole: Path) -> None:
    made = await opened(whole)
    assert (await made.health()).ok is True
    assert damage(whole / "index" / "words", whole / "index" / "documents.db") is None
    await made.aclose()


async def test_what_another_process_is_just_writing_or_has_merged_away_is_no_damage(
    whole: Path, tmp_path: Path
) -> None:
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    words, documents = tmp_path / "index" / "words", tmp_path / "index" / "documents.db"
    (words / f"{'77c2' * 8}.store").write_bytes(b"half of it")
    assert damage(words, documents) is None
    segment = json.loads((words / "meta.json").read_text())["segments"][0]["segment_id"].replace("-", "")
    (words / f"{segment}.idx").write_bytes(b"half of it")
    assert damage(words, documents) == f"words/{segment}.idx is not what was written"


class PanicException(BaseException):
    """As tantivy raises it where an assertion of its own fails."""


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (PanicException("assertion failed: end <= orig_range.end"), BadResponse, "is damaged (assertion failed"),
        (ValueError("An IO error occurred: 'Fst data is corrupted: Fst(Error\n opening)"), BadResponse, "is damaged"),
        (ValueError("Unsupported dictionary type, found 214"), BadResponse, "is damaged"),
        (ValueError('Failed to acquire Lockfile: IoError(Os { code: 30, kind: ReadOnlyFilesystem })'), BadResponse,
         "put it on a disk that can be written"),
        (ValueError("something else"), BadResponse, "something else"),
    ],
)  # fmt: skip
def test_what_tantivy_raises_is_said_in_words(error: BaseException, kind: type[QxError], said: str) -> None:
    with pytest.raises(kind) as told, translated("mine", "/x/index"):
        raise error
    assert said in str(told.value)
    assert "\n" not in str(told.value)


def test_what_sqlite_raises_too() -> None:
    import sqlite3

    for error, kind, said in (
        (sqlite3.OperationalError("database is locked"), Unavailable, "locked"),
        (sqlite3.OperationalError("attempt to write a readonly database"), BadResponse, "disk that can be written"),
        (sqlite3.DatabaseError("database disk image is malformed"), BadResponse, "is damaged"),
    ):
        with pytest.raises(kind, match=said), translated("mine", "/x/index"):
            raise error


async def test_another_stemmer_than_the_index_was_made_with_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await (await filled(tmp_path, stemmer="english")).aclose()
    with caplog.at_level(logging.WARNING):
        made = await opened(tmp_path, stemmer=None)
    assert "was made with `stemmer: english` and goes on with it, the profile says null" in caplog.text
    health = await made.health()
    assert (health.ok, "`stemmer: english`" in health.detail) == (False, True)
    with pytest.raises(ProfileError, match="stemmer"):
        await made.prepare(fingerprint=None, dimensions=0)
    assert (await made.search(ask("w1"))).ids  # what is there is found as before
    await made.aclose()
