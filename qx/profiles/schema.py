"""The JSON Schema of profile files, for editors: with the names that can be chosen and the settings of each."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast
from zoneinfo import available_timezones

from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema

from qx.containment import within
from qx.errors import QxError
from qx.plugins import Plugins
from qx.profiles.own_settings import IMPORTING
from qx.registry import Registry
from qx.settings import Profile

Node = dict[str, Any]

_NOT_WRITTEN = ("name", "source", "folder")
_LISTS = ("Named", "RewriteRule", "SynonymSet", "Endpoint", "Route")
"""What stands in lists, which replace one another: null takes nothing away there."""
_OF_THE_BLOCK = {"llm_providers": ("model", "api_base", "api_key"), "backends": ("name",)}
"""Settings that a contribution gets from beside its own; a backend's name is the key that it stands under."""
_FREE = {"type": "string", "pattern": r"^[A-Za-z0-9][\w.-]*$"}
"""A name that a plugin which is not installed here may have."""


def profile_schema(plugins: Plugins | None = None) -> Node:
    """Return the JSON Schema (2020-12) of a profile file: ``extends`` and nulls included, names of files not.

    Args:
        plugins: What is installed: no other name is valid then, and each has its own settings; sections that plugins
            own are keys.  None: the built-in ones are known, any other name is valid with any settings.
    """
    schema = Profile.model_json_schema()
    properties: Node = schema["properties"]
    for name in _NOT_WRITTEN:
        properties.pop(name, None)
    extends = {"type": "string", "default": "default", "description": "The profile that this one builds on."}
    schema["properties"] = {"extends": extends, **properties}
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "qx profile"
    schema["additionalProperties"] = False
    _Names(schema, plugins or Plugins.load(allow=()), open_=plugins is None).write()
    for node in [schema, *(node for name, node in schema["$defs"].items() if "." not in name and name not in _LISTS)]:
        for key, item in node.get("properties", {}).items():
            node["properties"][key] = _or_null(item)
    return schema


class _Names:
    """Writes names and settings of contributions into a schema."""

    def __init__(self, schema: Node, plugins: Plugins, *, open_: bool) -> None:
        self._defs: dict[str, Node] = schema["$defs"]
        self._properties: Node = schema["properties"]
        self._plugins = plugins
        self._open = open_

    def write(self) -> None:
        defs = self._defs
        self._block(defs["CacheSettings"], "caches", "type", default="memory")
        self._block(defs["FetchSettings"], "fetchers", "type", default="http")
        self._block(defs["EmbedderSettings"], "embedders", "provider", default="openai")
        self._block(defs["BackendBlock"], "backends", "type")
        backends = defs["Search"]["properties"]["backends"]
        backends["additionalProperties"] = {"anyOf": [backends["additionalProperties"], {"type": "null"}]}
        for name in ("LLM", "Endpoint"):
            self._endpoint(defs[name])
        expand, search = defs["Expand"]["properties"], defs["Search"]["properties"]
        _items(expand["strategies"], self._name("strategies"))
        _items(expand["processors"], self._named("processors"))
        _items(search["processors"], self._named("processors"))
        _items(self._properties["observers"], self._named("observers"))
        search["fusion"] = {**search["fusion"], **self._named("fusions")}
        search["fusion"].pop("$ref", None)
        del defs["Named"]
        zone = self._properties["timezone"]
        zone["enum"] = sorted(available_timezones())
        for name in self._registry("sections").names():
            self._properties[name] = self._section(name)
        packs = self._registry("packs").names()
        _items(self._properties["domains"], {"anyOf": [{"enum": list(packs)}, {"type": "string"}]})

    def _registry(self, kind: str) -> Registry:
        return self._plugins.registry(kind)

    def _name(self, kind: str) -> Node:
        listed: Node = {"enum": list(self._registry(kind).names())}
        return {"anyOf": [listed, dict(_FREE)]} if self._open else {"type": "string", **listed}

    def _named(self, kind: str) -> Node:
        """A name, or a mapping of ``type`` and that contribution's settings."""
        block = copy.deepcopy(self._defs["Named"]["anyOf"][1])
        self._block(block, kind, "type")
        return {"anyOf": [self._name(kind), block]}

    def _block(self, block: Node, kind: str, key: str, *, default: str | None = None) -> None:
        """Let ``block`` have the settings of what its ``key`` names beside its own."""
        about = {k: item for k, item in block["properties"][key].items() if k in ("default", "description", "title")}
        block["properties"][key] = {**about, **self._name(kind)}
        shared = dict.fromkeys(block["properties"], True)
        cases: list[Node] = []
        together: Node = {}
        for name in self._registry(kind).names():
            own = self._settings(kind, name)
            if own is None:
                return  # one that cannot be asked: nothing is known of what may stand here
            together |= own
            cases.append(_case(key, {"const": name}, {**own, **shared}))
        if default is not None:  # it may be named in what the profile extends
            cases.append({"if": {"not": {"required": [key]}}, "then": _closed({**together, **shared})})
        block["allOf"] = cases

    def _endpoint(self, block: Node) -> None:
        about = {k: item for k, item in block["properties"]["provider"].items() if k != "type"}
        block["properties"]["provider"] = {**about, **self._name("llm_providers")}
        cases: list[Node] = []
        for name in self._registry("llm_providers").names():
            own = self._settings("llm_providers", name)
            if own is not None:
                cases.append(_case("provider", {"const": name}, {"options": _closed(own)}, closed=False))
        block["allOf"] = cases

    def _section(self, name: str) -> Node:
        """A section that a plugin owns; any mapping where it cannot be asked."""
        own = self._settings("sections", name)
        said = self._registry("sections").help(name) or f"Of the plugin {self._registry('sections').origin(name)}."
        return {"type": "object", "description": said, **({} if own is None else _closed(own))}

    def _settings(self, kind: str, name: str) -> Node | None:
        """The properties of a contribution's own settings; None where it cannot be asked."""
        registry = self._registry(kind)
        try:
            model: object = within(IMPORTING, name, lambda: getattr(registry.get(name), "Settings", None))
            if not (isinstance(model, type) and issubclass(model, BaseModel)):
                return None
            made = model.model_json_schema(ref_template=f"#/$defs/{kind}.{name}.{{model}}")
        except (QxError, PydanticInvalidForJsonSchema):
            return None
        self._defs.update({f"{kind}.{name}.{key}": item for key, item in made.pop("$defs", {}).items()})
        own: Node = made.get("properties", {})
        return {key: _or_null(item) for key, item in own.items() if key not in _OF_THE_BLOCK.get(kind, ())}


def _case(key: str, test: Node, properties: Node, *, closed: bool = True) -> Node:
    then = _closed(properties) if closed else {"properties": properties}
    return {"if": {"properties": {key: test}, "required": [key]}, "then": then}


def _closed(properties: Mapping[str, Any]) -> Node:
    return {"properties": dict(properties), "additionalProperties": False}


def _items(node: Node, item: Node) -> None:
    """Set what a list, or a list or null, holds."""
    for one in cast("Iterable[Node]", node.get("anyOf", [node])):
        if one.get("type") == "array":
            one["items"] = item


def _or_null(item: Node) -> Node:
    """Null takes away what a profile would inherit."""
    members: Sequence[Node] = item.get("anyOf", [])
    if {"type": "null"} in members:
        return item
    about = {k: item[k] for k in ("title", "description", "default") if k in item}
    inner = list(members) or [{k: v for k, v in item.items() if k not in about}]
    return {**about, "anyOf": [*inner, {"type": "null"}]}
