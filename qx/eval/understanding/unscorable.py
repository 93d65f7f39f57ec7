"""Rows that no reading can be right on, such as those with a misspelled intent: they are told, for they count as misread."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from qx.domain import Knowledge, Taxonomy
from qx.eval.understanding.matching import plain
from qx.eval.understanding.rows import Row
from qx.packs import BY_RULES
from qx.registry import suggest

_MOST = 5
"""Places that one note names."""


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
        yield f"{what} {name!r} ({_places(where)}): {suggest(name, known) or 'it counts as misread'}"


def _twice(rows: Sequence[Row]) -> Iterator[str]:
    seen: set[str] = set()
    again: list[Row] = []
    for row in rows:
        said = row.wanted.model_dump_json()
        if said in seen:
            again.append(row)
        seen.add(said)
    if again:
        count = "1 row says" if len(again) == 1 else f"{len(again)} rows say"
        yield f"{count} the same as one before ({_places(again)}): it counts twice"


def _places(rows: Sequence[Row]) -> str:
    more = ", …" if len(rows) > _MOST else ""
    if len({row.file for row in rows}) == 1:
        return f"line {', '.join(str(row.line) for row in rows[:_MOST])}{more}"
    return f"{', '.join(f'{row.file}:{row.line}' for row in rows[:_MOST])}{more}"
