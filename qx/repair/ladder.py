"""The ladder itself: ``parse_queries`` and ``parse_object``."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from qx.repair import blocks, drafts, lines
from qx.repair.documents import Found, Rung, documents, opening, strict
from qx.repair.drafts import WRAPPER_KEYS, SubQueryDraft
from qx.serial import value

if TYPE_CHECKING:
    from pydantic import BaseModel

    M = TypeVar("M", bound=BaseModel)

T = TypeVar("T")

MOST = 256
"""Queries that are read from one answer."""

_EMPTY = "the answer is empty: give a JSON object with the key `queries`, a list of strings"
_NO_LIST = "no list of queries found: give a JSON object with the key `queries`, a list of strings"


@value
class Parsed(Generic[T]):
    """What a model's text was read as.

    Attributes:
        value: The value; None where nothing can be read (never an empty list).
        rung: The last step that it took: ``json`` (the whole text), ``think``, ``fences``, ``preamble``, ``repair``,
            ``lines``; ``none`` where all of them failed.
        error: What was wrong, fit to be quoted in a re-ask; beside a value it says what was left out.
        cut: The text broke off; the item that it broke off in is left out.
    """

    value: T | None
    rung: Rung
    error: str | None = None
    cut: bool = False


def parse_queries(text: str) -> Parsed[list[SubQueryDraft]]:
    """Read a list of sub-queries from a model's text.  Never raises.

    Accepts a list of strings or objects, under ``queries`` or a wrapper key, one query a line too; ``MOST`` at most.
    """
    parsed = _parse_queries(text)
    if parsed.value is None or len(parsed.value) <= MOST:
        return parsed
    error = f"`queries` holds {len(parsed.value)} queries, the first {MOST} were read: give fewer"
    return Parsed(value=parsed.value[:MOST], rung=parsed.rung, error=error, cut=parsed.cut)


def queries_in(found: object) -> list[SubQueryDraft]:
    """Return the sub-queries that a JSON value holds, as ``parse_queries`` would read it; none where it holds none."""
    return (drafts.from_value(found) or [])[:MOST]


def _parse_queries(text: str) -> Parsed[list[SubQueryDraft]]:
    whole = strict(text.strip())
    if whole is not None:
        found = _from_documents([whole])
        return found if isinstance(found, Parsed) else Parsed(value=None, rung="none", error=found or _NO_LIST)
    regions = blocks.regions(text)
    error = _NO_LIST if regions else _EMPTY
    for region in regions:
        if not region.thought:
            found = _from_documents(documents(region))
            if isinstance(found, Parsed):
                return found
            error = found or error
    return _from_prose(text, regions) or Parsed(value=None, rung="none", error=error)


def _from_prose(text: str, regions: list[blocks.Region]) -> Parsed[list[SubQueryDraft]] | None:
    """Read numbered lines, then JSON inside the thoughts, then bare lines."""
    answer = blocks.split_thoughts(text)[0]
    if listed := _from_lines(answer, numbered=True):
        return Parsed(value=listed, rung="lines")
    for region in regions:
        if region.thought and isinstance(found := _from_documents(documents(region)), Parsed):
            return found
    bare = _from_lines(answer, numbered=False)
    return Parsed(value=bare, rung="lines") if bare else None


def _from_documents(values: Iterator[Found] | list[Found]) -> Parsed[list[SubQueryDraft]] | str | None:
    """Return the first list that can be read, what is wrong with the place for one, or None: no such place."""
    problem: str | None = None
    single: list[SubQueryDraft] = []
    first: Found | None = None
    for found in values:
        read = drafts.from_value(found.value)
        if read and len(read) == 1 and "text" in _members(found.value):
            single, first = [*single, *read], first or found  # one object a line: {"text": …} {"text": …}
        elif read:
            return Parsed(value=read, rung=found.rung, cut=found.cut)
        elif read is not None:
            problem = "`queries` holds no query: give a list of non-empty strings"
    if first is not None:
        return Parsed(value=single, rung=first.rung)
    return problem


def _from_lines(answer: str, *, numbered: bool) -> list[SubQueryDraft]:
    bodies, rest = blocks.fenced(blocks.pieces(answer)[0])
    for body in (*bodies, rest):
        at = opening(body)
        body = body if at < 0 else body[:at]
        found = drafts.from_lines(lines.listed(body) if numbered else lines.bare(body))
        if found:
            return found
    return []


def parse_object(text: str, model: type[M]) -> Parsed[M]:
    """Read one object of ``model`` from a model's text.  Never raises.

    Wrapper keys are opened.  Members that do not validate are left out where the model has a default for them; then
    ``error`` says so beside the value.
    """
    error = f"{'no JSON object found' if text.strip() else 'the answer is empty'}: give one JSON object"
    imperfect: Parsed[M] | None = None
    whole = strict(text.strip())
    candidates = [whole] if whole else (f for r in blocks.regions(text) for f in documents(r))
    sound = drafts.is_sound(text)
    for found in candidates:
        error = "no JSON object found: give one JSON object and nothing else" if imperfect is None else error
        for inner in _objects(found.value):
            parsed, problem = _validate(inner if sound else _without_surrogates(inner), model)
            if parsed is not None and problem is None:
                return Parsed(value=parsed, rung=found.rung, cut=found.cut)
            if parsed is not None and imperfect is None:
                imperfect = Parsed(value=parsed, rung="repair", error=problem, cut=found.cut)
            error = problem or error
    return imperfect or Parsed(value=None, rung="none", error=error)


def _members(found: object) -> dict[str, Any]:
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _objects(found: object, depth: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the object, then what its wrapper keys hold; of a list its only object."""
    if isinstance(found, list) and len(cast("list[object]", found)) == 1:
        found = cast("list[object]", found)[0]
    if isinstance(found, str) and found.lstrip()[:1] == "{" and (nested := strict(found)):
        found = nested.value
    members = _members(cast("object", found))
    if not members and found != {}:
        return
    yield members
    inner = [m for key, m in members.items() if key.strip().casefold() in WRAPPER_KEYS or len(members) == 1]
    if depth < 4:
        for member in inner:
            yield from _objects(member, depth + 1)


