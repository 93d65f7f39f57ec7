"""Correction of unknown words: English by edit distance and frequency, Chinese by sound.

English source: Norvig, "How to write a spelling corrector" (2007), with optimal string alignment for the distance; only
a usual slip (``qx.text.slips``) is put right, since most unknown words are names.
Chinese: a run that the dictionary cuts to pieces is replaced by a word that sounds the same where the unigram
probability of the sentence gains by more than a threshold.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from functools import cache, lru_cache

from qx.serial import value
from qx.text import identifiers, quotes, slips
from qx.text.frequencies import english
from qx.text.language import identify, same_language
from qx.text.lexicons import load, load_set
from qx.text.normalise import has_traditional
from qx.text.pinyin import blurred, homophones, neighbours, readings
from qx.text.remembered import ENTRIES
from qx.text.segment import HAN, han_spans

_LONGEST_TEXT = 1000
_LATIN = re.compile(r"(?<![A-Za-z0-9_'’.@/\\-])[a-z]{5,24}(?![A-Za-z0-9_@/\\]|['’.-][A-Za-z0-9])")
_HAN = re.compile(f"[{HAN}]{{2,}}")
_ENDINGS = ("s", "es", "ed", "ing", "er", "ers", "ly", "'s")
_PREFIXES = ("anti", "auto", "bio", "de", "inter", "mega", "micro", "mini", "mis", "multi", "non", "out", "over", "post",
             "pre", "re", "self", "semi", "sub", "super", "ultra", "un", "under")  # fmt: skip
_PARTICLES = frozenset(
    {"by", "up", "in", "on", "off", "out", "all", "at", "set", "map", "pad", "box", "bot", "kit", "lab"}
)
_USUAL = 20_000_000
_BRITISH = (("our", "or"), ("is", "iz"), ("ys", "yz"), ("ogue", "og"), ("tre", "ter"), ("ter", "tre"), ("ll", "l"), ("ae", "e"), ("oe", "e"),
            ("ence", "ense"), ("mme", "m"), ("ium", "um"))  # fmt: skip
_TOTAL = 60_101_967  # of the dictionary of jieba
_LEXICON_COUNT = 600  # a term of the lexicon counts like a middling word of the dictionary
_GAIN = 6.0
"""How much more probable (natural logarithm) a term of the lexicon must make the sentence..."""
_DICTIONARY_GAIN, _DICTIONARY_COUNT = 9.0, 300
"""...and a mere word of the dictionary, which must sound exactly alike and be usual."""
_NEAR_PENALTY = 1.5
_WIDEST = 5
_WIDEST_WORD = 4
"""Characters of a mere word of the dictionary that is looked for; of the usual ones hardly any has more."""
_WIDEST_KEPT = 4
"""Characters of a word of the lexicon that is not taken apart."""
_DEGREES = frozenset("太很真挺更最超好")
"""What stands before any adjective: 太吵 is no slip, whatever temple sounds like it."""
_SHORT_NAME = 6
_TERM_COUNT = 50_000_000
"""What a term of the lexicon counts, against the counts of English words."""


@value
class Change:
    """One corrected word; ``start`` and ``end`` are code points of the text as it was typed, end exclusive."""

    wrong: str
    right: str
    start: int
    end: int


@value
class Correction:
    """A corrected text and what was changed in it."""

    text: str
    changes: tuple[Change, ...]


class Speller:
    """Corrects unknown words of a query; an object may be shared between threads.

    Args:
        words: Terms that are right as they are and may be proposed (the lexicon of packs and profiles), beside the
            general word lists that ship.
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        terms = {part for word in words for part in (word.casefold(), *word.casefold().split())}
        self._latin = frozenset(t for t in terms if t.isascii())
        self._proposals = sorted(self._latin)
        chinese = {t for t in (*terms, *load("words_zh"), *load("common_zh")) if _HAN.fullmatch(t)}
        self._chinese = frozenset(chinese)
        self._sounds: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._gaps: dict[tuple[int, str], list[str]] = defaultdict(list)  # (place, the rest of a term) -> its character
        for term in sorted(chinese):
            if len(term) <= _WIDEST:
                self._sounds[_sound(term)].append(term)
                for at, character in enumerate(term):
                    self._gaps[at, term[:at] + term[at + 1 :]].append(character)
        self._sizes: dict[str, set[int]] = defaultdict(set)  # the first two characters of a term -> its sizes
        for term in chinese:
            if len(term) <= _WIDEST_KEPT:
                self._sizes[term[:2]].add(len(term))
        self._propose = lru_cache(maxsize=4096)(self._english)
        self._corrected = lru_cache(maxsize=ENTRIES)(self._correct)
        self._log_probability = lru_cache(maxsize=8192)(self._probability)

    def correct(self, text: str, protected: Sequence[tuple[int, int]] = ()) -> Correction | None:
        """Return ``text`` with its unknown words put right, or None where nothing needs it.

        Identifiers, quoted phrases, capitalised words, numbers and the spans of ``protected`` (code points, end
        exclusive) stay as they are; so does a text of more than 1000 code points, which is no query.
        """
        return None if len(text) > _LONGEST_TEXT else self._corrected(text, tuple(protected))

    def _correct(self, text: str, protected: tuple[tuple[int, int], ...]) -> Correction | None:
        kept = [*protected, *((i.start, i.end) for i in identifiers.find(text))]
        kept += [(p.start, p.end) for p in quotes.phrases(text)]
        changes = [c for c in (*self._latin_changes(text), *self._chinese_changes(text)) if not _touches(c, kept)]
        if not changes:
            return None
        changes.sort(key=lambda c: c.start)
        parts, at = list[str](), 0
        for change in changes:
            parts += (text[at : change.start], change.right)
            at = change.end
        return Correction(text="".join((*parts, text[at:])), changes=tuple(changes))

    def _latin_changes(self, text: str) -> list[Change]:
        found = [m for m in _LATIN.finditer(text) if not self._known(m[0]) and not _like_a_name(text, m)]
        if not found or not _may_be_english(text):
            return []
        proposed = ((m, self._propose(m[0])) for m in found)
        return [Change(wrong=m[0], right=p, start=m.start(), end=m.end()) for m, p in proposed if p]

    def _known(self, word: str) -> bool:
        return any(self._listed(form) for form in (word, *_stems(word), *_american(word))) or self._compound(word)

    def _listed(self, word: str) -> bool:
        return word in self._latin or word in english()

    def _compound(self, word: str) -> bool:
        """Return whether ``word`` is a prefix and a word (descale), or two usual words (groupby)."""
        if any(word.startswith(p) and len(word) > len(p) + 3 and self._listed(word[len(p) :]) for p in _PREFIXES):
            return True
        counts = english()
        parts = ((word[:i], word[i:]) for i in range(4, len(word) - 1))
        return any(
            counts.get(a, 0) > _USUAL and (counts.get(b, 0) > _USUAL if len(b) > 3 else b in _PARTICLES)
            for a, b in parts
        )

    def _english(self, word: str) -> str | None:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        reach = 1 if len(word) < slips.LONG else 2
        near = process.extract(word, _by_length(len(word), reach), scorer=OSA.distance, score_cutoff=reach, limit=40)
        near += process.extract(word, self._proposals, scorer=OSA.distance, score_cutoff=reach, limit=5)
        clear = [(str(c), int(d)) for c, d, _ in near if slips.usual(word, str(c), int(d), self._count(str(c)))]
        best = max(((self._score(word, c, d), c) for c, d in clear), default=(0.0, ""))
        return best[1] if best[0] > 0 else None

    def _count(self, candidate: str) -> int:
        return _TERM_COUNT if candidate in self._latin else english().get(candidate, 0)

    def _score(self, word: str, candidate: str, distance: int) -> float:
        """Log frequency above that of a rare word, less the cost of the edits."""
        score = math.log((self._count(candidate) + 1) / 200_000) - 3.2 * (distance - 1)
        if slips.swapped(word, candidate) or slips.doubled(word, candidate):
            score += 2.5
        return score

    def _chinese_changes(self, text: str) -> list[Change]:
        if has_traditional(text):
            return []  # the dictionary holds Simplified words
        found: list[tuple[float, Change]] = []
        for run in _HAN.finditer(text):
            found.extend(self._run_changes(run[0], run.start()))
        found.sort(key=lambda f: (-f[0], f[1].start, f[1].right))
        chosen: list[Change] = []
        for _, change in found:
            if not _touches(change, [(c.start, c.end) for c in chosen]):
                chosen.append(change)
        return chosen

    def _run_changes(self, run: str, offset: int) -> Iterable[tuple[float, Change]]:
        spans = han_spans(run)
        stopwords = load_set("stopwords_zh")
        alone = [end - start == 1 and run[start:end] not in stopwords for start, end in spans]
        if not any(alone):
            return  # the dictionary knows all of it
        known = self._whole(run, {end for _, end in spans})
        for i in range(len(spans)):
            for j in range(i + 1, min(i + _WIDEST, len(spans))):
                start, end = spans[i][0], spans[j][1]
                if end - start > _WIDEST:
                    break
                if True not in alone[i : j + 1] or (known and _parted(start, end, known)):
                    continue
                wrong = run[start:end]
                if wrong in self._chinese or (j == i + 1 and wrong[0] in _DEGREES):
                    continue
                best = self._best(wrong, [run[a:b] for a, b in spans[i : j + 1]])
                if best:
                    change = Change(wrong=wrong, right=best[1], start=offset + start, end=offset + end)
                    yield best[0], change

    def _whole(self, run: str, edges: Set[int]) -> list[tuple[int, int]]:
        """Where words of the lexicon stand that are cut at one of ``edges``."""
        places = [(at, size) for at in range(len(run) - 1) for size in self._sizes.get(run[at : at + 2], ())]
        return [
            (at, at + size)
            for at, size in places
            if at + size <= len(run)
            and run[at : at + size] in self._chinese
            and not edges.isdisjoint(range(at + 1, at + size))
        ]

    def _best(self, wrong: str, pieces: Sequence[str]) -> tuple[float, str] | None:
        alike = self._alike(wrong)
        if not alike:
            return None
        before = sum(map(self._log_probability, pieces))
        best: tuple[float, str] | None = None
        for candidate, exact in alike.items():
            gain = self._log_probability(candidate) - before - (0.0 if exact else _NEAR_PENALTY)
            needed = _GAIN if candidate in self._chinese else _DICTIONARY_GAIN
            if gain > needed and (best is None or (gain, candidate) > best):
                best = gain, candidate
        return best

    def _alike(self, wrong: str) -> dict[str, bool]:
        """Return the words that sound like ``wrong``, each with whether it sounds exactly alike."""
        found: dict[str, bool] = {}
        usual = load_set("stopwords_zh")
        for at, character in enumerate(wrong):
            if character in usual:
                continue
            head, tail = wrong[:at], wrong[at + 1 :]
            if len(wrong) <= _WIDEST_WORD:
                found.update(dict.fromkeys(_homophones(head, character, tail), True))
            for other in self._gaps.get((at, head + tail), ()):
                exact = neighbours(character).get(other)
                if exact is not None:
                    found[head + other + tail] = exact
        for word in self._sounds.get(_sound(wrong), ()):
            if word != wrong:
                found.setdefault(
                    word, all(set(readings(a)) & set(readings(b)) for a, b in zip(word, wrong, strict=True))
                )
        return found

    def _probability(self, word: str) -> float:
        """The natural logarithm of how probable a word is."""
        import rjieba

        count = rjieba.suggest_freq(word) if rjieba.has_word(word) else 1
        if word in self._chinese:
            count = max(count, _LEXICON_COUNT)
        return math.log(count / _TOTAL)


