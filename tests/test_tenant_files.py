"""What lies in a folder of profiles beside profiles stops nobody, and every file that a pack is made of counts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from engines import PLUGINS
from qx.cli.app import cli
from qx.domain import DomainPack
from qx.engines import Engines
from qx.errors import ProfileError
from qx.packs import read_entry
from qx.registry import Entry
from qx.tenants import TenantFolder

RULES = "understand: {mode: rules}\n"
PACK = "schema_version: 1\nname: bikes\ntaxonomy: general\nsynonyms: [{file: %s}]\n"


@pytest.mark.parametrize("name", ["notes.txt", "any", "looping.yaml"])
async def test_a_link_that_leads_nowhere_stops_nobody_else(name: str, tmp_path: Path) -> None:
    (tmp_path / "acme.yaml").write_text(RULES)
    (tmp_path / name).symlink_to(name)
    async with Engines(tmp_path, plugins=PLUGINS, every=None, linger=0) as engines:
        await engines.get("acme")
        (tmp_path / "acme.yaml").write_text(RULES + "expand: {limit: 7}\n")
        (tmp_path / "late.yaml").write_text(RULES)
        assert [change.what for change in await engines.reload()] == ["reloaded"]
        assert (await engines.get("acme")).profile.expand.limit == 7
        await engines.get("late")


async def test_a_profile_that_is_such_a_link_is_said_where_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "acme.yaml").symlink_to("acme.yaml")
    async with Engines(tmp_path, plugins=PLUGINS, every=None, linger=0) as engines:
        with pytest.raises(ProfileError, match=r"acme\.yaml"):
            await engines.get("acme")


async def test_a_profile_that_becomes_such_a_link_goes_on_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "acme.yaml"
    path.write_text(RULES)
    async with Engines(tmp_path, plugins=PLUGINS, every=None, linger=0) as engines:
        engine = await engines.get("acme")
        path.unlink()
        path.symlink_to(path.name)
        assert [change.what for change in await engines.reload()] == ["refused"]
        assert await engines.get("acme") is engine


def test_the_check_of_a_folder_says_which_link_it_is(tmp_path: Path) -> None:
    (tmp_path / "acme.yaml").write_text(RULES)
    (tmp_path / "looping.yaml").symlink_to("looping.yaml")
    (tmp_path / "notes.txt").symlink_to("notes.txt")
    found = CliRunner().invoke(cli, ["profile", "check", str(tmp_path)])
    assert found.exit_code != 0
    assert "acme" in found.stdout
    assert "looping.yaml" in found.stderr
    assert "notes.txt" not in found.stderr


def test_a_folder_where_one_may_not_look_is_nobodys_profile(tmp_path: Path) -> None:
    (tmp_path / ("x" * 200 + ".yaml")).symlink_to("/proc/" + "y" * 300)
    (tmp_path / "acme.yaml").write_text(RULES)
    folder = TenantFolder(tmp_path)
    folder.look()
    assert "acme" in folder.tenants


@pytest.mark.parametrize("name", ["words.json", "words.syn", "words"])
@pytest.mark.parametrize("domain", ["./bikes", "./bikes/pack.yaml"])
async def test_an_edit_of_a_packs_words_is_seen_whatever_their_file_is_called(
    name: str, domain: str, tmp_path: Path
) -> None:
    words = tmp_path / "bikes" / name
    words.parent.mkdir()
    words.write_text(json.dumps({"synonyms_set": [{"synonyms": "brake, stopper"}]}))
    (tmp_path / "bikes" / "pack.yaml").write_text(PACK % name)
    (tmp_path / "acme.yaml").write_text(RULES + f"domains: [{domain}]\n")
    async with Engines(tmp_path, plugins=PLUGINS, every=None, linger=0) as engines:
        await engines.get("acme")
        assert await engines.reload() == ()
        words.write_text("brake, anchor\n")
        assert [change.what for change in await engines.reload()] == ["reloaded"]
        known = (await engines.get("acme")).knowledge.synonyms["brake"]
        assert [word for word, _ in known] == ["anchor"]


async def test_an_edit_of_what_a_pack_includes_is_seen_where_the_profile_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "bikes").mkdir()
    (tmp_path / "bikes" / "pack.yaml").write_text(
        "schema_version: 1\nname: bikes\ntaxonomy: general\ninclude: [more.yaml]\n"
    )
    more = tmp_path / "bikes" / "more.yaml"
    more.write_text("lexicon: [derailleur]\n")
    (tmp_path / "acme.yaml").write_text(RULES + "domains: [./bikes/pack.yaml]\n")
    async with Engines(tmp_path, plugins=PLUGINS, every=None, linger=0) as engines:
        await engines.get("acme")
        more.write_text("lexicon: [crankset]\n")
        assert [change.what for change in await engines.reload()] == ["reloaded"]
        assert "crankset" in (await engines.get("acme")).knowledge.lexicon


def test_an_installed_packs_words_are_read_again_when_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "words.json"
    words.write_text("brake, stopper\n")
    (tmp_path / "pack.yaml").write_text(PACK % words.name)
    entry = Entry(name="bikes", target=str(tmp_path / "pack.yaml"), origin="test")
    first = read_entry("packs", entry)
    assert read_entry("packs", entry) is first
    words.write_text("brake, anchor\n")
    os.utime(words, ns=(1, 1))
    again = read_entry("packs", entry)
    assert isinstance(again, DomainPack)
    assert again.synonyms[0].words == ("brake", "anchor")
