"""Filters on documents: what each condition of the grammar lets pass."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from servers.meilisearch.grammar import Condition, Refused, Tree


def facet(text: str) -> str:
    """Return text as facets are compared: without case and width."""
    return unicodedata.normalize("NFKD", text.strip()).lower()


class Facets:
    """The values of one document, by attribute path.

    Attributes:
        values: Path -> its leaves: text, numbers, booleans.
        exists, null, empty: The paths that are there, null, or empty.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.values: dict[str, list[str | float | bool]] = {}
        self.exists: set[str] = set()
        self.null: set[str] = set()
        self.empty: set[str] = set()
        for path, item in _walk(document, ""):
            self.exists.add(path)
            if item is None:
                self.null.add(path)
            elif item in ("", [], {}) and not isinstance(item, (bool, int, float)):
                self.empty.add(path)
            for leaf in _leaves(item):
                self.values.setdefault(path, []).append(leaf)


def _walk(item: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, inner in item.items():
        path = f"{prefix}{name}"
        yield path, inner
        for nested in inner if isinstance(inner, list) else [inner]:
            if isinstance(nested, Mapping):
                yield from _walk(nested, f"{path}.")


def _leaves(item: Any) -> Iterator[str | float | bool]:
    if isinstance(item, list):
        for inner in item:
            yield from _leaves(inner)
    elif isinstance(item, (bool, int, float)) or (isinstance(item, str) and item):
        yield item


def check(tree: Tree | None, uid: str, filterable: Sequence[str]) -> None:
    """Refuse attributes that are not declared."""
    if isinstance(tree, Condition):
        if not any(tree.attribute == name or tree.attribute.startswith(f"{name}.") for name in filterable):
            known = ", ".join(f"`{name}`" for name in sorted(filterable))
            available = (
                f"Available filterable attribute patterns are: {known}."
                if filterable
                else "This index does not have configured filterable attributes."
            )
            shown = f'"{tree.attribute}" {tree.op} "{tree.values[0] if tree.values else ""}"'
            raise Refused(
                f"Index `{uid}`: Attribute `{tree.attribute}` is not filterable. {available}\n"
                f"2:{len(tree.attribute) + 2} {shown}"
            )
    elif tree is not None:
        for part in tree[1] if isinstance(tree[1], list) else [tree[1]]:
            check(part, uid, filterable)


def passing(tree: Tree | None, documents: Mapping[int, Facets]) -> set[int]:
    """Return the documents that pass."""
    if tree is None:
        return set(documents)
    if isinstance(tree, Condition):
        test = _test(tree)
        return {number for number, found in documents.items() if test(found)}
    kind, inner = tree
    if kind == "not":
        return set(documents) - passing(inner, documents)
    parts = [passing(part, documents) for part in inner]
    return set.union(*parts) if kind == "or" else set.intersection(*parts)


def _test(condition: Condition) -> Callable[[Facets], bool]:
    name, values = condition.attribute, condition.values
    if condition.op == "EXISTS":
        return lambda found: name in found.exists
    if condition.op == "NULL":
        return lambda found: name in found.null
    if condition.op == "EMPTY":
        return lambda found: name in found.empty
    if condition.op == "STARTS":
        start = facet(values[0])
        return lambda found: any(isinstance(v, str) and facet(v).startswith(start) for v in found.values.get(name, ()))
    if condition.op == "!=":
        same = _compare("=", values)
        return lambda found: not any(same(v) for v in found.values.get(name, ()))
    test = _compare(condition.op, values)
    return lambda found: any(test(v) for v in found.values.get(name, ()))


def _compare(op: str, values: Sequence[str]) -> Callable[[Any], bool]:
    numbers, texts = [_number(v) for v in values], [facet(v) for v in values]

    def test(item: Any) -> bool:
        if isinstance(item, bool):
            item = "true" if item else "false"
        if isinstance(item, str):
            return _holds(op, facet(item), texts)
        known = [n for n in numbers if n is not None]
        return len(known) > 0 and (op in ("IN", "=") or len(known) == len(numbers)) and _holds(op, float(item), known)

    return test


def _holds(op: str, item: Any, wanted: Sequence[Any]) -> bool:
    if op in ("=", "IN"):
        return item in wanted
    if op == "TO":
        return bool(wanted[0] <= item <= wanted[1])
    first = wanted[0]
    return bool({"<": item < first, "<=": item <= first, ">": item > first, ">=": item >= first}[op])


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
