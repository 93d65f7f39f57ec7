"""``qx ab`` as it is typed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jsonschema
import pytest

from qx.cli import main
from qx.eval.ab import Experiment, Exposure, Log

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
TEST = Experiment(name="expansion")
SCHEMAS = Path(__file__).parents[3] / "docs" / "schemas"


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    return int(str(ended.value.code or 0))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "ab.jsonl"
    rows: list[Exposure] = []
    for n in range(400):
        arm = TEST.arm(f"u{n}")
        at = BEGIN + timedelta(minutes=n)
        rows.append(
            Exposure(experiment="expansion", arm=arm, user=f"u{n}", at=at, results=3, milliseconds=10.0 + n % 7)
        )
    Log(path).write(*rows)
    clicks = [row for n, row in enumerate(rows) if n % (2 if row.arm == "treatment" else 5) == 0]
    Log(path).write(*(TEST.outcome(row.user, "click", at=row.at + timedelta(seconds=9)) for row in clicks))
    return path


def test_a_report_is_read_by_people_and_programs(log: Path, capsys: pytest.CaptureFixture[str]):
    assert run("ab", "report", str(log), "--until", "2026-01-02") == 0
    said = capsys.readouterr().out
    assert said.startswith("experiment expansion: treatment is better than control on ctr")
    assert run("ab", "report", str(log), "--until", "2026-01-02", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    jsonschema.validate(data, json.loads((SCHEMAS / "ab.json").read_text("utf-8")))
    assert data["status"] == "complete"
    assert data["comparisons"][0]["verdict"] == "better"
    origin = data["provenance"]
    assert origin["command"] == f"qx ab report {log} --until 2026-01-02T00:00:00+00:00"
    assert origin["settings"]["follow"] == "86400s"


def test_a_running_test_says_so_and_compares_nothing(log: Path, capsys: pytest.CaptureFixture[str]):
    assert run("ab", "report", str(log), "--users", "500", "--follow", "7d") == 0
    said = capsys.readouterr().out
    assert "still running (400 of 500 users)" in said
    assert "500 users, each followed for 7 days" in said
    assert "ctr" not in said


def test_a_copy_of_a_log_is_told_and_counts_once(log: Path, capsys: pytest.CaptureFixture[str]):
    assert run("ab", "report", str(log), str(log), "--until", "2026-01-02") == 2
    assert "is named twice: name it once" in capsys.readouterr().err
    copy = log.with_name("ab.1.jsonl")
    copy.write_bytes(log.read_bytes())
    figures: list[object] = []
    for files in ((log,), (log, copy)):
        assert run("ab", "report", *map(str, files), "--until", "2026-01-02", "--json") == 0
        made = json.loads(capsys.readouterr().out)
        figures.append(made["arms"])
    assert figures[0] == figures[1]
    assert any("rows stand word for word in two files: they count once" in note for note in made["notes"])


def test_a_wrong_ratio_ends_with_6(log: Path, capsys: pytest.CaptureFixture[str]):
    assert run("ab", "report", str(log), "--until", "2026-01-02", "--arms", "control=3,treatment=1") == 6
    assert "not trusted" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [(), ("--until", "soon"), ("--users", "5", "--until", "2026-01-02"), ("--users", "5", "--follow", "x"),
     ("--until", "2026-01-02", "--arms", "a=b"), ("--until", "2026-01-02", "--control", "x")],
)  # fmt: skip
def test_what_is_wrong_is_said(log: Path, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]):
    assert run("ab", "report", str(log), *options) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert options or "--until" in said


def test_a_plan_says_users_and_days(capsys: pytest.CaptureFixture[str]):
    assert run("ab", "plan", "--baseline", "0.1", "--effect", "0.01", "--users-per-day", "1000") == 0
    said = capsys.readouterr().out
    assert "29498 users" in said
    assert "30 days" in said
    assert run("ab", "plan", "--baseline", "0.1", "--effect", "0.01", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    jsonschema.validate(data, json.loads((SCHEMAS / "ab-plan.json").read_text("utf-8")))


def test_the_arm_of_a_user_is_the_servers(capsys: pytest.CaptureFixture[str]):
    assert run("ab", "assign", "expansion", "u1", "王老师") == 0
    assert capsys.readouterr().out == "".join(f"{u}\t{TEST.arm(u)}\n" for u in ("u1", "王老师"))
    assert run("ab", "assign", "expansion", "u1", "--arms", "a=1") == 2
    assert "one arm is no test: name two" in capsys.readouterr().err
