"""What an entity is a kind of, and which pack's type takes another's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from qx.domain import DomainPack, Knowledge, merge
from qx.rules.kinds import broader, taken, type_of
from qx.rules.understand import RuleUnderstanding
from qx.types import Entity, Query

NOW, ZONE = datetime(2026, 6, 15, tzinfo=UTC), UTC


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


@pytest.fixture(scope="module")
def library(general: DomainPack) -> RuleUnderstanding:
    """A pack with a kind of place, and needs and an intent that ask for it by its own type."""
    types = [{"id": "branch", "broader": "place", "names": {"东区分馆": ["east branch"]}}]
    intents = [
        {"id": "visit", "broader": "factual", "when": ["@branch"]},
        {"id": "lend", "cues": ["外借", "lend"], "needs": [{"when": ["@branch"], "needs": ["柜台"], "language": "zh"}]},
    ]
    needs = [
        {"when": ["@branch"], "needs": ["公交"], "language": "zh"},
        {"when": ["@branch"], "needs": ["bus"], "language": "en"},
        {"when": ["wifi + @branch"], "needs": ["password"]},
        {"when": ["@branch"], "unless": ["@branch"], "needs": ["nothing"]},
    ]
    taxonomy = {"name": "library", "intents": intents, "entity_types": types}
    pack = DomainPack.model_validate({"schema_version": 1, "name": "library", "taxonomy": taxonomy, "needs": needs})
    return RuleUnderstanding(merge([pack, general]))


@pytest.mark.parametrize(
    ("text", "intent", "needs"),
    [
        ("东区分馆的书可以外借吗", "lend", {"柜台", "公交"}),
        ("does the east branch lend toys", "lend", {"bus"}),
        ("东区分馆几点关门", "visit", {"公交"}),
        ("where is the east branch", "visit", {"bus"}),
        ("east branch wifi", None, {"password"}),
    ],
)
def test_needs_and_intents_ask_for_a_type_by_its_own_name_too(
    library: RuleUnderstanding, text: str, intent: str | None, needs: set[str]
) -> None:
    found = library.understand(Query(text=text), now=NOW, zone=ZONE)
    assert ("branch", "nothing" in found.implicit_needs) == (found.entities[0].type, False)
    assert needs <= set(found.implicit_needs)
    assert intent in (None, *found.intent)
