"""Implicit needs: what people who ask this want besides, from the packs' tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from qx.domain import Knowledge, Need
from qx.rules.phrases import PhraseIndex, aligned, is_han
from qx.rules.reading import Reading, covered
from qx.rules.scripts import local
from qx.rules.terms import synonyms
from qx.rules.unmeant import denied, is_denied
from qx.types import Entity

_SHORT = 24
_ANY = "*"
"""Stands for the intent of needs that belong to a topic, whatever is asked of it."""
_SPOKEN = frozenset({"zh", "en", "und", ""})
_MOST = 6
_ENOUGH = 3
_OPEN = frozenset({"factual", "how-to", "research", "exploration"})
_SURROUNDINGS = frozenset({"place", "time", "date", "person", "organisation"})
"""Types beside which a place is what the query is about; beside anything else it is where that is."""
_GOODS = frozenset({"product", "food", "animal", "media"})
_SHOPPING = frozenset({"recommendation", "exploration"})
_CLOSED = frozenset({"recommendation", "comparison", "troubleshooting"})


class NeedFinder:
    """Reads the needs of the intents of ``knowledge``.

    A need with ``when`` counts where one of its words is in the query, or one of its types (``@symptom``) among the
    entities, ``@bare`` where a name or a noun is all of it; the needs of words come before those of types, those before the intent's own.

    Args:
        knowledge: What holds the needs.
        particular: Gives the type that the packs have for an entity, which is known as what that is a kind of.
    """

    def __init__(self, knowledge: Knowledge, particular: Callable[[Entity], str]) -> None:
        self._type_of = particular
        self._knowledge = knowledge
        self._needs: list[tuple[str, Need]] = [(i.id, n) for i in knowledge.taxonomy.intents for n in i.needs]
        self._needs += [(_ANY, n) for n in knowledge.needs]
        self._particular = frozenset(knowledge.particular)
        self._closed = _CLOSED | self._particular
        """Intents whose needs are not those of who is read otherwise: 多久 of a filter is no question of a refund."""
        self._typed: dict[str, dict[str, list[int]]] = defaultdict(
            dict
        )  # intent -> type -> the needs that it alone asks for
        self._always: dict[str, list[int]] = defaultdict(list)
        for n, (intent, need) in enumerate(self._needs):
            if not need.when:
                self._always[intent].append(n)
            for entry in need.when:
                if entry.startswith("@"):
                    self._typed[intent].setdefault(entry, []).append(n)
        unless = [(word, n) for n, (_, need) in enumerate(self._needs) for word in need.unless]
        self._typed_unless: dict[str, set[int]] = defaultdict(set)
        for word, n in unless:
            if word.startswith("@"):
                self._typed_unless[word].add(n)
        worded = [(word, n) for word, n in unless if not word.startswith("@")]
        self._worded_unless: PhraseIndex[int] = PhraseIndex(worded, plurals=True, loose=True)
        self._entries = [
            tuple(frozenset(aligned(part.strip()) for part in entry.split(" + ")) for entry in need.when)
            for _, need in self._needs
        ]
        self._joined: dict[str, set[int]] = defaultdict(set)  # type -> the needs that ask for it beside something else
        for n, (_, need) in enumerate(self._needs):
            if any(" + @" in entry for entry in need.when):
                for part in (part for entry in self._entries[n] for part in entry if part.startswith("@")):
                    self._joined[part].add(n)
        self._words: PhraseIndex[int] = PhraseIndex(
            (
                (word.strip(), n)
                for n, (_, need) in enumerate(self._needs)
                for entry in need.when
                for word in entry.split(" + ")
                if not word.startswith("@")
            ),
            plurals=True,
        )

    def find(self, reading: Reading, intents: Sequence[str], entities: Sequence[Entity]) -> tuple[str, ...]:
        """Return up to six needs in the query's language, the most particular first, without what the query says."""
        if not intents or reading.language.split("-")[0] not in _SPOKEN:
            return ()  # needs are words, and they are in these languages
        tag = "zh" if reading.chinese else "en"
        types = self._types(e for e in entities if e.type not in _GOODS or not _describes(e, reading, entities))
        if _bare(reading):
            types.add("@bare")
        barred = self._barred(reading, types)
        matched = {n: count for n, count in self._matched(reading, entities).items() if n not in barred}
        kept: list[str] = []
        refused = (*denied(reading.folded, reading.words), *self._unwanted(reading))
        if any(e.type not in _SURROUNDINGS for e in entities) and not _is_journey(reading, entities):
            types.discard("@place")  # a bank account in Singapore is no journey
        for need in self._ranked(intents, matched, types, tag, barred):
            for words in need.needs:
                if words not in kept and not _said(words, reading) and not _denied(words, refused):
                    kept.append(words)
        return tuple(local(words, reading.language) for words in kept[:_MOST])

    def _types(self, entities: Iterable[Entity]) -> set[str]:
        """The types of ``entities`` as ``when`` names them: their own, and those that they are kinds of."""
        return {f"@{type_}" for entity in entities for type_ in (entity.type, self._type_of(entity))}

    def _unwanted(self, reading: Reading) -> Iterator[str]:
        """What the query rules out, in its own words and others: who wants no surveys wants no review articles."""
        for negation in reading.negations:
            target = aligned(negation.target)
            yield target
            yield from (aligned(word) for word, _ in synonyms(target, self._knowledge))

    def _matched(self, reading: Reading, entities: Sequence[Entity]) -> dict[int, int]:
        """The needs of which an entry is in the query, with how many words; one within a name (Spring Boot) is none."""
        said: dict[int, set[str]] = {}
        ruled_out = [(n.start, n.end) for n in reading.negations]
        for hit in self._words.all(reading.folded, reading.borders):
            if any(_within(hit.start, hit.end, e) for e in entities):
                continue
            if is_denied(reading.folded, hit.start) or covered(hit.start, hit.end, ruled_out):
                continue  # "I don't want to cancel" wants no steps of cancelling
            described = _modifies(hit.start, hit.end, reading, entities)
            for n in hit.items:
                if described and self._needs[n][0] in _SHOPPING:
                    continue  # who asks for a car accident lawyer buys no car
                said.setdefault(n, set()).add(reading.folded[hit.start : hit.end])
        types = self._types(entities)
        for n in {n for type_ in types if type_ in self._joined for n in self._joined[type_]}:
            said.setdefault(n, set()).update(types)
        for entity in entities:
            if is_denied(reading.folded, entity.start) or covered(entity.start, entity.end, ruled_out):
                continue
            described = _modifies(entity.start, entity.end, reading, entities)
            for n in self._words.get(entity.canonical):
                if described and self._needs[n][0] in _SHOPPING:
                    continue
                said.setdefault(n, set()).add(aligned(entity.canonical))
        return {
            n: sum(len(w.split()) for w in words if w[0] != "@") or 1
            for n, words in said.items()
            if self._complete(n, words)
        }

    def _complete(self, n: int, words: set[str]) -> bool:
        """Whether an entry of the need is in ``words``, all of its parts where it has several."""
        said = words | {word[:-1] for word in words if word.endswith("s")}
        return any(said.issuperset(parts) for parts in self._entries[n])

    def _barred(self, reading: Reading, types: set[str]) -> set[int]:
        """The needs of which one of ``unless`` is in the query."""
        said = {n for hit in self._worded_unless.all(reading.folded, reading.borders) for n in hit.items}
        return said.union(*(self._typed_unless[word] for word in types if word in self._typed_unless))

    def _ranked(
        self,
        intents: Sequence[str],
        matched: dict[int, int],
        types: set[str],
        tag: str,
        barred: set[int],
    ) -> Iterator[Need]:
        ranks = {intent: rank for rank, intent in enumerate(dict.fromkeys((*intents, _ANY)))}
        spoken = [n for n in matched if self._needs[n][1].language in (None, tag)]
        own = [n for n in spoken if self._needs[n][0] in ranks]
        own.sort(key=lambda n: (-matched[n], ranks[self._needs[n][0]], n))
        if not own and intents[0] in _OPEN:  # the topic is known, though not under these intents
            own = sorted(n for n in spoken if self._needs[n][0] not in self._closed)[:1]
        worded = [self._needs[n][1] for n in own]
        always = self._open_to(self._always[intents[0]], tag, barred)
        if intents[0] in self._particular and not any(self._needs[n][0] in (intents[0], _ANY) for n in matched):
            yield from always  # before those of a general intent
        yield from worded[:3]
        typed = self._open_to([n for intent in ranks for n in self._of_types(intent, types, matched)], tag, barred)
        if len(worded) < 2:
            yield from typed[:2]
        if sum(len(need.needs) for need in (*worded, *typed)) < _ENOUGH:
            yield from always

    def _of_types(self, intent: str, types: set[str], matched: dict[int, int]) -> list[int]:
        """The needs of an intent that one of ``types`` alone asks for, but for those that match by words already."""
        known = self._typed[intent]
        return sorted({n for type_ in types for n in known.get(type_, ()) if n not in matched})

    def _open_to(self, numbers: Sequence[int], tag: str, barred: set[int]) -> list[Need]:
        """The needs with these numbers that are written in the query's language and not ruled out."""
        return [self._needs[n][1] for n in numbers if self._needs[n][1].language in (None, tag) and n not in barred]


