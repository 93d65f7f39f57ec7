"""What ranking and filters need of every message of a user: seven numbers each, side by side in arrays.

A message's place in the arrays is its number ``n``, from 0 in the order in which messages came.  Databases keep the
arrays as pieces of ``PIECE`` rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

Label = Literal["role", "speaker", "type"]
LABELS: Final[tuple[Label, ...]] = ("role", "speaker", "type")
PIECE: Final = 512
ROW: Final = np.dtype(
    [
        ("time", "<i8"),  # microseconds since 1970, UTC
        ("session", "<u4"),
        ("speaker", "<u4"),
        ("length", "<u2"),  # words
        ("role", "<u2"),
        ("type", "<u2"),
    ]
)
POSTING: Final = np.dtype([("n", "<u4"), ("tf", "u1")])
POSTINGS: Final = 2048
"""Messages of one piece of a word's postings."""

Rows = npt.NDArray[np.void]
Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.intp]
Scores = npt.NDArray[np.float64]


def joined(pieces: Iterable[bytes], of: np.dtype[np.void]) -> Rows:
    """Return the rows of pieces in order."""
    return np.frombuffer(b"".join(pieces), dtype=of)


def among(column: npt.NDArray[np.integer], numbers: Iterable[int]) -> Mask:
    """Return which values of ``column`` are among ``numbers``."""
    wanted = np.fromiter(numbers, dtype=np.int64)
    if len(wanted) == 1:
        return np.asarray(column == wanted[0])
    return np.isin(column, wanted)


def with_participants(rows: Rows, participants: Iterable[Iterable[int]]) -> Mask:
    """Return which rows are of sessions where, of each set of speakers, one speaks."""
    keep = np.ones(len(rows), dtype=np.bool_)
    for numbers in participants:
        sessions = np.unique(rows["session"][among(rows["speaker"], numbers)])
        keep &= np.isin(rows["session"], sessions)
    return keep


def in_order(rows: Rows, numbers: Numbers) -> Numbers:
    """Return ``numbers`` in the order of the talk: by time, then as they came."""
    return numbers[np.lexsort((numbers, rows["time"][numbers]))]


def matching(labels: Mapping[str, int], wanted: Iterable[str]) -> list[int]:
    """Return the numbers of labels that equal one of ``wanted`` once both are folded."""
    from qx_chatlog.index.analysis import folded

    names = {folded(name) for name in wanted}
    return [number for text, number in labels.items() if folded(text) in names]
