"""The log: appended by several processes, what is torn costs one row and is counted."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import ProfileError, UsageError
from qx.eval.ab import Experiment, Exposure, Log, Outcome
from qx.eval.ab.log import read
from qx.eval.ab.records import parse
from qx.types import Hit, SearchResult, Usage

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TEST = Experiment(name="expansion")


def shown(user: str, **more: object) -> Exposure:
    values: dict[str, object] = {"experiment": "expansion", "arm": "control", "user": user, "at": NOW, **more}
    return Exposure(**values)  # type: ignore[arg-type]


def test_what_is_written_comes_back(tmp_path: Path):
    result = SearchResult(hits=(Hit(id="1", backend="b"),), usage=Usage(calls=1, cost=0.002))
    rows = (
        TEST.exposure("王", "打印机 卡纸", result, 41.5, at=NOW),
        TEST.exposure("王", "xyz", SearchResult(hits=()), 3, at=NOW),
        TEST.outcome("王", "click", at=NOW),
        TEST.outcome("王", "order", 19.9, at=NOW),
    )
    path = tmp_path / "logs" / "ab.jsonl"
    Log(path).write(*rows[:1])
    Log(str(path)).write(*rows[1:])
    name, logged = read([path])
    assert name == "expansion"
    assert (*logged.exposures, *logged.outcomes) == rows
    assert (logged.exposures[0].results, logged.exposures[0].cost) == (1, 0.002)
    assert (logged.exposures[1].results, logged.exposures[1].cost) == (0, 0.0)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not logged.unreadable


def test_a_cost_that_nobody_knows_is_not_nothing():
    result = SearchResult(hits=(), usage=Usage(calls=2, cost=None))
    assert TEST.exposure("u", "q", result, 1.0, at=NOW).cost is None


def test_processes_append_side_by_side(tmp_path: Path):
    path = tmp_path / "ab.jsonl"
    program = (
        "import sys; from qx.eval.ab import Experiment, Log\n"
        "test, log = Experiment(name='expansion'), Log(sys.argv[1])\n"
        "for n in range(200): log.write(test.outcome(f'{sys.argv[2]}-{n}', 'click'))"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(path), str(n)]) for n in range(3)]
    assert [one.wait(60) for one in running] == [0, 0, 0]
    _, logged = read([path])
    assert {row.user for row in logged.outcomes} == {f"{n}-{i}" for n in range(3) for i in range(200)}
    assert not logged.unreadable


def test_a_torn_line_costs_itself_alone(tmp_path: Path):
    path = tmp_path / "ab.jsonl"
    log = Log(path)
    log.write(shown("first"))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 2])  # killed in the middle of the second row
    log.write(shown("third"))
    _, logged = read([path])
    assert [row.user for row in logged.exposures] == ["first", "third"]
    assert logged.unreadable == {"not JSON (a torn line?)": 1}


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 400))
def test_no_bytes_raise(noise: bytes, cut: int):
    line = json.dumps(
        {"row": "outcome", "experiment": "e", "user": "u", "kind": "click", "at": NOW.isoformat()}
    ).encode()
    for text in (noise, line[:cut] + noise, line[:cut] + line):
        assert isinstance(parse(text), (str, Outcome, Exposure))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"row": "outcome", "at": "2026-03-01T12:00:00"}, "time zone"),
        ({"row": "outcome", "user": ""}, "user: empty"),
        ({"row": "outcome", "value": float("nan")}, "no number"),
        ({"row": "outcome", "at": "yesterday"}, "outcome: at"),
        ({"row": "click"}, "neither"),
        ({"row": "exposure", "milliseconds": -1, "arm": "a"}, "negative"),
        ({"row": "exposure", "arm": ""}, "arm: empty"),
        ({"row": "exposure"}, "arm"),
    ],
)
def test_what_is_no_row_says_why(row: dict[str, object], reason: str):
    whole = {"experiment": "e", "user": "u", "kind": "click", "at": NOW.isoformat(), **row}
    found = parse(json.dumps(whole).encode())
    assert isinstance(found, str)
    assert reason in found


def test_further_keys_do_not_matter():
    line = json.dumps(
        {**json.loads('{"row":"outcome","experiment":"e","user":"u","kind":"c"}'), "at": NOW.isoformat(), "page": 3}
    )
    assert isinstance(parse(line.encode()), Outcome)


def test_what_could_not_be_read_back_is_not_written(tmp_path: Path):
    with pytest.raises(UsageError, match="time zone"):
        Log(tmp_path / "ab.jsonl").write(shown("u", at=datetime(2026, 3, 1)))
    assert not (tmp_path / "ab.jsonl").exists()


def test_a_file_that_is_named_twice_is_refused(tmp_path: Path):
    path = tmp_path / "ab.jsonl"
    Log(path).write(shown("u"))
    (tmp_path / "link.jsonl").symlink_to(path)
    for other in (path, tmp_path / "." / "ab.jsonl", tmp_path / "link.jsonl"):
        with pytest.raises(UsageError, match=r"is named twice.*name it once"):
            read([path, other])


def test_the_rows_of_a_rotated_copy_count_once(tmp_path: Path):
    """In one file what stands twice was logged twice; in two files it is a copy, however much each of them holds."""
    order = TEST.outcome("u", "order", 9.0, at=NOW)
    log, copy, later = (tmp_path / f"{name}.jsonl" for name in ("ab", "ab.1", "ab.2"))
    Log(log).write(shown("u"), order, order)
    copy.write_bytes(log.read_bytes())
    Log(later).write(order, shown("v"))
    _, found = read([log, copy, later])
    assert [row.user for row in found.exposures] == ["u", "v"]
    assert (len(found.outcomes), found.copies) == (2, 4)
    assert read([log])[1].copies == 0
    assert [len(read(files)[1].outcomes) for files in ([later, log], [log, later])] == [2, 2]


def test_which_experiment_is_asked_where_there_are_several(tmp_path: Path):
    path = tmp_path / "ab.jsonl"
    Log(path).write(shown("u"), shown("v", experiment="other"))
    assert read([path], "other")[1].exposures[0].user == "v"
    with pytest.raises(UsageError, match="expansion, other"):
        read([path])
    with pytest.raises(UsageError, match="'third'"):
        read([path], "third")
    with pytest.raises(ProfileError, match="cannot be read"):
        read([tmp_path / "missing.jsonl"])
    (tmp_path / "noise.jsonl").write_text("{\n")
    with pytest.raises(UsageError, match="no row"):
        read([tmp_path / "noise.jsonl"])


def rows_of(**changes: object) -> bytes:
    row = {"row": "exposure", "experiment": "expansion", "arm": "control", "user": "u", "at": NOW.isoformat()}
    return json.dumps({**row, **changes}).encode() + b"\n"


@pytest.mark.parametrize(
    "line",
    [
        rows_of(at="9999-12-31T23:59:59Z"),
        rows_of(at="0001-01-01T00:00:00+14:00"),
        rows_of(results=10**400),
        rows_of(milliseconds=10**400),
        rows_of(milliseconds=1e308),
        rows_of(cost=float("nan")),
        rows_of(row="outcome", kind="order", value=-1e308),
        rows_of(row="outcome", kind="order", value=10**400),
        rows_of(query="x" * 10_000_001),
        b"[" * 100_000 + b"\n",
        b"9" * 5_000 + b"\n",
    ],
)
def test_a_line_that_is_no_row_costs_itself_alone(tmp_path: Path, line: bytes):
    path = tmp_path / "ab.jsonl"
    path.write_bytes(rows_of() + line + rows_of(user="v"))
    _, logged = read([path])
    assert [row.user for row in logged.exposures] == ["u", "v"]
    assert sum(logged.unreadable.values()) == 1


@pytest.mark.parametrize("kind", ["fifo", "folder", "device"])
def test_what_has_no_end_is_refused(tmp_path: Path, kind: str):
    path = tmp_path / "ab.jsonl"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(ProfileError, match=r"ab\.jsonl: is no file with an end"):
        read([path])
