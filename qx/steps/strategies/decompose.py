"""Parts of a query that asks for several things: one for each thing compared, one for each complaint."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from qx.domain import Template
from qx.rules import platforms
from qx.rules.templates import applicable, own_words
from qx.rules.terms import has_han, holds_exact, plain
from qx.rules.unmeant import is_absent
from qx.rules.wording import Wording
from qx.steps.strategies.candidates import candidate, why
from qx.types import Entity, Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_COMPLAINTS = frozenset({"symptom", "fault"})
_JOINT = re.compile(
    r"^[\s,、]*(?:和|与|與|跟|还是|還是|或者|或|以及|vs\.?|versus|or|and|&|、|,)[\s,、]*$", re.IGNORECASE
)
_LINK = re.compile(
    r"(?:\b(?:vs\.?|versus|or|and|between|compared (?:to|with))\b|和|与|與|跟|还是|還是|相比|、)", re.IGNORECASE
)
_WEIGHED = re.compile(
    r"\b(?:the )?(?:differences?|comparison|compare|which is better|better)\b|区别|區別|差别|差別|差异|差異|对比|對比|比[较較](?=$|\s)|哪个好|哪个更好",
    re.IGNORECASE,
)
"""Words of the comparison itself, of which one thing alone has none."""
_MOST = 4


class DecomposeStrategy:
    """The guard checks that the parts together keep what the query names."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        if len(platforms.named(wording)) > 1:
            return ()  # what is compared is one thing at each of them: ``refine`` asks so
        if "comparison" in wording.intents:
            return self._compared(wording)
        return self._complaints(wording)

    def _compared(self, wording: Wording) -> Sequence[SubQuery]:
        things = self._alternatives(wording)
        if len(things) < 2:
            return ()
        asked = self._asked(wording, things)
        form = next((t for t in applicable("decompose", wording) if t.when or not asked), None)
        found: list[SubQuery] = []
        for thing in things[:_MOST]:
            core = f"{thing} {asked}".strip()  # 雅思 难: what is asked, rather than a form of its own
            text = self._formed(core, wording, form)
            found.append(candidate(text, "decompose", why(wording, "decompose", thing)))
        return tuple(found)

    def _asked(self, wording: Wording, things: Sequence[str]) -> str:
        """What is asked of each thing: the rest of the core, ``拍照好`` of "iPhone 15 和 小米14 哪个拍照好"."""
        rest = wording.core
        for thing in sorted(things, key=len, reverse=True):
            if (apart := re.search(r"\s*".join(map(re.escape, thing)), rest)) is not None:
                rest = f"{rest[: apart.start()]} {rest[apart.end() :]}"
            else:
                rest = rest.replace(thing.rsplit(" ", 1)[-1], " ", 1)  # the 3 of "airpods pro 2 vs 3"
        words = _WEIGHED.sub(" ", _LINK.sub(" ", rest)).split()
        named = [word for word in words if has_han(word) and any(word in thing for thing in things)]
        return " ".join(word for word in words if any(ch.isalnum() for ch in word) and word not in named)

    def _formed(self, core: str, wording: Wording, form: Template | None) -> str:
        if form is None:
            return core
        words = [wording.say(word) for word in own_words(form)]
        return " ".join([core, *(w for w in words if not holds_exact(plain(core), plain(w)))])

    def _alternatives(self, wording: Wording) -> list[str]:
        """The things compared: entities that a joint word links, else what stands on either side of it."""
        entities = [e for e in wording.entities if e.type != "thing"]
        linked: list[str] = []
        for a, b in pairwise(entities):
            if _JOINT.match(self._between(a, b, wording)):
                linked += [a.text, b.text]
        spoken = wording.core if wording.core != wording.keywords else wording.text
        if len(several := _several(spoken)) > 2:
            return several
        sides = _sides(spoken)
        if linked and (not any(_longer(side, linked) for side in sides) or _shared(sides, linked)):
            return list(dict.fromkeys(linked))
        if sides:
            return sides
        groups = [[e.text for e in entities if e.type == kind] for kind in dict.fromkeys(e.type for e in entities)]
        several = [group for group in groups if len(group) > 1]
        return several[0] if several else []

    def _between(self, a: Entity, b: Entity, wording: Wording) -> str:
        text = wording.text
        start = text.find(a.text)
        end = text.find(b.text, start + len(a.text))
        return text[start + len(a.text) : end] if 0 <= start < end else "?"

    def _complaints(self, wording: Wording) -> Sequence[SubQuery]:
        """``孩子发烧38.5度``, ``孩子流清鼻涕``: the one who suffers with each complaint."""
        core = wording.core
        named = [e.text for e in wording.entities if e.type in _COMPLAINTS and e.text in core]
        if any(is_absent(core, text) for text in named):
            return ()  # of "rash but no fever" the second is none
        ats = sorted(map(core.find, named))
        if len(ats) < 2 or ats[0] <= 0:
            return ()
        who = core[: ats[0]].strip()
        if not who or len(who) > 12:
            return ()
        ends = [*ats[1:], len(core)]
        glue = "" if has_han(who) else " "
        parts = [core[start:end].strip() for start, end in zip(ats, ends, strict=True)]
        return tuple(
            candidate(f"{who}{glue}{part}", "decompose", why(wording, "decompose", part)) for part in parts[:_MOST]
        )


