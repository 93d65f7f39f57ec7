"""Checking a profile gives a plugin's own code a few seconds, and opens nothing."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import field_validator

from qx.errors import PluginError, ProfileError
from qx.gathering import check
from qx.hookspecs import Contribution, hookimpl
from qx.model import Model
from qx.plugins import Plugins

from .conftest import Folder

CANARY = "canary-0123456789"


class Own:
    """A cache that must not be made; ``doing`` is what checking its settings does."""

    doing: ClassVar[Callable[[str], object]] = staticmethod(str)

    class Settings(Model):
        path: str = ""

        @field_validator("path")
        @classmethod
        def _checked(cls, text: str) -> str:
            Own.doing(text)
            return text

    @classmethod
    async def create(cls, settings: Any, services: Any, /) -> Any:
        raise AssertionError("checking opens nothing")


@pytest.fixture
def doing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[str], object]], Plugins]]:
    """Plugins with that cache."""
    release = threading.Event()
    monkeypatch.setattr("qx.profiles.own_settings.SECONDS", 0.2)

    def load(what: Callable[[str], object], target: str = f"{__name__}:Own") -> Plugins:
        Own.doing = staticmethod(lambda text: what(text) if what is not hang else release.wait(20))
        module: Any = types.ModuleType("own")
        module.qx_caches = hookimpl(lambda: [Contribution(name="own", target=target)])
        module.qx_caches.__name__ = "qx_caches"
        return Plugins.load(allow=(), modules=[module])

    yield load
    release.set()
    Own.doing = staticmethod(str)


def hang(text: str) -> None:
    """Replaced by a wait that the test can end."""


def bug(text: str) -> None:
    raise KeyError(text)


def leave(text: str) -> None:
    sys.exit(3)


def interrupt(text: str) -> None:
    raise KeyboardInterrupt


def deep(text: str) -> None:
    deep(text)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (hang, "no answer within 0.2 s"),
        (bug, "KeyError"),
        (leave, "SystemExit"),
        (interrupt, "KeyboardInterrupt"),
        (deep, "RecursionError"),
    ],
)
def test_settings_that_hang_or_break_are_said_with_their_place(
    folder: Folder, doing: Any, what: Callable[[str], object], said: str
):
    with pytest.raises(
        PluginError, match=rf"acme\.yaml:2:3: cache\.type: the settings of cache 'own'.*{said}"
    ) as caught:
        folder.profile(f"cache:\n  type: own\n  path: {CANARY}\n", plugins=doing(what))
    assert CANARY not in str(caught.value)


def test_a_slow_import_makes_no_profile_invalid(
    folder: Folder, doing: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    source = "import time\ntime.sleep(0.5)\nfrom qx.builtin.memory_cache import MemoryCache as Own\n"
    (tmp_path / "slow_to_import.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    plugins = doing(str, target="slow_to_import:Own")
    assert folder.profile("cache: {type: own}\n", plugins=plugins).cache.type == "own"
    with pytest.raises(ProfileError, match="unheard_of"):
        folder.profile("cache: {type: own, unheard_of: 1}\n", plugins=plugins)
    monkeypatch.setattr("qx.profiles.own_settings.IMPORTING", 0.2)
    monkeypatch.delitem(sys.modules, "slow_to_import")
    with pytest.raises(PluginError, match=r"cache 'own': its import: no answer within 0\.2 s"):
        folder.profile("cache: {type: own}\n", plugins=doing(str, target="slow_to_import:Own"))


def test_checking_opens_nothing(folder: Folder, doing: Any):
    plugins = doing(str)
    check(folder.profile("cache: {type: own, path: x}\nexpand: {strategies: [synonym]}\n", plugins=plugins), plugins)
    assert not folder.home.exists()
