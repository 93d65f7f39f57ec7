"""A tenant's data folder belongs to the profiles of one folder: a name alone opens nobody else's index."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path

import pytest

from qx import Engine
from qx.errors import NotAllowed, ProfileError
from qx.indexing.writing import Summary
from qx.tenant_folder import own_path, tenant_folder
from qx.testing import TestServices

PROFILE = "understand: {mode: rules}\nsearch: {backends: {docs: {type: local}}}\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def profile(path: Path, text: str = PROFILE) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


async def index(path: Path, *titles: str, sync: bool = False) -> Summary:
    file = path.with_suffix(".jsonl")
    file.write_text("\n".join(json.dumps({"_id": title, "title": title}) for title in titles))
    async with Engine.opened(path) as engine:
        return await engine.indexer().run((file,), adopt=False, sync=sync, strict=False, progress=lambda *_: None)


async def test_two_profiles_of_one_name_do_not_share_an_index(tmp_path: Path) -> None:
    await index(profile(tmp_path / "acme" / "shop.yaml"), "secret plan")
    evil = profile(tmp_path / "evil" / "shop.yaml")
    with pytest.raises(NotAllowed, match=r"tenant 'shop' belongs to the profiles in .*acme.*`path:`"):
        await index(evil, "mine", sync=True)
    async with Engine.opened(tmp_path / "acme" / "shop.yaml") as engine:
        assert [hit.title for hit in (await engine.search("secret plan")).hits] == ["secret plan"]


async def test_nor_does_one_that_claims_the_tenant(tmp_path: Path) -> None:
    await index(profile(tmp_path / "acme" / "shop.yaml"), "secret plan")
    with pytest.raises(NotAllowed):
        await index(profile(tmp_path / "evil" / "other.yaml", "tenant: shop\n" + PROFILE), "mine")


async def test_profiles_of_one_folder_with_one_tenant_are_one(tmp_path: Path) -> None:
    await index(profile(tmp_path / "acme" / "shop.yaml"), "secret plan")
    other = profile(tmp_path / "acme" / "zh.yaml", "tenant: shop\n" + PROFILE)
    async with Engine.opened(other) as engine:
        assert [hit.id for hit in (await engine.search("secret plan")).hits] == ["secret plan"]


@pytest.mark.parametrize("part", ["cache: {type: sqlite}\n", "observers: [jsonl]\n"])
async def test_caches_and_observers_are_apart_too(part: str, tmp_path: Path) -> None:
    async with Engine.opened(profile(tmp_path / "acme" / "shop.yaml", part)) as engine:
        await engine.expand("red shoes")
    with pytest.raises(NotAllowed, match="belongs to the profiles in"):
        await Engine.open(profile(tmp_path / "evil" / "shop.yaml", part))


async def test_with_a_path_of_its_own_nothing_is_shared_and_nothing_refused(tmp_path: Path) -> None:
    await index(profile(tmp_path / "acme" / "shop.yaml"), "secret plan")
    own = PROFILE.replace("local}", "local, path: index}")
    assert (await index(profile(tmp_path / "evil" / "shop.yaml", own), "mine")).indexed == 1


def test_a_folder_of_an_earlier_version_goes_to_the_first_that_opens_it(
    tmp_path: Path, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    old = home / "data" / "shop" / "index-docs"
    old.mkdir(parents=True)
    with caplog.at_level(logging.WARNING):
        assert tenant_folder("shop", tmp_path / "acme") == old.parent
    assert "index-docs" in caplog.text
    assert tenant_folder("shop", tmp_path / "acme") == old.parent
    with pytest.raises(NotAllowed):
        tenant_folder("shop", tmp_path / "evil")
    with pytest.raises(NotAllowed, match="a program's own profile"):
        tenant_folder("shop", None)


def test_the_first_of_two_at_once_is_the_owner(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.link

    def beaten(part: str, place: Path) -> None:
        (home / "data" / "shop" / "owner.json").write_text(json.dumps({"profiles": "/elsewhere"}))
        real(part, place)

    monkeypatch.setattr(os, "link", beaten)
    with pytest.raises(NotAllowed, match="/elsewhere"):
        tenant_folder("shop", tmp_path)
    assert [item.name for item in (home / "data" / "shop").iterdir()] == ["owner.json"]


def test_without_links_the_file_is_written_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", link)
    folder = tenant_folder("shop", tmp_path)
    assert json.loads((folder / "owner.json").read_text()) == {"profiles": str(tmp_path)}


def test_an_owner_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tenant_folder("shop", tmp_path) / "owner.json").write_text("[1")
    with pytest.raises(ProfileError, match="whose folder"):
        tenant_folder("shop", tmp_path)


def test_a_link_to_the_folder_of_the_profiles_is_the_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert tenant_folder("shop", tmp_path / "link") == tenant_folder("shop", tmp_path / "real")


def test_a_named_path_may_lie_in_the_tenants_folder(tmp_path: Path) -> None:
    services = TestServices(tmp_path)
    assert own_path(services.data / "x.db", services) == services.data / "x.db"
    with pytest.raises(NotAllowed, match="leads out"):
        own_path(tmp_path.parent / "x.db", services)
