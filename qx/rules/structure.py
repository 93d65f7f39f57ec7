"""What the things and limits of a query say of its intent, beside its cues and where it has none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from qx.rules import asked
from qx.rules.mishaps import befallen
from qx.rules.reading import Reading, inside
from qx.rules.undone import undone
from qx.rules.unmeant import is_solved
from qx.serial import replace, value
from qx.types import Constraint, Entity

PATTERN, LONG, SHORT = 1.5, 1.0, 0.7
"""Weights of a cue: a pattern, words that say much, a single word."""
_NAMED_PAIR = frozenset(
    {"brand", "product", "technology", "place", "model-number", "food", "media", "medicine", "topic", "service"}
)
_BETWEEN = re.compile(r"还是|或者|或|\bor\b|\bvs\.?\b|和|与|跟|、|\band\b|对比")
_EITHER = re.compile(r"还是|\bor\b")
_FAILED = re.compile(r"(?i)error|exception|fail|错误|失败|异常")
_ASKS = re.compile(r"(?:what|which|where|who|whose|when)(?:.?s)?\b")
_WANTS = re.compile(
    r"\b(?:help me|please|(?:i|we) (?:need|want|would like|have) to|i.d like to|can you|could you)\b|^帮我|^请"
)
_PAPERS = re.compile(
    r"\b(?:policy|handbook|(?:meeting|board|committee) minutes|minutes of|memo|agenda|roadmap|changelog|slides|spec sheet|meeting notes|release notes|org chart|invoice)\b|"
    r"文档|纪要|手册|制度|周报|月报|会议记录|议程|合同扫描件|组织架构"
)
"""Papers of one's own house, which are looked up."""
_PERSONAL = re.compile(r"\b(?:i|me|my|you|your|we)\b")
_TRAINING = re.compile(
    r"拉伸|锻炼|训练|按摩|穴位|食疗|食谱|动作|\b(?:stretches|exercises|workouts?|yoga|massage|recipes?|diet)\b"
)
"""What one does about a complaint, and asks for by name: "stretches for back pain"."""
_MODEL = re.compile(r"\d|\b[A-Z]\b|\bmodel\b")
_MINE = re.compile(r"\b(?:my|our)\b|我的|我家|我这")
_WISHES = frozenset((
    "price", "audience", "feature", "colour", "material", "season", "weight", "thickness",
    "battery_life", "resolution", "screen", "memory", "storage", "size", "sound", "age",
))  # fmt: skip
_LIMITING = ("prefer", "le", "ge", "lt", "gt", "eq", "ne")
_YOUNG = re.compile(r"\bfor (?:kids|children|toddlers|beginners|dummies)\b|少儿|给孩子")
_ACADEMIC = frozenset({"topic", "arxiv", "doi"})
_FORMS = frozenset((
    "书籍", "教材", "小说", "电影", "电视剧", "动漫", "纪录片", "播客", "歌曲", "桌游", "绘本", "漫画", "课程", "游戏", "book",
    "textbook", "novel", "movie", "documentary", "podcast", "course", "picture book", "board game",
))  # fmt: skip


_PROGRAMS = frozenset((
    "Word", "PowerPoint", "Excel", "Outlook", "Gmail", "Photoshop", "Chrome", "Zoom", "Slack", "Notion", "微信", "钉钉", "企业微信",
    "飞书", "WPS", "QQ", "支付宝", "WeChat", "抖音", "微博", "小红书", "淘宝", "知乎", "哔哩哔哩", "Telegram", "WhatsApp", "Instagram",
    "YouTube", "Facebook", "Twitter", "Spotify", "Steam", "ChatGPT",
))  # fmt: skip
"""Programs that people have rather than look for."""


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


def _trouble(said: _Said, scores: _Scores) -> None:
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
    elif cue > 0 and pair:
        scores.add("comparison", 1.0)
        scores.add("recommendation", -said.cues.get("recommendation", 0.0) * 0.6)
    elif 0 < cue < LONG and not _BETWEEN.search(folded):
        scores.add("comparison", -0.4)  # "java string comparison" is a task
        scores.add("how-to", 0.6 if "technology" in said.types else 0.0)
    elif cue <= 0 and pair and _EITHER.search(folded):
        scores.add("comparison", 1.2)


def _study(said: _Said, scores: _Scores) -> None:
    """What is read to learn: a book, research, a first look."""
    if any(e.canonical in _FORMS for e in said.entities) and not said.cues:
        scores.add("recommendation", 1.0)
        if any(t in _ACADEMIC or t == "technology" for t in said.types):
            scores.add("research", 0.8)
    pointed = max((s for i, s in said.cues.items() if i != "exploration"), default=0.0)
    if pointed >= SHORT:  # "what is the principle of" asks more than "what is"
        scores.add("exploration", -said.cues.get("exploration", 0.0) * 0.6)
    if said.fault and _MINE.search(said.reading.folded):
        scores.add("research", -said.cues.get("research", 0.0) * 0.7)


def paired(reading: Reading, entities: Sequence[Entity]) -> bool:
    """Whether two things of comparable type stand side by side (A和B, A or B)."""
    named = [e for e in entities if e.type in _NAMED_PAIR and e.start >= 0]
    for one, two in pairwise(named):
        if 0 < two.start - one.end <= 6 and _BETWEEN.search(reading.folded[one.end : two.start]):
            return True
    return False


def without_cues(
    entities: Sequence[Entity], keywords: Sequence[str], reading: Reading, constraints: Sequence[Constraint]
) -> dict[str, float]:
    """No cue at all: a phrase of several words about a subject is research, a bare name exploration."""
    if _ASKS.match(reading.folded):
        return {"factual": 0.6}
    if _PAPERS.search(reading.folded) and not {e.type for e in entities} & {"product", "media"}:
        return {"factual": 0.6}
    if _WANTS.search(reading.folded):
        return {"how-to": 0.5}
    if any(c.field == "price" and c.op == "prefer" for c in constraints):
        return {"recommendation": 0.7}  # who wants it cheap wants to have it
    if reading.text.rstrip().endswith(("?", "？")):
        return {"factual": 0.6}
    types = {e.type for e in entities}
    if "local-service" in types:
        return {"recommendation": 0.7}  # who names a trade looks for one who has it
    if types & {"product"} and _MINE.search(reading.folded):
        return {"how-to": 0.5}  # "the rust on my car": not a thing to buy
    if any(e.canonical in _PROGRAMS for e in entities) and len(keywords) >= 3:
        return {"how-to": 0.6}  # "word 页码从第三页开始": what is to be done with a program at hand
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
