"""Intents of a query: the packs' cues weighed, then what the entities and constraints say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set

from qx.domain import Knowledge
from qx.rules.cues import CueFinder
from qx.rules.phrases import aligned
from qx.rules.reading import Reading
from qx.rules.structure import SHORT, paired, structure
from qx.rules.terms import holds_exact
from qx.rules.uncued import without_cues
from qx.serial import value
from qx.types import Constraint, Entity

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


class IntentFinder:
    """Weighs the cues of ``knowledge``, the things and the limits of a query.

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
        self._cues = CueFinder(knowledge)

    def cues(
        self, reading: Reading, quoted: Sequence[tuple[int, int]], names: Sequence[tuple[int, int]] = ()
    ) -> tuple[dict[str, float], list[tuple[int, int]], set[str]]:
        """Return the score of each intent by its cues, where the cues are, and for which intents own packs spoke.

        The arguments are those of ``CueFinder.find``.
        """
        found = self._cues.find(reading, quoted, names)
        return found.scores, found.spans, found.own

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
