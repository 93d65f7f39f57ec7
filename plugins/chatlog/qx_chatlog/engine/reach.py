"""Whether all messages of a user are in the engine: where they are not, the store searches alone, and says so.

The engine's index has a mark of its own, a document that names its generation.  Beside the log a note tells in which
generation all of a user's messages were sent.  An engine that was switched on later, emptied, or given another index has
another mark or none, so that nobody's messages are missing in silence.  A second note says that messages did not get
there; both are set anew by ``EngineStore.synchronise`` alone.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from qx.backend import Document, SearchBackend, SearchRequest, SupportsIndexing
from qx.filters import Compare
from qx.operation import Principal
from qx.serial import replace
from qx.syntax.tree import Terms
from qx_chatlog.engine.documents import owner
from qx_chatlog.message import Message
from qx_chatlog.store import ChatStore, Filters, Note

KIND: Final = "engine"
"""Of both notes."""
WHOLE: Final = "whole"
BEHIND: Final = "behind"
_MARK: Final = "qxgeneration"
_NOBODY: Final = owner("", "")
"""Whose the mark is: no message is."""


class Reach:
    """What is known of the messages that reached an engine.

    Args:
        store: Where the notes are.
        backend: The engine; it is prepared before anything here is called.
        timeout: Seconds of one search of it.
    """

    def __init__(self, store: ChatStore, backend: SearchBackend, writer: SupportsIndexing, *, timeout: float) -> None:
        self._store = store
        self._backend = backend
        self._writer = writer
        self._timeout = timeout
        self._generation: str | None = None

    def forget(self) -> None:
        """Look at the index's mark again: the engine failed, and may come back another."""
        self._generation = None

    async def is_whole(self, principal: Principal) -> bool:
        """Whether the index that is there now has all messages of the principal's user.

        Raises:
            QxError: the engine failed.
        """
        notes = await self._store.notes(replace(principal, sessions=None), KIND)
        if not notes or any(note.key == BEHIND for note in notes):
            return False
        if self._generation is None:
            self._generation = await self._marked()
        return self._generation is not None and notes[-1].value == self._generation

    async def wanted(self, messages: Sequence[Message]) -> list[Message]:
        """Return those of ``messages`` that go to the engine now; what a user lacks there comes with ``synchronise``."""
        behind: set[tuple[str, str]] = set()
        for who in _owners(messages):
            keys = {note.key for note in await self._store.notes(who, KIND)}
            if BEHIND in keys or (not keys and await self._store.count(who, Filters())):
                behind.add((who.tenant, who.user or ""))
        return [message for message in messages if (message.tenant, message.user) not in behind]

    async def began(self, messages: Sequence[Message]) -> None:
        """Note of users without any message so far that the engine has all of theirs: ``messages`` were sent.

        Raises:
            QxError: the engine failed.
        """
        for who in _owners(messages):
            if not await self._store.notes(who, KIND) and not await self._store.count(who, Filters()):
                await self._store.put_notes(who, [_note(WHOLE, await self._generated())])

    async def fell_behind(self, messages: Sequence[Message], reason: str) -> None:
        """Note that ``messages`` did not reach the engine."""
        for who in _owners(messages):
            await self._store.put_notes(who, [_note(BEHIND, reason[:200])])

    async def begin_again(self, principal: Principal) -> None:
        """Forget what was noted of a user, before all messages are sent."""
        await self._store.drop_notes(principal, KIND)

    async def completed(self, principal: Principal) -> None:
        """Note that all messages of a user were sent.

        Raises:
            QxError: the engine failed.
        """
        await self._store.put_notes(principal, [_note(WHOLE, await self._generated())])

    async def _generated(self) -> str:
        """The index's generation; its mark is made where it has none."""
        found = self._generation or await self._marked()
        if found is None:
            made = f"{time.time_ns():020}-{secrets.token_hex(4)}"  # of two made at once the earlier one counts
            mark = Document(id=json.dumps(["", _MARK, made]), text=_MARK, metadata={"owner": _NOBODY})
            await self._writer.upsert([mark])
            found = await self._marked() or made
        self._generation = found
        return found

    async def _marked(self) -> str | None:
        field = self._backend.fields["owner"].name
        request = SearchRequest(
            text=_MARK,
            expression=Terms(words=(_MARK,)),
            filter=Compare(field=field, op="eq", value=_NOBODY),
            identity=None,
            highlights=False,
            limit=10,
            timeout=self._timeout,
        )
        found = (await self._backend.search(request)).ids
        return min((made for made in map(_generation_of, found) if made is not None), default=None)


def _generation_of(document: str) -> str | None:
    try:
        tenant, kind, made = json.loads(document)
    except (ValueError, TypeError):
        return None
    return made if (tenant, kind) == ("", _MARK) and isinstance(made, str) else None


def _owners(messages: Sequence[Message]) -> list[Principal]:
    owners = dict.fromkeys((message.tenant, message.user) for message in messages)
    return [Principal(tenant=tenant, user=user) for tenant, user in owners]


def _note(key: str, said: str) -> Note:
    return Note(kind=KIND, key=key, value=said, time=datetime.now(UTC))
