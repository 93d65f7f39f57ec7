"""How far work is: a line that is written over, a line now and then where nobody watches, nothing where nobody wants it."""

from __future__ import annotations

from pathlib import Path

import pytest

from qx.cli import progress as showing
from qx.cli.progress import Counting, IndexProgress, RunProgress, TuneProgress, duration
from qx.eval.running import Progress
from qx.eval.tuning import Progress as Trials
from qx.indexing.record import Bad
from qx.indexing.writing import Summary


def progress(done: int, *, failed: int = 0, left: float | None = 100.0) -> Progress:
    return Progress(condition="商店", done=done, total=50, failed=failed, seconds=1.0, rate=2.5, left=left)


def test_a_log_gets_a_line_now_and_then(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(showing.time, "monotonic", lambda: now[0])
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
    assert duration(left) == said


def test_a_quiet_run_says_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "EVERY", 0.0)
    with RunProgress(quiet=True) as shown:
        shown(progress(1))
    assert capsys.readouterr().err == ""


def test_a_person_gets_one_line_that_goes_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with RunProgress(quiet=False) as shown:
        shown(progress(10))
        shown(progress(11))
    assert capsys.readouterr().err.split("\r\x1b[K") == [
        "", "商店: 10 of 50, 2.5/s, 2 min left", "商店: 11 of 50, 2.5/s, 2 min left", "",
    ]  # fmt: skip
    counted = Counting("rows", quiet=False)
    counted(1, 4)
    counted.end()
    counted.end()
    assert capsys.readouterr().err == "\r\x1b[K1 of 4 rows\r\x1b[K"


def test_a_search_for_settings(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "EVERY", 0.0)
    TuneProgress(quiet=False)(Trials(trial=3, trials=40, best=0.0125, stage="search"))
    assert capsys.readouterr().err == "trial 3 of 40 (search), best +1.25 points (less its error)\n"


def test_records_that_are_skipped_are_told_once_also_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    shown = IndexProgress(quiet=False)
    for count in (1, 1, 2):
        shown(Summary(indexed=5, skipped=[Bad(place=f"f:{n}", reason="bad") for n in range(count)]), Path("f"))
    assert shown.told == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
