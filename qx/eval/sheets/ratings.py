"""Ratings out of filled-in sheets: every value checked, every complaint with the address of its cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from qx.errors import DatasetError, UsageError
from qx.eval.sheets.cells import narrow
from qx.eval.sheets.files import Cells, read_cells
from qx.eval.sheets.items import Key, key_place, read_key, sheet_of
from qx.eval.sheets.layout import columns_of
from qx.eval.sheets.questions import QUESTIONS, Question
from qx.serial import value

_YES = frozenset({"yes", "y", "true", "是", "有", "对", "1", "✓", "√"})
_NO = frozenset({"no", "n", "false", "否", "没有", "不", "0", "✗", "×"})
_SHOWN = 20


@value
class Rating:
    """What one rater says of one row: a number on the question's scale (no 0, yes 1)."""

    rater: str
    row: str
    question: str
    value: int


def read_sheets(files: Sequence[tuple[str, Path]], key: Path | None = None) -> tuple[Key, tuple[Rating, ...]]:
    """Read what raters filled in.

    Args:
        files: Rater and file; one rater may have filled in several.
        key: The key of the sheet; None: where ``qx eval sheet make`` keeps it.

    Raises:
        DatasetError: values are wrong (each with the address of its cell), a file is no sheet, two sheets are not the
            same, one rater rated a row twice and otherwise, the key is not there.
        UsageError: no file is named, or its name does not end in .xlsx or .csv.
    """
    if not files:
        raise UsageError("name at least one filled-in sheet")
    problems: list[str] = []
    found: dict[tuple[str, str, str], Rating] = {}
    known = read_key(key) if key is not None else None
    for rater, path in files:
        cells = read_cells(path)
        known = known or read_key(_key_of(cells, path))
        for where, rating in _ratings(cells, path, rater, known, problems):
            before = found.setdefault((rating.rater, rating.row, rating.question), rating)
            if before.value != rating.value:
                values = (_written(one.question, one.value, known) for one in (before, rating))
                said = "{} gave this row {} before and {} here".format(rater, *values)
                problems.append(f"{where}: {rating.question}: {said}")
    if problems:
        more = f"\nand {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        raise DatasetError("\n".join(problems[:_SHOWN]) + more)
    if known is None:  # there is at least one file, and each gives a key or raises
        raise UsageError("name at least one filled-in sheet")
    return known, tuple(found.values())


def _key_of(cells: Cells, path: Path) -> Path:
    """Return where the key is kept, by the first row's id."""
    columns = columns_of([_said(cell) for cell in cells[0]] if cells else [], str(path))
    for row in cells[1:]:
        if sheet := sheet_of(_at(row, columns["id"])):
            return key_place(sheet)
    raise DatasetError("no row has an id", file=str(path), hint="keep the column of ids as it was")


def _ratings(cells: Cells, path: Path, rater: str, key: Key, problems: list[str]) -> list[tuple[str, Rating]]:
    columns = columns_of([_said(cell) for cell in cells[0]] if cells else [], str(path))
    questions = {question.id: question for question in QUESTIONS[key.asking] if question.id in columns}
    found: list[tuple[str, Rating]] = []
    for number, row in enumerate(cells[1:], 2):
        id_ = _at(row, columns["id"])
        given = {name: said for name in questions if (said := _at(row, columns[name]))}
        if id_ not in key.rows:
            if (sheet := sheet_of(id_)) not in (None, key.sheet):
                where = f"{path}: {address(columns['id'], number)}"
                problems.append(f"{where}: it is a sheet of another making ({sheet}): read the two apart")
                return []
            if id_ or given:
                where = f"{path}: {address(columns['id'], number)}"
                problems.append(
                    f"{where}: {id_ or 'nothing'!r} is no id of this sheet: copy it from the sheet as it was made"
                )
            continue
        for name, said in given.items():
            where = f"{path}: {address(columns[name], number)}"
            read = read_value(questions[name], said)
            if read is None:
                problems.append(
                    f"{where}: {name} is {said[:40]!r}: write {_choices(questions[name])}, or leave it empty"
                )
            else:
                found.append((where, Rating(rater=rater, row=id_, question=name, value=read)))
    return found


def _written(question: str, value: int, key: Key) -> str:
    """A value as a rater writes it."""
    asked = next(one for one in QUESTIONS[key.asking] if one.id == question)
    choices = asked.choices(key.tongue)
    return choices[0 if value else 1] if asked.yes_no else choices[asked.scale.index(value)]


def _choices(question: Question) -> str:
    return (
        "yes or no (是 or 否)"
        if question.yes_no
        else f"a whole number from {question.scale[0]} to {question.scale[-1]}"
    )


def read_value(question: Question, said: str) -> int | None:
    """Return what a rater wrote as a number on the scale, None where it is none."""
    text = narrow(said).casefold()
    if question.yes_no:
        return 1 if text in _YES else 0 if text in _NO else None
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number in question.scale else None


def _at(row: Sequence[object], place: int) -> str:
    return _said(row[place]) if place < len(row) else ""


def _said(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    text = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
    return narrow(text).removeprefix("'")


def address(column: int, row: int) -> str:
    """Return the address of a cell as spreadsheet programs write it: ``E7``; the column counts from 0."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"


def by_rater(ratings: Sequence[Rating], question: str, rows: Sequence[str]) -> list[list[float | None]]:
    """Return a list a rater, an entry a row, as ``qx.eval.agreement.krippendorff_alpha`` takes them."""
    given: Mapping[str, dict[str, float]] = defaultdict(dict)
    for rating in ratings:
        if rating.question == question:
            given[rating.rater][rating.row] = rating.value
    return [[rated.get(row) for row in rows] for rated in given.values()]
