"""The maps at the top of packages name every module that there is, and none that is gone."""

import ast
import re
from pathlib import Path

import pytest

import qx

HERE = Path(qx.__file__).parent


def told(file: Path) -> set[str]:
    """What a file's docstring puts between backquotes, as names of modules: ``qx.steps.guard`` is ``guard``."""
    said = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return {name.removesuffix(".py").rstrip("/") for name in re.findall(r"``([\w./]+)``", said)}


@pytest.mark.parametrize("package", ["rules", "spending", "in_memory", "fetching"])
def test_every_module_stands_in_the_map_of_its_package(package: str) -> None:
    modules = {file.stem for file in (HERE / package).glob("*.py")} - {"__init__"}
    assert modules - told(HERE / package / "__init__.py") == set()


def test_what_the_engine_s_map_names_is_there() -> None:
    named = {name for name in told(HERE / "engine.py") if name.startswith("qx/")}
    assert {"qx/engines", "qx/spending", "qx/operations", "qx/sections"} <= named
    assert [
        name for name in named if not (HERE.parent / name).is_dir() and not (HERE.parent / f"{name}.py").is_file()
    ] == []
