"""A cassette's file: JSON lines, one exchange each, that people read, write and keep in a repository.

::

    {"key": "9f2c…", "mark": "recorded", "request": {...}, "response": {"text": "..."}, "capabilities": {...}}
    {"mark": "handwritten", "match": ["东京天气", "understand"], "response": {"text": "..."}}
    {"key": "77ab…", "kind": "search", "request": {"backend": "web", "text": "茶", ...}, "response": {"hits": [...]}}
    {"key": "77ab…", "kind": "search", "request": {...}, "error": {"type": "RateLimited", "message": "..."}}

``key`` is a digest of the whole request (of a model: messages, schema, tools, parameters).  A handwritten line has
``request`` (its key is worked out) or ``match``: texts that must all occur in the messages to a model.  ``kind`` says
who was asked; a line without it is a model's.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import ValidationError

from qx.builtin.cassette_answers import About, Embedded, Failure, Listing, Moment, Replied
from qx.errors import ProfileError
from qx.llm import Capabilities, Completion, CompletionRequest
from qx.serial import empty, from_plain, to_plain, value
from qx.types import Usage

try:
    import fcntl
except ImportError:  # Windows: one process at a time
    fcntl = None

log = logging.getLogger("qx")

Mark = Literal["recorded", "handwritten"]
Kind = Literal["model", "embedding", "search", "call", "about", "moment", "http"]
"""Who was asked: a model, an embedder, an engine for hits, an engine for something else (a count, a vocabulary), nobody
(what an engine is, when a query was), an HTTP service of a processor."""

_ANSWERS: Mapping[Kind, Any] = {
    "model": Completion,
    "embedding": Embedded,
    "search": Listing,
    "about": About,
    "moment": Moment,
    "http": Replied,
}
"""What ``response`` is; that of a ``call`` is JSON as it stands."""

Redact = Callable[[str], str] | None
_BLOCK = 65536
_SECRET_WORDS = ("key", "token", "secret", "password", "authorization", "cookie")


@value
class Exchange:
    """One question and its answer: ``response``, of the type that ``kind`` names, or ``error``.

    ``request`` is JSON, as ``readable`` makes it of a request to a model.
    """

    key: str
    response: Any = None
    kind: Kind = "model"
    error: Failure | None = None
    request: Mapping[str, Any] = field(default_factory=empty)
    match: tuple[str, ...] = ()
    mark: Mark = "recorded"
    capabilities: Capabilities | None = None
    number: int | None = None
    """Of a whole recorded request that asks the same again: which time it was, from 2 on."""
    turn: tuple[int, int] | None = None
    """Of a whole recorded request: how many questions had been asked and answered when this answer came."""


def readable(request: CompletionRequest) -> dict[str, Any]:
    """Return what identifies a request, as it is written: without its timeout, without secrets among its options."""
    plain = to_plain(request)
    del plain["timeout"]
    options = cast("dict[str, Any]", plain.get("options") or {})
    plain["options"] = {k: "***" if any(w in k.lower() for w in _SECRET_WORDS) else v for k, v in options.items()}
    return {k: v for k, v in plain.items() if v not in (None, [], {})}


def digest(plain: Mapping[str, Any], kind: Kind = "model", number: int | None = None) -> str:
    """Return the key of a request; ``number``: asked again within one recorded request, for which time."""
    asked: Mapping[str, Any] = plain if kind == "model" else {"kind": kind, "request": plain}
    if number is not None:
        asked = {"asked": asked, "number": number}
    text = json.dumps(asked, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def read(path: Path) -> list[Exchange]:
    """Read a cassette; one that does not exist is empty.  A last line that a crash cut short is left out.

    Raises:
        ProfileError: a line is not an exchange; the text names file and line.  Or the file cannot be read.
    """
    if not path.exists():
        return []
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise ProfileError(f"cannot be read: {error.strerror or error}", file=str(path)) from error
    torn = len(lines) - 1 if lines[-1].startswith(b"{") else None
    found: list[Exchange] = []
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            found.append(_parsed(line))
        except _WRONG as error:
            if number == torn:
                log.warning("%s:%d: left out a last line that is not complete", path, number + 1)
                continue
            reason = error.__class__.__name__ if isinstance(error, (ValidationError, RecursionError)) else str(error)
            if isinstance(error, UnicodeDecodeError):
                reason = "it is not UTF-8"
            raise ProfileError(
                f"not an exchange: {reason}",
                file=str(path),
                line=number + 1,
                hint="a line has `request` or `match`, and `response` (of a model: with `text`) or `error`",
            ) from None
    return found


_WRONG = (ValueError, ValidationError, KeyError, TypeError, RecursionError)
"""What a line that is no exchange raises."""


def _parsed(line: bytes) -> Exchange:
    return exchange_of(json.loads(line.decode("utf-8")))


class Lines:
    """The exchanges of a cassette, all in memory: what a ``Tape`` looks up and adds to (implements ``Storage``).

    Args:
        path: The file; made by the first that is added.

    Raises:
        ProfileError: it is no cassette.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._exchanges = read(path)
        self._by_key = {(e.kind, e.key): e for e in self._exchanges if e.key}

    @property
    def exchanges(self) -> Sequence[Exchange]:
        return self._exchanges

    def get(self, kind: Kind, key: str) -> Exchange | None:
        return self._by_key.get((kind, key))

    def matching(self, said: str) -> Exchange | None:
        return next((e for e in self._exchanges if e.match and all(text in said for text in e.match)), None)

    def add(self, exchange: Exchange, redact: Redact) -> None:
        append(self.path, exchange, redact=redact)
        self._exchanges.append(exchange)
        self._by_key[exchange.kind, exchange.key] = exchange


