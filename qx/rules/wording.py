"""The words that expansions are made of: what is left of a query when talk is taken away, ready to be put together.

``想买一台给爸妈用的手机屏幕大点字大声大预算2000左右`` becomes the core ``给爸妈用 手机 屏幕大点 字大 声大 2000左右``.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from qx.domain import Knowledge, Template
from qx.rules import figures, tokens
from qx.rules.cutting import edged, inside, join, overlapping, signed, told, way, without
from qx.rules.kinds import type_of
from qx.rules.protection import Protection, base_text, protection
from qx.rules.scripts import local
from qx.rules.talk import ASKED_END, ASKED_LAST, DENIED, HOW, LEADING, LOOSE, TALK, TALK_ZH, completes, counts
from qx.rules.terms import has_han, holds, plain, segmenter
from qx.serial import replace
from qx.text.clean import clean
from qx.text.lexicons import load_set
from qx.text.normalise import characters_read
from qx.text.segment import Word
from qx.types import Constraint, Entity, Query, Understanding

_JOINING = frozenset({"和", "与", "及", "以及", "、", "或", "或者", "跟"})
"""What stands between two things that are ruled out together."""
TELLING = frozenset({"price", "audience", "temperature"})
"""Fields of soft constraints that are kept while others can go: without them the query asks for something else."""


def family(language: str) -> str:
    """The language of data for a query's language: ``zh`` for ``zh-Hant``."""
    return language.split("-", 1)[0] or "und"


_shared: ContextVar[list[Wording] | None] = ContextVar("wording", default=None)


@contextmanager
def sharing() -> Generator[None]:
    """Let the strategies that run inside share one ``Wording`` for each query instead of cutting it again."""
    token = _shared.set([])
    try:
        yield
    finally:
        _shared.reset(token)


def _inflected(asked: str, rest: str) -> str:
    """``rest`` of a question by "does" as it is told: "how does an OLED work" is how an OLED works."""
    return f"{rest}s" if "does" in asked.lower().split() and rest.endswith(" work") else rest


def _said(word: Word, shadow: str) -> bool:
    """Whether ``word`` is content, or needed where it stands in ``shadow``: the text in Simplified characters."""
    read = replace(word, text=shadow[word.start : word.end])
    return counts(read, shadow) or completes(read, shadow)


