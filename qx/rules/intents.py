"""Intents of a query: the packs' cues weighed, then what the entities and constraints say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set

from qx.domain import Knowledge
from qx.rules import asked
from qx.rules.patterns import Patterns, is_pattern
from qx.rules.phrases import PhraseIndex, aligned, is_han
from qx.rules.reading import Reading, inside
from qx.rules.structure import LONG, PATTERN, SHORT, paired, structure
from qx.rules.terms import holds_exact
from qx.rules.uncued import without_cues
from qx.rules.unmeant import is_denied
from qx.serial import value
from qx.text import negation
from qx.types import Constraint, Entity

_PARTICULAR = 1.6
"""The weight of a cue of the profile's own packs: more than any one cue of the general pack."""
_PARTICULAR_PATTERN = 2.2
_SHARE = 0.5
"""An intent is kept beside the first one from this share of its score."""
_VERSUS = re.compile(r"\bvs\b|\bversus\b|对比|还是")


@value
class Intents:
    """Intents, most likely first, with how sure the rules are and the spans of the cues."""

    ids: tuple[str, ...]
    score: float
    margin: float
    spans: tuple[tuple[int, int], ...]
    cued: bool


_BUYING = re.compile(r"[要想]?买|推荐|buy|recommend|suggest")
"""Cues of a choice that one may say not to be after: "not planning to buy"."""


