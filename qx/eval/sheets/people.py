"""What people said of each row, as JSON lines: what a model as judge is held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median_low

from qx.errors import DatasetError
from qx.eval.datasets.reading import objects
from qx.eval.sheets.items import Item, Key
from qx.eval.sheets.ratings import Rating
from qx.eval.sheets.report import by_row
from qx.serial import from_plain, to_json, value


@value
class RatedItem:
    """A row with what people gave it: question -> the (lower) median of its raters."""

    item: Item
    values: Mapping[str, int]


def write_ratings(key: Key, ratings: Sequence[Rating], path: Path) -> None:
    """Write every rated row of a sheet to ``path``.

    Raises:
        OSError: it cannot be written.
    """
    questions = dict.fromkeys(rating.question for rating in ratings)
    given = {name: by_row(list(key.rows), ratings, name) for name in questions}
    with path.open("w", encoding="utf-8") as stream:
        for id_, item in key.rows.items():
            values = {name: median_low(rows[id_]) for name, rows in given.items() if id_ in rows}
            if values:
                stream.write(to_json(RatedItem(item=item, values=values)) + "\n")


def read_ratings(path: Path) -> tuple[RatedItem, ...]:
    """Read what ``write_ratings`` wrote.

    Raises:
        DatasetError: it is not that; names the line.
    """
    from pydantic import ValidationError

    found: list[RatedItem] = []
    for number, fields in objects(path):
        try:
            found.append(from_plain(RatedItem, fields))
        except ValidationError as error:
            hint = "`qx eval sheet read … --ratings FILE` writes it"
            raise DatasetError("no rated row", file=str(path), line=number, hint=hint) from error
    return tuple(found)
