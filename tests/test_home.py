"""Tests keep away from the data of whoever runs them."""

from pathlib import Path

import pytest

from qx.engine import Engine
from qx.paths import home
from qx.profiles import list_profiles, load_profile


def test_the_folder_of_qx_is_a_temporary_one(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch):
    base = tmp_path_factory.getbasetemp()
    assert base in home().parents
    assert not home().exists()
    monkeypatch.delenv("QX_HOME")
    assert base in home().parents


async def test_what_an_engine_keeps_lies_in_it(tmp_path: Path):
    (tmp_path / "acme.yaml").write_text("cache: {type: sqlite}\n", encoding="utf-8")
    async with Engine.opened(load_profile(tmp_path / "acme.yaml")) as engine:
        await engine.expand("linen shirt")
    assert [path.name for path in (home() / "data" / "acme").iterdir()]


def test_nothing_of_another_test_is_there():
    assert not home().exists()
    assert "home" not in {profile.origin for profile in list_profiles()}


def test_plugins_have_it_too(request: pytest.FixtureRequest):
    assert {"own_home", "home_of_this_test", "interrupts_are_heard"} <= set(request.fixturenames)
    assert (Path(__file__).parents[1] / "conftest.py").read_text(encoding="utf-8").count("autouse=True") == 3
