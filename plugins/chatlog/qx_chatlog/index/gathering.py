"""New messages of one user, gathered into what the index gets: columns, postings, labels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from qx_chatlog.index.analysis import words
from qx_chatlog.index.columns import PIECE, POSTING, POSTINGS, ROW, Label, Rows
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


def postings(counts: Sequence[Mapping[str, int]], first: int) -> Iterator[tuple[str, int, bytes]]:
    """Yield what messages add to the postings: a word, a piece, and the bytes; words sorted within a piece.

    Args:
        counts: How often each word is in each message, the first of which has the number ``first``.
    """
    start = 0
    while start < len(counts):
        piece, inside = divmod(first + start, POSTINGS)
        end = min(len(counts), start + POSTINGS - inside)
        for word, data in _inverted(counts[start:end], first + start):
            yield word, piece, data
        start = end


def _inverted(counts: Sequence[Mapping[str, int]], first: int) -> Iterator[tuple[str, bytes]]:
    """Every word with its postings as bytes.  Arrays do it, at a tenth of what loops take."""
    said = [word for counted in counts for word in counted]
    vocabulary = sorted(set(said))
    places = {word: place for place, word in enumerate(vocabulary)}
    of = np.fromiter(map(places.__getitem__, said), dtype=np.int64, count=len(said))
    rows = np.empty(len(said), dtype=POSTING)
    rows["n"] = np.repeat(np.arange(first, first + len(counts)), [len(counted) for counted in counts])
    often = np.fromiter((n for counted in counts for n in counted.values()), dtype=np.int64, count=len(said))
    rows["tf"] = np.minimum(often, _MOST)
    data = rows[np.argsort(of, kind="stable")].tobytes()
    ends = (np.cumsum(np.bincount(of, minlength=len(vocabulary))) * POSTING.itemsize).tolist()
    begin = 0
    for word, end in zip(vocabulary, ends, strict=True):
        yield word, data[begin:end]
        begin = end


def spelled(counted: Mapping[str, int]) -> str:
    """Return the words of a message as one text: each on a line, with how often where that is more than once."""
    once = sum(counted.values()) == len(counted)
    lines = counted if once else [word if often == 1 else f"{word} {often}" for word, often in counted.items()]
    return "\n" + "\n".join(lines) + "\n"


def counted_in(text: str) -> dict[str, int]:
    """Return what ``spelled`` wrote."""
    lines = text[1:-1].split("\n") if len(text) > 2 else []
    if " " not in text:
        return dict.fromkeys(lines, 1)
    parted = (line.partition(" ") for line in lines)
    return {word: int(often or 1) for word, _, often in parted}


def occurrences(text: str, word: str, *, prefix: bool) -> int:
    """Return how often a word is in what ``spelled`` wrote; ``prefix``: all words that begin so."""
    total, at = 0, 0
    while (at := text.find("\n" + word, at)) >= 0:
        end = text.find("\n", at + 1)
        rest, _, often = text[at + 1 + len(word) : end].partition(" ")
        if not rest or prefix:
            total += int(often or 1)
        at = end
    return total


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