class IntentFinder:
    """Weighs the cues of ``knowledge``.

    A longer cue hides the shorter ones within it (怎么办 hides 怎么), whatever their intents.

    Args:
        knowledge: What holds the cues.
        particular: Gives the type that the packs have for an entity, which is known as what that is a kind of.

    Raises:
        PackError: a cue pattern is not valid RE2.
    """

    def __init__(self, knowledge: Knowledge, particular: Callable[[Entity], str]) -> None:
        self._type_of = particular
        intents = knowledge.taxonomy.intents
        self._known = frozenset(i.id for i in intents)
        self._order = {i.id: n for n, i in enumerate(intents)}
        self._broader = {i.id: i.broader for i in intents if i.broader is not None}
        self._when = {i.id: i.when for i in intents if i.when}
        self._takes = {i.id: i.takes for i in intents if i.takes}
        self._particular = {(i, aligned(c)) for i, cues in knowledge.particular.items() for c in cues}
        plain = [(c, i.id) for i in intents for c in i.cues if not is_pattern(c)]
        self._cues: PhraseIndex[str] = PhraseIndex(plain, loose=True)
        patterns = [(c, i.id) for i in intents for c in i.cues if is_pattern(c)]
        patterns += [(f"/{p.pattern}/", p.intent) for p in knowledge.patterns if p.intent is not None]
        self._patterns = Patterns((c[1:-1], c, (intent, self._weight(intent, c))) for c, intent in patterns)
        own = [
            (c, i) for i, cues in knowledge.particular.items() for c in cues if not is_pattern(c) and i in self._known
        ]
        self._own: PhraseIndex[str] = PhraseIndex(own, loose=True)

    def _weight(self, intent: str, pattern: str) -> float:
        return _PARTICULAR_PATTERN if (intent, aligned(pattern)) in self._particular else PATTERN

    def cues(
        self, reading: Reading, quoted: Sequence[tuple[int, int]], names: Sequence[tuple[int, int]] = ()
    ) -> tuple[dict[str, float], list[tuple[int, int]], set[str]]:
        """Return the score of each intent by its cues, where the cues are, and for which intents own packs spoke.

        Args:
            quoted: Spans whose words are no cues: quotes, titles.
            names: Spans of names, in which shorter words are none either (推荐系统).
        """
        scores: dict[str, float] = {}
        spans: list[tuple[int, int]] = []
        own: set[str] = set()
        left = negation.requests(reading.text)  # "please don't tell me to buy a new one" is about no purchase
        ruled_out = [(n.start, n.end) for n in reading.negations]  # "it cannot be red" tells no fault
        ruled_out += asked.faultless(reading.folded)
        for hit in self._cues.longest(reading.folded, reading.borders):
            span = (hit.start, hit.end)
            if inside(*span, left) or (inside(*span, ruled_out) and "troubleshooting" in hit.items):
                continue
            if inside(*span, quoted) or (span not in names and inside(*span, names)):
                continue
            phrase = reading.folded[hit.start : hit.end]
            if is_denied(reading.folded, hit.start) and any(
                (intent, phrase) in self._particular for intent in hit.items
            ):
                continue
            if "recommendation" in hit.items and _BUYING.match(phrase) and is_denied(reading.folded, hit.start):
                continue
            if hit.start and reading.folded[hit.start - 1] == "不" and "troubleshooting" in hit.items:
                continue  # 不掉毛: no trouble
            long = len(phrase) > 2 if is_han(phrase[0]) else " " in phrase
            for intent in hit.items:
                weight = LONG if long else SHORT
                if (intent, phrase) in self._particular:
                    weight = _PARTICULAR
                    own.add(intent)
                scores[intent] = scores.get(intent, 0.0) + weight
            spans.append((hit.start, hit.end))
        own |= self._add_hidden(reading, [*left, *quoted], scores, spans)
        seen: set[str] = set()
        for pattern, (intent, weight) in self._patterns.matching(reading.folded):
            match = None if intent in seen else pattern.search(reading.folded)
            if match is not None and intent == "troubleshooting" and inside(match.start(), match.end(), ruled_out):
                continue
            if match is not None and weight == _PARTICULAR_PATTERN and is_denied(reading.folded, match.start()):
                continue
            if match is not None and match.start() == 0 and any(s == 0 and " " in reading.folded[:e] for s, e in names):
                continue  # the "transfer" of "transfer learning" is not to be done
            if match is not None and not inside(match.start(), match.end(), quoted):
                seen.add(intent)
                scores[intent] = scores.get(intent, 0.0) + weight
                own |= {intent} if weight == _PARTICULAR_PATTERN else set()
        failing = [span for span in negation.failures(reading.text) if not inside(*span, [*quoted, *ruled_out])]
        if failing:
            scores["troubleshooting"] = scores.get("troubleshooting", 0.0) + LONG
            spans += failing
        return scores, spans, own

    def _add_hidden(
        self,
        reading: Reading,
        left: Sequence[tuple[int, int]],
        scores: dict[str, float],
        spans: list[tuple[int, int]],
    ) -> set[str]:
        """Add the cues of the profile's own packs that stand within a longer one of the general pack; for which intents."""
        found: set[str] = set()
        if not self._particular:
            return found
        for hit in self._own.longest(reading.folded, reading.borders):
            span = (hit.start, hit.end)
            if span in spans or inside(*span, left) or not inside(*span, spans) or is_denied(reading.folded, hit.start):
                continue
            for intent in hit.items:
                scores[intent] = scores.get(intent, 0.0) + _PARTICULAR
                found.add(intent)
            spans.append(span)
        return found

    def find(
        self,
        reading: Reading,
        cues: tuple[Mapping[str, float], Sequence[tuple[int, int]], Set[str]],
        entities: Sequence[Entity],
        constraints: Sequence[Constraint],
        keywords: Sequence[str],
    ) -> Intents:
        """Return the intents of ``reading``; where no cue speaks, what kind of thing is named decides."""
        scores = dict(cues[0])
        cued = bool(scores)
        for intent, weight in structure(reading, scores, entities, constraints).items():
            scores[intent] = scores.get(intent, 0.0) + weight
        scores = {i: s for i, s in scores.items() if i in self._known and s > 0}
        if not scores:
            scores = {
                i: s for i, s in without_cues(entities, keywords, reading, constraints).items() if i in self._known
            }
        if cues[2]:  # where the field's own words speak, everyday ones are hints: "how do I get a refund" is a refund
            versus = scores.get("comparison", 0.0) > 0 and _VERSUS.search(reading.folded) and paired(reading, entities)
            told = {*cues[2], "comparison"} if versus else cues[2]
            scores = {i: s if i in told else min(s, SHORT) for i, s in scores.items()}
        scores = self._narrowed(scores, reading, entities)
        scores = self._taking(scores, cues[0], reading, entities)
        if not scores and self._known:
            scores = {min(self._known, key=lambda i: self._order[i]): 0.1}
        ranked = sorted(scores.items(), key=lambda pair: (-pair[1], self._order[pair[0]]))
        if not ranked:
            return Intents(ids=(), score=0.0, margin=0.0, spans=(), cued=False)
        top = ranked[0][1]
        kept = [i for i, s in ranked if s >= max(_SHARE * top, 0.5) or s == top][:3]
        second = ranked[1][1] if len(ranked) > 1 else 0.0
        return Intents(ids=tuple(kept), score=top, margin=(top - second) / top, spans=tuple(cues[1]), cued=cued)

    def _narrowed(self, scores: dict[str, float], reading: Reading, entities: Sequence[Entity]) -> dict[str, float]:
        """The scores without intents of which a kind is read too; one that has a single kind is read as that.

        A kind with ``when`` takes the place only where one of these is in the query.
        """
        narrowed = dict(scores)
        for broad in dict.fromkeys(self._broader.values()):
            if broad not in narrowed:
                continue
            kinds = [kind for kind, broader in self._broader.items() if broader == broad]
            if any(kind in scores for kind in kinds):
                del narrowed[broad]
                continue
            told = [kind for kind in kinds if kind in self._when]
            near = [kind for kind in told if self._said(self._when[kind], reading, entities)]
            if near or (len(kinds) == 1 and not told):
                narrowed[near[0] if near else kinds[0]] = narrowed.pop(broad)
        return narrowed

    def _taking(
        self, scores: dict[str, float], cues: Mapping[str, float], reading: Reading, entities: Sequence[Entity]
    ) -> dict[str, float]:
        """The scores with intents that take the place of others, for which no cue speaks."""
        for kind, others in self._takes.items():
            gone = [id for id in others if id in scores and id not in cues]
            if gone and kind not in scores and self._said(self._when.get(kind, ()), reading, entities):
                scores = {kind: max(scores[id] for id in gone), **{i: s for i, s in scores.items() if i not in gone}}
        return scores

    def _said(self, when: Sequence[str], reading: Reading, entities: Sequence[Entity]) -> bool:
        """Whether one of ``when``, words or types of entities or what these are kinds of, is in the query."""
        types = {f"@{type_}" for entity in entities for type_ in (entity.type, self._type_of(entity))}
        return any(
            word in types if word.startswith("@") else holds_exact(reading.folded, aligned(word)) for word in when
        )
