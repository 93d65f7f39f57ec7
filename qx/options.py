"""What a settings model asks for, as people read it: key, type, default, meaning.  For help, tables and ``qx plugins info``."""

from __future__ import annotations

import ast
import inspect
import itertools
import json
import re
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from qx.serial import value

Code = Callable[[object], str]
"""How a word of a profile is set apart from prose: ``str`` for a terminal, back-quotes for a page."""

REQUIRED = "must be given"


@value
class Option:
    """One key of a settings model."""

    key: str
    type: str
    default: str
    meaning: str = ""


def options(settings: type[BaseModel]) -> tuple[Option, ...]:
    """Return the keys of a settings model, in its order."""
    meanings = attribute_docstrings(settings) | attributes_section(settings)
    return tuple(
        Option(
            key=field.alias or name,
            type=type_name(field.annotation, field),
            default=default_of(name, field),
            meaning=meanings.get(name, field.description or ""),
        )
        for name, field in settings.model_fields.items()
        if not field.exclude
    )


def attribute_docstrings(kind: type) -> dict[str, str]:
    """Return the docstrings that stand under the fields of a class, those of its parents too; none without its source."""
    found: dict[str, str] = {}
    for parent in reversed(kind.__mro__):
        if parent.__module__.partition(".")[0] in ("builtins", "pydantic", "typing"):
            continue
        try:
            body = ast.parse(inspect.cleandoc("\n" + inspect.getsource(parent))).body[0]
        except (OSError, TypeError, SyntaxError):
            continue
        for field, after in itertools.pairwise(cast("ast.ClassDef", body).body):
            target = field.target if isinstance(field, ast.AnnAssign) else None
            if isinstance(field, ast.Assign):
                target = field.targets[0]
            said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            if said and isinstance(target, ast.Name):
                found[target.id] = str(cast("ast.Constant", cast("ast.Expr", after).value).value)
    return found


def attributes_section(kind: type) -> dict[str, str]:
    """Return what the section ``Attributes:`` of a class's docstring says of each; ``a, b: …`` is said of both."""
    text = inspect.getdoc(kind) or ""
    section = text.partition("Attributes:\n")[2]
    found: dict[str, str] = {}
    for names, said in re.findall(r"^    ([\w, ]+): (.*(?:\n {8}.*)*)", section, re.M):
        for name in names.split(","):
            found[name.strip()] = " ".join(said.split()).replace("``", "`")
    return found


def is_union(annotation: Any) -> bool:
    """Whether a type is one of several."""
    return get_origin(annotation) in (typing.Union, types.UnionType)


_PLAIN = {str: "text", int: "whole number", float: "number", bool: "true or false", SecretStr: "secret", Path: "path"}


def type_name(annotation: Any, field: FieldInfo | None = None, *, code: Code = str) -> str:
    """Return a type as a person would say it."""
    from qx.durations import seconds

    if field is not None and any(getattr(item, "func", None) is seconds for item in field.metadata):
        return "duration"
    if is_union(annotation):
        names = [type_name(o, code=code) for o in get_args(annotation) if o is not type(None)]
        return " or ".join(names) + bounds(field)
    origin = get_origin(annotation)
    if origin is typing.Annotated:
        return type_name(get_args(annotation)[0], code=code)
    if origin is Literal:
        return ", ".join(code(o) for o in get_args(annotation))
    if origin is tuple:
        return f"list of {plural(get_args(annotation)[0], code=code)}"
    if origin in (dict, Mapping) or annotation is Mapping:
        return "mapping"
    return _PLAIN.get(annotation, "section") + bounds(field)


def plural(item: Any, *, code: Code = str) -> str:
    """Return what a list holds."""
    return {str: "texts"}.get(item, "blocks" if inspect.isclass(item) else type_name(item, code=code))


def bounds(field: FieldInfo | None) -> str:
    """Return ``, 0 to 20`` or the like, where the field has limits."""
    found = {
        n: getattr(item, n)
        for item in (field.metadata if field else ())
        for n in ("gt", "ge", "le")
        if hasattr(item, n)
    }
    low = f"above {found['gt']}" if "gt" in found else f"{found['ge']}" if "ge" in found else ""
    if "le" in found:
        return f", {low} to {found['le']}"
    return f", {low}" + (" or more" if "ge" in found else "") if low else ""


def default_of(name: str, field: FieldInfo, *, code: Code = str) -> str:
    """Return the default as it would be written in a profile."""
    if name == "tenant":
        return "the name of the file"
    found: Any = field.get_default(call_default_factory=True)
    if found is PydanticUndefined:
        return REQUIRED
    if isinstance(found, BaseModel):
        return "see below"
    if isinstance(found, tuple):
        listed = cast("tuple[object, ...]", found)
        return code("[" + ", ".join(str(getattr(item, "type", item)) for item in listed) + "]")
    if isinstance(found, (int, float)) and type_name(field.annotation, field) == "duration":
        return code(duration(found))
    if isinstance(found, (str, Path)):
        return code(str(found) or '""')
    return code(json.dumps(found, ensure_ascii=False, default=str))


def duration(seconds: float) -> str:
    """Return seconds as a profile writes them."""
    for unit, size in (("d", 86400), ("h", 3600)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g}{unit}"
    return f"{seconds:g}s" if seconds >= 1 else f"{seconds * 1000:g}ms"
