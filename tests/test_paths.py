from pathlib import Path

import pytest

from qx.errors import NotAllowed
from qx.paths import allowed_folders, confine, home


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
