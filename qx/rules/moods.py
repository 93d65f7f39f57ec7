"""Mood and stance of a query, by the packs' cues."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.domain import Cue, Knowledge
from qx.rules.patterns import Patterns, is_pattern
from qx.rules.phrases import PhraseIndex
from qx.rules.reading import Reading, inside
from qx.types import Sentiment, Stance

_HINT = 0.4
"""Cues up to this intensity only count where the query reports trouble."""
_STRONGER = re.compile(
    r"非常|特别|太|超级|极其|真的|好(?=[担急怕])|很|极了|死了|very|really|so |extremely|super |absolutely|[!！]"
)
_BOOST = 0.15
_DENIED = re.compile(
    r"(?:(?<!是)不是(?:要|想|来)?|(?<!要)不要|(?<!能)不能|(?<!会)不会|(?<!用)不用|不(?:算|必|想要|需要|可以|宜|怎么)?|(?<!别)别|没)(?:那么|特别)?$"
    r"|\b(?:not|never|isn't|aren't|wasn't|don't|doesn't|didn't|without|nothing)\s+(?:be\s+|being\s+)?(?:too\s+|very\s+|so\s+|that\s+|really\s+)?$"
)
"""Before a word of mood that is only ruled out: "not too loud", 不要太贵, 不急."""

_FELT = frozenset(
    {"angry", "furious", "mad", "upset", "scared", "afraid", "anxious", "nervous", "worried", "urgent", "emergency",
     "panic", "excited", "eager", "curious", "stressed", "frustrated", "disappointed", "unhappy", "hate", "love",
     "junk", "crap", "overcharged", "worry"}
)  # fmt: skip
"""Before a thing, unless somebody is said to be so, they are a part of its name or another's: angry birds, junk mail."""
_BEFORE_THING = re.compile(
    r" (?!(?:about|at|with|that|because|and|but|as|when|for|to|over|on|by|now|right|since|if|or|in|of|after|my|our|the"
    r"|this|these|their|your|his|her|its|it|i|we|you|they|please|all|how|what|why|so|too)\b)[a-z]"
)
_SAID_TO_BE = re.compile(
    r"(?:\b(?:i|am|is|are|was|were|be|been|feel|feeling|feels|felt|get|getting|got|so|very|really|too|we|it's|that's"
    r"|this is)|['’](?:m|re|s)) $"
)
_FELT_ZH = frozenset(
    {"生气", "愤怒", "气愤", "恼怒", "焦虑", "恐慌", "紧急", "兴奋", "激动", "开心", "失望", "崩溃", "心疼"}
)
_SAID_TO_BE_ZH = re.compile(
    r"(?:[很太真好挺超更最都快我们]|非常|特别|十分|有[点些]|让人|令人|感到|觉得|万分|无比|极其)$"
)
_BEFORE_THING_ZH = re.compile(
    r"(?![了的得死极怎啊呀吗呢吧求需帮救找处解要用就也都又却但]|的?[^\u4e00-\u9fff]|$)[\u4e00-\u9fff]|的[\u4e00-\u9fff]"
)
"""After a word of feeling: 生气的表情包, 紧急出口, 愤怒管理."""

_ASKED = re.compile(r"(?:吗|么|嘛|不大|不严重)(?![^\s，,。？?！!])")
_GRUMBLES = frozenset({"dissatisfied", "angry"})


