"""Values that several engines of a process share, and none of them may change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeVar, cast

from pydantic import BaseModel

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class ReadOnly(dict[K, V]):
    """A ``dict`` that cannot be changed.

    pydantic writes no ``MappingProxyType``, and a model that holds one can neither be copied nor pickled.
    """

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("it is shared by all who read it and cannot be changed: change a copy of it, `dict(it)`")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = popitem = _refuse
    pop = setdefault = update = _refuse  # pyright: ignore[reportAssignmentType] each refuses whatever it is given

    def __reduce__(self) -> tuple[type[ReadOnly[K, V]], tuple[dict[K, V]]]:
        return type(self), (dict(self),)


def read_only(item: T) -> T:
    """Return ``item`` with every mapping in it as ``ReadOnly`` and every list as a tuple; what holds none is itself.

    It looks into mappings, lists, tuples and frozen models, which are copied where something of theirs changes.
    """
    return cast("T", _read_only(item))


_AS_THEY_ARE = frozenset((str, int, float, bool, type(None), ReadOnly))
"""Most of what a pack says.  By type: asking a hundred thousand synonyms what they are an instance of takes a second."""


def _read_only(item: object) -> object:
    if type(item) in _AS_THEY_ARE:
        return item
    if type(item) is tuple and all(type(one) is str for one in cast("tuple[object, ...]", item)):
        return cast("object", item)
    if isinstance(item, Mapping):
        return ReadOnly({key: _read_only(one) for key, one in cast("Mapping[object, object]", item).items()})
    if isinstance(item, list | tuple):
        parts = cast("Sequence[object]", item)
        made = tuple(map(_read_only, parts))
        same = isinstance(item, tuple) and all(new is old for new, old in zip(made, parts, strict=True))
        return parts if same else made
    if isinstance(item, BaseModel):
        found = {name: getattr(item, name) for name in type(item).model_fields}
        changed = {name: new for name, old in found.items() if (new := _read_only(old)) is not old}
        return _with(item, changed) if changed else item
    return item


def _with(model: BaseModel, changed: Mapping[str, object]) -> BaseModel:
    """A copy with ``changed``, of which the same fields count as given: packs replace by giving an empty one."""
    made = model.model_copy(update=changed)
    made.model_fields_set.intersection_update(model.model_fields_set)
    return made
