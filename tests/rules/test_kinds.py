"""What an entity is a kind of, and which pack's type takes another's."""

from __future__ import annotations

from typing import Any

from qx.domain import DomainPack, Knowledge, merge
from qx.rules.kinds import broader, taken, type_of
from qx.types import Entity


def merged(*packs: list[dict[str, Any]]) -> Knowledge:
    """Packs of these types of entity, the first one above the others."""
    return merge(
        [
            DomainPack.model_validate(
                {"schema_version": 1, "name": f"pack{n}", "taxonomy": {"name": f"t{n}", "intents": [], "entity_types": types}}
            )
            for n, types in enumerate(packs)
        ]
    )  # fmt: skip


def test_the_first_pack_that_takes_a_type_has_it() -> None:
    first, second = {"id": "sku", "takes": ["model-number"]}, {"id": "part", "takes": ["model-number", "order-number"]}
    assert taken(merged([first], [second])) == {"model-number": "sku", "order-number": "part"}
    assert taken(merged([second], [first])) == {"model-number": "part", "order-number": "part"}


def test_the_first_type_of_a_pack_that_takes_one_has_it() -> None:
    types = [{"id": "b", "takes": ["model-number"]}, {"id": "a", "takes": ["model-number"]}]
    assert taken(merged(types)) == {"model-number": "b"}


def test_an_entity_goes_by_what_its_type_is_a_kind_of() -> None:
    knowledge = merged([{"id": "product"}, {"id": "category", "broader": "product"}])
    assert broader(knowledge) == {"category": "product"}
    assert [type_of(Entity(text="x", type=type_), knowledge) for type_ in ("category", "product", "brand")] == [
        "product",
        "product",
        "brand",
    ]
