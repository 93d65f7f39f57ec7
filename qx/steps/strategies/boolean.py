"""Web syntax: phrases that must stand together, ``AND``, either of two wordings, ``-`` for what is excluded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from qx.rules.templates import applicable, has_place, literal
from qx.rules.terms import GENERIC, has_han, holds, plain
from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.steps.strategies.substitution import places
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context


class BooleanStrategy:
    """Only for engines that read web syntax (target ``web``)."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording(query, understanding, context.knowledge)
        return (*self._without(wording), *self._phrases(wording), *self._either(wording))[:2]

    def _without(self, wording: Wording) -> Iterator[SubQuery]:
        """``shirt -white`` for "shirt, not white"."""
        excluded = [t for t in wording.protection.things if t.kind == "negation" and t.target]
        core, told = wording.core, list[str]()
        for thing in excluded:
            if plain(thing.text) in plain(core) and len(plain(core)) == len(core):
                at = plain(core).find(plain(thing.text))
                core = f"{core[:at].rstrip(' ,，、')} {core[at + len(thing.text) :].lstrip(' ,，、')}".strip()
                told += [f"-{word}" for word in thing.target.split()]
        if told:
            yield self._web(f"{core} {' '.join(told)}", why(wording, "without", ", ".join(told)))

    def _phrases(self, wording: Wording) -> Iterator[SubQuery]:
        names = [e.text for e in wording.entities if not e.verbatim and '"' not in e.text and len(e.text) > 1]
        if not has_han(wording.text):
            names = [n for n in names if " " in n] or names
        if len(names) < 2 and len(wording.core_words) <= 4:
            words = [w for w in wording.core_words if plain(w) not in GENERIC and len(w) > 1]
            names = names or words[:2]
        if not names or (
            len(names) == 1 and plain(names[0]) == wording.folded and not has_han(names[0]) and " " not in names[0]
        ):
            return
        quoted = list(dict.fromkeys(names))[:2]
        rest = self._rest(wording, quoted)
        tail = self._tail(wording, " ".join(rest))
        text = " ".join([" AND ".join(f'"{name}"' for name in quoted), *rest, *tail])
        yield self._web(wording.complete(text), why(wording, "phrase", ", ".join(quoted)))

    def _rest(self, wording: Wording, quoted: Sequence[str]) -> list[str]:
        folded = [plain(q) for q in quoted]
        return [p for p in self._pieces(wording, quoted) if not any(holds(q, plain(p)) for q in folded)]

    def _pieces(self, wording: Wording, quoted: Sequence[str]) -> list[str]:
        core = wording.core
        for name in quoted:
            core = core.replace(name, " ")
        return [p for p in core.split() if any(ch.isalnum() for ch in p) and (len(p) > 1 or not has_han(p))]

    def _tail(self, wording: Wording, rest: str) -> list[str]:
        """A word of the intent's usual form, where the phrases alone would say too little."""
        for template in applicable("refine", wording):
            own = wording.say(literal(template))
            if (
                not has_place(template, "need")
                and not has_place(template, "year")
                and own
                and not template.text.startswith(own)
            ):
                return [] if holds(plain(rest), plain(own)) else [own]
        return []

    def _either(self, wording: Wording) -> Iterator[SubQuery]:
        """``电脑 ("卡死" OR "系统响应缓慢")``: one query for two wordings."""
        core = wording.core
        for place in places(core, wording.knowledge.synonyms, wording):
            own = core[place.start : place.end]
            others = [o for o, _ in wording.knowledge.synonyms[place.key] if has_han(o) == has_han(own)][:1]
            if others and plain(own) != plain(others[0]):
                said = wording.say(others[0])
                text = f'{core[: place.start].strip()} ("{own}" OR "{said}") {core[place.end :].strip()}'
                yield self._web(" ".join(text.split()), why(wording, "either", f"{own} / {said}"))
                return

    def _web(self, text: str, reason: str) -> SubQuery:
        return candidate(text, "boolean", reason, target="web")
