"""Suites of contributions whose names are much alike are told apart in one report."""

import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from qx.cli.plugin_check import _read
from qx.testing.titles import title

NAMES = ("my-engine", "my_engine", "my.engine", "my~2e~engine", "搜索")


@settings(max_examples=50, deadline=None)
@given(st.text("ab-_.~:/搜", max_size=6), st.text("ab-_.~:/搜", max_size=6))
def test_two_names_never_have_one_title(one: str, other: str) -> None:
    assert (title("backends", one) == title("backends", other)) is (one == other)


def test_pytest_reports_each_under_its_own(tmp_path: Path) -> None:
    suites = "".join(
        f"globals()[{title('backends', name)!r}] = type('Suite', (), {{'test_{n}': lambda self: None}})\n"
        for n, name in enumerate(NAMES)
    )
    (tmp_path / "test_plugin.py").write_text(suites, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    report = tmp_path / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", str(tmp_path)]
    subprocess.run(command, capture_output=True, check=True, cwd=tmp_path)
    found = _read(report, tuple(f"backends:{name}" for name in NAMES))
    assert [(one.name, one.passed, one.failed) for one in found] == [(name, 1, ()) for name in NAMES]
