"""Text as tantivy gets it: Chinese cut into words, characters and pairs; width, accents and writing folded.

A run of Chinese ``打印机`` becomes ``打 打印 印 印机 机``: each character followed by the pair that it begins, so that
every word is found wherever it stands, also inside of a longer one.  The segmenter cuts the query: a word of three and
more characters is a phrase of its pairs.  A new word in the lexicon therefore needs no new index.  Japanese, Korean and
Thai are written as characters and pairs likewise.  An emoji is a word of its own.  The rest is left to tantivy's own tokenizer (letters and digits),
lower casing and stemmer, which cost nothing here: plain English text passes through untouched.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import add
from typing import Any

from qx.builtin.local.near import near_words
from qx.filters.matching import moment
from qx.serial import value
from qx.text.clean import replace_surrogates
from qx.text.normalise import characters_simplified, simplified
from qx.text.segment import HAN, KANA, Segmenter, is_content

_SPACELESS = rf"{HAN}{KANA}ー\uac00-\ud7a3\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_RUN = rf"[{_SPACELESS}]++"
_LETTER = rf"[^\W_{_SPACELESS}]"
_PIECE = re.compile(
    rf"(?P<run>{_RUN})"
    rf"|(?P<sign>(?<!{_LETTER})[A-Za-z](?:\+\+|\#)(?!{_LETTER}))"
    rf"|(?P<word>{_LETTER}++(?>(?:[^\w\s]++{_LETTER}++)*))"
    r"|(?P<mark>\S)"
)
_UNCUT = re.compile(_RUN)
_HAN = re.compile(rf"[{HAN}]")
_SIGNED = re.compile(r"(?<![^\W_])([A-Za-z])(\+\+|#)(?![^\W_])")
_SIGNS = {"++": "plusplus", "#": "sharp"}
_SYMBOL = re.compile(  # arrows, signs and emoji; not the lines of tables and the tones of skin
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|[\u2190-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff]"
)
_PARTS = re.compile(rf"{_LETTER}++")
_AMOUNT = re.compile(r"(\d++(?>(?:\.\d++)?))([a-z]{1,4})")
LONGEST_TOKEN = 64
"""Characters of a token that are looked for; longer ones are cut (a text of 10,000 letters is no word)."""


class _Plain(dict[int, str | int]):
    """A table for ``str.translate``: letters without their accents, other characters as they are."""

    def __missing__(self, code: int) -> str | int:
        character = chr(code)
        kept: str | int = code
        if not _UNCUT.match(character):
            kept = "".join(c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c))
        self[code] = kept
        return kept


_PLAIN = _Plain()


def plain(text: str) -> str:
    """Return ``text`` with width, accents, and Traditional Chinese (Taiwan's words too) folded away."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", replace_surrogates(text)).translate(_PLAIN)
        text = _SYMBOL.sub(_spelt_symbol, simplified(text))
    return _SIGNED.sub(lambda m: m[1] + _SIGNS[m[2]], text) if "++" in text or "#" in text else text


def _spelt_symbol(match: re.Match[str]) -> str:
    """Return an emoji as a word that tantivy's tokenizer keeps and no stemmer cuts."""
    return f" qxsymbol{''.join(str(ord(character)) for character in match[0])} "


@value
class Piece:
    """A word that is looked for.

    Attributes:
        text: As it is compared: folded, lower case.
        tokens: What stands in the index one after the other.
        steps: Their distances from the first.
        weak: Tokens that count a little: parts of it.
        also: Near words, for less than the word itself.
        content: False for a stop word.
        uncut: Whether it is of a script without spaces.
    """

    text: str
    tokens: tuple[str, ...]
    steps: tuple[int, ...]
    weak: tuple[str, ...] = ()
    also: tuple[Piece, ...] = ()
    content: bool = True
    uncut: bool = False


class Analysis:
    """Turns texts into tokens, the same for documents and queries.

    Args:
        analyzer: tantivy's analyzer of the index: tokenizer, lower casing, stemmer.
        lexicon: Terms that the segmenter keeps whole.
        near: Whether near words (夾紙, 卡纸) find one another.
    """

    def __init__(self, analyzer: Any, lexicon: Sequence[str] = (), *, near: bool = True) -> None:
        self._analyzer = analyzer
        self._near: Mapping[str, tuple[str, ...]] = near_words() if near else {}
        self._segmenter = Segmenter((*lexicon, *self._near))
        self._latin = lru_cache(maxsize=16_384)(self._analysed)
        self._pieces = lru_cache(maxsize=4_096)(self._piece)
        self.indexed_value = lru_cache(maxsize=16_384)(self._indexed_value)
        """What is read in place of the value of a keyword field; a moment is no word.  Values come back again and again."""

    def indexed(self, text: str) -> str:
        """Return what tantivy's tokenizer is to read in place of ``text``."""
        text = plain(text)
        if text.isascii() or not _UNCUT.search(text):
            return text
        parts: list[str] = []
        at = 0
        for match in _UNCUT.finditer(text):
            run = match[0]
            parts.append(text[at : match.start()])
            parts.extend(_pairs(run))
            at = match.end()
        parts.append(text[at:])
        return " ".join(parts)

    def _indexed_value(self, text: str) -> str:
        return "" if moment(text) is not None else self.indexed(text)

    def pieces(self, text: str) -> tuple[Piece, ...]:
        """Return the words of one typed word or text, in order; none for mere punctuation."""
        return self._pieces(text) if len(text) <= 400 else tuple(self._cut(text))

    def sequence(self, text: str) -> tuple[tuple[int, str], ...]:
        """Return (place, token) of a phrase."""
        found: list[tuple[int, str]] = []
        at = 0
        for match in _PIECE.finditer(plain(text)):
            if match.lastgroup == "run":
                run = match[0]
                tokens = [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
                found += [(at + 2 * i + (len(run) > 1), token) for i, token in enumerate(tokens)]
                at += 2 * len(run) - 1
            elif match.lastgroup == "word":
                tokens = list(self._latin(match[0]))
                found += [(at + i, token) for i, token in enumerate(tokens)]
                at += len(tokens)
        first = found[0][0] if found else 0
        return tuple((place - first, token) for place, token in found)

    def _piece(self, text: str) -> tuple[Piece, ...]:
        return tuple(self._cut(text))

    def _cut(self, text: str) -> Iterator[Piece]:
        for match in _PIECE.finditer(plain(text)):
            if match.lastgroup == "run":
                for word in self._segmenter.pieces(match[0]) if _HAN.match(match[0]) else (match[0],):
                    yield self._uncut(word[:LONGEST_TOKEN])
            elif match.lastgroup == "word":
                tokens = self._latin(match[0])
                if tokens:
                    yield self._spelt(match[0].lower(), tokens)

    def _uncut(self, word: str, *, near: bool = True) -> Piece:
        pairs = tuple(word[i : i + 2] for i in range(len(word) - 1))
        also = tuple(self._uncut(other, near=False) for other in self._near.get(word, ())) if near else ()
        content = is_content(word)
        if len(word) < 3:
            return Piece(text=word, tokens=(word,), steps=(0,), also=also, content=content, uncut=True)
        steps = tuple(range(0, 2 * len(pairs), 2))
        return Piece(text=word, tokens=pairs, steps=steps, weak=pairs, also=also, content=content, uncut=True)

    def _spelt(self, word: str, tokens: tuple[str, ...]) -> Piece:
        steps = tuple(range(len(tokens)))
        if len(tokens) > 1:
            parts = [part for part in _PARTS.findall(word) if is_content(part) and (len(part) > 1 or part.isdecimal())]
            weak = tuple(token for part in parts for token in self._latin(part))
            if len(weak) == 1:  # men's, don't, T-shirt
                return Piece(text=weak[0], tokens=weak, steps=(0,))
            return Piece(text=word, tokens=tokens, steps=steps, weak=weak, content=bool(weak))
        amount = _AMOUNT.fullmatch(word)  # 16GB is 16 GB
        parts = () if amount is None else self._latin(f"{amount[1]} {amount[2]}")
        also = (Piece(text=f"{word} ", tokens=parts, steps=tuple(range(len(parts)))),) if parts else ()
        return Piece(text="".join(tokens), tokens=tokens, steps=steps, also=also, content=is_content(word))

    def _analysed(self, word: str) -> tuple[str, ...]:
        return tuple(token[:LONGEST_TOKEN] for token in self._analyzer.analyze(word))

    def spans(self, text: str, wanted: frozenset[str]) -> tuple[tuple[int, int], ...]:
        """Return where tokens of ``wanted`` stand in ``text`` (code points, end exclusive, in order)."""
        found: list[tuple[int, int]] = []
        words = sorted((w for w in wanted if _UNCUT.fullmatch(w)), key=len, reverse=True)
        runs = re.compile("|".join(map(re.escape, words))) if words else None
        if any(word.startswith("qxsymbol") for word in wanted):
            found += [m.span() for m in _SYMBOL.finditer(text) if _spelt_symbol(m).strip() in wanted]
        for match in _PIECE.finditer(text):
            start, end = match.span()
            if match.lastgroup == "run":
                folded = characters_simplified(match[0])
                found += _joined([(start + m.start(), start + m.end()) for m in runs.finditer(folded)] if runs else [])
            elif match.lastgroup in ("word", "sign"):
                tokens = self._latin(plain(match[0]))
                if not wanted.isdisjoint(tokens):
                    found.append((start, end))
        return tuple(sorted(found))


def _pairs(run: str) -> list[str]:
    """Return each character of a run, followed by the pair that it begins."""
    found = [""] * (2 * len(run) - 1)
    found[::2] = run
    found[1::2] = map(add, run, run[1:])
    return found


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join spans that touch: pairs of one phrase."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found
