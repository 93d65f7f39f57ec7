"""A ``ChatStore`` that lets an engine of the core's backends propose what the store then puts in order.

The engine holds one index for a tenant.  What it returns is a pool: the store reads no other user's messages, applies all
filters itself, and ranks the pool with the principal's own statistics.  Where the engine fails, the store searches alone
and the result says so; a user whose messages are not all in the engine (``reach.py``) is searched by the store until
``synchronise`` has sent them.  The newest and the oldest are the store's: an engine proposes what fits best.

Messages go to the engine first, and to the store when it has them: whoever is killed in between repeats the batch, and
what the engine holds that the store does not have is in no result.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from qx.backend import SearchBackend, SupportsIndexing
from qx.errors import ProfileError, QxError, Unavailable
from qx.operation import Principal
from qx.serial import replace, value
from qx_chatlog.engine.documents import document_id, document_of, message_id, request
from qx_chatlog.engine.reach import KIND, Reach
from qx_chatlog.index.logstore import check, check_messages
from qx_chatlog.message import Found, Message
from qx_chatlog.store import (
    Appended,
    ChatStore,
    Filters,
    Note,
    Search,
    SearchResult,
    SessionSummary,
    Stats,
    Unembedded,
)

POOL: Final = 200
"""Documents asked of the engine; more where more are wanted."""
_BATCH: Final = 500


@value
class Synchronised:
    """What was sent for a whole tenant.

    Attributes:
        sent: Messages.
        users: Whose they are.
        whole: Users of whom the engine had all messages already.
    """

    sent: int
    users: int
    whole: int


class EngineStore:
    """The store of messages, with an engine as search part.

    Args:
        store: Where the messages are.
        backend: The engine: it must support indexing.
        timeout: Seconds of one search of it.
    """

    def __init__(self, store: ChatStore, backend: SearchBackend, *, timeout: float, log: logging.Logger) -> None:
        if not isinstance(backend, SupportsIndexing):
            raise ProfileError(
                f"the engine {backend.name!r} cannot be written to", hint="chat.search needs one that `qx index` fills"
            )
        self._store = store
        self._backend = backend
        self._writer: SupportsIndexing = backend
        self._timeout = timeout
        self._log = log
        self._reach = Reach(store, backend, backend, timeout=timeout)
        self._prepared = False

    async def append(self, messages: Sequence[Message], /) -> Appended:
        new = await self._reach.wanted(await self._new(check_messages(messages)))
        if new:
            try:
                await self._send(new)
                await self._reach.began(new)
            except QxError as error:
                self._failed()
                said = "chat: %d messages did not reach the engine %s: %s"
                self._log.warning(said, len(new), self._backend.name, error)
                await self._reach.fell_behind(new, str(error))
        return await self._store.append(messages)

    async def search(self, principal: Principal, search: Search, /) -> SearchResult:
        check(principal)
        if not search.text.strip() or search.limit < 1 or search.order != "relevance":
            return await self._store.search(principal, search)
        try:
            whole = await self._reach.is_whole(principal)
            pool = await self._pool(principal, search) if whole else ()
        except QxError as error:
            self._failed()
            return await self._alone(principal, search, str(error))
        if whole:
            return await self._ordered(principal, search, pool)
        if not await self._store.count(principal, Filters()):
            return SearchResult()
        lacks = "it has not all messages of this user (`qx chat synchronise --all-users` sends what is missing)"
        return await self._alone(principal, search, lacks)

    async def search_semantic(self, principal: Principal, search: Search, vector: bytes, /) -> SearchResult:
        return await self._store.search_semantic(principal, search, vector)

    async def search_hybrid(
        self, principal: Principal, search: Search, vector: bytes, /, *, candidates: int = 100
    ) -> SearchResult:
        return await self._store.search_hybrid(principal, search, vector, candidates=candidates)

    async def delete(self, principal: Principal, /) -> int:
        """Delete in the engine, then in the store.

        Raises:
            Unavailable: the engine cannot do it now: nothing is deleted in the store either.
        """
        check(principal)
        ids = [document_id(one.tenant, one.user, one.id) async for one in self._store.export(principal)]
        try:
            for start in range(0, len(ids), _BATCH):
                await self._prepare()
                await self._writer.delete(ids[start : start + _BATCH])
        except QxError as error:
            self._failed()
            raise Unavailable(
                f"nothing was deleted in the store, because the engine {self._backend.name} failed: {error}; try again"
            ) from error
        return await self._store.delete(principal)

    async def synchronise(self, principal: Principal, /) -> int:
        """Send all messages of a user to the engine, and return how many.

        Raises:
            QxError: the engine failed.
        """
        check(principal)
        whole = replace(principal, sessions=None)
        self._failed()  # what was known of the index may be over
        await self._reach.begin_again(whole)
        batch: list[Message] = []
        sent = 0
        async for message in self._store.export(whole):
            batch.append(message)
            if len(batch) == _BATCH:
                await self._send(batch)
                sent += len(batch)
                batch = []
        if batch:
            await self._send(batch)
        await self._prepare()
        await self._reach.completed(whole)
        return sent + len(batch)

    async def synchronise_all(self, tenant: str, /, *, tell: Callable[[int], None] = lambda _: None) -> Synchronised:
        """Send the messages of every user of a tenant whose messages are not all in the engine.  The operator's.

        Whoever is sent stays sent: where it breaks off, it goes on there when it is called again.

        Args:
            tell: Is told how many messages were sent so far, user by user.

        Raises:
            QxError: the engine failed.
        """
        self._failed()
        await self._prepare()
        sent, users, whole = 0, 0, 0
        for user in await self._store.users(tenant):
            who = Principal(tenant=tenant, user=user)
            if await self._reach.is_whole(who):
                whole += 1
                continue
            sent += await self.synchronise(who)
            users += 1
            tell(sent)
        return Synchronised(sent=sent, users=users, whole=whole)

    async def aclose(self) -> None:
        """Close both; harmless twice."""
        try:
            await self._backend.aclose()
        finally:
            await self._store.aclose()

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
        return await self._store.around(principal, at, before=before, after=after, session=session)

    async def get(self, principal: Principal, ids: Sequence[str], /) -> tuple[Message, ...]:
        return await self._store.get(principal, ids)

    async def read(
        self, principal: Principal, filters: Filters, /, *, limit: int = 100, offset: int = 0, newest: bool = False
    ) -> tuple[Message, ...]:
        return await self._store.read(principal, filters, limit=limit, offset=offset, newest=newest)

    async def sessions(
        self, principal: Principal, filters: Filters, /, *, limit: int = 100, offset: int = 0
    ) -> tuple[SessionSummary, ...]:
        return await self._store.sessions(principal, filters, limit=limit, offset=offset)

    async def count(self, principal: Principal, filters: Filters, /) -> int:
        return await self._store.count(principal, filters)

    async def stats(self, principal: Principal, /) -> Stats:
        found = await self._store.stats(principal)
        own = await self._store.notes(principal, KIND)  # of the engine, not of the user
        return replace(found, notes=found.notes - len(own))

    async def version(self, principal: Principal, /) -> str:
        return await self._store.version(principal)

    def export(self, principal: Principal, /) -> AsyncIterator[Message]:
        return self._store.export(principal)

    async def put_notes(self, principal: Principal, notes: Sequence[Note], /) -> None:
        await self._store.put_notes(principal, notes)

    async def notes(self, principal: Principal, kind: str, /, *, key: str | None = None) -> tuple[Note, ...]:
        return await self._store.notes(principal, kind, key=key)

    async def drop_notes(self, principal: Principal, kind: str, /, *, key: str | None = None) -> int:
        return await self._store.drop_notes(principal, kind, key=key)

    async def users(self, tenant: str, /) -> tuple[str, ...]:
        return await self._store.users(tenant)

    async def tenants(self, user: str, /) -> tuple[str, ...]:
        return await self._store.tenants(user)

    async def unembedded(self, tenant: str, /, *, limit: int = 100) -> tuple[Unembedded, ...]:
        return await self._store.unembedded(tenant, limit=limit)

    async def embedder(self, tenant: str, /) -> str | None:
        return await self._store.embedder(tenant)

    async def drop_vectors(self, tenant: str, /) -> int:
        return await self._store.drop_vectors(tenant)

    async def put_vectors(self, tenant: str, vectors: Mapping[tuple[str, str], bytes], /, *, fingerprint: str) -> int:
        return await self._store.put_vectors(tenant, vectors, fingerprint=fingerprint)

    async def _new(self, messages: Sequence[Message]) -> list[Message]:
        """Those that the store does not have yet: only these go to the engine."""
        by_owner: dict[tuple[str, str], dict[str, Message]] = defaultdict(dict)
        for message in messages:
            by_owner[message.tenant, message.user].setdefault(message.id, message)
        new: list[Message] = []
        for (tenant, user), by_id in by_owner.items():
            known = {one.id for one in await self._store.get(Principal(tenant=tenant, user=user), list(by_id))}
            new += [message for id, message in by_id.items() if id not in known]
        return new

    async def _prepare(self) -> None:
        if not self._prepared:
            await self._writer.prepare(fingerprint=None, dimensions=0)
            self._prepared = True

    async def _send(self, messages: Sequence[Message]) -> None:
        await self._prepare()
        report = await self._writer.upsert([document_of(message) for message in messages])
        if report.failed:
            _, reason = report.failed[0]
            raise Unavailable(f"{len(report.failed)} messages were not indexed: {reason}", plugin="chatlog")

    def _failed(self) -> None:
        """The engine may come back with another index, or none."""
        self._prepared = False
        self._reach.forget()

    async def _pool(self, principal: Principal, search: Search) -> list[str]:
        asked = request(
            principal, search, self._backend.fields, limit=max(POOL, search.limit * 2), timeout=self._timeout
        )
        found = await self._backend.search(asked)
        ids = (message_id(document, principal) for document in found.ids)
        return [id for id in ids if id is not None]

    async def _ordered(self, principal: Principal, search: Search, pool: Sequence[str]) -> SearchResult:
        """The pool by the store's ranking; where it holds too little, what the store finds by itself.

        A pool is cut before the filters that an engine is not told of, and an engine's words are not the store's.  What
        it found by words that the store does not see comes last.
        """
        mine = set(search.filters.ids)
        ids = tuple(id for id in pool if not mine or id in mine)
        inside = replace(search.filters, ids=ids)
        result = await self._store.search(principal, replace(search, filters=inside)) if ids else SearchResult()
        result = replace(result, exact=False)  # the pool is counted
        if len(result.hits) < search.limit:
            result = await self._store.search(principal, search)
        hits = result.hits
        room = search.limit - len(hits)
        if room <= 0 or not ids:
            return result
        there = {one.message.id for one in result.found}
        rest = await self._store.read(principal, inside, limit=len(ids))
        place = {id: n for n, id in enumerate(ids)}
        more = sorted(
            (one for one in rest if one.id not in there and one.session not in search.seen),
            key=lambda one: place[one.id],
        )
        lowest = min((one.score for one in hits), default=1.0)
        added = [Found(message=one, score=lowest / (2 + n)) for n, one in enumerate(more[:room])]
        return replace(result, found=(*result.found, *added), total=max(result.total, len(hits) + len(more)))

    async def _alone(self, principal: Principal, search: Search, why: str) -> SearchResult:
        said = f"the store searched without the engine {self._backend.name}: {why}"
        self._log.warning("chat: %s", said)
        result = await self._store.search(principal, search)
        return replace(result, degraded=(*result.degraded, said))
