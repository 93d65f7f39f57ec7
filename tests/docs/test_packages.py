"""Every package that the pages show can be built, and holds the modules that its entry points name."""

import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .pages import PAGES, ROOT, blocks

_BUILD = "import hatchling.build, sys; print(hatchling.build.build_wheel(sys.argv[1]))"


def _packages() -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        for block in blocks(page):
            name = block.mark.removeprefix("file: ").strip()
            if name.endswith("pyproject.toml") and "project" in tomllib.loads(block.code):
                yield page, name


@pytest.mark.parametrize(
    ("page", "name"), [pytest.param(p, n, id=f"{p.relative_to(ROOT)}:{n}") for p, n in _packages()]
)
def test_it_builds(page: Path, name: str, tmp_path: Path):
    for block in blocks(page):
        if block.mark.startswith("file: "):
            target = tmp_path / block.mark.removeprefix("file: ").strip()
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.code, encoding="utf-8")
    told = tomllib.loads((tmp_path / name).read_text(encoding="utf-8"))
    assert told["build-system"]["build-backend"] == "hatchling.build"
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, str(tmp_path / "dist")],
        cwd=(tmp_path / name).parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [wheel] = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    for points in told["project"]["entry-points"].values():
        for target in points.values():
            path = target.partition(":")[0].replace(".", "/")
            assert {f"{path}.py", f"{path}/__init__.py"} & held, f"{wheel.name} lacks {target}"
