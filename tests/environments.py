"""Fresh environments from built wheels, one for each question: does what we publish work where nothing else is?

    python tests/environments.py extras        every extra alone: imports, `qx plugins`, one query
    python tests/environments.py together      all extras in one environment, and two alone
    python tests/environments.py new           every template of `qx new`: made, installed, tested
    python tests/environments.py examples      every sample of docs/examples: built, installed, tested
    python tests/environments.py tutorial      docs/writing-a-plugin.md, typed as it stands there
    python tests/environments.py ci            the last four

Names after the command choose among them: ``extras eval ecommerce``.  Wheels are built once; uv (which the group `dev`
brings) makes an environment of its cache in a second or two.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
ALONE = ("ecommerce", "elasticsearch")
"""The extras that CI tries alone: a pack, and an engine with a client of its own."""
QUERIES = {
    "academic": "survey of LLM alignment since 2023",
    "customer-service": "我付不了款",
    "ecommerce": "5000元以下 轻薄本",
}
QUERY = "电脑开机黑屏 how to fix"
KINDS = ("backend", "provider", "embedder", "processor", "strategy", "domain")

PROBE = '''
"""Imports what an extra brings, and every class of the plugins among it; prints the packs."""
import importlib, json, re, sys
from importlib import metadata
from qx.plugins import Plugins

def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()

tops = {}
for top, owners in metadata.packages_distributions().items():
    for owner in owners:
        tops.setdefault(normal(owner), []).append(top)
wanted = [normal(name) for name in sys.argv[1:]]
for name in wanted:
    own = [top for top in tops.get(name, []) if normal(top) == name] or [t for t in tops.get(name, []) if t[0] != "_"]
    for top in own:
        importlib.import_module(top)
plugins = Plugins.load(strict=True)
packs = []
for info in plugins.report():
    if normal(info.origin) in wanted:
        for contribution in info.contributions:
            kind, _, name = contribution.partition(":")
            plugins.registry(kind).get(name)
            packs += [name] if kind == "packs" else []
print(json.dumps(packs))
'''


def main(arguments: Sequence[str]) -> int:
    commands: dict[str, Callable[[Wheels, Sequence[str]], Iterator[str]]] = {
        "extras": extras,
        "together": together,
        "new": new,
        "examples": examples,
        "tutorial": tutorial,
    }
    command, *names = arguments or ["ci"]
    chosen = ("together", "new", "examples", "tutorial") if command == "ci" else (command,)
    if not set(chosen) <= set(commands):
        print(__doc__)
        return 2
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="qx-environments-") as folder:
        wheels = Wheels(Path(folder))
        print(f"{len(wheels.files)} wheels in {time.monotonic() - began:.0f} s", flush=True)
        for name in chosen:
            last = time.monotonic()
            for said in commands[name](wheels, names):
                print(f"{name}: {said} ({time.monotonic() - last:.1f} s)", flush=True)
                last = time.monotonic()
    print(f"all done in {time.monotonic() - began:.0f} s")
    return 0


# ---- the questions ----


def extras(wheels: Wheels, names: Sequence[str]) -> Iterator[str]:
    """Every extra alone."""
    for name in names or wheels.extras():
        yield _tried(wheels, [name])


def together(wheels: Wheels, names: Sequence[str]) -> Iterator[str]:
    """All of them in one environment, and two alone."""
    known = wheels.extras()
    yield _tried(wheels, known)
    for name in names or [extra for extra in ALONE if extra in known]:
        yield _tried(wheels, [name])


def new(wheels: Wheels, names: Sequence[str]) -> Iterator[str]:
    """Every template: what ``qx new`` makes is installed as its README says, and its tests pass at once."""
    with wheels.environment("qx-query[testing]", "pip", "hatchling", "editables") as env:
        for kind in names or KINDS:
            for over in ("http", "file") if kind == "backend" else (None,):
                plugin = f"{over or 'my'}-thing"
                env.run("qx", "new", kind, plugin, *(("--over", over) if over else ()))
                made = env.folder / f"qx-query-{plugin}"
                env.run("pip", "install", "-q", "--no-build-isolation", "--no-deps", "-e", ".", cwd=made)
                env.run("pytest", "-q", cwd=made)
                listed = json.loads(env.run("qx", "plugins", "--json"))
                told = [one for one in listed if one["origin"] == f"qx-query-{plugin}"]
                if [one["status"] for one in told] != ["ok"]:
                    raise SystemExit(f"`qx plugins` does not show {plugin} as it should: {told}")
                env.run("pip", "uninstall", "-q", "-y", f"qx-query-{plugin}")
                shutil.rmtree(made)
                yield f"{kind}{f' over {over}' if over else ''}: made, installed, tested, listed"


def examples(wheels: Wheels, names: Sequence[str]) -> Iterator[str]:
    """Every sample: its own wheel, in an environment of its own, under its tests."""
    for project in sorted((ROOT / "docs" / "examples").glob("*/pyproject.toml")):
        if names and project.parent.name not in names:
            continue
        [wheel] = wheels.build(project.parent)
        with wheels.environment(str(wheel), "qx-query[testing]") as env:
            shutil.copytree(project.parent / "tests", env.folder / "tests")
            shutil.copy(project, env.folder / "pyproject.toml")
            env.run("pytest", "-q")
            yield f"{project.parent.name}: built, installed, tested"


def tutorial(wheels: Wheels, names: Sequence[str]) -> Iterator[str]:
    """The page for plugin authors, as somebody who has nothing else types it: files, commands, what they print."""
    sys.path.insert(0, str(ROOT / "tests"))
    from docs.pages import blocks, first_missing

    lines = 0
    with wheels.environment("qx-query[testing]", "pip", "hatchling", "editables") as env:
        where = env.folder
        for block in blocks(ROOT / "docs" / "writing-a-plugin.md"):
            if block.mark.startswith("file: "):
                target = env.folder / block.mark.removeprefix("file: ").strip()
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(block.code, encoding="utf-8")
                lines += sum(bool(line.strip()) for line in block.code.splitlines()) if target.suffix == ".py" else 0
            elif block.language == "sh":
                for line in block.code.splitlines():
                    if line.startswith("cd "):
                        where /= line[3:].strip()
                    elif line == "pip install -e .":
                        env.run("pip", "install", "-q", "--no-build-isolation", "--no-deps", "-e", ".", cwd=where)
                    elif not line.startswith("pip install "):  # qx itself is there, from the wheel
                        env.run(*shlex.split(line), cwd=where)
            elif block.language == "console":
                for part in filter(None, block.code.split("$ ")):
                    command, *expected = part.splitlines()
                    printed = env.run(*shlex.split(command), cwd=where)
                    if (missing := first_missing(expected, printed)) is not None:
                        raise SystemExit(f"$ {command}\n{printed}\nlacks: {missing}")
        if lines >= 60:
            raise SystemExit(f"the page asks for {lines} lines of the reader's own")
        yield f"a backend over a format of one's own in {lines} lines"


def _tried(wheels: Wheels, names: Sequence[str]) -> str:
    """Install extras into an environment of their own, import what they bring, list it, and ask one query."""
    with wheels.environment(f"qx-query[{','.join(names)}]") as env:
        (env.folder / "probe.py").write_text(PROBE, encoding="utf-8")
        brought = wheels.requirements(names)
        packs = json.loads(env.run("python", "probe.py", *brought).splitlines()[-1])
        listed = {one["origin"]: one["status"] for one in json.loads(env.run("qx", "plugins", "--json"))}
        plugins = [name for name in brought if name.startswith("qx-query-")]
        if any(listed.get(name) != "ok" for name in plugins) or set(listed.values()) != {"ok"}:
            raise SystemExit(f"`qx plugins` of {', '.join(names)} is not as it should be: {listed}")
        profile = env.folder / "tried.yaml"
        profile.write_text(f"understand: {{mode: rules}}\ndomains: {json.dumps(packs)}\n", encoding="utf-8")
        query = QUERIES.get(names[0], QUERY)
        found = json.loads(env.run("qx", "expand", "-p", str(profile), "--json", query))
        if len(found["queries"]) < 2:
            raise SystemExit(f"with {', '.join(names)} {query!r} has no expansions")
    return f"{', '.join(names)}: imported, {len(listed)} plugins ok, {len(found['queries'])} queries"


# ---- wheels and environments ----


class Wheels:
    """The wheels of this repository, built once.

    Args:
        folder: A temporary one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.folder = folder / "wheels"
        self._uv = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
        for project in (ROOT, *sorted((*ROOT.glob("plugins/*"), *ROOT.glob("domains/*")))):
            if (project / "pyproject.toml").is_file():
                self.build(project)
        self.files = tuple(sorted(self.folder.glob("*.whl")))
        about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        self._extras: dict[str, list[str]] = about["optional-dependencies"]
        self._environments = 0

    def build(self, project: Path) -> list[Path]:
        """Build the wheel of a project and return it."""
        before = set(self.folder.glob("*.whl"))
        own = ("--no-build-isolation", "-p", sys.executable)  # the group `dev` has the build backend
        self._call("build", "-q", "--wheel", *own, "--out-dir", str(self.folder), str(project))
        return sorted(set(self.folder.glob("*.whl")) - before)

    def extras(self) -> list[str]:
        """Return the names of the extras, but the one that stands for others."""
        return [name for name in self._extras if name != "all"]

    def requirements(self, extras: Sequence[str]) -> list[str]:
        """Return the distributions that extras name."""
        listed = [requirement for extra in extras for requirement in self._extras[extra]]
        return list(dict.fromkeys(requirement.split(">")[0].split("<")[0].split("[")[0] for requirement in listed))

    @contextmanager
    def environment(self, *requirements: str) -> Iterator[Environment]:
        """Make an environment with these requirements, which is gone afterwards."""
        self._environments += 1
        folder = self._folder / f"environment-{self._environments}"
        self._call("venv", "-q", "-p", sys.executable, str(folder))
        python = str(folder / "bin" / "python")
        options = ["-q", "--python", python, "--find-links", str(self.folder), "-c", str(ROOT / "constraints.txt")]
        self._call("pip", "install", *options, *requirements)
        self._call("pip", "check", "-q", "--python", python)
        try:
            yield Environment(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _call(self, *command: str) -> None:
        subprocess.run([self._uv, *command], check=True, cwd=self._folder)


class Environment:
    """One environment, with a folder to work in that is outside of the tree."""

    def __init__(self, venv: Path) -> None:
        self._bin = venv / "bin"
        self.folder = venv / "work"
        self.folder.mkdir()

    def run(self, *command: str, cwd: Path | None = None) -> str:
        """Run a program of the environment and return what it prints; one that fails ends all with its output."""
        kept = {name: item for name, item in os.environ.items() if not name.startswith(("QX_", "PYTHON", "OPENAI_"))}
        path = os.pathsep.join((str(self._bin), os.environ.get("PATH", "")))
        own = {
            "PATH": path,
            "VIRTUAL_ENV": str(self._bin.parent),
            "QX_HOME": str(self.folder / "home"),
            "QX_STRICT": "1",
        }
        own |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        program = [str(self._bin / command[0]), *command[1:]]
        where = cwd or self.folder
        done = subprocess.run(program, cwd=where, env=kept | own, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"$ {' '.join(command)}\n{done.stdout}{done.stderr}\nexit {done.returncode}")
        return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
