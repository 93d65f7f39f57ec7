"""``compose.yaml``: what is started is pinned, checked, and heard on this machine alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from .pages import ROOT, in_the_tree

pytestmark = in_the_tree


@pytest.fixture
def services() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]


def test_every_engine_is_a_plugin_of_ours(services: dict[str, Any]) -> None:
    assert services
    assert set(services) <= {folder.name for folder in (ROOT / "plugins").iterdir()}


def test_images_are_plain_names_of_one_version(services: dict[str, Any]) -> None:
    for name, service in services.items():
        image, _, tag = service["image"].partition(":")
        assert re.fullmatch(r"v?\d+\.\d+\.\d+", tag), name
        assert "." not in image.partition("/")[0], f"{name}: the image names a registry"


def test_ports_are_those_of_this_machine(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert service["ports"], name
        for port in service["ports"]:
            assert re.fullmatch(r"127\.0\.0\.1:(\d+):\1", port), name


def test_each_is_checked_and_keeps_what_it_stores(services: dict[str, Any]) -> None:
    volumes = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["volumes"]
    for name, service in services.items():
        check = service["healthcheck"]
        assert check["test"][0] in ("CMD", "CMD-SHELL")
        assert check["test"][1:], name
        assert check["retries"] > 0
        assert {volume.partition(":")[0] for volume in service["volumes"]} <= set(volumes), name


def test_the_page_names_every_engine_and_its_address(services: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "backends" / "README.md").read_text("utf-8")
    for name, service in services.items():
        port = service["ports"][0].split(":")[1]
        assert f"QX_TEST_{name.upper()}_URL=http://localhost:{port}" in page
        assert f"({name}.md)" in page
