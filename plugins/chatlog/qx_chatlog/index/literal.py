"""Words with signs in them, such as ``user_id``, ``50%``, ``POL-358`` or ``a:b``: who holds them letter by letter goes first.

The index keeps words alone: ``user_id`` is the two words ``user`` and ``id`` there, wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from qx_chatlog.index.analysis import folded
from qx_chatlog.index.columns import Scores
from qx_chatlog.message import Message

POOL: Final = 1000
"""The best messages, which are looked at."""
HOLDS: Final = 4.0
"""What the score of a message is multiplied by that holds them all; a part of it where it holds some."""
_ENDS: Final = "\"'“”‘’«»()[]{}<>,;!?.。，；！？（）【】《》、:：…"
"""Marks of a sentence around a word, which are no part of it."""
_SIGNED = re.compile(r"[^\W_].*[_%:/\\@#+&=.].*[^\W_]|[^\W_].*[%+#_]|[@#_].*[^\W_]|[^\W_].*-.*\d|\d.*-.*[^\W_]")
_CHINESE = re.compile(r"[\u2e80-\u9fff\u3040-\u30ff]")


def literals(text: str) -> tuple[str, ...]:
    """Return the words of ``text`` that have signs in them, folded."""
    found = (word.lstrip("\"'“”‘’«»([{<（【《").rstrip(_ENDS) for word in folded(text).split())
    return tuple(dict.fromkeys(word for word in found if _SIGNED.fullmatch(word) and not _CHINESE.search(word)))


def preferred(scores: Scores, messages: Mapping[int, Message], wanted: Sequence[str]) -> Scores:
    """Return ``scores`` with those of ``messages`` (by number) raised that hold what is ``wanted``."""
    fit = scores.copy()
    for number, message in messages.items():
        text = folded(message.searched)
        held = sum(_stands(word, text) for word in wanted)
        fit[number] *= 1 + (HOLDS - 1) * held / len(wanted)
    return fit


def _stands(word: str, text: str) -> bool:
    """Whether ``word`` is in ``text``, and no part of a longer one: ``a_b`` is not in ``data_base``."""
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if not (_joins(before) and _joins(word[0])) and not (_joins(after) and _joins(word[-1])):
            return True
        at = text.find(word, at + 1)
    return False


def _joins(character: str) -> bool:
    return bool(character) and character.isascii() and (character.isalnum() or character == "_")
