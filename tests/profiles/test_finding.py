"""Where profiles are found, and how ``extends`` chains them."""

from pathlib import Path
from typing import Any

import pytest

from qx.errors import PathNotAllowed, ProfileError
from qx.profiles import find, list_profiles
from qx.profiles.files import DEFAULT


def test_without_a_name_it_is_the_built_in_default(folder: Any):
    folder.write("profiles/default.yaml", "timezone: Asia/Tokyo")
    profile = folder.load(None)
    assert (profile.name, profile.tenant, profile.timezone) == ("default", "default", "UTC")
    assert profile.llm is None
    assert profile.folder == folder.root
    assert folder.load("default").timezone == "Asia/Tokyo"


def test_a_name_is_looked_for_in_the_project_then_at_home_then_built_in(folder: Any):
    assert find("default", env=folder.env) == DEFAULT
    at_home = folder.write("qx-home/profiles/acme.yaml", "timezone: Asia/Tokyo")
    assert find("acme", env=folder.env) == at_home
    project = folder.write("profiles/acme.yml", "timezone: Asia/Tokyo")
    assert find("acme", env=folder.env) == project
    assert find("acme", beside=at_home.parent, env=folder.env) == at_home


def test_a_file_is_a_file(folder: Any):
    folder.write("elsewhere/mine.yaml", "timezone: Asia/Tokyo")
    for name in ("elsewhere/mine.yaml", Path("elsewhere/mine.yaml"), folder.root / "elsewhere" / "mine.yaml"):
        profile = folder.load(name)
        assert (profile.name, profile.tenant, profile.timezone) == ("mine", "mine", "Asia/Tokyo")
        assert profile.folder == folder.root / "elsewhere"
        assert profile.source == Path(name)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("acne", "did you mean 'acme'"),
        ("profiles/acne.yaml", "did you mean 'acme.yaml'"),
        ("zzzz", "known: acme"),
        ("", "known"),
    ],
)
def test_an_unknown_profile(folder: Any, name: str, hint: str):
    folder.write("profiles/acme.yaml", "")
    with pytest.raises(ProfileError, match="there is no") as caught:
        folder.load(name)
    assert hint in str(caught.value)


def test_the_list_of_profiles(folder: Any):
    folder.write("profiles/acme.yaml", "")
    folder.write("profiles/readme.txt", "")
    folder.write("qx-home/profiles/acme.yaml", "")
    listed = [(p.name, p.origin, p.shadowed) for p in list_profiles(folder.env)]
    assert listed[:2] == [("acme", "project", False), ("acme", "home", True)]
    assert ("default", "built in", False) in listed


def test_extends_looks_beside_the_file_first(folder: Any):
    folder.write("profiles/base.yaml", "timezone: Asia/Tokyo")
    folder.write("team/base.yaml", "timezone: Europe/Paris")
    child = folder.write("team/child.yaml", "extends: base")
    assert folder.load(child).timezone == "Europe/Paris"
    (folder.root / "team" / "base.yaml").unlink()
    assert folder.load(child).timezone == "Asia/Tokyo"


def test_what_stands_beside_the_file_is_known_where_extends_finds_nothing(folder: Any):
    folder.write("team/office.yaml", "timezone: Asia/Tokyo")
    child = folder.write("team/child.yaml", "extends: ofice")
    with pytest.raises(ProfileError, match="did you mean 'office'"):
        folder.load(child)
    child = folder.write("team/child.yaml", "extends: zzzz")
    with pytest.raises(ProfileError, match=r"known: office, .*; looked in \S*/team, ") as caught:
        folder.load(child)
    assert "child" not in str(caught.value).partition("known: ")[2].partition(";")[0]  # it cannot extend itself


def test_a_link_to_the_file_itself_is_not_offered_to_extend(folder: Any):
    folder.write("team/office.yaml", "extends: offize")
    (folder.root / "team" / "offices.yaml").symlink_to("office.yaml")
    with pytest.raises(ProfileError) as caught:
        folder.load(folder.root / "team" / "offices.yaml")
    assert "office" not in str(caught.value).rpartition("'offize'")[2]


