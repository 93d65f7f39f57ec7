"""The built distribution holds all that the pack is, and is found by its entry point alone."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACK = Path(__file__).parents[1]
BUILD = "import hatchling.build, sys; print(hatchling.build.build_wheel(sys.argv[1]))"
pytestmark = pytest.mark.skipif(not (PACK / "pyproject.toml").is_file(), reason="the distribution's source is not here")


@pytest.mark.slow
def test_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("hatchling")
    subprocess.run([sys.executable, "-c", BUILD, str(tmp_path)], cwd=PACK, capture_output=True, timeout=60, check=True)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    held = {path.name for path in (tmp_path / "site" / "qx_ecommerce").iterdir()}
    assert {path.name for path in (PACK / "qx_ecommerce").glob("*.yaml")} <= held
    assert {path.name for path in (tmp_path / "site" / "qx_ecommerce" / "eval").glob("*.jsonl")} == {
        "own.jsonl", "blind.jsonl",
    }  # fmt: skip
    said = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "site")], capture_output=True, text=True, timeout=60, check=False
    )
    assert said.returncode == 0, said.stderr
    assert said.stdout.split() == ["ok", "purchase", "2"]


ALONE = """
import sys
sys.path.insert(0, sys.argv[1])
from datetime import UTC, datetime
from qx import Query
from qx.eval.packs import evaluation_files
from qx.gathering import gather_knowledge
from qx.plugins import Plugins
from qx.rules.understand import RuleUnderstanding
from qx.settings import Profile
plugins = Plugins.load(allow=["qx-query-ecommerce"])
assert [info.status for info in plugins.report() if info.name == "ecommerce"] == ["ok"], plugins.report()
assert plugins.registry("packs").target("ecommerce") == "qx_ecommerce:pack.yaml"
knowledge = gather_knowledge(Profile.model_validate({"name": "a", "tenant": "a", "domains": ["ecommerce"]}), plugins)
read = RuleUnderstanding(knowledge).understand(Query(text="running shoes size 9 under $80"), now=datetime.now(UTC), zone=UTC)
files = evaluation_files("ecommerce", plugins)
assert all(str(file).startswith(sys.argv[1]) for file in files), files
print("ok", *read.intent, len(files))
"""
