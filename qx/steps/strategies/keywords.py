"""The query without its question form and filler words, for engines that match words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context


class KeywordsStrategy:
    """One candidate at most; the guard drops it where it says just what was typed."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        core = wording.complete(wording.keywords)
        if core == wording.text or len(core) < 2:
            return ()
        return (candidate(core, "keywords", why(wording, "keywords"), target="lexical"),)
