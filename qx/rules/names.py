"""Named things of a text: quoted phrases, identifiers, names that the packs know, names by pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from qx.domain import Knowledge
from qx.rules.kinds import broader, taken
from qx.rules.patterns import Patterns, entity_span
from qx.rules.phrases import Found, PhraseIndex, aligned, is_han, keep_longest
from qx.rules.reading import Reading, covered
from qx.serial import value
from qx.text.lexicons import load_set
from qx.types import Entity

_VERBS = frozenset(["watch", "book", "iron", "drill", "phone", "fan", "lock", "fish", "cook", "ship", "train", "park"])
_OF_INSTITUTIONS = ("地址", "电话", "官网", "挂号", "招生", "分数线", "附近")
"""What is said of an institution and may be cut as one word with its end: the 医院地址 of 第二医院地址."""
_PLAIN = {"number-code": "identifier", "symbol": "identifier", "uuid": "identifier", "hash": "identifier"}


@value
class Name:
    """What a known name stands for."""

    type: str
    canonical: str
    english: str

    def wording(self, *, chinese: bool) -> str:
        """The canonical name in the language of the query, where there is one."""
        return self.canonical if chinese else self.english


class NameFinder:
    """Finds entities by what ``knowledge`` knows.

    Raises:
        PackError: a pattern of a pack is not valid RE2.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._names: PhraseIndex[Name] = PhraseIndex(
            (
                (word, Name(type=kind.id, canonical=canonical, english=_latin(canonical, others)))
                for kind in knowledge.taxonomy.entity_types
                for canonical, others in kind.names.items()
                for word in (canonical, *others)
            ),
            plurals=True,
        )
        self._broader, self._taken = broader(knowledge), taken(knowledge)
        self._broad = frozenset(self._broader.values())
        variants = "|".join(
            sorted((re.escape(aligned(v)) for v in knowledge.variants if v.isascii()), key=len, reverse=True)
        )
        self._models = re.compile(rf"(?<=[a-z])(?:\s(?:{variants})(?![a-z0-9]))+" if variants else r"(?!)")
        self._patterns = Patterns(
            (p.pattern, p.name, (p.type, p.verbatim)) for p in knowledge.patterns if p.type is not None
        )

    def lookup(self, phrase: str) -> Name | None:
        """Return what exactly this name stands for."""
        found = self._names.get(phrase)
        return found[0] if found else None

    def find(self, reading: Reading) -> tuple[Entity, ...]:
        """Return the named entities in order; none overlap.  Quotes come first, then patterns, identifiers, names."""
        found: list[Entity] = []
        for group in (self._quoted, self._by_pattern, self._identified, self._known):
            spans = [(e.start, e.end) for e in found]
            found += [e for e in group(reading) if not covered(e.start, e.end, spans)]
        found = [replace(e, type=self._broader[e.type]) if e.type in self._broader else e for e in found]
        return tuple(sorted(found, key=lambda e: e.start))

    def particular(self, entity: Entity) -> str:
        """Return the type that the packs give ``entity``, which ``find`` returned by the type that it is a kind of."""
        if entity.type in self._broad:
            narrower = self._narrower(entity)
            if narrower is not None:
                return narrower
        numbered = entity.type == "product" and entity.verbatim and "model-number" in self._taken
        return self._taken.get("model-number" if numbered else entity.type, entity.type)

    def _narrower(self, entity: Entity) -> str | None:
        known = self.lookup(entity.text) or self.lookup(entity.canonical)
        if known is not None and self._broader.get(known.type) == entity.type:
            return known.type
        for pattern, (kind, _) in self._patterns.matching(entity.text):
            if self._broader.get(kind) == entity.type and pattern.search(entity.text):
                return kind
        named = self._names.longest(aligned(entity.text))
        if named and named[0].start == 0 and self._broader.get(named[0].items[0].type) == entity.type:
            return named[0].items[0].type  # the mini of an iPad mini
        return None

    def _quoted(self, reading: Reading) -> Iterator[Entity]:
        for phrase in reading.phrases:
            kind = "title" if phrase.kind == "title" else "quote"
            start = reading.text.find(phrase.text, phrase.start)
            yield Entity(
                text=phrase.text,
                type=kind,
                canonical=phrase.text,
                start=start,
                end=start + len(phrase.text),
                verbatim=True,
            )

    def _by_pattern(self, reading: Reading) -> Iterator[Entity]:
        hits: list[Found[tuple[str, bool]]] = []
        for pattern, (kind, verbatim) in self._patterns.matching(reading.text):
            for match in pattern.finditer(reading.text):
                start, end = entity_span(match)
                digits = any(c.isdigit() for c in reading.text[start:end])
                if start < end and _ends_whole(reading, end):
                    hits.append(Found(start=start, end=end, items=((kind, verbatim or digits),)))
        numbered = {(i.start, i.end): i for i in reading.identifiers if i.type == "model-number"}
        for hit in keep_longest(hits):
            if is_han(reading.text[hit.start]) and covered(
                hit.start, hit.end, [(t.start, t.end) for t in reading.times]
            ):
                continue  # 近三年的文章: of no author
            if covered(hit.start, hit.end, [(q.start, q.end) for q in reading.quantities]):
                continue
            kind, verbatim = hit.items[0]
            if kind in _PLACES and is_han(reading.text[hit.start]):
                start = _named_from(reading.text, hit.start, hit.end)
                if start is None:
                    continue
                hit = replace(hit, start=start)
            # A longer identifier (iPhone 15 Pro Max 256GB) is the better name.
            end = max([hit.end, *(e for (s, e) in numbered if s == hit.start)])
            words = reading.text[hit.start : end].strip()
            yield Entity(
                text=words, type=kind, canonical=words, start=hit.start, end=hit.start + len(words), verbatim=verbatim
            )

    def _identified(self, reading: Reading) -> Iterator[Entity]:
        for item in reading.identifiers:
            if covered(item.start, item.end, [(q.start, q.end) for q in reading.quantities]):
                continue
            kind = _PLAIN.get(item.type, item.type)
            known = self.lookup(item.text)
            if known:
                yield _entity(reading, item.start, item.end, known)
                continue
            yield Entity(text=item.text, type=kind, canonical=item.text, start=item.start, end=item.end, verbatim=True)
            if kind == "version":  # "python 3.11" names Python too
                yield from self._versioned(reading, item.start, item.end)

    def _versioned(self, reading: Reading, start: int, end: int) -> Iterator[Entity]:
        words = reading.text[start:end].rstrip("0123456789. xvV")
        known = self.lookup(words) if words else None
        if known:
            yield _entity(reading, start, start + len(words), known)

    def _known(self, reading: Reading) -> Iterator[Entity]:
        for hit in self._names.longest(reading.folded, reading.borders):
            if self._inside_word(reading, hit) or _is_verb(reading, hit):
                continue
            if hit.items[0].type == "brand" and (end := self._numbered(reading, hit.end)):
                words = reading.text[hit.start : end]
                yield Entity(text=words, type="product", canonical=words, start=hit.start, end=end)
                continue
            end = self._model_end(reading, hit.end) if self._is_product(hit.items[0]) else hit.end
            yield _entity(reading, hit.start, end, hit.items[0], named=end == hit.end)

    def _is_product(self, name: Name) -> bool:
        return self._broader.get(name.type, name.type) == "product"

    def _numbered(self, reading: Reading, end: int) -> int:
        """Where a model ends whose line and number follow its maker ("charge 5" of "fitbit charge 5"); 0: there is none."""
        match = _LINE.match(reading.folded, end)
        if match is None or self._names.get(match["line"]) or match["line"] in load_set("stopwords_en"):
            return 0
        measured = covered(
            match.start("number"), match.end(), [(q.start, q.end) for q in (*reading.quantities, *reading.times)]
        )
        return 0 if measured or match["line"] in load_set("not_lines_en") else match.end()

    def _model_end(self, reading: Reading, end: int) -> int:
        """Where the name of a product ends whose model the next words tell: the mini of "ipad mini"."""
        return match.end() if (match := self._models.match(reading.folded, end)) else end

    def _inside_word(self, reading: Reading, hit: Found[Name]) -> bool:
        """Return whether a Chinese name only straddles words by chance: neither of its ends is a border."""
        if not is_han(reading.text[hit.start]):
            return False
        return hit.start not in reading.borders and hit.end not in reading.borders


