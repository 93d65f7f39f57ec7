"""Find what a query excludes (``不要白色``, ``not white``, ``-used``) and the negations that no rewriting may lose.

A fault is not an exclusion: ``打不开``, ``付不了款``, ``不能开机``, "not working" say what is wrong, not what is unwanted;
``protected`` names their negation words.  Words that only look negative (不锈钢, 不错, "not only", "notebook") are neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qx.serial import value
from qx.text import negation_en, negation_verbs, negation_zh
from qx.text.lexicons import load_set
from qx.text.numerals import fold_width
from qx.text.remembered import remembered

_MINUS = re.compile(r'(?<!\S)-(?:"(?P<phrase>[^"\n]{1,80})"|(?P<term>[^\W\d_][^\s"():]{0,40})(?![^\s]))')
_SIGN = re.compile(
    r"[不别没無无未零0非除拒讨剔排外免別沒勿-]|no|n['’]t|w/o|without|exclud|except|than|apart|aside|but|instead|minus|neither|never|"
    r"unable|dont|doesnt|didnt|wont|cant|isnt|避|拉黑|算了",
    re.IGNORECASE,
)
"""A text without any of these excludes and negates nothing."""


@value
class Negation:
    """One exclusion.

    Attributes:
        cue: The word that excludes (``不要``, ``not``, ``-``).
        target: What is excluded.
        start, end: The whole of it in the text, cue included; code points, end exclusive.
        target_start, target_end: The target alone.
    """

    cue: str
    target: str
    start: int
    end: int
    target_start: int
    target_end: int


@remembered
def _may_negate(folded: str) -> bool:
    return _SIGN.search(folded) is not None


@remembered
def find(text: str) -> tuple[Negation, ...]:
    """Return the exclusions of ``text`` from left to right, one for each target; never raises."""
    folded = fold_width(text)
    if not _may_negate(folded) and not negation_verbs.spoken(folded):
        return ()
    found: list[Negation] = []
    last = 0
    spans = sorted(
        [
            *_minus(folded),
            *negation_zh.exclusions(folded),
            *negation_en.exclusions(folded),
            *negation_verbs.exclusions(folded),
        ]
    )
    wished = negation_verbs.wished(folded)
    for start, target_start, target_end, end, cue in spans:
        if start < last or target_end <= target_start or start in wished:
            continue
        target = text[target_start:target_end]
        found.append(
            Negation(cue=cue, target=target, start=start, end=end, target_start=target_start, target_end=target_end)
        )
        last = end
    return tuple(found)


def is_doubtful(found: Negation) -> bool:
    """Whether an exclusion holds only where its target is a known thing and another is looked for: "avoid HP laptop"."""
    return negation_zh.is_doubtful(found.cue) or negation_verbs.is_doubtful(found.cue)


@remembered
def words(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the words of ``text`` stand that negate (不能, 打不开, "not", "won't"), in order; a word that only looks like it (不错, "not only") is none."""
    folded = fold_width(text)
    if not _may_negate(folded):
        return ()
    return tuple(sorted([*negation_zh.negations(folded), *negation_en.negations(folded)]))


@remembered
def protected(text: str) -> tuple[str, ...]:
    """Return the negation words of ``text`` (不能, 打不开, "not", "won't") that a rewriting must not lose, in order."""
    folded = fold_width(text)
    if not _may_negate(folded) and not negation_verbs.spoken(folded):
        return ()
    words = [*negation_zh.negations(folded), *negation_en.negations(folded)]
    taken = {i for start, end in words for i in range(start, end)}
    cues = (
        (n.start, n.target_start)
        for n in find(text)
        if n.cue not in ("-", "-free") and n.start < n.target_start and folded.startswith(n.cue, n.start)
    )
    words += [(start, start + len(text[start:end].rstrip())) for start, end in cues if start not in taken]
    spans = sorted(words)
    return tuple(dict.fromkeys(text[start:end] for start, end in spans))


@remembered
def requests(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the clauses that ask the one who helps to leave something.

    "请不要让我换新的", "please don't tell me to buy a new one" exclude no thing and tell no fault.
    """
    folded = fold_width(text)
    if not _may_negate(folded):
        return ()
    return tuple(sorted([*negation_zh.requests(folded), *negation_en.requests(folded)]))


def failures(text: str) -> tuple[tuple[int, int], ...]:
    """Return where ``text`` says that something does not do what it should: "index not used", 三天没更新."""
    folded = fold_width(text)
    if not _may_negate(folded):
        return ()
    return tuple(sorted([*negation_zh.failures(folded), *negation_en.failures(folded)]))


_OPTION = re.compile(
    r"\b(?:flags?|options?|switch(?:es)?|arguments?|parameters?|cli|command)\b|参数|选项|命令|开关", re.IGNORECASE
)
_FAILS = re.compile(
    r"\s+(?:errors?|exceptions?|fail(?:s|ed|ure)?|denied|not\sfound|issues?|warnings?|unknown|unrecogni[sz]ed|is\snot|报错|错误|异常|失败|无法识别)(?![a-z])",
    re.I,
)
"""What something that fails stands before: "manifest -permission error" excludes nothing."""
_MACHINE = re.compile(r"X(?:m[xsn]|ss|lint)\w*|D[a-z]+\.[\w.]+|XX\W.*")
"""Options of the Java machine."""


def _said_plainly(term: str, folded: str) -> bool:
    """Whether the query also says the word by itself: who names the fault "permission denied" wants permissions."""
    return re.search(rf"(?<![\w-]){re.escape(term)}(?![\w-])", folded, re.IGNORECASE) is not None


def _minus(folded: str) -> Iterator[tuple[int, int, int, int, str]]:
    """``-term`` and ``-"a phrase"``, as web searchers write them; options of a command are not."""
    if "-" not in folded:
        return
    first = folded.split(None, 1)[:1]
    if first and first[0].lower().removesuffix(":") in load_set("commands"):
        return
    for match in _MINUS.finditer(folded):
        group = "phrase" if match["phrase"] is not None else "term"
        term = match["term"]
        if term is not None and (len(term) == 1 or _MACHINE.fullmatch(term) or _OPTION.search(folded)):
            continue
        if term is not None and (_FAILS.match(folded, match.end()) or _said_plainly(term, folded)):
            continue
        if folded[: match.start()].strip() or folded[match.end() :].strip():
            yield match.start(), match.start(group), match.end(group), match.end(), "-"
