"""Implicit needs: what people who ask this want besides, from the packs' tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qx.domain import Knowledge, Need
from qx.rules.phrases import PhraseIndex, aligned
from qx.rules.reading import Reading
from qx.types import Entity

_MOST = 6
_ENOUGH = 3
_OPEN = frozenset({"factual", "how-to", "research", "exploration"})
_CLOSED = frozenset({"recommendation", "comparison", "troubleshooting"})


class NeedFinder:
    """Reads the needs of the intents of ``knowledge``.

    A need with ``when`` counts where one of its words is in the query, or one of its types (``@symptom``) among the
    entities; the needs of words come before those of types, those before the intent's own.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._needs: list[tuple[str, Need]] = [(i.id, n) for i in knowledge.taxonomy.intents for n in i.needs]
        self._words: PhraseIndex[int] = PhraseIndex(
            (
                (word.strip(), n)
                for n, (_, need) in enumerate(self._needs)
                for entry in need.when
                if not entry.startswith("@")
                for word in entry.split(" + ")
            ),
            plurals=True,
        )

    def find(self, reading: Reading, intents: Sequence[str], entities: Sequence[Entity]) -> tuple[str, ...]:
        """Return up to six needs in the query's language, the most particular first, without what the query says."""
        if not intents:
            return ()
        tag = "zh" if reading.chinese else "en"
        matched = self._matched(reading, entities)
        types = {f"@{e.type}" for e in entities}
        kept: list[str] = []
        for need in self._ranked(intents, matched, types, tag):
            for words in need.needs:
                if words not in kept and not _said(words, reading):
                    kept.append(words)
        return tuple(kept[:_MOST])

    def _matched(self, reading: Reading, entities: Sequence[Entity]) -> dict[int, int]:
        """The needs of which an entry is in the query, with how many words; one within a name (Spring Boot) is none."""
        said: dict[int, set[str]] = {}
        for hit in self._words.all(reading.folded, reading.borders):
            if any(
                e.start <= hit.start
                and hit.end <= e.end
                and e.end - e.start > hit.end - hit.start
                and e.type != "thing"
                for e in entities
                if e.verbatim or e.type == "technology"
            ):
                continue
            for n in hit.items:
                said.setdefault(n, set()).add(reading.folded[hit.start : hit.end])
        for entity in entities:
            for n in self._words.get(entity.canonical):
                said.setdefault(n, set()).add(aligned(entity.canonical))
        return {n: len(words) for n, words in said.items() if _complete(self._needs[n][1], words)}

    def _ranked(self, intents: Sequence[str], matched: dict[int, int], types: set[str], tag: str) -> Iterator[Need]:
        own = [(n, i, d) for n, (i, d) in enumerate(self._needs) if d.language in (None, tag) and i in intents]
        own.sort(key=lambda item: intents.index(item[1]))
        worded = [d for n, _, d in own if n in matched]
        worded.sort(key=lambda d: -matched[next(n for n, _, need in own if need is d)])
        if not worded and intents[0] in _OPEN:  # the topic is known, though not under these intents
            others = [
                n for n in matched if self._needs[n][0] not in _CLOSED and self._needs[n][1].language in (None, tag)
            ]
            worded = [self._needs[n][1] for n in sorted(others)][:1]
        yield from worded[:3]
        typed = [d for n, _, d in own if n not in matched and types.intersection(d.when)]
        if len(worded) < 2:
            yield from typed[:2]
        if sum(len(d.needs) for d in (*worded, *typed)) < _ENOUGH:
            yield from (d for _, i, d in own if not d.when and i == intents[0])


def _complete(need: Need, words: set[str]) -> bool:
    for entry in need.when:
        parts = [aligned(part.strip()) for part in entry.split(" + ")]
        if all(part in words or f"{part}s" in words for part in parts):
            return True
    return False


def _said(need: str, reading: Reading) -> bool:
    """Whether the query already asks for exactly this."""
    return all(word in reading.folded for word in aligned(need).split())
