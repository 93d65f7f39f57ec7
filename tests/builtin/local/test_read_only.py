"""An index where nothing can be written: it is searched, follows what others commit, and refuses to be changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from qx.backend import Document
from qx.builtin.local import store
from qx.builtin.local.backend import LocalBackend
from qx.builtin.local.mirror import can_write
from qx.errors import NotAllowed
from qx.testing import TestServices
from qx.testing.conformance.backend import ids


async def opened(services: TestServices) -> LocalBackend:
    settings = LocalBackend.Settings.model_validate({"name": "mine", "path": "index"})
    return await LocalBackend.create(settings, services)


def content(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(p.relative_to(folder)): (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()
    }


class Disk:
    """The index on a disk that can be written or not, whoever runs the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read_only = False

    def can_write(self, place: Path) -> bool:
        return not self.read_only and can_write(place)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    made = Disk(tmp_path / "index")
    monkeypatch.setattr(store, "can_write", made.can_write)
    return made


async def test_it_is_searched_and_nothing_is_written(services: TestServices, disk: Disk) -> None:
    writing = await opened(services)
    await writing.prepare(fingerprint=None, dimensions=0)
    await writing.upsert(
        [Document(id="a", title="Red shoes"), Document(id="b", title="打印机卡纸", metadata={"year": 2024})]
    )
    await writing.aclose()
    before = content(disk.folder)
    disk.read_only = True
    reading = await opened(services)
    assert await ids(reading, "shoes") == ["a"]
    assert await ids(reading, "卡纸") == ["b"]
    assert sorted(await reading.ids()) == ["a", "b"]
    health = await reading.health()
    assert (health.ok, health.documents) == (True, 2), health
    for work in (
        reading.upsert([Document(id="c")]),
        reading.delete(["a"]),
        reading.prepare(fingerprint=None, dimensions=0),
    ):
        with pytest.raises(NotAllowed, match="can be searched but not changed"):
            await work
    await reading.aclose()
    assert content(disk.folder) == before


async def test_what_others_commit_is_found(services: TestServices, disk: Disk) -> None:
    writing = await opened(services)
    await writing.prepare(fingerprint=None, dimensions=0)
    await writing.upsert([Document(id="a", title="Red shoes")])
    disk.read_only = True
    reading = await opened(services)  # while somebody else has it open for writing
    assert await ids(reading, "shoes") == ["a"]
    await writing.upsert([Document(id="b", title="Blue shoes"), Document(id="a", title="Red socks")])
    assert await ids(reading, "shoes") == ["b"]
    await writing.delete(["b"])
    await writing.aclose()
    assert await ids(reading, "shoes") == []
    assert await ids(reading, "socks") == ["a"]
    await reading.aclose()


async def test_the_links_are_gone_afterwards(
    services: TestServices, disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    writing = await opened(services)
    await writing.prepare(fingerprint=None, dimensions=0)
    await writing.upsert([Document(id="a", title="Red shoes")])
    await writing.aclose()
    disk.read_only = True
    reading = await opened(services)
    assert await ids(reading, "shoes") == ["a"]
    assert os.listdir(tmp_path / "temporary")
    await reading.aclose()
    assert not os.listdir(tmp_path / "temporary")
