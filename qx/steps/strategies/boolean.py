"""Web syntax: phrases that must stand together, ``AND``, either of two wordings, ``-`` for what is excluded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from qx.rules.templates import applicable, literal
from qx.rules.terms import has_han, holds, plain
from qx.rules.wording import Wording, whole
from qx.steps.strategies.candidates import candidate, why
from qx.steps.strategies.substitution import places
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context


_MANNER = re.compile(r"without\b|不用", re.IGNORECASE)
"""Says how something is done ("to json without the index"), not what a page must not say."""
_PLAIN = frozenset({"product", "technology", "brand"})
"""Types whose names are one word to every engine: quoting one alone changes nothing."""


class BooleanStrategy:
    """Only for engines that read web syntax (target ``web``)."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        return (*self._without(wording), *self._phrases(wording), *self._either(wording))[:1]

    def _without(self, wording: Wording) -> Iterator[SubQuery]:
        """``shirt -white`` for "shirt, not white"."""
        done = {"how-to", "troubleshooting"} & set(wording.understanding.intent[:1])
        excluded = [
            t
            for t in wording.protection.things
            if t.kind == "negation" and t.target and not (done and _MANNER.match(t.text))
        ]
        core, told = wording.core, list[str]()
        for thing in excluded:
            if plain(thing.text) in plain(core) and len(plain(core)) == len(core):
                at = plain(core).find(plain(thing.text))
                core = f"{core[:at].rstrip(' ,，、')} {core[at + len(thing.text) :].lstrip(' ,，、')}".strip()
                told += [f"-{word}" for word in thing.target.split()]
        core = whole(core)
        if told and core:
            yield self._web(f"{core} {' '.join(told)}", why(wording, "without", ", ".join(told)))

    def _phrases(self, wording: Wording) -> Iterator[SubQuery]:
        """``"神经网络" AND "过拟合" 预防 方法``; of English the whole of a short noun phrase."""
        quoted = self._quoted(wording)
        if not quoted:
            return
        core = wording.keywords
        for name in quoted:
            core = core.replace(name, " ", 1)
        spoken = {plain(word) for name in quoted for word in name.split()} if len(quoted) == 1 else set[str]()
        rest = [p for p in core.split() if any(ch.isalnum() for ch in p) and plain(p) not in spoken]
        text = " ".join([" AND ".join(f'"{name}"' for name in quoted), *rest, *self._tail(wording)])
        yield self._web(wording.complete(text), why(wording, "phrase", ", ".join(quoted)))

    def _quoted(self, wording: Wording) -> list[str]:
        names = [e for e in wording.entities if not e.verbatim and '"' not in e.text and len(e.text) > 1]
        sure = list(dict.fromkeys(e.text for e in names if e.type != "thing" and e.text in wording.text))
        if len(sure) >= 2:
            return sure[:2]
        if has_han(wording.text):
            return [e.text for e in names if e.text in sure and e.type not in _PLAIN and len(e.text) >= 4][:1]
        words = wording.core.split()
        nominal = not {"how-to", "troubleshooting", "recommendation", "comparison"} & set(wording.understanding.intent)
        if nominal and 2 <= len(words) <= 3 and '"' not in wording.core:
            return [wording.core]
        return [name for name in sure if " " in name]

    def _tail(self, wording: Wording) -> list[str]:
        """What the intent's form adds, where the query does not say it."""
        for template in applicable("boolean", wording):
            own = wording.say(literal(template))
            return [] if holds(wording.folded, plain(own)) else [own]
        return []

    def _either(self, wording: Wording) -> Iterator[SubQuery]:
        """``电脑 ("卡死" OR "系统响应缓慢")``: one query for two wordings."""
        core = wording.core
        found = sorted(places(core, wording.knowledge.synonyms, wording), key=lambda place: place.start - place.end)
        for place in found:
            own = core[place.start : place.end]
            others = [o for o, _ in wording.knowledge.synonyms[place.key] if has_han(o) == has_han(own)][:1]
            if others and plain(own) != plain(others[0]):
                said = wording.say(others[0])
                text = f'{core[: place.start].strip()} ("{own}" OR "{said}") {core[place.end :].strip()}'
                yield self._web(" ".join(text.split()), why(wording, "either", f"{own} / {said}"))
                return

    def _web(self, text: str, reason: str) -> SubQuery:
        return candidate(text, "boolean", reason, target="web")
