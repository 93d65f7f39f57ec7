"""What the pack's page shows is what the command line prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from qx.cli import main
from qx.domain import merge
from qx.packs import load_pack

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "packs" / "ecommerce.md"
pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="the page is not beside the pack")


def commands() -> list[tuple[str, list[str]]]:
    shown = re.findall(r"^```text\n(\$ .*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    found = [part.splitlines() for block in shown for part in re.split(r"^(?=\$ )", block, flags=re.M) if part.strip()]
    return [(lines[0].removeprefix("$ qx "), lines[1:]) for lines in found]


@pytest.mark.parametrize(("command", "expected"), commands())
def test_the_page_shows_what_is_printed(
    command: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from docs.pages import first_missing

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QX_ALLOW_PATHS", str(ROOT / "domains"))
    (tmp_path / "shop.yaml").write_text(f"domains: ['{ROOT}/domains/ecommerce']\n", encoding="utf-8")
    printed = CliRunner().invoke(main, shlex.split(command.replace("-p shop", "-p shop.yaml"))).output
    assert first_missing(expected, printed) is None, printed


def test_the_page_s_own_pack_loads(tmp_path: Path):
    [text] = re.findall(r"^```text\n(schema_version.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    (tmp_path / "pack.yaml").write_text(text, encoding="utf-8")
    house = load_pack(tmp_path)
    knowledge = merge([house, load_pack(ROOT / "domains" / "ecommerce"), load_pack("qx.builtin:general/pack.yaml")])
    assert knowledge.platforms[0].name == "山野商城"
