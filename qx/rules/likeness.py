"""Whether two queries are one for a search engine: the same words in another case, width, spacing or order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

from qx.domain import Knowledge
from qx.rules import figures
from qx.rules.terms import has_han, plain, segmenter, wordings
from qx.serial import value
from qx.text import identifiers
from qx.text.lexicons import load_set
from qx.text.remembered import made_once
from qx.text.segment import is_content, stem

_OPERATOR = re.compile(r"\b(?:site|filetype|intitle|inurl|author|before|after):\S+|\"[^\"]+\"|\bOR\b|\||(?<!\S)-\w+")
_SIGN = re.compile(r'[:"|\-O]')
"""What a text with an operator has."""
_SPELT = 80
"""Percent of likeness from which two synonyms are two spellings: ``canceling`` and ``cancelling``."""
_MARKS = ",.;:!?，。；：！？、·…~～"
_MARK = re.compile(f"[{_MARKS}]")
_PUNCTUATION = re.compile(rf"[\s{_MARKS}]+")

_NONE = frozenset[str]()


@value
class Likeness:
    """One query made ready to be compared.

    Attributes:
        key: Folded, without punctuation.
        pressed: The key without spaces; where two are equal, they are one query.
        ordered: Its words in the order of the alphabet.
        operators: Its web syntax: a phrase query is not the same query without the quotes.
        figures: The numbers and identifiers that it names; unlike ones are never one query, however alike the rest.
    """

    text: str
    key: str
    pressed: str
    ordered: str
    operators: frozenset[str]
    figures: frozenset[str]


@made_once
def likening(lexicon: tuple[str, ...]) -> Callable[[str], Likeness]:
    """What makes a text ready to be compared, by the words of one lexicon."""
    cut = segmenter(lexicon).pieces

    def likeness(text: str) -> Likeness:
        folded = plain(text)
        numbers, named = figures.find(folded), identifiers.find(text)
        key = (_PUNCTUATION.sub(" ", folded).strip() or folded) if _MARK.search(folded) else folded
        return Likeness(
            text=folded,
            key=key,
            pressed=key.replace(" ", ""),
            ordered=" ".join(sorted(cut(folded))),
            operators=frozenset(map(plain, _OPERATOR.findall(text))) if _SIGN.search(text) else _NONE,
            figures=_said(numbers, named) if numbers or named else _NONE,
        )

    return lru_cache(maxsize=2048)(likeness)


def _said(numbers: Sequence[figures.Figure], named: Sequence[identifiers.Identifier]) -> frozenset[str]:
    said = [f"{f.low}:{f.high}:{f.op}" for f in numbers]
    said += [re.sub(r"[\s-]+", "", plain(i.text)) for i in named]
    return frozenset(said)


def alike(a: Likeness, b: Likeness, threshold: float) -> bool:
    """Whether ``a`` and ``b`` are one query: equal, or at least ``threshold`` similar with equal numbers and syntax.

    Source: normalised indel similarity (``rapidfuzz.fuzz.ratio``), as typed and with the words in order.
    """
    if a.operators != b.operators:
        return False
    if a.pressed == b.pressed:
        return True
    if a.figures != b.figures:
        return False
    ratio, cutoff = _ratio(), threshold * 100.0
    return bool(ratio(a.text, b.text, score_cutoff=cutoff) or ratio(a.ordered, b.ordered, score_cutoff=cutoff))


@cache
def _ratio() -> Callable[..., float]:
    from rapidfuzz import fuzz  # a native library: loaded at first use

    return fuzz.ratio


def exchanged(a: Likeness, b: Likeness, knowledge: Knowledge) -> bool:
    """Whether each has a telling word in the place of one of the other's, as ``linen`` for ``cotton``.

    Another form, another spelling and a synonym are the same word.
    """
    mine, theirs = set(a.ordered.split()), set(b.ordered.split())
    left = [w for w in mine - theirs if _tells(w)]
    right = [w for w in theirs - mine if _tells(w)]
    return (
        bool(left and right)
        and not all(any(_one_word(w, other, knowledge) for other in right) for w in left)
        and not all(any(_one_word(w, other, knowledge) for other in left) for w in right)
    )


def added(a: Likeness, b: Likeness, knowledge: Knowledge) -> bool:
    """Whether ``a`` has a content word that ``b`` lacks, in no other form, spelling or synonym: "in stock", 推荐."""
    mine, theirs = a.ordered.split(), b.ordered.split()
    new = [w for w in mine if _is_new(w, b, theirs, knowledge)]
    if new and load_set("generic_words").issuperset(new):  # "guide" for "tips" is the same query
        return not any(_is_new(w, a, mine, knowledge) for w in theirs)
    return bool(new)


def _is_new(word: str, other: Likeness, words: Sequence[str], knowledge: Knowledge) -> bool:
    if word in words or word in other.pressed or not is_content(word) or (len(word) == 1 and has_han(word)):
        return False
    return not any(_one_word(word, known, knowledge) for known in words)


def reworded(a: Likeness, b: Likeness, knowledge: Knowledge) -> bool:
    """Whether a telling word of one is a known synonym, not a spelling, of one of the other: ``crankset`` for ``chainset``."""
    mine, theirs = set(a.ordered.split()), set(b.ordered.split())
    left, right = ([w for w in one if _tells(w)] for one in (mine - theirs, theirs - mine))
    return any(
        (w in wordings(o, knowledge) or o in wordings(w, knowledge)) and stem(w) != stem(o) and _ratio()(w, o) < _SPELT
        for w in left
        for o in right
    )


def _tells(word: str) -> bool:
    return len(word) >= (2 if has_han(word) else 4) and word not in load_set("generic_words") and is_content(word)


def _one_word(one: str, other: str, knowledge: Knowledge) -> bool:
    if stem(one) == stem(other) or _ratio()(one, other) >= 75:
        return True
    return one in wordings(other, knowledge) or other in wordings(one, knowledge)
