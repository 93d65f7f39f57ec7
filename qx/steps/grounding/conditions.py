"""The values of conditions, as the index spells them: ``hewlett packard`` is ``HP``, ``ｈｐ`` and ``hp`` too.

Only conditions that were read out of the query's words are looked at, never the caller's.  One that no engine can carry,
or whose value no document has, is no filter: its words stay in the query, and the result says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from qx.backend import SearchBackend, SupportsFilter
from qx.context import Context
from qx.domain import Knowledge
from qx.errors import BadResponse, QxError
from qx.filters import Filter
from qx.filters.fieldmap import StoredField, lower
from qx.filters.inference import from_constraints
from qx.rules.terms import plain
from qx.serial import value
from qx.steps.grounding.vocabulary import tell_unknown
from qx.steps.lowering import unsayable
from qx.types import Constraint, Query, SubQuery, Understanding
from qx.vocabulary import Held, Vocabulary

VALUES_SHARE = 0.1
"""Of the time that is left, what looking values up may take."""
VALUES_SECONDS = 0.5
"""What it takes at most."""
_SHORTEST = 7
"""Characters from which one slip of the pen is taken for one: ``Canon`` and ``Canyon`` are two brands."""
_BETWEEN = re.compile(r"[\s\-_./&·・'’]+")
_DIGITS = re.compile(r"\d+")


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
    able = [c for c in understanding.constraints if c.field in context.filterable]
    if vocabulary is None or not able:
        return (Grounded(understanding=understanding),)
    settled = [await _settled(c, vocabulary, context, ask=ask) for c in able]
    groups: dict[tuple[bool, ...], list[str]] = {}
    for backend in vocabulary.backends:
        groups.setdefault(tuple([s.stays_word(backend.name) for s in settled]), []).append(backend.name)
    if len(groups) == 1:
        return (_grounded(understanding, settled, vocabulary.backends[0].name, None),)
    return tuple(_grounded(understanding, settled, names[0], frozenset(names)) for names in groups.values())


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
        held = await _held(constraint, able, vocabulary, context, ask=ask)
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


async def _held(
    constraint: Constraint, able: Sequence[SearchBackend], vocabulary: Vocabulary, context: Context, *, ask: bool
) -> Held | None:
    """What the field holds; None where it cannot be known, or matters not."""
    kinds = {backend.fields[constraint.field].type for backend in able}
    texts = [item for item in _items(constraint) if isinstance(item, str)]
    if constraint.op not in ("eq", "ne", "in") or not texts or not kinds <= {"keyword", None}:
        return None
    if not vocabulary.tells("values"):
        return None
    if not ask:
        return vocabulary.remembered(constraint.field)
    left = context.budget.remaining().seconds
    try:
        return await vocabulary.values(constraint.field, _within(left))
    except QxError as error:
        tell_unknown(context, error)
        return None


def _within(left: float | None) -> float:
    return VALUES_SECONDS if left is None else min(VALUES_SECONDS, left * VALUES_SHARE)


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
        if not isinstance(item, str) or _mapped(item, fields):
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


def spellings(wanted: str, known: Sequence[str], knowledge: Knowledge) -> tuple[str, ...]:
    """Return the stored values that ``wanted`` means; none rather than a doubtful one.

    The same but for case, width, spaces and Traditional characters; else another name of a pack; else the initials of one
    value alone (either way round); else one value that differs by a slip of the pen.
    """
    keys: dict[str, list[str]] = {}
    for item in known:
        keys.setdefault(_key(item), []).append(item)
    own = _key(wanted)
    names = (own, *(_key(other) for other, _ in knowledge.synonyms.get(plain(wanted), ())))
    for name in names:
        if name in keys:
            return tuple(keys[name])
    alike = [key for key in keys if _initials(wanted) == key] or [
        key for key, items in keys.items() if any(_initials(item) == own for item in items)
    ]
    if not alike:
        alike = _misspelt(own, list(keys))
    return tuple(keys[alike[0]]) if len(alike) == 1 else ()


def _misspelt(own: str, keys: Sequence[str]) -> list[str]:
    if len(own) < _SHORTEST:
        return []
    from rapidfuzz.distance import OSA

    near = [key for key in keys if key[:1] == own[:1] and OSA.distance(own, key, score_cutoff=1) <= 1]
    return [key for key in near if _DIGITS.findall(key) == _DIGITS.findall(own)]


def _key(text: str) -> str:
    return _BETWEEN.sub("", plain(text))


def _initials(text: str) -> str:
    """``hewlett-packard`` -> ``hp``; nothing for a single word."""
    words = [word for word in _BETWEEN.split(plain(text)) if word]
    return "".join(word[0] for word in words) if len(words) > 1 and all(word[0].isalpha() for word in words) else "\0"


def _items(constraint: Constraint) -> tuple[str | int | float | bool, ...]:
    return constraint.value if isinstance(constraint.value, tuple) else (constraint.value,)


def _mapped(item: str, fields: Sequence[StoredField]) -> bool:
    """Whether the profile itself says how the value is stored."""
    known: list[Mapping[str, str]] = [field.values for field in fields]
    return any(item.casefold() == spelling.casefold() for values in known for spelling in values)
