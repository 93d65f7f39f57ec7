"""Rows that no reading can be right on, such as those with a misspelled intent: they are told, for they count as misread."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from qx.domain import Knowledge, Taxonomy
from qx.eval.understanding.contradicting import contradicting
from qx.eval.understanding.matching import plain
from qx.eval.understanding.rows import Row, places
from qx.packs import BY_RULES
from qx.registry import suggest


def unscorable(rows: Sequence[Row], knowledge: Knowledge) -> tuple[str, ...]:
    """Return notes on what rows want and no reading can give: names that no pack has, entities that are not in the text.

    Args:
        rows: The set.
        knowledge: What the packs of the profile hold (``gather_knowledge``).
    """
    taxonomy = knowledge.taxonomy
    types = {*BY_RULES, *(kind.id for kind in taxonomy.entity_types)}
    types |= {rule.type for rule in knowledge.patterns if rule.type is not None}
    entities = [(row, entity) for row in rows for entity in row.wanted.entities or ()]
    limits = [(row, limit) for row in rows for limit in row.wanted.constraints or ()]
    absent = [(e.text, row) for row, e in entities if plain(e.text) not in plain(row.wanted.text)]
    return (
        *unknown_intents(rows, taxonomy),
        *_unknown("field", [(limit.field, row) for row, limit in limits], {field.id for field in taxonomy.fields}),
        *_unknown("type of entity", [(e.type, row) for row, e in entities if e.type is not None], types),
        *_told("the query does not hold the entity", absent, ()),
        *_twice(rows),
        *contradicting(rows),
    )


def unknown_intents(rows: Sequence[Row], taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return a note for each intent that rows want and no reading can give: a slip of the pen counts as misread."""
    wanted = [(intent, row) for row in rows for intent in row.wanted.intents or ()]
    return tuple(_unknown("intent", wanted, {intent.id for intent in taxonomy.intents}))


def _unknown(what: str, wanted: Iterable[tuple[str, Row]], known: Collection[str]) -> Iterator[str]:
    unknown = [(name, row) for name, row in wanted if name not in known]
    return _told(f"no pack of the profile has the {what}", unknown, known)


def _told(what: str, wanted: Iterable[tuple[str, Row]], known: Collection[str]) -> Iterator[str]:
    rows: dict[str, list[Row]] = {}
    for name, row in wanted:
        rows.setdefault(name, []).append(row)
    for name, where in rows.items():
        yield f"{what} {name!r} ({places(where)}): {suggest(name, known) or 'it counts as misread'}"


def _twice(rows: Sequence[Row]) -> Iterator[str]:
    first: dict[str, Row] = {}
    again = [
        (before, row) for row in rows if (before := first.setdefault(row.wanted.model_dump_json(), row)) is not row
    ]
    if again:
        count = "1 row says" if len(again) == 1 else f"{len(again)} rows say"
        such = "" if len(again) == 1 else "such as "
        yield f"{count} the same as one before ({such}{places(again[0])}): it counts twice"
