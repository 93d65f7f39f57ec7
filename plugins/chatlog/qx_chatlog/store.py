"""The contract of a store of messages.

Every reading takes a ``Principal``: without a user there is no call (``NotAllowed``), rows of another tenant or user
and sessions that the principal may not read do not exist for it.  Scope comes before ranking and before any limit, and
the statistics of ranking are those of the principal's own messages (all of them, also where it may read only some
sessions): nobody else's rows move a result.  The same errors, the same times and the same counts answer for "not
allowed" and for "not there".

Methods raise ``NotAllowed`` (no user), ``UsageError`` (a wrong argument), ``Unavailable`` (locked for longer than the
store waits, or not reachable) and ``ProviderError`` (anything else that the database says).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import Any, Literal, Protocol

from qx.operation import Principal
from qx.serial import empty, value
from qx_chatlog.message import Found, Message

Order = Literal["relevance", "newest", "oldest"]
Wanted = Literal["statement", "number", "date", "name"]
"""``name``: as ``statement``, names being everywhere."""


@value
class Filters:
    """What messages have to be.  Empty: anything; all that are given hold together.

    Attributes:
        sessions: In one of these.
        since: Sent then or later (UTC, or with a zone).
        until: Sent before then: the end of a range is not in it.
        roles, speakers, types: One of these each; speakers compare folded (case and width).
        without: Of none of these types (``summary``, ``tool``): what is nobody's words.
        metadata: Values at these keys, compared as JSON.
        participants: In sessions where every one of these speaks, anywhere in it.
        tag: Messages with a tag of this kind (``Note.kind == "tag"``, ``Note.key``).
        ids: One of these.
    """

    sessions: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    roles: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=empty)
    participants: tuple[str, ...] = ()
    tag: str | None = None
    ids: tuple[str, ...] = ()


@value
class Controls:
    """The four controls of ReFind (arXiv 2608.12888), each to be switched off alone.

    Attributes:
        fusion: A turn's score is 1 / (k + its rank) + share / (k + the rank of its session, by the sum of its turns'
            scores).
        k: That constant.
        share: What the session counts beside the turn: 1 in the paper.  Together with ``near``, which looks at a part of
            the session already, half of it loses least (``benchmarks/chatlog_eval.md``).
        window: Turns before and after a found one that come along, within its session; 0: none.
        time_first: The time range limits what is scored; else the best are scored without it, and those outside of it
            are then left out of the list.
        skip_seen: Sessions in ``Search.seen`` are passed over.
        near: The words of up to four messages before and after one count for it too, the less the further they are: an
            answer seldom repeats the words of its question.  It is found itself only by words of its own.
        speakers: What a speaker says whom the query names goes before what others say.
    """

    fusion: bool = True
    k: int = 60
    share: float = 0.5
    window: int = 2
    time_first: bool = True
    skip_seen: bool = True
    near: bool = True
    speakers: bool = True


@value
class Search:
    """A search by keyword, by meaning, or by both.

    Attributes:
        text: Words; no syntax: quotes, operators, ``%`` and ``_`` are text like any other.
        limit: Found messages at most; their context comes on top.
        order: ``newest`` and ``oldest``: those that fit at least half as well as the best one, by time.
        also: Further words, such as synonyms, each counted as half.
        fuzzy: Words that the principal's messages lack stand for those that are one or two slips away.
        seen: Sessions that were returned before.
        wants: What kind of message answers: a ``statement`` is any but a question; one that holds a number or a date goes
            before others.  None: any.
        likely: Stretches of time (start, end exclusive) that probably hold it: what was sent then, or in the week
            after, goes first; nothing is left out.
    """

    text: str = ""
    filters: Filters = field(default_factory=lambda: Filters())
    limit: int = 10
    order: Order = "relevance"
    also: tuple[str, ...] = ()
    fuzzy: bool = False
    controls: Controls = field(default_factory=lambda: Controls())
    seen: tuple[str, ...] = ()
    wants: Wanted | None = None
    likely: tuple[tuple[datetime, datetime], ...] = ()


@value
class SearchResult:
    """What a search found.

    Attributes:
        found: Best first, each followed by its context where the order is relevance (``Found.context``); a message comes
            once.  The context has scores too: whoever has room for so many turns takes those with the highest.  A window's turns stand in the order of the talk, with the found one among them.
        total: How many messages matched, after scope and filters.
        exact: Whether these are all.  By meaning, and with an engine beside the store, a pool of the best is counted: there
            are at least so many.
        degraded: What was not done as asked, in words (an external engine that is down).
    """

    found: tuple[Found, ...] = ()
    total: int = 0
    exact: bool = True
    degraded: tuple[str, ...] = ()

    @property
    def hits(self) -> tuple[Found, ...]:
        """Those that were found themselves, best first."""
        return tuple(one for one in self.found if not one.context)


@value
class SessionSummary:
    """One conversation of a list."""

    id: str
    messages: int
    first: datetime
    last: datetime
    speakers: tuple[str, ...] = ()
    opening: str = ""


@value
class Note:
    """Something kept beside the log: a tag, a fact, the digest of a cache.  It goes with its user.

    Attributes:
        kind: What it is: ``tag``, ``fact``.
        key: The kind of tag, the name of the fact.
        value: Plain JSON.
        message: The message it is about.
        time: When it holds from, in UTC.
        number: Set by the store: the order in which notes were put.
    """

    kind: str
    key: str
    value: Any = None
    message: str | None = None
    time: datetime
    number: int = 0


@value
class Appended:
    """What became of messages.

    Attributes:
        added: New ones.
        known: Those that were there already, just so.
        changed: Ids of those that were there with other words: the first stays.
    """

    added: int = 0
    known: int = 0
    changed: tuple[str, ...] = ()


@value
class Stats:
    """What a principal has in the store."""

    messages: int = 0
    sessions: int = 0
    embedded: int = 0
    notes: int = 0
    first: datetime | None = None
    last: datetime | None = None


@value
class Unembedded:
    """A message that has no vector yet, for whoever makes them in the background."""

    user: str
    id: str
    text: str


class ChatStore(Protocol):
    """Messages of one or many tenants."""

    async def append(self, messages: Sequence[Message], /) -> Appended:
        """Add messages, all or none; one whose (tenant, user, id) is there is left as it is.  The operator's."""
        ...

    async def search(self, principal: Principal, search: Search, /) -> SearchResult:
        """Find by keyword: BM25 with the principal's own statistics, Chinese by characters, English by stems."""
        ...

    async def search_semantic(self, principal: Principal, search: Search, vector: bytes, /) -> SearchResult:
        """Find by meaning: ``vector`` (float32, little endian, from the core's embedder) against those stored."""
        ...

    async def search_hybrid(
        self, principal: Principal, search: Search, vector: bytes, /, *, candidates: int = 100
    ) -> SearchResult:
        """Let keywords bring candidates and meaning order them; those without a vector take part by keyword."""
        ...

    async def around(
        self,
        principal: Principal,
        at: str | datetime,
        /,
        *,
        before: int = 10,
        after: int = 10,
        session: str | None = None,
    ) -> tuple[Message, ...]:
        """Return the message ``at`` (its id) and those beside it in its session; () where it is not there.

        A time means the message nearest to it (in ``session``, where that is given).
        """
        ...

    async def get(self, principal: Principal, ids: Sequence[str], /) -> tuple[Message, ...]:
        """Return the messages that are there, in the order of ``ids``."""
        ...

    async def read(
        self, principal: Principal, filters: Filters, /, *, limit: int = 100, offset: int = 0, newest: bool = False
    ) -> tuple[Message, ...]:
        """Return messages in the order of the talk, or the newest first."""
        ...

    async def sessions(
        self, principal: Principal, filters: Filters, /, *, limit: int = 100, offset: int = 0
    ) -> tuple[SessionSummary, ...]:
        """Return the conversations that have a message which fits, the latest first; each with all its messages counted."""
        ...

    async def count(self, principal: Principal, filters: Filters, /) -> int:
        """Count messages."""
        ...

    async def stats(self, principal: Principal, /) -> Stats:
        """Count what there is of the principal."""
        ...

    async def version(self, principal: Principal, /) -> str:
        """Return a text that changes whenever something of the user's is added or deleted, for keys of caches."""
        ...

    def export(self, principal: Principal, /) -> AsyncIterator[Message]:
        """Yield all messages, in the order in which they were added."""
        ...

    async def delete(self, principal: Principal, /) -> int:
        """Remove the user's messages, their index, vectors and notes; of some sessions where the principal has only those.

        Returns how many messages there were.
        """
        ...

    async def put_notes(self, principal: Principal, notes: Sequence[Note], /) -> None:
        """Keep notes; those about a message that is not there (or not allowed) are passed over."""
        ...

    async def notes(self, principal: Principal, kind: str, /, *, key: str | None = None) -> tuple[Note, ...]:
        """Return notes in the order in which they were put; those about messages of sessions not allowed are not there."""
        ...

    async def drop_notes(self, principal: Principal, kind: str, /, *, key: str | None = None) -> int:
        """Remove notes, and return how many there were."""
        ...

    async def users(self, tenant: str, /) -> tuple[str, ...]:
        """Return the users of a tenant who have messages, sorted by name.  The operator's."""
        ...

    async def tenants(self, user: str, /) -> tuple[str, ...]:
        """Return the tenants under which a user of this name has messages, sorted.  The operator's, and nobody else's."""
        ...

    async def unembedded(self, tenant: str, /, *, limit: int = 100) -> tuple[Unembedded, ...]:
        """Return messages without a vector, the oldest first.  The operator's."""
        ...

    async def embedder(self, tenant: str, /) -> str | None:
        """Return the fingerprint of what made the tenant's vectors; None: there are none."""
        ...

    async def drop_vectors(self, tenant: str, /) -> int:
        """Remove all vectors of a tenant, for another embedder to make them, and return how many there were."""
        ...

    async def put_vectors(self, tenant: str, vectors: Mapping[tuple[str, str], bytes], /, *, fingerprint: str) -> int:
        """Keep vectors by (user, id) and return how many; vectors of another embedder in the store: ``UsageError``."""
        ...

    async def aclose(self) -> None:
        """Close it; harmless twice."""
        ...
