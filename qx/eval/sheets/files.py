"""Sheets as files: XLSX (openpyxl) and CSV that Excel opens with Chinese as it is."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from qx.errors import DatasetError, UsageError
from qx.eval.extra import need
from qx.eval.sheets.cells import cell_text, is_formula, neutral
from qx.eval.sheets.items import Key
from qx.eval.sheets.layout import ID_HEADINGS, body, header, layout
from qx.eval.sheets.questions import SHEETS, instructions

Cells = list[list[object]]
"""Rows of a sheet as they stand in the file, the first row first; None: empty."""

MOST_BYTES = 50_000_000
_WIDTHS = {"id": 14, "original": 36, "queries": 60, "answer": 80, "results": 60, "comment": 30}
_QUESTION_WIDTH = 14
_ROWS = 100_000
_COLUMNS = 100


def check_ending(path: Path) -> None:
    """Refuse a file that is neither of both kinds.

    Raises:
        UsageError: its name ends otherwise.
    """
    if path.suffix.lower() not in (".xlsx", ".csv"):
        raise UsageError(f"{path}: a sheet is .xlsx or .csv, by the end of its name")


def write_sheet(key: Key, path: Path) -> tuple[Path, ...]:
    """Write the sheet of ``key``, in the form that the name ends in, and return what was written.

    CSV has no second page: what raters are to do stands beside it, in ``NAME.txt``.

    Raises:
        UsageError: the name ends otherwise, or openpyxl is not installed.
        OSError: it cannot be written.
    """
    check_ending(path)
    if path.suffix.lower() == ".xlsx":
        _workbook(key).save(path)
        return (path,)
    said = path.with_suffix(".txt")
    text = io.StringIO()
    rows = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    empty = [""] * (len(layout(key).questions) + 1)
    rows.writerows([header(key), *([*map(neutral, row), *empty] for row in body(key))])
    path.write_bytes(text.getvalue().encode("utf-8-sig"))  # the mark at the beginning tells Excel that this is UTF-8
    said.write_text("\n".join(instructions(key.asking, key.tongue)) + "\n", encoding="utf-8-sig")
    return (path, said)


def _workbook(key: Key) -> Any:
    openpyxl: Any = need("openpyxl")
    styles: Any = need("openpyxl.styles")
    book = openpyxl.Workbook()
    page = book.active
    page.title, reading = SHEETS[key.tongue]
    wrapped = styles.Alignment(wrap_text=True, vertical="top")
    shown, names = layout(key), header(key)
    for column, name in enumerate(names, 1):
        cell = page.cell(row=1, column=column, value=name)
        cell.font = styles.Font(bold=True)
        cell.fill = styles.PatternFill("solid", fgColor="DDE7F0")
        cell.alignment = wrapped
        width = _WIDTHS.get(shown.columns[column - 1], _QUESTION_WIDTH)
        page.column_dimensions[cell.column_letter].width = width
    for number, row in enumerate(body(key), 2):
        for column, text in enumerate(row, 1):
            _text(page.cell(row=number, column=column), text, wrapped)
        for column in range(len(row) + 1, len(names) + 1):
            page.cell(row=number, column=column).alignment = wrapped
    page.freeze_panes = "C2"
    _validate(page, key)
    about = book.create_sheet(reading)
    about.column_dimensions["A"].width = 110
    for number, line in enumerate(instructions(key.asking, key.tongue), 1):
        _text(about.cell(row=number, column=1), line, wrapped)
    return book


def _text(cell: Any, text: str, alignment: Any) -> None:
    cell.value = cell_text(text)
    cell.data_type = "s"  # else what begins with = would be a formula
    cell.quotePrefix = is_formula(text)  # and stay text when somebody edits the cell
    cell.alignment = alignment


def _validate(page: Any, key: Key) -> None:
    """Let the program offer the scale of each question, and refuse anything else."""
    validation: Any = need("openpyxl.worksheet.datavalidation")
    letters: Any = need("openpyxl.utils")
    shown = layout(key)
    for column, question in enumerate(shown.questions, len(shown.shown) + 1):
        choices = ",".join(question.choices(key.tongue))
        rule = validation.DataValidation(type="list", formula1=f'"{choices}"', allow_blank=True, showErrorMessage=True)
        rule.error, rule.errorTitle = choices, question.label[key.tongue]
        rule.prompt, rule.promptTitle = question.text[key.tongue][:250], question.label[key.tongue][:32]
        rule.showInputMessage = True
        letter = letters.get_column_letter(column)
        rule.add(f"{letter}2:{letter}{len(key.rows) + 1}")
        page.add_data_validation(rule)


def read_cells(path: Path) -> Cells:
    """Read the page of a sheet that holds the ratings.

    Raises:
        UsageError: it is neither XLSX nor CSV by its name, or openpyxl is not installed.
        DatasetError: the file cannot be read.
    """
    check_ending(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror or error}", file=str(path)) from error
    if len(data) > MOST_BYTES:
        raise DatasetError(f"more than {MOST_BYTES // 1_000_000} MB: no rating sheet", file=str(path))
    return _read_xlsx(data, path) if path.suffix.lower() == ".xlsx" else _read_csv(data, path)


def _read_xlsx(data: bytes, path: Path) -> Cells:
    openpyxl: Any = need("openpyxl")
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        pages = [_page(page) for page in book.worksheets]
        book.close()
    except Exception as error:  # openpyxl raises zipfile's, XML's and KeyErrors for what is no workbook
        raise DatasetError(
            f"not a workbook that can be read: {error}", file=str(path), hint="save it as .xlsx"
        ) from error
    chosen = [rows for rows in pages if rows and any(str(cell).strip() in ID_HEADINGS for cell in rows[0])]
    return chosen[0] if chosen else (pages[0] if pages else [])


def _page(page: Any) -> Cells:
    rows = page.iter_rows(max_row=_ROWS, max_col=_COLUMNS, values_only=True)
    return [list(row) for row in rows]


def _read_csv(data: bytes, path: Path) -> Cells:
    text = _decoded(data, path)
    try:
        # as the first line is apart, so are all
        first = text.split("\n", 1)[0]
        separator = max(",;\t", key=first.count)
        csv.field_size_limit(MOST_BYTES)
        return [list[object](row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator)]
    except csv.Error as error:
        raise DatasetError(f"not CSV that can be read: {error}", file=str(path)) from error


def _decoded(data: bytes, path: Path) -> str:
    """Decode what spreadsheet programs write: UTF-8 with or without its mark, UTF-16 ("Unicode text"), else GB 18030."""
    encodings: Sequence[str] = ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "gb18030")
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise DatasetError("neither UTF-8 nor GB 18030", file=str(path), hint="save it as CSV UTF-8")
