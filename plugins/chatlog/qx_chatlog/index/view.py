"""What a database shows of one user's messages at one moment; ``LogStore`` reads everything through it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeVar

from qx.operation import Principal
from qx_chatlog.index.analysis import Term
from qx_chatlog.index.columns import Label, Numbers, Rows, Scores
from qx_chatlog.index.ranking import Postings
from qx_chatlog.message import Message
from qx_chatlog.store import Note

T = TypeVar("T")


class View(Protocol):
    """The rows of one (tenant, user); everything in it is of the same moment, and of nobody else."""

    @property
    def version(self) -> str:
        """Changes with every message that is added or deleted; tells nothing else."""
        ...

    async def rows(self) -> Rows:
        """Return the columns of all messages, by number."""
        ...

    async def labels(self, label: Label) -> Mapping[str, int]:
        """Return the texts of a column and the number of each."""
        ...

    async def session_numbers(self, ids: Sequence[str]) -> Mapping[str, int]:
        """Return the numbers of the sessions that are there."""
        ...

    async def session_ids(self, numbers: Sequence[int]) -> Mapping[int, str]:
        """Return the ids of sessions."""
        ...

    async def postings(self, terms: Sequence[Term]) -> list[Postings]:
        """Return the messages of each term."""
        ...

    async def vocabulary(self) -> Sequence[str]:
        """Return every word of the index."""
        ...

    async def numbers(self, ids: Sequence[str]) -> Mapping[str, int]:
        """Return the numbers of the messages that are there."""
        ...

    async def messages(self, numbers: Sequence[int]) -> Mapping[int, Message]:
        """Return messages by number."""
        ...

    async def having(self, key: str, value: Any) -> Sequence[int]:
        """Return the numbers of messages with this value at this key of their metadata, or with a list that holds it."""
        ...

    async def tagged(self, kind: str) -> Sequence[int]:
        """Return the numbers of messages with a tag."""
        ...

    def cosines(self, query: Scores, numbers: Numbers | None) -> AsyncIterator[tuple[Numbers, Scores]]:
        """Yield numbers of messages that have a vector, and its cosine with ``query`` (of length 1), some at a time.

        Args:
            numbers: Only these; None: all.

        Raises:
            UsageError: the vectors have another length.
        """
        ...

    async def notes(self, kind: str | None, key: str | None) -> Sequence[Note]:
        """Return notes in their order."""
        ...

    async def embedded(self, numbers: Numbers | None) -> int:
        """Count which of these messages have a vector; None: of all."""
        ...

    async def run(self, function: Callable[[], T]) -> T:
        """Run something slow in a thread."""
        ...


class Database(Protocol):
    """Opens views."""

    def view(self, principal: Principal) -> AbstractAsyncContextManager[View | None]:
        """Open a view of the principal's user; None: there is nothing of that user."""
        ...
