"""The query without its question form and filler words, for engines that match words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.rules.terms import segmenter
from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context


MOST_KEPT = 0.7
"""The share of the query's characters that may stay."""


def _letters(text: str) -> int:
    return sum(c.isalnum() for c in text)


class KeywordsStrategy:
    """One candidate at most, and none where next to nothing falls away: 付不了款 is 我付不了款 once more."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        core = wording.complete(wording.keywords)
        if not segmenter(context.knowledge.lexicon).keywords(core):
            return ()  # "not" is all that is left of "to be or not to be"
        if core.isascii() and " " not in core and core.islower() and not wording.entities:
            return ()  # "write" of "how to write a will"
        if len(core) < 2 or _letters(core) > MOST_KEPT * _letters(wording.text):
            return ()
        return (candidate(core, "keywords", why(wording, "keywords"), target="lexical"),)
