from pathlib import Path

import pytest

from qx.errors import NotAllowed, ProfileError
from qx.paths import allowed_folders, confine, home, make_private


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
    with pytest.raises(ProfileError, match="QX_HOME.*~nobody-of-this-name"):
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
