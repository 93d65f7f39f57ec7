"""A plain statement of what one has: "cursor jumps around", "shower pressure weak lately", 打印出来的字很淡.

Nobody types how things are into a search box unless they should be otherwise: what is told of a thing, and neither asked,
wished nor praised, is a trouble, whatever its words are.  Of makers, places, works and people that is news, and no trouble.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.rules import statements_zh
from qx.rules.reading import Reading
from qx.rules.statements_kinds import NEWS, OWNED
from qx.text.lexicons import load_set
from qx.types import Entity

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*|\d+")
_SUBJECT = 5
"""Words that a subject has at most."""
_MINE = frozenset({"my", "our"})
_OPENING = frozenset({"the", "this", "these", "his", "her", "their"})
_BEING = frozenset({"is", "are", "was", "were", "feels", "feel", "looks", "look", "sounds", "sound", "smells", "tastes", "gets", "got", "goes", "went", "stays", "seems"})  # fmt: skip
_TURNING = frozenset({"turning", "going", "getting", "becoming"})
_COLOUR = re.compile(
    r"(?:pink|purple|orange|white|black|yellow|brown|green|grey|gray|blue|red|pale|dark|soft|hard|mushy|dull|cloudy)(?:ish)?"
)
_HAVING = frozenset({"has", "have", "had"})
_BEYOND = frozenset({"too", "so", "really", "very", "always", "all", "super", "extremely", "kinda", "pretty", "just"})
_CIRCUMSTANCE = re.compile(
    r"\b(?:every time|all the time|all (?:day|night)|at night|by itself|on its own|out of nowhere|for no reason|(?:since|after|while|whenever|when|until) "
    r"(?!you\b|we\b)[a-z]+|for (?:\d+|two|three|a few|several|the last|the past) (?:days|weeks|hours|months)|only (?:when|in|on|at)|an hour)\b"
)
_STUDIED = re.compile(
    r"\b(?:causes?|affects?|improves?|reduces?|increases?|prevents?|works?|influences?|evidence|theory|study|research|model|models|learning|lyrics|"
    r"meaning|song|movie|book|episode|season \d+|trailer|quotes?|recipes?|reviews?|for sale|near me|ideas?|"
    r"markets?|stocks?|prices|economy|countr(?:y|ies)|governments?|population|history|century)\b"
)


def told(reading: Reading, names: Sequence[Entity]) -> bool:
    """Whether the text states how something is that one has, and nothing else."""
    if reading.text.rstrip().endswith(("?", "？")):
        return False
    return statements_zh.told(reading.folded, names) if reading.chinese else _told_en(reading.folded, names)


_MYSELF = re.compile(
    r"^(?:(?:i|we|i.m|i am|i.ve|we.ve|i have) (?:(?:just|keep|kept|always|accidentally) )*|(?:keep|keeps|kept|just) )?(?:got|getting|being|been|(?<= )get) "
    r"(?!married|engaged|hired|promoted|invited|accepted|interested|used)(?:being |getting )?(?:[a-z]{3,}ed|stuck|hit|bitten|stung|hurt|cut off|stolen|locked)\b"
    r"|^(?:i|we) (?:just |accidentally )?(?:lost|broke|burned|burnt|dropped|spilled|cut|locked|deleted|forgot|sprained|twisted|bumped|missed|damaged|cracked|"
    r"scratched|ripped|stained|shrunk|swallowed|ate (?:too much|expired|old|bad|raw))\b"
)
"""What befell oneself: "got charged for", "i burned my tongue"."""


def _told_en(folded: str, names: Sequence[Entity]) -> bool:
    words = [(match[0], match.start()) for match in _WORD.finditer(folded)]
    if len(words) < 3:
        return False
    if _MYSELF.search(folded) is not None:
        return True
    mine = words[0][0] in _MINE
    if not mine and _STUDIED.search(folded) is not None:
        return False
    first = 1 if mine or words[0][0] in _OPENING else 0
    wheres = _CIRCUMSTANCE.search(folded) is not None or any(w in load_set("since_en") for w, _ in words[2:])
    for at in range(first, min(len(words), first + _SUBJECT + 1)):
        word, start = words[at]
        mine = mine or word in load_set("body_en")
        if at > first and word in _HAVING:
            return _lacks(words[at + 1 :]) and (mine or _own(names, start) is True)
        if at > first and _happens(words, at, mine=mine):
            plain = word not in load_set("plurals_en")
            return _troubles(words[at + 1 :], mine=mine, owned=_own(names, start), wheres=wheres, plain=plain)
        if at > first and _going_on(words, at, names, wheres=wheres):
            return True
        if at > first and word in _BEYOND and at + 1 < len(words) and words[at + 1][0] in load_set("undesired_en"):
            return (mine or _own(names, start) is not False) and (wheres or at + 2 >= len(words))
        if word in load_set("no_subject_en") and not (at > first and word in _BEING):
            return False
        if at > first and word in _BEING and word not in load_set("happening_en"):
            return _is_so(words[at + 1 :]) and (mine or wheres or _own(names, start) is True)
    return False


def _going_on(words: Sequence[tuple[str, int]], at: int, names: Sequence[Entity], *, wheres: bool) -> bool:
    """Whether a thing that one has is told to be doing something: "sweater pilling after one wash"."""
    word, start = words[at]
    if len(word) < 6 or not word.endswith("ing"):
        return False
    if word in _TURNING and at + 1 < len(words) and _COLOUR.fullmatch(words[at + 1][0]):
        return True  # "grout lines turning pink"
    body = words[at - 1][0] in load_set("body_en")
    if not body and not any(e.end == start - 1 and e.type in OWNED for e in names):
        return False
    after = [w for w, _ in words[at + 1 :]]
    if not after or any(w in load_set("desired_en") for w in after):
        return False
    state = any(w in load_set("undesired_en") or w in load_set("flaws_en") for w in after)
    return wheres or state or (body and after[0] in load_set("after_verbs_en"))


def _happens(words: Sequence[tuple[str, int]], at: int, *, mine: bool) -> bool:
    """Whether the word ``at`` is a verb of what happens, and no noun."""
    word = words[at][0]
    after = words[at + 1][0] if at + 1 < len(words) else ""
    if word in load_set("happening_past_en"):
        return after != "" or at >= 2
    if word == "only" and after.removesuffix("s") in load_set("after_only_en"):
        return True
    if word not in load_set("happening_en"):
        return False
    if word not in load_set("plurals_en") or (mine and after not in _BEING and after != ""):
        return True
    if after.endswith("s") and not after.endswith("ss"):
        return True  # "excel opens files": no noun but the last is plural
    state = after in load_set("undesired_en") or after in load_set("since_en")
    return after in load_set("after_verbs_en") or state or (after.endswith("ly") and len(after) > 4)


def _troubles(after: Sequence[tuple[str, int]], *, mine: bool, owned: bool | None, wheres: bool, plain: bool) -> bool:
    """``plain``: the verb can be no noun, so that a state after it is one of the subject."""
    words = [word for word, _ in after]
    if any(word in load_set("desired_en") for word in words[:3]):
        return False
    if owned is False:
        return plain and bool(words) and words[0] in load_set("undesired_en")  # "maps voice went silent"
    state = any(word in load_set("undesired_en") or word in load_set("flaws_en") for word in words)
    return mine or owned is True or wheres or (plain and state)


def _is_so(after: Sequence[tuple[str, int]]) -> bool:
    """Whether what follows "is" is a state that nobody wants."""
    words = [word for word, _ in after[:3]]
    while words and words[0] in _BEYOND:
        if len(words) > 1 and words[1] in load_set("desired_en"):
            return False
        words = words[1:]
    return bool(words) and words[0] in load_set("undesired_en")


def _lacks(after: Sequence[tuple[str, int]]) -> bool:
    """Whether what follows "has" is nothing, or something that nobody wants."""
    words = [word for word, _ in after]
    unwanted = any(word in load_set("undesired_en") or word in load_set("flaws_en") for word in words)
    return words[:1] == ["no"] or (unwanted and not any(word in load_set("desired_en") for word in words[:3]))


def _own(names: Sequence[Entity], before: int) -> bool | None:
    """Whether the subject is something that one has; False: it is what one reads news of; None: it is not known."""
    types = {e.type for e in names if 0 <= e.start < before}
    if types & OWNED:
        return True
    return False if types & NEWS else None


__all__ = ["told"]
