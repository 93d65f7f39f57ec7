"""English exclusions by verbs and by what stands behind: "avoid HP", "I hate HP", "HP excluded", "that don't support 5g",
"free from parabens"; and the "without" of other Latin languages.  Offsets are of folded text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qx.text import negation_en

Span = negation_en.Span

_SHUNNING = re.compile(
    r"(?<![\w-])(?:(?P<avoid>avoid(?:ing)?|steer\sclear\sof|stay\saway\sfrom|keep\saway\sfrom|skip(?:ping)?)"
    r"|i\s(?:really\s|also\s|absolutely\s)?(?:hate|dislike|despise|loathe|can(?:['’]?t|not)\sstand)"
    r"|(?:i['’]?m\s|i\sam\s)?(?:not|no)\s(?:a\s)?(?:big\s|huge\s)?fan\sof|(?:i['’]?m\s|i\sam\s)(?:done\swith|sick\sof|tired\sof|not\sinto)"
    r"|non(?=\s[a-z]))(?=\s)",
    re.IGNORECASE,
)
"""Words that rule out only where a known thing follows and another is looked for: nothing else of "avoid burnout"."""
_TELLING = re.compile(
    r"\b(?:to|i|you|we|they|he|she|who|should|can|could|must|would|ways?|that|which|not|don['’]?t|do|does|how|why|when|helps?)\s+$",
    re.IGNORECASE,
)
"""Before an "avoid" that is no demand: "how to avoid scams", "foods to avoid"."""
_LACKING = re.compile(
    r"(?<![\w-])(?:(?:that|which|who)\s(?:do(?:es)?(?:n['’]?t|\snot)|can(?:not|['’]?t))\s"
    r"(?:support|have|include|contain|come\swith|use|need|require|feature|offer|rely\son|track|show|run)"
    r"|(?:that|which)\slacks?|lacking(?!\sin\b)"
    r"|free\s(?:from|of)(?!\s(?:charges?|cost|home|work|school|the|my|your|amazon|google|youtube|apple|microsoft|netflix|anywhere|obligation)\b))"
    r"(?=\s)",
    re.IGNORECASE,
)
_ABROAD = re.compile(
    r"(?<![\w-])(?:ohne|senza|zonder|kein(?:e[mnrs]?)?|без|(?<!comic\s)(?<!open\s)(?<!noto\s)sans(?!\s(?:serif|francisco|font))"
    r"|(?<=\w\s)sin(?!\s(?:city|tax|theta|cos|bin|wave|function|curve|of|x)\b)(?=\s[a-záéíóúñ]{3}))(?=\s)",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"(?:^|[,;(]\s*)(?:the\s+)?(?P<target>{negation_en.WORD}(?:\s+{negation_en.WORD})?)\s+(?P<cue>excluded|aside)(?![\w-])(?!\s+from)",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"\b(?:no|not|nothing|never|don['’]?t\s(?:want|show\sme|need|recommend)|do\snot\s(?:want|show\sme|need))"
    r"(?:\s+(?!and\b|or\b|but\b)[\w'’-]+){0,3}\s+(?P<cue>without)\b(?=\s)",
    re.IGNORECASE,
)
"""What is not to be without a thing is to have it: "nothing without NFC"."""
_WORDS_TEXT = """
avoid avoiding steer stay keep skip skipping hate dislike despise loathe stand fan done sick tired into non support have include
contain come use need require feature offer rely track show run lack lacks lacking free ohne senza zonder kein keine keinen keinem
keiner keines без sans sin excluded aside
"""
_WORDS = frozenset(_WORDS_TEXT.split())
"""A text without any of these has none of the cues; looking for words is cheaper than for patterns."""
_MARKS = re.compile("[,;.!?()]")


_DOUBTFUL = re.compile(
    r"avoid(?:ing)?|steer clear of|(?:stay|keep) away from|skip(?:ping)?|i (?!don|do |want|need).*|(?:not|no) .*fan of|i['’]?m .*|non|excluded|aside",
    re.IGNORECASE,
)


def is_doubtful(cue: str) -> bool:
    """Whether a cue rules out only where what it names is known and something else is looked for."""
    return _DOUBTFUL.fullmatch(cue) is not None


def spoken(text: str) -> bool:
    """Whether ``text`` has a word that a cue here is made of."""
    return not _WORDS.isdisjoint(_MARKS.sub(" ", text.lower()).split())


def exclusions(text: str) -> Iterator[Span]:
    """Yield what verbs, and words behind a thing, exclude."""
    if not spoken(text):
        return
    for cue in _SHUNNING.finditer(text):
        before = text[max(0, cue.start() - 16) : cue.start()]
        if not (cue["avoid"] and _TELLING.search(before)):
            yield from negation_en.listed(text, cue)
    for pattern in (_LACKING, _ABROAD):
        for cue in pattern.finditer(text):
            yield from negation_en.listed(text, cue)
    for match in _BEHIND.finditer(text):
        yield match.start("target"), match.start("target"), match.end("target"), match.end(), match["cue"]


def wished(text: str) -> frozenset[int]:
    """Where the cues begin that turn one another round: "no phones without NFC"."""
    if "without" not in text.lower():
        return frozenset()
    return frozenset(at for m in _WISHED.finditer(text) for at in (m.start(), m.start("cue")))
