"""Which passages of the sources go to the writer: the best by their words, or by a cheap model, within the tokens."""

from __future__ import annotations

from qx.context import Context
from qx.errors import QxError
from qx.grading import grade
from qx.text.tokens import estimate
from qx_answer import chunks
from qx_answer.claims import Source
from qx_answer.relevance import Question
from qx_answer.terms import prepared
from qx_answer.values import Passage, Reading

WINDOW = 900
"""Characters of a window."""
_IN_LOOP = 120_000
"""Up to so many characters are read in the event loop; more in a thread."""
_ASKED = 24
"""Windows that a model is asked about in one call."""


def windows(source: Source, size: int = WINDOW) -> list[Passage]:
    """Cut a source into windows that end at sentence ends, neighbours sharing a tenth; white space around one is left out."""
    made: list[Passage] = []
    for window in chunks.windows(source.text, size):
        text = source.text[window.start : window.end]
        start = window.start + len(text) - len(text.lstrip())
        end = window.end - len(text) + len(text.rstrip())
        if start < end:
            made.append(_passage(source, start, end))
    return made


def _passage(source: Source, start: int, end: int) -> Passage:
    return Passage(source_id=source.id, text=source.text[start:end], start=start, end=end)


async def extractive(reading: Reading, context: Context, /) -> tuple[Passage, ...]:
    """Return the windows that say the most of the questions, best first, within the tokens."""
    if sum(len(source.text) for source in reading.sources) <= _IN_LOOP:
        return _chosen(reading, context)
    return await context.run_cpu(lambda: _chosen(reading, context))


def _chosen(reading: Reading, context: Context) -> tuple[Passage, ...]:
    ranked = _ranked(reading, context)
    kept: list[Passage] = []
    left = reading.tokens
    for passage in ranked:
        cost = estimate(passage.text) + 12
        if cost <= left:
            kept.append(passage)
            left -= cost
        if left < 40:
            break
    return tuple(kept)


def _ranked(reading: Reading, context: Context) -> list[Passage]:
    """All windows, those first that say the most of any of the questions; of equal ones those of better sources."""
    cut = [(source, passage) for source in reading.sources for passage in windows(source)]
    texts = [prepared(passage.text) for _, passage in cut]
    best = [0.0] * len(cut)
    for text in reading.questions:
        question = Question(text, texts, context.knowledge.synonyms, reading.names)
        titles = {s.id: question.shares(prepared(s.title or "")) for s in reading.sources}
        for i, (source, _) in enumerate(cut):
            own = question.shares(texts[i])
            both = [max(a, b) for a, b in zip(own, titles[source.id], strict=True)]
            best[i] = max(best[i], 0.6 * question.coverage(own) + 0.4 * question.coverage(both))
    order = sorted(range(len(cut)), key=lambda i: -best[i])
    return [
        Passage(source_id=p.source_id, text=p.text, start=p.start, end=p.end, score=best[i])
        for i in order
        for p in (cut[i][1],)
    ]


async def by_model(reading: Reading, context: Context, /) -> tuple[Passage, ...]:
    """Ask the profile's model (its cheap tier, where there is one) which windows speak of the questions.

    The best by their words are asked about; where the model does not answer, they are taken as they are, and it is said.
    """
    ranked = _ranked(reading, context)[:_ASKED]
    kept: list[Passage] = []
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
        return await extractive(reading, context)
    left = reading.tokens
    for i, passage in enumerate(ranked):
        cost = estimate(passage.text) + 12
        if labels.get(str(i)) == "yes" and cost <= left:
            kept.append(passage)
            left -= cost
    return tuple(kept)
