"""Finding thousands of known phrases in a text at once: names, cues, values of fields."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Generic, TypeVar

from qx.serial import value
from qx.text.lexicons import load_set
from qx.text.normalise import characters_read
from qx.text.remembered import remembered

T = TypeVar("T")
_TAKERS = frozenset("买换修租卖送找装洗养新旧")
"""What stands before a name, of one character: what is done to it, how old it is."""
_MARK = re.compile("[’‘‑–]")
_PLAIN_MARKS = {"’": "'", "‘": "'", "‑": "-", "–": "-"}


@remembered
def aligned(text: str) -> str:
    """Return ``text`` folded for comparison, each character on its own, so that positions stay.

    Width, case and Traditional characters go (ＲＥＤ, Red -> red; 電腦 -> 电脑); the length never changes.
    """
    if text.isascii():
        return text.lower()
    if unicodedata.is_normalized("NFKC", text) and len(even := text.casefold()) == len(text):
        return characters_read(_plain_marks(even).lower())
    folded = [c if c.isascii() else _folded(c) for c in text]
    return characters_read(_plain_marks("".join(folded)).lower()) if len(text) == len(folded) else text


def _plain_marks(text: str) -> str:
    return _MARK.sub(lambda match: _PLAIN_MARKS[match[0]], text)


@lru_cache(maxsize=8192)
def _folded(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character).casefold()
    return plain if len(plain) == 1 and len(plain.lower()) == 1 else character


def is_han(character: str) -> bool:
    """Return whether ``character`` is a Chinese character."""
    return "\u3400" <= character <= "\u9fff" or character >= "\U00020000"


@value
class Found(Generic[T]):
    """A phrase in a text: where it is (code points, end exclusive) and what it stands for."""

    start: int
    end: int
    items: tuple[T, ...]


class PhraseIndex(Generic[T]):
    """Known phrases with what they stand for.

    A phrase in Latin script matches whole words (with a plural ``s`` where ``plurals``).  A Chinese one of one or two
    characters must fall on the borders of words, so that 大理 is not found in 大理石; longer ones need not.

    Args:
        entries: Phrases and their items; a phrase may come several times.
        plurals: Whether a Latin phrase also matches with an ``s``.
        loose: Whether one border is enough for a short Chinese phrase (字大 in 字大声大, cut as 字 | 大声 | 大).
    """

    def __init__(self, entries: Iterable[tuple[str, T]], *, plurals: bool = False, loose: bool = False) -> None:
        self._loose = loose
        self._items: dict[str, tuple[T, ...]] = {}
        for phrase, item in entries:
            key = aligned(" ".join(phrase.split()))
            known = self._items.get(key, ())
            if key and item not in known:
                self._items[key] = (*known, item)
        sizes: dict[str, set[int]] = {}
        for key in self._items:
            sizes.setdefault(key[:2], set()).add(len(key))
        for first, lengths in sizes.items():
            lengths |= sizes.get(first[:1], set())  # a phrase of one character begins every one that begins with it
        self._sizes = {first: tuple(sorted(lengths, reverse=True)) for first, lengths in sizes.items()}
        alone = "".join(sorted(key for key in self._items if len(key) == 1))
        self._alone = re.compile(f"[{re.escape(alone)}]") if alone else None
        self._plurals = plurals

    def __len__(self) -> int:
        return len(self._items)

    def get(self, phrase: str) -> tuple[T, ...]:
        """Return the items of exactly this phrase."""
        return self._items.get(aligned(" ".join(phrase.split())), ())

    def all(self, folded: str, borders: frozenset[int] | None = None) -> list[Found[T]]:
        """Return every phrase in ``folded`` (an ``aligned`` text), at each place the longest first.

        Args:
            borders: Where words begin and end; None: Chinese phrases match anywhere.
        """
        size, sizes = len(folded), self._sizes
        starts, beginnings = _beginnings(folded)
        if self._alone is not None and self._alone.search(folded):
            found = [(at, sizes.get(two) or sizes.get(two[0], ())) for at, two in enumerate(beginnings)]
        elif sizes.keys().isdisjoint(beginnings):  # as of most texts
            return []
        else:  # most places begin no phrase
            found = [(at, sizes[two]) for at, two in enumerate(beginnings) if two in sizes]
        phrases: list[Found[T]] = []
        for at, lengths in found:
            start = starts[at]
            for length in lengths:
                end = start + length
                if end > size:
                    continue
                items = self._items.get(folded[start:end])
                if items is None:
                    continue
                stop = self._stop(folded, start, end, borders)
                if stop:
                    phrases.append(Found(start=start, end=stop, items=items))
        return phrases

    def longest(self, folded: str, borders: frozenset[int] | None = None) -> tuple[Found[T], ...]:
        """Return the phrases of ``folded`` in order; where two overlap the longer one counts, then the earlier."""
        return keep_longest(self.all(folded, borders))

    def _stop(self, folded: str, start: int, end: int, borders: frozenset[int] | None) -> int:
        """Return where the phrase ends, with its plural ``s``; 0 if it is only a part of a word."""
        last = folded[end - 1]
        if last.isascii() and last.isalnum():
            if end < len(folded) and _latin(folded[end]):
                plural = self._plurals and last.isalpha() and folded[end] == "s" and end - start > 2
                if not plural or (end + 1 < len(folded) and _latin(folded[end + 1])):
                    return 0
                end += 1
        elif borders is not None and end - start <= 2 and is_han(folded[start]):
            return end if self._on_borders(folded, start, end, borders) else 0
        return end

    def _on_borders(self, folded: str, start: int, end: int, borders: frozenset[int]) -> bool:
        if start in borders and end in borders:
            return True
        if end in borders and start - 1 in borders and folded[start - 1] in _TAKERS:
            return True  # 买手机, which dictionaries hold as one word
        if self._loose:
            return end - start == 2 and (start in borders or end in borders)
        if end - start == 2 and end in borders and start - 2 in borders and start - 1 not in borders:
            return folded[start - 2 : start] in load_set(
                "modifiers_zh"
            )  # 国产手机 is one word of the dictionary, of two
        # 云南旅游 is one word of the dictionary, but two known names.
        stop = next((e for e in range(end + 1, min(end + 5, len(folded)) + 1) if e in borders), 0)
        return end - start == 2 and start in borders and stop > 0 and folded[end:stop] in self._items


def keep_longest(found: Iterable[Found[T]]) -> tuple[Found[T], ...]:
    """Drop what overlaps something longer (or as long and earlier); the rest in order."""
    hits = tuple(found)
    if len(hits) < 2:
        return hits
    kept: list[Found[T]] = []
    for item in sorted(hits, key=lambda f: (f.start - f.end, f.start)):
        if all(item.end <= other.start or item.start >= other.end for other in kept):
            kept.append(item)
    return tuple(sorted(kept, key=lambda f: f.start))


@remembered
def _beginnings(folded: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Where a phrase may begin, which is nowhere within a Latin word, and the two characters that stand there."""
    latin = [character.isascii() and character.isalnum() for character in folded]
    starts = tuple([at for at, one in enumerate(latin) if not (one and at and latin[at - 1])])
    return starts, tuple([folded[at : at + 2] for at in starts])


def _latin(character: str) -> bool:
    return character.isascii() and character.isalnum()