def test_extends_names_a_file_too(folder: Any):
    folder.write("profiles/shared/base.yaml", "timezone: Asia/Tokyo")
    assert folder.profile("extends: ./shared/base.yaml").timezone == "Asia/Tokyo"
    folder.write("outside.yaml", "timezone: Asia/Tokyo")
    error = folder.refused("# one\nextends: ../outside.yaml")
    assert (error.line, error.column) == (2, 1)
    assert "leads out of the profile's folder" in str(error)
    folder.env["QX_ALLOW_PATHS"] = str(folder.root)
    assert folder.profile("extends: ../outside.yaml").timezone == "Asia/Tokyo"


def test_a_default_of_one_s_own_extends_the_built_in_one(folder: Any):
    folder.write("profiles/default.yaml", "extends: default\ntimezone: Asia/Tokyo")
    assert folder.load("default").timezone == "Asia/Tokyo"


def test_a_circle_is_named_with_the_whole_chain(folder: Any):
    folder.write("profiles/a.yaml", "extends: b")
    folder.write("profiles/b.yaml", "timezone: UTC\nextends: c")
    folder.write("profiles/c.yaml", "extends: a")
    with pytest.raises(ProfileError, match="circle: a -> b -> c -> a") as caught:
        folder.load("a")
    assert (caught.value.line, Path(caught.value.file or "").name) == (1, "c.yaml")
    folder.write("profiles/own.yaml", "extends: own")
    with pytest.raises(ProfileError, match="circle: own -> own"):
        folder.load("own")


def test_a_base_that_is_not_there(folder: Any):
    folder.write("profiles/common.yaml", "")
    error = folder.refused("limit: 1\nextends: comon")
    assert (error.line, error.hint) == (2, "did you mean 'common'?")
    assert "write extends: default" in str(folder.refused("extends: [a, b]"))


@pytest.mark.parametrize("root", ["profiles", "qx-home/profiles"])
def test_a_profile_below_the_folder_of_profiles_may_build_on_all_of_it(folder: Any, root: str):
    folder.write(f"{root}/base.yaml", "timezone: Asia/Tokyo\ndomains: [./pack]\n")
    folder.write(f"{root}/pack/pack.yaml", "schema_version: 1\nname: own\ntaxonomy: general\n")
    path = folder.write(f"{root}/acme/eu.yaml", "extends: ../base.yaml\n")
    profile = folder.load(path)
    assert profile.timezone == "Asia/Tokyo"
    assert profile.domains == (str(folder.root / root / "pack"),)
    folder.write(f"{root}/acme/us.yaml", "extends: ../../other.yaml\n")
    with pytest.raises(PathNotAllowed, match="leads out") as caught:
        folder.load(folder.root / root / "acme" / "us.yaml")
    assert (caught.value.exit_code, caught.value.line) == (7, 1)


def test_elsewhere_a_profile_stays_in_its_folder(folder: Any):
    folder.write("tenants/base.yaml", "timezone: Asia/Tokyo\n")
    path = folder.write("tenants/acme/eu.yaml", "extends: ../base.yaml\n")
    with pytest.raises(PathNotAllowed, match="QX_ALLOW_PATHS"):
        folder.load(path)


def test_files_that_are_written_stay_in_the_profiles_own_folder(folder: Any):
    path = folder.write("profiles/acme/eu.yaml", "cache: {type: sqlite, path: ../cache.db}\n")
    with pytest.raises(PathNotAllowed, match="leads out"):
        folder.load(path)


def test_an_index_that_lies_elsewhere_is_told_with_its_line(folder: Any):
    block = "search:\n  backends:\n    docs:\n      type: local\n      path: {}\n"
    path = folder.write("profiles/acme/eu.yaml", block.format("../index"))
    with pytest.raises(PathNotAllowed, match=r"search\.backends\.docs\.path: the path '../index' leads out") as caught:
        folder.load(path)
    assert caught.value.line == 5
    folder.load(folder.write("profiles/acme/us.yaml", block.format("index")))
