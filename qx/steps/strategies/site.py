"""Sites and file types that answer an intent well, from the packs' rules and platforms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from qx.rules import platforms
from qx.rules.templates import matches
from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_MOST = 1
_NAMED = 2
"""Platforms that a query names of which it is asked."""


class SiteStrategy:
    """``{core} site:arxiv.org``, for engines that read web syntax.

    The platforms that the query names come first, then the sites of the profile's packs, the platforms for its intents,
    and the general sites.
    """

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        mine = [p for p in platforms.named(wording) if p.site]
        if mine:
            core = platforms.core_without(wording, wording.core)
            return tuple(self._written(wording, core, "site", p.site or "") for p in mine[:_NAMED])
        own, general = self._rules(wording)
        sold = (("site", p.site) for p in platforms.fitting(wording) if p.site)
        found = [
            self._written(wording, wording.core, label, name)
            for label, name in (*own, *sold, *general)
            if f"{label}:{name}" not in wording.folded
        ]
        return tuple(found[:_MOST])

    def _rules(self, wording: Wording) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """What the rules of the profile's packs name, and those of the general one: (operator, value)."""
        first = wording.understanding.intent[:1]
        places: tuple[list[tuple[bool, str, str]], list[tuple[bool, str, str]]] = ([], [])
        for at, rule in enumerate(wording.knowledge.sites):
            if not set(rule.intents) & set(wording.intents) or not matches(rule.when, wording):
                continue
            if rule.language is not None and rule.language != wording.language:
                continue  # zh-Hant readers have sites of their own
            label, name = ("site", rule.site) if rule.site else ("filetype", rule.filetype)
            if name:
                later = not set(first) & set(rule.intents)
                places[at >= wording.knowledge.own_sites].append((later, label, name))
        own, general = (list(_ordered(found)) for found in places)
        return own, general

    def _written(self, wording: Wording, core: str, label: str, name: str) -> SubQuery:
        return candidate(f"{wording.complete(core)} {label}:{name}", "site", why(wording, label, name), target="web")


def _ordered(found: Sequence[tuple[bool, str, str]]) -> Iterator[tuple[str, str]]:
    """Those of the first intent before the others, else as the packs have them."""
    for _, label, name in sorted(found, key=lambda place: place[0]):
        yield label, name
