"""The table of every key of a profile, from the settings and the docstrings under their fields."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from tables import code, table

from qx.options import attribute_docstrings, default_of, is_union, type_name


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
            kind_, default = type_name(field.annotation, field, code=code), default_of(name, field, code=code)
            rows.append([code(name), kind_, default, meaning])
        made.append(f"### {', '.join(map(code, paths)) if paths[0] else 'At the top'}\n")
        made.append(table(["key", "type", "default", "meaning"], rows) + "\n")
    return "\n".join(made)


def options(settings: type[BaseModel]) -> Iterator[tuple[str, str, str]]:
    """Yield key, type and default of a plugin's own settings."""
    for name, field in settings.model_fields.items():
        yield field.alias or name, type_name(field.annotation, field, code=code), default_of(name, field, code=code)


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
