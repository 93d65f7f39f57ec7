"""The columns of a sheet, whatever the file: what is shown, then the questions, then a remark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qx.errors import DatasetError
from qx.eval.sheets.items import Item, Key
from qx.eval.sheets.questions import HEADINGS, QUESTIONS, Asking, Question
from qx.serial import value

_SHOWN: Mapping[Asking, tuple[str, ...]] = {
    "queries": ("id", "original", "queries"),
    "answers": ("id", "original", "answer"),
}
ID_HEADINGS = frozenset(HEADINGS["id"].values())
_NAMES = {said: name for name, heading in HEADINGS.items() for said in heading.values()}


@value
class Layout:
    """``shown`` names the columns before the questions."""

    shown: tuple[str, ...]
    questions: tuple[Question, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns from left to right, by what they hold."""
        return (*self.shown, *(question.id for question in self.questions), "comment")


def layout(key: Key) -> Layout:
    """Return the columns of the sheet of ``key``; results have one where any are shown."""
    results = ("results",) if any(item.results for item in key.rows.values()) else ()
    return Layout(shown=(*_SHOWN[key.asking], *results), questions=QUESTIONS[key.asking])


def header(key: Key) -> list[str]:
    """Return the first row."""
    made = layout(key)
    shown = [HEADINGS[name][key.tongue] for name in made.shown]
    return [*shown, *(question.label[key.tongue] for question in made.questions), HEADINGS["comment"][key.tongue]]


def body(key: Key) -> list[list[str]]:
    """Return the other rows: ids and what is shown; the cells to fill in are left out."""
    shown = layout(key).shown
    return [[_cell(name, id_, item) for name in shown] for id_, item in key.rows.items()]


def _cell(name: str, id_: str, item: Item) -> str:
    if name == "id":
        return id_
    if name == "original":
        return item.text
    return item.answer if name == "answer" else numbered(item.queries if name == "queries" else item.results)


def numbered(texts: Sequence[str]) -> str:
    """Return texts one a line, counted."""
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, 1))


def columns_of(first: Sequence[str], file: str) -> Mapping[str, int]:
    """Return which column of a filled-in sheet holds what, by its first row; columns that raters added do not count.

    Raises:
        DatasetError: it has no column of ids, no question, or one of them twice.
    """
    labels = {
        said: question.id for group in QUESTIONS.values() for question in group for said in question.label.values()
    }
    found: dict[str, int] = {}
    for place, said in enumerate(first):
        name = _NAMES.get(said.strip()) or labels.get(said.strip())
        if name is None:
            continue
        if name in found:
            raise DatasetError(f"two columns are called {said.strip()!r}", file=file, line=1, hint="keep one of them")
        found[name] = place
    asked = {question.id for group in QUESTIONS.values() for question in group}
    if "id" not in found or not asked & found.keys():
        raise DatasetError(
            "no rating sheet: the first row has no column of ids, or no question",
            file=file,
            line=1,
            hint="keep the first row as `qx eval sheet make` wrote it",
        )
    return found
