"""The log as one principal sees it within one request: searched, widened, read around."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from qx.embedder import EmbedRequest
from qx.errors import BudgetExceeded, ProviderError
from qx.operation import Principal
from qx.serial import replace, value
from qx.text import segment
from qx.text.normalise import fold
from qx.types import Query
from qx_chatlog.index.irregular import BASE
from qx_chatlog.message import NOBODYS, Found, Message, is_noise
from qx_chatlog.redaction import reading
from qx_chatlog.store import Controls, Filters, Order, Search, SearchResult, SessionSummary, Wanted
from qx_chatlog.when import Span, When

if TYPE_CHECKING:
    from qx.context import Context
    from qx.engine import Engine
    from qx_chatlog.store import ChatStore

How = Literal["keyword", "semantic", "hybrid", "layered"]
NO_MESSAGES = "there are no messages of this user here: `qx chat stats --user USER` says what there is"
"""No more is said: what other tenants or users have is nobody's business."""
_SESSIONS = 200
"""Conversations whose speakers are known by name."""
HALF = 0.5
"""Of the words that were looked for; a best hit that holds fewer is weak."""


@value
class Ask:
    """A search as it is asked for.

    Attributes:
        text: Words; none: what fits is read by time.
        how: ``layered``: by keyword, and by meaning only where that finds little.
        when: The time; its readings are tried in their order until one finds something.
        filters: Everything else that messages have to be.
        window: Neighbours on each side; None: as the profile has it.
        wants, likely: As ``store.Search`` has them.
    """

    text: str = ""
    how: How = "layered"
    when: When = When()
    filters: Filters = Filters()
    limit: int = 10
    order: Order = "relevance"
    also: tuple[str, ...] = ()
    fuzzy: bool = False
    window: int | None = None
    seen: tuple[str, ...] = ()
    wants: Wanted | None = None
    likely: tuple[Span, ...] = ()


@value
class Outcome:
    """What a search came to.

    Attributes:
        when: With the reading that was searched first among ``spans``.
        total: How many messages match; ``exact``: neither more nor fewer.
        notes: What was done otherwise than asked.
    """

    found: tuple[Found, ...] = ()
    total: int = 0
    exact: bool = True
    when: When = When()
    notes: tuple[str, ...] = ()

    @property
    def hits(self) -> tuple[Found, ...]:
        """Those that were found themselves, best first."""
        return tuple(one for one in self.found if not one.context)


