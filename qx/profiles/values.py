"""What must hold of values that only their name tells apart: addresses, headers and keys, wherever they stand.

The types of the profile's own keys say the rest.  A plugin's settings are seen here too, before the plugin is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic import SecretStr

from qx.addresses import address_problem, has_control, header_name_problem
from qx.errors import ProfileError
from qx.names import SECTIONS
from qx.profiles.layers import Layers
from qx.profiles.references import is_bare_address, is_endpoint
from qx.secrets import is_secret
from qx.validation import Problem, failure
from qx.yaml import Loc

_SECTIONS = ("llm", "embedder", "search", "cache", "observers", "expand")
_WEB = ("llm", "embedder")
"""Sections whose addresses are called over HTTP whatever the plugin: a model's endpoint."""
_LINES = ("private_key", "credentials")
"""Secrets that may be several lines long: a PEM file, a JSON document."""

_Said = tuple[Loc, str, str | None]


def check_values(data: Mapping[str, Any], layers: Layers) -> None:
    """Check addresses, headers and secrets.

    Args:
        data: The settings, references resolved; sections of plugins are looked at as well.
        layers: What they were made of, for the places.

    Raises:
        ProfileError: some are wrong; with the place of each.  Values, which may be secrets, are not shown.
    """
    problems = [
        Problem(message=f"{'.'.join(map(str, loc))}: {said}", place=layers.place(loc), hint=hint)
        for section in (*_SECTIONS, *(key for key in data if key not in SECTIONS))
        for loc, said, hint in _below(data.get(section), (section,), section)
    ]
    if problems:
        raise failure(problems, ProfileError)


def _below(item: Any, loc: Loc, key: str) -> Iterator[_Said]:
    if len(loc) == 4 and loc[:2] == ("search", "backends") and loc[3] == "fields":
        return  # names of canonical fields: `url: url` is no address
    if isinstance(item, Mapping):
        for name, inner in cast("Mapping[str, Any]", item).items():
            if key.lower() == "headers":
                yield from _header(name, inner, (*loc, name))
            else:
                yield from _below(inner, (*loc, name), name)
    elif isinstance(item, list):
        for index, inner in enumerate(cast("list[Any]", item)):
            yield from _below(inner, (*loc, index), key)
    elif isinstance(item, (str, SecretStr)):
        text = item.get_secret_value() if isinstance(item, SecretStr) else item
        yield from _text(text, loc, key)


def _text(text: str, loc: Loc, key: str) -> Iterator[_Said]:
    if is_secret(key):
        if has_control(text) and not key.lower().replace("-", "_").endswith(_LINES):
            yield loc, "it holds a line break or another control character", "look at the end of the variable's value"
    elif is_endpoint(key):
        web = loc[0] in _WEB
        if said := address_problem(text, web=web, bare=not web and is_bare_address(key)):
            yield loc, said, "write the whole address: https://host:port/path"


def _header(name: str, item: Any, loc: Loc) -> Iterator[_Said]:
    if said := header_name_problem(name):
        yield loc, said, "write it as in X-Tenant"
    text = item.get_secret_value() if isinstance(item, SecretStr) else item
    if isinstance(text, str) and has_control(text):
        yield loc, "a header's value is one line, without control characters", "look at the end of the variable's value"
