"""The only way that YAML enters qx: JSON's data model in YAML's clothes.

No tags, no anchors and aliases, no second document; duplicate keys raise; a scalar is what JSON says it is, so ``no``,
``22:30``, ``0777`` and ``2024-05-01`` are text.  Size and depth are limited, and every error has file, line and column.

The text is read once, by libyaml's parser, straight into plain values.  Where each value stands is only worked out
when somebody asks (an error, ``qx profile show``), by reading the text a second time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import yaml

from qx.errors import ProfileError
from qx.serial import value

Loc = tuple[str | int, ...]
"""A way into nested data: keys and positions, as in pydantic's errors."""

PROFILE_LIMIT = 1_000_000
"""Bytes of a profile."""

_DEPTH = 32
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?\Z")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Control characters, and those that reorder what is shown."""
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "": None}
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML built without libyaml: slower, the same events


@value
class Place:
    """Where something is written; ``line`` and ``column`` count from 1, None where there is no text."""

    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(p) for p in (self.file, self.line, self.column) if p is not None)


def walk(data: Any, loc: Sequence[str | int]) -> tuple[Loc, Any]:
    """Follow ``loc`` into ``data`` and return the way really gone and the value there.

    Parts that do not exist are skipped: pydantic's locations hold the names of union members, and a missing key.
    """
    gone: Loc = ()
    here = data
    for part in loc:
        if not _has(here, part):
            continue
        here = here[part]
        gone = (*gone, part)
    return gone, here


def _has(data: Any, part: str | int) -> bool:
    if isinstance(data, Mapping):
        return part in data
    return isinstance(data, list) and isinstance(part, int) and 0 <= part < len(cast("list[Any]", data))


class Document:
    """One file of YAML: its plain ``data``, and the place of everything in it.

    Attributes:
        file: The file's name, for messages.
        data: Dicts, lists, strings, numbers, booleans and None.
    """

    def __init__(self, text: str, *, file: str, depth: int = _DEPTH, error: type[ProfileError] = ProfileError) -> None:
        self.file = file
        self._text = text
        self._depth = depth
        self._error = error
        self._places: dict[Loc, tuple[int, int]] | None = None
        self.data: Any = _Reader(text, file, depth, error).read()

    def place(self, loc: Sequence[str | int] = ()) -> Place:
        """Return where the key or item at ``loc`` stands; where it is missing, the nearest thing around it."""
        if self._places is None:
            reader = _Reader(self._text, self.file, self._depth, self._error)
            reader.places = {}
            reader.read()
            self._places = reader.places
        gone, _ = walk(self.data, loc)
        line, column = self._places.get(gone, (1, 1))
        return Place(file=self.file, line=line, column=column)

    def problem(
        self,
        message: str,
        loc: Sequence[str | int] = (),
        *,
        hint: str | None = None,
        error: type[ProfileError] | None = None,
    ) -> ProfileError:
        """Return (not raise) the error that says ``message`` about what stands at ``loc``."""
        place = self.place(loc)
        return (error or self._error)(message, file=place.file, line=place.line, column=place.column, hint=hint)


