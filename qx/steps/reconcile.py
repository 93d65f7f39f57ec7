"""Hold a model's analysis against the query: what it made up goes, what it overlooked comes back.

Rules find numbers, identifiers, quoted phrases and negations without error, a model finds meaning; this joins the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from qx.domain import Knowledge, Taxonomy
from qx.rules.kinds import type_of
from qx.rules.negations import speaks_against
from qx.rules.terms import holds, holds_exact, keeps, plain, segmenter
from qx.serial import replace
from qx.settings import Expand
from qx.steps.guard import guard
from qx.steps.unsaid import Said
from qx.text import normalise
from qx.types import Constraint, Entity, Query, Sense, SubQuery, Understanding

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NOTHING = Knowledge(name="none", taxonomy=Taxonomy(name="none", intents=()))


def reconcile(
    query: Query, model: Understanding, rules: Understanding, *, knowledge: Knowledge | None = None
) -> Understanding:
    """Return the model's understanding, grounded in ``query`` and completed by what rules know for certain.

    Args:
        query: The query as typed.
        model: What a model made of it.
        rules: What rules made of it.
        knowledge: What the guard knows, which holds the model's standalone form against the query; without it a form
            of a query without history must be made of the query's own words.
    """
    spelt = rules.signals.get("spelling", "")
    said = normalise.fold(" ".join([query.text, spelt, *(turn.content for turn in query.history)]))
    heard = Said(words=said, rules=rules, knowledge=knowledge or _NOTHING)
    constraints = _constraints(model.constraints, rules.constraints, heard)
    excluded = _excluded(model.negations, heard) if model.negations else ()
    negations = tuple(dict.fromkeys([*rules.negations, *excluded]))
    return replace(
        model,
        entities=_entities(query, model.entities, rules.entities, said),
        constraints=constraints,
        implicit_needs=model.implicit_needs or rules.implicit_needs,
        keywords=tuple(k for k in model.keywords if normalise.fold(k) in said) or rules.keywords,
        negations=negations,
        language=rules.language,
        senses=_senses(model.senses, said) or rules.senses,
        standalone=_standalone(query, model, rules, knowledge),
        signals={k: v for k, v in model.signals.items() if k != "spelling"} | dict(rules.signals),
    )


def _senses(model: Sequence[Sense], said: str) -> tuple[Sense, ...]:
    """The readings of words that the query has and that have two readings at least: a single one is a definition."""
    found: dict[str, dict[str, Sense]] = {}
    for sense in model:
        word = normalise.fold(sense.word)
        if word in said:
            found.setdefault(word, {}).setdefault(normalise.fold(sense.label), sense)
    return tuple(sense for readings in found.values() if len(readings) > 1 for sense in readings.values())


def _entities(query: Query, model: Sequence[Entity], rules: Sequence[Entity], said: str) -> tuple[Entity, ...]:
    certain = [e for e in rules if e.verbatim]
    out: list[Entity] = []
    for entity in model:
        if normalise.fold(entity.text) not in said:
            continue
        start = query.text.casefold().find(entity.text.casefold())
        same = next((c for c in certain if normalise.fold(c.text) == normalise.fold(entity.text)), None)
        out.append(
            replace(
                entity,
                start=start,
                end=start + len(entity.text) if start >= 0 else -1,
                verbatim=same is not None,
                canonical=entity.canonical or (same.canonical if same else ""),
            )
        )
    found = [normalise.fold(e.text) for e in out]
    missed = [e for e in rules if e.verbatim and normalise.fold(e.text) not in found]
    missed += [
        e
        for e in rules
        if not e.verbatim and e.type != "thing" and not any(normalise.fold(e.text) in text for text in found)
    ]
    return (*out, *missed)


def _numbers(item: Constraint) -> list[str]:
    values = item.value if isinstance(item.value, tuple) else (item.value,)
    return [f"{v:g}" for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]


def _constraints(model: Iterable[Constraint], rules: Iterable[Constraint], said: Said) -> tuple[Constraint, ...]:
    certain = [c for c in rules if c.hard or _numbers(c)]  # what is counted is read without error: "about 2000" too
    fields = {c.field for c in certain}
    kept = [c for c in model if c.field not in fields and not _denied(c, said) and said.supports(c)]
    have = fields | {c.field for c in kept}
    wishes = [c for c in rules if c not in certain and c.field not in have]
    return (*certain, *kept, *wishes)


def _excluded(negations: Sequence[str], said: Said) -> list[str]:
    """What a model takes for ruled out and the words name: not what is looked for, unless they rule that very thing out."""
    goods = [normalise.fold(e.text) for e in said.rules.entities if type_of(e, said.knowledge) == "product"]
    sought = [word for word in goods if not _told_out(said.words, word, said.rules)]
    return [n for n in negations if normalise.fold(n) in said.words and normalise.fold(n) not in sought]


def _told_out(said: str, word: str, rules: Understanding) -> bool:
    """Whether the words rule out ``word`` itself: rules found no exclusion, and something says no, or they name it."""
    if rules.negations:
        return any(word in normalise.fold(n) for n in rules.negations)
    return speaks_against(said)


def _denied(condition: Constraint, said: Said) -> bool:
    """Whether a model asks for what the words rule out: "brand is HP" of "laptop, not HP"."""
    if condition.op == "ne":
        return False
    values = condition.value if isinstance(condition.value, tuple) else (condition.value,)
    named = {plain(str(v)) for v in values if isinstance(v, str)}
    ruled = {plain(n) for n in said.rules.negations}
    ruled |= {plain(str(c.value)) for c in said.rules.constraints if c.op == "ne" and c.field == condition.field}
    return not named.isdisjoint(ruled) or bool(condition.text and plain(condition.text) in ruled)


def _standalone(query: Query, model: Understanding, rules: Understanding, knowledge: Knowledge | None) -> str | None:
    """The model's form if it lost nothing that counts and adds nothing that nobody said, else the rules'."""
    form = model.standalone
    if form is None or normalise.fold(form) == normalise.fold(query.text):
        return rules.standalone
    held = normalise.fold(form)
    must = [e.text for e in rules.entities if e.verbatim] + list(rules.negations)
    must += [n for c in rules.constraints if c.hard for n in _NUMBER.findall(c.text)]
    if not all(normalise.fold(m) in held for m in must):
        return rules.standalone
    pointing = rules.kind == "vague" and not rules.senses  # 最近那个车, which the date or a look at the hits tells
    if query.history or pointing or rules.standalone is not None:  # the last: a long text cut short
        return form
    return form if _true(query, rules, form, knowledge) else rules.standalone


def _true(query: Query, rules: Understanding, form: str, knowledge: Knowledge | None) -> bool:
    """Whether ``form`` says what the query says: in its words, or in words of which the guard knows that they do.

    The form becomes the original of the expansion: nothing that it adds would be seen by anyone again.
    """
    own = knowledge or _NOTHING
    made = SubQuery(text=form, strategy="synonym")
    bare = replace(rules, standalone=None)
    _, dropped = guard(query, bare, (made,), settings=Expand(similarity=1.0), knowledge=own)
    if dropped and not dropped[0].reason.startswith("duplicate"):
        return False
    said = plain(f"{query.text} {rules.signals.get('spelling', '')}")
    wordings = [plain(o) for key, others in _near(said, own) for o, _ in others if key]
    return all(
        keeps(said, word, own) or any(holds(wording, plain(word)) for wording in wordings)
        for word in segmenter(own.lexicon).keywords(form)
    )


def _near(said: str, knowledge: Knowledge) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """The synonym sets of the words of the query."""
    return [(key, others) for key, others in knowledge.synonyms.items() if holds_exact(said, key)]
