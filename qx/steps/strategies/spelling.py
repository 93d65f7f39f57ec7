"""The query with its clear slips corrected, one query of low weight; all others keep the words as typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.text.clean import clean
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context


class SpellingStrategy:
    """Offers what rules found when they read the query (``understand.spelling``): ``signals["spelling"]``."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        corrected = understanding.signals.get("spelling")
        if not corrected or understanding.standalone:  # the correction is of what was typed, not of that form
            return ()
        wording = Wording.of(query, understanding, context.knowledge)
        return (candidate(corrected, "spelling", why(wording, "spelling", f"{clean(query.text).text} → {corrected}")),)
