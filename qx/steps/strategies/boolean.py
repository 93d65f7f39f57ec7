"""Web syntax: phrases that must stand together, ``AND``, either of two wordings, ``-`` for what is excluded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from qx.rules import tokens
from qx.rules.cutting import way, whole
from qx.rules.templates import applicable, literal
from qx.rules.terms import has_han, holds, plain
from qx.rules.unmeant import is_absent
from qx.rules.wording import Wording
from qx.serial import replace
from qx.steps.strategies.candidates import candidate, why
from qx.steps.strategies.substitution import of_the_trade, places
from qx.text import negation
from qx.text.negation import Negation
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context


_MANNER = re.compile(r"without\b|不用", re.IGNORECASE)
"""Says how something is done ("to json without the index"), not what a page must not say."""
_PLAIN = frozenset({"product", "technology", "brand"})
"""Types whose names are one word to every engine: quoting one alone changes nothing."""


_JOINT = re.compile(r"\s*(?:[,，、/]|\b(?:or|nor|and)\b|或者|以及|[或和与跟及])*\s*", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\s*(?:$|[,，。;；.!?！？](?!\s*(?:or|nor|and)\b)|的|(?:for|under|below|over|with|in|at|on|from|that|which|near|up|around|about|"
    r"between)\b)|\s+[\u3400-\u9fff]",
    re.IGNORECASE,
)
"""What may follow an exclusion that is over: of "no pets allowed" and "not plastic chair" no word says where it ends."""


def _sure(text: str, found: Sequence[Negation], cut: frozenset[int] = frozenset()) -> str | None:
    """``text`` without its exclusions, or None where it is not sure what all they are; at ``cut`` one ends for sure.

    Of several words "not" may exclude the first alone (not plastic chair), and so may a list (red or black shoes).
    """
    several = [n for n in found if len(n.target.split()) > 1]
    if several and (len(found) > 1 or several[0].cue.lower().endswith("not") or len(several[0].target.split()) > 2):
        return None
    rest, last = "", 0
    for n, following in zip(found, (*found[1:], None), strict=True):
        rest += f" {text[last : n.start]}"
        last = n.end
        if following is not None and (joint := _JOINT.fullmatch(text, n.end, following.start)):
            last = joint.end()
        elif n.end not in cut and not _GOES_ON.match(text, n.end):
            return None
        elif text.startswith("的", last):
            last += 1
    return f"{rest} {text[last:]}".strip(" ,，、")


_LINKS = frozenset({"vs", "vs.", "versus", "or", "and", "but", "also"})
_DENIALS = frozenset({"not", "no", "without", "never", "nor", "except", "but"})
_TYPED_OR = re.compile(r"\sOR\s")
_SPEAKER = re.compile(r"^\s*(?:我们?|i)(?=\s)", re.IGNORECASE)


def _trimmed(found: Negation, targets: Sequence[str]) -> Negation:
    """The exclusion without the thing that is looked for: 小米 of 不想买小米手机."""
    own = plain(found.target)
    if own.isascii() and not negation.is_doubtful(found):
        return found  # "not plastic chair" may rule out any chair
    for target in targets:
        if (
            own.startswith(target)
            and len(own) == len(found.target)
            and own != target
            and found.start < found.target_start
        ):
            end = found.target_start + len(target)
            return replace(found, target=found.target[: len(target)], target_end=end, end=end)
    return found


def _apart(target: str, excluded: Sequence[str]) -> Sequence[str]:
    """The things that a target names without a word between: 苹果, 华为 of 苹果华为都不要."""
    parts = [word for word in dict.fromkeys(excluded) if word in target and word != target]
    return parts if "".join(parts) == target else [target]


class BooleanStrategy:
    """Only for engines that read web syntax (target ``web``)."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        wording = Wording.of(query, understanding, context.knowledge)
        return (*self._without(wording), *self._phrases(wording), *self._either(wording))[:1]

    def _without(self, wording: Wording) -> Iterator[SubQuery]:
        """``shirt -white`` for "shirt, not white"."""
        done = {"how-to", "troubleshooting"} & set(wording.knowledge.widened(wording.understanding.intent[:1]))
        coded = "technology" in wording.types  # "match all except newline" is what is done
        excluded = [
            t
            for t in wording.protection.things
            if t.kind == "negation" and t.target and not (done and (coded or _MANNER.match(t.text)))
        ]
        typed = negation.find(wording.text)
        found = tuple(_trimmed(n, [t.target for t in excluded]) for n in typed)
        if not excluded or any(not any(t.target in plain(n.target) for n in found) for t in excluded):
            return
        rest = _sure(
            wording.text, found, frozenset(n.end for n, all_ in zip(found, typed, strict=True) if n is not all_)
        )
        core = whole(wording.core_of(_SPEAKER.sub("", rest))) if rest else ""
        apart = [part for n in found for part in _apart(n.target, [t.target for t in excluded])]
        told = [f'-"{target}"' if " " in target else f"-{target}" for target in apart]
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
        words = [p for p in core.split() if p not in ("'s", "’s")]  # of a name that is quoted
        rest = [p for p in words if any(ch.isalnum() for ch in p) and plain(p) not in spoken]
        rest = [p for p in rest if not (len(quoted) > 1 and p.lower() in _LINKS)]
        rest = [p for p in rest if not (has_han(p) and any(p in name for name in quoted))]  # cut from the name itself
        if any(p.lower() in _DENIALS or p.lower().endswith(("n't", "n’t")) for p in rest):
            return  # what a lone "not" denies is not told by keywords
        joint = " OR " if _TYPED_OR.search(wording.text) else " AND "
        text = " ".join([joint.join(f'"{name}"' for name in quoted), *rest, *self._tail(wording)])
        yield self._web(wording.complete(text), why(wording, "phrase", ", ".join(quoted)))

    def _quoted(self, wording: Wording) -> list[str]:
        names = [e for e in wording.entities if not e.verbatim and '"' not in e.text and len(e.text) > 1]
        measured = " ".join(tokens.compared(wording.text))
        names = [e for e in names if not is_absent(wording.text, e.text)]  # 不排水
        fixed = [wording.text[start:end] for start, end in tokens.said(wording.text)]
        names = [e for e in names if not any(e.text in said and e.text != said for said in fixed)]  # 不是苹果的也行
        names = [e for e in names if e.text not in measured]  # of 比iPhone便宜的手机 no page need say iPhone
        sure = list(dict.fromkeys(e.text for e in names if e.type != "thing" and e.text in wording.text))
        if len(sure) >= 2:
            return [] if way(*sure[:2]).search(wording.text) else sure[:2]
        if has_han(wording.text):
            return [e.text for e in names if e.text in sure and e.type not in _PLAIN and len(e.text) >= 4][:1]
        words = wording.core.split()
        nominal = not {"how-to", "troubleshooting", "recommendation", "comparison"} & set(wording.intents)
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
            known = of_the_trade(own, wording.knowledge.synonyms[place.key], wording)
            others = [o for o, _ in known if has_han(o) == has_han(own)][:1]
            if any(core.startswith(o, place.start) or core[: place.end].endswith(o) for o in others):
                continue  # 笔记本 of 笔记本电脑 is said in that very wording
            if others and plain(own) != plain(others[0]):
                said = wording.say(others[0])
                text = f'{core[: place.start].strip()} ("{own}" OR "{said}") {core[place.end :].strip()}'
                yield self._web(" ".join(text.split()), why(wording, "either", f"{own} / {said}"))
                return

    def _web(self, text: str, reason: str) -> SubQuery:
        return candidate(text, "boolean", reason, target="web")