class Log:
    """One request's view of the store.

    Args:
        store: Where messages are.
        context: The request: budget, clock, embedder.
        principal: Who asks; no method takes another.
        zone: Whose days are meant.
        controls: Of ranking, as the profile has them.
        hide: What becomes of every message before anybody sees it.
        horizon: Where no time is named, what is older is looked at only where the newer gives less than was asked for.

    Attributes:
        now: The moment of the request, in ``zone``.
        seen: Conversations that were returned before: searches of tools pass over them, but for one that names its own.
    """

    def __init__(
        self,
        store: ChatStore,
        context: Context,
        principal: Principal,
        *,
        zone: ZoneInfo,
        horizon: timedelta | None = None,
        hide: Callable[[Message], Message] | None = None,
        controls: Controls | None = None,
    ) -> None:
        self.store = store
        self.context = context
        self.principal = principal
        self.zone = zone
        self.now = (context.query.now or context.clock.now()).astimezone(zone)
        self.seen: tuple[str, ...] = ()
        self._horizon = horizon
        self._hide = hide or _unchanged
        self._controls = controls or Controls()

    async def search(self, ask: Ask) -> Outcome:
        """Find messages, best first, each with its neighbours.

        Raises:
            ProfileError: it is asked by meaning, and the profile has no embedder.
            QxError: as the store's.
        """
        notes: list[str] = []
        ask = replace(ask, filters=_spoken(ask.filters))
        spans = ask.when.spans or (self._recent(),)
        result, used = SearchResult(), spans[0]
        for used in spans:
            result = await self._within(ask, used, notes)
            if result.hits:
                break
        if not ask.when.spans and spans[0].start is not None and len(result.hits) < ask.limit:
            result = await self._within(ask, Span(), notes)
        if not result.hits and not (await self.store.stats(self.principal)).messages:
            notes.append(NO_MESSAGES)
        if ask.when.spans and result.hits and used is not spans[0]:
            notes.append(f"nothing at the likeliest reading of {ask.when.said!r}: another one was searched")
        when = ask.when
        if when.spans and result.hits:
            when = replace(when, spans=(used, *(one for one in spans if one is not used)))
        found = tuple(self._seen(one) for one in _without_noise(result.found, ask.filters))
        return Outcome(
            found=found,
            total=result.total,
            exact=result.exact,
            when=when,
            notes=tuple(dict.fromkeys((*notes, *result.degraded))),
        )

    async def around(
        self, at: str | datetime, *, before: int = 10, after: int = 10, session: str | None = None
    ) -> tuple[Found, ...]:
        """Return a message with those beside it in its session, in the order of the talk; () where it is not there."""
        stored = await self.store.around(self.principal, at, before=before, after=after, session=session)
        messages = [self._hide(one) for one in stored]
        nearest = at if isinstance(at, str) else _nearest(messages, at)
        found = tuple(Found(message=one, context=one.id != nearest) for one in messages)
        return _without_noise(found, Filters(without=NOBODYS))

    async def read(
        self, filters: Filters, *, limit: int = 100, offset: int = 0, newest: bool = False
    ) -> tuple[Message, ...]:
        """Return messages in the order of the talk, or the newest first; noise is among them."""
        stored = await self.store.read(self.principal, filters, limit=limit, offset=offset, newest=newest)
        return tuple(self._hide(one) for one in stored)

    async def get(self, ids: Sequence[str]) -> tuple[Message, ...]:
        """Return the messages that are there, in the order of ``ids``."""
        return tuple(self._hide(one) for one in await self.store.get(self.principal, ids))

    async def sessions(self, filters: Filters, *, limit: int = 100, offset: int = 0) -> tuple[SessionSummary, ...]:
        """Return the conversations that have a message which fits, the latest first."""
        found = await self.store.sessions(self.principal, filters, limit=limit, offset=offset)
        return tuple(
            replace(
                one,
                opening=self._hide(_said(one.opening)).content,
                speakers=tuple(self._hide(replace(_said(""), speaker=name)).speaker for name in one.speakers),
            )
            for one in found
        )

    async def speakers(self) -> tuple[str, ...]:
        """Return the names that speak in the latest conversations."""
        sessions = await self.store.sessions(self.principal, Filters(), limit=_SESSIONS)
        return tuple(dict.fromkeys(name for session in sessions for name in session.speakers if name))

    def tell(self, what: str, found: Sequence[Mapping[str, Any]]) -> None:
        """Tell the observers that messages were found; whose and which, only those that ask for content."""
        content = {"user": self.principal.user, "messages": list(found)}
        self.context.emit("chat.found", content=content, tool=what, found=len(found))

    def _seen(self, found: Found) -> Found:
        seen = self._hide(found.message)
        return found if seen is found.message else replace(found, message=seen)

    def _recent(self) -> Span:
        return Span() if self._horizon is None else Span(start=self.now - self._horizon)

    async def _within(self, ask: Ask, span: Span, notes: list[str]) -> SearchResult:
        filters = replace(ask.filters, since=span.start, until=span.end)
        if not ask.text.strip():
            return await self._by_time(ask, filters)
        search = Search(
            text=ask.text,
            filters=filters,
            limit=ask.limit,
            order=ask.order,
            also=ask.also,
            fuzzy=ask.fuzzy,
            controls=self._controls if ask.window is None else replace(self._controls, window=ask.window),
            seen=ask.seen,
            wants=ask.wants,
            likely=tuple((one.start, one.end) for one in ask.likely if one.start is not None and one.end is not None),
        )
        if ask.how == "semantic":
            return await self.store.search_semantic(self.principal, search, await self._vector(ask.text))
        if ask.how == "hybrid":
            return await self._hybrid(search, notes, asked=True)
        found = await self.store.search(self.principal, search)
        if ask.how == "layered" and weak(ask.text, found.hits):
            return await self._layered(search, found, notes)
        return found

    async def _layered(self, search: Search, found: SearchResult, notes: list[str]) -> SearchResult:
        """By meaning too, where that is possible and finds anything at all."""
        if not self.context.has_embedder:
            return found
        stats = await self.store.stats(self.principal)
        if not stats.embedded:
            return found
        other = await self._hybrid(search, notes, asked=False)
        if not other.hits:
            other = await self._semantic(search, notes) or other
        return other if other.hits else found

    async def _hybrid(self, search: Search, notes: list[str], *, asked: bool) -> SearchResult:
        vector = await self._vector_or_none(search.text, notes, asked=asked)
        if vector is None:
            return await self.store.search(self.principal, search)
        return await self.store.search_hybrid(self.principal, search, vector)

    async def _semantic(self, search: Search, notes: list[str]) -> SearchResult | None:
        vector = await self._vector_or_none(search.text, notes, asked=False)
        return None if vector is None else await self.store.search_semantic(self.principal, search, vector)

    async def _vector_or_none(self, text: str, notes: list[str], *, asked: bool) -> bytes | None:
        if not self.context.has_embedder:
            if asked:
                notes.append("the profile names no embedder: searched by keyword alone")
            return None
        try:
            return await self._vector(text)
        except (ProviderError, BudgetExceeded) as error:
            self.context.degrade("chat", "keyword", str(error))
            notes.append("the embedder did not answer: searched by keyword alone")
            return None

    async def _vector(self, text: str) -> bytes:
        return (await self.context.embed(EmbedRequest(texts=(text,), kind="query"))).vectors[0]

    async def _by_time(self, ask: Ask, filters: Filters) -> SearchResult:
        newest = ask.order != "oldest"
        messages = await self.store.read(self.principal, filters, limit=ask.limit, newest=newest)
        total = await self.store.count(self.principal, filters)
        return SearchResult(found=tuple(Found(message=one) for one in messages), total=total)


