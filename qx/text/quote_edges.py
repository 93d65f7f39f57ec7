"""Whether a quote may begin and end where it does: no word, number or unit cut, no negation left out beside it."""

from __future__ import annotations

import re

from qx.text.figures import AFTER, BEFORE, INSIDE
from qx.text.protected_words import AUXILIARIES, BEFORE_VERBS, CARDINALS, NEGATIONS, chinese_units, units
from qx.text.quotable import NONE, Folded, is_unspaced

_NUMERALS = frozenset("零〇一二三四五六七八九十百千万亿两萬億兩")
_MARKS = re.compile(r"[\s*_`~\"'“”‘’「」『』«»\x00\x01]*")
"""What may stand between a negation and what it turns: spaces, emphasis and quotation marks."""
_NEGATED = re.compile(
    r"(?:不[到足止]|[不没沒未勿莫毋][能会會可应應该該得必予准许許宜想要敢曾有是太很再被]?|(?<![除是想南北东東亚亞])非|(?<![特级級区區分个個性类類鉴鑒识識告差派辨])别"
    r"|別|無|无[法需须須]?|没有|沒有|禁止|严禁|嚴禁|切勿|拒绝|拒絕|避免|[从從绝絕决決][未不]|[是能可]否)$"
)
_NOT_NEGATED = re.compile(
    r"非[常洲得]|无[论線线限数锡疑]|無[論線限數疑]|未[来來]|不[过過仅僅但断斷同如久管论論错錯锈鏽]|别[的人墅]|別[的人墅]"
)
_NEGATION = re.compile(
    rf"(?<![a-z])(?:{'|'.join(sorted(NEGATIONS))}|\w+n['’]t)(?![a-z])|[不没沒未勿莫毋別無无]|(?<![除是])非(?!常)|(?<![特级級区區分个個性类類])别|禁止|拒绝|拒絕",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:!?，；：。！？、—()（）]|\.(?=\s|$)|\n\s*\n")

_SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？]|\n\s*\n")


def begins_well(source: Folded, at: int) -> bool:
    """Whether a quote may begin with ``core[at]``."""
    if at <= 0:
        return True
    if not source.is_boundary(at):
        return False
    core, first, before = source.core, source.core[at], source.core[at - 1]
    if (first.isdigit() or first in BEFORE) and (before in BEFORE or (before in INSIDE and source.parted(at) == NONE)):
        return False
    if first in _NUMERALS and before in _NUMERALS:
        return False
    gap = source.gap(at)
    if _word_before(source, at) in CARDINALS and (gap.isspace() or gap == "-") and _word_after(source, at) in CARDINALS:
        return False
    if before.isdigit() and (not gap or gap.isspace()) and _is_measured(source, at):
        return False
    return not _turned(source, at, gap, core)


def ends_well(source: Folded, at: int) -> bool:
    """Whether a quote may end before ``core[at]``."""
    if at >= len(source.core):
        return True
    if not source.is_boundary(at) and not _possessive(source, at):
        return False
    core, last = source.core, source.core[at - 1]
    gap = source.gap(at)
    close = not gap or gap.isspace()
    if last.isdigit() and close and _is_measured(source, at):
        return False
    if last in _NUMERALS and core[at] in _NUMERALS:
        return False
    if close and _word_before(source, at) in CARDINALS and _word_after(source, at) in CARDINALS:
        return False
    following = _word_after(source, at)
    if gap == "-" and following in ("free", "less"):
        return False
    return not _turned_after(source, at, gap, following)


def leaves_off_negation(source: Folded, first: int, last: int) -> bool:
    """Whether a negation of what ``core[first:last]`` says stands right beside it."""
    before = first > 0 and _turned(source, first, source.gap(first), source.core)
    after = last < len(source.core) and _turned_after(source, last, source.gap(last), _word_after(source, last))
    return before or after


def _turned_after(source: Folded, at: int, gap: str, following: str) -> bool:
    turned = following in ("not", "never", "nt") and _MARKS.fullmatch(gap) is not None
    return turned and _word_before(source, at) in AUXILIARIES


def leaves_out_negation(text: str) -> bool:
    """Whether what an ellipsis stands for turns what is left of the clauses on either side of it."""
    clauses = _CLAUSE.split(text)
    return any(_NEGATION.search(clause) for clause in {clauses[0], clauses[-1]})


def ends_sentence(text: str) -> bool:
    """Whether a sentence ends in what an ellipsis stands for."""
    return _SENTENCE.search(text) is not None


def _turned(source: Folded, at: int, gap: str, core: str) -> bool:
    """Whether a negation stands right before ``core[at]``."""
    word = _word_before(source, at)
    if word == "non":
        return gap in ("-", "") or gap.isspace()
    if word in BEFORE_VERBS:
        return _MARKS.fullmatch(gap) is not None or gap == "-"
    if not is_unspaced(core[at - 1]) or _MARKS.fullmatch(gap) is None:
        return False
    window = core[max(0, at - 4) : at]
    found = _NEGATED.search(window)
    return found is not None and _NOT_NEGATED.match(window[found.start() :] + core[at]) is None


def _is_measured(source: Folded, at: int) -> bool:
    """Whether what follows belongs to the number that ends before ``core[at]``."""
    core = source.core
    if core[at] in AFTER:
        return True
    if is_unspaced(core[at]):
        return core.startswith(chinese_units(), at)
    word = _word_after(source, at)
    return word in units() or word in CARDINALS


def _possessive(source: Folded, at: int) -> bool:
    return source.core[at] == "s" and source.parted(at + 1) != NONE and source.plain[source.offsets[at] - 1] == "\x01"


def _word_before(source: Folded, at: int) -> str:
    start = at
    while start > max(0, at - 20) and source.core[start - 1].isalpha() and not is_unspaced(source.core[start - 1]):
        start -= 1
        if source.parted(start) != NONE:
            break
    return source.core[start:at]


def _word_after(source: Folded, at: int) -> str:
    end = at
    while end < min(len(source.core), at + 20) and source.core[end].isalpha() and not is_unspaced(source.core[end]):
        end += 1
        if source.parted(end) != NONE:
            break
    return source.core[at:end]
