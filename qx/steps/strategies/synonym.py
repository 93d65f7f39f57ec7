"""Other wordings from the synonym sets of packs and profile: colloquial to formal, everyday to technical."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from qx.rules.attributes import named
from qx.rules.respelling import respelt
from qx.rules.templates import applicable, fill
from qx.rules.terms import has_han, holds_exact, plain
from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.steps.strategies.substitution import GENERAL, Place, agreeing, excluding, of_the_trade, places, substitute
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_MOST = 5
_SPELT = 2
"""Other spellings of measures that get a query of their own."""


class SynonymStrategy:
    """Replaces one wording at a time, then all of them together."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        changes = [(place, others) for place, others in self._options(wording) if others]
        spelt = (*self._named(wording), *self._respelt(wording))
        if not changes:
            return spelt
        # what the owner or a pack says goes before everyday words; the longest wording says the most
        changes.sort(key=lambda change: (change[1][0][1] == GENERAL, change[0].start - change[0].end))
        found = [self._written(wording, [(changes[0][0], changes[0][1][0])])]
        if len(changes) > 1:
            together = self._written(wording, [(place, others[0]) for place, others in changes])
            found = [together, *found] if self._limits(wording, changes) else [*found, together]
        for nth in range(3 if len(changes) == 1 else 2):
            for place, others in changes:
                if len(found) < _MOST and nth < len(others) and (nth, place) != (0, changes[0][0]):
                    found.append(self._written(wording, [(place, others[nth])]))
        return (*self._formed(wording, found[0]), *spelt, *found[1:_MOST])

    def _options(self, wording: Wording) -> list[tuple[Place, list[tuple[str, str]]]]:
        options: list[tuple[Place, list[tuple[str, str]]]] = []
        chinese = has_han(wording.text)
        for place in places(wording.text, wording.knowledge.synonyms, wording):
            own = wording.text[place.start : place.end]
            if excluding(place, wording.text) or any(
                plain(own) in plain(t.text) for t in wording.protection.things if t.kind in {"identifier", "phrase"}
            ):
                continue
            around = wording.text[max(0, place.start - 1) : place.start] + wording.text[place.end : place.end + 1]
            glued = own.isascii() and has_han(around)
            others = [
                (said, source)
                for other, source in wording.knowledge.synonyms[place.key]
                if (chinese or not has_han(other))
                and not (glued and source == GENERAL and not has_han(other))  # the app of 个税app
                and not holds_exact(wording.folded, plain(said := wording.say(agreeing(own, place.key, other))))
            ]
            options.append((place, list(of_the_trade(own, others, wording))))
        return options

    def _named(self, wording: Wording) -> Iterator[SubQuery]:
        """A question as the name of what it asks for."""
        if "factual" not in wording.intents and "exploration" not in wording.intents:
            return
        for text, noun in named(wording.text, chinese=has_han(wording.text)):
            yield candidate(wording.complete(text), "synonym", why(wording, "form", wording.say(noun)))

    def _respelt(self, wording: Wording) -> Iterator[SubQuery]:
        """The query with a measure as others write it."""
        for typed, measure, text in islice(respelt(wording.text, wording.language, wording.knowledge), _SPELT):
            core = wording.complete(wording.core_of(text, keep=[measure]))
            yield candidate(core, "synonym", why(wording, "unit", f"{typed} → {measure}"))

    def _limits(self, wording: Wording, changes: Sequence[tuple[Place, list[tuple[str, str]]]]) -> bool:
        """Whether most changes reword limits (屏幕大点 -> 大屏): then they read best all together."""
        texts = [plain(c.text) for c in wording.understanding.constraints if c.text]
        own = [plain(wording.text[place.start : place.end]) for place, _ in changes]
        return 2 * sum(any(o in t or t in o for t in texts) for o in own) > len(own)

    def _written(self, wording: Wording, changes: list[tuple[Place, tuple[str, str]]]) -> SubQuery:
        text = substitute(wording.text, [(place, other) for place, (other, _) in changes])
        core = wording.complete(wording.core_of(text, keep=[other for _, (other, _) in changes]))
        told = [f"{wording.text[place.start : place.end]} → {other}" for place, (other, _) in changes]
        sources = ", ".join(dict.fromkeys(source for _, (_, source) in changes))
        return candidate(core, "synonym", why(wording, "synonym", "; ".join(told), sources))

    def _formed(self, wording: Wording, first: SubQuery) -> Sequence[SubQuery]:
        """The first one also in the usual form of the intent: ``支付失败 解决方案``."""
        for template in applicable("synonym", wording):
            text = fill(template, wording, core=first.text)
            if text:
                return (candidate(text, "synonym", first.why),)
        return (first,)
