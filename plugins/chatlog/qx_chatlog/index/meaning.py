"""Search by meaning: the cosine of a query's vector with those of messages, by brute force."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from qx.errors import UsageError
from qx_chatlog.index.columns import Numbers, Scores
from qx_chatlog.index.view import View

CANDIDATES: Final = 100


def unit(vector: bytes) -> Scores:
    """Return a vector (float32, little endian) with length 1; one of zeros stays.

    Raises:
        UsageError: these are not whole numbers of 4 bytes, or there are none.
    """
    if not vector or len(vector) % 4:
        raise UsageError(f"a vector is float32 numbers, 4 bytes each: these are {len(vector)} bytes")
    numbers = np.frombuffer(vector, dtype="<f4").astype(np.float64)
    return numbers / (np.linalg.norm(numbers) or 1.0)


async def likeness(view: View, count: int, vector: bytes, numbers: Numbers) -> Scores:
    """Return how near each message is, (1 + cosine) / 2, by number; 0 for what has no vector or is not asked for.

    Raises:
        UsageError: the messages' vectors have another length.
    """
    query = unit(vector)
    near = np.zeros(count)
    if not len(numbers):
        return near
    asked = numbers if len(numbers) * 4 < count else None
    wanted = np.zeros(count, dtype=np.bool_)
    wanted[numbers] = True
    async for found, cosines in view.cosines(query, asked):
        inside = wanted[found]
        near[found[inside]] = (1.0 + cosines[inside]) / 2.0
    return near


def cosines(vectors: Iterable[bytes], query: Scores) -> Scores:
    """Return the cosine of each stored vector (float32, of length 1) with ``query``.

    Raises:
        UsageError: they have another length.
    """
    matrix = np.frombuffer(b"".join(vectors), dtype="<f4")
    if len(matrix) % len(query):
        raise other_length(len(query))
    return (matrix.reshape(-1, len(query)) @ query.astype(np.float32)).astype(np.float64)


def other_length(dimensions: int) -> UsageError:
    """Return the error of vectors that cannot be compared."""
    return UsageError(
        f"the query's vector has {dimensions} dimensions, those of the messages another number: "
        "another embedder made them; `qx chat embed --anew` makes them again"
    )


def other_embedder() -> UsageError:
    """Return the error of vectors that come from another embedder than those that are there."""
    return UsageError("these messages' vectors were made by another embedder: `qx chat embed --anew` makes them again")


def best(near: Scores, count: int) -> Scores:
    """Return ``near`` with all but the ``count`` highest at 0."""
    if np.count_nonzero(near) <= count:
        return near
    kept = np.argsort(-near, kind="stable")[:count]
    few = np.zeros(len(near))
    few[kept] = near[kept]
    return few


def combined(numbers: Numbers, near: Scores, *, k: int) -> Scores:
    """Return scores by reciprocal rank: by meaning where there is a vector, by keyword where there is none.

    Args:
        numbers: What keywords found, best first.
        near: As of ``likeness``.
    """
    scores = np.zeros(len(near))
    scores[numbers] = 1.0 / (k + np.arange(1, len(numbers) + 1))
    order = np.argsort(-near, kind="stable")[: np.count_nonzero(near)]
    scores[order] = 1.0 / (k + np.arange(1, len(order) + 1))
    return scores
