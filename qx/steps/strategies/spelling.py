"""The query with its unknown words corrected; the original stays among the queries."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.text import identifiers, quotes
from qx.text.spelling import Speller
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context


@lru_cache(maxsize=16)
def _speller(lexicon: tuple[str, ...]) -> Speller:
    return Speller(lexicon)


class SpellingStrategy:
    """Identifiers, quoted text and verbatim entities are never corrected."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        text = wording.text
        spans = [(i.start, i.end) for i in identifiers.find(text)] + [(p.start, p.end) for p in quotes.phrases(text)]
        for entity in understanding.entities:
            at = text.find(entity.text) if entity.verbatim and entity.text else -1
            if at >= 0:
                spans.append((at, at + len(entity.text)))
        correction = _speller(context.knowledge.lexicon).correct(text, spans)
        if correction is None or correction.text == text:
            return ()
        told = "; ".join(f"{c.wrong} → {c.right}" for c in correction.changes)
        return (candidate(correction.text, "spelling", why(wording, "spelling", told)),)