_LINE = re.compile(
    r" (?P<line>[a-z]{3,14}) (?P<number>\d{1,4})(?![\w.,%]| ?(?:inch|gb|tb|year|day|hour|month|week|star|pack|piece|people|in\b))"
)
_PLACES = frozenset({"organisation", "place"})
_LEADING = ("v", "p", "r", "d", "c", "u", "f", "t", "y", "a")
"""Tags of words that lead to a name and are none of its own: 推荐, 在, 哪家, 附近."""
_LEADING_WORDS = frozenset({"参观", "评价", "游览", "介绍", "推荐", "准备", "准备考", "报名"})
"""Words that do so and are tagged as nouns."""


def _named_from(text: str, start: int, end: int) -> int | None:
    """Where the name of a Chinese institution begins in ``text[start:end]``; None where only what it is is said.

    A pattern takes a few characters before 小学 or 医院, whatever they are: 推荐几本适合小学, 给刚上大学.
    """
    import rjieba  # its dictionary is there: the segmenter has it

    at, first, words = 0, start, 0
    for word, tag in rjieba.tag(text, True):
        stop = at + len(word)
        if at < end and stop > start:
            counted = tag == "m" and not word.startswith("第")  # 几本
            if counted or tag.startswith(_LEADING) or word in _LEADING_WORDS:
                first, words = stop, 0
            else:
                first, words = min(first, at), words + 1
        at = stop
    return first if first < end and (words > 1 or end - first > _BARE) else None


_BARE = 3
"""Characters of what says only what a thing is: 小学, 幼儿园, 火车站."""


_TO_DO = re.compile(r"\b(?:to|i|we|you|can|should|could) $")


def _is_verb(reading: Reading, hit: Found[Name]) -> bool:
    """Whether a name is what is to be done: "to watch"."""
    return reading.folded[hit.start : hit.end] in _VERBS and _TO_DO.search(reading.folded, 0, hit.start) is not None


def _entity(reading: Reading, start: int, end: int, name: Name, *, named: bool = True) -> Entity:
    canonical = name.wording(chinese=reading.chinese) if named else reading.text[start:end]
    return Entity(text=reading.text[start:end], type=name.type, canonical=canonical, start=start, end=end)


def _latin(canonical: str, others: Sequence[str]) -> str:
    """The first of the names that has no Chinese characters; the canonical one if all have."""
    return next((n for n in (canonical, *others) if not any(is_han(c) for c in n)), canonical)


def _ends_whole(reading: Reading, end: int) -> bool:
    """Whether a Chinese name ends where a word does: not the 适合大学 of 适合大学生."""
    return not is_han(reading.text[end - 1]) or end in reading.borders or reading.text.startswith(_OF_INSTITUTIONS, end)
