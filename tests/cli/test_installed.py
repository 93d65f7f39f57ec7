"""``qx plugins`` and ``--help`` with plugins that are broken, and ``qx doctor``."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Result, Run

GOOD = """
import click
from qx.hookspecs import Contribution, hookimpl

@hookimpl
def qx_commands():
    return [
        Contribution(name="greet", target="qx_good:greet"),
        Contribution(name="absent", target="qx_good:nothing"),
        Contribution(name="number", target="qx_good:NUMBER"),
    ]

NUMBER = 7

@click.command()
@click.option("--name", default="world")
def greet(name):
    "Say hello."
    click.echo(f"hello {name}")
"""

PLUGINS = {
    "qx_good": GOOD,
    "qx_import": "raise RuntimeError('no luck today')\n",
    "qx_exit": "import sys\nsys.exit(9)\n",
    "qx_interrupt": "raise KeyboardInterrupt\n",
    "qx_generator": "raise GeneratorExit\n",
    "qx_base": "class Odd(BaseException): pass\nraise Odd('odd')\n",
    "qx_deep": "deep = lambda: deep()\ndeep()\n",
    "qx_quit": "from qx.hookspecs import hookimpl\n@hookimpl\ndef qx_caches():\n    raise KeyboardInterrupt\n",
    "qx_hook": "from qx.hookspecs import hookimpl\n@hookimpl\ndef qx_commands():\n    raise ValueError('bad hook')\n",
    "qx_argument": "from qx.hookspecs import hookimpl\n@hookimpl\ndef qx_commands(unheard_of):\n    return []\n",
    "qx_taken": (
        "from qx.hookspecs import Contribution, hookimpl\n@hookimpl\ndef qx_commands():\n"
        "    return [Contribution(name='expand', target='qx_taken:x')]\n"
    ),
}


def install(site: Path, plugins: dict[str, str]) -> dict[str, str]:
    """Install ``plugins`` into ``site`` and return an environment in which they are there."""
    site.mkdir(exist_ok=True)
    for name, text in plugins.items():
        (site / f"{name}.py").write_text(text, "utf-8")
        info = site / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[qx]\n{name.removeprefix('qx_')} = {name}\n", "utf-8")
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    root = str(Path(__file__).parents[2])
    return {**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{root}"}


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which those plugins are installed."""
    return install(tmp_path / "site", PLUGINS)


def qx(environment: dict[str, str], *arguments: str) -> Result:
    done = subprocess.run(
        [sys.executable, "-m", "qx", *arguments], capture_output=True, env=environment, text=True, check=False
    )
    return Result(done.returncode, done.stdout, done.stderr)


def test_broken_plugins_never_break_help(installed: dict[str, str]) -> None:
    result = qx(installed, "--help")
    assert (result.code, result.err) == (0, "")
    assert "greet" in result.out
    assert "of the plugin good (qx_good 1.0)" in result.out
    assert "Turn a query into the queries to run." in result.out


def test_a_plugins_command_runs(installed: dict[str, str]) -> None:
    assert qx(installed, "greet", "--name", "中文").out == "hello 中文\n"
    absent = qx(installed, "absent")
    assert (absent.code, absent.out) == (3, "")
    assert "nothing" in absent.err
    assert qx(installed, "number").code == 3


def test_plugins_shows_what_is_wrong(installed: dict[str, str]) -> None:
    report = {p["name"]: p for p in json.loads(qx(installed, "plugins", "--json").out)}
    assert (report["good"]["status"], report["good"]["version"]) == ("ok", "1.0")
    assert "commands:greet" in report["good"]["contributions"]
    assert "no luck today" in report["import"]["reason"]
    broken = ("import", "exit", "hook", "argument", "interrupt", "generator", "base", "deep", "quit")
    assert {report[n]["status"] for n in broken} == {"failed"}
    assert report["taken"]["status"] == "clash"
    rows = [line.split("\t") for line in qx(installed, "plugins").out.splitlines()]
    assert ["good", "1.0"] in [row[:2] for row in rows]


LOUD = """
import os, subprocess, sys
from qx.hookspecs import Contribution, hookimpl
from qx.model import Model

def shout(where):
    print(f"loud {where} print")
    os.write(1, f"loud {where} write\\n".encode())
    subprocess.run([sys.executable, "-c", f"print('loud {where} program')"])

shout("import")

@hookimpl
def qx_observers():
    shout("hook")
    return [Contribution(name="loud", target="qx_loud:Loud")]

@hookimpl
def qx_commands():
    return [Contribution(name="sing", target="qx_song:sing")]

class Loud:
    class Settings(Model):
        pass
    wants_content = False

    @classmethod
    async def create(cls, settings, services, /):
        shout("create")
        return cls()

    def on_event(self, event):
        print("loud event")

    async def aclose(self):
        shout("close")
"""
SONG = "import click\nprint('loud command')\n@click.command()\ndef sing():\n    print('la la')\n"


