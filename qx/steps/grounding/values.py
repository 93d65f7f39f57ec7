"""Values that a query names as such: "by Liu Cixin", 莫言写的, ``genre fantasy``, "not by Andy Weir".

Only what the index holds in a declared keyword field is one, and only where the query's words say which field they mean,
or rule it out.  A name alone is looked for as words: the fields of keywords are searched like any other.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from qx.backend import SearchBackend, SupportsFilter
from qx.context import Context
from qx.domain import Knowledge
from qx.rules.protection import base_text
from qx.rules.terms import plain
from qx.serial import replace
from qx.steps.grounding.brands import FIELD as BRAND
from qx.steps.grounding.everyday import asks_about, goes_on, in_documents, is_denied, is_everyday, lacks
from qx.steps.grounding.field_words import Mention, is_about, languages, mentions, speaks_of_maker, stands_alone, undone
from qx.steps.grounding.held import held
from qx.steps.grounding.value_names import ValueNames
from qx.steps.grounding.yes_or_no import doubtful_phrase, named_flags
from qx.text import negation
from qx.text.negation import Negation
from qx.text.segment import keywords
from qx.types import Constraint, Understanding

PROSE = 12
"""Content words from which on a query tells a story, and rules out nothing."""
LONGEST = 400
"""Characters of a query in which fields are named; a longer one is a text, and none."""
MOST = 12
"""Places of a query that are looked at for one field."""
_COMPARING = frozenset({"instead of", "而不是", "rather than"})
_SHORTEST = 2
"""Characters of a value, where the name of its field stands beside it without a sign."""


async def valued(understanding: Understanding, context: Context, *, ask: bool) -> Understanding:
    """Return the analysis with the values of keyword fields that the query names, as constraints.

    Args:
        ask: False uses only what is remembered of the engines.
    """
    taken = {BRAND, *(constraint.field for constraint in understanding.constraints)}
    free = context.filterable - taken
    vocabulary = context.vocabulary
    if vocabulary is None or not free:
        return understanding
    text = base_text(context.query, understanding)
    fields = _fields(vocabulary.backends, free, "keyword")
    flags = _fields(vocabulary.backends, free, "bool")
    if not fields and not flags:
        return understanding
    short = len(text) <= LONGEST
    said = tuple(mentions(text, fields, context.knowledge)) if short and not asks_about(text) else ()
    ruled_out = _ruled_out(text, understanding)
    things = frozenset(entity.text for entity in understanding.entities)
    flagged = list(named_flags(text, flags if short else (), ruled_out, things, context.knowledge))
    phrases = {flag.field: phrase for flag in flagged if (phrase := doubtful_phrase(text, flag))}
    wanted = set(fields) if ruled_out else {one.field for one in said}
    names_asked = [name for name in fields if name in wanted]
    answers = await asyncio.gather(*(held(name, fields[name], context, ask=ask) for name in names_asked))
    unwanted: list[Constraint] = []
    meant: list[tuple[Constraint, Mention]] = []
    for name, known in zip(names_asked, answers, strict=True):
        if known is None or not known.values:
            continue
        names = _names(known.values, _Same(context.knowledge))
        excluded = list(_excluded(text, name, names, ruled_out, surname=speaks_of_maker(name)))
        spans = [(one.start, one.end) for one in ruled_out]
        unwanted += excluded
        meant += () if excluded else _meant(text, [one for one in said if one.field == name], names, spans)
    doubtful = [*(c.text for c in unwanted), *(c.text for c, one in meant if one.named), *phrases.values()]
    spoken = await in_documents(tuple(dict.fromkeys(doubtful)), context, ask=ask)
    made = [flag for flag in flagged if phrases.get(flag.field) not in spoken]
    made += [constraint for constraint in unwanted if constraint.text not in spoken]
    parts = [c.text for c, one in meant if one.named and not await _is_whole(text, c, fields, context, ask=ask)]
    made += [_wished(c) if one.named and (c.text in spoken or c.text in parts) else c for c, one in meant]
    if ask:
        _tell_spoken([c for c in flagged if c not in made], context)
    return replace(understanding, constraints=(*understanding.constraints, *made)) if made else understanding


class _Same:
    """Knowledge as a key: the same object, whatever it holds."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge

    def __hash__(self) -> int:
        return id(self.knowledge)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.knowledge is self.knowledge


@lru_cache(maxsize=32)  # an engine's values are remembered for minutes, and asked for with every query
def _names(known: tuple[str, ...], knowledge: _Same) -> ValueNames:
    return ValueNames(known, knowledge.knowledge)


