"""Judgements that were made, in one SQLite file: only what is new is judged.

A judgement's key is the task, the model, the version of the rubric and exactly what was shown, so that neither another
model nor another wording of the rubric answers for it.  Several processes may write at once; each judgement is kept as
soon as it is made.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from qx.errors import DatasetError
from qx.eval.judging.rubrics import Task, Tongue, version
from qx.paths import home
from qx.serial import value
from qx.sqlite import opened

WAIT = 30.0
"""Seconds to wait for another process that writes."""
_AT_ONCE = 500
_SCHEMA = """
CREATE TABLE IF NOT EXISTS judged_1 (
    key TEXT PRIMARY KEY, task TEXT NOT NULL, model TEXT NOT NULL, rubric TEXT NOT NULL,
    given TEXT NOT NULL, flagged INTEGER NOT NULL, at REAL NOT NULL
) WITHOUT ROWID
"""


@value
class Judged:
    """A judgement; ``flagged`` where the orders of showing did not agree."""

    values: Mapping[str, int]
    flagged: bool = False


def pool_place() -> Path:
    """Return where judgements are kept."""
    return home() / "eval" / "judged" / "pool.sqlite"


def key_of(task: Task, tongue: Tongue, model: str, shown: Mapping[str, object], *, way: str = "alone") -> str:
    """Return the key of a judgement.

    Args:
        model: What tells one model from another: its provider, name and address.
        shown: Exactly what the judge sees of the subject.
        way: How it is judged: ``alone``, or in a list of so many.
    """
    parts = [task, tongue, model, version(task, tongue), way, json.dumps(shown, ensure_ascii=True, sort_keys=True)]
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()


class Pool:
    """The file, opened; made where it is not there.

    Raises:
        DatasetError: it cannot be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or pool_place()
        try:
            self._connection = opened(self.path, _SCHEMA, wait=WAIT)
        except (OSError, sqlite3.Error) as error:
            raise self._failed(error) from error

    def find(self, keys: Sequence[str]) -> dict[str, Judged]:
        """Return the judgements that are there, by key.

        Raises:
            DatasetError: the file cannot be read.
        """
        found: dict[str, Judged] = {}
        wanted = list(dict.fromkeys(keys))
        try:
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                places = ",".join("?" * len(part))
                rows = self._connection.execute(
                    f"SELECT key, given, flagged FROM judged_1 WHERE key IN ({places})",  # noqa: S608 question marks
                    part,
                )
                for key, given, flagged in cast("list[tuple[str, str, int]]", rows.fetchall()):
                    found[key] = Judged(values=json.loads(given), flagged=bool(flagged))
        except (sqlite3.Error, ValueError) as error:
            raise self._failed(error) from error
        return found

    def add(self, key: str, judged: Judged, *, task: Task, tongue: Tongue, model: str) -> None:
        """Keep a judgement; one that another process has made meanwhile stays.

        Raises:
            DatasetError: it cannot be written.
        """
        row = (
            key,
            task,
            model,
            version(task, tongue),
            json.dumps(dict(judged.values)),
            int(judged.flagged),
            time.time(),
        )
        try:
            self._connection.execute("INSERT OR IGNORE INTO judged_1 VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _failed(self, error: Exception) -> DatasetError:
        return DatasetError(
            f"the judgements cannot be kept or read: {error}",
            file=str(self.path),
            hint="move the file away to begin anew",
        )
