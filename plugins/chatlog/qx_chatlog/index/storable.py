"""Messages as every database takes them: no zero bytes, no halves of characters, times in UTC."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from qx.errors import UsageError
from qx.serial import from_plain, replace, to_json, to_plain
from qx.text.clean import replace_surrogates
from qx_chatlog.message import Attachment, Message, utc

T = TypeVar("T")


def storable(message: Message) -> Message:
    """Return ``message`` as it is stored.

    Raises:
        UsageError: its metadata has no JSON form, or its zone is none.
    """
    for name in _NAMES:
        if len(getattr(message, name)) > LONGEST_NAME:
            raise UsageError(f"message {message.id[:40]!r}: its {name} has more than {LONGEST_NAME} characters")
    if len(message.content) > LONGEST:
        raise UsageError(f"message {message.id!r}: it has more than {LONGEST:,} characters")
    if not 1 < utc(message.time).year < 9999:
        raise UsageError(f"message {message.id!r}: its time {message.time.isoformat()} is beyond all years")
    try:
        ZoneInfo(message.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"message {message.id!r}: no time zone is called {message.zone!r}") from None
    return replace(
        message,
        **{name: clean(getattr(message, name)) for name in _TEXTS},
        time=utc(message.time),
        attachments=tuple(_attachment(one) for one in message.attachments),
        metadata=_metadata(message),
    )


LONGEST = 1_000_000
"""Characters of one message."""
LONGEST_NAME = 500
"""Characters of an id, a name or another label."""
_NAMES = ("id", "tenant", "user", "session", "role", "speaker", "type")
_TEXTS = ("id", "tenant", "user", "session", "role", "content", "speaker", "type")


def clean(text: str) -> str:
    """Return ``text`` with U+FFFD for zero bytes and halves of characters."""
    return replace_surrogates(text).replace("\0", "\ufffd")


def sound(items: Iterable[T]) -> list[T]:
    """Return items, each once, without texts that cannot be stored and so are in no row."""
    return [one for one in dict.fromkeys(items) if not isinstance(one, str) or clean(one) == one]


def written(attachments: tuple[Attachment, ...]) -> str | None:
    """Return attachments as JSON; None: there are none."""
    return to_json(attachments) if attachments else None


def read(attachments: list[dict[str, Any]] | None) -> tuple[Attachment, ...]:
    """Return attachments from their JSON."""
    return tuple(from_plain(Attachment, one) for one in attachments or ())


def metadata_rows(metadata: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return what is looked up of metadata: keys and values as JSON, those of a list each as well."""
    found: set[tuple[str, str]] = set()
    for key, item in metadata.items():
        found.add((key, canonical(item)))
        if isinstance(item, (list, tuple)):
            found |= {(key, canonical(one)) for one in cast("list[Any]", item)}
    return found


def canonical(item: object) -> str:
    """Return the JSON of a value, the same for equal values."""
    import json

    plain = to_plain(item)
    if isinstance(plain, float) and plain.is_integer():
        plain = int(plain)
    return clean(json.dumps(plain, ensure_ascii=False, sort_keys=True))


def _attachment(one: Attachment) -> Attachment:
    return replace(one, kind=clean(one.kind), name=clean(one.name), url=clean(one.url), text=clean(one.text))


def _metadata(message: Message) -> Mapping[str, Any]:
    if not message.metadata:
        return message.metadata
    try:
        plain = to_plain(message.metadata)
    except TypeError as error:
        raise UsageError(f"message {message.id!r}: its metadata is not plain JSON: {error}") from error
    try:
        return cast("Mapping[str, Any]", _cleaned(plain))
    except ValueError as error:
        raise UsageError(f"message {message.id!r}: in its metadata {error}") from error


def _cleaned(item: Any) -> Any:
    if isinstance(item, str):
        return clean(item)
    if isinstance(item, dict):
        pairs = cast("dict[str, Any]", item)
        return {clean(key): _cleaned(one) for key, one in pairs.items()}
    if isinstance(item, float) and not math.isfinite(item):
        raise ValueError(f"{item} is no number of JSON")
    if isinstance(item, list):
        return [_cleaned(one) for one in cast("list[Any]", item)]
    return item
