"""What no rewriting of a query may lose or change: identifiers, numbers, exclusions and hard limits.

``Protection`` is made once per query; ``lost`` and ``changed`` judge one candidate.  The strategies use it too, to
write down again what a template left out, so that rules and guard never disagree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice
from typing import Literal

from qx.domain import Knowledge
from qx.rules import bounds, drift, figures, negations, tokens
from qx.rules.figures import Figure
from qx.rules.terms import holds_exact, keeps, plain, segmenter
from qx.serial import value
from qx.text import identifiers, quotes
from qx.text.clean import clean
from qx.text.remembered import made_once
from qx.types import Constraint, Query, Understanding

Weight = Literal["hard", "soft"]

_COMPACT = re.compile(r"[\s\-_‐‑–]+")
_NEWEST = re.compile(
    r"最近|最新|近期|当前|現在|现在|今年|新款|新车|新品|新一代|\b(?:20\d\d|latest|newest|recent|current|new|now|today)\b|20\d\d"
)
_TIMES = frozenset({"published", "date", "time"})
_NUMBERED = re.compile(r"(?<![a-z0-9])[a-z]{2,}-(?P<number>\d{1,4})(?![a-z0-9])")
"""A name that a number ends and that is no model: COVID-19."""


@value
class Protected:
    """One thing that must survive.

    Attributes:
        text: The words of the query that carry it: writing them keeps it.
        kind: What it is, for the reason of a drop.
        weight: ``soft`` ones may be lost by strategies that widen.
        field: The canonical field, where it is a constraint.
    """

    text: str
    kind: Literal["identifier", "phrase", "number", "negation", "constraint"]
    weight: Weight = "hard"
    field: str = ""
    figures: tuple[Figure, ...] = ()
    target: str = ""
    wordings: tuple[str, ...] = ()
    """Other wordings (folded) of the name that a number is a part of: 新冠 of COVID-19."""
    constraint: Constraint | None = None

    def rules_out(self, folded: str) -> bool:
        """Whether a text excludes the target in the query's own words (не Samsung), whatever language they are in."""
        words = plain(self.text)
        return words != self.target and words in folded


def base_text(query: Query, understanding: Understanding) -> str:
    """The text that expansions must stay true to: the standalone form, else what was typed."""
    text = understanding.standalone or query.text
    return bounds.analysed(clean(text).text if "<" in text else text)  # the 1 of a script is no number of the query


def compact(text: str) -> str:
    """Fold and take out spaces and hyphens: ``RTX 3070`` and ``rtx-3070`` are one model."""
    return _COMPACT.sub("", plain(text))


@lru_cache(maxsize=1024)
def _spaced(pressed: str) -> re.Pattern[str]:
    """The pressed form with spaces and hyphens anywhere, but no further digit on either side."""
    before = r"(?<!\d)" if pressed[:1].isdigit() else ""
    after = r"(?!\d)" if pressed[-1:].isdigit() else ""
    return re.compile(before + r"[\s\-_‐‑–]*".join(map(re.escape, pressed)) + after)


def names(folded: str, text: str) -> bool:
    """Whether the folded text has ``text`` as it is, spaces and hyphens aside: ``rtx3070`` is "RTX 3070"."""
    pressed = compact(text)
    return bool(pressed) and bool(_spaced(pressed).search(folded))


def _recent(constraint: Constraint) -> bool:
    """Whether a limit of time asks for the newest or for now, so that other words of that keep it."""
    return constraint.value == "newest" or bool(_NEWEST.search(plain(constraint.text)))


@made_once
def _of(understanding: Understanding) -> dict[tuple[str, frozenset[str], int], Protection]:
    del understanding  # the protections of the requests that share this analysis
    return {}


def protection(
    query: Query, understanding: Understanding, knowledge: Knowledge, *, filtered: frozenset[str] = frozenset()
) -> Protection:
    """Return the ``Protection`` of a request: guard, fit and mix share one."""
    known, key = _of(understanding), (base_text(query, understanding), filtered, id(knowledge))
    if key not in known:
        known[key] = Protection(query, understanding, knowledge, filtered=filtered)
    return known[key]


