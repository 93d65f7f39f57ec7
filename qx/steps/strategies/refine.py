"""Narrower queries: one for each implicit need, the usual forms of the intent, the reader's stance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from qx.rules.templates import applicable, fill, has_place, literal, overlaps
from qx.rules.terms import has_han, holds, plain
from qx.rules.wording import Wording, family
from qx.steps.strategies.candidates import candidate, why
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_NEEDS = 4
_FORMS = 3
_QUIET = frozenset({"troubleshooting", "how-to"})
"""Intents of which a critical reader wants help, not complaints."""


class RefineStrategy:
    """Every need a query; then forms such as ``{core} 评测 2026`` that say something else than the needs."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording(query, understanding, context.knowledge)
        needs = [n for n in understanding.implicit_needs if has_han(n) == has_han(wording.text)][:_NEEDS]
        found = [*self._stance(wording), *self._needs(wording, needs)]
        forms = list(self._forms(wording, needs))
        first, rest = forms[:1], forms[1:]
        return (*first, *found, *rest)

    def _needs(self, wording: Wording, needs: Sequence[str]) -> Iterator[SubQuery]:
        for need in needs:
            said = wording.say(need)
            text = said if self._names_subject(said, wording) else f"{wording.subject} {said}"
            yield candidate(wording.complete(text), "refine", why(wording, "need", said))

    def _names_subject(self, need: str, wording: Wording) -> bool:
        return bool(wording.entities) and all(holds(plain(need), plain(e.text)) for e in wording.entities)

    def _forms(self, wording: Wording, needs: Sequence[str]) -> Iterator[SubQuery]:
        told: list[str] = list(needs)
        count = 0
        for template in applicable("refine", wording):
            own = literal(template)
            if has_place(template, "need") or (own and overlaps(own, told, wording)):
                continue
            text = fill(template, wording)
            if text is None:
                continue
            told.append(own)
            yield candidate(
                text, "refine", template.why or why(wording, "form", wording.say(own)), target=template.target
            )
            count += 1
            if count == _FORMS:
                return

    def _stance(self, wording: Wording) -> Iterator[SubQuery]:
        understanding = wording.understanding
        if understanding.stance == "neutral" or _QUIET & set(understanding.intent):
            return
        chinese = family(wording.language) == "zh"
        for cue in wording.knowledge.cues:
            if cue.stance != understanding.stance or not any(holds(wording.folded, plain(w)) for w in cue.words):
                continue
            words = [w for w in cue.expand if has_han(w) == chinese and not holds(wording.folded, plain(w))]
            for word in words[:2]:
                said = wording.say(word)
                yield candidate(wording.complete(f"{wording.subject} {said}"), "refine", why(wording, "stance", said))
            if words:
                return
