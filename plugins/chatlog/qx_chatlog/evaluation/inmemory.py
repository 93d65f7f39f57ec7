"""A log in memory behind the ranking of the stores: what is measured is the ranking, not a database."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import numpy as np

from qx.operation import Principal
from qx_chatlog.index.analysis import Term, words
from qx_chatlog.index.columns import LABELS, ROW, Label, Numbers, Rows, Scores, joined
from qx_chatlog.index.gathering import Numbers as Numbered
from qx_chatlog.index.gathering import columns
from qx_chatlog.index.logstore import LogStore
from qx_chatlog.index.ranking import Postings
from qx_chatlog.message import Message
from qx_chatlog.store import Note

T = TypeVar("T")


class MemoryView:
    """A ``View`` of messages that do not change.

    Args:
        speakers: Whether a speaker's name is a word of what that speaker says.
    """

    version = "0"

    def __init__(self, messages: Sequence[Message], *, speakers: bool = False) -> None:
        counts = [Counter(words(_searched(message, speakers=speakers))) for message in messages]
        sessions = Numbered({}, 0)
        labels: dict[Label, Numbered] = {label: Numbered({}, 0) for label in LABELS}
        pieces = columns(messages, counts, 0, sessions, labels)
        self._rows = joined((pieces[piece] for piece in sorted(pieces)), ROW)
        self._labels = {label: numbered.added for label, numbered in labels.items()}
        self._sessions = sessions.added
        self._messages = tuple(messages)
        self._places = {message.id: n for n, message in enumerate(messages)}
        self._postings = _postings(counts)

    async def rows(self) -> Rows:
        return self._rows

    async def labels(self, label: Label) -> Mapping[str, int]:
        return self._labels[label]

    async def session_numbers(self, ids: Sequence[str]) -> Mapping[str, int]:
        return {one: self._sessions[one] for one in ids if one in self._sessions}

    async def session_ids(self, numbers: Sequence[int]) -> Mapping[int, str]:
        wanted = set(numbers)
        return {number: one for one, number in self._sessions.items() if number in wanted}

    async def postings(self, terms: Sequence[Term]) -> list[Postings]:
        return [self._of(term) for term in terms]

    async def vocabulary(self) -> Sequence[str]:
        return tuple(self._postings)

    async def numbers(self, ids: Sequence[str]) -> Mapping[str, int]:
        return {one: self._places[one] for one in ids if one in self._places}

    async def messages(self, numbers: Sequence[int]) -> Mapping[int, Message]:
        return {number: self._messages[number] for number in numbers}

    async def having(self, key: str, value: Any) -> Sequence[int]:
        return [n for n, message in enumerate(self._messages) if message.metadata.get(key) == value]

    async def tagged(self, kind: str) -> Sequence[int]:
        return ()

    async def cosines(self, query: Scores, numbers: Numbers | None) -> AsyncIterator[tuple[Numbers, Scores]]:
        for nothing in ():
            yield nothing

    async def notes(self, kind: str | None, key: str | None) -> Sequence[Note]:
        return ()

    async def embedded(self, numbers: Numbers | None) -> int:
        return 0

    async def run(self, function: Callable[[], T]) -> T:
        return function()

    def _of(self, term: Term) -> Postings:
        if not term.prefix:
            return self._postings.get(term.text, _NOTHING)
        found = [self._postings[word] for word in self._postings if word.startswith(term.text)]
        if not found:
            return _NOTHING
        numbers = np.unique(np.concatenate([n for n, _ in found]))
        return numbers, np.ones(len(numbers), dtype=np.int64)


_NOTHING: Postings = (np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.int64))


def _searched(message: Message, *, speakers: bool) -> str:
    return f"{message.speaker}\n{message.searched}" if speakers else message.searched


def _postings(counts: Iterable[Counter[str]]) -> dict[str, Postings]:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for n, counted in enumerate(counts):
        for word, often in counted.items():
            found[word].append((n, often))
    return {
        word: (np.array([n for n, _ in rows], dtype=np.intp), np.array([tf for _, tf in rows], dtype=np.int64))
        for word, rows in found.items()
    }


class MemoryDatabase:
    """Logs by user."""

    def __init__(self, views: Mapping[str, MemoryView]) -> None:
        self._views = views

    @asynccontextmanager
    async def view(self, principal: Principal) -> AsyncGenerator[MemoryView | None]:
        """Open a view of the principal's user."""
        yield self._views.get(principal.user or "")


def log_of(messages: Mapping[str, Sequence[Message]], *, speakers: bool = False) -> LogStore:
    """Return the reading half of a store with the messages of each user."""
    return LogStore(MemoryDatabase({user: MemoryView(said, speakers=speakers) for user, said in messages.items()}))