def _stems(word: str) -> Iterable[str]:
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if len(stem) > 2 and stem != word:
            yield stem
            yield stem + "e"


def _american(word: str) -> Iterable[str]:
    for british, american in _BRITISH:
        if british in word:
            yield word.replace(british, american, 1)


@lru_cache(maxsize=16384)
def _homophones(head: str, character: str, tail: str) -> tuple[str, ...]:
    """Return the usual words of the dictionary with a character of exactly the same sound in the place of this one.

    Between the same words the same is asked of many a name, and the dictionary is too large to be near at hand.
    """
    import rjieba

    known = rjieba.has_word
    found = [word for other in homophones(character) if known(word := head + other + tail)]
    return tuple([word for word in found if rjieba.suggest_freq(word) >= _DICTIONARY_COUNT])


@cache
def _sounds(character: str) -> str:
    """How the character is mostly read, as it is mixed up; what has no reading stands for itself."""
    syllables = readings(character)
    return blurred(syllables[0]) if syllables else character


def _sound(word: str) -> tuple[str, ...]:
    return tuple(map(_sounds, word))


def _parted(start: int, end: int, known: Sequence[tuple[int, int]]) -> bool:
    """Whether a change of ``[start, end)`` would take a known word apart: 脂的 of 低脂的."""
    return any(a < end and start < b and not (start <= a and b <= end) for a, b in known)


def _touches(change: Change, spans: Iterable[tuple[int, int]]) -> bool:
    return any(change.start < end and start < change.end for start, end in spans)


def _like_a_name(text: str, match: re.Match[str]) -> bool:
    """Whether a short unknown word is all of the query or stands beside a number: citrix, "nexode 100w"."""
    if len(match[0]) > _SHORT_NAME:
        return False
    before, after = text[: match.start()].split()[-1:], text[match.end() :].split()[:1]
    return not (before or after) or any(any(ch.isdigit() for ch in word) for word in (*before, *after))


def _may_be_english(text: str) -> bool:
    """Return whether the Latin words of ``text`` are English as far as one can tell: misspelt ones mislead."""
    return identify(text).startswith("zh") or same_language(text, "en")


@lru_cache(maxsize=64)
def _by_length(size: int, reach: int) -> tuple[str, ...]:
    return tuple(w for w, n in english().items() if abs(len(w) - size) <= reach and n > 200_000 and len(w) > 2)
