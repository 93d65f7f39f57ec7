"""What a package imports it declares itself: what only comes along with another one may be gone tomorrow."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECTS = (".", *(str(path.parent.relative_to(ROOT)) for path in sorted(ROOT.glob("[pd]*/*/pyproject.toml"))))
DISTRIBUTIONS = packages_distributions()


def plain(requirement: str) -> str:
    """The name of a distribution, as every way of writing it is one: ``google-re2>=1.1`` -> ``google_re2``."""
    return re.sub(r"[-_.]+", "_", re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0]).lower()


def declared(project: dict[str, object]) -> set[str]:
    extras: dict[str, list[str]] = project.get("optional-dependencies", {})  # type: ignore[assignment]
    needed: list[str] = [*project["dependencies"], *(one for extra in extras.values() for one in extra)]  # type: ignore[misc]
    return {plain(str(project["name"])), *map(plain, needed)}


def imported(file: Path) -> Iterator[str]:
    """The top-level names of the modules that a file imports, at its top or later."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def brought_by(module: str) -> Sequence[str]:
    """The distributions that bring a module; qx brings pydantic too, whose models are a part of its contracts."""
    return {"qx": ["qx-query"], "pydantic": ["pydantic", "qx-query"]}.get(module) or DISTRIBUTIONS.get(module, [module])


@pytest.mark.parametrize("folder", PROJECTS)
def test_what_is_imported_is_declared(folder: str) -> None:
    home = ROOT / folder
    told = tomllib.loads((home / "pyproject.toml").read_text("utf-8"))
    known = declared(told["project"])
    [package] = told["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    missing: dict[str, str] = {}
    for file in (home / package).rglob("*.py"):
        for name in imported(file):
            if name not in (*sys.stdlib_module_names, package) and not known & {plain(one) for one in brought_by(name)}:
                missing[name] = str(file.relative_to(ROOT))
    assert missing == {}


def test_what_is_declared_is_pinned_for_ci() -> None:
    pinned = {plain(line) for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if "==" in line}
    for folder in PROJECTS:
        project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]
        needed = {name for name in map(plain, project["dependencies"]) if not name.startswith("qx_query")}
        assert needed <= pinned, folder
