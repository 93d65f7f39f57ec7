"""The values of conditions, as the index spells them: ``hewlett packard`` is ``HP``, ``ｈｐ`` and ``hp`` too.

Only conditions that were read out of the query's words are looked at, never the caller's.  One that no engine can carry,
or whose value no document has, is no filter: its words stay in the query, and the result says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qx.backend import SearchBackend, SupportsFilter
from qx.context import Context
from qx.domain import Knowledge
from qx.errors import BadResponse
from qx.filters import Filter
from qx.filters.fieldmap import lower
from qx.filters.inference import from_constraints
from qx.rules.terms import plain
from qx.serial import replace, value
from qx.steps.grounding.brands import branded
from qx.steps.grounding.held import held
from qx.steps.grounding.named_dates import dated
from qx.steps.grounding.named_numbers import numbered
from qx.steps.grounding.spellings import mapped, spellings
from qx.steps.grounding.values import valued
from qx.steps.lowering import unsayable
from qx.text.segment import WORD_BEGINS, WORD_ENDS
from qx.types import Constraint, Query, SubQuery, Understanding
from qx.vocabulary import Held, Vocabulary

_ORDERS: Mapping[str, str] = {"low": "", "light": "", "thin": "", "small": "", "high": "-", "long": "-", "large": "-"}
"""What a wish says of a number -> the sign of the order that would fulfil it."""


@value
class Grounded:
    """An analysis as the backends that carry the same conditions take it.

    ``understanding`` has the constraints that can be filters there, ``words`` are those that stay words, ``unlowered``
    says why (``price: stored in CNY, not in HKD``).  ``backends`` are their names; None: all there are.
    """

    understanding: Understanding
    words: tuple[Constraint, ...] = ()
    unlowered: tuple[str, ...] = ()
    backends: frozenset[str] | None = None


@value
class _Settled:
    """A constraint as the index spells it (None: a filter nowhere), and why which backend cannot carry it."""

    said: Constraint
    made: Constraint | None
    refused: Mapping[str, str]

    def stays_word(self, backend: str) -> bool:
        return self.made is None or bool(self.refused[backend])


async def grounded(understanding: Understanding, context: Context, *, ask: bool = True) -> tuple[Grounded, ...]:
    """Ground the constraints of an analysis, for each group of backends that can carry the same of them.

    Notes say which values were put in the index's spelling, and why a constraint is no filter.  Never raises: an engine
    that cannot say what it holds is believed all.

    Args:
        ask: False uses only what is remembered, and takes no time.
    """
    vocabulary = context.vocabulary
    understanding = numbered(dated(understanding, context), context)
    understanding = await valued(await branded(understanding, context, ask=ask), context, ask=ask)
    able = [c for c in understanding.constraints if c.field in context.filterable]
    nowhere = _nowhere(understanding, context)
    if vocabulary is None or not able:
        return (Grounded(understanding=understanding, unlowered=nowhere),)
    settled = [await _settled(c, vocabulary, context, ask=ask) for c in able]
    groups: dict[tuple[bool, ...], list[str]] = {}
    for backend in vocabulary.backends:
        groups.setdefault(tuple([s.stays_word(backend.name) for s in settled]), []).append(backend.name)
    if len(groups) == 1:
        found = [_grounded(understanding, settled, vocabulary.backends[0].name, None)]
    else:
        found = [_grounded(understanding, settled, names[0], frozenset(names)) for names in groups.values()]
    return tuple(replace(part, unlowered=(*part.unlowered, *nowhere)) for part in found)


def _nowhere(understanding: Understanding, context: Context) -> tuple[str, ...]:
    """Note the limits that no engine has a field for, and return them; a value (white, HP) is looked for as a word."""
    if not context.filterable:
        return ()
    missing = [c for c in understanding.constraints if c.field not in context.filterable and _is_limit(c)]
    lost = [c for c in missing if c.hard or _is_bound(c, missing)]
    for one in lost:
        context.note(f"“{one.text or one.value}” stays a word: no engine has a field '{one.field}'")
    _tell_orders(understanding, context)
    return tuple(dict.fromkeys(f"{one.field}: no field '{one.field}'" for one in lost))


def _tell_orders(understanding: Understanding, context: Context) -> None:
    """Say of a wish for little or much of a number ("cheap", 最便宜) that it orders nothing, and what would."""
    if context.options.sort or context.vocabulary is None:
        return
    for one in understanding.constraints:
        sign = _ORDERS.get(one.value) if one.op == "prefer" and isinstance(one.value, str) else None
        fields = [backend.fields.get(one.field) for backend in context.vocabulary.backends]
        if sign is not None and any(field is not None and field.type == "number" for field in fields):
            end = "highest" if sign else "lowest"
            context.note(f"“{one.text or one.value}” orders nothing: sort by {sign}{one.field} for the {end} first")


def _is_limit(constraint: Constraint) -> bool:
    """Whether a constraint says how much, or when: words do not find what keeps to it."""
    amounts = all(isinstance(item, (int, float)) for item in _items(constraint))
    return constraint.op in ("lt", "le", "gt", "ge") or (constraint.op in ("eq", "in") and amounts)


def _is_bound(constraint: Constraint, others: Sequence[Constraint]) -> bool:
    """Whether one end alone is said: "after 1 March", 1小时以上; "today" and 三月 have two, and are also words."""
    same = [c for c in others if c.field == constraint.field and c.text == constraint.text]
    return constraint.op in ("lt", "le", "gt", "ge") and len(same) == 1


def _grounded(
    understanding: Understanding, settled: Sequence[_Settled], backend: str, names: frozenset[str] | None
) -> Grounded:
    made = {id(s.said): None if s.stays_word(backend) else s.made for s in settled}
    kept = [made.get(id(c), c) for c in understanding.constraints]
    words = [s for s in settled if s.stays_word(backend)]
    return Grounded(
        understanding=replace(understanding, constraints=tuple([c for c in kept if c is not None])),
        words=tuple([s.said for s in words]),
        unlowered=tuple([f"{s.said.field}: {s.refused[backend]}" for s in words if s.refused[backend]]),
        backends=names,
    )


async def _settled(constraint: Constraint, vocabulary: Vocabulary, context: Context, *, ask: bool) -> _Settled:
    refused = {backend.name: _refused(constraint, backend) for backend in vocabulary.backends}
    able = [backend for backend in vocabulary.backends if not refused[backend.name]]
    made: Constraint | None = constraint
    if able and constraint.op != "prefer":
        held = await _held(constraint, able, context, ask=ask)
        made, reason, told = _spelt(constraint, held, able, context.knowledge)
        if told:
            context.note(told)
        refused |= {backend.name: reason for backend in able if reason}
    settled = _Settled(said=constraint, made=made, refused=refused)
    _tell(settled, context)
    return settled


def _tell(settled: _Settled, context: Context) -> None:
    """Note why a condition is no filter, and where; of a wish nobody expects it."""
    if settled.said.op == "prefer":
        return
    reasons: dict[str, list[str]] = {}
    for name, reason in settled.refused.items():
        reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        if reason:
            where = f" for {', '.join(names)}" if len(names) < len(settled.refused) else ""
            context.note(f"“{settled.said.text or settled.said.value}” stays a word{where}: {reason}")


def restored(queries: Sequence[SubQuery], words: Sequence[Constraint], query: Query) -> tuple[SubQuery, ...]:
    """Return the sub-queries with the words of conditions that are no filters; the original has them already."""
    texts = [c.text for c in words if c.text and plain(c.text) in plain(query.text)]
    if not texts:
        return tuple(queries)
    out: list[SubQuery] = []
    for sub in queries:
        lost = [t for t in texts if plain(t) not in plain(sub.text)] if sub.strategy != "original" else []
        out.append(replace(sub, text=" ".join((sub.text, *lost))) if lost else sub)
    return tuple(out)


def relieved(queries: Sequence[SubQuery], before: Understanding, after: Understanding) -> tuple[SubQuery, ...]:
    """Return the sub-queries without the words of the conditions that grounding found: they were made before.

    As words they would find whatever else has the value: a printer of the HP that a laptop is to be of.
    """
    texts = [c.text for c in after.constraints if c.text and c.op != "prefer" and c not in before.constraints]
    if not texts:
        return tuple(queries)
    out: list[SubQuery] = []
    for sub in queries:
        text = sub.text
        if sub.strategy != "original":
            for said in sorted(texts, key=len, reverse=True):
                text = re.sub(
                    f"{WORD_BEGINS}{re.escape(said)}{WORD_ENDS}" if said.isascii() else re.escape(said), " ", text
                )
        left = " ".join(text.split())
        out.append(sub if left == sub.text or not left else replace(sub, text=left))
    return tuple(out)


def _refused(constraint: Constraint, backend: SearchBackend) -> str:
    """Why a backend cannot carry the constraint as a filter; empty where it can."""
    if not isinstance(backend, SupportsFilter):
        return "it cannot filter"
    if constraint.op == "prefer":
        return "" if constraint.field in backend.fields else f"no field '{constraint.field}'"
    lowered = lower(from_constraints([constraint]), backend.fields)
    if lowered.unlowered:
        return lowered.unlowered[0].reason
    if lowered.filter is None or _is_inexpressible(lowered.filter, backend):
        return f"{backend.name} has no words for it"
    return ""


def _is_inexpressible(tree: Filter, backend: SupportsFilter) -> bool:
    """What the backend says; of one that fails to, its own list's report will tell."""
    try:
        return bool(unsayable(tree, backend))
    except BadResponse:
        return False


