"""Several runs that keep their progress in one file."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from qx.indexing.journal import Journal


def test_runs_at_once_leave_each_other_in_peace(tmp_path: Path) -> None:
    place = tmp_path / "progress" / "journal.json"
    files = [tmp_path / f"{i}.jsonl" for i in range(8)]
    for file in files:
        file.write_text("{}")

    def run(file: Path) -> None:
        journal = Journal(place)
        for number in range(1, 60):
            assert journal.done(file) == number - 1
            journal.note(file, number)
        journal.clear()

    with ThreadPoolExecutor(len(files)) as pool:
        list(pool.map(run, files))
    assert not list(place.parent.glob("*.part"))


def test_a_run_that_ends_keeps_the_progress_of_others(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.jsonl", tmp_path / "other.jsonl"
    mine.write_text("{}")
    other.write_text("{}")
    place = tmp_path / "journal.json"
    first, second = Journal(place), Journal(place)
    first.note(other, 3)
    second.note(mine, 5)
    assert Journal(place).done(other) == 3
    second.clear()
    again = Journal(place)
    assert (again.done(other), again.done(mine)) == (3, 0)
    first.clear()
    assert not place.exists()
