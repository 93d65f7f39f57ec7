"""Logs of searches: grades out of clicks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qx.errors import DatasetError
from qx.eval.datasets import load_dataset
from qx.eval.datasets.clicks import grade


def log(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def search(query: str, shown: str, clicked: str = "", **more: Any) -> dict[str, Any]:
    return {"query": query, "shown": list(shown), "clicked": list(clicked), **more}


def test_what_stands_below_the_lowest_click_was_not_seen(tmp_path: Path) -> None:
    path = log(tmp_path, *[search("tea", "abcd", "b")] * 3, *[search("Ｔｅａ", "bacd", "b")] * 2)
    found = load_dataset(path, impressions=3)
    (only,) = found.queries
    assert only.text == "tea"  # the spelling that comes most often
    assert found.grades[only.id] == {"a": 0, "b": 3}  # `a` was passed over three times; nobody saw `c`


def test_a_search_without_a_click_tells_nothing(tmp_path: Path) -> None:
    path = log(tmp_path, *[search("tea", "ab", "a")] * 5, *[search("tea", "ab")] * 95)
    found = load_dataset(path)
    assert list(found.grades.values()) == [{"a": 3}]


def test_a_position_bias_is_no_merit(tmp_path: Path) -> None:
    """`a` has most clicks because it is first; of those who looked further, all took `b`."""
    path = log(tmp_path, *[search("tea", "ab", "a")] * 40, *[search("tea", "ab", "b")] * 60)
    (grades,) = load_dataset(path).grades.values()
    assert grades == {"a": 2, "b": 3}


def test_rows_of_one_session_are_one_search(tmp_path: Path) -> None:
    rows = [search("tea", "ab", "a", session="s")] * 9 + [search("tea", "ab", "b", session=str(n)) for n in range(5)]
    (grades,) = load_dataset(log(tmp_path, *rows)).grades.values()
    assert grades == {"a": 1, "b": 3}
    pages = [search("tea", "ab", session="t"), search("tea", "cd", "d", session="t")]
    (grades,) = load_dataset(log(tmp_path, *pages), impressions=1).grades.values()
    assert grades == {"a": 0, "b": 0, "c": 0, "d": 3}


def test_what_was_not_seen_often_enough_is_not_judged(tmp_path: Path) -> None:
    path = log(tmp_path, *[search("tea", "ab", "a")] * 5, *[search("coffee", "ab", "b")] * 4)
    found = load_dataset(path)
    assert [q.text for q in found.queries] == ["tea"]
    assert found.notes == ("1 query without a judgement is left out",)
    with pytest.raises(DatasetError, match=r"no document was seen 6 times for one query \(at most 5 times\)"):
        load_dataset(path, impressions=6)


def test_a_table(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text('query,shown,clicked\n茶,"[""a"", ""b""]","[""b""]"\n茶,a|b,b\n茶,a|b,\n', "utf-8")
    (grades,) = load_dataset(path, impressions=2).grades.values()
    assert grades == {"a": 0, "b": 3}


def test_ids_do_not_depend_on_the_order(tmp_path: Path) -> None:
    rows = [*[search("tea", "ab", "a")] * 5, *[search("茶", "ab", "b")] * 5]
    one = load_dataset(log(tmp_path, *rows))
    other = load_dataset(log(tmp_path, *reversed(rows)))
    assert one.grades == other.grades


@pytest.mark.parametrize(("share", "made"), [(0, 0), (0.04, 0), (0.05, 1), (0.29, 1), (0.3, 2), (0.6, 3), (1, 3)])
def test_grades(share: float, made: int) -> None:
    assert grade(share) == made


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"query": " ", "shown": ["a"], "clicked": []}, "a search without its query"),
        ({"query": "tea", "shown": ["a"], "clicked": ["b"]}, "'b' was clicked but not shown"),
        ({"query": "tea", "shown": {"a": 1}, "clicked": []}, "`shown` is no list"),
        ({"query": "tea", "shown": [["a"]], "clicked": []}, "which is no id"),
        ({"query": "tea", "shown": [True], "clicked": []}, "which is no id"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    path = log(tmp_path, search("tea", "a", "a"), row)
    with pytest.raises(DatasetError, match=r"log\.jsonl:2: ") as refused:
        load_dataset(path)
    assert said in str(refused.value)


@pytest.mark.parametrize("between", [",", ";", " ", ", "])
def test_ids_in_a_table_that_are_separated_otherwise(tmp_path: Path, between: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(f'query,shown,clicked\n茶,"a{between}b","a{between}b"\n', "utf-8")
    with pytest.raises(
        DatasetError, match=r"csv:2: `shown` is .*is that one id, or several\?.*separate ids by \|, or write a"
    ):
        load_dataset(path, impressions=1)
    whole = json.dumps([f"a{between}b"]).replace('"', '""')
    path.write_text(f'query,shown,clicked\n茶,"{whole}","{whole}"\n', "utf-8")
    (grades,) = load_dataset(path, impressions=1).grades.values()
    assert grades == {f"a{between}b": 3}