_THERE = re.compile(r"(?:[去到飞游逛玩]|\b(?:to|visit|visiting|around|across|through) )$")
"""What stands before a place that somebody goes to."""


def _is_journey(reading: Reading, entities: Sequence[Entity]) -> bool:
    """Whether a place of the query is gone to."""
    return any(e.type == "place" and _THERE.search(reading.folded, 0, e.start) for e in entities)


def _bare(reading: Reading) -> bool:
    """Whether the query is a name or a noun alone, of which somebody may want an overview."""
    words = [w for w in reading.words if w.content]
    return len(words) <= (1 if not reading.chinese else 2) and len(reading.text) <= _SHORT


def _within(start: int, end: int, entity: Entity) -> bool:
    """Whether a word is only a part of a name: of a product all but its head (手机 of 手机壳, "model" of "model y")."""
    if not (entity.start <= start and end <= entity.end and entity.end - entity.start > end - start):
        return False
    if entity.type == "thing":
        return False
    return entity.verbatim or entity.type in ("technology", "topic") or (entity.type == "product" and end < entity.end)


def _describes(entity: Entity, reading: Reading, entities: Sequence[Entity]) -> bool:
    """Whether goods only describe the thing after them: the mouse of "mouse trap", not the iphone of "iphone 12 unlocked"."""
    named = any(ch.isdigit() for ch in entity.text)
    return not named and _modifies(entity.start, entity.end, reading, entities)


_LEADING = re.compile(r"\s(?:for|of|to|in|with|using)$")
"""The end of words that lead to a thing and do not describe it: "substitute for"."""


def _modifies(start: int, end: int, reading: Reading, entities: Sequence[Entity]) -> bool:
    """Whether a word only describes the thing after it: "car" of "car accident lawyer", 车 of 洗车店."""
    if reading.chinese:
        if any(e.type == "thing" and e.start <= start and end < e.end for e in entities):
            return True
        goods = [e for e in entities if e.type == "product"]
        return any(e.start == end for e in goods) and any(e.start <= start and e.end == end for e in goods)
    gap = reading.text[end : end + 1] == " " and not _LEADING.search(reading.folded, start, end)
    return gap and any(e.type == "thing" and e.start == end + 1 for e in entities)


def _denied(need: str, refused: Sequence[str]) -> bool:
    """Whether a need is about what the asker says not to want: 退款到账时间 for who wants no refund."""
    folded = aligned(need)
    return any(word in folded if is_han(word[0]) else re.search(rf"\b{re.escape(word)}", folded) for word in refused)


def _said(need: str, reading: Reading) -> bool:
    """Whether the query already asks for exactly this."""
    return all(word in reading.folded for word in aligned(need).split())
