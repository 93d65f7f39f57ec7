"""Platforms of a query: those that it names, and those that the packs name for who wants what it wants."""

from __future__ import annotations

import re

from qx.domain import Platform
from qx.rules.terms import holds_exact, plain
from qx.rules.wording import Wording, family

TYPE = "platform"


def named(wording: Wording) -> tuple[Platform, ...]:
    """Return the platforms that the query names, in its order."""
    names = [plain(e.text) for e in wording.entities if e.type == TYPE]
    known = {plain(name): one for one in wording.knowledge.platforms for name in (one.name, *one.names)}
    return tuple(dict.fromkeys(known[name] for name in names if name in known))


def fitting(wording: Wording) -> tuple[Platform, ...]:
    """Return the platforms for the query's intents and language, those first that are for its first intent."""
    intents = wording.understanding.intent
    ranked = [
        (min(intents.index(i) for i in one.intents if i in intents), at, one)
        for at, one in enumerate(wording.knowledge.platforms)
        if set(intents) & set(one.intents)
        and (one.language is None or family(one.language) == family(wording.language))
    ]
    return tuple(one for _, _, one in sorted(ranked, key=lambda found: found[:2]))


def label(platform: Platform, wording: Wording) -> str:
    """The name of a platform as the query's readers write it: as it was typed, else in their script."""
    for name in (platform.name, *platform.names):
        if holds_exact(wording.folded, plain(name)):
            return next((e.text for e in wording.entities if plain(e.text) == plain(name)), name)
    if family(wording.language) == "zh":
        return wording.say(platform.name)
    return next((name for name in (platform.name, *platform.names) if name.isascii()), platform.name)


def core_without(wording: Wording, core: str) -> str:
    """``core`` without the names of platforms, and what joined them to the rest (京东上的, ``on eBay``)."""
    words = [e.text for e in wording.entities if e.type == TYPE]
    left = f" {_ASKED.sub(' ', core)} "
    for word in sorted(words, key=len, reverse=True):
        at = left.lower().find(word.lower())
        if at < 0:
            continue
        before, after = left[:at], left[at + len(word) :]
        for joint in _BEFORE:
            if before.lower().endswith(joint):
                before = before[: len(before) - len(joint)] + " "
                break
        for joint in _AFTER:
            if after.startswith(joint):
                after = after[len(joint) :]
                break
        left = f"{before} {after}"
    return _LOOSE.sub("", " ".join(_STRAY.sub(" ", left).split())) or core


_ASKED = re.compile(
    r"哪(?:个|家|里|边|儿)?(?:平台)?(?:买)?(?:更|最|比较)?(?:便宜|划算|实惠|好)|谁更?便宜"
    r"|\b(?:which is cheaper|where to buy|where can i buy|cheapest|cheaper)\b",
    re.IGNORECASE,
)
"""What asks which platform it is: said of one alone it asks nothing."""
_STRAY = re.compile(r"(?<=\s)[,，、;；]+(?=\s|$)|[,，、;；]+\s*$")
_LOOSE = re.compile(r"^(?:a|an|the|some)\s", re.IGNORECASE)
_BEFORE = (
    " available on ",
    " sold by ",
    " or on ",
    " on ",
    " at ",
    " from ",
    " or ",
    " and ",
    "在",
    "和",
    "跟",
    "或",
    "、",
)
_AFTER = ("上面的", "上的", "里的", "的", "上", "和", "跟", "或", "、")
