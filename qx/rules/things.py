"""Things that no list knows: the nouns of a query, by part of speech in Chinese and by position in English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qx.rules.phrases import is_han
from qx.rules.reading import Reading, covered
from qx.text.lexicons import load_set
from qx.text.segment import Word
from qx.types import Entity

_MOST = 4
_NOUNS = ("n", "nz", "nr", "ns", "nt", "nrt", "vn", "an", "ng", "eng", "l", "j", "i", "nrfg")


class ThingFinder:
    """Finds what a query speaks of beside the names: 光标, flying buttress, 科技博客."""

    def find(self, reading: Reading, taken: Sequence[tuple[int, int]]) -> tuple[Entity, ...]:
        """Return up to four things in order, none of them within ``taken``."""
        free = [w for w in reading.words if w.content and not covered(w.start, w.end, taken)]
        tags = _tags(reading.text, free) if free and reading.chinese else {}
        found: list[Entity] = []
        for run in self._runs(reading, free, tags):
            start, end = run[0].start, run[-1].end
            text = reading.text[start:end]
            if len(text) > 1 or not is_han(text):
                found.append(Entity(text=text, type="thing", canonical=text, start=start, end=end))
        return tuple(found[:_MOST])

    @staticmethod
    def _leads(word: Word, words: Sequence[Word]) -> bool:
        """Whether a word of two characters leads at once to the head of a term."""
        if len(word.text) != 2 or not is_han(word.text[0]):
            return False
        return any(other.start == word.end and other.text in load_set("term_heads_zh") for other in words)

    def _runs(self, reading: Reading, words: Sequence[Word], tags: dict[int, str]) -> Iterator[list[Word]]:
        """Yield runs of nouns that stand together; at most two Chinese or three English words make one thing."""
        run: list[Word] = []
        for word in words:
            ends = bool(run) and word.text in load_set("term_heads_zh") and word.start == run[-1].end
            if not (_is_noun(word, tags) or ends or self._leads(word, words)):
                if run:
                    yield run
                run = []
                continue
            han = is_han(word.text[0])
            near = bool(run) and reading.text[run[-1].end : word.start] in ("" if han else " ", "-")
            same = bool(run) and is_han(run[-1].text[0]) == han
            if run and not (near and same and len(run) < (2 if han else 3)):
                yield run
                run = []
            run.append(word)
        if run:
            yield run


def _is_noun(word: Word, tags: dict[int, str]) -> bool:
    text = word.text
    if is_han(text[0]):
        return text not in load_set("not_nouns_zh") and tags.get(word.start, "") in _NOUNS
    folded = text.casefold()
    if (
        folded in load_set("not_things_en")
        or folded in load_set("stopwords_en")
        or not any(c.isalpha() for c in folded)
    ):
        return False
    return not (folded.endswith("ly") and len(folded) > 4)


def _tags(text: str, words: Sequence[Word]) -> dict[int, str]:
    """Return the part of speech of each of ``words`` by its start; of a word of several parts that of the last one."""
    import rjieba  # a native library: loaded with the first Chinese text

    pieces: dict[int, tuple[int, str]] = {}  # where a piece begins -> where it ends, and its tag
    ends: dict[int, str] = {}
    at = 0
    for piece, tag in rjieba.tag(text, True):
        start, at = at, at + len(piece)
        pieces[start] = at, tag
        ends[at] = tag
    tags: dict[int, str] = {}
    for word in words:
        end, tag = pieces.get(word.start, (0, ""))
        tags[word.start] = tag if end >= word.end else ends.get(word.end, "")
    return tags
