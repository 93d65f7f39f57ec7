"""A query of many sentences, cut to what it asks: question, things, limits, exclusions, identifiers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.rules import bounds
from qx.rules.reading import Reading
from qx.types import Constraint, Entity

_SENTENCE = re.compile(r"[^。！？!?\n；;]+?(?:[。！？!?；;\n]+|\.(?=\s|$)|$)")
_ASKED = re.compile(r"[?？]|请问|求助|想问|please|could you|can you", re.IGNORECASE)
_QUESTION = re.compile(
    r"怎么|如何|什么|哪|吗|呢|为什么|推荐|求|how |what |which |why |where |who |when |recommend|suggest|should i|can i|help|looking for",
    re.IGNORECASE,
)
_LENGTH = 160
_TEXT = 80


def condense(
    reading: Reading, entities: Sequence[Entity], constraints: Sequence[Constraint], focus: Sequence[tuple[int, int]]
) -> str:
    """Return the sentence that asks, with the things, limits, exclusions and identifiers that it does not hold.

    Args:
        focus: Spans of intent cues; a sentence with many of them is what the query is about.
    """
    asked = _asking(reading, entities, focus)
    parts = [asked]
    for words in _must(reading, entities, constraints, asked):
        whole = " ".join(parts)
        if words and words not in whole and len(whole) + len(words) < bounds.SHORTENED:
            parts.append(words)
    return " ".join(parts)


def _asking(reading: Reading, entities: Sequence[Entity], focus: Sequence[tuple[int, int]]) -> str:
    best, score = reading.text[:_LENGTH], -1.0
    sentences = [m for m in _SENTENCE.finditer(reading.text) if m.group().strip()]
    for number, match in enumerate(sentences):
        start, end = match.span()
        points = 3.0 * bool(_ASKED.search(match.group())) + 1.0 * bool(_QUESTION.search(match.group()))
        points += min(1.0, 0.5 * sum(1 for s, e in focus if start <= s and e <= end))
        points += min(1.5, sum(0.75 for x in entities if start <= x.start < end and x.type != "thing"))
        points += number / (len(sentences) * 2)  # what is asked comes last
        if points > score:
            best, score = match.group().strip(), points
    if len(best) <= _LENGTH:
        return best
    cut = best[:_LENGTH]
    return cut[: max(cut.rfind(" "), cut.rfind("，"), cut.rfind(","), _LENGTH // 2)].strip()


def _must(reading: Reading, entities: Sequence[Entity], constraints: Sequence[Constraint], asked: str) -> list[str]:
    kept = [e.text for e in entities if e.verbatim]
    kept += [c.text for c in constraints if c.hard and c.text]
    kept += [reading.text[n.start : n.end] for n in reading.negations]
    named = [e for e in entities if not e.verbatim and e.type != "thing"]
    if not any(e.text in asked for e in named):  # "any advice?" does not say on what
        kept += list(dict.fromkeys(e.text for e in named))[:3]
    wishes = [c for c in constraints if c.op == "prefer" and c.field not in ("published", "date", "length", "size")]
    kept += [c.text for c in wishes if c.text][:4]
    return [k if len(k) <= _TEXT else k[:_TEXT] for k in dict.fromkeys(kept)]
