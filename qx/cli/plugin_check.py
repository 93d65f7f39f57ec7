"""Runs the conformance suites of an installed plugin in a process of their own, and reads what came of them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from qx.errors import QxError, UsageError
from qx.serial import value
from qx.testing.titles import title

_MODULE = """\
from qx.testing.checking import suites

globals().update(suites({plugin!r}, {profile!r}))
"""
_CONFIG = """\
[pytest]
asyncio_mode = auto
asyncio_default_fixture_loop_scope = function
addopts =
"""


@value
class Failed:
    """A test that did not pass: its name, and the reason in a line."""

    test: str
    reason: str


@value
class Checked:
    """One contribution: how many tests passed; those that failed; and why others were not run."""

    kind: str
    name: str
    passed: int = 0
    failed: tuple[Failed, ...] = ()
    skipped: tuple[str, ...] = ()


@value
class CheckReport:
    """What came of checking a plugin."""

    plugin: str
    contributions: tuple[Checked, ...]

    @property
    def failures(self) -> int:
        """How many tests failed."""
        return sum(len(one.failed) for one in self.contributions)

    @property
    def outcome(self) -> str:
        """What came of it, for people; where something could not be run at all, that is no success."""
        if self.failures:
            return f"{self.failures} failed"
        return "nothing failed" if self.is_sound else "not all could be run"

    @property
    def is_sound(self) -> bool:
        """Whether every contribution was tried, and nothing failed."""
        return not self.failures and all(one.passed for one in self.contributions)


def check(plugin: str, contributions: tuple[str, ...], profile: str | None) -> CheckReport:
    """Run the suites of a plugin.

    Args:
        plugin: Its name, or its distribution's.
        contributions: What it brings, ``kind:name``.
        profile: A profile that has settings for it.

    Raises:
        UsageError: pytest is not installed.
        QxError: it ended without a report.
    """
    if not all(map(importlib.util.find_spec, ("pytest", "pytest_asyncio"))):
        raise UsageError("checking needs pytest: pip install 'qx-query[testing]'")
    with tempfile.TemporaryDirectory(prefix="qx-check-") as made:
        folder = Path(made)
        (folder / "pytest.ini").write_text(_CONFIG, encoding="utf-8")
        (folder / "test_plugin.py").write_text(_MODULE.format(plugin=plugin, profile=profile), encoding="utf-8")
        report = folder / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-c", str(folder / "pytest.ini"), "--rootdir", str(folder)]
        command += [
            "-p",
            "qx.testing",
            "-p",
            "no:cacheprovider",
            f"--junitxml={report}",
            str(folder / "test_plugin.py"),
        ]
        environment = {name: item for name, item in os.environ.items() if name != "PYTEST_ADDOPTS"}
        done = subprocess.run(  # noqa: S603 - our own interpreter, and files that were made here
            command, capture_output=True, text=True, check=False, env=environment
        )
        if not report.exists() or done.returncode not in (0, 1, 5):
            raise QxError(f"the suites of {plugin} could not be run:\n{(done.stdout + done.stderr)[-2000:]}")
        return CheckReport(plugin=plugin, contributions=_read(report, contributions))


def _read(report: Path, contributions: tuple[str, ...]) -> tuple[Checked, ...]:
    cases: dict[str, list[ElementTree.Element]] = {}
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it just now, for us
        part = next((p for p in case.get("classname", "").split(".") if p.startswith("Test_")), "")
        cases.setdefault(part, []).append(case)
    split = [contribution.partition(":") for contribution in contributions]
    found = [_checked(kind, name, cases) for kind, _, name in split]
    left = [case for suite in cases for case in cases[suite] if suite.startswith("Test_plugin__") or not suite]
    if left:
        found.append(_outcome("plugin", "itself", left))
    return tuple(found)


def _checked(kind: str, name: str, cases: dict[str, list[ElementTree.Element]]) -> Checked:
    suite = title(kind, name)
    if suite not in cases:
        said = "there is no suite for its kind: it was loaded, and that is all"
        return Checked(kind=kind, name=name, passed=1, skipped=(said,))
    return _outcome(kind, name, cases[suite])


def _outcome(kind: str, name: str, cases: list[ElementTree.Element]) -> Checked:
    failed: list[Failed] = []
    skipped: dict[str, None] = {}
    for case in cases:
        wrong = case.find("failure") if case.find("failure") is not None else case.find("error")
        left_out = case.find("skipped")
        if wrong is not None:
            said = (wrong.get("message") or wrong.text or "").strip().splitlines()
            failed.append(Failed(test=case.get("name", ""), reason=said[0] if said else ""))
        elif left_out is not None:
            skipped.setdefault(left_out.get("message", ""))
    passed = sum(not len(case) or all(child.tag in ("properties", "system-out") for child in case) for case in cases)
    return Checked(kind=kind, name=name, passed=passed, failed=tuple(failed), skipped=tuple(skipped))
