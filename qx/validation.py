"""pydantic's errors as qx's: what is wrong, in which file, line and column, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema

from qx.errors import ProfileError
from qx.registry import suggest
from qx.serial import value
from qx.yaml import Loc, Place, walk

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

M = TypeVar("M", bound=BaseModel)
Locate = Callable[[Sequence[str | int]], Place]

Where = Callable[[Loc], Loc]

_SHOWN = 10
_DEEPEST = 4
"""Blocks within blocks in which a misplaced key is looked for."""
_FORMS = dict.fromkeys(
    ("model_type", "model_attributes_type", "dataclass_type", "dict_type", "mapping_type", "is_instance_of"),
    "should be a mapping",
) | {"list_type": "should be a list", "tuple_type": "should be a list", "set_type": "should be a list"}
_FORMS["path_type"] = "should be a path"
"""What pydantic says in the words of Python, in those of YAML."""
_SHAPE_ERRORS = ("_type", "model_attributes_type", "none_required")


@value
class Problem:
    """One thing that is wrong, and what to do about it."""

    message: str
    place: Place
    hint: str | None = None


class WrongValue(ValueError):
    """Raised by a validator that knows what to write instead: ``hint`` stands where the kind of value would."""

    def __init__(self, message: str, hint: str | None) -> None:
        super().__init__(message)
        self.hint = hint


def failure(problems: Sequence[Problem], error: type[ProfileError]) -> ProfileError:
    """Return one error for ``problems``: the first gives file, line, column and hint; the text has them all."""
    first, *others = problems
    place = first.place
    rest = [
        str(error(p.message, file=p.place.file, line=p.place.line, column=p.place.column, hint=p.hint))
        for p in others[: _SHOWN - 1]
    ]
    if len(others) >= _SHOWN:
        rest.append(f"and {len(others) - _SHOWN + 1} more")
    message = first.message + (f" ({first.hint})" if first.hint and rest else "")
    found = error(
        "\n".join([message, *rest]),
        file=place.file,
        line=place.line,
        column=place.column,
        hint=None if rest else first.hint,
    )
    found.hint = first.hint
    return found


def validate(
    model: type[M], data: Mapping[str, Any], *, locate: Locate, error: type[ProfileError], also: Sequence[str] = ()
) -> M:
    """Validate ``data`` as ``model``; ``also`` are keys that whoever wrote it could write besides, for hints.

    Raises:
        ProfileError: of class ``error``; it lists every problem, and never shows the data, which may hold secrets.
    """
    problems: list[Problem] = []
    try:
        return model.model_validate(data)
    except ValidationError as exc:
        top = (*properties(model), *also) if also else ()
        problems = _problems(exc, model, data, locate, _same, top)
    raise failure(problems, error)  # outside of the handler: the original error carries the input


def problems_of(
    model: type[BaseModel],
    data: Mapping[str, Any],
    *,
    locate: Locate,
    where: Where,
    also: Sequence[str] = (),
    hidden: Sequence[str] = (),
) -> list[Problem]:
    """Return what is wrong with ``data``, a part of something larger, as ``model``; [] if nothing is.

    Args:
        model: What the part has to be.
        data: The part.
        locate: Gives the place of a location of the whole.
        where: Turns a location of the part into one of the whole.
        also: Keys that may stand beside those of ``model``, for hints.
        hidden: Keys of ``model`` that nobody writes there: no hint names them.
    """
    known = tuple(key for key in (*properties(model), *also) if key not in hidden)
    try:
        model.model_validate(data)
    except ValidationError as exc:
        return _problems(exc, model, data, locate, where, known)
    return []


def _same(loc: Loc) -> Loc:
    return loc


def accepted(who: str, model: Any, settings: Mapping[str, Any]) -> Any:
    """Validate a plugin's own settings.

    Args:
        who: Whose they are, for the message: ``cache 'redis'``.
        model: Its ``Settings``.
        settings: Its part of the profile, secrets in plain.

    Raises:
        ProfileError: it does not accept them; the text names each, without its value.
    """
    found: list[Problem] = []
    try:
        return model.model_validate(settings)
    except ValidationError as exc:
        found = _problems(exc, model, settings, lambda loc: Place(), _same, ())
    raise ProfileError(f"{who} does not accept its settings: {told(found)}")


def told(problems: Sequence[Problem]) -> str:
    """Return problems that have no place in a file, with what to do, in one line."""
    return "; ".join(p.message + (f" ({p.hint})" if p.hint else "") for p in problems)


def _problems(
    exc: ValidationError, model: type[BaseModel], data: Any, locate: Locate, where: Where, top: Sequence[str]
) -> list[Problem]:
    details = exc.errors(include_url=False, include_input=False)
    gone = [walk(data, detail["loc"])[0] for detail in details]
    found: dict[tuple[str, str], Problem] = {}
    for detail, here in zip(details, gone, strict=True):
        deeper = any(len(other) > len(here) and other[: len(here)] == here for other in gone)
        if deeper and detail["type"].endswith(_SHAPE_ERRORS):
            continue  # the other member of a union: the deeper error says what is wrong
        if detail["type"] == "missing" and _is_misspelt(detail["loc"], details):
            continue  # the unknown key beside it says so
        problem = _problem(detail, model, data, locate, where, top)
        found.setdefault((str(problem.place), problem.message), problem)
    files = list(dict.fromkeys(p.place.file for p in found.values()))
    return sorted(found.values(), key=lambda p: (files.index(p.place.file), p.place.line or 0, p.place.column or 0))


def _problem(
    detail: ErrorDetails, model: type[BaseModel], data: Any, locate: Locate, where: Where, top: Sequence[str]
) -> Problem:
    kind, loc = detail["type"], detail["loc"]
    here, item = walk(data, loc)
    place = locate(where(loc))
    name = _dotted(where(here))
    if kind == "extra_forbidden":
        known = top if top and len(here) == 1 else properties(model, here[:-1])
        near = suggest(here[-1], known) or _elsewhere(model, here) or _known(model, here[:-1], known)
        return Problem(message=f"{name}: unknown key", place=place, hint=near)
    if kind == "missing":
        return Problem(
            message=f"{_dotted(where((*here, loc[-1])))} is missing", place=place, hint=f"add {loc[-1]!r} here"
        )
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _untold(detail, name, place)
    said = _FORMS.get(kind) or detail["msg"].removeprefix("Value error, ")
    hint = _advice(detail, model, here, item)
    if kind == "literal_error" and hint and hint.startswith("write one of"):
        said = "this is not known here"  # the hint lists what is
    return Problem(message=f"{name}: {said[:1].lower()}{said[1:]}" if name else said, place=place, hint=hint)


def _untold(detail: ErrorDetails, name: str, place: Place) -> Problem:
    """The key that says which of several forms a mapping has is missing or unknown; its value is not shown."""
    told_by = detail.get("ctx", {})
    key = str(told_by.get("discriminator", "type")).strip("'")
    expected = str(told_by.get("expected_tags", "")).replace("'", "")
    where = f"{name}.{key}" if name else key
    if detail["type"] == "union_tag_not_found":
        return Problem(message=f"{where} is missing", place=place, hint=f"add {key!r} here")
    near = suggest(told_by.get("tag", ""), expected.split(", "))
    return Problem(message=f"{where}: this is not known here", place=place, hint=near or f"write one of {expected}")


def _is_misspelt(missing: Loc, details: Sequence[ErrorDetails]) -> bool:
    beside = [d["loc"][-1] for d in details if d["type"] == "extra_forbidden" and d["loc"][:-1] == missing[:-1]]
    return any(suggest(key, [str(missing[-1])]) for key in beside)


def _advice(detail: ErrorDetails, model: type[BaseModel], here: Loc, item: Any) -> str | None:
    raised: object = detail.get("ctx", {}).get("error")
    if isinstance(raised, WrongValue) and raised.hint:
        return raised.hint
    choices = choices_at(model, here)
    near = suggest(item, choices) if isinstance(item, str) and choices else None
    if near or (detail["type"] == "value_error" and (isinstance(item, Mapping) or not here)):
        return near  # a validator of several keys says itself what it wants
    near = (_unquoted(item) if detail["type"] == "string_type" else None) or describe(model, here)
    return None if isinstance(item, str) and near in ("write text", "write text, or null") else near


def _dotted(loc: Loc) -> str:
    return ".".join(str(part) for part in loc)


def _unquoted(item: Any) -> str | None:
    """What YAML read as something else, though text was meant."""
    if item is None:
        return "write text; within {...} and [...] text that holds a comma is quoted"
    return "quote it: '...'" if isinstance(item, (bool, int, float)) else None


@cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    try:
        return model.model_json_schema()
    except PydanticInvalidForJsonSchema:  # a plugin's, with a type that JSON has not: no hints then
        return {}


def _members(node: Mapping[str, Any], root: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The schemas that ``node`` may stand for: references followed, unions opened."""
    if "$ref" in node:
        return _members(root["$defs"][str(node["$ref"]).rsplit("/", 1)[-1]], root)
    inner = node.get("anyOf") or node.get("oneOf") or node.get("allOf")
    if inner:
        return [m for n in cast("list[Mapping[str, Any]]", inner) for m in _members(n, root)]
    return [node]


