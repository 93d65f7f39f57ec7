"""What a query rules out in its words ("not silicone", 不要硅胶) and no engine has a field for.

As words they would find the very thing that is not wanted.  So they leave the words, one more list is asked for without
the thing, and hits that name it come last.  None is left out for it: "silicone-free" names it too, and who is right about
a doubtful one is for the reader to see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qx.domain import Knowledge
from qx.ranking import Ranking
from qx.rules import negations
from qx.rules.protection import base_text
from qx.rules.terms import plain
from qx.serial import replace, value
from qx.steps.typed import is_operator
from qx.syntax import Expression, Not, Phrase, Terms
from qx.text import negation
from qx.text.negation import Negation
from qx.text.segment import is_content, keywords
from qx.types import Constraint, Hit, Query, SubQuery, Understanding

MOST = 200
"""Hits that are looked at, from the top."""
CLIP = 600
"""Characters of a hit's text that are read: what is named further down is seldom what the hit is."""
MOST_WORDS = 3
"""Content words of a thing that is ruled out."""
PROSE = 12
"""Content words from which on a query tells a story: "others" of "but not others" is no thing that is not wanted."""
_COMPARING = frozenset({"instead of", "而不是", "rather than"})
"""A Mastercard instead of a Visa: what answers that names both."""
_DESCRIBING = frozenset({"-free", "non-", "without", "w/o", "无", "無", "非", "不含", "不带", "不帶", "没有", "沒有"})
"""Documents describe themselves by these as well: "sugar-free", 不含硅胶.  So the words are wanted."""


@value
class Exclusion:
    """One thing that is not wanted.

    Attributes:
        word: As the query says it.
        cue: The word of the query that excludes it.
        names: It, and the other names of the same value, as ``plain`` makes them.
        sure: Whether it is the value of a field: then hits whose text names it are as little wanted.
    """

    word: str
    cue: str
    names: tuple[str, ...]
    sure: bool

    @property
    def leaves(self) -> bool:
        """Whether its words are to leave the query."""
        return self.cue not in _DESCRIBING


def exclusions(
    query: Query, understanding: Understanding, knowledge: Knowledge, filtered: Sequence[Constraint] = ()
) -> tuple[Exclusion, ...]:
    """Return what a query rules out in so many words.

    Args:
        understanding: Its analysis: what that does not take for an exclusion is none.
        filtered: The constraints that go as filters; those need no words.
    """
    if not understanding.negations:
        return ()
    gone = {plain(c.text) for c in filtered if c.op == "ne"}
    text = base_text(query, understanding)
    told = "?" in text or "？" in text or len(keywords(text)) >= PROSE
    found: dict[str, Exclusion] = {}
    for one in negation.find(text):
        said = plain(text[one.start : one.end])
        if one.cue.casefold() in _COMPARING or said in gone:
            continue
        cue = "-" if is_operator(one) else one.cue.casefold()
        for word in _named(one, understanding.negations):
            owners = [
                c for c in understanding.constraints if c.op == "ne" and plain(word) in plain(f"{c.text} {c.value}")
            ]
            if owners or (not told and _is_thing(word)):
                names = dict.fromkeys([plain(word), *_other_names(owners, knowledge)])
                found[plain(word)] = Exclusion(word=word, cue=cue, names=tuple(names), sure=bool(owners))
    return tuple(found.values())


def _named(one: Negation, words: Sequence[str]) -> list[str]:
    """The excluded words of the analysis that this place of the text excludes."""
    target = plain(one.target)
    return [word for word in words if plain(word) and plain(word) in target]


def _is_thing(word: str) -> bool:
    content = [w for w in keywords(word) if is_content(w)]
    return 0 < len(content) <= MOST_WORDS and all(len(w) > 1 for w in content)


def _other_names(owners: Sequence[Constraint], knowledge: Knowledge) -> Iterator[str]:
    """What else the values of fields are called: 硅胶 is ``silicone``."""
    for owner in owners:
        yield plain(str(owner.value))
        for field in knowledge.taxonomy.fields:
            if field.id == owner.field:
                yield from (plain(word) for word, wanted in field.values.items() if wanted == owner.value)


def without(text: str, excluded: Sequence[Exclusion]) -> str:
    """Return a query without the words that exclude; ``-word`` stays: it is no word but an operator."""
    leaving = [plain(one.word) for one in excluded if one.leaves]
    if not leaving:
        return text
    out = text
    for one in reversed(negation.find(text)):
        words = [word for word in leaving if word in plain(one.target)]
        if words and not is_operator(one):
            rest = plain(one.target)
            for word in words:
                rest = rest.replace(word, " ")
            out = f"{out[: one.start]} {rest if rest.strip() else ''} {out[one.end :]}"
    out = " ".join(out.split()).strip(" ,，、;；")
    return out if keywords(out) else text


def narrowed(original: SubQuery, excluded: Sequence[Exclusion]) -> tuple[SubQuery, ...]:
    """Return the original once more, for lists that are free of what is excluded."""
    leaving = [one for one in excluded if one.leaves and one.cue != "-"]
    if not leaving:
        return ()
    minus = " ".join(f'-"{one.word}"' if " " in one.word else f"-{one.word}" for one in leaving)
    why = f"without {', '.join(one.word for one in leaving)}"
    text = f"{without(original.text, leaving)} {minus}"
    return (replace(original, text=text, strategy="exclude", target="lexical", why=why),)


def nots(excluded: Sequence[Exclusion]) -> tuple[Expression, ...]:
    """Return the exclusions whose words left the query, for engines whose hits cannot be judged by their fields."""
    return tuple(
        [
            Not(expression=Phrase(text=one.word) if " " in one.word else Terms(words=(one.word,)))
            for one in excluded
            if one.leaves and one.cue != "-"
        ]
    )


def excluded_last(ranking: Ranking, excluded: Sequence[Exclusion]) -> Ranking:
    """Return the list with the hits last that name what is excluded, those that name it in their title after the others."""
    count = min(MOST, len(ranking.keys))
    if not excluded or count < 1:
        return ranking
    tiers = [_tier(ranking.hit(i), excluded) for i in range(count)]
    last = sum(tier > 0 for tier in tiers)
    if not last:
        return ranking
    order = [*sorted(range(count), key=tiers.__getitem__), *range(count, len(ranking.keys))]
    words = ", ".join(f"“{one.word}”" for one in excluded)
    note = f"{words} is not wanted: {last} of the first {count} hits name it and come last"
    return replace(ranking.pick(order, ranking.scores), notes=(*ranking.notes, note))


def is_ruled_out(hit: Hit, excluded: Sequence[Exclusion]) -> bool:
    """Return whether a hit names what is not wanted."""
    return _tier(hit, excluded) > 0


def _tier(hit: Hit, excluded: Sequence[Exclusion]) -> int:
    title, text = plain(hit.title), plain(hit.text[:CLIP])
    if any(_names(title, one) for one in excluded):
        return 2
    return int(any(one.sure and _names(text, one) for one in excluded))


def _names(text: str, one: Exclusion) -> bool:
    return any(name in text and negations.wanted(text, name) for name in one.names)


__all__ = ["Exclusion", "excluded_last", "exclusions", "is_ruled_out", "narrowed", "nots", "without"]
