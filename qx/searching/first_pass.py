"""The raw query's lists, searched at once; and whether they are so good that nothing more is needed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

from qx.ranking import Ranking
from qx.text import segment
from qx.text.clean import clean

STRONG_HITS = 3
"""Hits at the top that must hold the query's words in their titles for a first pass to be strong."""


Lists = tuple[Ranking, ...]


class FirstLists:
    """The raw query's lists, under way (implements ``qx.ranking.FirstPass``).

    Args:
        asked: What is asked of which backend, to tell whether it is the same as something else.
        words, meaning: The lists by words and by meaning (None: nothing is searched by it): nobody who needs the first
            waits for the second.
    """

    def __init__(
        self, asked: str, words: Coroutine[Any, Any, Lists], meaning: Coroutine[Any, Any, Lists] | None
    ) -> None:
        self.asked = asked
        self.in_time = False
        """Whether the lists by words had come, or failed, before the expansion went on without them."""
        self.words = _begun(words)
        self._meaning = _begun(meaning)

    async def rankings(self) -> Lists:
        return (*await asyncio.shield(self.words), *await asyncio.shield(self._meaning))

    async def by_words(self) -> Lists:
        return await asyncio.shield(self.words)

    @property
    def there(self) -> bool:
        """Whether the lists by words have come, without an error."""
        return self.words.done() and not self.words.cancelled() and self.words.exception() is None

    @property
    def has_failed(self) -> bool:
        """Whether no list by words will come any more."""
        return self.words.done() and not self.there

    @property
    def found_something(self) -> bool:
        """Whether the lists by words, which must be there, hold a hit."""
        return any(ranking.keys for ranking in self.words.result())

    async def end(self) -> None:
        """Cancel what is still under way."""
        for task in (self.words, self._meaning):
            task.cancel()
        await asyncio.gather(self.words, self._meaning, return_exceptions=True)


def _begun(lists: Coroutine[Any, Any, Lists] | None) -> asyncio.Future[Lists]:
    if lists is not None:
        return asyncio.ensure_future(lists)
    nothing = asyncio.get_running_loop().create_future()
    nothing.set_result(())
    return nothing


def telling_words(text: str) -> frozenset[str]:
    """Return the content words by which a first pass is judged; none where there is only one: it says too little."""
    words = frozenset(segment.stem(word.casefold()) for word in segment.keywords(clean(text).text))
    return words if len(words) > 1 else frozenset()


def is_strong(words: frozenset[str], found: Sequence[Ranking], share: float) -> bool:
    """Return whether the titles of a list's first hits hold ``share`` of ``words`` each."""
    for ranking in found:
        titles = [ranking.hit(i).title for i in range(min(STRONG_HITS, len(ranking.keys)))]
        held = [words & {segment.stem(w.casefold()) for w in segment.keywords(title)} for title in titles]
        if len(titles) == STRONG_HITS and all(len(h) / len(words) >= share for h in held):
            return True
    return False
