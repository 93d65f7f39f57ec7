"""Backends that cannot be opened, beside one that can."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from qx import Engine, Profile
from qx.backend import BackendSettings
from qx.errors import BadRequest, PluginError, ProfileError, QxError, Unavailable
from qx.hookspecs import Contribution, hookimpl
from qx.plugins import Plugins
from qx.testing import plugin as testing_plugin

FIELDS = {"price": "metadata.price"}


class Unlucky:
    """Cannot be made."""

    Settings = BackendSettings
    error: Exception

    @classmethod
    async def create(cls, settings: Any, services: Any, /) -> Any:
        raise cls.error


@pytest.fixture
def plugins() -> Plugins:
    def bring() -> list[Contribution[Any]]:
        return [Contribution(name="unlucky", target=f"{__name__}:Unlucky")]

    module = SimpleNamespace(__name__="unlucky_plugin", qx_search_backends=hookimpl(bring))
    return Plugins.load(modules=[testing_plugin, module])


def profile(**backends: Any) -> Profile:
    return Profile.model_validate(
        {"understand": {"mode": "rules"}, "cache": {"type": "none"}, "search": {"backends": backends}}
    )


BOTH = {
    "bad": {"type": "unlucky", "fields": FIELDS},
    "fine": {"type": "scripted", "answers": {"red shoes": ["1", "2"]}},
}


@pytest.mark.parametrize("error", [Unavailable("it is down"), BadRequest("no such thing"), KeyError("version")])
@pytest.mark.parametrize("bad_first", [True, False])
async def test_the_others_are_asked_and_the_search_says_which_was_not(
    plugins: Plugins,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    bad_first: bool,
) -> None:
    monkeypatch.setattr(Unlucky, "error", error, raising=False)
    backends = BOTH if bad_first else dict(reversed(BOTH.items()))
    async with Engine.opened(profile(**backends), plugins=plugins) as engine:
        assert "'bad' cannot be opened" in caplog.text
        result = await engine.search("red shoes")
        assert [hit.id for hit in result.hits] == ["1", "2"]
        assert "bad: " in str(result.partial)
        assert str(error.args[0]) in str(result.partial)
        with pytest.raises(QxError, match=str(error.args[0])):
            await engine.indexer("bad").delete(["1"])
        health = await engine.backend("bad").health()  # type: ignore[attr-defined]
        assert (health.ok, str(error.args[0]) in health.detail) == (False, True)


async def test_where_none_can_be_opened_the_engine_cannot_either(
    plugins: Plugins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Unlucky, "error", Unavailable("it is down"), raising=False)
    for names in (("a",), ("a", "b")):
        with pytest.raises(Unavailable, match="down"):
            await Engine.open(profile(**{name: {"type": "unlucky"} for name in names}), plugins=plugins)


async def test_wrong_settings_and_unknown_types_end_it_as_ever(
    plugins: Plugins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Unlucky, "error", ProfileError("the index cannot be that"), raising=False)
    with pytest.raises(ProfileError, match="cannot be that"):
        await Engine.open(profile(**BOTH), plugins=plugins)
    monkeypatch.setattr(Unlucky, "error", Unavailable("it is down"))
    with pytest.raises(ProfileError, match="unheard_of"):
        await Engine.open(profile(**BOTH, odd={"type": "scripted", "unheard_of": 1}), plugins=plugins)
    with pytest.raises((ProfileError, PluginError), match="nothing_such"):
        await Engine.open(profile(**BOTH, odd={"type": "nothing_such"}), plugins=plugins)
