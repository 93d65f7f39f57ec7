"""What an entity is a kind of: a pack's ``category`` is a ``product``, and what is known of products holds of it."""

from __future__ import annotations

from collections.abc import Mapping

from qx.domain import Knowledge
from qx.text.remembered import made_once
from qx.types import Entity


@made_once
def broader(knowledge: Knowledge) -> Mapping[str, str]:
    """Type -> the type that it is a kind of, for those that are one."""
    return {kind.id: kind.broader for kind in knowledge.taxonomy.entity_types if kind.broader is not None}


def type_of(entity: Entity, knowledge: Knowledge) -> str:
    """The type by which rules know ``entity``: that which its own type is a kind of, else its own."""
    return broader(knowledge).get(entity.type, entity.type)


@made_once
def taken(knowledge: Knowledge) -> Mapping[str, str]:
    """Type -> the type of a pack that its entities are read as; the first pack that takes one has it."""
    found: dict[str, str] = {}
    for kind in knowledge.taxonomy.entity_types:
        for type_ in kind.takes:
            found.setdefault(type_, kind.id)
    return found
