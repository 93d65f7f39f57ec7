"""Sites and file types that answer an intent well, from the packs' rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.rules.templates import matches, speaks
from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_MOST = 1


class SiteStrategy:
    """``{core} site:arxiv.org``, for engines that read web syntax."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        found: list[SubQuery] = []
        rules = [r for r in wording.knowledge.sites if set(r.intents) & set(understanding.intent)]
        for rule in sorted(rules, key=lambda r: understanding.intent[0] not in r.intents):
            if not speaks(rule.language, wording) or not matches(rule.when, wording):
                continue
            label, name = ("site", rule.site) if rule.site else ("filetype", rule.filetype)
            if name and f"{label}:{name}" not in wording.folded:
                text = f"{wording.complete(wording.core)} {label}:{name}"
                found.append(candidate(text, "site", why(wording, label, name), target="web"))
        return tuple(found[:_MOST])