def _fields(backends: Sequence[SearchBackend], names: frozenset[str], kind: str) -> dict[str, list[SearchBackend]]:
    """The fields of a type, each with the backends that filter by it."""
    found: dict[str, list[SearchBackend]] = {}
    for backend in backends:
        if isinstance(backend, SupportsFilter):
            for name, stored in backend.fields.items():
                if name in names and stored.type == kind and name not in ("id", "url"):
                    found.setdefault(name, []).append(backend)
    return found


def _ruled_out(text: str, understanding: Understanding) -> tuple[Negation, ...]:
    """What the query says that it does not want, unless it tells a story or asks a question."""
    if (
        not understanding.negations
        or len(text) > LONGEST
        or "?" in text
        or "？" in text
        or len(keywords(text)) >= PROSE
    ):
        return ()
    words = [plain(word) for word in understanding.negations]
    return tuple(
        [
            one
            for one in negation.find(text)
            if one.cue.casefold() not in _COMPARING and any(word and word in plain(one.target) for word in words)
        ]
    )


def _excluded(
    text: str, name: str, names: ValueNames, ruled_out: Sequence[Negation], *, surname: bool
) -> Iterator[Constraint]:
    for one in ruled_out:
        if lacks(one.cue) and is_about(name):
            continue
        target = undone(one.target) if surname else one.target
        target = target.strip()
        if values := names.find(target, surname=surname) or names.find(_singular(target), surname=surname):
            yield Constraint(field=name, op="ne", value=_value(values), text=text[one.start : one.end])


def _meant(
    text: str, said: Sequence[Mention], names: ValueNames, ruled_out: Sequence[tuple[int, int]]
) -> list[tuple[Constraint, Mention]]:
    """The value that the query names beside a word for its field; of several places the first that holds one."""
    for one in said[:MOST]:
        if any(start <= one.start < end or start < one.end <= end for start, end in ruled_out):
            continue
        start, end, values = _place(text, one, names)
        if is_denied(text, min(one.start, start)) or (one.deed and is_everyday(text[start:end])):
            continue
        if one.told and goes_on(text, end):
            continue
        if values and (one.sure or end - start >= _SHORTEST):
            span = text[min(one.start, start) : max(one.end if one.drops else end, end)]
            op = "in" if len(values) > 1 else "eq"
            value = _value(values)
            made = Constraint(field=one.field, op=op, value=value, text=span.strip(), hard=one.hard)
            return [(made, one)]
    return []


async def _is_whole(
    text: str, said: Constraint, fields: Mapping[str, list[SearchBackend]], context: Context, *, ask: bool
) -> bool:
    """Whether a value with its field's name belongs to no longer name, unless that ends in a value itself.

    "Sales department policies" are of the type ``policy`` where there is such a one; of a "red team exercise" the index
    knows nothing of the kind.
    """
    at = text.find(said.text) + len(said.text)
    if stands_alone(text, at):
        return True
    rest = text[at:].lstrip(" 的")
    others = [name for name in fields if name != said.field]
    for known in await asyncio.gather(*(held(name, fields[name], context, ask=ask) for name in others)):
        if known is not None and known.values:
            for form in (rest, _singular(rest)):
                end, found = _names(known.values, _Same(context.knowledge)).after(form, 0)
                if found and stands_alone(form, end):
                    return True
    return False


def _singular(text: str) -> str:
    """Text whose first word is taken for a plural: "policies", "guides"."""
    return re.sub(r"^([a-z]{2,}?)(ies|s)\b", lambda m: m[1] + ("y" if m[2] == "ies" else ""), text, flags=re.IGNORECASE)


def _wished(said: Constraint) -> Constraint:
    """A condition that hides nothing: what has the value comes higher.  Without a text, its words stay in the query."""
    return replace(said, op="prefer", hard=False, text="")


def _tell_spoken(left: Sequence[Constraint], context: Context) -> None:
    for flag in left:
        context.note(
            f"“{flag.text}” is no condition, since documents say it in so many words: filter by {flag.field} = true to have one"
        )


def _value(values: tuple[str, ...]) -> str | tuple[str, ...]:
    """One value by itself, several together."""
    return values if len(values) > 1 else "".join(values)


def _place(text: str, one: Mention, names: ValueNames) -> tuple[int, int, tuple[str, ...]]:
    """Where the value stands that a mention speaks of, and the stored values."""
    if one.language:
        found = tuple(dict.fromkeys(v for word in languages(one.language) for v in names.find(word)))
        return one.start, one.end, found
    surname = speaks_of_maker(one.field)
    if one.follows:
        end, values = names.after(text, one.end, surname=surname)
        return one.end, end, values
    start, values = names.before(text, one.start, surname=surname)
    return start, one.start, values


__all__ = ["valued"]
