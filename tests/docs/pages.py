"""The pages and their code blocks, and how each kind of block is run."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^(?:<!-- (?P<mark>[^\n]*?) -->\n)?```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^```$", re.M | re.S)
_ASSIGNMENT = re.compile(r"[A-Z_]+=")
WAIT = 60
"""Seconds that a command of another program may take."""


class Block(NamedTuple):
    mark: str
    language: str
    code: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """Yield the code blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("code")) + 1
        yield Block(found["mark"] or "", found["language"], found["code"], line)


def first_missing(expected: list[str], output: str) -> str | None:
    """Return the first expected line that does not occur, in order, in ``output``; None if all do.

    ``…`` stands for anything within a line, a line of ``…`` for any lines; runs of white space are equal.
    """
    lines = [" ".join(line.split()) for line in output.splitlines()]
    at = 0
    for want in (" ".join(line.split()) for line in expected):
        if want in ("", "…"):
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in want.split("…")))
        while at < len(lines) and not pattern.fullmatch(lines[at]):
            at += 1
        if at == len(lines):
            return want
        at += 1
    return None


class Session:
    """One page's folder and Python namespace, in which its blocks run one after the other.

    Args:
        folder: The page's folder, which is the working directory and can be imported from; files are named from here.
        export: Sets an environment variable for the rest of the page.
    """

    def __init__(self, folder: Path, *, export: Callable[[str, str], None]) -> None:
        self._root = self._folder = folder
        self.export = export
        self._namespace: dict[str, object] = {"__name__": "__main__"}
        self._printed = ""

    def write(self, name: str, text: str) -> None:
        """Write a file; a ``pyproject.toml`` also installs its folder's package, as ``pip install -e`` would."""
        target = self._root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        if target.name == "pyproject.toml" and "project" in (told := tomllib.loads(text)):
            _install(self._folder, told["project"])
            if target.parent != self._folder:
                sys.path.insert(0, str(target.parent))  # the page's own change of sys.path is taken back with it

    def enter(self, name: str) -> None:
        """Go into a folder that the page has made; one that it has not is the reader's own."""
        if (self._folder / name).is_dir():
            self._folder /= name
            os.chdir(self._folder)

    def install(self) -> None:
        """Install the package that stands in the folder, as ``pip install -e .`` would."""
        about = self._folder / "pyproject.toml"
        told = tomllib.loads(about.read_text(encoding="utf-8")) if about.exists() else {}
        if "project" in told and str(self._folder) not in sys.path:
            _install(self._folder, told["project"])
            sys.path.insert(0, str(self._folder))

    def python(self, code: str, where: str, line: int) -> None:
        """Run Python; what it prints is kept for ``printed``."""
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                exec(compile("\n" * line + code, where, "exec"), self._namespace)
        finally:
            self._printed = out.getvalue()

    def printed(self, expected: str) -> None:
        """Check what the Python block before this one printed."""
        missing = first_missing(expected.splitlines(), self._printed)
        assert missing is None, f"it does not print: {missing}\n--- it prints:\n{self._printed}"

    def console(self, code: str) -> None:
        """Run each ``$ command`` and check the lines below it."""
        for part in re.split(r"^(?=\$ )", code, flags=re.M):
            if part.strip():
                command, *expected = part.splitlines()
                while command.endswith("\\"):
                    command = command[:-1] + expected.pop(0).strip()
                self._command(command.removeprefix("$ "), expected)

    def _command(self, command: str, expected: list[str]) -> None:
        before, piped, after = command.rpartition(" | qx ")
        given = " ".join(shlex.split(before)[1:]) + "\n" if piped and before.startswith("echo ") else None
        words = shlex.split(f"qx {after}" if piped else command)
        variables: dict[str, str] = {}
        while _ASSIGNMENT.match(words[0]):
            name, _, text = words.pop(0).partition("=")
            variables[name] = text
        status, output = self._run(words, given, variables)
        missing = first_missing(expected, output)
        assert missing is None, f"$ {command}\nlacks: {missing}\n--- output (exit {status}):\n{output}"
        assert expected or status == 0, f"$ {command}\n--- output (exit {status}):\n{output}"

    def _run(self, words: list[str], given: str | None, variables: Mapping[str, str]) -> tuple[int, str]:
        if words[0] == "qx":
            from click.testing import CliRunner

            from qx.cli import main

            result = CliRunner().invoke(main, words[1:], input=given, env=dict(variables))
            return result.exit_code, result.output
        assert words[0] == "pytest", f"only qx and pytest can be shown with their output: {' '.join(words)}"
        done = subprocess.run(
            [sys.executable, "-m", *words, "-p", "no:cacheprovider"],
            cwd=self._folder,
            env={**os.environ, **variables, "PYTHONPATH": os.pathsep.join([str(self._folder), str(ROOT)])},
            capture_output=True,
            text=True,
            timeout=WAIT,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


def _install(folder: Path, project: Mapping[str, object]) -> None:
    """Write the metadata that makes ``folder`` an installed distribution for whoever has it in ``sys.path``."""
    name = str(project["name"])
    info = folder / f"{name.replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(exist_ok=True)
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(about, encoding="utf-8")
    groups = project.get("entry-points") or {}
    assert isinstance(groups, dict)
    lines: list[str] = []
    for group, points in groups.items():
        lines += [f"[{group}]", *(f"{point} = {target}" for point, target in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


in_the_tree = pytest.mark.skipif(
    not (ROOT / "qx").is_dir(), reason="the tests stand beside an installed wheel, not in the whole tree"
)
"""For tests that look at files which a wheel does not have."""
