"""How a model's queries and the rules' share the places of a list.

1. The model's queries come first, in its order, but for those that yield: they fit the query poorly, or say in other
   words what it and the better ones have said already.
2. Free places go to rules' queries of a kind that the list lacks: another strategy (a phrase, a ``site:``, a wider
   one), or an implicit need that no query serves yet.
3. Where that makes fewer than ``AIM``, the rules' next ones follow, for a model that is not up to it.
4. Then those that yielded.

So a strong model's full list stays as it is, and a weak one's cannot shut out what rules know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from qx.domain import Knowledge
from qx.rules.drift import serves
from qx.rules.fit import POOR, scorer
from qx.rules.protection import base_text
from qx.rules.terms import holds, plain, segmenter
from qx.steps.drafts import MODEL_STRATEGIES
from qx.types import Dropped, SubQuery, Understood

AIM = 5
"""A list shorter than this is filled up by rules, as far as they have something different."""
_TELLING = frozenset({"synonym", "refine"})
"""Strategies that are to say something new; the others leave out, split or quote what was said."""
_SITE = re.compile(r"(?<!\S)(?:site|filetype):\S", re.IGNORECASE)
_BOOLEAN = re.compile(r"[\"“”]|(?<!\S)(?:AND|OR|NOT)(?!\S)|(?<!\S)-\w")

_SIGN = re.compile('[:"“”ANO-]')
"""A character of each of them; most queries have none."""


@dataclass(frozen=True, slots=True)
class Parted:
    """A model's queries that stay and those that yield, each in their order."""

    stay: tuple[SubQuery, ...] = ()
    yielding: tuple[SubQuery, ...] = ()


class Mix:
    """Mixes the queries of one understood query.

    Args:
        beside: Strategies that no model does (``spelling``): what rules make by them is always in the list.
    """

    def __init__(self, value: Understood, knowledge: Knowledge, *, beside: frozenset[str] = frozenset()) -> None:
        self._beside = beside
        self._knowledge = knowledge
        self._keywords = segmenter(knowledge.lexicon).keywords
        self._said = base_text(value.query, value.understanding)
        self._scorer = scorer(value.query, value.understanding, knowledge)

    def parted(self, queries: Sequence[SubQuery]) -> Parted:
        """Part a model's ``queries``."""
        stay: list[SubQuery] = []
        yielding: list[SubQuery] = []
        said, known = plain(self._said), set[str]()
        for query in queries:
            if self._scorer.score(query) < POOR or not self._tells(query, said, known):
                yielding.append(query)
            else:
                stay.append(query)
                said = f"{said} {plain(query.text)}"
        return Parted(tuple(stay), tuple(yielding))

    def filled(
        self, model: Parted, made: Sequence[SubQuery], *, limit: int, needs: Sequence[str]
    ) -> tuple[SubQuery, ...]:
        """Return the list, best first; it may be longer than ``limit``.

        Args:
            model: The model's queries, guarded.
            made: The rules' queries, guarded.
            limit: Places of the list.
            needs: The implicit needs that queries may serve.
        """
        stay = (*model.stay, *(query for query in made if query.strategy in self._beside))
        good = [q for q in made if q.strategy not in self._beside and self._scorer.score(q) >= POOR]
        lacking = list(islice(self._lacking(stay, good, needs), max(0, limit - len(stay))))
        short = max(0, min(AIM, limit) - len(stay) - len(lacking))
        more = [query for query in good if query not in lacking][:short]
        return (*stay, *lacking, *more, *model.yielding)

    def _tells(self, query: SubQuery, said: str, known: set[str]) -> bool:
        """Whether ``query`` has a word that is not ``said``; ``known`` are words that are, which grows with it."""
        if query.strategy not in _TELLING or kind(query) not in _TELLING:
            return True
        for word in self._keywords(plain(query.text)):
            if word not in known:
                if not holds(said, word):
                    return True
                known.add(word)
        return False

    def _lacking(
        self, queries: Sequence[SubQuery], made: Sequence[SubQuery], wanted: Sequence[str]
    ) -> Iterator[SubQuery]:
        kinds = {kind(query) for query in queries}
        served = {need for query in queries for need in self._served(query, wanted)}
        for query in made:
            new, needs = kind(query), self._served(query, wanted)
            if (new not in kinds and new in MODEL_STRATEGIES) or not needs <= served:
                kinds.add(new)
                served |= needs
                yield query

    def _served(self, query: SubQuery, needs: Sequence[str]) -> set[str]:
        return {need for need in needs if serves(query.text, need, self._knowledge)}


def kind(query: SubQuery) -> str:
    """The strategy of a query, as its text has it: a model may call a ``site:`` query a refinement."""
    if not _SIGN.search(query.text):
        return query.strategy
    if _SITE.search(query.text):
        return "site"
    if _BOOLEAN.search(query.text):
        return "boolean"
    return query.strategy


def none_held(
    model: Sequence[SubQuery], rules: Sequence[SubQuery], kept: Sequence[SubQuery], dropped: Sequence[Dropped]
) -> str:
    """Return what to tell where the guard kept none of a model's queries, with the first reason; empty where it kept one.

    Duplicates are no fault: a model may say what was said already.
    """
    if not model or any(query not in rules for query in kept):
        return ""
    texts = {query.text for query in model}
    reasons = [d.reason for d in dropped if d.text in texts and not d.reason.startswith("duplicate of")]
    if not reasons:
        return ""
    return f"none of the model's {len(model)} queries held, rules wrote what there is; of the first one: {reasons[0]}"
