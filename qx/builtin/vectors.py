"""Hits as vectors: embedded by the profile's embedder, compared without a library (a request has a hundred of them)."""

from __future__ import annotations

import array
import math
import sys
from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING

from qx.embedder import EmbedRequest
from qx.errors import BadResponse
from qx.types import Hit

if TYPE_CHECKING:
    from qx.context import Context

CLIP = 512
"""Code points of title and text that are embedded: models read little more, and longer texts take longer."""

Vector = Sequence[float]


def said(hit: Hit, clip: int = CLIP) -> str:
    """Return title and text of ``hit``, cut to ``clip`` code points."""
    text = hit.text if hit.text.startswith(hit.title) else f"{hit.title}\n{hit.text}"
    return text[:clip].strip() or hit.id


async def embedded(context: Context, texts: Sequence[str], *, query: bool, timeout: float) -> list[Vector]:  # noqa: ASYNC109 the request's own
    """Return the vector of each text, brought to length one.

    Raises:
        ProviderError: the embedder failed, or its vectors do not fit the texts.
        ProfileError: the profile names no embedder.
        BudgetExceeded: nothing is left for the call.
    """
    kind = "query" if query else "document"
    answer = await context.embed(EmbedRequest(texts=tuple(texts), kind=kind, timeout=timeout))
    if len(answer.vectors) != len(texts):
        raise BadResponse(f"the embedder returned {len(answer.vectors)} vectors for {len(texts)} texts", step="process")
    if len({len(vector) for vector in answer.vectors}) > 1 or any(len(v) % 4 or not v for v in answer.vectors):
        raise BadResponse("the embedder's vectors have unlike lengths", step="process")
    return [unit(vector) for vector in answer.vectors]


def unit(vector: bytes) -> Vector:
    """Return a vector of length one; the zero vector stays."""
    floats = array.array("f", vector)
    if sys.byteorder == "big":
        floats.byteswap()
    length = math.sqrt(sum(map(mul, floats, floats)))
    return [x / length for x in floats] if length > 0 and math.isfinite(length) else [0.0] * len(floats)


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors of length one.

    Raises:
        BadResponse: their lengths differ.
    """
    if len(one) != len(other):
        raise BadResponse("the embedder's vectors have unlike lengths", step="process")
    return sum(map(mul, one, other))


__all__ = ["CLIP", "Vector", "cosine", "embedded", "said", "unit"]