class Protection:
    """The protected things of one query."""

    def __init__(
        self,
        query: Query,
        understanding: Understanding,
        knowledge: Knowledge,
        *,
        filtered: frozenset[str] = frozenset(),
    ) -> None:
        self.text = base_text(query, understanding)
        self._understanding = understanding
        self._knowledge = knowledge
        self._filtered = filtered
        self._constraints = understanding.constraints[: bounds.CONSTRAINTS]
        self._negations = tuple(plain(word) for word in understanding.negations[: bounds.NEGATIONS])
        self.identifiers = identifiers.find(self.text)
        self.figures = figures.find(self.text)
        named = [plain(i.text) for i in self.identifiers]
        self._bare = tuple(f for f in self.figures if not any(plain(f.text) in name for name in named))
        self.denials = negations.denials(self.text)
        self._together = negations.together(self.text) if len(self._negations) > 1 else ()
        self._faulty = bool(self.denials)
        self.things = tuple(islice(self._things(understanding), bounds.PROTECTED))

    @cached_property
    def owned(self) -> drift.Owned:
        """What the query names, of the things that exclude one another."""
        return drift.owned(self.text, self._understanding, self._knowledge)

    def _things(self, understanding: Understanding) -> Iterator[Protected]:
        seen: set[str] = set()
        verbatim = [(e.text, "phrase") for e in understanding.entities if e.verbatim]
        found = [(i.text, "identifier") for i in self.identifiers]
        phrases = [(p.text, "phrase") for p in quotes.phrases(self.text)]
        phrases += [(text, "phrase") for text in tokens.compared(self.text)]
        for text, kind in (*found, *phrases, *verbatim):
            key = compact(text)
            if key and key not in seen and not self._is_filtered(text):
                seen.add(key)
                yield Protected(text=text, kind="identifier" if kind == "identifier" else "phrase")
        yield from self._numbers()
        yield from self._exclusions(understanding)
        yield from self._limits()

    def _is_filtered(self, text: str) -> bool:
        folded = plain(text)
        return any(c.field in self._filtered and folded and folded in plain(c.text) for c in self._constraints)

    def _numbers(self) -> Iterator[Protected]:
        for figure in self.figures:
            owners = [c for c in self._constraints if plain(figure.text) in plain(c.text)]
            if figure not in self._bare or any(c.field in self._filtered for c in owners):
                continue
            soft = bool(owners) and not any(c.hard for c in owners)
            yield Protected(
                text=owners[0].text if owners else figure.text,
                kind="number",
                weight="soft" if soft else "hard",
                field=owners[0].field if owners else "",
                figures=(figure,),
                wordings=self._named_otherwise(figure.text),
            )

    def _named_otherwise(self, number: str) -> tuple[str, ...]:
        """The synonyms of the name in the query that ``number`` ends: what packs say for COVID-19 has no 19 to keep."""
        for match in _NUMBERED.finditer(plain(self.text)):
            if match["number"] == plain(number) and match[0] in self._knowledge.synonyms:
                return tuple(plain(word) for word, _ in self._knowledge.synonyms[match[0]])
        return ()

    def _exclusions(self, understanding: Understanding) -> Iterator[Protected]:
        for target in understanding.negations[: bounds.NEGATIONS]:
            owner = next(
                (c for c in self._constraints if c.op == "ne" and plain(target) in plain(f"{c.text} {c.value}")), None
            )
            if owner is not None and owner.field in self._filtered:
                continue
            text = owner.text if owner is not None and owner.text else self._exclusion_words(target)
            yield Protected(text=text, kind="negation", target=plain(target), field=owner.field if owner else "")

    def _exclusion_words(self, target: str) -> str:
        from qx.text import negation

        for found in negation.find(self.text):
            if plain(target) in plain(found.target):
                return self.text[found.start : found.end]
        return target

    def _limits(self) -> Iterator[Protected]:
        for c in self._constraints:
            if c.field in self._filtered or c.op == "ne" or not c.text or figures.find(c.text):
                continue  # numbers and exclusions are protected as such
            yield Protected(
                text=c.text, kind="constraint", weight="hard" if c.hard else "soft", field=c.field, constraint=c
            )

    def lost(self, text: str, *, widening: bool = False) -> tuple[Protected, ...]:
        """Return what ``text`` lost; with ``widening`` soft constraints may go."""
        if not self.things:
            return ()
        wanted = [t for t in self.things if not (widening and t.weight == "soft")]
        if not wanted:
            return ()
        folded, own = plain(text), figures.find(text)
        return tuple(t for t in wanted if not self._kept(t, folded, own))

    def _kept(self, thing: Protected, folded: str, own: tuple[Figure, ...]) -> bool:
        if thing.kind in {"identifier", "phrase"}:
            return names(folded, thing.text)
        if thing.kind == "number":
            kept = all(figures.kept(f, own) for f in thing.figures)
            return kept or any(holds_exact(folded, word) for word in thing.wordings)
        if thing.kind == "negation":
            return negations.excluded(folded, thing.target) or thing.rules_out(folded)
        return thing.constraint is not None and self._mentions(folded, thing.constraint)

    def _mentions(self, folded: str, constraint: Constraint) -> bool:
        if keeps(folded, constraint.text, self._knowledge):
            return True
        if constraint.field in _TIMES and _NEWEST.search(folded) and _recent(constraint):
            return True
        values = constraint.value if isinstance(constraint.value, tuple) else (constraint.value,)
        named = {str(v) for v in values}
        if any(holds_exact(folded, plain(v)) for v in named):
            return True
        for known in self._knowledge.taxonomy.fields:
            if known.id == constraint.field:
                words = [w for w, v in (*known.soft.items(), *known.values.items()) if v in named]
                if any(keeps(folded, w, self._knowledge) for w in words):
                    return True
        content = segmenter(self._knowledge.lexicon).keywords(constraint.text)
        return bool(content) and all(keeps(folded, w, self._knowledge) for w in content)

    def changed(self, text: str) -> str | None:
        """Return the reason if ``text`` changes a number, an identifier or an exclusion, else None."""
        other = figures.changed(self._bare, figures.find(text), said=self.figures) if self._bare else None
        if other is not None:
            return f"changes the number {other[0].text!r} to {other[1].text!r}"
        wished = self._wished(text) if self._negations else None
        return f"asks for what the query excludes: {wished}" if wished is not None else self._other_identifier(text)

    def _wished(self, text: str) -> str | None:
        """What the query excludes and ``text`` asks for."""
        folded = plain(text)
        for words in self._together:
            folded = folded.replace(words, " ")
        for thing in self.things:
            if thing.kind == "negation" and thing.rules_out(folded):
                folded = folded.replace(plain(thing.text), " ")
        return next((target for target in self._negations if negations.wanted(folded, target)), None)

    def _other_identifier(self, text: str) -> str | None:
        if not self.identifiers:
            return None
        known = {compact(i.text) for i in self.identifiers}
        types = {i.type for i in self.identifiers}
        folded = plain(text)
        for found in identifiers.find(text):
            key = compact(found.text)
            if found.type not in types or any(key in k or k in key for k in known):
                continue
            lost = [i for i in self.identifiers if i.type == found.type and not names(folded, i.text)]
            if lost:
                return f"puts {found.text} in the place of {lost[0].text}"
        return None

    def turns_round(self, text: str) -> bool:
        """Whether the query speaks of something that does not work and ``text`` no longer does."""
        if not self._faulty or negations.speaks_against(text, self.denials):
            return False
        folded = plain(text)
        return not all(plain(word) in folded for word in self.denials)