class _Reader:
    """Builds plain values from the parser's events; with ``places``, notes where each key and item begins."""

    def __init__(self, text: str, file: str, depth: int, error: type[ProfileError]) -> None:
        self._text = text
        self._file = file
        self._depth = depth
        self._error = error
        self._next: Any = None
        self.places: dict[Loc, tuple[int, int]] | None = None

    def read(self) -> Any:
        loader: Any = None
        try:
            loader = _LOADER(self._text)
            self._next = loader.get_event
            return self._document()
        except yaml.MarkedYAMLError as exc:
            mark = exc.problem_mark or exc.context_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
            said = " ".join(str(p) for p in (exc.problem, exc.context) if p)
            message = f"not valid YAML: {said}"
            raise self._error(message, file=self._file, line=line, column=column, hint=_hint(said)) from exc
        except yaml.reader.ReaderError as exc:
            where = self._offset(exc.position)
            raise self._at(where, f"this character is not allowed in YAML: {exc.reason}") from exc
        except UnicodeEncodeError as exc:
            raise self._at(self._offset(exc.start), "the text is not valid Unicode") from exc
        finally:
            if loader is not None:
                loader.dispose()

    def _document(self) -> Any:
        self._next()  # the stream's start
        event = self._next()
        if isinstance(event, yaml.StreamEndEvent):
            return None
        data = self._node(self._next(), (), 0)
        self._next()  # the document's end
        event = self._next()
        if not isinstance(event, yaml.StreamEndEvent):
            raise self._fail(event, "a second document begins here", "keep one document in a file")
        return data

    def _node(self, event: Any, path: Loc, depth: int) -> Any:
        if isinstance(event, yaml.AliasEvent):
            raise self._fail(event, f"aliases are not allowed: *{event.anchor}", "write the value out")
        if event.anchor is not None:
            raise self._fail(event, f"anchors are not allowed: &{event.anchor}", "write the value out where it is used")
        if event.tag is not None:
            raise self._fail(event, f"tags are not allowed: {event.tag}", "quote the text if it begins with '!'")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if depth >= self._depth:
            raise self._fail(event, f"nested more than {self._depth} deep", "flatten the structure")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path, depth)
        return self._mapping(path, depth)

    def _sequence(self, path: Loc, depth: int) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            below = path
            if self.places is not None:
                below = (*path, len(items))
                self.places[below] = (event.start_mark.line + 1, event.start_mark.column + 1)
            items.append(self._node(event, below, depth + 1))
        return items

    def _mapping(self, path: Loc, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event)
            if key in found:
                raise self._fail(event, f"the key {key!r} stands twice in one mapping", "remove one of the two")
            below = path
            if self.places is not None:
                below = (*path, key)
                self.places[below] = (event.start_mark.line + 1, event.start_mark.column + 1)
            found[key] = None
            found[key] = self._node(self._next(), below, depth + 1)
        return found

    def _key(self, event: Any) -> str:
        """Keys are text as written, like JSON's: ``no:``, ``1:`` and ``true:`` are "no", "1" and "true"."""
        if not isinstance(event, yaml.ScalarEvent):
            if isinstance(event, yaml.AliasEvent) or event.anchor is not None or event.tag is not None:
                self._node(event, (), 0)  # raises the fitting error
            raise self._fail(event, "a key must be plain text", "quote text that holds '{', '[' or '?'")
        if event.anchor is not None or event.tag is not None:
            self._node(event, (), 0)
        text = str(event.value)
        if not text and event.implicit[0]:
            raise self._fail(event, "a key is missing before ':'")
        if _UNSEEN.search(text):
            raise self._fail(event, "a key holds a control character", "write it out as it is meant")
        return text

    def _scalar(self, event: Any) -> str | int | float | bool | None:
        text = str(event.value)
        if not event.implicit[0]:  # quoted, or a block of text
            return text
        if text in _WORDS:
            return _WORDS[text]
        if text[0] not in "-0123456789" or not (match := _NUMBER.match(text)):
            return text
        if match[1] is None and match[2] is None:
            if len(text) > 300:
                raise self._fail(event, "the number is too long", "quote it if it is text")
            return int(text)
        number = float(text)
        if math.isinf(number):
            raise self._fail(event, "the number is out of range", "quote it if it is text")
        return number

    def _fail(self, event: Any, message: str, hint: str | None = None) -> ProfileError:
        return self._at((event.start_mark.line + 1, event.start_mark.column + 1), message, hint)

    def _at(self, where: tuple[int, int], message: str, hint: str | None = None) -> ProfileError:
        return self._error(message, file=self._file, line=where[0], column=where[1], hint=hint)

    def _offset(self, position: int) -> tuple[int, int]:
        before = self._text[:position]
        return before.count("\n") + 1, position - (before.rfind("\n") + 1) + 1


def _hint(said: str) -> str | None:
    if "cannot start any token" in said:
        return "a tab or '%', '@', '`' begins the value: indent with spaces, quote the text"
    if "mapping values are not allowed" in said:
        return "quote text that holds ': '"
    return "check the indentation, quotes and brackets around this place"


def parse(
    text: str,
    *,
    file: str = "<text>",
    limit: int = PROFILE_LIMIT,
    depth: int = _DEPTH,
    error: type[ProfileError] = ProfileError,
) -> Document:
    """Read ``text``.

    Args:
        text: The YAML.
        file: What messages call it.
        limit: The greatest number of UTF-8 bytes.
        depth: The deepest nesting of lists and mappings.
        error: The kind of error to raise.

    Raises:
        ProfileError: not the subset of YAML that qx reads, or too large; with file, line, column.
    """
    _check_size(len(text.encode("utf-8", "replace")), limit, file, error)
    return Document(text, file=file, depth=depth, error=error)


def load(
    path: str | Path,
    *,
    limit: int = PROFILE_LIMIT,
    depth: int = _DEPTH,
    error: type[ProfileError] = ProfileError,
) -> Document:
    """Read the file at ``path``; as ``parse``.

    Raises:
        ProfileError: also where the file is missing, unreadable or not UTF-8.
    """
    file = str(path)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(limit + 1)
    except FileNotFoundError as exc:
        raise error("there is no such file", file=file) from exc
    except OSError as exc:
        raise error(f"the file cannot be read: {exc.strerror or exc}", file=file) from exc
    _check_size(len(data), limit, file, error)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data[: exc.start].count(b"\n") + 1
        raise error("the file is not UTF-8", file=file, line=line, hint="save it as UTF-8") from exc
    return Document(text, file=file, depth=depth, error=error)


def _check_size(size: int, limit: int, file: str, error: type[ProfileError]) -> None:
    if size > limit:
        raise error(f"more than {limit:,} bytes, the limit", file=file, hint="split it, or raise the limit")
