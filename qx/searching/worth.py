"""Hits that only words of ours found: ``dishwasher price`` finds a laptop at a good price where no dishwasher is.

A hit counts when the original found it, or a query that says the same in other words or means something wider.  One that
came in only by queries that add words to the original's is left out where it holds one of those, but none of the
original's and no other name of one.  What holds neither an engine has found in its own way: by nearness, by synonyms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from qx.domain import Knowledge
from qx.ranking import Ranking
from qx.rules.terms import has_han, plain
from qx.serial import replace
from qx.syntax import negated, parse, words
from qx.text import negation
from qx.text.segment import keywords, stem
from qx.types import Hit

ADDING = frozenset({"refine", "keywords", "boolean", "site", "decompose", "dated", "senses", "exclude", "feedback"})
"""Strategies that keep the original's words and add some."""
_PREFIX = 5
"""Characters that two Latin words must have in common at their beginning to be near: ``connect``, ``connection``."""


def worthwhile(
    ranking: Ranking, found: Sequence[Ranking], original: str, knowledge: Knowledge, *, count: int
) -> Ranking:
    """Return the list without hits that only added words found, as far as ``count`` hits are wanted.

    Args:
        ranking: The merged list; its hits say which queries found them.
        found: The lists that it was made of.
        original: The query as it is searched.
    """
    adding = {r.query.text for r in found if r.query is not None and r.query.strategy in ADDING}
    additions: Additions | None = None
    gone: set[int] = set()
    for index in range(len(ranking.keys)):
        if index - len(gone) >= count:
            break
        hit = ranking.hit(index)
        queries = {one.query for one in hit.contributions}
        if not queries or not queries <= adding:
            continue
        additions = additions or Additions(original, knowledge)
        if additions.alone(hit, queries):
            gone.add(index)
    if not gone:
        return ranking
    kept = ranking.pick([i for i in range(len(ranking.keys)) if i not in gone])
    dropped = tuple([(ranking.keys[i], "holds only words that expansion added") for i in sorted(gone)])
    hits = "1 hit that holds" if len(gone) == 1 else f"{len(gone)} hits that hold"
    note = f"the search left out {hits} only words that expansion added, none of the query's own"
    return replace(kept, dropped=(*kept.dropped, *dropped), notes=(*kept.notes, note))


class Additions:
    """What sub-queries add to the words of a query, and whether a hit has no more than that.

    Args:
        original: The query as it is searched.
    """

    def __init__(self, original: str, knowledge: Knowledge) -> None:
        own = _wanted(original)
        self._own = {_form(word) for word in own}
        self._asked = Words((*own, *_other_names(original, own, knowledge)))
        self._added: dict[str, Words | None] = {}

    def alone(self, hit: Hit, queries: Iterable[str]) -> bool:
        """Whether a hit that only ``queries`` found holds words that they added, and none of the original's."""
        added = [self._of(query) for query in queries]
        known = [words for words in added if words is not None]
        if len(known) < len(added) or self._asked.within(hit):
            return False
        return any(words.within(hit) for words in known)

    def _of(self, query: str) -> Words | None:
        """The words that a sub-query adds; None where it has none of the original's, and so says it otherwise."""
        if query not in self._added:
            content = _content(query)
            added = [word for word in content if _form(word) not in self._own]
            self._added[query] = Words(added) if added and len(added) < len(content) else None
        return self._added[query]


def _other_names(text: str, own: Sequence[str], knowledge: Knowledge) -> Iterator[str]:
    for name in dict.fromkeys((plain(text), *map(plain, own))):
        yield from (other for other, _ in knowledge.synonyms.get(name, ()))


class Words:
    """Words that a hit may hold: as they are, in another form, or in part."""

    def __init__(self, texts: Iterable[str]) -> None:
        forms = {_form(word) for text in texts for word in (keywords(text) or (text,))}
        self._han = tuple({pair for form in forms if has_han(form) for pair in _pairs(form)})
        self._latin = frozenset(form for form in forms if not has_han(form))
        self._long = tuple(form[:_PREFIX] for form in self._latin if len(form) >= _PREFIX)

    def within(self, hit: Hit) -> bool:
        """Whether a hit holds one of them, or a word near one; stored values count as well."""
        return any(self._in(text) for text in (hit.title, hit.text, hit.url or "", *_texts(hit.metadata)))

    def _in(self, text: str) -> bool:
        folded = plain(text)
        if any(pair in folded for pair in self._han):
            return True
        if not self._latin:
            return False
        found = [_form(word) for word in keywords(folded)]
        return any(form in self._latin or form.startswith(self._long) for form in found)


def _texts(metadata: Mapping[str, object]) -> Iterator[str]:
    for item in metadata.values():
        if isinstance(item, str):
            yield item
        elif isinstance(item, (list, tuple)):
            yield from (str(one) for one in item)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _pairs(word: str) -> Iterator[str]:
    """Engines find parts of a Chinese word too: each two characters that stand together."""
    if len(word) < 3:
        yield word
    yield from (word[i : i + 2] for i in range(len(word) - 1)) if len(word) > 2 else ()


def _content(text: str) -> list[str]:
    expression = parse(text)
    excluded = set(negated(expression))
    return [w for part in words(expression) if part not in excluded for w in keywords(part)]


def _wanted(text: str) -> list[str]:
    """The content words of a query without what it rules out: ``不要苹果的手机`` asks for 手机; all, where there are no others."""
    found = _content(text)
    gone = {_form(word) for one in negation.find(text) for word in keywords(text[one.start : one.end])}
    return [word for word in found if _form(word) not in gone] or found


@lru_cache(maxsize=8192)
def _form(word: str) -> str:
    return stem(plain(word))


__all__ = ["Additions", "Words", "worthwhile"]
