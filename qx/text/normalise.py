"""Folding and similarity: what makes two wordings the same for comparison."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from qx.text.clean import replace_surrogates
from qx.text.remembered import remembered

_COMPARED = 4000
"""Code points of each text that ``similarity`` looks at: edit distance is quadratic."""
_LONG_RUN = 30  # UAX 15, stream-safe text format


@remembered
def fold(text: str) -> str:
    """Return the form in which texts are compared: NFKC, case folded, single spaces, stripped.

    ``Red Shoes``, ``red  shoes`` and ``ＲＥＤ shoes`` fold alike.  Folding twice changes nothing.
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    text = _stream_safe(text)
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", text).split())


def simplified(text: str) -> str:
    """Return Traditional Chinese in Simplified characters and mainland wording (印表機 -> 打印机), for comparison.

    Text without Traditional characters is returned as it is.  Source: OpenCC, configuration ``tw2sp``.
    """
    if not has_traditional(text):
        return text
    return str(_converter("tw2sp").convert(replace_surrogates(text)))


def has_traditional(text: str) -> bool:
    """Return whether ``text`` has a character that only Traditional Chinese writes."""
    return not text.isascii() and _traditional().search(text) is not None


@cache
def _traditional() -> re.Pattern[str]:
    return re.compile(f"[{''.join(sorted(traditional_only()))}]")  # four times as quick as a set of characters


def similarity(a: str, b: str) -> float:
    """Return how alike two texts are, 0..1, after folding; the order of words does not count.

    Traditional and Simplified compare alike.  Only the first 4000 code points of each are compared.
    Source: normalised indel similarity, ``rapidfuzz.fuzz``.
    """
    (a, a_words), (b, b_words) = _compared(a), _compared(b)
    if a == b:
        return 1.0
    ratio = _ratio()
    return max(ratio(a[:_COMPARED], b[:_COMPARED]), ratio(a_words, b_words)) / 100.0


@cache
def _ratio() -> Callable[[str, str], float]:
    from rapidfuzz import fuzz  # a native library: loaded at first use

    return fuzz.ratio


@remembered
def _compared(text: str) -> tuple[str, str]:
    """Return ``text`` folded, and its words in the order of the alphabet."""
    from qx.text.segment import pieces

    folded = simplified(fold(text))
    return folded, " ".join(sorted(pieces(folded[:_COMPARED])))


@cache
def traditional_only() -> frozenset[str]:
    """Return the characters that only Traditional Chinese writes (機, 夾, 紙).

    OpenCC changes them, and the mainland standard GB 2312 lacks them (乾 of 乾坤 is in both).
    """
    return _changed("t2s", "gb2312")


@cache
def simplified_only() -> frozenset[str]:
    """Return the characters that only Simplified Chinese writes (机, 夹, 纸).

    OpenCC changes them, and the Taiwan standard Big5 lacks them (后, 里 are in both) or has them as rare ones (机, 体).
    """
    rare = frozenset("机万与么价优体党听圣坏复异怀怜惊扑扰据极构气洁网苹虫蚕触赶适胜厂")
    return (_changed("s2t", "big5") | rare) - traditional_only()


def _encodable(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


@cache
def _changed(config: str, lacking: str) -> frozenset[str]:
    characters = [chr(c) for c in range(0x4E00, 0x9FFF)]
    after = str(_converter(config).convert("\n".join(characters))).split("\n")
    changed = (c for c, d in zip(characters, after, strict=True) if c != d)
    return frozenset(c for c in changed if not _encodable(c, lacking))


@cache
def _converter(config: str) -> Any:
    module: Any = import_module("opencc")  # a native library without types: loaded at first use
    return module.OpenCC(config)


def _stream_safe(text: str) -> str:
    """Cut runs of combining marks, whose ordering costs quadratic time, to the 30 that UAX 15 allows."""
    if len(text) <= _LONG_RUN:
        return text
    run, kept, changed = 0, list[str](), False
    for c in text:
        run = run + 1 if c >= "\u0300" and unicodedata.combining(c) else 0
        if run <= _LONG_RUN:
            kept.append(c)
        else:
            changed = True
    return "".join(kept) if changed else text


def characters_simplified(text: str) -> str:
    """Return ``text`` with each Traditional-only character as its Simplified one; the length stays."""
    if not has_traditional(text):
        return text
    return text.translate(_character_table())


def characters_read(text: str) -> str:
    """Return ``text`` as the rules read it: each Traditional character as its Simplified one; the length stays.

    More is folded than for an index (``characters_simplified``): 低於 and 低于 are one word, 以後 and 以后, though the
    mainland standard keeps these characters for names.
    """
    return text if text.isascii() else characters_simplified(text).replace("於", "于").replace("後", "后")


@cache
def _character_table() -> dict[int, str]:
    characters = sorted(traditional_only())
    after = str(_converter("t2s").convert("\n".join(characters))).split("\n")
    return {ord(c): d for c, d in zip(characters, after, strict=True) if len(d) == 1}
