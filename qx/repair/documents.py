"""The JSON values that a model's text holds: exact ones, then repaired ones, each with the rung that read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Literal, cast

from qx.repair.blocks import Region
from qx.repair.tolerant import Document, TooDeep, read, read_items
from qx.serial import value

Rung = Literal["json", "think", "fences", "preamble", "repair", "lines", "none"]

_ATTEMPTS = 40
_REPAIR_LIMIT = 20_000
_OPENING = re.compile(
    r"[{｛]\s*(?:[\"“”＂'‘’＇「}｝]|\w{1,40}\s{0,8}[:：])|[\[［【]\s*[\"“”＂'‘’＇「{｛\[［\]］]|[(（]\s*[\"“'‘]"
)
_BARE_LIST = re.compile(r"[\[［【][^\[\]{}［］【】\n]{1,4000}[\]］】]\Z")
_SCAR = re.compile(r"^\s*[,:;\[\]{}]\s*\[?\s*[\"'“”]|[\"“”']\s*[,:，：]\s*\[?\s*[\"“”']")
_ITEMS = re.compile(r"[\"“'‘]")


@value
class Found:
    """One value: ``start`` is where it begins in its region, ``rung`` what it took to read it."""

    value: object
    rung: Rung
    start: int = 0
    cut: bool = False


def strict(text: str) -> Found | None:
    """Return the value if the whole text is JSON, else None."""
    try:
        return Found(value=_DECODER.decode(text), rung="json")
    except (ValueError, RecursionError):
        return None


def opening(text: str, at: int = 0) -> int:
    """Return where the first array or object of strings opens in ``text``, -1 where none does."""
    match = _OPENING.search(text, at)
    return match.start() if match else -1


def documents(region: Region) -> Iterator[Found]:
    """Yield the values of one region in their order (in thoughts: the last one first)."""
    found = list(_walk(region))
    yield from reversed(found) if region.thought else found


def _walk(region: Region) -> Iterator[Found]:
    text = region.text
    whole = strict(text)
    if whole is not None:
        yield Found(value=whole.value, rung=region.wrapping)
        return
    if _BARE_LIST.match(text) or text[:1] in ("{", "｛", "[", "［"):
        starts_here = True
    else:
        starts_here = False
        if _ITEMS.match(text):
            yield from _unopened(text)
    at = 0
    spent = 0
    for _ in range(_ATTEMPTS):
        start = 0 if starts_here and at == 0 else opening(text, at)
        if start < 0 or spent > 2 * len(text) + 1000:
            return
        document, rung = _document(region, start)
        if document is None:
            at = start + 1
            spent += len(text) - start
            continue
        yield Found(value=document.value, rung=rung, start=start, cut=document.cut)
        spent += document.end - start
        # A document that swallowed the rest may have opened in prose: look for another inside it.
        at = start + 1 if document.cut else document.end


def _unopened(text: str) -> Iterator[Found]:
    try:
        document = read_items(text)
    except TooDeep:
        return
    items = cast("list[object]", document.value)
    if document.end >= len(text) and items and all(isinstance(i, str) for i in items):
        yield Found(value=items, rung="repair", cut=document.cut)


def _document(region: Region, start: int) -> tuple[Document | None, Rung]:
    text = region.text
    try:
        exact, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        pass
    else:
        alone = region.thought or (start == 0 and not text[end:].strip())
        return Document(value=exact, start=start, end=end), region.wrapping if alone else "preamble"
    try:
        document = read(text, start)
    except TooDeep:
        return None, "repair"
    if document.end - start > 2 and (not document.value or _scarred(document.value)):
        document = _library(text, document)
        return (None if _scarred(document.value) else document), "repair"
    return document, "repair"


def _scarred(found: object) -> bool:
    """Whether a string holds what must have stood between two strings: then the quotes were read wrongly."""
    if isinstance(found, str):
        return _SCAR.search(found) is not None or (found.count('"') % 2 == 1 and ', "' in found)
    if isinstance(found, dict):
        members = cast("dict[str, object]", found)
        return any(_scarred(key) or _scarred(item) for key, item in members.items())
    return isinstance(found, list) and any(_scarred(item) for item in cast("list[object]", found))


def _library(text: str, document: Document) -> Document:
    """Let the repair library try a closed document that the tolerant reader could make nothing of."""
    source = text[document.start : document.end]
    if document.cut or len(source) > _REPAIR_LIMIT:
        return document
    import json_repair  # imported late: most answers need no repair

    try:
        repaired = cast("object", json_repair.loads(source))
    except (ValueError, RecursionError, IndexError):
        return document
    return Document(value=repaired or document.value, start=document.start, end=document.end)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant, strict=False)
__all__ = ["Found", "Rung", "documents", "opening", "strict"]
