"""Documents as Meilisearch keeps them, and hits made from what it returns."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, cast

from qx.backend import Document
from qx.filters.conversion import too_large
from qx.filters.fieldmap import FieldMap
from qx.serial import value
from qx.types import Highlight, Hit
from qx_meilisearch.identifiers import stored_id
from qx_meilisearch.tokens import shadow

RETRIEVED = ("qx.id",)
_HIGHLIGHTED = 40
_WORD = re.compile(r"\w")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@value
class Layout:
    """Where an index keeps what every document has.

    Attributes:
        key: The primary key.
        title, text, url: Attributes; dots lead into objects.
        own: Whether qx made the index, so that documents have ``metadata`` and ``qx``.
    """

    key: str = "id"
    title: str = "title"
    text: str = "text"
    url: str = "url"
    own: bool = True

    @classmethod
    def of(cls, fields: FieldMap, *, key: str, own: bool) -> Layout:
        """Return the layout that a field map describes."""
        names = {name: fields[name].name for name in ("title", "text", "url") if name in fields}
        return cls(key=key, own=own, **names)

    def retrieved(self) -> list[str]:
        """Return the attributes that a search brings."""
        if not self.own:
            return ["*"]
        return list(dict.fromkeys((self.key, self.title, self.text, self.url, "metadata", *RETRIEVED)))

    def stored(self, document: Document, embedder: str | None) -> dict[str, Any]:
        """Return ``document`` as it is written.

        Args:
            document: The document.
            embedder: The embedder that wants a vector (or null) of every document; None: there is none.
        """
        kept = stored_id(document.id)
        made: dict[str, Any] = {self.key: kept}
        plain = {self.title: document.title, self.text: document.text}
        if document.url is not None:
            plain[self.url] = document.url
        for name, item in plain.items():
            if not name.startswith("metadata."):
                made[name] = item
        if document.metadata:
            made["metadata"] = dict(document.metadata)
        beside = shadow({**plain, "id": document.id, "metadata": document.metadata}, document.url)
        made["qx"] = {"id": document.id, "vector": document.vector is not None, **beside}
        if embedder is not None:
            made["_vectors"] = {embedder: None if document.vector is None else floats(document.vector)}
        return made

    def id(self, found: Mapping[str, object]) -> str:
        """Return the document's own id."""
        beside = found.get("qx")
        inner = cast("Mapping[str, object]", beside).get("id") if isinstance(beside, Mapping) else None
        return str(inner if inner is not None else found.get(self.key))

    def location(self, found: Mapping[str, object]) -> str | None:
        """Return the document's url."""
        url = at(found, self.url)
        return url if isinstance(url, str) and url else None

    def hit(self, found: Mapping[str, object], backend: str, words: Sequence[str]) -> Hit:
        """Make the hit; ``words`` are highlighted."""
        beside = found.get("qx")
        if isinstance(beside, Mapping):
            metadata = cast("Mapping[str, object]", found.get("metadata") or {})
        else:
            metadata = {name: item for name, item in found.items() if not name.startswith("_")}
        title, text = str(at(found, self.title) or ""), str(at(found, self.text) or "")
        marked = [highlight(name, content, words) for name, content in (("title", title), ("text", text))]
        return Hit(
            id=self.id(found),
            backend=backend,
            title=title,
            text=text,
            url=self.location(found),
            metadata=metadata,
            highlights=tuple(mark for mark in marked if mark.spans),
        )


def at(found: Mapping[str, object], path: str) -> object:
    """Return the value at ``path``: the attribute of that name, else one inside of objects."""
    if path in found:
        return found[path]
    head, dot, rest = path.partition(".")
    inner = found.get(head)
    return at(cast("Mapping[str, object]", inner), rest) if dot and isinstance(inner, Mapping) else None


def floats(vector: bytes) -> list[float]:
    """Return the numbers of a vector (float32, little endian)."""
    numbers = array("f")
    numbers.frombytes(vector)
    return list(numbers)


def unsendable(stored: Mapping[str, Any], dimensions: int, vector: bytes | None) -> str | None:
    """Return why Meilisearch would refuse a document, and its whole batch with it; None where it would not."""
    if vector is not None and dimensions and len(vector) != 4 * dimensions:
        return f"its vector has {len(vector) // 4} dimensions, the index's have {dimensions}"
    if too_large(stored):
        return "a whole number in it is greater than 1.8e308, which nothing could compare"
    try:
        json.dumps(stored, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return "its text holds half a character (a lone surrogate): not text that JSON can carry"
    except (TypeError, ValueError) as error:
        return f"it is not JSON: {error}"
    return None


def holds(text: str, wanted: str, *, phrase: bool) -> bool:
    """Return whether ``text`` holds a word, or the words of a phrase in their order."""
    pieces = [re.escape(piece) for piece in (wanted.split() if phrase else [wanted])]
    return re.search(_edges(r"\W+".join(pieces), wanted), text, re.IGNORECASE) is not None


def highlight(field: str, text: str, words: Sequence[str]) -> Highlight:
    """Mark where ``words`` stand in ``text``; a word also marks a longer one that it begins."""
    patterns = [rf"{_edges(re.escape(word), word, end=False)}" for word in words]
    if not patterns or not text:
        return Highlight(field=field, text=text)
    spans: list[tuple[int, int]] = []
    for match in re.finditer("|".join(patterns), text, re.IGNORECASE):
        start, end = match.span()
        while end < len(text) and _WORD.match(text[end]) and not _CJK.match(text[end - 1]):
            end += 1
        spans.append((start, end))
        if len(spans) == _HIGHLIGHTED:
            break
    return Highlight(field=field, text=text, spans=tuple(spans))


def _edges(pattern: str, word: str, *, end: bool = True) -> str:
    """A Latin word begins and ends at an edge, and glued to Chinese is one; Chinese stands anywhere."""
    before = r"(?:(?<!\w)|(?<=[\u3040-\u30ff\u3400-\u9fff]))" if _WORD.match(word) and not _CJK.match(word) else ""
    after = (
        r"(?:(?!\w)|(?=[\u3040-\u30ff\u3400-\u9fff]))"
        if end and _WORD.match(word[-1:]) and not _CJK.match(word[-1:])
        else ""
    )
    return f"{before}{pattern}{after}"
