"""Ranking the messages of one user: BM25, session fusion, order, windows.

BM25 is Robertson's (k1, b) with the idf ln(1 + (N - df + 0.5) / (df + 0.5)); N, df and the average length are those
of the user's own messages.  Fusion is ReFind's (arXiv 2608.12888): a turn's rank and the rank of its session, by the
sum of its turns' scores, meet by reciprocal rank: 1 / (k + rank of the turn) + share / (k + rank of its session); share
is 1 in the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from qx_chatlog.index.columns import Mask, Numbers, Rows, Scores, in_order
from qx_chatlog.store import Order

K1: Final = 0.9
B: Final = 0.4
"""Messages are short: a long one is not the worse for it (1.2 and 0.75 lose a point on LoCoMo)."""
HALF: Final = 0.5
"""Of the best score: what counts as fitting where the newest or the oldest is asked for."""

MANY: Final = 10_000
"""Of more messages only the best are sorted."""
SESSIONS: Final = 50
"""Of the best sessions all messages are."""

Postings = tuple[Numbers, npt.NDArray[np.integer]]
"""Of one word: the numbers of messages, each once, and how often it is in each."""


def contributions(rows: Rows, postings: Sequence[tuple[Postings, float]]) -> Iterator[tuple[Numbers, Scores]]:
    """Yield, of each word, the messages that hold it and what it gives to each, by BM25.

    Args:
        rows: All messages of the user.
        postings: Of each word of the query, with its weight.
    """
    count = len(rows)
    if not count:
        return
    length = rows["length"].astype(np.float32)
    norm = K1 * (1 - B + B * length / max(float(length.mean()), 1.0))
    for (numbers, often), weight in postings:
        df = len(numbers)
        idf = np.log1p((count - df + 0.5) / (df + 0.5))
        yield numbers, weight * idf * (K1 + 1) * often / (often + norm[numbers])


def ranked(
    rows: Rows, scores: Scores, keep: Mask, *, fusion: bool, k: int, share: float = 1.0
) -> tuple[Numbers, Scores]:
    """Return the numbers of messages that are kept and score above zero, best first, with their final scores.

    Equals stand newest first.  Of more than ``MANY`` those that cannot come among the first are left out.
    """
    numbers = np.flatnonzero(keep & (scores > 0))
    own = scores[numbers]
    if not len(numbers):
        return numbers, own
    sessions = rows["session"][numbers]
    sums: Scores = np.bincount(sessions, weights=own).astype(np.float64)
    places = _ranks(sums)
    if len(numbers) > MANY:
        kept = _worth_sorting(rows, numbers, own, places[sessions] if fusion else None)
        numbers, own, sessions = numbers[kept], own[kept], sessions[kept]
    order = _best_first(rows, numbers, own)
    numbers, own, sessions = numbers[order], own[order], sessions[order]
    if not fusion:
        return numbers, own
    fused = 1.0 / (k + np.arange(1, len(numbers) + 1)) + share / (k + places[sessions])
    order = np.argsort(-fused, kind="stable")
    return numbers[order], fused[order]


def _worth_sorting(rows: Rows, numbers: Numbers, own: Scores, places: Numbers | None) -> Numbers:
    """Return which of very many may come first: the best ones, of equals the newest, and those of the best sessions."""
    limit = np.partition(own, len(own) - MANY)[len(own) - MANY]
    best = own > limit
    equal = np.flatnonzero(own == limit)
    if len(equal) > MANY:
        equal = equal[np.argpartition(-rows["time"][numbers[equal]], MANY)[:MANY]]
    best[equal] = True
    if places is not None:
        best |= places <= SESSIONS
    return np.flatnonzero(best)


def chosen(rows: Rows, numbers: Numbers, fit: Scores, order: Order) -> Numbers:
    """Return those of ``numbers`` that fit at least half as well as the best, the newest or the oldest first.

    Args:
        fit: Every message's score, by its number.
    """
    if not len(numbers):
        return numbers
    own = fit[numbers]
    numbers = numbers[own >= HALF * own.max()]
    at = np.lexsort((numbers, rows["time"][numbers]))
    return numbers[at[::-1] if order == "newest" else at]


def windows(rows: Rows, hits: Sequence[int], width: int) -> list[tuple[int, bool]]:
    """Return the hits in their order, each among the ``width`` messages before and after it in its session.

    Returns:
        Numbers and whether each is context; none comes twice, a hit is never context.
    """
    if width <= 0 or not hits:
        return [(hit, False) for hit in hits]
    talks = {int(session): talk(rows, int(session)) for session in np.unique(rows["session"][list(hits)])}
    own, said = set(hits), set[int]()
    found: list[tuple[int, bool]] = []
    for hit in hits:
        if hit in said:
            continue
        turns, at = talks[int(rows["session"][hit])]
        place = at[hit]
        for number in turns[max(0, place - width) : place + width + 1]:
            if number not in said and (number == hit or number not in own):
                said.add(number)
                found.append((number, number != hit))
    return found


def talk(rows: Rows, session: int) -> tuple[list[int], dict[int, int]]:
    """Return the numbers of a session's messages in the order of the talk, and the place of each."""
    turns = in_order(rows, np.flatnonzero(rows["session"] == session)).tolist()
    return turns, {number: place for place, number in enumerate(turns)}


def _best_first(rows: Rows, numbers: Numbers, scores: Scores) -> Numbers:
    return np.lexsort((-numbers, -rows["time"][numbers], -scores))


def _ranks(scores: Scores) -> npt.NDArray[np.intp]:
    """The rank of each from 1, best first; equals share none: the first stands before."""
    ranks = np.empty(len(scores), dtype=np.intp)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return ranks
