"""How well a sub-query fits what was asked, by rules: 0..1.

``fit = 0.4 core + 0.15 constraints + 0.3 worth + 0.1 own words + 0.05 length``: the share of the core entities and terms
that is kept, the share of the constraints, what it adds, how much of it is the query's own, and a sensible length;
halved where it names a foreign thing.  Worth is 1 for what suits this kind of query (a need or form with ``when``), 0.85
for another wording that adds nothing, 0.5 for what could be added to any query of the intent ("overview", 注意事项), 0.3
for words that serve nothing known; what says a word of the query twice loses 0.2 of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from qx.domain import Knowledge
from qx.rules import drift
from qx.rules.protection import base_text, protection
from qx.rules.templates import literal
from qx.rules.terms import Folded, Keeper, folded_text, keeping, plain, segmenter, terms
from qx.text.remembered import made_once
from qx.types import Query, SubQuery, Understanding

LENGTH = 64
"""Characters from which a query is too long, unless a profile says otherwise."""
POOR = 0.6
"""A query that scores less fits poorly."""
_FOREIGN = 0.5
_ADDING = frozenset({"refine", "pseudo-document", "feedback"})
"""Strategies whose queries are there for what they add."""


@made_once
def _forms(knowledge: Knowledge) -> Mapping[tuple[str, bool], frozenset[str]]:
    """(Intent, whether they are for a kind of query) -> the folded words of its templates."""
    forms: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for template in knowledge.templates:
        if form := plain(literal(template)):
            for intent in template.intents:
                forms[intent, bool(template.when)].add(form)
    return {key: frozenset(found) for key, found in forms.items()}


@made_once
def _forms_of(knowledge: Knowledge) -> Callable[[tuple[str, ...]], tuple[frozenset[str], frozenset[str]]]:
    """Intents -> the forms that are for a kind of query, and those for any."""
    forms = _forms(knowledge)

    def of(intents: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
        wide = knowledge.widened(intents)
        apt, usual = (
            frozenset[str]().union(*(forms.get((intent, kind), ()) for intent in wide)) for kind in (True, False)
        )
        return apt, usual

    return lru_cache(maxsize=256)(of)


@made_once
def _usual(knowledge: Knowledge) -> frozenset[str]:
    """The folded needs that any query of a general intent may have; those of a pack's own intents say more."""
    general = (i for i in knowledge.taxonomy.intents if i.id not in knowledge.particular)
    return frozenset(plain(n) for i in general for need in i.needs if not _telling(need.when) for n in need.needs)


def _telling(when: Sequence[str]) -> bool:
    """Whether an entry asks for more than a type: ``@product`` alone suits too many queries."""
    return any(not entry.startswith("@") for entry in when)


@made_once
def _of(understanding: Understanding) -> dict[tuple[str, int, int], Scorer]:
    del understanding  # the scorers of the requests that share this analysis
    return {}


def scorer(query: Query, understanding: Understanding, knowledge: Knowledge, *, length: int = LENGTH) -> Scorer:
    """Return the ``Scorer`` of a request: whoever asks it later finds what it has worked out."""
    known, key = _of(understanding), (base_text(query, understanding), length, id(knowledge))
    if key not in known:
        known[key] = Scorer(query, understanding, knowledge, length=length)
    return known[key]


