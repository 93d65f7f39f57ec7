"""A blind sheet: two answers to each question side by side, in an order that the sheet does not tell.

Raters give each answer 1 to 5 for accuracy, completeness, relevance and fluency.  The key, a file beside it, says which
answer is whose; ``summed`` reads both.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from qx.errors import UsageError
from qx.serial import value

ASKED: Final = ("accuracy", "completeness", "relevance", "fluency")
_SIDES: Final = ("A", "B")
_SEED: Final = 11
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_SHORTEST: Final = 1
_LONGEST: Final = 5


@value
class Pair:
    """What two arms answered to one question; ``answers`` by the arm's name."""

    id: str
    question: str
    answers: Mapping[str, str]


def write(path: Path, pairs: Sequence[Pair]) -> Path:
    """Write the sheet, and its key beside it, and return where the key is.

    Raises:
        UsageError: a file cannot be written, or is there already.
    """
    chance = random.Random(_SEED)
    key: dict[str, dict[str, str]] = {}
    rows: list[list[str]] = []
    for pair in pairs:
        names = list(pair.answers)
        chance.shuffle(names)
        key[pair.id] = dict(zip(_SIDES, names, strict=True))
        rows.append(
            [pair.id, _cell(pair.question), *(_cell(pair.answers[name]) for name in names), *[""] * len(_columns())]
        )
    hidden = path.with_suffix(".key.json")
    try:
        with path.open("x", encoding="utf-8-sig", newline="") as file:
            sheet = csv.writer(file)
            sheet.writerow(["id", "question", "answer A", "answer B", *_columns()])
            sheet.writerows(rows)
        hidden.write_text(json.dumps(key, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except FileExistsError:
        raise UsageError(f"{path} is there already: name another file, ratings may be in it") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    return hidden


def summed(path: Path) -> dict[str, dict[str, tuple[float, int]]]:
    """Return, by arm and by what was asked, the mean of the ratings and how many there are.

    Raises:
        UsageError: the sheet or its key cannot be read, or a rating is none.
    """
    try:
        key = json.loads(path.with_suffix(".key.json").read_text(encoding="utf-8"))
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} or its key cannot be read: {error}") from error
    given: dict[str, dict[str, list[int]]] = {}
    for row in rows:
        for side in _SIDES:
            for asked in ASKED:
                cell = (row.get(f"{asked} {side}") or "").strip()
                if not cell:
                    continue
                if cell not in {str(n) for n in range(_SHORTEST, _LONGEST + 1)}:
                    raise UsageError(f"{path}: {row['id']}, {asked} {side}: {cell!r} is no rating from 1 to 5")
                given.setdefault(key[row["id"]][side], {}).setdefault(asked, []).append(int(cell))
    return {
        name: {asked: (sum(ratings) / len(ratings), len(ratings)) for asked, ratings in by.items()}
        for name, by in given.items()
    }


def _columns() -> list[str]:
    return [f"{asked} {side}" for side in _SIDES for asked in ASKED]


def _cell(text: str) -> str:
    """No cell is a formula to a spreadsheet."""
    return f"'{text}" if text.startswith(_FORMULA) else text
