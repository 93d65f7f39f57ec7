"""A CSV file as a search backend: `qx index` may write it, and so may a spreadsheet."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterable
from pathlib import Path

from pydantic import Field

from qx.backend import Document
from qx.in_memory import FileSettings, WritableFileBackend
from qx.serial import to_plain

OWN = ("id", "title", "text", "url")


class Settings(FileSettings):
    """The keys of `type: csv` in a profile."""

    delimiter: str = Field(default=",", min_length=1, max_length=1)
    """What stands between two cells."""


class Csv(WritableFileBackend):
    """The first row names the columns: `id`, `title`, `text`, `url`, and whatever else a document has.

    A cell of those others is a number, a list and so on where it reads as JSON, else text; an empty one says nothing.
    """

    Settings = Settings

    def read(self, path: Path) -> Iterable[Document]:
        csv.field_size_limit(2**31 - 1)  # a text may be long
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, delimiter=self.settings.delimiter, restkey="", restval="", strict=True)
            for row in rows:
                if not row.get("id") or "" in row:
                    raise ValueError(f"line {rows.line_num}: there is no id, or there are more cells than columns")
                own = {name: row.pop(name, "") for name in OWN}
                metadata = {name.removeprefix("+"): _value(cell) for name, cell in row.items() if cell}
                yield Document(**own | {"url": own["url"] or None}, metadata=metadata)

    def write(self, path: Path, documents: Collection[Document]) -> None:
        rows = []
        for document in documents:
            metadata = {_column(name): _cell(value) for name, value in document.metadata.items()}
            rows.append({name: getattr(document, name) or "" for name in OWN} | metadata)
        columns = dict.fromkeys((*OWN, *(name for row in rows for name in row)))
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(columns), delimiter=self.settings.delimiter)
            writer.writeheader()
            writer.writerows(rows)


def _column(name: str) -> str:
    return f"+{name}" if name in OWN or name.startswith("+") else name


def _value(cell: str) -> object:
    try:
        return json.loads(cell)
    except ValueError:
        return cell


def _cell(value: object) -> str:
    plain = to_plain(value)
    return (
        plain if isinstance(plain, str) and plain and _value(plain) == plain else json.dumps(plain, ensure_ascii=False)
    )