def _at(model: type[BaseModel], loc: Sequence[str | int]) -> list[Mapping[str, Any]]:
    root = _schema(model)
    nodes = _members(root, root)
    for part in loc:
        below: list[Mapping[str, Any]] = []
        for node in nodes:
            inner = node.get("items") if isinstance(part, int) else node.get("properties", {}).get(part)
            if inner is None and isinstance(node.get("additionalProperties"), Mapping):
                inner = node["additionalProperties"]
            if isinstance(inner, Mapping):
                below += _members(cast("Mapping[str, Any]", inner), root)
        nodes = below
    return nodes


def properties(model: type[BaseModel], loc: Sequence[str | int] = ()) -> tuple[str, ...]:
    """Return the keys that ``model`` knows at ``loc``."""
    return tuple(dict.fromkeys(key for node in _at(model, loc) for key in node.get("properties", {})))


def _known(model: type[BaseModel], loc: Loc, known: Sequence[str]) -> str | None:
    """The keys that may stand at ``loc``, and the blocks within whose own keys only their plugins know."""
    if not known:
        return None
    blocks = [
        _dotted((*loc, key, "NAME"))
        for key in known
        if any(node.get("additionalProperties") is True for node in _at(model, (*loc, key, "NAME")))
    ]
    own = f"; a plugin's own keys stand in {' or '.join(blocks)}" if blocks else ""
    return f"known here: {', '.join(sorted(known))}{own}"


