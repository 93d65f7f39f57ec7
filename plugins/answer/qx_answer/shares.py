"""One thing that a question speaks of, and how much of it a text says."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from qx.serial import value
from qx.text.normalise import fold, simplified
from qx.text.remembered import remembering
from qx.text.segment import HAN, KANA, comparable, words

_LATIN = re.compile(rf"[^\W_{HAN}{KANA}]+(?:['’.-][^\W_{HAN}{KANA}]+)*")
_ASCII = re.compile(r"[a-z0-9]+(?:['.-][a-z0-9]+)*")
"""The same in folded text of ASCII alone, where it costs less."""
_HAN = re.compile(f"[{HAN}]")
_POSSESSIVE = re.compile(r"(?<=[a-z])['’]s$")
"""Of a question's "the warden's phone number": texts say it of the warden."""


@value
class Term:
    """One thing that a question speaks of.

    Attributes:
        text: As the question writes it.
        stems: Single Latin words that say it, in the form in which words are compared.
        runs: Han, and Latin of several words, that say it, folded.
        name: It is a name, an identifier or a quoted title: what does not have it is about something else.
        weight: How much it counts.
        implied: It is the kind of thing that is asked for, which a sentence has without saying so.
        required: It is the role that is asked for (the brother of …), or a day: what does not say it answers something else.
        priced: It is the price: an amount of money says it.
        sized: It is how big it is: a measure says it.
        label: It is the number of a thing (三号, 3号), which is not that of another one (十三号).
        apart: Only a sentence that says it itself, or goes on with "it", tells of it: the deposit, which is money beside the
            price; what is sought of a thing.
        told: Whether a folded text says it without its words: an amount of money the price, "from four to fifteen" an age of
            ten, 3号 the number 三.
        joined_stems, joined_runs: The same of the other words that a list joins with it, which may mean another thing.
    """

    text: str
    stems: frozenset[str]
    runs: tuple[str, ...]
    name: bool = False
    weight: float = 1.0
    required: bool = False
    implied: bool = False
    apart: bool = False
    told: Callable[[str], bool] | None = None
    joined_stems: frozenset[str] = frozenset()
    joined_runs: tuple[str, ...] = ()


@value
class Prepared:
    """A text in the forms that terms are looked for in."""

    folded: str
    stems: frozenset[str]


@lru_cache(maxsize=4096)
def prepared(text: str) -> Prepared:
    """Return ``text`` in the forms in which it is compared."""
    folded = simplified(fold(text))
    if not folded.isascii():
        return Prepared(folded=folded, stems=_stems(folded))
    # no word has a space within: what stands between two is read once, and known from text to text
    return Prepared(folded=folded, stems=frozenset[str]().union(*map(_stems_known, set(folded.split()))))


def _stems(folded: str) -> frozenset[str]:
    """The words of Latin letters in a folded text, and the parts of compounds, in the form in which they are compared."""
    found: set[str] = set()
    for word in set((_ASCII if folded.isascii() else _LATIN).findall(folded)):
        found.add(comparable(word))
        if "-" in word or "'" in word or "’" in word:
            found.update(comparable(part) for part in re.split(r"['’-]", word) if part)
    return frozenset(found)


_stems_known = remembering(_stems, entries=16384, longest=40)


JOINED = 0.9
"""How much a text has of a term that it says in a word of the lists: less than with the question's own."""


def share(term: Term, text: Prepared) -> float:
    """Return how much of ``term`` a text has, 0..1; a long run of Han counts by its pairs where it is not there whole.

    A word that a list joins with it has ``JOINED`` of it, taken for itself; whether it counts is for the rest of the
    question to say (``relevance.Question.shares``).
    """
    of_words = share_of_words(term, text.stems)
    if of_words == 1:
        return 1.0
    for run in term.runs:  # most terms of English have none, and this is asked of every sentence
        if run in text.folded:
            return 1.0
    if term.told is not None and term.told(text.folded):
        return 1.0
    if of_words or (term.joined_runs and _is_joined(term, text.folded)):
        return JOINED
    if term.name or not term.runs:
        return 0.0
    best = 0.0
    for run in term.runs:
        if len(run) > 2 and _HAN.match(run):
            pairs = [run[i : i + 2] for i in range(len(run) - 1)]
            best = max(best, sum(pair in text.folded for pair in pairs) / len(pairs))
    return best * 0.8


def share_of_words(term: Term, stems: frozenset[str]) -> float:
    """Return how much of ``term`` a text has by its single words alone."""
    if not term.stems.isdisjoint(stems):
        return 1.0
    return 0.0 if term.joined_stems.isdisjoint(stems) else JOINED


def is_looked_into(term: Term, *, ascii: bool) -> bool:
    """Whether a text (of ASCII alone) may say ``term`` other than by its single words."""
    return term.told is not None or any(run.isascii() or not ascii for run in (*term.runs, *term.joined_runs))


def _is_joined(term: Term, folded: str) -> bool:
    """Whether a text has another word for it; a Han word of one character only where it is a word: 换 is none of 换乘."""
    said = [run for run in term.joined_runs if run in folded]  # none, mostly: it is asked of every sentence
    return bool(said) and any(len(run) > 1 or _is_a_word(run, folded) for run in said)


_NUMERAL = "[0-9零一二三四五六七八九十百千万两几半]"


def _is_a_word(character: str, folded: str) -> bool:
    """Whether a text has a character as a word, or counts by it: 十二天."""
    return character in _words_of(folded) or re.search(_NUMERAL + re.escape(character), folded) is not None


@lru_cache(maxsize=512)
def _words_of(folded: str) -> frozenset[str]:
    return frozenset(word.text for word in words(folded))


def looked_for(wordings: Sequence[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Words as they are looked for in a text: the stems of single Latin words, and all else as runs."""
    stems: set[str] = set()
    runs: list[str] = []
    for wording in wordings:
        folded = _POSSESSIVE.sub("", simplified(fold(wording)))
        if _HAN.search(folded) or len(_LATIN.findall(folded)) != 1:
            runs.append(folded)
        else:
            stems.update(_with_y(comparable(folded)))
    return frozenset(stems), tuple(dict.fromkeys(runs))


def _with_y(stem: str) -> tuple[str, ...]:
    """A stem, and how the past of its verb is stemmed: qualify, qualifi(ed)."""
    if len(stem) > 3 and stem[-1] in "yi" and stem.isascii():
        return f"{stem[:-1]}y", f"{stem[:-1]}i"
    return (stem,)
