"""What one request becomes: a handful of Meilisearch queries that go in one round trip.

Meilisearch wants every word.  So the words of a question are asked for together, each alone and, where time allows, in
pairs; the lists are put together in ``qx_meilisearch.pool``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Literal

from qx.serial import value
from qx.syntax import Expression, FileType, Site
from qx.text.naming import names
from qx_meilisearch.clauses import Clause, Within, alternatives
from qx_meilisearch.filters import joined
from qx_meilisearch.words import MAX_TERMS, Vocabulary, phrase

Kind = Literal["browse", "named", "whole", "word", "pair", "count", "vector"]
Strategy = Literal["all", "last", "frequency"]

MIN_DEPTH = 100
"""Hits asked of each list: with 50 the order of the pool is worse, measured."""
MAX_EXCLUDED = 100
"""Exclusions of a query text: they are not among Meilisearch's ten words, but are of its 1,000 tokens."""
CHECKED_DEPTH = 1000
"""Hits asked of a list whose hits are then checked here."""
_ALONE = 8
"""Words that are asked for alone before any pair is."""
_COUNTED = 24
"""Further words of which only the number of documents is asked, which costs little."""
_PAIRED = 6
"""Words that are asked for in pairs, at most."""


@value
class Lookup:
    """One query of the multi-search.

    Attributes:
        q: Its text.
        strategy: Meilisearch's ``matchingStrategy``.
        words: The words that every hit of it holds.
        filter: On top of the request's own.
        attributes: Where to look; () is everywhere.
        check: What its hits must hold beyond that, judged here.
    """

    kind: Kind
    q: str = ""
    strategy: Strategy = "all"
    words: tuple[str, ...] = ()
    filter: str = ""
    attributes: tuple[str, ...] = ()
    check: tuple[Within, ...] = ()
    depth: int = MIN_DEPTH


@value
class Plan:
    """``lookups`` is empty where nothing is asked for; ``words`` are those whose frequencies matter."""

    lookups: tuple[Lookup, ...] = ()
    words: tuple[str, ...] = ()
    unexpressed: tuple[str, ...] = ()


