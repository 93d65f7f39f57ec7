"""Several things that are wrong are told in one error; a plugin that is named and failed raises with its cause."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from qx.errors import PluginError, ProfileError
from qx.plugins import Plugins
from qx.profiles.loading import load_profile


def profile(folder: Path, text: str) -> Path:
    path = folder / "shop.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plugins:
    for name in ("QX_PLUGINS", "QX_DISABLE", "QX_STRICT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "qxt_torn", raising=False)
    (tmp_path / "qxt_torn.py").write_text("raise RuntimeError('no such device')\n")
    info = tmp_path / "qx_query_torn-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: qx-query-torn\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[qx]\ntorn = qxt_torn\n")
    return Plugins.load(allow=["torn"])


@pytest.mark.parametrize("name", ["qx-query-torn", "torn", "QX_Query_Torn"])
def test_a_plugin_that_failed_and_is_named_raises(broken: Plugins, tmp_path: Path, name: str):
    path = profile(tmp_path, f"tenant: shop\nplugins: [{name}]\n")
    with pytest.raises(PluginError, match=r"shop\.yaml:2.*plugins\.0.*RuntimeError.*no such device") as caught:
        load_profile(path, plugins=broken, env={})
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_a_plugin_that_failed_and_is_not_named_takes_nothing_along(broken: Plugins, tmp_path: Path):
    assert load_profile(profile(tmp_path, "tenant: shop\n"), plugins=broken, env={}).tenant == "shop"
    assert load_profile(profile(tmp_path, "tenant: shop\nplugins: []\n"), plugins=broken, env={}).tenant == "shop"


def test_every_variable_that_is_not_set_is_told(tmp_path: Path):
    text = (
        "tenant: shop\nllm: {provider: openai, model: m, api_key: '${FIRST_KEY}'}\n"
        "embedder: {provider: openai, model: e, api_key: 'x${THIRD_KEY}', api_base: '${SECOND_URL}'}\n"
    )
    with pytest.raises(ProfileError) as caught:
        load_profile(profile(tmp_path, text), env={})
    said = str(caught.value)
    assert all(f"${{{name}}} is not set" in said for name in ("FIRST_KEY", "SECOND_URL"))
    assert "embedder.api_key: a variable must be the whole value" in said


def test_every_name_that_is_not_installed_is_told(broken: Plugins, tmp_path: Path):
    text = "tenant: shop\nplugins: [nope, torn, neither]\ncache: {type: nowhere}\nobservers: [nobody]\n"
    with pytest.raises(ProfileError) as caught:
        load_profile(profile(tmp_path, text), plugins=broken, env={})
    assert all(f"{name!r}" in str(caught.value) for name in ("nope", "neither", "nowhere", "nobody"))


def test_a_time_zone_is_a_name_and_no_number_of_hours(tmp_path: Path):
    with pytest.raises(ProfileError, match="not an IANA time zone") as caught:
        load_profile(profile(tmp_path, "tenant: shop\ntimezone: 8\n"), env={})
    assert "quote it" not in str(caught.value)