class MoodFinder:
    """Finds sentiment and stance by the cues of ``knowledge``; of two moods the stronger counts.

    Raises:
        PackError: a cue pattern is not valid RE2.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._cues = knowledge.cues
        self._words: PhraseIndex[int] = PhraseIndex(
            ((w, n) for n, cue in enumerate(self._cues) for w in cue.words if not is_pattern(w)),
            loose=True,
        )
        self._patterns = Patterns(
            (w[1:-1], w, n) for n, cue in enumerate(self._cues) for w in cue.words if is_pattern(w)
        )

    def find(
        self, reading: Reading, quoted: Sequence[tuple[int, int]], *, trouble: bool
    ) -> tuple[Sentiment, Stance, tuple[tuple[int, int], ...]]:
        """Return sentiment, stance and the spans of their cues; words in ``quoted`` do not count.

        Args:
            trouble: Whether the query reports trouble, so that hints ("black screen") speak of a mood.
        """
        hits: list[tuple[int, Cue]] = []
        spans: list[tuple[int, int]] = []
        for hit in self._words.longest(reading.folded, reading.borders):
            if inside(hit.start, hit.end, quoted) or _DENIED.search(reading.folded[max(0, hit.start - 16) : hit.start]):
                continue
            if _is_not_felt(reading.folded, hit.start, hit.end):
                continue
            asked = _ASKED.match(reading.folded, hit.end) is not None  # 噪音大吗: who asks does not grumble
            spans.append((hit.start, hit.end))
            hits += [(n, self._cues[n]) for n in hit.items if not (asked and self._cues[n].sentiment in _GRUMBLES)]
        for pattern, n in self._patterns.matching(reading.folded):
            match = pattern.search(reading.folded)
            if match is not None and not inside(match.start(), match.end(), quoted):
                hits.append((n, self._cues[n]))
        counted = [(n, c) for n, c in hits if trouble or c.intensity > _HINT]
        return _strongest(counted, reading), _stance(counted), tuple(spans)


_OTHERS = re.compile(
    r"(?:孩子|宝宝|小孩|儿子|女儿|女友|男友|女朋友|男朋友|老公|老婆|对象|老板|同事|客户|顾客|别人|他|她|他们|猫|狗|猫咪|狗狗)[^，。,我]{0,4}$"
    r"|\b(?:he|she|they|cats?|dogs?|baby|babies|kids?|child(?:ren)?|toddler|wife|husband|girlfriend|boyfriend|boss|customers?|people|clients?|neighbou?rs?)"
    r"(?: (?:is|are|was|were|gets?|got|seems?|always))? (?:so |very |always |really |getting )?$"
)
"""Before a word of feeling: somebody else feels so, and who asks wants to know what to do."""


def _is_not_felt(folded: str, start: int, end: int) -> bool:
    """Whether a word of feeling is part of a name, or somebody else's."""
    word = folded[start:end]
    if word not in _FELT and word not in _FELT_ZH:
        return False
    if _OTHERS.search(folded, max(0, start - 24), start):
        return True
    if word in _FELT_ZH:
        return _BEFORE_THING_ZH.match(folded, end) is not None and not _SAID_TO_BE_ZH.search(folded, 0, start)
    return _BEFORE_THING.match(folded, end) is not None and not _SAID_TO_BE.search(folded, max(0, start - 12), start)


def _strongest(hits: Sequence[tuple[int, Cue]], reading: Reading) -> Sentiment:
    moods = [(n, c) for n, c in hits if c.sentiment is not None]
    if not moods:
        return Sentiment()
    _, cue = min(moods, key=lambda hit: (-hit[1].intensity, hit[0]))
    again = sum(1 for _, c in moods if c.sentiment == cue.sentiment) - 1
    intensity = cue.intensity + _BOOST * bool(_STRONGER.search(reading.folded)) + 0.05 * min(again, 3)
    return Sentiment(label=cue.sentiment or "neutral", intensity=round(min(intensity, 1.0), 2))


def _stance(hits: Sequence[tuple[int, Cue]]) -> Stance:
    """Critical or supportive, whichever is said more strongly; both alike is neutral (pros and cons)."""
    weight = {"critical": 0.0, "supportive": 0.0}
    for _, cue in hits:
        if cue.stance in weight:
            weight[cue.stance] = max(weight[cue.stance], cue.intensity)
    if weight["critical"] > weight["supportive"]:
        return "critical"
    return "supportive" if weight["supportive"] > weight["critical"] else "neutral"
