"""The options of an operation's command, from the fields of its ``Request``: and back from what is given to a mapping."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import click

from qx.cli.request import MAX_BYTES

if TYPE_CHECKING:
    from pydantic import BaseModel

Node = Mapping[str, Any]

_METAVARS = {"integer": "INTEGER", "number": "NUMBER", "object": "KEY=VALUE,…", "array": "JSON"}


def parameters(model: type[BaseModel]) -> list[click.Parameter]:
    """Return an argument for each field that has no default, and an option for each that has one.

    What is not given is left out of the mapping: the model's own default counts.
    """
    schema = model.model_json_schema()
    required = [name for name in schema.get("required", ()) if _is_argument(_node(schema, name))]
    made: list[click.Parameter] = [_argument(name, schema, alone=len(required) == 1) for name in required]
    made += [_option(name, schema) for name in schema.get("properties", {}) if name not in required]
    return made


def given(model: type[BaseModel], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the mapping that ``values``, by the names of click's parameters, come to.

    Raises:
        click.UsageError: an object is neither JSON nor ``key=value`` pairs.
    """
    schema = model.model_json_schema()
    found: dict[str, Any] = {}
    for name in schema.get("properties", {}):
        item = values.get(_parameter(name))
        if item is None or item == ():
            continue
        node = _node(schema, name)
        kind = node.get("type")
        if kind == "object":
            found[name] = _mapping(str(item), name)
        elif kind == "array":
            of_objects = _resolved(node.get("items", {}), schema).get("type") in ("object", "array")
            found[name] = [_json(str(one), name) if of_objects else one for one in cast("tuple[Any, ...]", item)]
        elif isinstance(item, tuple):
            found[name] = _words(cast("tuple[str, ...]", item))
        else:
            found[name] = item
    return found


def _parameter(name: str) -> str:
    return f"field_{name.replace('-', '_')}"


def _node(schema: Node, name: str) -> Node:
    """The schema of one field; of one that may be null, that of what it is else."""
    return _resolved(schema["properties"][name], schema)


def _resolved(node: Node, schema: Node) -> Node:
    about = {key: item for key, item in node.items() if key in ("description", "default")}
    if "$ref" in node:
        return {**_resolved(schema["$defs"][str(node["$ref"]).rsplit("/", 1)[-1]], schema), **about}
    members = [m for m in node.get("anyOf", ()) if m.get("type") != "null"]
    if len(members) == 1:
        return {**_resolved(members[0], schema), **about}
    return node


def _is_argument(node: Node) -> bool:
    return node.get("type") in ("string", "integer", "number", None) and "enum" not in node


def _argument(name: str, schema: Node, *, alone: bool) -> click.Argument:
    """One argument; the only one of a command may be several words, like a query."""
    node = _node(schema, name)
    words = alone and node.get("type") == "string"
    label = name.replace("_", "-").upper() + ("..." if words else "")
    return click.Argument([_parameter(name)], metavar=label, nargs=-1 if words else 1, required=True)


def _option(name: str, schema: Node) -> click.Option:
    node, flag = _node(schema, name), f"--{name.replace('_', '-')}"
    required = name in schema.get("required", ())
    said = _help(node)
    if node.get("type") == "boolean":
        return click.Option([f"{flag}/--no-{flag[2:]}", _parameter(name)], default=None, required=required, help=said)
    multiple = node.get("type") == "array"
    if multiple:
        node = _resolved(node.get("items", {}), schema)
    kind: Any = click.Choice([str(one) for one in node["enum"]]) if "enum" in node else str
    return click.Option(
        [flag, _parameter(name)],
        type=kind,
        metavar=None if "enum" in node else _METAVARS.get(str(node.get("type")), "TEXT"),
        multiple=multiple,
        required=required,
        default=None,
        help=f"{said} Repeatable." if multiple else said,
    )


def _help(node: Node) -> str:
    said = str(node.get("description", "")).strip()
    default = node.get("default")
    shown = "" if default in (None, "", [], {}) else f"[default: {_shown(default)}]"
    return f"{said}  {shown}".strip()


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return ", ".join(map(str, cast("list[Any]", default))) if isinstance(default, list) else str(default)


def _words(words: tuple[str, ...]) -> str:
    """Several words are one text; ``-`` alone stands for standard input."""
    if words != ("-",):
        return " ".join(words)
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise click.UsageError(f"standard input: more than {MAX_BYTES // 1_000_000} MB, the most that is read")
    return data.decode("utf-8", "replace").rstrip("\r\n")


def _mapping(text: str, name: str) -> Any:
    """``rounds=3,seconds=30``, or JSON."""
    if text.lstrip().startswith("{"):
        return _json(text, name)
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if any(not mark or not key.strip() for key, mark, _ in pairs):
        raise click.UsageError(f"--{name.replace('_', '-')}: give KEY=VALUE,KEY=VALUE or a JSON object")
    return _once([(key.strip().replace("-", "_"), item.strip()) for key, _, item in pairs], name)


def _once(pairs: list[tuple[str, Any]], name: str) -> dict[str, Any]:
    """As a mapping: which of two values of one key is meant, nobody can know."""
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise click.UsageError(f"--{name.replace('_', '-')}: {key!r} is given twice")
    return dict(pairs)


def _json(text: str, name: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _once(pairs, name))
    except (ValueError, RecursionError):
        raise click.UsageError(f"--{name.replace('_', '-')}: not JSON") from None
