"""Secrets: pydantic's ``SecretStr`` from the profile to the one place that needs the text, and nowhere else.

``reveal`` gives the text to that place; the ``Redactor`` knows the secrets of an engine and takes them out of text,
values, log records and exceptions at every sink.
"""

from __future__ import annotations

import base64
import json
import logging
import re
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast
from urllib.parse import quote, quote_plus, urlsplit

from pydantic import BaseModel, SecretStr

from qx.errors import QxError

T = TypeVar("T")

MASK = "[redacted]"
_PLACEHOLDERS = frozenset({"ollama", "dummy", "empty", "none", "null", "test", "not-needed", "no-key", "unused"})
"""What people write where a local server wants some key: ordinary words, which redacting would tear out of texts."""

_SECRET = re.compile(
    r"(?:^|_)(?:api_?key|access_?key|secret_?key|private_?key|subscription_?key|token|secret|password|passwd|passphrase"
    r"|credentials?|authorization|cookie|signature|dsn|connection_string)$"
)


def words_of(name: object) -> str:
    """Return the name of a field in small letters with ``_`` between its words: ``X-Api-Key`` is ``x_api_key``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(name)).replace("-", "_").lower()


def is_secret(key: object) -> bool:
    """Whether a field of this name holds a secret: ``api_key``, ``X-Api-Key``, ``password``, ``dsn`` ..."""
    return bool(_SECRET.search(words_of(key)))


def is_key(name: str) -> bool:
    """Whether a parameter of a URL holds a secret; there, a mere ``key`` does."""
    return is_secret(name) or name == "key"


def reveal(item: Any) -> Any:
    """Return ``item`` (nested mappings and lists) with every ``SecretStr`` as its text.

    For the one moment in which a plugin's ``Settings`` are made from a profile's open mappings.
    """
    if isinstance(item, SecretStr):
        return item.get_secret_value()
    if isinstance(item, Mapping):
        return {k: reveal(v) for k, v in cast("Mapping[str, Any]", item).items()}
    if isinstance(item, (list, tuple)):
        return [reveal(v) for v in cast("list[Any]", item)]
    return item


def secrets_of(item: Any) -> frozenset[str]:
    """Return the text of every secret in ``item``: a profile, another model, or nested mappings and lists."""
    if isinstance(item, SecretStr):
        text = item.get_secret_value()
        parts = {text}
        if "://" in text and "@" in text:
            parts |= {part for part in (_password(text),) if part}
        return frozenset(part for part in parts if part)
    if isinstance(item, BaseModel):
        inner = [getattr(item, name) for name in type(item).model_fields]
        return secrets_of([*inner, *(item.model_extra or {}).values()])
    if isinstance(item, Mapping):
        return secrets_of(list(cast("Mapping[Any, Any]", item).values()))
    if isinstance(item, (list, tuple)):
        return frozenset(text for v in cast("list[Any]", item) for text in secrets_of(v))
    return frozenset()


def _password(text: str) -> str | None:
    try:
        return urlsplit(text).password
    except ValueError:
        return None


class Redactor:
    """Replaces known secrets by ``[redacted]``.

    It also finds their percent-encoded, JSON-escaped and base64 forms (at each of the three alignments, so that the
    key inside of a ``user:key`` header is found).  Secrets under eight characters are only taken out as whole words,
    those under four not at all.
    """

    def __init__(self, values: Iterable[str | SecretStr] = ()) -> None:
        self._values: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self.add(*values)

    @classmethod
    def of(cls, *items: Any) -> Redactor:
        """A redactor of every secret in ``items``: profiles, settings, mappings."""
        return cls(secrets_of(list(items)))

    def add(self, *values: str | SecretStr) -> None:
        """Learn more secrets."""
        texts = (v.get_secret_value() if isinstance(v, SecretStr) else v for v in values)
        self._values |= {t for text in texts if len(t := text.strip()) >= 4 and t.lower() not in _PLACEHOLDERS}
        forms = {form for text in self._values for form in _forms(text)}
        ordered = sorted(forms, key=lambda form: (-len(form), form))
        parts = [re.escape(f) if len(f) >= 8 else rf"(?<![^\W_]){re.escape(f)}(?![^\W_])" for f in ordered]
        self._pattern = re.compile("|".join(parts)) if parts else None

    def text(self, text: str) -> str:
        """Return ``text`` without secrets."""
        return self._pattern.sub(MASK, text) if self._pattern else text

    def holds(self, text: str) -> bool:
        """Whether ``text`` has a secret in it."""
        return bool(self._pattern and self._pattern.search(text))

    def value(self, item: T) -> T:
        """Return a copy of ``item`` without secrets: text, bytes, mappings (keys too), lists, tuples, dataclasses, models.

        A model in which there are none is itself.
        """
        return cast("T", self._value(item)) if self._pattern else item

    def _value(self, item: Any) -> Any:
        if isinstance(item, str):
            return self.text(item)
        if isinstance(item, (bytes, bytearray)):
            plain = bytes(item).decode("utf-8", "surrogateescape")
            return self.text(plain).encode("utf-8", "surrogateescape") if self.holds(plain) else item
        if isinstance(item, Mapping):
            return {self._value(k): self._value(v) for k, v in cast("Mapping[Any, Any]", item).items()}
        if isinstance(item, (list, set, frozenset)):
            make_same = cast("Any", type(cast("object", item)))
            return make_same(self._value(v) for v in cast("list[Any]", item))
        if isinstance(item, tuple):
            parts = [self._value(v) for v in cast("tuple[Any, ...]", item)]
            make: Any = getattr(cast("Any", item), "_make", tuple)  # a named tuple keeps its class
            return make(parts)
        if isinstance(item, BaseModel):
            return self._model(item)
        if is_dataclass(item) and not isinstance(item, type):
            return replace(item, **{f.name: self._value(getattr(item, f.name)) for f in fields(item) if f.init})
        return item

    def _model(self, item: BaseModel) -> BaseModel:
        names = [*type(item).model_fields, *(item.model_extra or {})]
        clean = {name: self._value(getattr(item, name)) for name in names}
        changed = {name: new for name, new in clean.items() if new != getattr(item, name)}
        if not changed:
            return item
        made = item.model_copy(update=changed)
        for cached in set(vars(made)) - set(names):  # cached properties, which were made of what it held
            del vars(made)[cached]
        return made

    def exception(self, exc: BaseException) -> BaseException:
        """Take secrets out of ``exc`` and all that hangs on it: causes, contexts, notes, groups, attributes.

        Returns:
            ``exc`` itself, changed in place; where it cannot be changed, a ``QxError`` that stands in for it, with
            its type's name, its redacted text and its traceback.
        """
        return self._exception(exc, {}) if self._pattern else exc

    def _exception(self, exc: BaseException, seen: dict[int, BaseException]) -> BaseException:
        if id(exc) in seen:
            return seen[id(exc)]
        seen[id(exc)] = exc
        cause, context = exc.__cause__, exc.__context__
        hidden = exc.__suppress_context__
        self._clean(exc)
        found: BaseException = exc
        if isinstance(cast("Any", exc), BaseExceptionGroup):
            found = self._group(cast("BaseExceptionGroup[BaseException]", exc), seen)
        if found is exc and self._shows(exc):
            found = _stand_in(exc, self.text(_said(exc)))
        seen[id(exc)] = found
        found.__cause__ = self._exception(cause, seen) if cause is not None else None
        found.__context__ = self._exception(context, seen) if context is not None else None
        found.__suppress_context__ = hidden
        return found

    def _group(
        self, group: BaseExceptionGroup[BaseException], seen: dict[int, BaseException]
    ) -> BaseExceptionGroup[BaseException]:
        inner = [self._exception(e, seen) for e in group.exceptions]
        same = all(new is old for new, old in zip(inner, group.exceptions, strict=True))
        if same and not self.holds(group.message):
            return group
        return BaseExceptionGroup(self.text(group.message), inner).with_traceback(group.__traceback__)

    def _clean(self, exc: BaseException) -> None:
        exc.args = self.value(exc.args)
        for name, item in list(vars(exc).items()):
            clean = self.value(item)
            if clean is not item and clean != item:
                setattr(exc, name, clean)

    def _shows(self, exc: BaseException) -> bool:
        shown = (_said(exc), repr(exc), *traceback.format_exception_only(exc))
        return any(self.holds(text) for text in shown)

    def attach(self, *loggers: logging.Logger) -> RedactingFilter:
        """Put the redacting filter on ``loggers`` and their handlers; returns it, for ``detach``."""
        redacting = RedactingFilter(self)
        for place in _places(loggers):
            place.addFilter(redacting)
        return redacting

    def detach(self, redacting: RedactingFilter, *loggers: logging.Logger) -> None:
        """Undo ``attach``."""
        for place in _places(loggers):
            place.removeFilter(redacting)


def _places(loggers: Iterable[logging.Logger]) -> Iterator[logging.Filterer]:
    for logger in loggers:
        yield logger
        yield from logger.handlers


def _said(exc: BaseException) -> str:
    try:
        return str(exc)
    except Exception:  # noqa: BLE001 - a broken __str__ must not hide the error it belongs to
        return ""


def _stand_in(exc: BaseException, text: str) -> BaseException:
    if isinstance(exc, QxError):
        same = QxError.__new__(type(exc))
        same.__dict__.update(vars(exc))
        same.args = (text,)
        return same.with_traceback(exc.__traceback__)
    return QxError(f"{type(exc).__name__}: {text}").with_traceback(exc.__traceback__)


def _forms(text: str) -> Iterator[str]:
    yield text
    for encoded in (quote(text, safe=""), quote(text), quote_plus(text)):
        yield encoded
        yield re.sub(r"%[0-9A-F]{2}", lambda m: m[0].lower(), encoded)
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield repr(text)[1:-1]
    data = text.encode("utf-8", "surrogatepass")
    for shift in range(3):
        whole = (shift + len(data)) * 8 // 6
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            core = encode(b"\0" * shift + data).decode("ascii")[-(-shift * 8 // 6) : whole]
            if len(core) >= 8:
                yield core


class RedactingFilter(logging.Filter):
    """Takes secrets out of a log record: its message, exception, stack and extra attributes.  Drops nothing."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def filter(self, record: logging.LogRecord) -> bool:
        redactor = self._redactor
        try:
            record.msg, record.args = redactor.text(record.getMessage()), None
        except (TypeError, ValueError, KeyError):  # the arguments do not fit the message: logging says so later
            record.msg, record.args = redactor.text(str(record.msg)), cast("Any", redactor.value(record.args))
        if record.exc_info and record.exc_info[1] is not None:
            clean = redactor.exception(record.exc_info[1])
            record.exc_info = (type(clean), clean, record.exc_info[2])
        for name, item in list(vars(record).items()):
            if name not in ("msg", "args", "exc_info"):
                setattr(record, name, redactor.value(item))
        return True
