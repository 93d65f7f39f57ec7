"""Filled-in sheets, right and wrong."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from qx.errors import DatasetError, UsageError
from qx.eval.sheets import Item, Key, blinded, read_sheets, write_key, write_sheet
from qx.eval.sheets.items import sheet_of
from qx.eval.sheets.people import read_ratings, write_ratings
from qx.eval.sheets.questions import COVERAGE, USEFUL
from qx.eval.sheets.ratings import address, read_value

ITEMS = [
    Item(query=query, text=query, condition=condition, kind="simple", queries=(query, f"{query} {condition}"))
    for query in ("tea", "红茶")
    for condition in ("rules", "model")
]


@pytest.fixture
def key() -> Key:
    made = blinded(ITEMS, name="log", asking="queries", tongue="en", seed=3)
    write_key(made)
    return made


def filled(path: Path, key: Key, **columns: list[Any]) -> Path:
    """Write the sheet and fill columns D to F in, row by row."""
    write_sheet(key, path)
    letters = {"relevance": 4, "coverage": 5, "useful": 6}
    if path.suffix == ".xlsx":
        book = openpyxl.load_workbook(path)
        for name, values in columns.items():
            for row, item in enumerate(values, 2):
                book.worksheets[0].cell(row=row, column=letters[name]).value = item
        book.save(path)
        return path
    rows = list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))
    for name, values in columns.items():
        for row, item in enumerate(values, 1):
            rows[row][letters[name] - 1] = "" if item is None else str(item)
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    return path


@pytest.mark.parametrize("ending", [".xlsx", ".csv"])
def test_a_sheet_that_is_filled_in_in_part(tmp_path: Path, key: Key, ending: str):
    path = filled(tmp_path / f"anna{ending}", key, relevance=[5, None, 1.0, "４"], useful=["yes", "否", None, " Y "])
    known, ratings = read_sheets([("anna", path)])
    assert known == key
    rows = list(key.rows)
    assert {(r.row, r.question, r.value) for r in ratings} == {
        (rows[0], "relevance", 5), (rows[2], "relevance", 1), (rows[3], "relevance", 4),
        (rows[0], "useful", 1), (rows[1], "useful", 0), (rows[3], "useful", 1),
    }  # fmt: skip


@pytest.mark.parametrize("ending", [".xlsx", ".csv"])
def test_every_wrong_value_is_told_with_its_cell(tmp_path: Path, key: Key, ending: str):
    path = filled(
        tmp_path / f"bo{ending}", key, relevance=[6, 0, "good", 3], coverage=[2.5, 3, 4, -1], useful=["maybe", 1, 0, 2]
    )
    with pytest.raises(DatasetError) as error:
        read_sheets([("bo", path)])
    said = str(error.value)
    for cell, what in (
        ("D2", "6"),
        ("D3", "0"),
        ("D4", "good"),
        ("E2", "2.5"),
        ("E5", "-1"),
        ("F2", "maybe"),
        ("F5", "2"),
    ):
        assert f"bo{ending}: {cell}: " in said
        assert f"'{what}'" in said
    assert said.count("\n") == 6
    assert "a whole number from 1 to 5" in said
    assert "yes or no (是 or 否)" in said


def test_several_raters_and_one_in_two_files(tmp_path: Path, key: Key):
    one = filled(tmp_path / "a.xlsx", key, relevance=[1, 2, None, None])
    two = filled(tmp_path / "b.csv", key, relevance=[None, 2, 3, 4])
    _, ratings = read_sheets([("anna", one), ("anna", two)])
    assert [r.value for r in sorted(ratings, key=lambda r: list(key.rows).index(r.row))] == [1, 2, 3, 4]
    _, ratings = read_sheets([("anna", one), ("bo", two)])
    assert len(ratings) == 5


def test_one_rater_cannot_say_two_things_of_one_row(tmp_path: Path, key: Key):
    one = filled(tmp_path / "a.csv", key, relevance=[1, None, None, None])
    two = filled(tmp_path / "b.csv", key, relevance=[2, None, None, None])
    with pytest.raises(DatasetError, match=r"b\.csv: D2: relevance: anna gave this row 1 before and 2 here"):
        read_sheets([("anna", one), ("anna", two)])


@pytest.mark.parametrize(("tongue", "yes", "no"), [("en", "yes", "no"), ("zh", "是", "否")])
def test_what_was_said_before_is_told_as_raters_write_it(tmp_path: Path, key: Key, tongue: Any, yes: str, no: str):
    spoken = replace(key, tongue=tongue)
    one = filled(tmp_path / "a.csv", spoken, useful=["yes", None, None, None])
    two = filled(tmp_path / "b.csv", spoken, useful=["否", None, None, None])
    with pytest.raises(DatasetError, match=f"useful: anna gave this row {yes} before and {no} here"):
        read_sheets([("anna", one), ("anna", two)], write_key(spoken, tmp_path / "key.json"))


def test_an_id_that_was_changed_is_told(tmp_path: Path, key: Key):
    path = filled(tmp_path / "a.xlsx", key, relevance=[1, 2, 3, 4])
    book = openpyxl.load_workbook(path)
    book.worksheets[0]["A3"].value = "mine"
    book.worksheets[0]["A6"].value = None
    book.worksheets[0]["D7"].value = 3
    book.save(path)
    with pytest.raises(DatasetError) as error:
        read_sheets([("a", path)])
    assert "A3: 'mine' is no id of this sheet" in str(error.value)
    assert "A7: 'nothing' is no id of this sheet" in str(error.value)


def test_sheets_of_two_makings_are_not_mixed(tmp_path: Path, key: Key):
    other = blinded(ITEMS, name="log", asking="queries", tongue="en", seed=4)
    write_key(other)
    one = filled(tmp_path / "a.csv", key, relevance=[1, 1, 1, 1])
    two = filled(tmp_path / "b.csv", other, relevance=[1, 1, 1, 1])
    with pytest.raises(DatasetError) as error:
        read_sheets([("a", one), ("b", two)])
    assert str(error.value).startswith(f"{two}: A2: it is a sheet of another making ({other.sheet})")
    assert "A3" not in str(error.value)  # told once, not for each of its rows


def test_every_row_s_id_says_of_which_sheet_it_is(key: Key):
    assert {sheet_of(row) for row in key.rows} == {key.sheet}
    assert [sheet_of(said) for said in ("mine", "", "2026-05-01", key.sheet, f"{key.sheet}-", f"{key.sheet}-1x")] == [
        None
    ] * 6


def test_a_row_that_a_rater_wrote_in_does_not_name_the_sheet(tmp_path: Path, key: Key):
    path = filled(tmp_path / "anna.csv", key, relevance=[1, 1, 1, 1])
    rows = list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))
    rows.insert(1, ["2026-05-01", *rows[1][1:]])  # a date, and no key is of 2026
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    with pytest.raises(DatasetError, match="A2: '2026-05-01' is no id of this sheet"):
        read_sheets([("anna", path)])


def test_the_key_may_lie_elsewhere(tmp_path: Path):
    made = blinded(ITEMS, name="log", asking="queries", tongue="zh", seed=9)
    place = write_key(made, tmp_path / "secret.json")
    path = filled(tmp_path / "a.xlsx", made, relevance=[1, 2, 3, 4])
    assert read_sheets([("a", path)], place)[0] == made
    with pytest.raises(DatasetError, match="--key FILE"):
        read_sheets([("a", path)])
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(DatasetError, match="not the key of a sheet"):
        read_sheets([("a", path)], tmp_path / "bad.json")


@pytest.mark.parametrize("header", ["a,b,c", "id,comment", "id,relevance 1-5,relevance 1-5", ""])
def test_what_is_no_sheet(tmp_path: Path, key: Key, header: str):
    path = tmp_path / "x.csv"
    path.write_text(f"{header}\n1,2,3\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"x\.csv"):
        read_sheets([("x", path)], None)


def test_columns_may_be_moved_and_added(tmp_path: Path, key: Key):
    rows = list(key.rows)
    path = tmp_path / "moved.csv"
    path.write_text(f"relevance 1-5,my notes,id\n4,hm,{rows[0]}\n\n,,{rows[1]}\n", encoding="utf-8")
    _, ratings = read_sheets([("x", path)])
    assert [(r.row, r.value) for r in ratings] == [(rows[0], 4)]


def test_no_file_is_refused():
    with pytest.raises(UsageError, match="at least one"):
        read_sheets([])


@pytest.mark.parametrize(
    ("said", "value"),
    [("1", 1), ("5.0", 5), ("５", 5), (" 3 ", 3), ("0", None), ("6", None), ("4.5", None), ("nan", None), ("inf", None),
     ("1e0", 1), ("", None), ("三", None)],
)  # fmt: skip
def test_values_of_a_scale(said: str, value: int | None):
    assert read_value(COVERAGE, said) == value


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("yes", 1),
        ("YES", 1),
        ("是", 1),
        ("1", 1),
        ("TRUE", 1),
        ("no", 0),
        ("否", 0),
        ("0", 0),
        ("perhaps", None),
        ("2", None),
    ],
)
def test_values_of_yes_and_no(said: str, value: int | None):
    assert read_value(USEFUL, said) == value


@pytest.mark.parametrize(
    ("column", "row", "said"), [(0, 1, "A1"), (4, 7, "E7"), (25, 2, "Z2"), (26, 2, "AA2"), (701, 3, "ZZ3")]
)
def test_addresses(column: int, row: int, said: str):
    assert address(column, row) == said


def test_ratings_for_judges_are_medians_and_come_back(tmp_path: Path, key: Key):
    files = [
        (name, filled(tmp_path / f"{name}.csv", key, coverage=[value, None, None, None]))
        for name, value in (("a", 1), ("b", 2), ("c", 5))
    ]
    known, ratings = read_sheets(files)
    path = tmp_path / "ratings.jsonl"
    write_ratings(known, ratings, path)
    (found,) = read_ratings(path)
    assert found.values == {"coverage": 2}
    assert found.item == next(iter(key.rows.values()))
    path.write_text('{"text": "x"}\n')
    with pytest.raises(DatasetError, match="no rated row"):
        read_ratings(path)
