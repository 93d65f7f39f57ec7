"""``qx cache`` and ``qx cassette`` on real files."""

import json
from pathlib import Path

import pytest

from .conftest import Run

SQLITE = "tenant: acme\ncache: {type: sqlite, path: c.db}\n"


@pytest.fixture
def profile(own_folder: Path) -> Path:
    path = own_folder / "p.yaml"
    path.write_text(SQLITE, "utf-8")
    return path


def stats(run: Run, *arguments: str) -> dict[str, object]:
    result = run("cache", "stats", "--json", *arguments)
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def test_what_one_run_keeps_the_next_one_finds(run: Run, profile: Path, own_folder: Path) -> None:
    first = run("expand", "red shoes", "-p", "p.yaml", "--json")
    assert first.code == 0, first.err
    before = stats(run, "-p", "p.yaml")
    assert (before["type"], before["tenant"], before["hits"]) == ("sqlite", "acme", 0)
    assert before["entries"]
    again = run("expand", "red shoes", "-p", "p.yaml", "--json")
    assert json.loads(again.out)["queries"] == json.loads(first.out)["queries"]
    assert stats(run, "-p", "p.yaml")["hits"]
    assert (own_folder / "c.db").stat().st_mode & 0o777 == 0o600


def test_clearing_leaves_other_tenants_alone(run: Run, profile: Path, own_folder: Path) -> None:
    other = own_folder / "other.yaml"
    other.write_text(SQLITE.replace("acme", "umbrella"), "utf-8")
    for name in ("p.yaml", "other.yaml"):
        assert run("expand", "red shoes", "-p", name).code == 0
    theirs = stats(run, "-p", "other.yaml")["entries"]
    gone = run("cache", "clear", "-p", "p.yaml")
    assert (gone.code, gone.err) == (0, "")
    assert gone.out.startswith(f"{theirs} ")
    assert stats(run, "-p", "p.yaml")["entries"] == 0
    assert stats(run, "-p", "other.yaml")["entries"] == theirs
    assert stats(run, "-p", "p.yaml", "--all-tenants")["entries"] == theirs
    assert run("cache", "clear", "-p", "p.yaml", "--all-tenants").out.startswith(f"{theirs} ")


def test_the_memory_cache_says_that_it_keeps_nothing(run: Run) -> None:
    result = run("cache", "stats")
    assert result.code == 0
    assert "entries: 0" in result.out
    assert "keeps nothing between runs" in result.err


def test_recording_needs_a_model(run: Run, own_folder: Path) -> None:
    (own_folder / "tape.jsonl").write_text("", "utf-8")
    result = run("cassette", "record", "tape.jsonl")
    assert result.code == 3
    assert "names no model" in result.err
    assert run("cassette", "record", "absent.jsonl").code == 2
