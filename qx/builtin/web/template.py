"""Templates of a request: ``{name}`` in a URL, a header, a parameter or a JSON body.

A value only ever fills the place of its own name: in a URL it is percent-encoded as a whole, so that nothing a person
types can add a parameter, change another one, or leave the path.  ``{{`` and ``}}`` stand for braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import quote, unquote, urlsplit

from qx.errors import BadRequest

Values = Mapping[str, str | int | None]
"""Name -> value; None: there is none, and what names it is left out."""

_PART = re.compile(r"\{\{|\}\}|\{([a-z_][a-z0-9_]*)\}")
_SLASHES = re.compile(r"[/\\]")
_BRACES = {"{{": "{", "}}": "}"}


def names(item: object) -> Iterator[str]:
    """Yield every name that a text, or any text within a list or mapping, has a place for."""
    if isinstance(item, str):
        yield from (found for found in _PART.findall(item) if found)
    elif isinstance(item, Mapping):
        for inner in cast("Mapping[str, object]", item).values():
            yield from names(inner)
    elif isinstance(item, (list, tuple)):
        for inner in cast("list[object]", item):
            yield from names(inner)


def text(template: str, values: Values, *, encode: bool = False) -> str | None:
    """Return ``template`` filled; None where a value that it names is missing.

    Args:
        encode: Percent-encode each value, for a URL.
    """
    if any(values.get(name) is None for name in names(template)):
        return None

    def put(found: re.Match[str]) -> str:
        name = found[1]
        if not name:
            return _BRACES[found[0]]
        plain = str(values[name])
        return encoded(plain) if encode else plain

    return _PART.sub(put, template)


def fill(item: Any, values: Values) -> Any:
    """Return a JSON body filled: what lacks its value is left out, and so is a mapping or list that this empties.

    A text that is one name and nothing else becomes the value itself, so that numbers stay numbers.
    """
    if isinstance(item, str):
        alone = _PART.fullmatch(item)
        return values.get(alone[1]) if alone and alone[1] else text(item, values)
    if isinstance(item, Mapping):
        plain = cast("Mapping[str, Any]", item)
        kept = {key: made for key, inner in plain.items() if (made := fill(inner, values)) is not None}
        return kept if kept or not plain else None
    if isinstance(item, list):
        parts = cast("list[Any]", item)
        made = [found for inner in parts if (found := fill(inner, values)) is not None]
        return made if made or not parts else None
    return item


def url(template: str, params: Mapping[str, object], values: Values) -> str:
    """Return the whole address: ``template`` and ``params`` filled; a parameter that lacks its value is left out.

    Raises:
        BadRequest: a value in the path would lead to another path (``..``, ``../admin``, ``..\\admin``).
    """
    filled = text(template, values, encode=True)
    if filled is None:
        missing = ", ".join(name for name in names(template) if values.get(name) is None)
        raise BadRequest(f"the address has no value for {missing}")
    if _steps(filled) != _steps(template):
        raise BadRequest("'.' and '..' cannot be asked for where the query is a part of the path")
    pairs: list[str] = []
    for name, item in params.items():
        made = text(item, values) if isinstance(item, str) else plain(item)
        if made is not None:
            pairs.append(f"{encoded(name)}={encoded(made)}")
    joint = "&" if "?" in filled else "?"
    return filled + (joint if pairs else "") + "&".join(pairs)


def encoded(plain: str) -> str:
    """Return ``plain`` percent-encoded as a whole; what is not Unicode becomes ``?``."""
    return quote(plain.encode("utf-8", "replace"), safe="")


def plain(item: object) -> str | None:
    """Return a constant as a parameter carries it: ``true`` for True, nothing for None."""
    if item is None:
        return None
    return str(item).lower() if isinstance(item, bool) else str(item)


def _steps(address: str) -> int:
    """How many segments of the path are ``.`` or ``..``, to whoever decodes it before (or more than once) looking."""
    path = urlsplit(address).path
    while (decoded := unquote(path)) != path:
        path = decoded
    return sum(part in (".", "..") for part in _SLASHES.split(path))
