"""The table of every key of a profile, from the settings and the docstrings under their fields."""

from __future__ import annotations

import ast
import inspect
import itertools
import json
import re
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from tables import code, table


def attribute_docstrings(kind: type) -> dict[str, str]:
    """Return the docstrings that stand under the fields of a class, those of its parents too."""
    found: dict[str, str] = {}
    for parent in reversed(kind.__mro__):
        if not parent.__module__.split(".")[0].startswith("qx"):
            continue
        body = ast.parse(inspect.cleandoc("\n" + inspect.getsource(parent))).body[0]
        statements = typing.cast("ast.ClassDef", body).body
        for field, after in itertools.pairwise(statements):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
            ):
                found[field.target.id] = str(after.value.value)
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


def profile_keys() -> str:
    """Every key of a profile, section by section."""
    from qx.settings import Profile

    extends = [code("extends"), "text", code("default"), "The profile that this one builds on: a name, or a file."]
    made: list[str] = []
    for kind, found in itertools.groupby(sections(Profile), key=lambda section: section[1]):
        paths = [path for path, _ in found]
        rows = [] if paths[0] else [extends]
        docs = attribute_docstrings(kind)
        for name, field in kind.model_fields.items():
            if field.exclude or (not paths[0] and name == "name"):
                continue
            meaning = docs[name]  # a key without a docstring is an error of settings.py
            rows.append([code(name), type_name(field.annotation, field), default_of(name, field), meaning])
        made.append(f"### {', '.join(map(code, paths)) if paths[0] else 'At the top'}\n")
        made.append(table(["key", "type", "default", "meaning"], rows) + "\n")
    return "\n".join(made)


def options(settings: type[BaseModel]) -> Iterator[tuple[str, str, str]]:
    """Yield key, type and default of a plugin's own settings."""
    for name, field in settings.model_fields.items():
        yield field.alias or name, type_name(field.annotation, field), default_of(name, field)


def sections(kind: type[BaseModel], path: str = "") -> Iterator[tuple[str, type[BaseModel]]]:
    """Yield a settings model and those inside of it, each with its path; what any list holds is not among them."""
    yield path, kind
    for name, field in kind.model_fields.items():
        inner = model_of(field.annotation)
        if inner is not None and not field.exclude:
            yield from sections(inner, f"{path}.{name}" if path else name)
        elif get_origin(field.annotation) is Mapping and (inner := model_of(get_args(field.annotation)[1])) is not None:
            yield from sections(inner, f"{path}.{name}.NAME")


def model_of(annotation: Any) -> type[BaseModel] | None:
    """Return the model that a field holds, alone or with None; not those of its lists."""
    options = get_args(annotation) if is_union(annotation) else (annotation,)
    return next((o for o in options if inspect.isclass(o) and issubclass(o, BaseModel)), None)


def is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (typing.Union, types.UnionType)


_PLAIN = {str: "text", int: "whole number", float: "number", bool: "true or false", SecretStr: "secret", Path: "path"}


def type_name(annotation: Any, field: FieldInfo | None = None) -> str:
    """Return a type as a person would say it."""
    from qx.durations import seconds

    if field is not None and any(getattr(item, "func", None) is seconds for item in field.metadata):
        return "duration"
    if is_union(annotation):
        names = [type_name(o) for o in get_args(annotation) if o is not type(None)]
        return " or ".join(names) + bounds(field)
    origin = get_origin(annotation)
    if origin is typing.Annotated:
        return type_name(get_args(annotation)[0])
    if origin is Literal:
        return ", ".join(code(o) for o in get_args(annotation))
    if origin is tuple:
        return f"list of {plural(get_args(annotation)[0])}"
    if origin in (dict, Mapping) or annotation is Mapping:
        return "mapping"
    return _PLAIN.get(annotation, "section") + bounds(field)


def plural(item: Any) -> str:
    return {str: "texts"}.get(item, "blocks" if inspect.isclass(item) else type_name(item))


def bounds(field: FieldInfo | None) -> str:
    """Return `` 0 to 20`` or the like, where the field has limits."""
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


def default_of(name: str, field: FieldInfo) -> str:
    """Return the default as it would be written in a profile."""
    if name == "tenant":
        return "the name of the file"
    found = field.get_default(call_default_factory=True)
    if found is PydanticUndefined:
        return "must be given"
    if isinstance(found, BaseModel):
        return "see below"
    if isinstance(found, tuple):
        return code("[" + ", ".join(getattr(item, "type", str(item)) for item in found) + "]")
    if type_name(field.annotation, field) == "duration":
        return code(duration(found))
    return code(found or '""' if isinstance(found, str) else json.dumps(found))


def duration(seconds: float) -> str:
    """Return seconds as a profile writes them."""
    for unit, size in (("d", 86400), ("h", 3600)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g}{unit}"
    return f"{seconds:g}s" if seconds >= 1 else f"{seconds * 1000:g}ms"