async def _held(constraint: Constraint, able: Sequence[SearchBackend], context: Context, *, ask: bool) -> Held | None:
    """What the field holds; None where it cannot be known, or matters not."""
    texts = [item for item in _items(constraint) if isinstance(item, str)]
    if constraint.op not in ("eq", "ne", "in") or not texts:
        return None
    return await held(constraint.field, able, context, ask=ask)


def _spelt(
    constraint: Constraint, held: Held | None, backends: Sequence[SearchBackend], knowledge: Knowledge
) -> tuple[Constraint | None, str, str]:
    """The constraint in the index's spelling (None: it holds none of it), why not, and what is to be told."""
    if held is None:
        return constraint, "", ""
    fields = [backend.fields[constraint.field] for backend in backends]
    found: list[str | int | float | bool] = []
    told: list[str] = []
    for item in _items(constraint):
        if not isinstance(item, str) or mapped(item, fields):
            found.append(item)
            continue
        near = spellings(item, held.values, knowledge)
        if near and item not in near:
            told.append(f"{constraint.field}: “{item}” is {', '.join(near)} in the index")
        found += near or (() if held.complete else (item,))
    if not found:
        return None, f"no document has it in {constraint.field}", ""
    values = tuple(dict.fromkeys(found))
    if values == _items(constraint):
        return constraint, "", ""
    op = constraint.op if len(values) == 1 or constraint.op == "ne" else "in"
    stored = values if len(values) > 1 else found[0]
    return replace(constraint, op=op, value=stored), "", "; ".join(told)


def _items(constraint: Constraint) -> tuple[str | int | float | bool, ...]:
    return constraint.value if isinstance(constraint.value, tuple) else (constraint.value,)