def test_what_plugins_print_is_not_among_the_results(tmp_path: Path) -> None:
    environment = install(tmp_path / "site", {"qx_loud": LOUD, "qx_song": SONG})
    (tmp_path / "p.yaml").write_text("observers: [loud]\n", "utf-8")
    plugins = qx(environment, "plugins", "--json")
    assert {p["name"] for p in json.loads(plugins.out)} >= {"qx", "loud", "song"}
    for way in ("print", "write", "program"):
        assert f"loud import {way}\n" in plugins.err
        assert f"loud hook {way}\n" in plugins.err
    expansion = qx(environment, "expand", "--json", "-p", str(tmp_path / "p.yaml"), "red shoes")
    assert json.loads(expansion.out)["original"] == "red shoes"
    for where in ("create write", "event", "close program"):
        assert f"loud {where}\n" in expansion.err
    assert qx(environment, "sing").out == "la la\n"  # what a plugin's own command prints is its result


QUIT = """
import asyncio, sys
from qx.model import Model
from qx.hookspecs import Contribution, hookimpl

@hookimpl
def qx_observers():
    return [Contribution(name="quit", target="qx_quitter:Quit")]

class Quit:
    class Settings(Model):
        at: str
    wants_content = False

    def __init__(self, at):
        self.at = at

    @classmethod
    async def create(cls, settings, services, /):
        if settings.at == "create":
            sys.exit(9)
        if settings.at == "task":
            async def later():
                await asyncio.sleep(0)
                sys.exit(9)
            cls.task = asyncio.create_task(later())
        return cls(settings.at)

    def on_event(self, event):
        if self.at == "event":
            raise KeyboardInterrupt

    async def aclose(self):
        if self.at == "close":
            sys.exit(9)
"""


@pytest.mark.parametrize(
    ("at", "code", "said"),
    [
        ("create", 3, "observer 'quit'"),
        ("task", 3, "a task of a plugin"),
        ("event", 0, "observer Quit failed"),
        ("close", 0, "observer 'quit'"),
    ],
)
def test_a_plugin_that_ends_the_program_does_not(tmp_path: Path, at: str, code: int, said: str) -> None:
    environment = install(tmp_path / "site", {"qx_quitter": QUIT})
    (tmp_path / "p.yaml").write_text(f"observers: [{{type: quit, at: {at}}}]\n", "utf-8")
    result = qx(environment, "expand", "--json", "-p", str(tmp_path / "p.yaml"), "red shoes")
    assert result.code == code, result.err
    assert said in result.err
    assert "Traceback" not in result.err
    if code == 0:
        assert json.loads(result.out)["original"] == "red shoes"


def test_blocking_and_strictness(installed: dict[str, str]) -> None:
    blocked = qx({**installed, "QX_DISABLE": "good"}, "greet")
    assert blocked.code == 2
    strict = qx({**installed, "QX_STRICT": "1"}, "plugins")
    assert strict.code == 3
    assert qx({**installed, "QX_STRICT": "1"}, "--help").code == 0


def test_doctor_without_a_model(run: Run) -> None:
    result = run("doctor", "--json")
    assert result.code == 0, result.err
    report = json.loads(result.out)
    assert report["profile"]["problem"] == ""
    assert report["model"]["answers"] is None
    assert {"name": "OPENAI_API_KEY", "set": False, "used": False} in report["keys"]
    assert report["packages"]["click"].startswith("8.")
    assert "model: none configured: rules do the work" in run("doctor").out


def test_doctor_with_a_model_that_does_not_answer_and_never_shows_a_key(run: Run, own_folder: Path) -> None:
    os.environ["ACME_API_KEY"] = "canary-77aa12"
    (own_folder / "p.yaml").write_text(
        "llm: {model: m, api_base: 'http://127.0.0.1:9/v1', api_key: '${ACME_API_KEY}', retries: 0, timeout: 2s}\n",
        "utf-8",
    )
    result = run("doctor", "--json", "-p", "p.yaml")
    report = json.loads(result.out)
    assert (result.code, report["code"], report["model"]["answers"]) == (4, 4, False)
    assert {"name": "ACME_API_KEY", "set": True, "used": True} in report["keys"]
    text = run("doctor", "-p", "p.yaml")
    assert "does not answer" in text.out
    assert "canary" not in result.out + result.err + text.out + text.err
    silent = run("doctor", "--no-call", "--json", "-p", "p.yaml")
    assert (silent.code, json.loads(silent.out)["model"]["answers"]) == (0, None)


def test_doctor_with_a_profile_that_is_wrong(run: Run, own_folder: Path) -> None:
    (own_folder / "p.yaml").write_text("expnd: 1\n", "utf-8")
    result = run("doctor", "--json", "-p", "p.yaml")
    report = json.loads(result.out)
    assert (result.code, report["code"]) == (3, 3)
    assert "did you mean 'expand'" in report["profile"]["problem"]
    assert "did you mean 'expand'" in run("doctor", "-p", "p.yaml").out
