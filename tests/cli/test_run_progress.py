"""How far a run is: a line now and then where nobody watches, nothing where nobody wants it."""

from __future__ import annotations

import pytest

from qx.cli import run_progress
from qx.cli.run_progress import RunProgress
from qx.eval.running import Progress


def progress(done: int, *, failed: int = 0, left: float | None = 100.0) -> Progress:
    return Progress(condition="商店", done=done, total=50, failed=failed, seconds=1.0, rate=2.5, left=left)


def test_a_log_gets_a_line_now_and_then(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(run_progress.time, "monotonic", lambda: now[0])
    with RunProgress(quiet=False) as shown:
        for done in range(1, 26):
            now[0] += 1
            shown(progress(done, failed=done // 20))
    assert capsys.readouterr().err.splitlines() == [
        "商店: 10 of 50, 2.5/s, 2 min left",
        "商店: 20 of 50, 2.5/s, 2 min left, 1 failed",
    ]
    assert shown.latest is not None
    assert shown.latest.done == 25


@pytest.mark.parametrize(("left", "said"), [(None, "unknown"), (9.6, "10 s"), (600, "10 min"), (9000, "2.5 h")])
def test_times(left: float | None, said: str) -> None:
    assert run_progress._time(left) == said


def test_a_quiet_run_says_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_progress, "EVERY", 0.0)
    with RunProgress(quiet=True) as shown:
        shown(progress(1))
    assert capsys.readouterr().err == ""


def test_a_person_gets_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with RunProgress(quiet=False) as shown:
        shown(progress(10))
        assert shown._bar.tasks[0].completed == 10
        assert shown._bar.tasks[0].fields["how"] == "2.5/s, 2 min left"
