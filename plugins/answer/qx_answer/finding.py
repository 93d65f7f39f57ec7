"""Searching, cleaning and putting in order: from a query to the few hits that are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from qx.context import Context
from qx.errors import BudgetExceeded, ProviderError
from qx.processor import HitProcessor
from qx.ranking import Ranking
from qx.serial import replace
from qx.types import Hit
from qx_answer.near_words import near_query
from qx_answer.sentences import spans
from qx_answer.values import Cleaned, Pool, Ranked, Searched, Wanted

_NEAR = 10
"""Hits of other words at most."""
_LOOKED_AT = 20_000
"""Characters of a text that spam detectors look at."""
_LISTED = 20_000
"""Characters from which on a text without sentences is a list of words."""


@dataclass(frozen=True, slots=True)
class Search:
    """The step ``search``: the core expands the query, asks every engine, and merges.

    Args:
        pool: Hits at most.
        near: Whether a question is asked in other words, too: an engine of the web reads words by their meaning, and each
            call of it costs.
    """

    pool: int
    near: bool = False

    async def __call__(self, wanted: Wanted, context: Context, /) -> Searched:
        result = await context.search(wanted.text, limit=self.pool)
        backends = Counter({report.backend: 0 for report in result.rankings})
        known = {_key(hit) for hit in result.hits}
        text = near_query(wanted.text) if self.near and wanted.near else ""
        near = [hit for hit in await self._in_other_words(text, context) if _key(hit) not in known]
        backends.update(hit.backend for hit in (*result.hits, *near))
        return Searched(
            wanted=wanted,
            hits=result.hits,
            outcome=result.outcome,
            backends=dict(backends),
            near=tuple(near),
            calls=2 if text else 1,
        )

    async def _in_other_words(self, text: str, context: Context) -> tuple[Hit, ...]:
        """What near words find; nothing where there are none, or no time is left for them."""
        if not text:
            return ()
        try:
            return (await context.search(text, limit=_NEAR, expand=False)).hits
        except (ProviderError, BudgetExceeded) as error:
            context.degrade("search", "without near words", str(error))
            return ()


@dataclass(frozen=True, slots=True)
class Clean:
    """The step ``clean``: without what has no text, is spam, a challenge page, or a list of words.

    Spam is looked for among what has an address on the web; a document of one's own index may advertise as it likes.

    Args:
        processor: The processor of ``read.clean``.
    """

    processor: HitProcessor

    async def __call__(self, hits: tuple[Hit, ...], context: Context, /) -> Cleaned:
        dropped: list[tuple[str, str]] = []
        kept: list[Hit] = []
        for hit in hits:
            reason = _no_text(hit)
            if reason:
                dropped.append((hit.id, reason))
            else:
                kept.append(hit)
        public = [hit for hit in kept if _is_public(hit)]
        clipped = [replace(hit, text=hit.text[:_LOOKED_AT]) if len(hit.text) > _LOOKED_AT else hit for hit in public]
        if not clipped:
            return Cleaned(hits=tuple(kept), dropped=tuple(dropped))
        found = await self.processor.process_hits(listed(clipped), context)
        by_key = {_key(hit): hit for hit in kept}
        gone = {key: reason for key, reason in found.dropped if key in by_key}
        dropped += [(by_key[key].id, reason) for key, reason in gone.items()]
        left = tuple(hit for hit in kept if _key(hit) not in gone)
        return Cleaned(hits=left, dropped=tuple(dropped), outcome="ok" if left else found.outcome)


def _is_public(hit: Hit) -> bool:
    return hit.url is not None and hit.url.startswith(("http://", "https://"))


def _no_text(hit: Hit) -> str:
    if not hit.text.strip() and not hit.url:
        return "it has no text"
    if len(hit.text) >= _LISTED and _is_list(hit.text[:_LOOKED_AT]):
        return "a list of words, no sentence"
    return ""


def _is_list(text: str) -> bool:
    """Whether a long text has next to no sentence: pieces of a few words, or one piece without an end."""
    lengths = [end - start for start, end in spans(text)]
    sentences = sum(length for length in lengths if 20 <= length <= 600)
    return sentences < len(text) * 0.1


@dataclass(frozen=True, slots=True)
class Rerank:
    """The step ``rerank``: always before reading, since reading costs the most.

    Args:
        processor: The processor of ``read.rerank``.
        pages: Hits that are kept.
    """

    processor: HitProcessor
    pages: int

    async def __call__(self, pool: Pool, context: Context, /) -> Ranked:
        before = len(context.degraded)
        found = await self.processor.process_hits(listed(pool.hits), context)
        hits = tuple(found.hit(i) for i in range(min(self.pages, len(found.keys))))
        fell = context.degraded[before:]
        rung = "; ".join(one.rung for one in fell) if fell else "; ".join(found.notes)
        by_key = {_key(hit): hit for hit in pool.hits}
        return Ranked(hits=tuple(by_key[_key(hit)] for hit in hits), rung=rung or "one hit, in no order")


def listed(hits: Sequence[Hit]) -> Ranking:
    """Return hits as a ranked list: each once, without the queries that found them, which are other lists' matter."""
    unique = list({_key(hit): replace(hit, contributions=()) for hit in hits}.items())
    return Ranking(
        query=None,
        backend=None,
        keys=tuple(key for key, _ in unique),
        scores=tuple(1 / (60 + rank) for rank in range(1, len(unique) + 1)),
        hit=lambda index: unique[index][1],
    )


def _key(hit: Hit) -> str:
    return f"{hit.backend}\0{hit.id}"
