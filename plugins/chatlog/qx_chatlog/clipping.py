"""Long messages cut to what fits: the sentences that hold what was looked for, in their order, word for word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.text.normalise import fold
from qx.text.tokens import estimate

GAP = " … "
"""Stands where something was left out."""
LEAST = 24
"""Tokens below which a message is not cut further, but left out."""
_SPLIT = re.compile(r"(?<=[。！？!?\n])|(?<=\.)(?=\s)")


def clip(text: str, tokens: int, words: Sequence[str] = ()) -> str:
    """Return ``text``, or the sentences of it that hold most of ``words``, as many as fit into ``tokens``.

    What is kept is kept word for word; ``GAP`` stands where something is missing.
    """
    if estimate(text) <= tokens:
        return text
    sentences = [part for part in _SPLIT.split(text) if part.strip()]
    looked = [fold(word) for word in words]
    order = sorted(range(len(sentences)), key=lambda n: (-_hits(sentences[n], looked), n))
    kept: set[int] = set()
    left = tokens
    for n in order:
        cost = estimate(sentences[n])
        if cost <= left:
            kept.add(n)
            left -= cost + 1
    if not kept:
        return _piece(sentences[order[0]] if order else text, tokens, looked)
    return _joined(sentences, sorted(kept))


def share(texts: Sequence[tuple[str, bool]], tokens: int) -> list[int | None]:
    """Deal ``tokens`` out among texts: how many each may have; None: it does not fit at all.

    Args:
        texts: Each with whether it goes first (it was found itself).
    """
    costs = [estimate(text) for text, _ in texts]
    limits: list[int | None] = [None] * len(texts)
    order = sorted(range(len(texts)), key=lambda n: not texts[n][1])
    each = max(LEAST, tokens // max(1, len(texts)))
    left = tokens
    for n in order:
        limit = min(costs[n], max(each, left // 4))
        if limit <= left or (left >= LEAST and not any(limits)):
            limits[n] = min(limit, left)
            left -= limits[n] or 0
    return limits


def _hits(sentence: str, words: Sequence[str]) -> int:
    folded = fold(sentence)
    return sum(word in folded for word in words)


def _piece(sentence: str, tokens: int, words: Sequence[str]) -> str:
    """A stretch of one sentence that is too long as a whole, around the first of ``words``."""
    size = len(sentence)
    while size > 8 and estimate(sentence[:size]) > tokens:
        size = size * 3 // 4
    at = min((found for word in words if (found := fold(sentence).find(word)) >= 0), default=0)
    start = max(0, min(at - size // 3, len(sentence) - size))
    return (
        (GAP if start else "") + sentence[start : start + size].strip() + (GAP if start + size < len(sentence) else "")
    )


def _joined(sentences: Sequence[str], kept: Sequence[int]) -> str:
    parts: list[str] = []
    before = -1
    for n in kept:
        parts.append(sentences[n] if n == before + 1 and parts else (GAP if n else "") + sentences[n].strip())
        before = n
    if before < len(sentences) - 1:
        parts.append(GAP)
    return "".join(parts).strip()
