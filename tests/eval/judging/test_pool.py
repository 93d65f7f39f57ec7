import subprocess
import sys
from pathlib import Path

import pytest

from qx.errors import DatasetError
from qx.eval.judging.pool import Judged, Pool, key_of, pool_place


def test_a_judgement_is_found_again(tmp_path: Path):
    pool = Pool(tmp_path / "deep" / "pool.sqlite")
    pool.add("k", Judged(values={"grade": 2}, flagged=True), task="relevance", tongue="en", model="m")
    pool.close()
    pool = Pool(tmp_path / "deep" / "pool.sqlite")
    assert pool.find(["k", "other"]) == {"k": Judged(values={"grade": 2}, flagged=True)}
    pool.close()


def test_the_first_judgement_stays(tmp_path: Path):
    pool = Pool(tmp_path / "pool.sqlite")
    for grade in (1, 3):
        pool.add("k", Judged(values={"grade": grade}), task="relevance", tongue="en", model="m")
    assert pool.find(["k"])["k"].values == {"grade": 1}
    pool.close()


def test_many_keys_at_once(tmp_path: Path):
    pool = Pool(tmp_path / "pool.sqlite")
    keys = [f"k{n}" for n in range(1201)]
    for key in keys[::2]:
        pool.add(key, Judged(values={"grade": 0}), task="relevance", tongue="en", model="m")
    assert len(pool.find(keys)) == 601
    pool.close()


def test_the_key_is_everything_that_could_change_the_judgement():
    shown = {"query": "q", "document": {"text": "d"}}
    plain = key_of("relevance", "en", "m", shown)
    assert plain == key_of("relevance", "en", "m", {"document": {"text": "d"}, "query": "q"})
    others = [
        key_of("relevance", "zh", "m", shown),
        key_of("relevance", "en", "m2", shown),
        key_of("queries", "en", "m", shown),
        key_of("relevance", "en", "m", {**shown, "query": "Q"}),
        key_of("relevance", "en", "m", shown, way="in lists of 5"),
    ]
    assert len({plain, *others}) == 6


def test_another_rubric_is_another_key(monkeypatch: pytest.MonkeyPatch):
    from qx.eval.judging import rubrics

    before = key_of("relevance", "en", "m", {})
    monkeypatch.setitem(rubrics.REMINDER, "en", "Be strict.")  # type: ignore[arg-type]
    rubrics.version.cache_clear()
    try:
        assert key_of("relevance", "en", "m", {}) != before
    finally:
        monkeypatch.undo()
        rubrics.version.cache_clear()


WRITER = """
import sys
from pathlib import Path
from qx.eval.judging.pool import Judged, Pool
pool = Pool(Path(sys.argv[1]))
for n in range(200):
    pool.add(f"{sys.argv[2]}-{n % 150}", Judged(values={"grade": n % 4}), task="relevance", tongue="en", model="m")
    pool.add(f"both-{n}", Judged(values={"grade": 1}), task="relevance", tongue="en", model="m")
pool.close()
"""


def test_several_processes_write_at_once(tmp_path: Path):
    path = tmp_path / "pool.sqlite"
    started = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in ("one", "two")]
    assert [process.wait(timeout=100) for process in started] == [0, 0]
    pool = Pool(path)
    assert len(pool.find([f"{who}-{n}" for who in ("one", "two") for n in range(150)])) == 300
    assert len(pool.find([f"both-{n}" for n in range(200)])) == 200
    pool.close()


def test_what_is_no_pool_is_an_error_that_names_it(tmp_path: Path):
    path = tmp_path / "pool.sqlite"
    path.write_text("no database, but text that is long enough to be looked at " * 20)
    with pytest.raises(DatasetError, match="move the file away"):
        Pool(path)


def test_it_lies_in_qxs_own_folder():
    assert pool_place().parts[-3:] == ("eval", "judged", "pool.sqlite")
