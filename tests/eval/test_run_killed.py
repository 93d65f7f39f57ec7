"""A run that is killed midway resumes to the same numbers; so does one with worker processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

KILLED = Path(__file__).with_name("killed_run.py")


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    """A working folder with the collection, its index and a profile."""
    shutil.copytree(filled, tmp_path / "work")
    profile = "deadline: 60s\nsearch: {backends: {main: {type: local, path: index}}}\n"
    (tmp_path / "work" / "help.yaml").write_text(profile, "utf-8")
    return tmp_path / "work"


def run(folder: Path, home: str, *program: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "QX_HOME": str(folder / home), "PYTHONWARNINGS": "error"}
    return subprocess.run(
        [sys.executable, *program], cwd=folder, env=env, capture_output=True, text=True, timeout=100, check=False
    )


def evaluated(folder: Path, home: str, *options: str) -> dict[str, Any]:
    made = run(folder, home, "-m", "qx", "eval", "run", "help", "-p", "help.yaml", "--json", "-q", *options)
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    return json.loads(made.stdout)


def numbers(report: dict[str, Any]) -> Any:
    """Everything but how long it took, and when and by which command it was made."""
    return {
        **report,
        "provenance": None,
        "conditions": [{key: item for key, item in one.items() if key != "latency"} for one in report["conditions"]],
    }


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_run_that_is_killed_resumes_to_the_same_numbers(folder: Path, workers: str) -> None:
    whole = evaluated(folder, "whole")
    killed = run(folder, "killed", str(KILLED), "27", "help", "-p", "help.yaml", "--workers", workers)
    assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, ""), killed.stderr
    (place,) = (folder / "killed" / "eval" / "runs").iterdir()
    counts = {path.name.split(".")[0]: len(path.read_bytes().splitlines()) for path in place.glob("*.jsonl")}
    assert counts == {"no-expansion": 20, "help": 7}  # the seventh is torn
    resumed = evaluated(folder, "killed", "--workers", workers)
    assert numbers(resumed) == numbers(whole)
    assert resumed["status"] == "complete"


@pytest.mark.slow
def test_worker_processes_find_the_same_and_leave_nothing_running(folder: Path) -> None:
    one = evaluated(folder, "one", "--workers", "1", "--jsonl", "one.jsonl")
    two = evaluated(folder, "two", "--workers", "2", "--jsonl", "two.jsonl")
    assert numbers(one) == numbers(two)

    def found(name: str) -> dict[tuple[str, str], Any]:
        rows = [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        return {(row["condition"], row["query"]): row["found"] for row in rows}

    assert found("one.jsonl") == found("two.jsonl")
    assert len(found("one.jsonl")) == 40
