"""The examples of docs/suites: each is a test file, and passes."""

import subprocess
import sys
from pathlib import Path

import pytest

from .pages import ROOT, blocks

CONFIG = "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\naddopts = -p qx.testing\n"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_every_example_passes(tmp_path: Path) -> None:
    pages = sorted((ROOT / "docs" / "suites").glob("*.md"))
    for page in pages:
        for block in blocks(page):
            (tmp_path / block.mark.removeprefix("file: ").strip()).write_text(block.code, encoding="utf-8")
    assert len(list(tmp_path.glob("test_*.py"))) == len(pages)
    (tmp_path / "pytest.ini").write_text(CONFIG)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
