"""Intents of a query: the packs' cues weighed, then what the entities and constraints say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise

from qx.domain import Knowledge
from qx.rules import asked
from qx.rules.patterns import Patterns, is_pattern
from qx.rules.phrases import PhraseIndex, aligned, is_han
from qx.rules.reading import Reading, inside
from qx.rules.terms import holds_exact
from qx.rules.unmeant import is_denied, is_solved
from qx.serial import value
from qx.text import negation
from qx.types import Constraint, Entity

_PATTERN, _LONG, _SHORT = 1.5, 1.0, 0.7
_PARTICULAR = 1.6
"""The weight of a cue of the profile's own packs: more than any one cue of the general pack."""
_PARTICULAR_PATTERN = 2.2
_SHARE = 0.5
"""An intent is kept beside the first one from this share of its score."""
_NAMED_PAIR = frozenset(
    {"brand", "product", "technology", "place", "model-number", "food", "media", "medicine", "topic"}
)
_BETWEEN = re.compile(r"还是|或者|或|\bor\b|\bvs\.?\b|和|与|跟|、|\band\b|对比")
_VERSUS = re.compile(r"\bvs\b|\bversus\b|对比|还是")
_ASKS = re.compile(r"(?:what|which|where|who|whose|when)(?:.?s)?\b")
_WANTS = re.compile(
    r"\b(?:help me|please|(?:i|we) (?:need|want|would like|have) to|i.d like to|can you|could you)\b|^帮我|^请"
)
_PERSONAL = re.compile(r"\b(?:i|me|my|you|your|we)\b")
_MODEL = re.compile(r"\d|\b[A-Z]\b|\bmodel\b")
_MINE = re.compile(r"\b(?:my|our)\b|我的|我家|我这")
_WISHES = frozenset(
    [
        "price",
        "audience",
        "feature",
        "colour",
        "material",
        "season",
        "weight",
        "thickness",
        "battery_life",
        "resolution",
        "screen",
        "memory",
        "storage",
        "size",
        "sound",
        "age",
    ]
)
_YOUNG = re.compile(r"\bfor (?:kids|children|toddlers|beginners|dummies)\b|少儿|给孩子")
_ACADEMIC = frozenset({"topic", "arxiv", "doi"})
_FORMS = frozenset(
    {
        "书籍",
        "教材",
        "小说",
        "电影",
        "电视剧",
        "动漫",
        "纪录片",
        "播客",
        "歌曲",
        "桌游",
        "绘本",
        "漫画",
        "课程",
        "游戏",
        "book",
        "textbook",
        "novel",
        "movie",
        "documentary",
        "podcast",
        "course",
        "picture book",
        "board game",
    }
)


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

    Raises:
        PackError: a cue pattern is not valid RE2.
    """

    def __init__(self, knowledge: Knowledge) -> None:
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
        return _PARTICULAR_PATTERN if (intent, aligned(pattern)) in self._particular else _PATTERN

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
                weight = _LONG if long else _SHORT
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
            if match is not None and not inside(match.start(), match.end(), quoted):
                seen.add(intent)
                scores[intent] = scores.get(intent, 0.0) + weight
                own |= {intent} if weight == _PARTICULAR_PATTERN else set()
        failing = [span for span in negation.failures(reading.text) if not inside(*span, [*quoted, *ruled_out])]
        if failing:
            scores["troubleshooting"] = scores.get("troubleshooting", 0.0) + _LONG
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
        for intent, weight in _structure(reading, scores, entities, constraints).items():
            scores[intent] = scores.get(intent, 0.0) + weight
        scores = {i: s for i, s in scores.items() if i in self._known and s > 0}
        if not scores:
            scores = {i: s for i, s in _default(entities, keywords, reading, constraints).items() if i in self._known}
        if cues[2]:  # where the field's own words speak, everyday ones are hints: "how do I get a refund" is a refund
            versus = scores.get("comparison", 0.0) > 0 and _VERSUS.search(reading.folded) and _pair(reading, entities)
            told = {*cues[2], "comparison"} if versus else cues[2]
            scores = {i: s if i in told else min(s, _SHORT) for i, s in scores.items()}
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

    @staticmethod
    def _said(when: Sequence[str], reading: Reading, entities: Sequence[Entity]) -> bool:
        """Whether one of ``when``, words or types of entities, is in the query."""
        types = {f"@{entity.type}" for entity in entities}
        return any(
            word in types if word.startswith("@") else holds_exact(reading.folded, aligned(word)) for word in when
        )


def _structure(
    reading: Reading, cues: Mapping[str, float], entities: Sequence[Entity], constraints: Sequence[Constraint]
) -> dict[str, float]:
    """What entities and constraints say, and what they take back from the cues."""
    scores: dict[str, float] = {}

    def add(intent: str, weight: float) -> None:
        scores[intent] = scores.get(intent, 0.0) + weight

    without = asked.faultless(reading.folded)
    types = [e.type for e in entities if not inside(e.start, e.end, without)]
    fault = cues.get("troubleshooting", 0.0)
    if without and asked.goods(types) and fault < _SHORT:
        add("recommendation", 1.0)
    if not fault and (cause := asked.cause(reading.folded, types)):
        add(cause, _PATTERN)
    if asked.meaning(reading.folded):
        add("troubleshooting", -fault)  # "what is error 404" wants to learn
        fault = 0.0
        types = [t for t in types if t not in ("fault", "symptom", "error-code", "exception")]
    if fault and is_solved(reading.folded):
        add("troubleshooting", -fault)  # who says that it is solved asks for nothing
        fault = 0.0
    if any(t in ("error-code", "exception") for t in types):
        add("troubleshooting", 1.5)
    studied = cues.get("research", 0.0) + cues.get("exploration", 0.0) >= _LONG and not fault
    if ("fault" in types or "symptom" in types) and not studied:
        add("troubleshooting", 1.0)
    if any(e.type == "quote" and re.search(r"(?i)error|exception|fail|错误|失败|异常", e.text) for e in entities):
        add("troubleshooting", 1.5)
    wishes = [c for c in constraints if c.field in _WISHES and c.op in ("prefer", "le", "ge", "lt", "gt", "eq", "ne")]
    if "brand" in types or any(e.type == "product" and _MODEL.search(e.text) for e in entities):
        wishes = [c for c in wishes if c.field != "season"]  # "tesla model y range in winter" chooses no car
    wanted = any(t in ("product", "food", "media", "place") for t in types)
    if wishes and (wanted or len(wishes) > 1) and fault < 0.7:
        add("recommendation", 0.7 + 0.3 * min(len(wishes), 3))
    if any(c.field == "price" and c.op in ("le", "lt") for c in wishes) and not cues:
        add("recommendation", 1.0)  # who sets a limit to spend chooses
    if reading.negations and fault < _SHORT and not cues:
        add(_chosen(types), 0.8)
    pair = _pair(reading, entities)
    if asked.lasting(reading.folded):  # 怎么还是 pending weighs nothing against it
        add("comparison", -cues.get("comparison", 0.0))
        add("troubleshooting", _SHORT)
    elif cues.get("comparison", 0.0) > 0:
        if pair:
            add("comparison", 1.0)
            add("recommendation", -cues.get("recommendation", 0.0) * 0.6)
        elif cues["comparison"] < _LONG and not _BETWEEN.search(reading.folded):
            add("comparison", -0.4)  # "java string comparison" is a task
            add("how-to", 0.6 if "technology" in types else 0.0)
    elif pair and re.search(r"还是|\bor\b", reading.folded):
        add("comparison", 1.2)
    if any(e.canonical in _FORMS for e in entities) and not cues:
        add("recommendation", 1.0)
        if any(t in _ACADEMIC or t == "technology" for t in types):
            add("research", 0.8)
    pointed = max((s for i, s in cues.items() if i != "exploration"), default=0.0)
    if pointed >= _SHORT:  # "what is the principle of" asks more than "what is"
        add("exploration", -cues.get("exploration", 0.0) * 0.6)
    if fault and _MINE.search(reading.folded):
        add("research", -cues.get("research", 0.0) * 0.7)
    return scores


def _chosen(types: Sequence[str]) -> str:
    """What who excludes something is after: a choice, but of Java and of a dog that limps there is none."""
    if set(types) & {"animal", "symptom", "illness"} and "product" not in types:
        return "troubleshooting"
    if set(types) & {"topic", "arxiv", "doi"} and set(types) <= {"topic", "arxiv", "doi", "thing", "term"}:
        return "research" if "thing" in types or len(types) > 1 else "how-to"
    return "how-to" if types and set(types) <= {"technology", "topic", "version"} else "recommendation"


def _pair(reading: Reading, entities: Sequence[Entity]) -> bool:
    """Whether two things of comparable type stand side by side (A和B, A or B)."""
    named = [e for e in entities if e.type in _NAMED_PAIR and e.start >= 0]
    for one, two in pairwise(named):
        if 0 < two.start - one.end <= 6 and _BETWEEN.search(reading.folded[one.end : two.start]):
            return True
    return False


def _default(
    entities: Sequence[Entity], keywords: Sequence[str], reading: Reading, constraints: Sequence[Constraint]
) -> dict[str, float]:
    """No cue at all: a phrase of several words about a subject is research, a bare name exploration."""
    if _ASKS.match(reading.folded):
        return {"factual": 0.6}
    if _WANTS.search(reading.folded):
        return {"how-to": 0.5}
    types = {e.type for e in entities}
    if "local-service" in types:
        return {"recommendation": 0.7}  # who names a trade looks for one who has it
    if types & {"product"} and _MINE.search(reading.folded):
        return {"how-to": 0.5}  # "the rust on my car": not a thing to buy
    if types & {"product"} and len(keywords) >= 3:
        return {"recommendation": 0.6}  # "power bank 20000mah airline approved": who describes a thing looks for it
    if types & {"technology"} and any(c.field == "published" and c.hard for c in constraints):
        return {"research": 0.7}  # what was published of it
    if types & {"technology"} and len(keywords) >= 2:
        return {"how-to": 0.6}
    if types & _ACADEMIC and _YOUNG.search(reading.folded):
        return {"exploration": 0.7}
    if types & _ACADEMIC and len(keywords) >= 2:
        return {"research": 0.7}
    if re.search(r"\bfor (?:a |the |my |small |big |large )*[a-z]+$", reading.folded) and not types & _ACADEMIC:
        return {"exploration": 0.6, "recommendation": 0.5}  # "paint colors for small bedroom"
    subject = "person" not in types and not reading.chinese and not _PERSONAL.search(reading.folded)
    measured = bool(reading.quantities) or any(ch.isdigit() for ch in reading.folded)
    if subject and len(keywords) >= 4 and not measured and not types & {"brand", "place", "product", "service"}:
        return {"research": 0.6}
    if types & {"service"} and len(keywords) >= 2:
        return {"how-to": 0.5}
    return {"exploration": 0.6}
