"""Narrower queries: one for each implicit need, the usual forms of the intent, the reader's stance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from qx.rules import platforms
from qx.rules.templates import applicable, fill, has_place, literal, overlaps
from qx.rules.terms import has_han, holds, plain
from qx.rules.wording import Wording, family
from qx.steps.strategies.candidates import candidate, why
from qx.text.language import same_language
from qx.text.lexicons import load_set
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_NEEDS = 4
_FORMS = 2
_ENOUGH = 6
_PLATFORMS = 2
"""Platforms that get a query of their own."""
_UNJUDGED = frozenset({"thing", "symptom", "illness", "fault", "person", "animal"})
"""Types of what has neither complaints nor praise to be found."""
_HELP = re.compile(
    r"怎么|如何|怎样|办法|方法|步骤|\bhow\b|\bsteps\b|\bwhat to do\b|^(?:fix|cancel|return|report|complain)\b",
    re.IGNORECASE,
)
"""Words by which a critical reader asks for help, not for complaints."""
_PRAISING = frozenset({"best", "top", "picks", "推荐", "优惠", "latest", "products"})
"""Words of forms that no critical reader types: "best tesla terrible"."""


class RefineStrategy:
    """Every need a query; then forms such as ``{core} 评测 2026`` that say something else than the needs."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        if understanding.senses and understanding.kind == "vague":
            return ()  # what is needed depends on the reading
        said = map(wording.say, understanding.implicit_needs)  # in the query's characters before they are judged
        needs = [n for n in said if self._readable(n, wording)][:_NEEDS]
        found = [*self._stance(wording), *self._needs(wording, needs)]
        forms = list(self._forms(wording, needs))
        sold = list(self._at_platforms(wording))
        ahead = 3 if understanding.sentiment.label == "worried" else 1  # who is worried needs the answers first
        return (*found[:ahead], *forms[:1], *sold[:1], *found[ahead:], *sold[1:], *forms[1:])

    def _readable(self, need: str, wording: Wording) -> bool:
        if family(wording.language) not in {"zh", "en"} and need.isascii():
            return False  # Latin words fit any language as names; a need is no name
        return has_han(need) == has_han(wording.text) and same_language(need, wording.language)

    def _needs(self, wording: Wording, needs: Sequence[str]) -> Iterator[SubQuery]:
        for said in needs:
            text = said if self._names_subject(said, wording) else _joined(wording.subject, said)
            if wording.complete(text) != text and text != said:
                text = _joined(wording.core, said)  # limits where they were typed, rather than trailing behind
            yield candidate(wording.complete(text), "refine", why(wording, "need", said))

    def _names_subject(self, need: str, wording: Wording) -> bool:
        return bool(wording.entities) and all(holds(plain(need), plain(e.text)) for e in wording.entities)

    def _forms(self, wording: Wording, needs: Sequence[str]) -> Iterator[SubQuery]:
        told: list[str] = list(needs)
        count = 0
        for template in applicable("refine", wording):
            own = literal(template)
            dated = has_place(template, "year")
            praises = wording.understanding.stance == "critical" and not _PRAISING.isdisjoint(own.split())
            if (
                praises
                or has_place(template, "need")
                or has_place(template, "platform")
                or (own and not dated and overlaps(own, told, wording))
            ):
                continue
            text = fill(template, wording)
            if text is None:
                continue
            told.append(own)
            yield candidate(
                text, "refine", template.why or why(wording, "form", wording.say(own)), target=template.target
            )
            count += 1
            if count == max(_FORMS, _ENOUGH - len(needs)):
                return

    def _at_platforms(self, wording: Wording) -> Iterator[SubQuery]:
        """The query at each platform that it compares, else at those that the packs name for its intents."""
        templates = [t for t in applicable("refine", wording) if has_place(t, "platform")]
        mine = platforms.named(wording) if templates else ()
        if not templates or len(mine) == 1:
            return  # who names one wants that one: every query says so already
        core = platforms.core_without(wording, wording.core)
        for at, one in enumerate((mine or platforms.fitting(wording))[:_PLATFORMS]):
            template = templates[at % len(templates)]
            text = fill(template, wording, core=core, platform=platforms.label(one, wording))
            if text is not None:
                said = template.why or why(wording, "platform", platforms.label(one, wording))
                yield candidate(text, "refine", said, target=template.target)

    def _helped(self, wording: Wording) -> bool:
        return "how-to" in wording.intents and _HELP.search(wording.folded) is not None

    def _stance(self, wording: Wording) -> Iterator[SubQuery]:
        understanding = wording.understanding
        if understanding.stance == "neutral" or "troubleshooting" in wording.intents or self._helped(wording):
            return
        if all(e.type in _UNJUDGED for e in understanding.entities):
            return  # whose wages are not paid asks for no drawbacks
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


def _begins(token: str, added: Sequence[str]) -> bool:
    """Whether the first added word goes on from ``token``: 赔偿标准 from 赔偿."""
    return len(token) > 1 and bool(added) and added[0].startswith(token)


def _ends(token: str, added: str) -> bool:
    """Whether an added word says the token more closely: 主要区别 for 区别."""
    return len(token) > 1 and token != added and added.endswith(token) and not added.startswith(token)


def _joined(core: str, need: str) -> str:
    """``core`` and ``need`` without saying a thing twice: 空调不制冷 常见原因 for "空调不制冷 原因" and "常见原因"."""
    if not has_han(core):
        first, _, rest = need.partition(" ")
        return f"{core} {rest if rest and core.split()[-1:] == [first] else need}"
    added = [token for token in need.split() if not holds(plain(core), plain(token))]
    kept = [
        token
        for token in core.split()
        if not any(token in other for other in added)
        or not (
            plain(token) in load_set("generic_words")
            or _begins(token, added)
            or any(_ends(token, other) for other in added)
        )
    ]
    return " ".join([*kept, *added])
