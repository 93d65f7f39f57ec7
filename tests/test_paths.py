import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import NotAllowed, ProfileError
from qx.paths import allowed_folders, confine, file_name, home, make_private


def test_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert home({"QX_HOME": str(tmp_path / "q")}) == tmp_path / "q"
    monkeypatch.setattr("sys.platform", "linux")
    assert home({"XDG_DATA_HOME": str(tmp_path)}) == tmp_path / "qx"
    assert home({}) == Path.home() / ".local" / "share" / "qx"


def test_paths_start_at_the_folder(tmp_path: Path):
    assert confine("a/b.db", tmp_path) == tmp_path / "a" / "b.db"
    assert confine(tmp_path / "c", tmp_path) == tmp_path / "c"
    assert confine("a/../b", tmp_path) == tmp_path / "b"


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/passwd", "\0"])
def test_paths_stay_under_it(tmp_path: Path, path: str):
    with pytest.raises(NotAllowed):
        confine(path, tmp_path / "p")


def test_a_sibling_whose_name_begins_alike_is_outside(tmp_path: Path):
    with pytest.raises(NotAllowed, match="QX_ALLOW_PATHS"):
        confine("../profiles-of-others/x", tmp_path / "profiles")


def test_links_are_followed(tmp_path: Path):
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "out").symlink_to(tmp_path)
    (tmp_path / "p" / "loop").symlink_to(tmp_path / "p" / "loop")
    with pytest.raises(NotAllowed):
        confine("out/secret", tmp_path / "p")


def test_the_operator_allows_more(tmp_path: Path):
    other = tmp_path / "other"
    allowed = allowed_folders({"QX_ALLOW_PATHS": f"{other}:"})
    assert allowed == (other,)
    assert confine(other / "x", tmp_path / "p", allowed=allowed) == other / "x"
    assert allowed_folders({}) == ()


def test_a_home_that_nobody_knows():
    with pytest.raises(ProfileError, match=r"QX_HOME.*~nobody-of-this-name"):
        home({"QX_HOME": "~nobody-of-this-name/x"})
    with pytest.raises(ProfileError, match="QX_ALLOW_PATHS"):
        allowed_folders({"QX_ALLOW_PATHS": "~nobody-of-this-name/x"})


def test_folders_that_are_made_are_their_owners_alone(tmp_path: Path):
    made = make_private(tmp_path / "home" / "data" / "acme")
    for folder in (made, made.parent, made.parent.parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    open_to_all = tmp_path / "open"
    open_to_all.mkdir(mode=0o755)
    make_private(open_to_all)
    assert open_to_all.stat().st_mode & 0o777 == 0o755  # what is there is its owner's to decide


def test_a_file_in_the_way_of_a_folder(tmp_path: Path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(OSError, match="Not a directory"):
            make_private(path)


@pytest.mark.parametrize("name", ["acme", "acme-2", "a_b", "a.b", "客户", "客户-2", "index-main", "cache.sqlite"])
def test_plain_names_are_names_of_files_as_they_are(name: str):
    assert file_name(name) == name


@pytest.mark.parametrize(
    "names",
    [
        ("a b", "a_b", "a@b", "a+b", "a  b"),
        ("ALPHA", "alpha", "Alpha"),
        ("stra\u00dfe", "strasse", "STRASSE"),
        ("caf\u00e9", "cafe\u0301", "cafe"),
        ("\uff41", "a"),
        ("con", "con~", "con.x", "CON"),
        (".", "..", ".a", "a.", "a", "", "_"),
        ("../x", "x", "/x", "x/", "x\0"),
        ("x" * 100, "x" * 101),
        ("\ud800", "\udfff", "?"),
        ("客 户", "客_户", "客户"),
    ],
)
def test_no_two_names_share_a_file(names: tuple[str, ...]):
    made = [_seen(file_name(name)) for name in names]
    assert len(set(made)) == len(names), made
    assert all(part not in ("con", "con.x") for part in made)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=70), st.text(max_size=70))
def test_any_names(one: str, other: str):
    assert re.fullmatch(r"[^/\\:*?\"<>|\0-\x20.]([^/\\:*?\"<>|\0-\x20]*[^/\\:*?\"<>|\0-\x20.])?", file_name(one))
    assert len(file_name(one).encode()) <= 100
    assert (_seen(file_name(one)) == _seen(file_name(other))) == (one == other)
    assert _seen(file_name(file_name(one))) != _seen(file_name(one)) or file_name(one) == one


def _seen(file: str) -> str:
    """A file's name as a file system sees it that ignores case and composition."""
    return unicodedata.normalize("NFD", file.casefold())


def test_a_backend_of_any_name_stays_in_the_tenants_folder(tmp_path: Path):
    from types import SimpleNamespace

    from qx.builtin.own_file import place

    services = SimpleNamespace(data=tmp_path / "data", folder=tmp_path)
    assert place(None, services, default="index-main") == tmp_path / "data" / "index-main"
    for name in ("../../other", "a/b", "Main"):
        made = place(None, services, default=f"index-{name}")
        assert made.parent == tmp_path / "data"
        assert made.name != "index-main"
