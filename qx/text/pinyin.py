"""Pinyin of Chinese characters, and what sounds alike.  Source of the readings: pypinyin (MIT)."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

_TONES = dict.fromkeys(map(ord, "\u0304\u0301\u030c\u0300"))
_FUZZY = ((re.compile("^([zcs])h"), r"\1"), (re.compile("([aei])ng$"), r"\1n"), (re.compile("^n(?=[aeiou])"), "l"))
_READINGS = 2
_COMMON = 40


@cache
def readings(character: str) -> tuple[str, ...]:
    """Return the toneless readings of a character, the usual one first, at most two; ``ü`` is kept."""
    return _table().get(character, ())


@cache
def blurred(syllable: str) -> str:
    """Return a syllable as speakers of the south mix it up: zh/z, ch/c, sh/s, n/l, ang/an, eng/en, ing/in."""
    for pattern, replacement in _FUZZY:
        syllable = pattern.sub(replacement, syllable)
    return syllable


@cache
def neighbours(character: str) -> Mapping[str, bool]:
    """Return the common characters that sound like ``character``, each with whether it sounds exactly alike."""
    exact = {c for syllable in readings(character) for c in _homophones()[syllable]}
    near = {c for syllable in readings(character) for c in _blurred_homophones()[blurred(syllable)]}
    return {c: c in exact for c in sorted(exact | near) if c != character}


@cache
def homophones(character: str) -> tuple[str, ...]:
    """Return the common characters that sound exactly like ``character``."""
    return tuple(c for c, exact in neighbours(character).items() if exact)


@cache
def _table() -> dict[str, tuple[str, ...]]:
    from pypinyin.constants import PINYIN_DICT  # loads its dictionary: 0.25 s at first use

    table: dict[str, tuple[str, ...]] = {}
    for code, marked in PINYIN_DICT.items():
        if 0x4E00 <= code <= 0x9FFF:
            plain = unicodedata.normalize("NFC", unicodedata.normalize("NFD", marked).translate(_TONES))
            table[chr(code)] = tuple(dict.fromkeys(plain.split(",")))[:_READINGS]
    return table


@cache
def _homophones() -> Mapping[str, list[str]]:
    import rjieba

    groups: dict[str, list[str]] = defaultdict(list)
    for character, syllables in _table().items():
        if rjieba.has_word(character) and rjieba.suggest_freq(character) >= _COMMON:
            for syllable in syllables:
                groups[syllable].append(character)
    return groups


@cache
def _blurred_homophones() -> Mapping[str, list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for syllable, characters in _homophones().items():
        usual = [c for c in characters if readings(c)[0] == syllable]  # 需 is also nuò, but nobody takes it for 萝
        groups[blurred(syllable)].extend(usual)
    return groups
