"""A look into an index that is already there: some of its documents, and by what names its values are filtered."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import cast

from qx.backend import SearchBackend, SearchRequest, SupportsCount, SupportsFilter, SupportsIndexing
from qx.errors import QxError
from qx.filters import Compare, Exists, Filter, Not
from qx.serial import value
from qx.syntax import lexical
from qx.types import Hit

SAMPLE = 200
"""Documents that are looked at."""
TIMEOUT = 10.0
_NO_FIELD = "qx_no_such_field"
_COMMON = ("the", "a", "of", "and", "的", "是", "有", "1", "2", "de", "la")
"""Words that nearly every collection holds, where nothing better can be asked."""


@value
class Sample:
    """Some documents of an index, and how many it holds, where that is known."""

    hits: tuple[Hit, ...]
    total: int | None = None


async def sample(backend: SearchBackend) -> Sample:
    """Return some documents, by whatever the backend can be asked.

    Raises:
        QxError: the backend failed at all that was tried; the first cause.
    """
    first: QxError | None = None
    best: tuple[Hit, ...] = ()
    async for request in _requests(backend):
        try:
            answer = await backend.search(request)
        except QxError as error:
            first = first or error
            continue
        found = tuple(answer.hit(index) for index in range(len(answer.ids)))
        best = max(best, found, key=len)
        if len(best) >= SAMPLE // 10:
            break
    if not best and first is not None:
        raise first
    return Sample(hits=best, total=await _total(backend))


async def filterable(backend: SearchBackend, path: str) -> str | None:
    """Return the stored name by which the values at ``path`` of a hit's metadata are found; None where they are not.

    An index that qx made keeps them below ``metadata``, another one by their own name.
    """
    if not isinstance(backend, SupportsCount) or not isinstance(backend, SupportsFilter):
        return path
    for name in (f"metadata.{path}", path):
        tree = Exists(field=name)
        try:
            if not backend.inexpressible(tree) and await backend.count(tree):
                return name
        except QxError:
            continue
    return None


async def _requests(backend: SearchBackend) -> AsyncIterator[SearchRequest]:
    if isinstance(backend, SupportsFilter):
        yield _everything(Not(filter=Exists(field=_NO_FIELD)))
        if isinstance(backend, SupportsIndexing):
            try:
                ids = tuple((await backend.ids())[:SAMPLE])
            except QxError:
                ids = ()
            if ids:
                yield _everything(Compare(field="id", op="in", value=ids))
    text = " ".join(_COMMON)
    yield SearchRequest(text=text, expression=lexical(text), limit=SAMPLE, timeout=TIMEOUT)


def _everything(tree: Filter) -> SearchRequest:
    return SearchRequest(text="", expression=lexical(""), filter=tree, limit=SAMPLE, timeout=TIMEOUT)


async def _total(backend: SearchBackend) -> int | None:
    try:
        return await backend.count(None) if isinstance(backend, SupportsCount) else None
    except QxError:
        return None


def leaves(item: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield path and value of everything in nested metadata; a list's elements each, under the list's path."""
    for name, part in item.items():
        path = f"{prefix}{name}"
        for element in cast("Sequence[object]", part) if isinstance(part, (list, tuple)) else (part,):
            if isinstance(element, Mapping):
                yield from leaves(cast("Mapping[str, object]", element), f"{path}.")
            elif element is not None:
                yield path, element
