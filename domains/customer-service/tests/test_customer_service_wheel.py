"""The built distribution holds all that the pack is, and is found by its entry point alone."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACK = Path(__file__).parents[1]
BUILD = "import hatchling.build, sys; print(hatchling.build.build_wheel(sys.argv[1]))"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PACK / "pyproject.toml").is_file(), reason="the distribution's source is not here"),
]
ALONE = """
import sys
sys.path.insert(0, sys.argv[1])
from datetime import UTC, datetime
from qx import Query
from qx.domain import merge
from qx.eval.packs import evaluation_files
from qx.packs import load_pack
from qx.plugins import Plugins
from qx.rules.understand import RuleUnderstanding
plugins = Plugins.load(allow=["qx-query-customer-service"])
assert [info.status for info in plugins.report() if info.name == "customer-service"] == ["ok"], plugins.report()
assert plugins.registry("packs").target("customer-service") == "qx_customer_service:pack.yaml"
files = evaluation_files("customer-service", plugins)
assert all(str(file).startswith(sys.argv[1]) for file in files), files
knowledge = merge([plugins.registry("packs").get("customer-service"), load_pack("qx.builtin:general/pack.yaml")])
read = RuleUnderstanding(knowledge).understand(Query(text="我付不了款"), now=datetime.now(UTC), zone=UTC)
print("ok", *read.intent, len(files))
"""


def test_the_wheel(tmp_path: Path):
    pytest.importorskip("hatchling")
    subprocess.run([sys.executable, "-c", BUILD, str(tmp_path)], cwd=PACK, capture_output=True, timeout=60, check=True)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    held = {path.name for path in (tmp_path / "site" / "qx_customer_service").iterdir()}
    assert {path.name for path in (PACK / "qx_customer_service").glob("*.yaml")} <= held
    rows = {path.name for path in (tmp_path / "site" / "qx_customer_service" / "eval").glob("*.jsonl")}
    assert rows == {"own.jsonl", "blind.jsonl"}
    said = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "site")], capture_output=True, text=True, timeout=60, check=False
    )
    assert said.returncode == 0, said.stderr
    assert said.stdout.split() == ["ok", "fault", "2"]
