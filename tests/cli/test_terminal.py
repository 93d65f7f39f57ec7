"""What a person at a terminal sees: a tree with colour, Chinese unescaped, and a spinner while a model works."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qx.cli import output, story
from qx.cli.state import State

from .conftest import EXPANSION, TEXT, Run, StubEngine


def terminal(*arguments: str, environment: dict[str, str] | None = None) -> tuple[int, str]:
    """Run ``qx`` with a terminal as its standard output; standard error goes to the same place."""
    ours, theirs = pty.openpty()
    variables = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **(environment or {})}
    variables["PYTHONPATH"] = str(Path(__file__).parents[2])
    process = subprocess.Popen([sys.executable, "-m", "qx", *arguments], stdout=theirs, stderr=theirs, env=variables)
    os.close(theirs)
    said = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not chunk:
            break
        said += chunk
    os.close(ours)
    return process.wait(), said.decode("utf-8")


def bare(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_a_terminal_gets_a_tree_with_colour() -> None:
    code, said = terminal("profile", "list")
    assert code == 0
    assert "└── default  built in" in bare(said)
    assert "\x1b[" in said


def test_no_color_is_respected() -> None:
    _, said = terminal("profile", "list", environment={"NO_COLOR": "1"})
    assert "└── default" in bare(said)
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", said)


def test_expanding_by_rules_in_a_terminal() -> None:
    code, said = terminal("expand", "cheap linen shirt for summer, not white")
    lines = bare(said).replace("\r", "").splitlines()
    assert code == 0
    assert "cheap linen shirt for summer, not white" in lines
    assert any(
        re.match(r"├── made by +rules \(no model configured\)|└── made by +rules \(no model", li) for li in lines
    )
    assert any("├── queries" in line for line in lines)


def test_the_tree_of_an_expansion(run: Run, engine: StubEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qx.cli.commands.expand.is_terminal", lambda: True)
    monkeypatch.setattr("qx.cli.output.is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "90")
    lines = run("expand", TEXT).out.splitlines()
    assert lines[0] == TEXT
    assert "├── read as   recommendation · complex, zh · price ≈ 2000 CNY, colour ≠ white · not white" in lines[1]
    assert any(re.fullmatch(r"│   +2  老人手机 大屏 2000元 +refine, for web: for 爸妈 *", line) for line in lines)
    assert "├── dropped   1  `qx explain` shows them" in lines
    assert "├── degraded  expand fell back to rules  model timed out after 2 s" in lines
    assert lines[-1] == "└── made by   rules (no model configured)"


def test_markup_in_a_query_is_text(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qx.cli.output.is_terminal", lambda: True)
    output.write_story(output.Node("", "[bold red]x[/] [link=http://a]y \x1b[31m:smile:"))
    assert capsys.readouterr().out == "[bold red]x[/] [link=http://a]y �[31m:smile:\n"


def test_a_spinner_only_where_a_person_waits_for_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Console:
        def __init__(self, **_: object) -> None: ...

        def status(self, text: object, **_: object) -> object:
            shown.append(str(text))
            return pytest.MonkeyPatch.context()

    monkeypatch.setattr("rich.console.Console", Console)
    with output.spinner("asking m", State()):
        pass
    assert shown == []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with output.spinner(None, State()), output.spinner("quiet", State(verbosity=-1)):
        pass
    assert shown == []
    with output.spinner("asking m", State()):
        assert shown == ["asking m"]


def test_long_stories_are_plain_in_a_pipe() -> None:
    from qx.settings import Profile

    text = "\n".join(output.plain_lines(story.explanation(EXPANSION, Profile())))
    assert "\x1b" not in text
    assert "├" not in text
