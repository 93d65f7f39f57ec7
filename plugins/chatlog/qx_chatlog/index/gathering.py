"""New messages of one user, gathered into what the index gets: columns, postings, labels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from qx.serial import value
from qx_chatlog.index.analysis import words
from qx_chatlog.index.columns import PIECE, POSTINGS, ROW, Label, Rows
from qx_chatlog.index.filtering import microseconds
from qx_chatlog.message import Message

Owner = tuple[str, str]
"""A tenant and a user."""

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
    return Gathered(
        columns=columns(messages, counts, first, sessions, labels),
        postings=postings(counts, first),
    )


def columns(
    messages: Sequence[Message],
    counts: Sequence[Counter[str]],
    first: int,
    sessions: Numbers,
    labels: Mapping[Label, Numbers],
) -> dict[int, bytes]:
    """Return the bytes that messages add to each piece of the columns."""
    speakers, roles, types = labels["speaker"], labels["role"], labels["type"]
    rows = np.array(
        [
            (
                microseconds(message.time),
                sessions.of(message.session),
                speakers.of(message.speaker),
                min(counted.total(), _LONGEST),
                roles.of(message.role),
                types.of(message.type),
            )
            for message, counted in zip(messages, counts, strict=True)
        ],
        dtype=ROW,
    )
    return {piece: part.tobytes() for piece, part in _cut(rows, first)}


def postings(counts: Sequence[Counter[str]], first: int) -> dict[tuple[str, int], bytes]:
    """Return the bytes that messages add to the postings of each word, by piece."""
    found: dict[tuple[str, int], bytes] = {}
    for n, counted in enumerate(counts, first):
        piece, number = n // POSTINGS, n.to_bytes(4, "little")
        once = number + b"\x01"
        for word, often in counted.items():
            data = once if often == 1 else number + bytes((min(often, _MOST),))
            at = (word, piece)
            found[at] = found[at] + data if at in found else data
    return found


def grouped(messages: Sequence[Message]) -> tuple[dict[Owner, dict[str, Message]], int, list[str]]:
    """Return messages by owner and id, how many ids came again, and which of these with other words."""
    owners: dict[Owner, dict[str, Message]] = defaultdict(dict)
    again, changed = 0, list[str]()
    for message in messages:
        first = owners[message.tenant, message.user].setdefault(message.id, message)
        if first is not message:
            again += 1
            if first.content != message.content:
                changed.append(message.id)
    return owners, again, changed


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