class Planner:
    """Makes plans for one index.

    Args:
        vocabulary: Cuts and chooses words.
        place: A ``site:`` or ``filetype:`` as a filter; None where the index cannot filter by it.
        attribute: The attribute of a canonical field that holds words; None where there is none.
        searchable: Whether an attribute may be searched: the words of others are looked for in the hits alone.
        called: Ids as a filter that the documents of these ids pass; "" where the index cannot filter by them.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        place: Callable[[Site | FileType], str | None],
        attribute: Callable[[str], str | None],
        searchable: Callable[[str], bool] = lambda name: True,
        called: Callable[[Sequence[str]], str] = lambda ids: "",
    ) -> None:
        self._vocabulary = vocabulary
        self._place = place
        self._attribute = attribute
        self._searchable = searchable
        self._called = called

    def plan(self, expression: Expression, *, most: int, depth: int) -> Plan:
        """Return the queries for ``expression``.

        Args:
            most: How many there may be.
            depth: Hits that are wanted at least.
        """
        clauses = alternatives(expression)
        asked = [clause for clause in clauses if not clause.empty]
        lookups: list[Lookup] = []
        words: list[str] = []
        unexpressed = [part for clause in clauses for part in clause.unexpressed]
        for clause in asked[: max(1, most)]:
            share = max(1, (most - len(lookups)) // max(1, len(asked) - asked.index(clause)))
            found = [
                *self._named(clause, max(depth, MIN_DEPTH)),
                *self._lookups(clause, share, max(depth, MIN_DEPTH), unexpressed),
            ]
            lookups += [lookup for lookup in found if lookup not in lookups]
            words += [w for lookup in found if lookup.kind in ("word", "count") for w in lookup.words]
        if len(asked) > most:
            unexpressed.append(f"{len(asked) - most} more alternatives")
        return Plan(
            lookups=tuple(lookups), words=tuple(dict.fromkeys(words)), unexpressed=tuple(dict.fromkeys(unexpressed))
        )

    def _named(self, clause: Clause, depth: int) -> list[Lookup]:
        """Return the query for the documents that the words, or the phrase, call by their ids."""
        said = [*clause.groups, *((text,) for text in clause.phrases)]
        if len(said) != 1 or clause.within:
            return []
        ids = names(said[0]).ids
        called = self._called(ids) if ids else ""
        if not called:
            return []
        places = [(self._place(node), negative) for node, negative in clause.places]
        if any(found is None for found, _ in places):
            return []
        conditions = [f"NOT ({found})" if negative else str(found) for found, negative in places]
        excluded = " ".join(dict.fromkeys(clause.excluded[:MAX_EXCLUDED]))
        return [Lookup(kind="named", q=excluded, filter=joined([*conditions, called]), depth=depth)]

    def _lookups(self, clause: Clause, most: int, depth: int, unexpressed: list[str]) -> list[Lookup]:
        groups = [units for group in clause.groups if (units := self._vocabulary.units(group, 64))]
        if clause.groups and not groups and clause == Clause(groups=clause.groups):
            return []  # words that the index does not know as such
        excluded = tuple(dict.fromkeys(clause.excluded))
        if len(excluded) > MAX_EXCLUDED:
            unexpressed.append(f"{len(excluded) - MAX_EXCLUDED} more exclusions")
        required = tuple(group[0] for group in groups if len(group) == 1)
        open_groups = [group for group in groups if len(group) > 1]
        conditions, check = self._conditions(clause, unexpressed)
        inside, attributes = self._inside(clause, required or open_groups, check, unexpressed)
        fixed = [part for part in (*map(phrase, clause.phrases), *inside) if part]
        if not (groups or fixed or clause.excluded or conditions or check):
            return []  # nothing of it can be said: that is no wish for everything
        made = _Maker(
            fixed=fixed,
            required=required,
            excluded=excluded[:MAX_EXCLUDED],
            filter=joined(conditions),
            attributes=attributes,
            check=tuple(check),
            depth=CHECKED_DEPTH if check else depth,
            root=self._vocabulary.root,
        )
        if len(open_groups) > 1:
            return self._crossed(made, open_groups, most, unexpressed)
        return made.open(open_groups[0], most) if open_groups else [made.closed()]

    def _crossed(
        self, made: _Maker, groups: Sequence[tuple[str, ...]], most: int, unexpressed: list[str]
    ) -> list[Lookup]:
        """Of each group any word: every choice of one word a group or, where they are too many, all as one group."""
        size = math.prod(len(group) for group in groups)
        if size <= most and len(groups) <= MAX_TERMS - 2:
            return [made.word(*choice) for choice in product(*groups)]
        unexpressed.append("one of the words of each part: they are looked for as one list")
        return made.open(tuple(dict.fromkeys(word for group in groups for word in group)), most)

    def _conditions(self, clause: Clause, unexpressed: list[str]) -> tuple[list[str], list[Within]]:
        conditions: list[str] = []
        check: list[Within] = []
        for node, negative in clause.places:
            found = self._place(node)
            if found is not None:
                conditions.append(f"NOT ({found})" if negative else found)
                continue
            name, text = ("site", node.host) if isinstance(node, Site) else ("filetype", node.extension)
            check.append(Within(field=name, text=text, negative=negative))
            unexpressed.append(f"{name}:{text} (looked for among the first {CHECKED_DEPTH} hits)")
        return conditions, check

    def _inside(
        self, clause: Clause, others: Sequence[object], check: list[Within], unexpressed: list[str]
    ) -> tuple[list[str], tuple[str, ...]]:
        """Return the words that fields must hold, and the attributes to look in where that alone says it."""
        fields = dict.fromkeys(inside.field for inside in clause.within)
        known = {name: self._attribute(name) for name in fields}
        unexpressed += [f"{name}: (no such field that holds words)" for name in sorted(fields) if known[name] is None]
        found = [(inside, name) for inside in clause.within if (name := known[inside.field]) is not None]
        positive = [(i, name) for i, name in found if not i.negative and self._searchable(name)]
        words = [phrase(i.text) if i.phrase else i.text for i, _ in positive]
        alone = len(positive) == len(clause.within) and len(fields) == 1 and not others and not clause.phrases
        if alone and positive:
            return words, (positive[0][1],)
        check += [inside for inside, _ in found]
        unexpressed += [
            f"{i.field}:{i.text} (looked for among the first {CHECKED_DEPTH} hits)"
            for i, name in found
            if not i.negative and not self._searchable(name)
        ]
        return words, ()


@value
class _Maker:
    """Renders the queries of one clause: what is fixed stands in each of them."""

    fixed: Sequence[str]
    required: tuple[str, ...]
    excluded: tuple[str, ...]
    filter: str
    attributes: tuple[str, ...]
    check: tuple[Within, ...]
    depth: int
    root: Callable[[str], str]

    def closed(self) -> Lookup:
        """Everything must be there: one query."""
        if not (self.required or self.fixed):
            return self._made("browse", (), "all")
        kind: Kind = "word" if len(self.required) == 1 and not self.fixed else "whole"
        return self._made(kind, self.required, "all")

    def open(self, group: Sequence[str], most: int) -> list[Lookup]:
        """Any of the words: all together, the longest alone, then pairs of those, as many as there may be."""
        strategy: Strategy = "all" if self.required else "last"
        room = MAX_TERMS - len(self.fixed) - len(self.required)
        whole = self._made("whole", (*self.required, *group[: max(1, room)]), strategy)
        longest = [group[0], *sorted(group[1:], key=lambda word: -len(word))]  # the first is never left out
        alone = [self.word(word) for word in longest[:_ALONE]]
        paired = sorted(longest[:_PAIRED], key=group.index) if len(group) > 2 else []
        pairs = [self._made("pair", (*self.required, *pair), "all") for pair in combinations(paired, 2)]
        asked = [whole, *alone, *pairs][: max(1, most)]
        counts = [replace(self.word(word), kind="count", depth=0) for word in longest[len(alone) :][:_COUNTED]]
        return [*asked, *counts] if len(asked) > len(alone) else asked

    def word(self, *words: str) -> Lookup:
        """These words, whatever else there is."""
        return self._made("word", (*self.required, *words), "all")

    def _made(self, kind: Kind, words: Sequence[str], strategy: Strategy) -> Lookup:
        # the last word is a prefix: cut to its stem it finds other endings too
        said = [*words[:-1], self.root(words[-1])] if words else []
        if strategy == "all":  # a number or a model is meant literally; a phrase is, but would be a must among "last"
            said = [phrase(word) if any(c.isdigit() for c in word) else word for word in said]
        text = " ".join((*self.excluded, *self.fixed, *said))
        return Lookup(
            kind=kind,
            q=text,
            strategy=strategy,
            words=tuple(words) if strategy == "all" else (),
            filter=self.filter,
            attributes=self.attributes,
            check=self.check,
            depth=self.depth,
        )
