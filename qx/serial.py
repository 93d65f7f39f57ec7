"""Frozen values and their stable JSON: ``@value``, ``to_json``, ``from_json``, ``json_schema``.

Everything that flows between the steps is a frozen, slotted, keyword-only dataclass.  Its field names are its JSON
keys, in the order of the class.  pydantic is used only here, at the edge: reading JSON back, writing what caches
keep, and publishing schemas.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, TypeVar, cast, dataclass_transform

T = TypeVar("T")

EMPTY: Mapping[str, Any] = MappingProxyType({})
"""An empty mapping, shared and read-only."""


def empty() -> Mapping[str, Any]:
    """Return ``EMPTY``: the ``default_factory`` of every mapping field."""
    return EMPTY


@dataclass_transform(frozen_default=True, kw_only_default=True)
def value(cls: type[T]) -> type[T]:
    """Make ``cls`` a frozen, slotted dataclass whose fields are given by keyword."""
    made = dataclass(frozen=True, slots=True, kw_only=True, init=False)(cls)
    made.__init__ = _initialiser(made)
    return made


def replace(item: T, /, **changes: Any) -> T:
    """Return a copy of a ``@value`` with other ``changes``, as ``dataclasses.replace`` does in three times the time.

    Raises:
        TypeError: it has no such field.
    """
    return _replacer(type(item))(item, **changes)


_ABSENT: Any = object()


def _initialiser(cls: type[Any]) -> Callable[..., None]:
    """The ``__init__`` that ``dataclass`` would write, but faster: a request makes hundreds of values.

    What is frozen is set by ``object.__setattr__`` and the name of each field; its slot sets it in two thirds of that.
    """
    scope: dict[str, Any] = {"_absent": _ABSENT}
    parameters: list[str] = []
    body: list[str] = []
    for one in fields(cls):
        name = given = one.name
        scope[f"_set_{name}"] = getattr(cls, name).__set__
        if one.default is not MISSING:
            scope[f"_default_{name}"] = one.default
            parameters.append(f"{name}=_default_{name}")
        elif one.default_factory is not MISSING:
            scope[f"_make_{name}"] = one.default_factory
            parameters.append(f"{name}=_absent")
            given = f"_make_{name}() if {name} is _absent else {name}"
        else:
            parameters.append(name)
        body.append(f"_set_{name}(self, {given})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    made = _compiled(cls, "__init__", parameters, body, scope)
    made.__annotations__ = {one.name: one.type for one in fields(cls)} | {"return": None}
    return made


@cache
def _replacer(cls: type[Any]) -> Callable[..., Any]:
    scope: dict[str, Any] = {"_absent": _ABSENT, "_new": object.__new__, "_cls": cls}
    parameters: list[str] = []
    body = ["_made = _new(_cls)"]
    for one in fields(cls):
        name = one.name
        scope[f"_set_{name}"] = getattr(cls, name).__set__
        parameters.append(f"{name}=_absent")
        body.append(f"_set_{name}(_made, self.{name} if {name} is _absent else {name})")
    if hasattr(cls, "__post_init__"):
        body.append("_made.__post_init__()")
    return _compiled(cls, "replace", parameters, [*body, "return _made"], scope)


def _compiled(
    cls: type[Any], name: str, parameters: list[str], body: list[str], scope: dict[str, Any]
) -> Callable[..., Any]:
    """Compile a method of ``cls`` whose ``parameters`` are given by keyword."""
    head = ", ".join(["self", "*", *parameters] if parameters else ["self"])
    exec(f"def {name}({head}):\n " + "\n ".join(body or ["pass"]), scope)  # noqa: S102 the names of our own fields
    made: Callable[..., Any] = scope[name]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.{name}", cls.__module__
    return made


_SCALARS = (str, int, float, bool, type(None))


@cache
def _names(cls: type[Any]) -> tuple[str, ...] | None:
    """The fields of a dataclass, None for any other type."""
    return tuple(f.name for f in fields(cls)) if is_dataclass(cls) else None


def to_plain(item: object) -> Any:
    """Return ``item`` as plain dicts, lists, strings, numbers, booleans and None, in field order."""
    if isinstance(item, _SCALARS):
        return item
    names = _names(type(item))
    if names is not None:
        return {name: v if isinstance(v := getattr(item, name), _SCALARS) else to_plain(v) for name in names}
    if isinstance(item, (dict, Mapping)):
        pairs = cast(Mapping[object, object], item).items()
        return {str(k): v if isinstance(v, _SCALARS) else to_plain(v) for k, v in pairs}
    if isinstance(item, (datetime, date)):
        return item.isoformat()
    if isinstance(item, PurePath):
        return str(item)
    if isinstance(item, (set, frozenset)):
        return sorted((to_plain(v) for v in cast(frozenset[object], item)), key=str)
    if isinstance(item, (list, tuple)):
        return [to_plain(v) for v in cast(tuple[object, ...], item)]
    raise TypeError(f"{type(item).__name__} has no JSON form")


def to_json(item: object, *, indent: int | None = None) -> str:
    """Return the stable JSON of ``item``; text stays readable (no ``\\u`` escapes)."""
    return json.dumps(to_plain(item), ensure_ascii=False, indent=indent)


@cache
def _adapter(cls: type[Any]) -> Any:
    from pydantic import TypeAdapter  # imported late: `import qx` stays light

    return TypeAdapter(cls)


def to_compact(item: object) -> bytes:
    """Return the JSON of a value without spaces, as caches keep it: pydantic writes it ten times as fast.

    Raises:
        ValueError: something in it has no JSON form, such as a lone surrogate.
    """
    return cast(bytes, _adapter(type(item)).dump_json(item, warnings=False, fallback=to_plain))


def from_json(cls: type[T], data: str | bytes) -> T:
    """Read and validate one value of type ``cls``.

    Raises:
        pydantic.ValidationError: the data is not JSON, not of that shape, or has keys that the type has not.
    """
    return cast(T, _adapter(cls).validate_json(data, extra="forbid"))


def from_plain(cls: type[T], data: object) -> T:
    """Validate one value of type ``cls`` from plain dicts and lists."""
    return cast(T, _adapter(cls).validate_python(data))


def json_schema(cls: type[Any]) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of ``cls`` as it is serialised."""
    return cast("dict[str, Any]", _adapter(cls).json_schema(mode="serialization"))
