"""Sites and file types that answer an intent well, from the packs' rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.rules.templates import matches
from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_MOST = 1


class SiteStrategy:
    """``{core} site:arxiv.org``, for engines that read web syntax; the sites of the profile's packs before general ones."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        found: list[SubQuery] = []
        known = enumerate(wording.knowledge.sites)
        rules = [(at, r) for at, r in known if set(r.intents) & set(wording.intents)]
        own = wording.knowledge.own_sites
        rules.sort(key=lambda pair: (pair[0] >= own, understanding.intent[0] not in pair[1].intents))
        for _, rule in rules:
            if (
                rule.language is not None and rule.language != wording.language
            ):  # zh-Hant readers have sites of their own
                continue
            if not matches(rule.when, wording):
                continue
            label, name = ("site", rule.site) if rule.site else ("filetype", rule.filetype)
            if name and f"{label}:{name}" not in wording.folded:
                text = f"{wording.complete(wording.core)} {label}:{name}"
                found.append(candidate(text, "site", why(wording, label, name), target="web"))
        return tuple(found[:_MOST])