@dataclass(frozen=True)
class Wording:
    """The parts of one query, cut once and shared by its strategies."""

    query: Query
    understanding: Understanding
    knowledge: Knowledge

    @classmethod
    def of(cls, query: Query, understanding: Understanding, knowledge: Knowledge) -> Wording:
        """The wording of a query, shared inside of ``sharing()``."""
        made = _shared.get()
        for known in made or ():
            if known.query is query and known.understanding is understanding and known.knowledge is knowledge:
                return known
        wording = cls(query, understanding, knowledge)
        if made is not None:
            made.append(wording)
        return wording

    @cached_property
    def text(self) -> str:
        """The text to expand, cleaned."""
        return told(clean(base_text(self.query, self.understanding)).text).strip()

    @property
    def language(self) -> str:
        """The query's language; ``und`` is read by its script."""
        tag = self.understanding.language
        return ("zh" if has_han(self.text) else "en") if tag in {"", "und"} else tag

    @cached_property
    def protection(self) -> Protection:
        """What must stay."""
        return protection(self.query, self.understanding, self.knowledge)

    @cached_property
    def intents(self) -> tuple[str, ...]:
        """The intents, each followed by the one that it is a kind of."""
        return self.knowledge.widened(self.understanding.intent)

    @cached_property
    def folded(self) -> str:
        """``text`` for comparison."""
        return plain(self.text)

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The entities that stand in the text, in its order, without those inside of others."""
        found = [e for e in self.understanding.entities if e.text and plain(e.text) in self.folded]
        found.sort(key=lambda e: self.folded.find(plain(e.text)))
        return tuple(
            e
            for e in found
            if not any(o is not e and plain(e.text) != plain(o.text) and plain(e.text) in plain(o.text) for o in found)
        )

    @cached_property
    def types(self) -> frozenset[str]:
        """The types of the entities, and those that they are kinds of."""
        entities = self.understanding.entities
        return frozenset([type_ for e in entities for type_ in (e.type, type_of(e, self.knowledge))])

    @cached_property
    def read_otherwise(self) -> frozenset[str]:
        """Words that the query reads as another thing than they mostly are: the rust of a car."""
        things = [e for e in self.understanding.entities if e.type == "thing"]
        return frozenset([plain(e.text) for e in things if plain(e.canonical).startswith(f"{plain(e.text)} (")])

    @cached_property
    def applicable(self) -> dict[str, tuple[Template, ...]]:
        """Strategy -> its templates that apply, as far as they were asked for (``qx.rules.templates``)."""
        return {}

    def _fixed(self, text: str, keep: Sequence[str]) -> list[tuple[int, int]]:
        """Spans that stay as they were typed: verbatim things, limits, exclusions, ``keep``; joined where they overlap."""
        lowered = text.lower()
        if len(lowered) != len(text):
            return []
        spans: list[tuple[int, int]] = []
        for item in (*self._whole, *keep):
            at = lowered.find(item.lower()) if item else -1
            if at >= 0:
                spans.append((at, at + len(item)))
        spans += (*tokens.spans(text), *tokens.said(text), *signed(text))
        spans = [self._widened(span, lowered) for span in spans]
        joined: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if joined and start < joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return joined

    def _widened(self, span: tuple[int, int], lowered: str) -> tuple[int, int]:
        """The name or term of the lexicon that a fixed span is only a part of: 老人机 for the 老人 that it is for."""
        start, end = span
        for name in self._names:
            at = lowered.find(name)
            while at >= 0:
                if at <= start and end <= at + len(name) and len(name) > end - start:
                    return at, at + len(name)
                at = lowered.find(name, at + 1)
        return span

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Names and terms of the query that stay in one piece where they are one word."""
        found = [e.text.lower() for e in self.entities if e.type != "thing" and " " not in e.text]
        found += [w.lower() for w in self.knowledge.lexicon if w and w.lower() in self.text.lower()]
        return tuple(dict.fromkeys(found))

    def _named(self, text: str) -> list[tuple[int, int]]:
        """Where the names of entities stand in ``text``."""
        found = ((e.text, text.find(e.text)) for e in self.entities if e.type != "thing")
        return [(at, at + len(name)) for name, at in found if at >= 0]

    @cached_property
    def _whole(self) -> tuple[str, ...]:
        """What is never cut: protected things, constraints, and short wordings that the packs know (光标在闪)."""
        found = [t.text for t in self.protection.things]
        found += [c.text for c in self.understanding.constraints]
        found += self._cut_apart
        found += self._ruled_out
        places = [e for e in self.entities if e.type == "place"]
        found += tokens.compared(self.text)
        found += [m[0] for a, b in pairwise(places) if (m := way(a.text, b.text).search(self.text))]
        shadow = characters_read(self.text)
        if has_han(shadow) and len(shadow) == len(self.text):
            known = self.knowledge.synonyms
            for at in range(len(shadow) - 3):
                if shadow[at : at + 4] in known:
                    found.append(self.text[at : at + 4])
        return tuple(dict.fromkeys(found))

    @cached_property
    def _ruled_out(self) -> tuple[str, ...]:
        """What is ruled out together, with the word between: 除了苹果和三星, of which 三星 alone would be asked for."""
        texts = [t.text for t in self.protection.things if t.kind == "negation" and t.text in self.text]
        spans = sorted((at := self.text.find(text), at + len(text)) for text in texts)
        return tuple(
            self.text[one[0] : two[1]]
            for one, two in pairwise(spans)
            if self.text[one[1] : two[0]] in _JOINING or (one[1] == two[0])
        )

    @cached_property
    def _cut_apart(self) -> tuple[str, ...]:
        """Names of which a part would go as a word of no content: 一 of 一加, the "under" of Under Armour."""
        names = [e.text for e in self.entities if e.type != "thing" and (has_han(e.text) or " " in e.text)]
        if not names:
            return ()
        idle = [(w.start, w.end) for w in segmenter(self.knowledge.lexicon).words(self.text) if not w.content]
        spans = ((name, self.text.find(name)) for name in names)
        return tuple(name for name, at in spans if any(at <= s and e <= at + len(name) for s, e in idle if at >= 0))

    @cached_property
    def core(self) -> str:
        """The content of the query as people type it into a search box: no question form, no filler."""
        return self.core_of(self.text)

    @cached_property
    def keywords(self) -> str:
        """The content words alone; of Chinese that is the core."""
        return self._words_of(self.text)

    def core_of(self, text: str, keep: Sequence[str] = ()) -> str:
        """The core of another wording of the query; phrases of ``keep`` stay whole.

        Chinese loses its function words; other languages keep those inside: ``history of the Silk Road``.
        """
        if has_han(text):
            return self._words_of(text, keep)
        match = TALK.match(text)
        fixed = self._fixed(text, keep)
        start = match.end() if match and not any(s < match.end() for s, _ in fixed) else 0
        asked = ASKED_LAST.sub("", text[start:])
        rest = self._told_of(LOOSE.sub(r"\1", edged(" ".join((asked if edged(asked) else text[start:]).split()))))
        if start and (how := HOW.match(text)) and not LEADING.match(rest):
            rest = f"how {_inflected(how[0], rest)}"  # "how vaccines work", not "vaccines work"
        return edged(LEADING.sub("", rest)) or text

    def _told_of(self, text: str) -> str:
        """A question that begins with its negation, as what it tells: "won't my phone charge" is "phone won't charge"."""
        match = DENIED.match(text)
        if match is None:
            return text
        rest = text[match.end() :]
        own = next((e.text for e in self.entities if rest.lower().startswith(e.text.lower())), "")
        after = rest[len(own) :]
        return f"{rest[: len(own)]} {match['word']}{after}" if own and after[:1] == " " else text

    def _words_of(self, text: str, keep: Sequence[str] = ()) -> str:
        fixed = self._fixed(text, keep)
        match = TALK.match(text)
        start = match.end() if match and not (fixed and fixed[0][0] < match.end()) else 0
        shadow = characters_read(text)
        talk = [m.span() for m in TALK_ZH.finditer(shadow)] if has_han(text) and len(shadow) == len(text) else []
        talk += [m.span("end") for m in ASKED_END.finditer(shadow)] if talk or "什么" in shadow else []
        if talk and (named := self._named(text)):  # 推荐 of 推荐系统 asks for nothing
            talk = [
                span for span in talk if not any(s <= span[0] and span[1] <= e and span != (s, e) for s, e in named)
            ]
        pieces: list[tuple[int, int]] = []
        for word in segmenter(self.knowledge.lexicon).words(text):
            span = next(((s, e) for s, e in fixed if s < word.end and word.start < e), None)
            if span is not None:
                pieces += overlapping(word, span, text, pieces)
            elif word.start >= start and _said(word, shadow) and not inside(word, talk):
                pieces.append((word.start, word.end))
        return edged(join(text, pieces, fixed)) or text

    @cached_property
    def core_words(self) -> tuple[str, ...]:
        """The content words of ``core``."""
        return segmenter(self.knowledge.lexicon).keywords(self.core)

    @cached_property
    def droppable(self) -> tuple[Constraint, ...]:
        """The soft constraints without which the query still asks for the same thing: no numbers, no audience."""
        soft = [c for c in self.understanding.constraints if not c.hard and c.text and c.field not in TELLING]
        return tuple(c for c in soft if not figures.find(c.text))

    @cached_property
    def subject(self) -> str:
        """What the query is about, without its soft limits; short where the rest is light: ``科技博客``."""
        text = self.text
        for constraint in self.droppable:
            text = without(text, constraint.text)
        core = self.core_of(text) if any(ch.isalnum() for ch in text) else self.core
        names = [e.text for e in self.entities if e.type != "thing" and plain(e.text) not in load_set("light_words")]
        folded = [plain(name) for name in names]
        words = [plain(w) for w in segmenter(self.knowledge.lexicon).keywords(core)]
        rest = [
            w
            for w in words
            if w not in load_set("light_words")
            and w not in load_set("generic_words")
            and not any(holds(n, w) for n in folded)
        ]
        short = " ".join(dict.fromkeys(names))
        light = any(w in load_set("light_words") for w in words)
        denied = self.protection.denials
        return short if names and light and not rest and not denied and len(short) < len(core) else core

    def complete(self, text: str, *, widening: bool = False) -> str:
        """Write after ``text`` what it lost of the things that must stay."""
        lost = self.protection.lost(text, widening=widening)
        parts = dict.fromkeys(t.text for t in lost if plain(t.text) not in plain(text))
        return " ".join([text, *parts]) if parts else text

    def say(self, text: str) -> str:
        """``text``, which is data, in the characters of the query."""
        return local(text, self.language)

    @cached_property
    def year(self) -> str:
        """The year of the query's now, empty where it is not known."""
        return str(self.query.now.year) if self.query.now is not None else ""