_APART = re.compile(
    r"\s+(?:vs\.?|versus|or)\s+|\s*(?:还是|還是|和|与|與|跟|、)\s*|\s*,\s*(?:or\s+|and\s+)?|\s+and\s+", re.IGNORECASE
)
_ENDING = re.compile(
    r"\s*(?:的?(?:区别|區別|差别|差別|差异|差異|对比|對比|比[较較])|(?:哪|谁|誰|有什[么麼]|怎[么麼]).*|\s(?:which|for|in)\s.*|\s(?:comparison|differences?))\s*$",
    re.IGNORECASE,
)


def _several(text: str) -> list[str]:
    """Three things and more that are weighed: "rust vs go vs c++"; [] where what stands between joints is no name."""
    parts = [p.strip() for p in _APART.split(_ENDING.sub("", _BEFORE.sub("", text.strip(" ?？。"))))]
    if not 2 < len(parts) <= _MOST or len(set(parts)) < len(parts):
        return []
    return parts if all(p and len(p.split()) <= 3 and not (has_han(p) and len(p) > 8) for p in parts) else []


_SIDES = re.compile(
    r"^(?P<one>.{1,40}?)(?:\s+(?:or|vs\.?|versus|and)\s+|\s*(?:还是|還是|和|与|與|跟|對比|对比|vs\.?)\s*)(?P<two>.{1,40}?)"
    r"(?P<rest>\s+(?:for|from|in|on|to|under|when|with|which|differences?|comparison|better)\b.*|\s*(?:哪|谁|誰|区别|區別|差别|差別|差异|對比|对比|比[较較]|有什[么麼]|怎[么麼]).*)?$",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"^(?:(?:the )?(?:difference|differences|comparison) between|compare|should (?:i|we) (?:buy|get|choose|use)|which is better:?|is)\s+|^(?:[对對]比|比[较較](?:一下)?|请问|請問)",
    re.IGNORECASE,
)


_TASK = re.compile(r"怎[么麼样樣]|如何")
"""Before a 对比 that is done, not asked for: 两列数据怎么对比."""
_WAY = re.compile(r"(?P<way>[\u4e00-\u9fff]{2,6}[到去至][\u4e00-\u9fff]{2,6}?)(?:[坐乘搭飞]|开车|打车|骑车|走路|自驾)")
"""The way that is gone by either: 成都到九寨沟坐高铁还是自驾."""


def _sides(text: str) -> list[str]:
    """What stands on either side of the joint word: "gaming chair", "office chair" of "gaming chair or office chair for …".

    A bare number on the second side is another model of the first one: "airpods pro 2 vs 3".
    """
    match = _SIDES.match(_BEFORE.sub("", text.strip(" ?？。")))
    if match is None:
        return []
    one, two = match["one"].strip(" ,，"), match["two"].strip(" ,，?？")
    if len(two) > 1 and _WEIGHED.match((match["rest"] or "").strip()):
        two = two.removesuffix("的")  # 红茶 of 绿茶和红茶的区别
    if not one or not two or _LINK.search(two) or _TASK.search(one):
        return []
    if (way := _WAY.match(one)) and not two.startswith(way["way"]):
        two = f"{way['way']}{two}"
    line = re.fullmatch(r"(.*\D)\d+", one)
    if (
        re.fullmatch(r"\d+(?:\s?(?:pro|max|plus|ultra|mini|ti|se))*", two, re.IGNORECASE)
        and line
        and len(line[1].strip()) > 1
    ):
        two = f"{line[1].strip()} {two}"
    return [one, two]


def _longer(side: str, linked: Sequence[str]) -> bool:
    """Whether the side names more than the entity in it: 西数 SN850X for SN850X."""
    return any(name in side and len(side) > len(name) and len(side.split()) <= 4 for name in linked)


def _shared(sides: Sequence[str], linked: Sequence[str]) -> bool:
    """Whether what follows the second of two names is asked of both: the 房价 of 北京和上海房价哪个高."""
    one, two = sides
    rest = two.removeprefix(linked[1]).strip()
    return (
        len(linked) == 2 and one == linked[0] and rest != two and re.fullmatch("[\u4e00-\u9fff]{2,4}", rest) is not None
    )
