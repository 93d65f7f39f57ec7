"""Several runs that keep their progress in one file."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qx.indexing.journal import Journal


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "progress" / "journal.json"


def file(tmp_path: Path, name: str) -> Path:
    path = tmp_path / name
    path.write_text("{}")
    return path


def test_runs_at_once_leave_the_file_whole(tmp_path: Path, place: Path) -> None:
    files = [file(tmp_path, f"{i}.jsonl") for i in range(8)]

    def run(path: Path) -> None:
        journal = Journal(place)
        for number in range(1, 60):
            assert journal.done(path) in (0, number - 1)
            journal.note(path, number)
        journal.clear()

    with ThreadPoolExecutor(len(files)) as pool:
        list(pool.map(run, files))
    assert not list(place.parent.glob("*.part"))


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path, place: Path) -> None:
    mine = file(tmp_path, "mine.jsonl")
    Journal(place).note(mine, 5)
    again = Journal(place)
    assert again.done(mine) == 5
    again.begin()  # and is cut off at once
    again = Journal(place)
    assert again.done(mine) == 5
    again.begin()
    again.clear()
    assert not place.exists()


@pytest.mark.parametrize("whole", [True, False])
def test_another_run_ends_what_was_noted(tmp_path: Path, place: Path, whole: bool) -> None:
    mine, other = file(tmp_path, "mine.jsonl"), file(tmp_path, "other.jsonl")
    first = Journal(place)
    first.note(mine, 5)
    second = Journal(place)
    second.begin()
    first.note(mine, 7)  # still at work: the second may write over what it wrote
    second.note(other, 3)
    if whole:
        second.clear()
    assert (Journal(place).done(mine), Journal(place).done(other)) == (0, 0 if whole else 3)
    first.note(mine, 9)
    first.clear()
    assert (Journal(place).done(mine), Journal(place).done(other)) == (0, 0 if whole else 3)


def test_other_settings_are_other_entries(tmp_path: Path, place: Path) -> None:
    mine = file(tmp_path, "mine.jsonl")
    Journal(place, "english").note(mine, 5)
    assert Journal(place, "english").done(mine) == 5
    assert Journal(place, "german").done(mine) == 0
