"""Words of mixed text: Chinese by dictionary, Latin by shape, both with a lexicon of terms that stay whole."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache

from qx.serial import value
from qx.text.clean import replace_surrogates
from qx.text.lexicons import load, load_set
from qx.text.normalise import characters_simplified, fold, simplified
from qx.text.remembered import remembered

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
"""Chinese characters, as the inside of a regular expression's character class."""
KANA = "\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f"
"""Japanese syllables, likewise."""
WORD_BEGINS = rf"(?<![^\W_{HAN}{KANA}])"
WORD_ENDS = rf"(?![^\W_{HAN}{KANA}])"
"""Patterns of where a Latin word begins and ends: beside a Chinese character it does, as HP in HP笔记本."""

# Letters and digits of other scripts, with the vowel signs that Indic and Semitic scripts write as marks.
_LETTERS = (
    rf"(?:[^\W{HAN}{KANA}]++|"
    r"[\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e]++)+"
)
_TOKEN = re.compile(
    rf"(?P<url>(?:https?|ftp)://[^\s{HAN}{KANA}，。；！？、）】》」』“”<>\"]++)"
    rf"|(?P<han>[{HAN}]++)"
    rf"|(?P<kana>[{KANA}]++)"
    r"|(?P<number>\d++(?>(?:[.,]\d++)*)[%％‰]?+(?![^\W\u3000-\U0003ffff]))"
    r"|(?P<word>(?>(?:(?<![A-Za-z0-9_.])\.(?=[A-Za-z]{3}))?"
    rf"{_LETTERS}(?:['’.&@\-_‑]{_LETTERS})*(?:\+\+\d*+|\+|\#)?)(?!\+))"
    rf"|(?P<rest>(?>{_LETTERS}))"
    r"|(?P<mark>\S)"
)
_MAX_TERM = 24
_LATIN_STEM = re.compile(r"[a-z]+")


@value
class Word:
    """One word of a text; ``content`` is False for stop words and punctuation.

    ``start`` and ``end`` are code points of the text, end exclusive.
    """

    text: str
    start: int
    end: int
    content: bool = True


