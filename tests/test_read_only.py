"""What is shared cannot be changed, and is otherwise what it was."""

import copy
import json
import pickle
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

import pytest

from qx.domain import EntityType, Example
from qx.read_only import ReadOnly, read_only

CHANGES: list[Callable[[Any], object]] = [
    lambda it: it.__setitem__("b", 2),
    lambda it: it.__delitem__("a"),
    lambda it: it.__ior__({"b": 2}),
    lambda it: it.update(b=2),
    lambda it: it.setdefault("b", 2),
    lambda it: it.pop("a"),
    lambda it: it.popitem(),
    lambda it: it.clear(),
]


@pytest.mark.parametrize("change", CHANGES)
def test_no_way_of_changing_it_works(change: Callable[[Any], object]) -> None:
    it = read_only({"a": 1})
    with pytest.raises(TypeError, match="change a copy"):
        change(it)
    assert it == {"a": 1}


def test_every_way_in_which_a_dict_changes_is_refused() -> None:
    changing = {name for name in vars(dict) if name in dir(MutableMapping) and name not in dir(Mapping)}
    assert changing | {"__ior__"} <= vars(ReadOnly).keys()


def test_it_is_still_what_it_was() -> None:
    example = Example(text="x", language="en", understanding={"intent": ["a"], "entities": [{"type": "b"}]})
    kind = EntityType(id="t", labels={"en": "t"}, names={"a": ("b",)})
    for item in (example, kind):
        made = read_only(item)
        assert made.model_dump(mode="json") == item.model_dump(mode="json")
        assert made.model_dump_json() == item.model_dump_json()
        assert copy.deepcopy(made) == pickle.loads(pickle.dumps(made)) == made
    assert json.dumps(read_only({"a": [1, {"b": 2}]})) == '{"a": [1, {"b": 2}]}'


def test_it_goes_all_the_way_down_and_leaves_the_first_one_alone() -> None:
    first = Example(text="x", language="en", understanding={"entities": [{"type": "b"}]})
    made = read_only((first,))[0]
    with pytest.raises(TypeError):
        made.understanding["entities"][0]["type"] = "c"
    assert isinstance(made.understanding["entities"], tuple)
    assert isinstance(first.understanding["entities"], list)


def test_what_counts_as_given_stays() -> None:
    kind = EntityType(id="t", labels={"en": "t"})
    assert read_only(kind) is not kind
    assert read_only(kind).model_fields_set == {"id", "labels"}


def test_what_holds_nothing_that_changes_is_not_copied() -> None:
    item = ("a", ("b", 1), None)
    assert read_only(item) is item


def test_a_tuple_of_words_is_itself_and_one_of_kinds_of_text_too() -> None:
    class Name(str):
        __slots__ = ()

    for item in (("a", "b"), (Name("a"), "b"), ("a", 1, None, 2.5, True), ()):
        assert read_only(item) is item
    assert read_only((["a"], "b")) == (("a",), "b")
