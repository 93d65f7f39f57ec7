# ruff: noqa: S101, S603 - tests, though they lie in the package; the program run is this Python
"""Fixtures for the tests of a domain pack, and the test of its wheel.

In the ``conftest.py`` of a pack's tests::

    from qx.testing.packs import *

    @pytest.fixture(scope="session")
    def pack_folder() -> Path:
        return Path(__file__).parents[1]

``pack_folder`` is the distribution's: ``NAME/pyproject.toml`` and ``NAME/qx_NAME/pack.yaml``.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from qx import Engine, Expansion, Profile, Query, Understanding
from qx.domain import DomainPack, Knowledge, merge
from qx.packs import load_pack
from qx.plugins import Plugins
from qx.rules.understand import RuleUnderstanding

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
"""When the tests' queries are asked."""
_BUILD = "import hatchling.build, sys; print(hatchling.build.build_wheel(sys.argv[1]))"
_ALONE = """
import sys
sys.path.insert(0, sys.argv[1])
from datetime import UTC, datetime
from qx import Query
from qx.eval.packs import evaluation_files
from qx.gathering import gather_knowledge
from qx.plugins import Plugins
from qx.rules.understand import RuleUnderstanding
from qx.settings import Profile
distribution, name, target, text = sys.argv[2:]
plugins = Plugins.load(allow=[distribution])
assert [info.status for info in plugins.report() if info.name == name] == ["ok"], plugins.report()
assert plugins.registry("packs").target(name) == target
files = evaluation_files(name, plugins)
assert all(str(file).startswith(sys.argv[1]) for file in files), files
knowledge = gather_knowledge(Profile.model_validate({"name": "a", "tenant": "a", "domains": [name]}), plugins)
read = RuleUnderstanding(knowledge).understand(Query(text=text), now=datetime.now(UTC), zone=UTC)
print("ok", *read.intent)
"""


@pytest.fixture(scope="session")
def pack(pack_folder: Path) -> DomainPack:
    """The pack, read from its folder, whether or not it is installed."""
    return load_pack(pack_folder)


@pytest.fixture(scope="session")
def knowledge(pack: DomainPack) -> Knowledge:
    """What rules know with the pack and the general one."""
    return merge([pack, load_pack("qx.builtin:general/pack.yaml")])


@pytest.fixture(scope="session")
def read(knowledge: Knowledge) -> Callable[[str], Understanding]:
    """What rules read in a query, asked at ``NOW``."""
    rules = RuleUnderstanding(knowledge)

    @cache
    def understood(text: str) -> Understanding:
        return rules.understand(Query(text=text), now=NOW, zone=UTC)

    return understood


@pytest.fixture(scope="session")
def packed(pack_folder: Path) -> Callable[..., Profile]:
    """Makes a profile with the pack, which asks no model and keeps nothing; further settings by keyword."""
    name = pack_folder.name

    def made(**settings: Any) -> Profile:
        data = {
            "name": name, "tenant": name, "domains": [f"./{name}"], "cache": {"type": "none"},
            "understand": {"mode": "rules"}, **settings,
        }  # fmt: skip
        return Profile.model_validate(data).model_copy(update={"folder": pack_folder.parent})

    return made


@pytest.fixture(scope="session")
def expanded(packed: Callable[..., Profile]) -> Callable[[Iterable[str]], dict[str, Expansion]]:
    """What one engine makes of some queries."""

    async def made(texts: Iterable[str]) -> dict[str, Expansion]:
        async with Engine.opened(packed(), plugins=Plugins.load(allow=())) as engine:
            return {text: await engine.expand(Query(text=text, now=NOW)) for text in texts}

    return lambda texts: asyncio.run(made(texts))


def check_wheel(folder: Path, work: Path, *, query: str, intent: str) -> None:
    """Build the distribution's wheel, and check that it holds the pack and works by its entry point alone.

    Args:
        folder: The distribution's.
        work: An empty folder.
        query, intent: Something that the pack reads, and as what.

    Raises:
        AssertionError: something is not in the wheel, or it is read otherwise.
    """
    name = folder.name
    package = f"qx_{name.replace('-', '_')}"
    site = work / "site"
    subprocess.run([sys.executable, "-c", _BUILD, str(work)], cwd=folder, capture_output=True, timeout=60, check=True)
    [wheel] = work.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    held = {path.name for path in (site / package).iterdir()}
    missing = {path.name for path in (folder / package).glob("*.yaml")} - held
    assert not missing, f"the wheel lacks {missing}"
    rows = {path.name for path in (site / package / "eval").glob("*.jsonl")}
    assert rows == {path.name for path in (folder / "eval").glob("*.jsonl")}, f"the wheel has the rows {rows}"
    target = [f"qx-query-{name}", name, f"{package}:pack.yaml", query]
    said = subprocess.run(
        [sys.executable, "-c", _ALONE, str(site), *target],
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False, env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert said.stdout.split()[:2] == ["ok", intent], said.stdout


__all__ = ["NOW", "check_wheel", "expanded", "knowledge", "pack", "packed", "read"]
