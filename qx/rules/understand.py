"""Understanding a query without a model: the embedded default and the last rung of every fallback.

The order of work: clean, spell, make independent of the conversation, condense, read, then names, constraints,
intents, mood, needs.  Everything that is known of words comes from ``Knowledge`` (the packs), so that a domain pack
changes what the rules see without code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from functools import partial

from qx.domain import Knowledge
from qx.rules import bounds, statements, tasks
from qx.rules.condense import condense
from qx.rules.constraints import LOOKED_FOR, ConstraintFinder, Limits, Wishes
from qx.rules.intents import IntentFinder, Intents
from qx.rules.kind import confidence_of, kind_of
from qx.rules.moods import MoodFinder
from qx.rules.names import NameFinder
from qx.rules.needs import NeedFinder
from qx.rules.phrases import aligned
from qx.rules.reading import Reading, covered, read
from qx.rules.readings import COMPANY, SenseFinder, Senses
from qx.rules.ruled_out import ruled_out
from qx.rules.signals import SignalFinder
from qx.rules.standalone import Standalone, resolve
from qx.rules.structure import LONG
from qx.rules.things import ThingFinder
from qx.serial import replace, value
from qx.text import language as languages
from qx.text.clean import Cleaned, clean
from qx.text.segment import Segmenter
from qx.text.spelling import Speller
from qx.types import Entity, Query, Understanding

_KEYWORDS = 24
_WHOLE = frozenset({"topic", "technology", "fault", "media", "product", "food", "symptom", "activity", "brand"})
"""Names whose words are no cues (推荐系统, 内存泄漏), unless the cue is the whole name."""
_FITTING = {"technology": ("语言", "language", "framework"), "brand": COMPANY}
"""What a reading must be called so that a name keeps its type: the rust of a pan is no technology."""
_UNSPELT = frozenset({"ja", "ko"})
"""Languages written in Chinese characters among others, whose words are no slips of Chinese: 万円 is no 万元."""
_OTHER_SCRIPTS = frozenset({"ja", "ko", "ru", "uk", "bg", "sr", "el", "ar", "fa", "he", "th", "hi"})
"""Languages of which the rules cannot tell a noun from a particle, so that の and не are no things."""
_HISTORY = 800


@value
class _Analysis:
    reading: Reading
    entities: tuple[Entity, ...]
    limits: Limits
    intents: Intents
    keywords: tuple[str, ...]
    quoted: tuple[tuple[int, int], ...]
    senses: Senses
    focus: Reading | None = None
    """The condensed text, where there is one."""


@value
class Begun:
    """A query as it was read, but for its implicit needs: where a model names them, nobody asks for those of the rules."""

    understanding: Understanding
    needs: Callable[[], tuple[str, ...]] | None
    """What finds them; None: they are there."""

    def whole(self) -> Begun:
        """Return the same with the implicit needs."""
        if self.needs is None:
            return self
        return Begun(understanding=replace(self.understanding, implicit_needs=self.needs()), needs=None)


class RuleUnderstanding:
    """Understands queries by rules.  Building one takes a moment (indexes, patterns); it may then be shared.

    Args:
        knowledge: The merged packs.
        spelling: Whether misspelt words are looked for; the corrected text is then in ``signals["spelling"]``.  The
            analysis is of the words as they were typed: what looks misspelt may be a name.
        condense_above: Characters from which a query is condensed into ``standalone``.

    Raises:
        PackError: a pattern of a pack is not valid RE2.
    """

    def __init__(self, knowledge: Knowledge, *, spelling: bool = True, condense_above: int = 400) -> None:
        known = [
            word
            for kind in knowledge.taxonomy.entity_types
            for canonical, others in kind.names.items()
            for word in (canonical, *others)
        ]
        self._segmenter = Segmenter((*knowledge.lexicon, *known))
        self._names = NameFinder(knowledge)
        self._things = ThingFinder()
        self._constraints = ConstraintFinder(knowledge)
        self._intents = IntentFinder(knowledge, self._names.particular)
        self._moods = MoodFinder(knowledge)
        self._senses = SenseFinder(knowledge)
        self._needs = NeedFinder(knowledge, self._names.particular)
        self._signals = SignalFinder(knowledge)
        self._knowledge = knowledge
        cues = [c for i in knowledge.taxonomy.intents for c in i.cues if not c.startswith("/")]
        wishes = [w for f in knowledge.taxonomy.fields for w in (*f.words, *f.soft, *f.values)]
        self._speller = Speller((*knowledge.lexicon, *known, *cues, *wishes)) if spelling else None
        self._condense_above = condense_above

    def understand(self, query: Query, *, now: datetime, zone: tzinfo) -> Understanding:
        """Return what ``query`` means; never raises for any text.

        Args:
            now: What "yesterday" is relative to (aware), where the query has no moment of its own.
            zone: The time zone of days and weeks.
        """
        return self.begin(query, now=now, zone=zone).whole().understanding

    def begin(self, query: Query, *, now: datetime, zone: tzinfo) -> Begun:
        """As ``understand``, without the implicit needs, which are looked for only when somebody asks for them."""
        cleaned = clean(query.text)
        text = bounds.cut(cleaned.text)
        language = query.language or languages.identify(text)
        if not any(c.isalnum() for c in text):
            return Begun(understanding=Understanding(language=language, source="rules"), needs=None)
        now = query.now or now
        signals: dict[str, str] = {}
        known = language.split("-")[0] not in _UNSPELT
        corrected = self._speller.correct(text) if self._speller is not None and known else None
        if corrected is not None:
            signals["spelling"] = corrected.text  # a query of its own: all else stands on the words as they were typed
        first = self._read(text, language, now=now, zone=zone)
        named = self._names.find(first)
        standalone = self._independent(first, named, query)
        effective = standalone.text or text
        reading = first if effective == text else self._read(effective, language, now=now, zone=zone)
        history = [aligned(t.content[:_HISTORY]) for t in query.history]
        analysis = self._analyse(reading, named if reading is first else self._names.find(reading), history)
        if corrected is not None and not analysis.intents.cued and reading is first:
            meant = self._read(corrected.text, language, now=now, zone=zone)
            other = self._analyse(meant, self._names.find(meant), history)
            analysis = replace(analysis, intents=other.intents) if other.intents.cued else analysis
        if len(effective) > self._condense_above:
            short = condense(reading, analysis.entities, analysis.limits.constraints, analysis.intents.spans)
            standalone = Standalone(text=short, vague=standalone.vague)
            analysis = self._condensed(analysis, self._read(short, language, now=now, zone=zone), history)
        found = self.signalled(query, self._finish(cleaned, analysis, standalone, signals))
        return Begun(understanding=found, needs=partial(self._needed, analysis))

    def signalled(self, query: Query, understanding: Understanding) -> Understanding:
        """Return ``understanding``, made by rules or a model, with the signals that the packs' rules give it."""
        found = self._signals.find(query.text, understanding)
        return replace(understanding, signals={**understanding.signals, **found}) if found else understanding

    def _read(self, text: str, language: str, *, now: datetime, zone: tzinfo) -> Reading:
        return read(text, language, self._segmenter, now=now, zone=zone)

    def _independent(self, reading: Reading, named: Sequence[Entity], query: Query) -> Standalone:
        def find(text: str) -> Sequence[Entity]:
            return self._names.find(read_names(text, reading, self._segmenter))

        def wished(text: str) -> Wishes:
            return self._constraints.wishes(read_names(text, reading, self._segmenter))

        return resolve(reading.text, named, query.history, find, wished, chinese=reading.chinese)

    def _analyse(self, reading: Reading, named: Sequence[Entity], history: Sequence[str]) -> _Analysis:
        keywords = tuple(dict.fromkeys(w.text for w in reading.words if w.content))[:_KEYWORDS]
        senses = self._senses.find(reading, history, keywords, named)
        names = tuple(_settled(e, senses) for e in named)
        quoted = tuple((e.start, e.end) for e in names if e.type in ("quote", "title"))
        cues = self._intents.cues(reading, quoted, [(e.start, e.end) for e in names if e.type in _WHOLE])
        if not cues[0] and statements.told(reading, names):
            cues = ({"troubleshooting": LONG}, cues[1], cues[2])
        elif not cues[0] and tasks.surely(reading):
            cues = ({"how-to": LONG}, cues[1], cues[2])
        wishes = self._constraints.wishes(reading)
        if reading.negations:
            reading = replace(reading, negations=ruled_out(reading, names, wishes, senses.names_company))
        looking = self._looking(names, cues[0], described=self._constraints.described(wishes))
        limits = self._constraints.find(reading, names, wishes, senses, looking=looking)
        excluded = [(n.target_start, n.target_end) for n in reading.negations]
        kept = tuple(
            e
            for e in names
            if (e.verbatim or not covered(e.start, e.end, excluded)) and not _swallowed(e, limits.spans)
        )
        taken = [*((e.start, e.end) for e in names), *limits.spans, *cues[1]]
        taken += [(q.start, q.end) for q in reading.quantities]
        foreign = reading.language.split("-")[0] in _OTHER_SCRIPTS
        things = (_settled(e, senses) for e in (() if foreign else self._things.find(reading, taken)))
        entities = tuple(sorted((*kept, *things), key=lambda e: e.start))[: bounds.ENTITIES]
        intents = self._intents.find(reading, cues, entities, limits.constraints, keywords)
        return _Analysis(
            reading=reading,
            entities=entities,
            limits=limits,
            intents=intents,
            keywords=keywords,
            quoted=quoted,
            senses=senses,
        )

    @staticmethod
    def _looking(names: Sequence[Entity], cues: dict[str, float], *, described: bool) -> bool:
        """Whether a thing is looked for: something to have is named, and nothing says that it is broken or studied."""
        if not any(e.type in LOOKED_FOR for e in names):
            return cues.get("recommendation", 0.0) > 0 or (described and not cues)
        wanted = cues.get("recommendation", 0.0) + cues.get("comparison", 0.0)
        other = max((cues.get(i, 0.0) for i in ("troubleshooting", "how-to", "research", "factual")), default=0.0)
        return wanted > 0 or other < 0.7

    def _condensed(self, whole: _Analysis, short: Reading, history: Sequence[str]) -> _Analysis:
        """Intent and keywords of the condensed text; identifiers, limits and exclusions of the whole one."""
        brief = self._analyse(short, self._names.find(short), history)
        inside = {aligned(e.text) for e in brief.entities}
        entities = tuple(e for e in whole.entities if e.verbatim or aligned(e.text) in inside)
        return _Analysis(
            reading=whole.reading,
            entities=entities[:12],
            limits=_lasting(whole.limits),
            focus=short,
            intents=brief.intents,
            keywords=brief.keywords,
            quoted=whole.quoted,
            senses=brief.senses,
        )

    def _finish(
        self, cleaned: Cleaned, analysis: _Analysis, standalone: Standalone, signals: dict[str, str]
    ) -> Understanding:
        reading, intents, senses = analysis.reading, analysis.intents, analysis.senses
        trouble = "troubleshooting" in self._knowledge.widened(intents.ids)
        sentiment, stance, moods = self._moods.find(reading, analysis.quoted, trouble=trouble)
        kind = kind_of(
            analysis.focus or reading,
            analysis.entities,
            analysis.limits.constraints,
            analysis.keywords,
            intents,
            senses=senses,
            vague=standalone.vague,
        )
        explained = [*((e.start, e.end) for e in analysis.entities if e.type != "thing"), *analysis.limits.spans]
        explained += [*intents.spans, *moods]
        types = ((e, self._names.particular(e)) for e in analysis.entities)
        named = (e if e.type == type_ else replace(e, type=type_) for e, type_ in types)
        entities = tuple(_placed(e, cleaned, reading.text) for e in named)
        return Understanding(
            intent=intents.ids,
            entities=entities,
            constraints=analysis.limits.constraints,
            sentiment=sentiment,
            stance=stance,
            keywords=analysis.keywords,
            negations=analysis.limits.negations,
            language=reading.language,
            senses=senses.open,
            kind=kind,
            standalone=standalone.text,
            signals=signals,
            source="rules",
            confidence=confidence_of(reading, analysis.entities, analysis.keywords, intents, kind, explained=explained),
        )

    def _needed(self, analysis: _Analysis) -> tuple[str, ...]:
        widened = self._knowledge.widened(analysis.intents.ids)
        return self._needs.find(analysis.focus or analysis.reading, widened, analysis.entities)


