"""The built distribution holds all that the pack is, and is found by its entry point alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from qx.testing.packs import check_wheel

PACK = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.skipif(not (PACK / "pyproject.toml").is_file(), reason="the distribution's source is not here")
def test_the_wheel(tmp_path: Path):
    pytest.importorskip("hatchling")
    check_wheel(PACK, tmp_path, query="papers by Barbara Liskov", intent="author")
