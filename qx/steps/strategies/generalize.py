"""Wider queries: wider terms, fewer modifiers, no soft limits.  Numbers, identifiers and exclusions stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from qx.rules.cutting import whole, without
from qx.rules.terms import has_han, holds, is_adjective, plain, wider_terms
from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.steps.strategies.substitution import excluding, places, substitute
from qx.types import Constraint, Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_MOST = 3
_LEADS = frozenset({"to", "for", "of", "in", "on", "with", "and", "or", "enough"})


class GeneralizeStrategy:
    """One wider term at a time; then the query without what only narrows it."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        return tuple(islice(chain(self._fewer(wording), self._wider(wording)), _MOST))

    def _wider(self, wording: Wording) -> Iterator[SubQuery]:
        text = wording.text
        known = wider_terms(wording.knowledge)
        gone = wording.droppable
        for place in places(text, known, wording):
            own = text[place.start : place.end]
            if excluding(place, text) or any(
                plain(own) in plain(t.text) for t in wording.protection.things if t.kind in {"identifier", "phrase"}
            ):
                continue
            for other in known[place.key][:1]:
                said = wording.say(other)
                if has_han(said) != has_han(text) or holds(wording.folded, plain(said)):
                    continue
                core = self._without(wording, substitute(text, [(place, said)]), gone, keep=[said])
                yield candidate(core, "generalize", why(wording, "wider", f"{own} → {said}", wording.knowledge.name))

    def _fewer(self, wording: Wording) -> Iterator[SubQuery]:
        gone = wording.droppable
        if gone:
            core = self._without(wording, wording.text, gone)
            if core != wording.core:
                told = ", ".join(dict.fromkeys(c.text for c in gone))
                yield candidate(core, "generalize", why(wording, "fewer", told))
        elif wording.language == "en" and not {"troubleshooting", "how-to"} & set(wording.intents):
            yield from self._modifiers(wording)
        if len([e for e in wording.entities if e.type == "technology"]) >= 3:
            yield from self._ends(wording)

    def _without(self, wording: Wording, text: str, gone: Sequence[Constraint], keep: Sequence[str] = ()) -> str:
        for constraint in gone:
            text = without(text, constraint.text)
        return wording.complete(whole(wording.core_of(text, keep)), widening=True)

    def _ends(self, wording: Wording) -> Iterator[SubQuery]:
        """The first and the last of many entities, and what is asked of them: ``Python ORM 性能优化``."""
        names = [e.text for e in wording.entities if e.type == "technology"]
        rest = [w for w in wording.core_words if not any(holds(plain(n), plain(w)) for n in names)]
        last = rest[-1:] if rest and len(rest[-1]) >= 4 else rest[-2:]
        asked = "".join(last) if has_han(wording.text) else " ".join(last)
        text = " ".join(part for part in (names[0], names[-1], asked) if part)
        yield candidate(wording.complete(text, widening=True), "generalize", why(wording, "fewer"))

    def _modifiers(self, wording: Wording) -> Iterator[SubQuery]:
        """A long English phrase without the adjective that it begins with."""
        words = wording.core.split()
        if len(words) < 4:
            return
        named = plain(" ".join(e.text for e in wording.entities if e.type != "thing"))
        if words[1].lower() in _LEADS:
            return  # "safe to take": what is left says nothing
        if is_adjective(plain(words[0])) and not holds(named, plain(words[0])):
            text = wording.complete(" ".join(words[1:]), widening=True)
            yield candidate(text, "generalize", why(wording, "fewer", words[0]))
