"""Every code block of the README and of docs/ runs, page by page, in an empty folder.

- ``<!-- file: NAME -->`` before a block: the block is written to that file of the page's folder.
- ``python`` blocks run one after the other in one namespace; the page's folder can be imported from.
- ``console`` blocks: each ``$ qx …`` runs; the lines below it must occur in its output in that order (``…`` stands for
  anything within a line, a line of ``…`` for any lines).
- ``sh`` blocks hold installation commands; those marked ``<!-- ci -->`` are run by ``.ci/run`` from a fresh checkout.
- ``json``, ``yaml`` and ``text`` blocks without a file must at least parse (text is free).
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^(?:<!-- (?P<mark>[^\n]*?) -->\n)?```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^```$", re.M | re.S)
SETUP = re.compile(r"(sudo |[\w./-]*pip |[\w./-]*python3? |make|git |cd |export |uv |docker |\.venv/|qx |\.ci/run|#|$)")


class Block(NamedTuple):
    mark: str
    language: str
    code: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("code")) + 1
        yield Block(found["mark"] or "", found["language"], found["code"], line)


def matches(expected: list[str], output: str) -> str | None:
    """The first expected line that does not occur, in order, in ``output``; None if all do."""
    lines = [line.rstrip() for line in output.splitlines()]
    at = 0
    for want in filter(None, (line.rstrip() for line in expected)):
        if want.strip() == "…":
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in want.split("…")) + r"\s*$")
        while at < len(lines) and not pattern.match(lines[at]):
            at += 1
        if at == len(lines):
            return want
        at += 1
    return None


def run_console(code: str) -> None:
    from qx.cli import main

    for part in re.split(r"^(?=\$ )", code, flags=re.M):
        if not part.strip():
            continue
        command, *expected = part.splitlines()
        while command.endswith("\\"):
            command = command[:-1] + expected.pop(0).strip()
        command, _, piped = command.removeprefix("$ ").rpartition(" | ") if " | qx " in command else ("", "", command[2:])
        words = shlex.split(piped)
        assert words[0] == "qx", f"only qx commands can be shown with their output: {piped}"
        given = " ".join(shlex.split(command)[1:]) + "\n" if command.startswith("echo ") else None
        result = CliRunner().invoke(main, words[1:], input=given, catch_exceptions=True)
        missing = matches(expected, result.output)
        assert missing is None, f"$ {piped}\nlacks: {missing}\n--- output (exit {result.exit_code}):\n{result.output}"
        if not expected:
            assert result.exit_code == 0, f"$ {piped}\n{result.output}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_code_block_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    for name in [n for n in os.environ if n.startswith(("OPENAI_", "QX_")) and n not in ("QX_HOME", "QX_TEST_DATA")]:
        monkeypatch.delenv(name)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    namespace: dict[str, object] = {"__name__": "__main__"}
    try:
        for block in blocks(page):
            where = f"{page.relative_to(ROOT)}:{block.line}"
            if block.mark.startswith("file: "):
                target = tmp_path / block.mark.removeprefix("file: ").strip()
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(block.code, encoding="utf-8")
            elif block.language == "python":
                exec(compile("\n" * block.line + block.code, where, "exec"), namespace)  # noqa: S102
            elif block.language == "console":
                run_console(block.code)
            elif block.language == "sh":
                for line in block.code.splitlines():
                    assert SETUP.match(line.strip()), f"{where}: not an installation command: {line}"
            elif block.language == "json":
                json.loads(block.code)
            elif block.language == "yaml":
                yaml.safe_load(block.code)
            else:
                assert block.language in ("text", "toml"), f"{where}: a block needs a language"
    finally:
        for name in set(sys.modules) - before:
            if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(sys.modules[name].__file__):
                del sys.modules[name]
