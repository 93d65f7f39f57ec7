"""Which passages of the sources go to the writer: the best by their words, or by a cheap model, within the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qx.context import Context
from qx.errors import QxError
from qx.grading import grade
from qx.text.tokens import estimate
from qx_answer.chunks import Window, windows
from qx_answer.claims import Source
from qx_answer.relevance import Question
from qx_answer.shares import prepared
from qx_answer.values import Passage, Reading

_IN_LOOP = 120_000
"""Up to so many characters are read in the event loop; more in a thread."""
_MARKS = 12
"""Tokens of what stands around a passage."""
_LEAST = 40
"""Tokens below which no further passage is looked for."""
_ASKED = 24
"""Windows that a model is asked about in one call."""


@dataclass(frozen=True, slots=True)
class Extractive:
    """The step ``select`` without a model: the windows that say the most of the questions, best first, within the tokens.

    Args:
        size: Characters of a window.
        overlap: Characters that two neighbours share; None: a tenth.
    """

    size: int
    overlap: int | None = None

    async def __call__(self, reading: Reading, context: Context, /) -> tuple[Passage, ...]:
        """Return the passages; of many characters in a thread."""
        if sum(len(source.text) for source in reading.sources) <= _IN_LOOP:
            return _within(self.ranked(reading, context), reading.tokens)
        return _within(await context.run_cpu(lambda: self.ranked(reading, context)), reading.tokens)

    def ranked(self, reading: Reading, context: Context) -> list[Passage]:
        """Return all windows, those first that say the most of any of the questions; of equal ones those of better sources."""
        cut = [(s, w) for s in reading.sources for w in windows(s.text, self.size, self.overlap) if s.text.strip()]
        texts = [prepared(source.text[w.start : w.end]) for source, w in cut]
        best = [0.0] * len(cut)
        for text in reading.questions:
            question = Question(text, texts, context.knowledge.synonyms, reading.names)
            titles = {s.id: question.shares(prepared(s.title or "")) for s in reading.sources}
            for i, (source, _) in enumerate(cut):
                own = question.shares(texts[i])
                both = [max(a, b) for a, b in zip(own, titles[source.id], strict=True)]
                best[i] = max(best[i], 0.6 * question.coverage(own) + 0.4 * question.coverage(both))
        order = sorted(range(len(cut)), key=lambda i: -best[i])
        return [_passage(*cut[i], best[i]) for i in order]


def _passage(source: Source, window: Window, score: float) -> Passage:
    start, end = window.start, window.end
    return Passage(source_id=source.id, text=source.text[start:end], start=start, end=end, score=score)


def _within(ranked: Sequence[Passage], tokens: int) -> tuple[Passage, ...]:
    kept: list[Passage] = []
    left = tokens
    for passage in ranked:
        cost = estimate(passage.text) + _MARKS
        if cost <= left:
            kept.append(passage)
            left -= cost
        if left < _LEAST:
            break
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class ByModel:
    """The step ``select`` with the profile's model, asked of each of the best windows whether it speaks of the questions.

    Args:
        instead: Puts windows in order, and selects where the model does not answer, which is reported.
    """

    instead: Extractive

    async def __call__(self, reading: Reading, context: Context, /) -> tuple[Passage, ...]:
        """Ask once, of the windows that are best by their words."""
        ranked = (await context.run_cpu(lambda: self.instead.ranked(reading, context)))[:_ASKED]
        if not ranked:
            return ()
        try:
            labels = await grade(
                context,
                "Does the passage speak of what the query asks? `yes` where it helps to answer it, else `no`.",
                {str(i): passage.text for i, passage in enumerate(ranked)},
                ("yes", "no"),
                query=" / ".join(reading.questions),
                called="passages",
                timeout=30.0,
            )
        except QxError as error:
            context.degrade("select", "extractive", str(error))
            return _within(ranked, reading.tokens)
        return _within([one for i, one in enumerate(ranked) if labels.get(str(i)) == "yes"], reading.tokens)
