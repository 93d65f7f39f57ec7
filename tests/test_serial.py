"""Values: frozen, made by keyword, copied with changes."""

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Mapping
from dataclasses import field

import pytest

from qx.ranking import Unreadable
from qx.serial import empty, replace, value
from qx.types import Constraint, Entity, Understanding


@value
class Checked:
    size: int = 1
    tags: Mapping[str, str] = field(default_factory=empty)
    seen: list[int] = field(default_factory=lambda: list[int]())

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("negative")


def test_a_value_is_made_by_keyword_with_its_defaults():
    entity = Entity(text="bike", start=3)
    assert (entity.text, entity.type, entity.start, entity.end, entity.verbatim) == ("bike", "thing", 3, -1, False)
    assert str(inspect.signature(Entity)).startswith("(*, text: 'str', type: 'str' = 'thing'")
    with pytest.raises(TypeError, match="text"):
        Entity()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected"):
        Entity(text="a", colour="red")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Entity("a")  # type: ignore[misc]


def test_a_value_is_frozen_and_compares_hashes_and_pickles_by_its_fields():
    entity = Entity(text="bike")
    with pytest.raises(dataclasses.FrozenInstanceError):
        entity.text = "car"  # type: ignore[misc]
    assert entity == Entity(text="bike")
    assert hash(entity) == hash(Entity(text="bike"))
    assert pickle.loads(pickle.dumps(entity)) == entity == copy.copy(entity)


def test_defaults_are_made_anew_and_checks_run():
    assert Checked().seen is not Checked().seen
    assert Checked().tags is empty()
    with pytest.raises(ValueError, match="negative"):
        Checked(size=-1)
    with pytest.raises(ValueError, match="negative"):
        replace(Checked(), size=-1)


def test_a_subclass_has_the_fields_of_its_base():
    made = Unreadable(id="1", backend="main", reason="broken")
    assert (made.id, made.title, made.reason) == ("1", "", "broken")
    assert replace(made, reason="gone") == Unreadable(id="1", backend="main", reason="gone")


@pytest.mark.parametrize(
    ("item", "changes"),
    [
        (Understanding(intent=("how-to",)), {"keywords": ("bike",), "standalone": None}),
        (Constraint(field="price", op="le", value=5), {"value": None}),
        (Entity(text="bike"), {}),
    ],
)
def test_replace_is_that_of_dataclasses(item: object, changes: dict[str, object]):
    changed = replace(item, **changes)
    assert changed == dataclasses.replace(item, **changes)
    assert changed is not item
    assert type(changed) is type(item)


def test_replace_refuses_what_is_no_field():
    with pytest.raises(TypeError, match="colour"):
        replace(Entity(text="bike"), colour="red")
