"""What the things and limits of a query say of its intent beside its cues."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from qx.rules import asked
from qx.rules.mishaps import befallen
from qx.rules.reading import Reading, inside
from qx.rules.uncued import ACADEMIC, MINE
from qx.rules.undone import undone
from qx.rules.unmeant import is_solved
from qx.serial import replace, value
from qx.text.lexicons import load_set
from qx.types import Constraint, Entity

PATTERN, LONG, SHORT = 1.5, 1.0, 0.7
"""Weights of a cue: a pattern, words that say much, a single word."""
_NAMED_PAIR = frozenset(
    {"brand", "product", "technology", "place", "model-number", "food", "media", "medicine", "topic", "service"}
)
_BETWEEN = re.compile(r"还是|或者|或|\bor\b|\bvs\.?\b|和|与|跟|、|\band\b|对比")
_WEIGHED = re.compile(
    r"^(?:is|are|was|were|does|do|will|would|should) .+ or .+\b(?:better|worse|[a-z]+er|more [a-z]+)\b|^should (?:i|we) .+ or "
    r"|(?:和|与|跟|还是)[^，,]{1,20}(?:哪个|哪款|哪种|哪家|哪一个|谁)"
)
"""Two that are weighed, with yes or no in form alone."""
_POLITE = re.compile(
    r"^(?:can|could|would|will) you (?:please |kindly )?(?:help me )?(?:find|show|pick|suggest|list) (?:me |us )"
)
"""A request in the form of a question."""
_EITHER = re.compile(r"还是|\bor\b")
_FAILED = re.compile(r"(?i)error|exception|fail|错误|失败|异常")
_TRAINING = re.compile(
    r"拉伸|锻炼|训练|按摩|穴位|食疗|食谱|动作|\b(?:stretches|exercises|workouts?|yoga|massage|recipes?|diet)\b"
)
"""What one does about a complaint, and asks for by name: "stretches for back pain"."""
_REVIEW = re.compile(r"\breviews?$|\breviews? of\b")
_MODEL = re.compile(r"\d|\b[A-Z]\b|\bmodel\b")
_WISHES = frozenset((
    "price", "audience", "feature", "colour", "material", "season", "weight", "thickness",
    "battery_life", "resolution", "screen", "memory", "storage", "size", "sound", "age",
))  # fmt: skip
_LIMITING = ("prefer", "le", "ge", "lt", "gt", "eq", "ne")


@value
class _Said:
    """What is looked at.  ``types`` are those of the entities, ``fault`` how much the cues say that something fails."""

    reading: Reading
    cues: Mapping[str, float]
    entities: Sequence[Entity]
    constraints: Sequence[Constraint]
    types: tuple[str, ...]
    fault: float


class _Scores(dict[str, float]):
    """Intent -> what speaks for it; below 0: against."""

    def add(self, intent: str, weight: float) -> None:
        self[intent] = self.get(intent, 0.0) + weight


def structure(
    reading: Reading, cues: Mapping[str, float], entities: Sequence[Entity], constraints: Sequence[Constraint]
) -> dict[str, float]:
    """Return what entities and constraints say, and what they take back from the cues."""
    scores = _Scores()
    without = asked.faultless(reading.folded)
    types = tuple(e.type for e in entities if not inside(e.start, e.end, without))
    fault = cues.get("troubleshooting", 0.0)
    told = fault <= LONG and not cues.get("recommendation")
    if told and (undone(reading, entities) or (not fault and not cues and befallen(reading, entities))):
        fault += LONG
        scores.add("troubleshooting", LONG)
    if without and asked.goods(types) and fault < SHORT:
        scores.add("recommendation", 1.0)
    if not fault and (cause := asked.cause(reading.folded, types)):
        scores.add(cause, PATTERN)
    said = _Said(reading=reading, cues=cues, entities=entities, constraints=constraints, types=types, fault=fault)
    said = _without_fault(said, scores)
    if _POLITE.match(reading.folded):
        scores.add("factual", -cues.get("factual", 0.0))  # "can you find me" asks for no yes or no
        scores.add("recommendation", SHORT)
    for look in (_trouble, _choice, _comparison, _study):
        look(said, scores)
    return scores


def _without_fault(said: _Said, scores: _Scores) -> _Said:
    """Take the fault back where its meaning is asked for ("what is error 404"), or it is said to be solved."""
    if asked.meaning(said.reading.folded):
        scores.add("troubleshooting", -said.fault)
        faults = ("fault", "symptom", "error-code", "exception")
        said = replace(said, fault=0.0, types=tuple(t for t in said.types if t not in faults))
    if said.fault and is_solved(said.reading.folded):
        scores.add("troubleshooting", -said.fault)
        said = replace(said, fault=0.0)
    return said


_TREATED = re.compile(
    r"(?:怎么|怎样|如何|咋)(?:才能)?(?:洗|换|补|改|退|拆|装|擦|剪|调|缝|续|领|申请|办理|恢复|去掉|去除)(?!不|了)"
)
"""What is to be done about it, by name: 白球鞋发黄怎么洗白 asks for no cause."""


def _trouble(said: _Said, scores: _Scores) -> None:
    if said.fault and said.cues.get("how-to") and _TREATED.search(said.reading.folded):
        scores.add("how-to", SHORT)
    if any(t in ("error-code", "exception") for t in said.types):
        scores.add("troubleshooting", 1.5)
    studied = said.cues.get("research", 0.0) + said.cues.get("exploration", 0.0) >= LONG and not said.fault
    trained = not said.fault and _TRAINING.search(said.reading.folded) is not None
    if ("fault" in said.types or "symptom" in said.types) and not studied and not trained:
        scores.add("troubleshooting", 1.0)
    if any(e.type == "quote" and _FAILED.search(e.text) for e in said.entities):
        scores.add("troubleshooting", 1.5)


def _choice(said: _Said, scores: _Scores) -> None:
    """Who limits or excludes chooses."""
    wishes = [c for c in said.constraints if c.field in _WISHES and c.op in _LIMITING]
    if "brand" in said.types or any(e.type == "product" and _MODEL.search(e.text) for e in said.entities):
        wishes = [c for c in wishes if c.field != "season"]  # "tesla model y range in winter" chooses no car
    wanted = any(t in ("product", "food", "media", "place") for t in said.types)
    if wishes and (wanted or len(wishes) > 1) and said.fault < SHORT:
        scores.add("recommendation", 0.7 + 0.3 * min(len(wishes), 3))
    if any(c.field == "price" and c.op in ("le", "lt") for c in wishes) and not said.cues:
        scores.add("recommendation", 1.0)  # who sets a limit to spend chooses
    if said.reading.negations and said.fault < SHORT and not said.cues:
        scores.add(_chosen(said.types), 0.8)


def _chosen(types: Sequence[str]) -> str:
    """What who excludes something is after: a choice, but of Java and of a dog that limps there is none."""
    if {"product", "food"} <= set(types):
        return "how-to"
    if set(types) & {"animal", "symptom", "illness"} and "product" not in types:
        return "troubleshooting"
    if set(types) & {"topic", "arxiv", "doi"} and set(types) <= {"topic", "arxiv", "doi", "thing", "term"}:
        return "research" if "thing" in types or len(types) > 1 else "how-to"
    tools = {"technology", "topic", "version"}
    done = bool(types) and (set(types) <= tools or (types[0] == "technology" and set(types) <= tools | {"thing"}))
    return "how-to" if done else "recommendation"


def _comparison(said: _Said, scores: _Scores) -> None:
    folded, cue = said.reading.folded, said.cues.get("comparison", 0.0)
    pair = paired(said.reading, said.entities)
    if asked.lasting(folded):  # 怎么还是 pending weighs nothing against it
        scores.add("comparison", -cue)
        scores.add("troubleshooting", SHORT)
    elif cue > 0 and _WEIGHED.search(folded):
        scores.add("comparison", 1.0)  # "is oat or almond milk better": asked with yes or no in form alone
        scores.add("recommendation", -said.cues.get("recommendation", 0.0) * 0.6)
    elif cue > 0 and pair:
        scores.add("comparison", 1.0)
        scores.add("recommendation", -said.cues.get("recommendation", 0.0) * 0.6)
    elif 0 < cue < LONG and not _BETWEEN.search(folded):
        scores.add("comparison", -0.4)  # "java string comparison" is a task
        scores.add("how-to", 0.6 if "technology" in said.types else 0.0)
    elif cue <= 0 and _EITHER.search(folded) and (pair or _alternatives(said)):
        scores.add("comparison", 1.2)
        if _alternatives(said):  # "airbnb or hotel": both are named, so that none is looked for
            scores.add("recommendation", -said.cues.get("recommendation", 0.0) * 0.6)


def _alternatives(said: _Said) -> bool:
    """Whether the text begins with one thing, *or* another that may be unknown: "induction cooktop or gas for"."""
    for one, two in pairwise(said.entities):
        between = said.reading.folded[one.end : two.start].strip() if one.start == 0 else ""
        if between not in ("or", "还是"):
            continue
        purposed = said.reading.folded[two.end :].startswith(" for ")
        if two.type in (*_NAMED_PAIR, "thing") and (one.type in _NAMED_PAIR or (one.type == "thing" and purposed)):
            return True
    return False


def _study(said: _Said, scores: _Scores) -> None:
    """What is read to learn: a book, research, a first look."""
    reviewed = said.cues.get("recommendation", 0.0)
    if (
        "topic" in said.types
        and "product" not in said.types
        and 0 < reviewed <= SHORT
        and _REVIEW.search(said.reading.folded)
    ):
        scores.add("recommendation", -reviewed)  # the review of a subject is no judgement of goods
        scores.add("research", LONG)
    works = load_set("forms_of_works")
    if not said.cues and (any(e.canonical in works for e in said.entities) or _ends_in(said.reading, works)):
        scores.add("recommendation", 1.0)
        if any(t in ACADEMIC or t == "technology" for t in said.types):
            scores.add("research", 0.8)
    pointed = max((s for i, s in said.cues.items() if i != "exploration"), default=0.0)
    if pointed >= SHORT:  # "what is the principle of" asks more than "what is"
        scores.add("exploration", -said.cues.get("exploration", 0.0) * 0.6)
    if said.fault and MINE.search(said.reading.folded):
        scores.add("research", -said.cues.get("research", 0.0) * 0.7)


def _ends_in(reading: Reading, words: frozenset[str]) -> bool:
    """Whether Chinese text ends in one of ``words``, also within a longer word: 科幻小说."""
    last = reading.folded.rstrip()
    return reading.chinese and any(last.endswith(word) and len(last) > len(word) for word in words if len(word) > 1)


def paired(reading: Reading, entities: Sequence[Entity]) -> bool:
    """Whether two things of comparable type stand side by side (A和B, A or B)."""
    named = [e for e in entities if e.type in _NAMED_PAIR and e.start >= 0]
    for one, two in pairwise(named):
        if 0 < two.start - one.end <= 6 and _BETWEEN.search(reading.folded[one.end : two.start]):
            return True
    return False