def append(path: Path, exchange: Exchange, *, redact: Redact = None) -> None:
    """Add a line, whole or not at all, also while other tasks and processes add theirs.

    A last line that a crash cut short goes: it is no exchange, and would make a cassette of none of what follows.
    """
    data = (line_of(exchange, redact) + "\n").encode("utf-8", "backslashreplace")
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if last := _unended(descriptor):
            data = _mended(descriptor, last) + data
        while data:
            data = data[os.write(descriptor, data) :]
    finally:
        os.close(descriptor)  # unlocks too


def _unended(descriptor: int) -> bytes:
    """The last line, where no end of a line follows it."""
    last = b""
    place = os.lseek(descriptor, 0, os.SEEK_END)
    while place and b"\n" not in last:
        start = max(0, place - _BLOCK)
        os.lseek(descriptor, start, os.SEEK_SET)
        last = os.read(descriptor, place - start) + last
        place = start
    return last.rpartition(b"\n")[2]


def _mended(descriptor: int, last: bytes) -> bytes:
    """What comes before the next line: an end for a last line that is whole; nothing where it had to be cut off."""
    try:
        _parsed(last)
    except _WRONG:
        os.ftruncate(descriptor, os.lseek(descriptor, 0, os.SEEK_END) - len(last))
        return b""
    return b"\n"


def write(path: Path, exchanges: Iterable[Exchange], *, redact: Redact = None) -> None:
    """Replace the whole file at once."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            for exchange in exchanges:
                file.write(line_of(exchange, redact) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def line_of(exchange: Exchange, redact: Redact = None) -> str:
    """Return an exchange as its line has it, without known secrets."""
    plain = to_plain(exchange)
    if exchange.match:
        del plain["key"]
    if exchange.kind == "model":
        del plain["kind"]
    kept = {k: v for k, v in plain.items() if v not in (None, [], {}) or (k == "response" and exchange.error is None)}
    text = json.dumps(kept, ensure_ascii=False)
    return redact(text) if redact else text


def exchange_of(plain: Any) -> Exchange:
    """Return the exchange of a line that was read as JSON.

    Raises:
        ValueError, KeyError, TypeError, pydantic.ValidationError: it is none.
    """
    if not isinstance(plain, dict):
        raise TypeError("not a JSON object")
    fields = cast("dict[str, Any]", plain)
    request = cast("dict[str, Any]", fields.get("request") or {})
    kind: Kind = fields.get("kind", "model")
    if not request and not fields.get("match"):
        raise ValueError("neither `request` nor `match`")
    failure = from_plain(Failure, fields["error"]) if fields.get("error") else None
    response = None if failure is not None else _response(kind, fields["response"], request)
    # The key is worked out, never trusted: an edited request must not answer for the one it was copied from.
    computed = {
        "key": digest(request, kind, fields.get("number")) if request else "",
        "request": request,
        "response": None,
        "error": None,
    }
    return replace(from_plain(Exchange, fields | computed), response=response, error=failure)


def _response(kind: Kind, plain: Any, request: Mapping[str, Any]) -> Any:
    if kind == "model":
        plain = {"usage": to_plain(Usage()), "model": str(request.get("model", ""))} | plain
    return from_plain(_ANSWERS[kind], plain) if kind in _ANSWERS else plain
