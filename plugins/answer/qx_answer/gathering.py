"""From the hits of a round to sources: cleaned, put in order, read, each once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from qx.context import Context
from qx.errors import BudgetExceeded, ScrapeError
from qx.serial import replace
from qx.types import Hit
from qx_answer.claims import Source
from qx_answer.deadline import OutOfTime
from qx_answer.events import Data, Progress, Warning
from qx_answer.feed import Feed
from qx_answer.loop_settings import LoopSettings
from qx_answer.reading import as_source
from qx_answer.spending import Account
from qx_answer.steps import Steps
from qx_answer.together import together
from qx_answer.values import Pool, Searched

POOL = 100
"""Hits of a round that are put in order at most."""
_NEAR = 2
"""Hits of other words alone that are read beside the others."""


class Gathering:
    """Reads for one answer; what was read is not read again."""

    def __init__(self, steps: Steps, settings: LoopSettings, account: Account, feed: Feed) -> None:
        self._steps = steps
        self._settings = settings
        self._account = account
        self._feed = feed
        self._found: set[tuple[str, str]] = set()
        self._read: set[tuple[str, str]] = set()
        self._ids: set[str] = set()

    @property
    def has_read(self) -> bool:
        """Whether anything was read."""
        return bool(self._read)

    def count_new(self, hits: Sequence[Hit]) -> int:
        """Return how many of ``hits`` no earlier search had found, and remember them."""
        keys = {(hit.backend, hit.id) for hit in hits}
        new = keys - self._found
        self._found |= new
        return len(new)

    async def read(
        self, searched: Sequence[Searched], asked_of: Callable[[str], str], begin: Callable[[str], Context]
    ) -> list[Source]:
        """Return the sources of a round, for each of its questions the best of its pool."""
        pools: dict[str, list[Searched]] = defaultdict(list)
        for one in searched:
            if one.outcome != "spam":
                pools[one.wanted.part].append(one)
        chosen: list[Hit] = []
        for part, found in pools.items():
            chosen += await self._ranked(asked_of(part), found, begin, len(pools))
        return await self._sources(list({(hit.backend, hit.id): hit for hit in chosen}.values()), begin)

    async def _ranked(
        self, question: str, searched: Sequence[Searched], begin: Callable[[str], Context], pools: int
    ) -> list[Hit]:
        longest = max((len(one.hits) for one in searched), default=0)
        near = [hit for one in searched for hit in one.near if (hit.backend, hit.id) not in self._read]
        hits = {
            (hit.backend, hit.id): hit
            for i in range(longest)
            for one in searched
            for hit in one.hits[i : i + 1]
            if (hit.backend, hit.id) not in self._read
        }
        context = begin(question)
        hits |= {(hit.backend, hit.id): hit for hit in near}
        cleaned = await self._steps.clean(tuple(hits.values())[:POOL], context)
        self._tell_dropped(cleaned.dropped)
        if not cleaned.hits or cleaned.outcome == "spam":
            return []
        ranked = await self._steps.rerank(Pool(question=question, hits=cleaned.hits), context)
        self._feed.tell(Data(kind="ranked", query=question, found=len(ranked.hits), rung=ranked.rung))
        kept = {(hit.backend, hit.id) for hit in cleaned.hits}
        near = [hit for hit in near if (hit.backend, hit.id) in kept]
        return _with_near(ranked.hits, near, max(2, -(-self._settings.read.pages // pools)))

    async def _sources(self, hits: Sequence[Hit], begin: Callable[[str], Context]) -> list[Source]:
        """Read at once, tell how far it is, and leave out what is no text."""
        done = 0
        context = begin("")

        async def one(hit: Hit) -> Source | None:
            nonlocal done
            found = await self._one(hit, context)
            done += 1
            title = (found.title if found is not None else None) or hit.title or hit.id
            self._feed.tell(Progress(n=done, of=len(hits), title=title))
            return found

        read = list(zip(hits, await together([one(hit) for hit in hits]), strict=True))
        self._read |= {(hit.backend, hit.id) for hit in hits}
        return await self._clean(read, context)

    async def _one(self, hit: Hit, context: Context) -> Source | None:
        """Read one hit; where its page cannot be read, what the hit says itself is the source."""
        try:
            source = await self._account.find(f"read {hit.url or hit.id}", lambda: self._steps.read(hit, context))
        except (ScrapeError, BudgetExceeded, OutOfTime) as error:
            page = hit.title or hit.url or hit.id
            reason = f"{page}: not read in time" if isinstance(error, OutOfTime) else str(error)
            text = reason if isinstance(error, OutOfTime) else f"{page}: {reason}"
            self._feed.tell(Warning(kind="page", text=text, about=page))
            refused = isinstance(error, ScrapeError) and error.kind == "address"  # no source, whatever its hit says
            if refused or not hit.text.strip():
                context.degrade("read", "without this page", reason)
                return None
            context.degrade("read", "the snippet", reason)
            return as_source(hit)
        if source.url is not None and source.text != hit.text:
            self._feed.tell(Data(kind="page", title=source.title, url=source.url, found=len(source.text)))
        return source

    async def _clean(self, read: Sequence[tuple[Hit, Source | None]], context: Context) -> list[Source]:
        """Without pages that turn out to be no text to read: a challenge, a list of words."""
        known = [(hit, source) for hit, source in read if source is not None]
        fetched = [
            replace(hit, text=source.text, title=source.title or hit.title)
            for hit, source in known
            if source.text != hit.text
        ]
        if not fetched:
            return [self._named(hit, source) for hit, source in known]
        cleaned = await self._steps.clean(tuple(fetched), context)
        self._tell_dropped(cleaned.dropped)
        kept = {(hit.backend, hit.id) for hit in cleaned.hits}
        pages = {(hit.backend, hit.id) for hit in fetched}
        return [
            self._named(hit, source)
            for hit, source in known
            if (hit.backend, hit.id) not in pages or (hit.backend, hit.id) in kept
        ]

    def _named(self, hit: Hit, source: Source) -> Source:
        """Two documents of two engines may have one id; the later is named with its engine."""
        id_ = source.id if source.id not in self._ids else f"{hit.backend}:{source.id}"
        self._ids.add(id_)
        return source if id_ == source.id else replace(source, id=id_)

    def _tell_dropped(self, dropped: Sequence[tuple[str, str]]) -> None:
        for id_, reason in dropped:
            self._feed.tell(Warning(kind="dropped", text=f"{id_}: {reason}"))


def _with_near(ranked: Sequence[Hit], near: Sequence[Hit], most: int) -> list[Hit]:
    """The best of a pool, and the best that only other words found: by the question's own words they come last."""
    first = list({(hit.backend, hit.id): hit for hit in near}.values())[:_NEAR]
    keys = {(hit.backend, hit.id) for hit in first}
    rest = [hit for hit in ranked if (hit.backend, hit.id) not in keys]
    return [*rest[:most], *first]
