"""Vectors of queries: their cosine, and from which cosine on two queries of an embedder mean nearly the same."""

from __future__ import annotations

import math
from array import array

from qx.context import Context
from qx.embedder import EmbedRequest
from qx.errors import QxError

_SAME = (
    ("how to reset the office router", "resetting the router of the office"),
    ("price of the annual ticket", "what does the yearly ticket cost"),
    ("怎么重置办公室的路由器", "办公室路由器如何恢复出厂设置"),
    ("年票的价格", "一年的票多少钱"),
    ("symptoms of a cold", "感冒的症状"),
    ("train from the airport to the city", "从机场到市区的火车"),
)
_OTHER = (
    ("how to reset the office router", "how to choose an office router"),
    ("price of the annual ticket", "where the annual ticket is valid"),
    ("怎么重置办公室的路由器", "办公室的路由器放在哪里"),
    ("年票的价格", "年票的使用范围"),
    ("symptoms of a cold", "感冒多久会好"),
    ("train from the airport to the city", "机场附近的酒店"),
)
"""Pairs that mean the same, and pairs of one subject that do not: our own writing."""


def cosine(a: bytes, b: bytes) -> float:
    """Return the cosine of two vectors (float32, little endian); 0 where they are of two lengths or one is nothing."""
    x, y = array("f", a), array("f", b)
    if len(x) != len(y):
        return 0.0
    length = math.sqrt(sum(v * v for v in x)) * math.sqrt(sum(v * v for v in y))
    return sum(p * q for p, q in zip(x, y, strict=True)) / length if length else 0.0


async def calibrate(context: Context) -> float:
    """Return the cosine from which on two queries of the profile's embedder mean nearly the same.

    It lies where the fewest of some known pairs are on the wrong side, as high as that can be: a repeat that is run costs
    a search, one that is wrongly stopped costs the answer.

    Raises:
        ProviderError, BudgetExceeded: the embedder does not answer.
    """
    pairs = (*_SAME, *_OTHER)
    made = await context.embed(EmbedRequest(texts=tuple(text for pair in pairs for text in pair)))
    scores = [cosine(made.vectors[2 * i], made.vectors[2 * i + 1]) for i in range(len(pairs))]
    same, other = scores[: len(_SAME)], scores[len(_SAME) :]
    options = sorted({(a + b) / 2 for a in scores for b in scores if a != b}) or [1.0]
    return max(options, key=lambda t: (-sum(s < t for s in same) - 2 * sum(o >= t for o in other), t))


async def embedded(context: Context, texts: list[str]) -> list[bytes | None]:
    """Return the vectors of ``texts``; None for each where the embedder does not answer, which is reported."""
    if not context.has_embedder or not texts:
        return [None] * len(texts)
    try:
        made = await context.embed(EmbedRequest(texts=tuple(texts)))
    except QxError as error:
        context.degrade("loops", "lexical", f"queries are compared by their words: {error}")
        return [None] * len(texts)
    return list(made.vectors)
