"""The public sets over the local backend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from public_sets import agrees_once_indexed, filters_win, measured, needs_data, never_worse, shop_documents

from qx.builtin.local.backend import LocalBackend
from qx.testing import TestServices

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500), needs_data]


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("name", ["shop", "papers", "support"])
async def test_expanding_by_rules_is_never_worse(name: str, capsys: pytest.CaptureFixture[str]):
    told = never_worse(await measured(name, "local", None))
    with capsys.disabled():
        print(f"\nlocal: {told}")


async def test_conditions_win_as_filters(capsys: pytest.CaptureFixture[str]):
    told = filters_win(await measured("constrained", "local", None))
    with capsys.disabled():
        print(f"\nlocal: {told}")


async def test_filters_pages_and_counts_agree_with_the_reference(services: TestServices):
    documents, fields = shop_documents()
    settings: Any = LocalBackend.Settings.model_validate({"name": "shop", "path": "index", "fields": dict(fields)})
    backend = await LocalBackend.create(settings, services)
    await agrees_once_indexed(backend, documents)
