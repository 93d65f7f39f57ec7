"""The kind of a query, and how sure the rules are of their analysis."""

from __future__ import annotations

from collections.abc import Sequence

from qx.rules.intents import Intents
from qx.rules.reading import Reading, covered
from qx.rules.readings import Senses
from qx.types import Constraint, Entity, Kind

_TECHNICAL = frozenset(
    {"technology", "error-code", "exception", "version", "symbol", "cve", "ip-address", "path", "url"}
)
_IDENTIFIED = frozenset(
    {"identifier", "error-code", "exception", "doi", "arxiv", "cve", "isbn", "path", "url", "email"}
)
_MANY_LIMITS = 3
_LONG = 40
_READ = ("zh", "en", "und")


def kind_of(
    reading: Reading,
    entities: Sequence[Entity],
    constraints: Sequence[Constraint],
    keywords: Sequence[str],
    intents: Intents,
    *,
    senses: Senses,
    vague: bool,
) -> Kind:
    """Return ``vague``, ``specialist``, ``complex`` or ``simple``, the first that fits.

    Vague: an ambiguous word that nothing settles, a reference to something unnamed, or a lone everyday word.
    Specialist: an identifier, a quoted phrase that is the whole query, two technical names, or one with three words of
    its trade.  Complex: three limits or several questions.
    """
    if vague or (senses.open and not senses.goal):
        return "vague"
    types = [e.type for e in entities]
    if any(t in _IDENTIFIED for t in types) or _all_quoted(reading, entities):
        return "specialist"
    technical = {e.canonical for e in entities if e.type in _TECHNICAL} | {
        e.text for e in entities if e.type == "model-number"
    }
    if len(technical) >= 2 and ("comparison" not in intents.ids) and len(keywords) >= 3:
        return "specialist"
    limits = {c.field for c in constraints if c.field not in ("published", "date")}
    asked = sum(reading.text.count(mark) for mark in "?？")
    clauses = sum(reading.text.count(mark) for mark in "，,。；;")
    excluding = any(c.op == "ne" for c in constraints)
    if len(limits) >= _MANY_LIMITS or (len(limits) >= 2 and (excluding or len(reading.text) > _LONG)):
        return "complex"
    if asked > 1 or (clauses >= 3 and len(reading.text) > _LONG) or len(reading.text) > 4 * _LONG:
        return "complex"
    return "simple"


def _all_quoted(reading: Reading, entities: Sequence[Entity]) -> bool:
    return any(e.type == "quote" and len(e.text) >= len(reading.text) - 3 for e in entities)


def confidence_of(
    reading: Reading,
    entities: Sequence[Entity],
    keywords: Sequence[str],
    intents: Intents,
    kind: Kind,
    *,
    explained: Sequence[tuple[int, int]],
) -> float:
    """Return how sure the rules are, 0..1.

    It grows with the weight of the intent's cues, the distance to the next intent, the share of content words that
    the rules know, and falls for open readings, unresolved references, long texts and languages other than Chinese
    and English.  About 0.6 is the line above which a model rarely adds to the analysis.
    """
    named = sum(1 for e in entities if e.type != "thing")
    content = [w for w in reading.words if w.content]
    known = sum(1 for w in content if covered(w.start, w.end, explained))
    share = known / len(content) if content else 0.0
    score = 0.2 + 0.25 * min(intents.score / 1.5, 1.0) * intents.cued + 0.1 * intents.margin
    score += 0.15 * min(named, 1) + 0.3 * share
    score -= {"vague": 0.3, "complex": 0.05}.get(kind, 0.0)
    if len(reading.text) > 3 * _LONG:
        score -= 0.15
    if len(keywords) == 1 and not intents.cued:
        score -= 0.1
    if reading.language.split("-")[0] not in _READ:
        score = min(score, 0.25)
    return round(min(max(score, 0.05), 0.95), 2)
