"""Each reading of an ambiguous word (苹果: fruit, company) or goal (Python列表排序), where nothing settled it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.rules.terms import has_han, holds, plain
from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context


_MOST = 6


class SensesStrategy:
    """At least one candidate a reading, in the words that belong to it; more where there are few readings."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        away = {plain(word) for word in understanding.negations}
        senses = [
            s for s in understanding.senses if plain(s.word) not in away
        ]  # "no 小米, the grain" asks for the grain
        depth = max(1, _MOST // max(1, len(senses)))
        rows: list[list[SubQuery]] = []
        for sense in senses:
            words = [w for w in sense.words if self._fits(w, wording) and not holds(wording.folded, plain(w))]
            label = why(wording, "senses", f"{sense.word} = {sense.label}")
            rows.append(
                [
                    candidate(wording.complete(f"{wording.core} {wording.say(word)}"), "senses", label)
                    for word in words[:depth]
                ]
            )
        return tuple(row[nth] for nth in range(depth) for row in rows if nth < len(row))

    def _fits(self, word: str, wording: Wording) -> bool:
        """Words of the query's language; code such as ``sorted()`` fits all."""
        return (
            has_han(word) or not has_han(wording.text) or not word.isalpha()
            if has_han(wording.text)
            else not has_han(word)
        )
