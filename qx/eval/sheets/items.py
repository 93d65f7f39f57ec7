"""What a sheet shows, and the key that says which condition each row is of."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from qx.builtin.own_file import create_private
from qx.errors import DatasetError
from qx.eval.sheets.questions import Asking, Tongue
from qx.paths import home
from qx.serial import from_json, to_json, value


@value
class Item:
    """One row to be rated: an original and its set of queries, or a question and its answer.

    Attributes:
        query: The id of the original in its dataset.
        condition: What made the set or the answer; never shown.
        results: Titles of what was found, where they are to be shown.
    """

    query: str
    text: str
    condition: str
    kind: str = ""
    language: str = ""
    queries: tuple[str, ...] = ()
    answer: str = ""
    results: tuple[str, ...] = ()


@value
class Key:
    """What a sheet's rows are: row id -> item.  It is kept apart from the sheet, which nobody can read it from.

    ``conditions`` are in the order in which they were named: the others are compared with the first.
    """

    sheet: str
    name: str
    asking: Asking
    tongue: Tongue
    seed: int
    rows: Mapping[str, Item]
    conditions: tuple[str, ...] = ()


_DIGITS = 8
_ROW = re.compile(rf"([0-9a-f]{{{_DIGITS}}})-\d+")


def sheet_of(row: str) -> str | None:
    """Return the id of the sheet (``Key.sheet``) that the id of a row is of; None: it is the id of no row."""
    found = _ROW.fullmatch(row)
    return found[1] if found else None


def blinded(items: Sequence[Item], *, name: str, asking: Asking, tongue: Tongue, seed: int) -> Key:
    """Shuffle ``items`` and give them ids that say nothing; the same items and seed give the same key."""
    items = [_whole(item) for item in items]
    named = tuple(dict.fromkeys(item.condition for item in items))
    order = list(items)
    random.Random(f"{seed} order").shuffle(order)
    digest = hashlib.sha256("\n".join([str(seed), name, asking, *map(to_json, items)]).encode()).hexdigest()[:_DIGITS]
    width = max(3, len(str(len(order))))
    rows = {f"{digest}-{number:0{width}}": item for number, item in enumerate(order, 1)}
    return Key(sheet=digest, name=name, asking=asking, tongue=tongue, seed=seed, rows=rows, conditions=named)


def _whole(item: Item) -> Item:
    """Replace halves of surrogate pairs, which logs hold and no file can."""
    return from_json(Item, to_json(item).encode("utf-8", "replace"))


def key_place(sheet: str) -> Path:
    """Return where the key of a sheet is kept unless a file is named: in qx's own folder."""
    return home() / "eval" / "sheets" / f"{sheet}.key.json"


def write_key(key: Key, path: Path | None = None) -> Path:
    """Keep ``key`` in ``path`` (None: ``key_place``), for its owner's eyes, and return where."""
    place = path or key_place(key.sheet)
    create_private(place)
    place.write_text(to_json(key, indent=1) + "\n", encoding="utf-8")
    return place


def read_key(path: Path) -> Key:
    """Read a key.

    Raises:
        DatasetError: there is none, or it is not one.
    """
    from pydantic import ValidationError

    try:
        return from_json(Key, path.read_bytes())
    except OSError as error:
        raise DatasetError(
            f"the key of the sheet cannot be read: {error.strerror or error}",
            file=str(path),
            hint="name it: --key FILE; `qx eval sheet make` said where it is",
        ) from error
    except ValidationError as error:
        raise DatasetError("not the key of a sheet", file=str(path), hint="name it: --key FILE") from error
