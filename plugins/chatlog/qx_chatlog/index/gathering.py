"""New messages of one user, gathered into what the index gets: columns, postings, labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from qx.serial import value
from qx_chatlog.index.analysis import words
from qx_chatlog.index.columns import PIECE, POSTINGS, ROW, Label, Rows
from qx_chatlog.index.filtering import microseconds
from qx_chatlog.message import Message

_MOST: Final = 255
_LONGEST: Final = 65535


class Numbers:
    """The numbers of a column's texts; a new one gets the next.

    Args:
        known: Those that are stored, or at least those that may come.
        following: The next number.
    """

    def __init__(self, known: Mapping[str, int], following: int) -> None:
        self._known = dict(known)
        self._following = following
        self.added: dict[str, int] = {}

    def of(self, text: str) -> int:
        """Return the number of ``text``."""
        number = self._known.get(text)
        if number is None:
            number = self._known[text] = self.added[text] = self._following
            self._following += 1
        return number


@value
class Gathered:
    """Additions to the index of one user.

    Attributes:
        columns: Bytes to add to pieces of columns.
        postings: Bytes to add by word and piece.
    """

    columns: dict[int, bytes]
    postings: dict[tuple[str, int], bytes]


def gather(
    messages: Sequence[Message],
    counts: Sequence[Counter[str]],
    first: int,
    sessions: Numbers,
    labels: Mapping[Label, Numbers],
) -> Gathered:
    """Return what messages add, the first of which gets the number ``first``."""
    rows = np.zeros(len(messages), dtype=ROW)
    postings: dict[tuple[str, int], bytearray] = {}
    for place, (message, counted) in enumerate(zip(messages, counts, strict=True)):
        n = first + place
        rows[place] = (
            microseconds(message.time),
            sessions.of(message.session),
            labels["speaker"].of(message.speaker),
            min(counted.total(), _LONGEST),
            labels["role"].of(message.role),
            labels["type"].of(message.type),
        )
        piece, number = n // POSTINGS, n.to_bytes(4, "little")
        for word, often in counted.items():
            data = number + bytes((often if often < _MOST else _MOST,))
            if (at := (word, piece)) in postings:
                postings[at] += data
            else:
                postings[at] = bytearray(data)
    return Gathered(
        columns={piece: part.tobytes() for piece, part in _cut(rows, first)},
        postings={at: bytes(data) for at, data in postings.items()},
    )


def count(message: Message) -> Counter[str]:
    """Return how often each word is in what is searched of a message."""
    return Counter(words(message.searched))


def _cut(rows: Rows, first: int) -> Iterator[tuple[int, Rows]]:
    at = 0
    while at < len(rows):
        piece, inside = divmod(first + at, PIECE)
        end = min(len(rows), at + PIECE - inside)
        yield piece, rows[at:end]
        at = end