class Scorer:
    """Scores the sub-queries of one query.

    Args:
        length: Characters from which a sub-query is too long.
    """

    def __init__(
        self, query: Query, understanding: Understanding, knowledge: Knowledge, *, length: int = LENGTH
    ) -> None:
        self._understanding = understanding
        self._knowledge = knowledge
        self._length = length
        self._known: dict[tuple[str, str], float] = {}
        self._protection = protection(query, understanding, knowledge)
        self._keywords = segmenter(knowledge.lexicon).keywords
        self._keeper = keeping(knowledge)
        self._keepers: dict[bool, Sequence[tuple[str, Keeper]]] = {}
        self._terms = terms(understanding)
        self._core_words = tuple(dict.fromkeys((*(e.text for e in understanding.entities), *self._terms)))
        self._base = plain(base_text(query, understanding))
        self._needs = tuple((need, drift.serving(knowledge)(need)) for need in understanding.implicit_needs)
        self._wanted = Folded(plain(" ".join((*understanding.keywords, *(e.text for e in understanding.entities)))))
        self._belongs: dict[str, bool] = {}
        usual = _usual(knowledge)
        self._apt, self._usual_forms = _forms_of(knowledge)(understanding.intent)
        self._usual_needs = frozenset([n for n in understanding.implicit_needs if plain(n) in usual])
        self._words = frozenset(w for w in self._base.split() if w.isascii() and len(w) > 3)

    def score(self, candidate: SubQuery) -> float:
        """Return how well ``candidate`` fits."""
        key = (candidate.text, candidate.strategy)
        if key not in self._known:
            self._known[key] = self._score(candidate)
        return self._known[key]

    def _score(self, candidate: SubQuery) -> float:
        text = candidate.text
        folded = plain(text)
        said = folded_text(folded)
        served = [need for need, serves in self._needs if serves(folded)]
        needed = bool(served)
        wider = candidate.strategy in drift.WIDENING
        # the guard saw to it that the parts keep everything together; a correction keeps what was meant
        part = candidate.strategy in {"decompose", "spelling"}
        fit = (
            0.4 * (1.0 if part else self._core(said, needed=needed, wider=wider))
            + 0.15 * (1.0 if part else self._constraints(text))
            + 0.3 * self._worth(said, candidate.strategy, served)
            + 0.1 * self._own(folded)
            + 0.05 * min(1.0, self._length / max(1, len(text)))
        )
        owned = self._protection.owned if candidate.strategy not in drift.FREE else ()
        foreign = bool(owned) and drift.replaced(text, owned, self._knowledge, wider=wider) is not None
        return round(fit * (_FOREIGN if foreign else 1.0), 4)

    def _worth(self, said: Folded, strategy: str, served: Sequence[str]) -> float:
        """What the candidate adds, 0..1; ``served`` are the needs that it speaks of."""
        if not self._usual_needs.issuperset(served):
            worth = 1.0
        elif any(map(said.holds, self._apt)):
            worth = 0.9
        elif strategy not in _ADDING:
            worth = 0.85
        else:
            worth = 0.5 if served or any(map(said.holds, self._usual_forms)) else 0.3
        if not self._words:
            return worth
        words = said.text.split()
        return worth - (0.2 if any(words.count(w) > 1 for w in self._words) else 0.0)

    def _core(self, said: Folded, *, needed: bool, wider: bool) -> float:
        """The share of entities (twice) and terms (once) that is kept; a need stands for the half of them."""
        if wider not in self._keepers:
            self._keepers[wider] = [(word, self._keeper(word, wider)) for word in self._core_words]
        kept = {word: keeps(said) or self._otherwise(said, word) for word, keeps in self._keepers[wider]}
        entities = [kept[e.text] or self._keeper(e.canonical, wider)(said) for e in self._understanding.entities]
        words = [kept[term] for term in self._terms]
        total = 2 * len(entities) + len(words)
        share = (2 * sum(entities) + sum(words)) / total if total else 1.0
        return max(share, 0.5) if needed else share

    def _otherwise(self, said: Folded, term: str) -> bool:
        """Whether a candidate has what a set of synonyms says for a wording of the query that holds a term."""
        return drift.said_otherwise(plain(term), said.text, self._base, self._knowledge)

    def _constraints(self, text: str) -> float:
        things = self._protection.things
        return 1.0 - len(self._protection.lost(text)) / len(things) if things else 1.0

    def _own(self, folded: str) -> float:
        """The share of the candidate's words that belong to the query; what is brought in costs little."""
        words = self._keywords(folded)
        if not words:
            return 0.0
        known, wanted = self._belongs, self._wanted
        for word in words:
            if word not in known:  # most words come again
                known[word] = wanted.holds(plain(word))
        return min(1.0, 0.5 + sum([known[word] for word in words]) / len(words))
