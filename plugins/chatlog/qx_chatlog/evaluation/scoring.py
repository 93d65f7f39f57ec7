"""Recall and precision of the turns that hold the answer: at so many turns, and at so many tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from qx.eval.comparing import compare_arrays, interval
from qx.serial import value
from qx.text.tokens import estimate
from qx_chatlog.evaluation.locomo import CATEGORIES, UNANSWERABLE, Question
from qx_chatlog.message import Message

TURNS: Final = (5, 10, 20)
MAIN: Final = 10
TOKENS: Final = (250, 500, 1000)
Array = npt.NDArray[np.float64]


@value
class Read:
    """What an arm returned for one question, best first.

    Attributes:
        ids: Turns; of a memory, the turns of each fact.
        tokens: Of each thing that is read.
        seconds: Of all its searches.
        calls: Searches, and calls of a model.
    """

    ids: tuple[frozenset[str], ...]
    tokens: tuple[int, ...]
    seconds: float = 0.0
    calls: int = 1


@value
class At:
    """Means over questions at so many turns.

    Attributes:
        recall: Share of the turns that hold the answer which are among those returned.
        precision: Share of those returned which hold the answer.
        any: Share of questions where at least one of them is there.
        tokens: Read.
    """

    recall: float
    precision: float
    any: float
    tokens: float


@value
class Difference:
    """Recall at ten turns, less that of plain BM25, with its interval of 95 %."""

    mean: float
    low: float
    high: float
    p: float
    wins: int
    losses: int


@value
class Measured:
    """One arm.

    Attributes:
        at: By number of turns.
        low, high: Bounds of recall at ten turns, 95 %.
        categories: Recall at ten turns by category.
        at_tokens: Recall within so many tokens.
        milliseconds: Median of a question's searches.
        slowest: The 95th percentile.
        calls: Mean.
        against: Beside plain BM25, over the questions of both.
    """

    name: str
    questions: int
    at: Mapping[int, At]
    low: float
    high: float
    categories: Mapping[str, float]
    at_tokens: Mapping[int, float]
    milliseconds: float
    slowest: float
    calls: float
    against: Difference | None = None


def read_messages(messages: Sequence[Message], *, seconds: float, calls: int = 1) -> Read:
    """Return what is counted of messages."""
    return Read(
        ids=tuple(frozenset((message.id,)) for message in messages),
        tokens=tuple(estimate(f"{message.who}: {message.searched}") for message in messages),
        seconds=seconds,
        calls=calls,
    )


def recall(one: Read, question: Question, count: int) -> float:
    """Return which part of the evidence the first ``count`` things hold."""
    held = frozenset[str]().union(*one.ids[:count])
    return len(held & question.evidence) / len(question.evidence)


def recall_within(one: Read, question: Question, tokens: int) -> float:
    """Return which part of the evidence is in the things that fit into ``tokens``, taken in their order."""
    return recall(one, question, fitting(one, tokens))


def fitting(one: Read, tokens: int) -> int:
    """Return how many things fit into ``tokens``."""
    total = np.cumsum(one.tokens)
    return int(np.searchsorted(total, tokens, side="right"))


def measure(
    name: str,
    questions: Sequence[Question],
    lists: Mapping[int, Sequence[Read]],
    *,
    plain: Mapping[str, float] | None = None,
) -> Measured:
    """Measure an arm.

    Args:
        questions: With an answer.
        lists: By number of turns, what was returned for each question; ten turns must be there.
        plain: Recall of plain BM25 at ten turns, by question.
    """
    at = {count: _at(questions, lists[count], count) for count in TURNS if count in lists}
    own = recalls(questions, lists[MAIN])
    low, high = interval(own)
    longest = lists[max(lists)]
    milliseconds = np.array([1000 * one.seconds for one in longest])
    return Measured(
        name=name,
        questions=len(questions),
        at=at,
        low=low,
        high=high,
        categories=by_category(questions, own),
        at_tokens={}
        if max(lists) < TURNS[-1]
        else {
            tokens: float(np.mean([recall_within(r, q, tokens) for q, r in zip(questions, longest, strict=True)]))
            for tokens in TOKENS
        },
        milliseconds=float(np.median(milliseconds)),
        slowest=float(np.percentile(milliseconds, 95)),
        calls=float(np.mean([one.calls for one in longest])),
        against=None if plain is None else _against(questions, own, plain, name),
    )


def recalls(questions: Sequence[Question], lists: Sequence[Read]) -> Array:
    """Return recall at ten turns, question by question."""
    return np.array([recall(one, question, MAIN) for question, one in zip(questions, lists, strict=True)])


def by_category(questions: Sequence[Question], scores: Array) -> dict[str, float]:
    """Return the mean of each category that is there."""
    kinds = np.array([question.category for question in questions])
    return {
        CATEGORIES[kind]: float(scores[kinds == kind].mean())
        for kind in CATEGORIES
        if kind != UNANSWERABLE and bool((kinds == kind).any())
    }


def _at(questions: Sequence[Question], lists: Sequence[Read], count: int) -> At:
    found = [recall(one, question, count) for question, one in zip(questions, lists, strict=True)]
    precise = [
        sum(bool(ids & question.evidence) for ids in one.ids[:count]) / max(1, len(one.ids[:count]))
        for question, one in zip(questions, lists, strict=True)
    ]
    return At(
        recall=float(np.mean(found)),
        precision=float(np.mean(precise)),
        any=float(np.mean([one > 0 for one in found])),
        tokens=float(np.mean([sum(one.tokens[:count]) for one in lists])),
    )


def _against(questions: Sequence[Question], own: Array, plain: Mapping[str, float], name: str) -> Difference:
    before = np.array([plain[question.id] for question in questions])
    made = compare_arrays(before, own, names=("bm25", name), measure="recall@10")
    return Difference(mean=made.difference, low=made.low, high=made.high, p=made.p, wins=made.wins, losses=made.losses)