class Segmenter:
    """Cuts text into words.  Deterministic; an object may be shared between threads.

    Args:
        lexicon: Terms that stay whole (降噪耳机, 付不了款, machine learning); they add to the list that ships.
    """

    def __init__(self, lexicon: Sequence[str] = ()) -> None:
        # Chinese is compared in Simplified characters, so that one lexicon serves both writings.
        terms = {characters_simplified(t.strip().casefold()) for t in (*load("words_zh"), *lexicon)}
        self._terms = frozenset(t for t in terms if 1 < len(t) <= _MAX_TERM)
        lengths: dict[str, set[int]] = defaultdict(set)
        for term in self._terms:
            lengths[term[0]].add(len(term))
        self._lengths = {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
        openings = {t[0] for t in self._terms if len(t.split()) > 1}
        self._opening = re.compile(f"[{re.escape(''.join(sorted(openings)))}]", re.I) if openings else None
        self._known = remembered(self._words)
        self._spans = remembered(self._found)
        self._chunks = remembered(self._chunk)
        self._wholes = remembered(self._whole)
        self._content = remembered(self._keywords)

    def words(self, text: str) -> tuple[Word, ...]:
        """Return the words and punctuation marks of ``text`` in order; white space belongs to none."""
        return self._known(text)

    def _words(self, text: str) -> tuple[Word, ...]:
        found = [(text[s:e], s, e) for s, e in self._spans(text)]
        return tuple([Word(text=t, start=s, end=e, content=is_content(t)) for t, s, e in found])

    def pieces(self, text: str) -> tuple[str, ...]:
        """Return the texts of ``words`` alone, for comparison."""
        if self._has_opening(text):
            return tuple([text[s:e] for s, e in self._spans(text)])
        return tuple([piece for chunk in text.split() for piece in self._wholes(chunk)[1]])

    def keywords(self, text: str) -> tuple[str, ...]:
        """Return the content words of ``text`` in order, each once."""
        return self._content(text)

    def _keywords(self, text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(is_content, self.pieces(text))))

    def han_spans(self, run: str) -> tuple[tuple[int, int], ...]:
        """Return where the words of ``run`` stand, which is of Simplified Chinese characters alone."""
        return self._joined(run, self._han(run))

    def _found(self, text: str) -> tuple[tuple[int, int], ...]:
        joins = self._has_opening(text)
        spans: list[tuple[int, int]] = []
        end = 0
        for chunk in text.split():
            at = text.index(chunk, end)
            end = at + len(chunk)
            cut = self._chunks(chunk) if joins else self._wholes(chunk)[0]
            spans += [(at + s, at + e) for s, e in cut] if at else cut
        return self._joined(text, spans) if joins else tuple(spans)

    def _has_opening(self, text: str) -> bool:
        """Whether a term that is written with spaces (machine learning) may begin in ``text``."""
        return self._opening is not None and self._opening.search(text) is not None

    def _chunk(self, chunk: str) -> tuple[tuple[int, int], ...]:
        """Cut what stands between white space: the same few chunks come back in every wording of a query."""
        spans: list[tuple[int, int]] = []
        for match in _TOKEN.finditer(chunk):
            at, end = match.span()
            if match.lastgroup == "han":
                cut = self._han(characters_simplified(replace_surrogates(match[0])))
                spans += [(at + s, at + e) for s, e in cut] if at else cut
            else:
                spans.append((at, end))
        return tuple(spans)

    def _whole(self, chunk: str) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...]]:
        """Cut a chunk for good, where no term goes beyond it: the spans and their texts."""
        spans = self._joined(chunk, self._chunks(chunk))
        return spans, tuple([chunk[s:e] for s, e in spans])

    def _han(self, run: str) -> list[tuple[int, int]]:
        cuts, lengths = _cut(run), self._lengths
        edges = {end for _, end in cuts}
        edges.add(0)
        spans: list[tuple[int, int]] = []
        at, i, size = 0, 0, len(run)
        while at < size:
            sizes = lengths.get(run[at])
            end = self._longest(run, at, sizes, edges) if sizes else 0
            if not end:
                while cuts[i][1] <= at:
                    i += 1
                end = cuts[i][1]
            spans.append((at, end))
            at = end
        return spans

    def _longest(self, run: str, at: int, sizes: Sequence[int], edges: set[int]) -> int:
        """Return the end of the longest term at ``at`` whose ends are edges of words (one of them, from 3 on); 0: none."""
        aligned = at in edges
        for size in sizes:
            end = at + size
            fits = (size > 2 or end in edges) if aligned else (size > 2 and end in edges)
            if fits and end <= len(run) and run[at:end] in self._terms:
                return end
        return 0

    def _joined(self, text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Join the words of terms that are cut apart: machine learning, 3d打印."""
        out: list[tuple[int, int]] = []
        at, folded, lengths = 0, text.casefold(), self._lengths
        if len(folded) != len(text):
            return tuple(spans)
        ends = {e for _, e in spans}
        for start, end in spans:
            if start < at:
                continue
            for size in lengths.get(folded[start], ()):
                if start + size <= end:
                    break
                if start + size in ends and folded[start : start + size] in self._terms:
                    end = start + size
                    break
            out.append((start, end))
            at = end
        return tuple(out)


def words(text: str) -> tuple[Word, ...]:
    """Return the words of ``text`` by the lexicon that ships."""
    return _default().words(text)


def pieces(text: str) -> tuple[str, ...]:
    """Return the texts of ``words`` alone, by the lexicon that ships."""
    return _default().pieces(text)


def keywords(text: str) -> tuple[str, ...]:
    """Return the content words of ``text`` by the lexicon that ships, in order, each once."""
    return _default().keywords(text)


def han_spans(run: str) -> tuple[tuple[int, int], ...]:
    """Return where the words of a run of Simplified Chinese characters stand, by the lexicon that ships."""
    return _default().han_spans(run)


@lru_cache(maxsize=8192)
def is_content(word: str) -> bool:
    """Return whether ``word`` carries meaning of its own: no stop word of Chinese or English, no punctuation."""
    folded = characters_simplified(word.casefold())
    if folded in load_set("stopwords_zh") or folded in load_set("stopwords_en"):
        return False
    return any(c.isalnum() for c in word)


def stem(word: str) -> str:
    """Return a light English stem for comparison: plural, ``-ing`` and ``-ed`` endings; other words unchanged.

    Source: the S-stemmer of Harman, "How effective is suffixing?" (1991), with two endings more.
    """
    w = word.casefold()
    if len(w) < 4 or not _LATIN_STEM.fullmatch(w):
        return w
    if w.endswith("ies") and len(w) > 4 and w[-4] not in "ae":
        w = w[:-3] + "y"
    elif w.endswith(("sses", "shes", "ches", "xes", "zes")):
        w = w[:-2]
    elif w.endswith("s") and not w.endswith(("ss", "us", "is")):
        w = w[:-1]
    for ending in ("ing", "ed"):
        rest = w[: -len(ending)]
        if w.endswith(ending) and len(rest) > 2 and any(c in "aeiouy" for c in rest):
            doubled = rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled else rest.removesuffix("e")
    return w.removesuffix("e") if len(w) > 3 else w


@lru_cache(maxsize=16384)
def comparable(word: str) -> str:
    """Return the form in which words are compared: folded, as in Mainland China, stemmed: 印表機 is 打印机."""
    folded = fold(word)
    return stem(folded if folded.isascii() else simplified(folded))


@cache
def _default() -> Segmenter:
    return Segmenter()


@remembered
def _cut(run: str) -> tuple[tuple[int, int], ...]:
    """Cut a run of Han by the dictionary of rjieba, without guessing at unknown words (its guesses join 我付)."""
    import rjieba  # loads its dictionary: 0.1 s at first use

    at, spans = 0, list[tuple[int, int]]()
    for word in rjieba.cut(run, False):
        spans.append((at, at + len(word)))
        at += len(word)
    return tuple(spans)