def _validate(found: object, model: type[M]) -> tuple[M | None, str | None]:
    """Return (value, None), (value without the members that were wrong, the problem), or (None, the problem)."""
    from pydantic import ValidationError

    current: Any = found
    problem: str | None = None
    for _ in range(4):
        try:
            parsed = model.model_validate(current)
        except ValidationError as error:
            problem = problem or _quotable(error)
            current = _pruned(current, [tuple(e["loc"]) for e in error.errors(include_url=False, include_input=False)])
            if current is None:
                return None, problem
        else:
            useful = problem is None or any(name in current for name in _names(model))
            return (parsed if useful else None), problem
    return None, problem


def _names(model: type[BaseModel]) -> set[str]:
    return {n for name, f in model.model_fields.items() for n in (name, f.alias) if n}


def _without_surrogates(found: object) -> object:
    if isinstance(found, str):
        return drafts.clean(found)
    if isinstance(found, list):
        return [_without_surrogates(item) for item in cast("list[object]", found)]
    if isinstance(found, dict):
        members = cast("dict[str, object]", found)
        return {drafts.clean(key): _without_surrogates(item) for key, item in members.items()}
    return found


def _quotable(error: Any) -> str:
    """Return the first problems as text, without the values (they may be the user's)."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, p['loc'])) or 'object'}: {p['msg']}" for p in problems[:5])


def _pruned(found: object, places: list[tuple[int | str, ...]]) -> Any:
    """Return a copy without the members at ``places``; None where one of them is not there to be left out."""
    if any(not place for place in places):
        return None
    heads: dict[int | str, list[tuple[int | str, ...]]] = {}
    for head, *rest in places:
        heads.setdefault(head, []).append(tuple(rest))
    if not isinstance(found, (dict, list)):
        return None
    keyed = isinstance(found, dict)
    kept = copy(cast("Any", found))
    gone: list[int | str] = []
    for head, rests in heads.items():
        if not (head in kept if keyed else isinstance(head, int) and head < len(kept)):
            return None
        inner: Any = _pruned(kept[head], rests) if all(rests) else None
        if inner is None:
            gone.append(head)
        else:
            kept[head] = inner
    for head in sorted(gone, key=lambda h: h if isinstance(h, int) else 0, reverse=True):
        del kept[head]
    return kept
