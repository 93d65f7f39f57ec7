"""All reading of a store, above the views of its database: scope first, then filters, then ranking, then the limit."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

import numpy as np

from qx.errors import NotAllowed, UsageError
from qx.operation import Principal
from qx_chatlog.index import filtering, meaning
from qx_chatlog.index.columns import Mask, Rows, Scores, among, in_order, matching
from qx_chatlog.index.fitting import fit
from qx_chatlog.index.gathering import Owner
from qx_chatlog.index.ranking import chosen, ranked, talk, windows
from qx_chatlog.index.storable import storable
from qx_chatlog.index.view import Database, View
from qx_chatlog.message import NOBODYS, NOBODYS_ROLES, Found, Message
from qx_chatlog.store import Filters, Note, Search, SearchResult, SessionSummary, Stats

_EXPORTED = 500
_OPENING = 80
_OPENERS = 3
"""Messages of which the first with words opens a conversation: a picture has none."""


class LogStore:
    """The reading half of a ``ChatStore``; where nothing is said here, the contract says it.

    Args:
        database: Where the messages are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def search(self, principal: Principal, search: Search, /) -> SearchResult:
        async with self._view(principal) as view:
            if view is None or search.limit < 1:
                return SearchResult()
            rows = await view.rows()
            keep = await self._kept(view, rows, principal, search)
            found = await fit(view, rows, search, keep)
            return await self._result(view, rows, search, found.score, keep, own=found.own)

    async def search_semantic(self, principal: Principal, search: Search, vector: bytes, /) -> SearchResult:
        async with self._view(principal) as view:
            if view is None or search.limit < 1:
                return SearchResult()
            rows = await view.rows()
            keep = await self._kept(view, rows, principal, search)
            near = await meaning.likeness(view, len(rows), vector, np.flatnonzero(keep))
            pool = max(meaning.CANDIDATES, search.limit)
            return await self._result(view, rows, search, meaning.best(near, pool), keep, pool=pool)

    async def search_hybrid(
        self, principal: Principal, search: Search, vector: bytes, /, *, candidates: int = meaning.CANDIDATES
    ) -> SearchResult:
        async with self._view(principal) as view:
            if view is None or search.limit < 1:
                return SearchResult()
            rows = await view.rows()
            keep = await self._kept(view, rows, principal, search)
            words = (await fit(view, rows, search, keep)).score
            pool = max(candidates, search.limit)
            numbers, _ = ranked(rows, words, keep, fusion=False, k=search.controls.k)
            numbers = numbers[:pool]
            near = await meaning.likeness(view, len(rows), vector, numbers)
            if len(numbers) < pool:  # words were too few: the nearest in meaning fill the pool
                whole = await meaning.likeness(view, len(rows), vector, np.flatnonzero(keep))
                near = np.maximum(near, meaning.best(whole, pool - len(numbers)))
            scores = meaning.combined(numbers, near, k=search.controls.k)
            return await self._result(view, rows, search, scores, keep, pool=pool)

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
        async with self._view(principal) as view:
            if view is None:
                return ()
            rows = await view.rows()
            keep = await filtering.mask(view, rows, principal, Filters(sessions=(session,) if session else ()))
            number = await self._anchor(view, rows, keep, at)
            if number is None:
                return ()
            turns, places = talk(rows, int(rows["session"][number]))
            place = places[number]
            return await self._messages(view, turns[max(0, place - max(0, before)) : place + max(0, after) + 1])

    async def get(self, principal: Principal, ids: Sequence[str], /) -> tuple[Message, ...]:
        async with self._view(principal) as view:
            if view is None:
                return ()
            known = await view.numbers(ids)
            found = await self._messages(view, [known[one] for one in dict.fromkeys(ids) if one in known])
            may = principal.sessions
            return tuple(message for message in found if may is None or message.session in may)

    async def read(
        self, principal: Principal, filters: Filters, /, *, limit: int = 100, offset: int = 0, newest: bool = False
    ) -> tuple[Message, ...]:
        async with self._view(principal) as view:
            if view is None:
                return ()
            rows, keep = await self._fitting(view, principal, filters)
            numbers = in_order(rows, np.flatnonzero(keep))
            if newest:
                numbers = numbers[::-1]
            start = max(0, offset)
            return await self._messages(view, numbers[start : start + max(0, limit)].tolist())

    async def sessions(
        self, principal: Principal, filters: Filters, /, *, limit: int = 100, offset: int = 0
    ) -> tuple[SessionSummary, ...]:
        async with self._view(principal) as view:
            if view is None:
                return ()
            rows, keep = await self._fitting(view, principal, filters)
            kept = np.unique(rows["session"][keep])
            last = np.zeros(int(rows["session"].max(initial=0)) + 1, dtype=np.int64)
            np.maximum.at(last, rows["session"], rows["time"])
            order = np.lexsort((-kept.astype(np.int64), -last[kept]))
            start = max(0, offset)
            return await self._summaries(view, rows, kept[order][start : start + max(0, limit)].tolist())

    async def count(self, principal: Principal, filters: Filters, /) -> int:
        async with self._view(principal) as view:
            if view is None:
                return 0
            _, keep = await self._fitting(view, principal, filters)
            return int(keep.sum())

    async def stats(self, principal: Principal, /) -> Stats:
        async with self._view(principal) as view:
            if view is None:
                return Stats()
            rows, keep = await self._fitting(view, principal, Filters())
            if not keep.any():
                return Stats(notes=len(await self._notes(view, principal, None, None)))
            times = rows["time"][keep]
            numbers = np.flatnonzero(keep)
            embedded = await view.embedded(None if principal.sessions is None else numbers)
            return Stats(
                messages=len(numbers),
                sessions=len(np.unique(rows["session"][keep])),
                embedded=embedded,
                notes=len(await self._notes(view, principal, None, None)),
                first=filtering.moment(int(times.min())),
                last=filtering.moment(int(times.max())),
            )

    async def version(self, principal: Principal, /) -> str:
        async with self._view(principal) as view:
            return "" if view is None else view.version

    async def export(self, principal: Principal, /) -> AsyncIterator[Message]:
        start = 0
        while True:
            async with self._view(principal) as view:  # no view stays open while the consumer works
                if view is None:
                    return
                rows = await view.rows()
                numbers = np.flatnonzero(await filtering.allowed(view, rows, principal))
                numbers = numbers[numbers >= start][:_EXPORTED].tolist()
                messages = await self._messages(view, numbers)
            for message in messages:
                yield message
            if len(numbers) < _EXPORTED:
                return
            start = numbers[-1] + 1

    async def notes(self, principal: Principal, kind: str, /, *, key: str | None = None) -> tuple[Note, ...]:
        async with self._view(principal) as view:
            return () if view is None else await self._notes(view, principal, kind, key)

    @asynccontextmanager
    async def _view(self, principal: Principal) -> AsyncGenerator[View | None]:
        check(principal)
        async with self._database.view(principal) as view:
            yield view

    async def _kept(self, view: View, rows: Rows, principal: Principal, search: Search) -> Mask:
        """What may be found: scope, filters, and sessions not seen before."""
        keep = await filtering.mask(view, rows, principal, search.filters)
        if search.controls.time_first:
            keep &= filtering.within(rows, search.filters)
        if search.controls.skip_seen and search.seen:
            keep &= ~among(rows["session"], (await view.session_numbers(search.seen)).values())
        return keep

    async def _fitting(self, view: View, principal: Principal, filters: Filters) -> tuple[Rows, Mask]:
        rows = await view.rows()
        keep = await filtering.mask(view, rows, principal, filters)
        return rows, keep & filtering.within(rows, filters)

    async def _result(
        self,
        view: View,
        rows: Rows,
        search: Search,
        scores: Scores,
        keep: Mask,
        *,
        own: Scores | None = None,
        pool: int | None = None,
    ) -> SearchResult:
        """Order, limit and widen; what has no score of its ``own`` comes as context alone.

        ``pool``: how many have scores at most, where only the best were looked at.
        """
        controls, limit = search.controls, search.limit

        def rank() -> tuple[int, list[int], Scores]:
            numbers, fused = ranked(rows, scores, keep, fusion=controls.fusion, k=controls.k, share=controls.share)
            every = np.zeros(len(rows))
            every[numbers] = fused
            mine = keep & ((scores if own is None else own) > 0)
            if search.order != "relevance":
                numbers = chosen(rows, np.flatnonzero(mine), scores, search.order)
                return len(numbers), numbers[:limit].tolist(), every
            return int(mine.sum()), numbers[mine[numbers]][:limit].tolist(), every

        total, hits, every = await view.run(rank)
        if not controls.time_first:
            inside = filtering.within(rows, search.filters)
            hits = [number for number in hits if inside[number]]
        listed = windows(rows, hits, controls.window)
        messages = await view.messages([number for number, _ in listed])
        return SearchResult(
            found=tuple(
                Found(message=messages[number], score=float(every[number]), context=context)
                for number, context in listed
            ),
            total=total,
            exact=pool is None or total < pool,
        )

    async def _anchor(self, view: View, rows: Rows, keep: Mask, at: str | datetime) -> int | None:
        if isinstance(at, str):
            number = (await view.numbers([at])).get(at)
            return number if number is not None and keep[number] else None
        numbers = np.flatnonzero(keep)
        if not len(numbers):
            return None
        return int(numbers[np.argmin(np.abs(rows["time"][numbers] - filtering.microseconds(at)))])

    async def _messages(self, view: View, numbers: Sequence[int]) -> tuple[Message, ...]:
        found = await view.messages(numbers)
        return tuple(found[number] for number in numbers)

    async def _summaries(self, view: View, rows: Rows, sessions: Sequence[int]) -> tuple[SessionSummary, ...]:
        ids = await view.session_ids(sessions)
        names = {number: text for text, number in (await view.labels("speaker")).items()}
        talks = {session: in_order(rows, np.flatnonzero(rows["session"] == session)) for session in sessions}
        noise = await self._noise(view, rows)
        first = {session: [int(n) for n in turns if not noise[n]][:_OPENERS] for session, turns in talks.items()}
        said = await view.messages([number for numbers in first.values() for number in numbers])
        openings = {key: next(filter(None, (said[n].content for n in first[key])), "") for key in talks}
        return tuple(
            SessionSummary(
                id=ids[session],
                messages=len(turns),
                first=filtering.moment(int(rows["time"][turns[0]])),
                last=filtering.moment(int(rows["time"][turns[-1]])),
                speakers=tuple(filter(None, (names[n] for n in dict.fromkeys(rows["speaker"][turns].tolist())))),
                opening=" ".join(openings[session].split())[:_OPENING],
            )
            for session, turns in talks.items()
        )

    async def _noise(self, view: View, rows: Rows) -> Mask:
        """Which messages are nobody's words."""
        types = matching(await view.labels("type"), NOBODYS)
        roles = matching(await view.labels("role"), NOBODYS_ROLES)
        return among(rows["type"], types) | among(rows["role"], roles)

    async def _notes(self, view: View, principal: Principal, kind: str | None, key: str | None) -> tuple[Note, ...]:
        found = await view.notes(kind, key)
        if principal.sessions is None:
            return tuple(found)
        known = await view.numbers([note.message for note in found if note.message is not None])
        messages = await view.messages(list(known.values()))
        may = {one for one, number in known.items() if messages[number].session in principal.sessions}
        return tuple(note for note in found if note.message in may)


