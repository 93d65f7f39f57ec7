"""Operations of plugins on the command line: flags from fields, events as they come, results as text and JSON."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any, Literal

import click
import notebook
import pytest
from pydantic import BaseModel, Field, computed_field

from qx.cli.operation_options import given, parameters
from qx.model import Model
from qx.plugins import Plugins

from .conftest import Run

LOAD = Plugins.load
PLUGINS = LOAD(allow=(), modules=[notebook])


@pytest.fixture(autouse=True)
def _with_the_notebook(monkeypatch: pytest.MonkeyPatch, own_folder: Path):
    monkeypatch.setattr(Plugins, "load", classmethod(lambda cls, **options: PLUGINS))
    (own_folder / "profiles").mkdir()
    (own_folder / "profiles" / "shop.yaml").write_text("tenant: shop\nnotes: {limit: 7}\n")


def test_help_lists_them_without_importing_them(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("qx.registry.Registry.get", lambda self, name: pytest.fail(f"{name} was imported"))
    listed = run("--help").out
    assert "count" in listed
    assert "add, ask-all, limit, shout: of the plugin notebook" in listed
    below = run("notes", "--help").out
    assert "Keep a note." in below
    assert "Say it aloud." in below


def test_names_are_completed_without_importing_them(monkeypatch: pytest.MonkeyPatch):
    from click.shell_completion import ShellComplete

    from qx.cli.app import cli

    monkeypatch.setattr("qx.registry.Registry.get", lambda self, name: pytest.fail(f"{name} was imported"))
    completing = ShellComplete(cli, {}, "qx", "_QX_COMPLETE")
    assert [item.value for item in completing.get_completions(["notes"], "a")] == ["add", "ask-all"]
    assert "notes" in [item.value for item in completing.get_completions([], "no")]


def test_a_request_is_its_fields(run: Run):
    shown = run("notes", "ask-all", "--help").out
    assert "Usage: qx notes ask-all [OPTIONS] QUESTION..." in shown
    assert "Search, read the first hits" in shown
    for part in (
        "--limit INTEGER",
        "[default: 2]",
        "--style [short|long]",
        "--read / --no-read",
        "--user USER",
        "--events",
    ):
        assert part in shown
    assert "--tags TEXT" in run("notes", "add", "--help").out


def test_a_result_is_a_document(run: Run):
    done = run("notes", "add", "buy", "tea", "--tags", "a", "--tags", "b", "--user", "ann", "-p", "shop", "--json")
    assert (done.code, json.loads(done.out), done.err) == (0, {"count": 1}, "")
    assert run("notes", "add", "-", "--user", "ann", stdin="买茶\n".encode()).out == "notes.add\n  count: 1\n"


def test_events_are_lines_the_result_last(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("asyncio.sleep", _at_once)
    done = run("count", "--to", "2", "--events")
    assert [json.loads(line) for line in done.out.splitlines()] == [
        {"event": "step", "data": {"n": 1}},
        {"event": "step", "data": {"n": 2}},
        {"event": "result", "data": {"total": 2}},
    ]
    assert run("count", "--json", "--events").code == 2


async def _at_once(seconds: float) -> None:
    return


def test_a_person_sees_progress_beside_the_result(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("asyncio.sleep", _at_once)
    done = run("count", "--to", "2")
    assert done.err == "step: n 1\nstep: n 2\n"
    assert done.out == "count\n  total: 2\n"
    assert run("count", "--to", "2", "-q").err == ""


def test_who_is_meant_must_be_said(run: Run):
    done = run("notes", "add", "x")
    assert (done.code, done.out) == (7, "")
    assert "say whose (--user" in done.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["count", "--to", "many"], 2, "to: input should be a valid integer"),
        (["notes", "ask-all", "x", "--limit", "9"], 2, "limit: input should be less than or equal to 5"),
        (["notes", "ask-all", "x", "--style", "odd"], 2, "'odd' is not one of"),
        (["notes", "ask-all"], 2, "Missing argument 'QUESTION...'"),
        (["notes", "ask-al", "x"], 2, "did you mean 'ask-all'?"),
        (["note", "x"], 2, "did you mean 'notes'?"),
        (["notes", "ask-all", "x"], 3, "names no search backend"),
        (["notes", "ask-all", "x", "-p", "shpo"], 3, "did you mean 'shop'?"),
    ],
)
def test_what_is_wrong_is_one_line_and_a_code(run: Run, arguments: list[str], code: int, said: str):
    done = run(*arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert done.err.startswith("error: ")
    assert len(done.err.splitlines()) == 1


def test_a_tool_for_a_model(run: Run):
    made = json.loads(run("schema", "operation", "notes.ask-all").out)
    assert made["type"] == "function"
    assert made["function"]["name"] == "notes_ask_all"
    assert made["function"]["parameters"]["required"] == ["question"]
    assert "user" not in json.dumps(made["function"]["parameters"]["properties"])
    assert list(json.loads(run("schema", "operation", "notes.ask-all", "--part", "events").out)) == [
        "reading",
        "warned",
    ]
    assert "answer" in json.loads(run("schema", "operation", "notes.ask-all", "--part", "result").out)["properties"]
    assert "question" in json.loads(run("schema", "operation", "notes.ask-all", "--part", "request").out)["properties"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["operation"], 2, "name an operation: count, notes.add, notes.ask-all"),
        (["operation", "notes.ask"], 3, "did you mean 'notes.ask-all'?"),
        (["search", "count"], 2, "qx schema operation count"),
        (["search", "--part", "result"], 2, "go with 'operation' alone"),
    ],
)
def test_what_has_no_schema(run: Run, arguments: list[str], code: int, said: str):
    done = run("schema", *arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_a_command_of_a_plugin_of_qx_that_is_not_installed(run: Run):
    done = run("serve", "why")
    assert (done.code, done.out) == (2, "")
    assert "No such command 'serve': it comes with qx-query-service" in done.err


def test_a_command_of_ones_own_stands_beside_them(run: Run):
    assert run("notes", "shout").out == "NOTES\n"
    assert json.loads(run("notes", "limit", "-p", "shop").out) == {"limit": 7}


def test_a_broken_one_breaks_nothing_else(run: Run, monkeypatch: pytest.MonkeyPatch):
    import types

    from qx import Contribution, hookimpl

    module = types.ModuleType("broken_operations")

    def qx_operations() -> list[Any]:
        return [
            Contribution(name="gone", target="no_such_module:Gone"),
            Contribution(name="odd", target="json:dumps"),
            Contribution(name="grp.odd", target="notebook:Plain"),
        ]

    module.qx_operations = hookimpl(qx_operations)  # type: ignore[attr-defined]
    made = LOAD(allow=(), modules=[notebook, module])
    monkeypatch.setattr(Plugins, "load", classmethod(lambda cls, **options: made))
    assert "gone" in run("--help").out
    assert (run("gone").code, run("odd").code, run("grp", "odd").code) == (3, 3, 3)
    assert "no_such_module" in run("gone").err
    assert "a class with a method `run`" in run("odd").err
    assert run("notes", "shout").out == "NOTES\n"


def test_a_call_is_recorded_and_repeated(run: Run, own_folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("asyncio.sleep", _at_once)
    first = run("count", "--to", "2", "--record", "tape.jsonl", "--json")
    assert (first.code, json.loads(first.out)) == (0, {"total": 2})
    assert run("count", "--to", "2", "--replay", "tape.jsonl", "--json").out == first.out
    missing = run("count", "--to", "3", "--replay", "tape.jsonl")
    assert (missing.code, missing.out) == (4, "")
    assert "holds no call" in missing.err
    assert run("count", "--record", "a", "--replay", "tape.jsonl").code == 2


# ---- options ----


class Every(BaseModel):
    class Budget(Model):
        rounds: int = 3
        seconds: float = 30

    first: str
    second: int
    day: date | None = None
    kinds: tuple[Literal["a", "b"], ...] = ()
    on: bool = True
    budget: Budget = Budget()
    labels: dict[str, str] = Field(default={}, description="Words to mark it by.")
    rows: list[Budget] = []
    n: float | None = None
    odd_name: str = Field(default="x", alias="odd-name")


def parsed(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def take(**values: Any) -> None:
        found.update(given(Every, values))

    command = click.Command("every", params=parameters(Every), callback=take)
    command.main(list(arguments), standalone_mode=False)
    return found


def test_every_kind_of_field():
    found = parsed(
        "one", "2", "--day", "2026-11-29", "--kinds", "a", "--kinds", "b", "--no-on", "--budget", "rounds=5, seconds=9",
        "--labels", '{"x": "y=z"}', "--rows", '{"rounds": 1}', "--n", "1.5", "--odd-name", "z",
    )  # fmt: skip
    made = Every.model_validate(found)
    assert (made.first, made.second, made.day, made.kinds) == ("one", 2, date(2026, 11, 29), ("a", "b"))
    assert (made.on, made.budget, made.labels) == (False, Every.Budget(rounds=5, seconds=9), {"x": "y=z"})
    assert (made.rows, made.n, made.odd_name) == ([Every.Budget(rounds=1)], 1.5, "z")


def test_what_is_not_given_is_left_to_the_model():
    assert parsed("one", "2") == {"first": "one", "second": "2"}
    assert Every.model_validate(parsed("one", "2")).on is True


@pytest.mark.parametrize("wrong", ["rounds", "=3", "{rounds: 1"])
def test_an_object_is_pairs_or_json(wrong: str):
    with pytest.raises(click.UsageError, match="budget"):
        parsed("one", "2", "--budget", wrong)


# ---- as a program ----


@pytest.mark.slow
def test_events_come_while_it_runs_and_a_reader_may_leave(tmp_path: Path):
    from .test_installed import install

    source = (
        (Path(__file__).parents[1] / "notebook.py").read_text("utf-8").replace("asyncio.sleep(1)", "asyncio.sleep(0.3)")
    )
    loud = source.replace("class Count:", "print('loud at import')\n\n\nclass Count:")
    environment = install(tmp_path / "site", {"notebook": loud})
    program = subprocess.Popen(
        [sys.executable, "-m", "qx", "count", "--to", "50", "--events"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    assert program.stdout is not None
    assert json.loads(program.stdout.readline()) == {"event": "step", "data": {"n": 1}}
    assert program.poll() is None
    program.stdout.close()
    assert program.wait(20) == 141
    assert program.stderr is not None
    assert b"Traceback" not in program.stderr.read()
    program.stderr.close()


@pytest.mark.parametrize("how", [(), ("--json",), ("--events",)], ids=str)
def test_a_known_secret_is_in_no_form_of_the_result(how: tuple[str, ...], run: Run, monkeypatch: pytest.MonkeyPatch):
    class Telling(Model):
        total: int = 0

        @computed_field
        @property
        def key(self) -> str:
            return "sk-canary-1234567890"

    async def tells(self: object, engine: object, request: object, principal: object, /) -> Any:
        yield Telling()

    monkeypatch.setattr(notebook.Count, "Result", Telling)
    monkeypatch.setattr(notebook.Count, "run", tells)
    monkeypatch.setenv("NOTES_API_KEY", "sk-canary-1234567890")
    done = run("count", "-p", "shop", *how)
    assert done.code == 0
    assert "canary" not in done.out + done.err
    assert "[redacted]" in done.out
    if not how:
        monkeypatch.setattr(notebook.Count, "text", lambda self, item: item.key, raising=False)
        assert "canary" not in run("count", "-p", "shop").out