def _elsewhere(model: type[BaseModel], here: Loc) -> str | None:
    """Where a key is known that is not known here; None where that is nowhere, or in more than two blocks."""
    found = [place for place in _places(model) if place[-1] == here[-1]]
    found = [place for place in found if place[: len(here) - 1] == here[:-1]] or found  # rather within the same block
    found = [place for place in found if len(place) == min(map(len, found))]  # and not in a tier of a fallback
    return f"it belongs to {' or '.join(_dotted(place) for place in found)}" if 0 < len(found) <= 2 else None


@cache
def _places(model: type[BaseModel]) -> tuple[Loc, ...]:
    """Where each key of a model stands; ``NAME`` for one that whoever writes it chooses."""
    found: list[Loc] = []
    ends: list[Loc] = [()]
    while ends:
        loc = ends.pop(0)
        below = [*properties(model, loc), *(["NAME"] if len(loc) < _DEEPEST and _at(model, (*loc, "NAME")) else [])]
        found += [(*loc, key) for key in below if key != "NAME"]
        ends += [(*loc, key) for key in below if len(loc) < _DEEPEST]
    return tuple(found)


def choices_at(model: type[BaseModel], loc: Sequence[str | int]) -> tuple[str, ...]:
    """Return the words that may stand at ``loc``, if only some may."""
    nodes = _at(model, loc)
    found = [str(c) for node in nodes for c in node.get("enum", [node["const"]] if "const" in node else [])]
    return tuple(found)


_KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list [a, b]",
    "object": "a mapping {key: value}",
    "null": "null",
}


def describe(model: type[BaseModel], loc: Sequence[str | int]) -> str | None:
    """Return what may stand at ``loc``, for people: "write a whole number, from 0 to 20, or null"."""
    said: list[str] = []
    for node in _at(model, loc):
        if choices := node.get("enum"):
            text = "one of " + ", ".join(str(c) for c in choices)
        elif node.get("type") == "object" and node.get("required"):
            text = "a mapping " + _form(model, node)
        elif (kind := node.get("type")) in _KINDS:
            text = _KINDS[cast("str", kind)] + _bounds(node)
        else:
            continue
        if text not in said:
            said.append(text)
    return "write " + ", or ".join(said) if said else None


_SHAPES = {"integer": "1", "number": "1.0", "boolean": "true", "array": "[a, b]", "object": "{key: value}"}


def _form(model: type[BaseModel], node: Mapping[str, Any]) -> str:
    """A mapping with the keys that it must have: ``{words: [a, b]}``."""
    written: list[str] = []
    for key in node["required"]:
        kinds = [str(member.get("type", "")) for member in _members(node["properties"][key], _schema(model))]
        written.append(f"{key}: {_SHAPES.get(kinds[0], 'text') if kinds else 'text'}")
    return "{" + ", ".join(written) + "}"


def _bounds(node: Mapping[str, Any]) -> str:
    parts = [
        f"{word} {node[key]:g}"
        for key, word in (
            ("minimum", "from"),
            ("exclusiveMinimum", "above"),
            ("maximum", "to"),
            ("exclusiveMaximum", "below"),
        )
        if key in node
    ]
    example = node.get("examples")
    return " " + " ".join(parts) if parts else f" such as {', '.join(map(str, example))}" if example else ""