def check(principal: Principal) -> None:
    """Raise ``NotAllowed`` where nobody asks."""
    if not isinstance(principal, Principal):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UsageError("a store is read by a Principal: say who asks (tenant and user)")
    if not (principal.user or "").strip() or not principal.tenant.strip():
        raise NotAllowed("whose messages? name the user (--user on the command line, Principal(user=...) in Python)")


def owner_of(principal: Principal) -> Owner:
    """Return whose messages a principal reads."""
    return principal.tenant, principal.user or ""


def may(note: Note, there: Mapping[str, str], sessions: frozenset[str] | None) -> bool:
    """Return whether a principal of ``sessions`` may put ``note``.

    Args:
        there: The session of each message that is there.
    """
    if note.message is None:
        return sessions is None
    return note.message in there and (sessions is None or there[note.message] in sessions)


def check_messages(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return messages as they may be stored: times in UTC, no zero bytes or halves of characters.

    Raises:
        UsageError: one has no id, tenant, user or session.
    """
    return tuple(map(_storable, messages))


def _storable(message: Message) -> Message:
    for name in ("id", "tenant", "user", "session"):
        given = getattr(message, name)
        if not given or (name in ("tenant", "user") and not given.strip()):
            raise UsageError(f"a message needs {name}: {message.id or message.content[:40]!r} has none")
    return storable(message)