async def open_log(
    engine: Engine, principal: Principal, text: str, *, step: str, context: Context | None = None
) -> Log:
    """Return the log of ``principal``, opened within a request of its own (or within ``context``)."""
    chat = await engine.section("chat")
    context = context or engine.begin(Query(text=text, user=principal.user), step=step)
    zone = ZoneInfo(context.query.timezone or engine.profile.timezone)
    seconds = chat.settings.horizon
    horizon = timedelta(seconds=seconds) if seconds else None
    return Log(
        chat.store,
        context,
        principal,
        zone=zone,
        horizon=horizon,
        hide=reading(chat.settings.redact),
        controls=chat.settings.controls.controls(),
    )


def weak(text: str, hits: Sequence[Found]) -> bool:
    """Whether the best of ``hits`` holds less than half of the words of ``text``."""
    return not hits or coverage(segment.keywords(text), hits[0].message) < HALF


def coverage(words: Sequence[str], message: Message) -> float:
    """Return which part of ``words`` a message holds, 0 to 1; 1 where there are none."""
    if not words:
        return 1.0
    folded = fold(message.searched)
    stems = _stems(folded)
    return sum(fold(word) in folded or _stem(fold(word)) in stems for word in words) / len(words)


def touches(words: Sequence[str], message: Message, *, fuzzy: bool = False) -> bool:
    """Whether a message holds any of ``words``, or a word that may be another form of one (``book``, ``booked``).

    Args:
        fuzzy: Latin words with slips cannot be told here and count; of Chinese ones half the characters have to be there,
            of one that stands alone three in four.
    """
    folded = fold(message.searched)
    if any(_touches(fold(word), folded, fuzzy, alone=len(words) == 1) for word in words):
        return True
    irregular = {_stem(fold(word)) for word in words if word.isascii()} & _IRREGULAR
    return bool(irregular) and bool(irregular & _stems(folded))


def _stems(folded: str) -> set[str]:
    """The stems of the words of a text, of irregular forms those of the base."""
    return {_stem(word.text) for word in segment.words(folded)}


def _stem(word: str) -> str:
    return segment.comparable(BASE.get(word, word))


_IRREGULAR = frozenset(segment.comparable(base) for base in BASE.values())
"""Stems that some form does not begin with: bought is of buy."""


def _touches(word: str, text: str, fuzzy: bool, *, alone: bool) -> bool:
    if word.isascii():
        return fuzzy or (word[: max(3, len(word) - 3)] if len(word) > 4 else word) in text
    if fuzzy:
        return sum(character in text for character in word) >= len(word) * (0.75 if alone else 0.5)
    if alone:
        return word in text  # 数据 is not 数据库
    return any(piece in text for piece in ([word[n : n + 2] for n in range(len(word) - 1)] or [word]))


def _spoken(filters: Filters) -> Filters:
    """``filters`` without what is nobody's words, where no type is asked for."""
    if filters.types or filters.without or filters.ids:
        return filters
    roles = filters.roles or ("user", "assistant")
    return replace(filters, without=NOBODYS, roles=roles)


def _without_noise(found: Sequence[Found], filters: Filters) -> tuple[Found, ...]:
    """``found`` without neighbours that are nobody's words, where those were not asked for."""
    if not filters.without:
        return tuple(found)
    return tuple(one for one in found if not (one.context and is_noise(one.message)))


def _unchanged(message: Message) -> Message:
    return message


def _said(text: str) -> Message:
    """A text alone, to be hidden like a message's."""
    return Message(id="", tenant="", user="", session="", role="user", time=datetime.now(UTC), content=text)


def _nearest(messages: Sequence[Message], at: datetime) -> str:
    there = at.astimezone(UTC)
    return min(messages, key=lambda one: abs(one.time - there)).id if messages else ""
