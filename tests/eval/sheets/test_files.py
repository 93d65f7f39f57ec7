"""Sheets written and read back, as spreadsheet programs would."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import DatasetError, UsageError
from qx.eval.sheets.cells import cell_text, is_formula, neutral
from qx.eval.sheets.files import read_cells, write_sheet
from qx.eval.sheets.items import Item, Key, blinded

EVIL = ('=HYPERLINK("http://x","y")', "+1+1", "-2+3", "@SUM(A1)", "＝1＋1", "\t=1", "  =1")


def key(*texts: str, asking: str = "queries", tongue: str = "en", **more: Any) -> Key:
    items = [
        Item(query=str(n), text=text, condition="a", queries=(text, f"{text} review"), answer=text, **more)
        for n, text in enumerate(texts)
    ]
    return blinded(items, name="log", asking=asking, tongue=tongue, seed=1)  # type: ignore[arg-type]


@pytest.fixture
def page(tmp_path: Path):
    def made(of: Key) -> Any:
        (path,) = write_sheet(of, tmp_path / "sheet.xlsx")
        book = openpyxl.load_workbook(path)
        return book.worksheets[0]

    return made


def test_what_begins_like_a_formula_stays_text_in_xlsx(page: Any):
    found = page(key(*EVIL))
    cells = [found.cell(row=row, column=2) for row in range(2, 2 + len(EVIL))]
    assert {cell.data_type for cell in cells} == {"s"}
    assert {cell.value for cell in cells} == set(EVIL)
    assert all(cell.quotePrefix for cell in cells)


def test_and_in_csv(tmp_path: Path):
    path, _ = write_sheet(key(*EVIL), tmp_path / "sheet.csv")
    rows = list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))
    texts = [row[1] for row in rows[1:]]
    assert all(text.startswith("'") for text in texts)
    assert {text[1:] for text in texts} == set(EVIL)


@given(text=st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_no_cell_of_csv_begins_a_formula(text: str):
    assert neutral(text)[:1] not in set("=+-@\t\r\n＝＋－＠")
    assert neutral(text).removeprefix("'") in (cell_text(text), cell_text(text).removeprefix("'"))


def test_ordinary_text_is_left_as_it_is():
    for text in ("C++ vs C#", "红茶", "3.5 mm", "a=b", "e-mail"):
        assert not is_formula(text)
        assert neutral(text) == text


def test_what_no_cell_may_hold_is_taken_out_and_long_text_cut(page: Any):
    found = page(key("a\x00b\ud800c\x0bd", "x" * 40_000))
    texts = {found.cell(row=2, column=2).value, found.cell(row=3, column=2).value}
    assert "ab?cd" in texts
    assert max(map(len, texts)) == 32_000


def test_the_page_is_made_for_rating(page: Any):
    found = page(key("tea", "红茶"))
    assert [cell.value for cell in found[1]] == [
        "id", "original query", "queries", "relevance 1-5", "coverage 1-5", "useful yes/no", "comment",
    ]  # fmt: skip
    assert found.freeze_panes == "C2"
    assert found.cell(row=2, column=3).alignment.wrap_text
    assert found.cell(row=2, column=3).value.startswith("1. ")
    rules = {str(rule.sqref): rule for rule in found.data_validations.dataValidation}
    assert rules["D2:D3"].formula1 == '"1,2,3,4,5"'
    assert rules["F2:F3"].formula1 == '"yes,no"'
    assert all(rule.type == "list" and rule.showErrorMessage for rule in rules.values())


def test_in_chinese_with_instructions_of_their_own(tmp_path: Path):
    (path,) = write_sheet(key("红茶", tongue="zh"), tmp_path / "sheet.xlsx")
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["评分", "说明"]
    assert book["评分"].cell(row=1, column=6).value == "有用 是/否"
    said = "\n".join(str(row[0].value) for row in book["说明"].iter_rows())
    assert "覆盖度 1-5" in said
    rules = [rule.formula1 for rule in book["评分"].data_validations.dataValidation]
    assert '"是,否"' in rules


def test_answers_are_asked_other_questions(page: Any):
    found = page(key("what is tea", asking="answers"))
    assert [cell.value for cell in found[1]][2:7] == [
        "answer", "accuracy 1-5", "completeness 1-5", "relevance 1-5", "fluency 1-5",
    ]  # fmt: skip


def test_results_have_a_column_where_they_are_shown(page: Any):
    found = page(key("tea", results=("Tea shop", "Tea pot")))
    assert found.cell(row=1, column=4).value == "results"
    assert found.cell(row=2, column=4).value == "1. Tea shop\n2. Tea pot"


def test_chinese_csv_opens_in_excel_as_it_is(tmp_path: Path):
    path, said = write_sheet(key("红茶"), tmp_path / "sheet.csv")
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert "红茶" in path.read_bytes().decode("utf-8-sig")
    assert said.name == "sheet.txt"
    assert "coverage" in said.read_text(encoding="utf-8-sig")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_is_read_as_programs_save_it(tmp_path: Path, encoding: str, separator: str):
    path = tmp_path / "s.csv"
    text = (
        separator.join(("编号", "原查询", "相关性 1-5"))
        + "\r\n"
        + separator.join(("a-1", '"红,茶;x\ny"', "4"))
        + "\r\n"
    )
    path.write_bytes(text.encode(encoding))
    assert read_cells(path) == [["编号", "原查询", "相关性 1-5"], ["a-1", "红,茶;x\ny", "4"]]


def test_xlsx_is_read_back(tmp_path: Path):
    made = key("红茶", "tea")
    (path,) = write_sheet(made, tmp_path / "s.xlsx")
    cells = read_cells(path)
    assert cells[0][0] == "id"
    assert [row[0] for row in cells[1:3]] == list(made.rows)


def test_the_ratings_page_is_found_wherever_it_stands(tmp_path: Path):
    (path,) = write_sheet(key("红茶", tongue="zh"), tmp_path / "s.xlsx")
    book = openpyxl.load_workbook(path)
    book.move_sheet("说明", offset=-1)
    book.save(path)
    assert read_cells(path)[0][0] == "编号"


@pytest.mark.parametrize("name", ["s.xlsx", "s.csv"])
def test_what_is_no_sheet_is_refused_with_its_name(tmp_path: Path, name: str):
    path = tmp_path / name
    path.write_bytes(b"\x00\xff\xfe\x81garbage\xff" * 3)
    if name == "s.csv":
        path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DatasetError, match=name.replace(".", r"\.")):
        read_cells(path)
    with pytest.raises(DatasetError, match="cannot be read"):
        read_cells(tmp_path / f"none-{name}")


def test_other_endings_are_refused(tmp_path: Path):
    with pytest.raises(UsageError, match=r"\.xlsx or \.csv"):
        write_sheet(key("tea"), tmp_path / "sheet.ods")
    with pytest.raises(UsageError, match=r"\.xlsx or \.csv"):
        read_cells(tmp_path / "sheet.ods")