def _lasting(limits: Limits) -> Limits:
    """The limits of a long text without the times and measures that it merely tells of."""
    kept = tuple(c for c in limits.constraints if c.hard or (c.op == "prefer" and c.field not in ("published", "date")))
    return Limits(constraints=kept, negations=limits.negations, spans=limits.spans)


def read_names(text: str, like: Reading, segmenter: Segmenter) -> Reading:
    """Read another text just enough to find names in it."""
    from qx.text import identifiers, quotes

    words = segmenter.words(text)
    return Reading(
        text=text,
        folded=aligned(text),
        language=like.language,
        words=words,
        borders=frozenset(edge for w in words for edge in (w.start, w.end)),
        identifiers=identifiers.find(text),
        phrases=quotes.phrases(text),
        quantities=(),
        times=(),
        negations=(),
        now=like.now,
    )


def _swallowed(entity: Entity, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a part (屏幕) is only a word of a wish (屏幕大)."""
    if entity.verbatim or entity.type not in ("component", "person", "animal", "topic"):
        return False
    return any(s <= entity.start and entity.end <= e and (s, e) != (entity.start, entity.end) for s, e in spans)


def _settled(entity: Entity, senses: Senses) -> Entity:
    label = senses.settled.get(aligned(entity.text))
    if label is None or entity.verbatim:
        return entity
    fitting = _FITTING.get(entity.type)
    kind = entity.type if fitting is None or any(w in label for w in fitting) else "thing"
    if kind == "thing" and any(w in label for w in _FITTING["brand"]):
        kind = "brand"
    return Entity(
        text=entity.text,
        type=kind,
        canonical=f"{entity.canonical or entity.text} ({label})",
        start=entity.start,
        end=entity.end,
        verbatim=entity.verbatim,
    )


def _placed(entity: Entity, cleaned: Cleaned, text: str) -> Entity:
    """Give the entity its place in the caller's exact text; -1 where its words are not in it."""
    start, end = entity.start, entity.end
    if text != cleaned.text[: len(text)] or start < 0:
        start = cleaned.text.find(entity.text)
        end = start + len(entity.text)
    if start >= 0:
        start, end = cleaned.original_span(start, end)
    else:
        start = end = -1
    if (start, end) == (entity.start, entity.end):
        return entity
    return Entity(
        text=entity.text, type=entity.type, canonical=entity.canonical, start=start, end=end, verbatim=entity.verbatim
    )
