"""Personal data in messages hidden when they are imported, or whenever they are read; put back only with a key.

At import the store never holds what is hidden: with a key it is kept beside the message, encrypted (AES-SIV, which
gives the same message the same bytes, so that an import can be repeated); without one it is gone.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, cast

from qx.errors import UsageError
from qx.model import Model
from qx.serial import replace
from qx.settings import Secret
from qx.text import redact
from qx_chatlog.message import Attachment, Message

HIDDEN: Final = "redacted"
"""The key of a message's metadata that holds what was hidden, encrypted."""
_SALT = b"qx-query-chatlog redaction"
_SHORTEST = 12
_PLAIN = "· "
"""Before a label that is hidden: a number alone would be read, and written, as JSON."""
_UNKEYED = hashlib.sha256(b"qx-query-chatlog speakers").digest()
"""Without a key speakers are told apart by a short digest: to hundred thousands of numbers it gives the same one."""


class RedactSettings(Model):
    at: Literal["import", "reading"] = "import"
    """When e-mail addresses, telephone, identity, card and account numbers and keys are hidden: before messages are
    stored, or in all that is read of them."""
    secret_key: Secret | None = None
    """With it `qx chat reveal` puts back what was hidden; at import without one it is gone. `${NAME}` of a variable with
    at least 12 characters."""


Hide = Callable[[Message], Message]


def hide(message: Message) -> Message:
    """Return ``message`` with placeholders such as ``<PHONE_1>`` for personal data in its texts."""
    return _hidden(message)[0]


def importing(settings: RedactSettings | None) -> Callable[[Sequence[Message]], Sequence[Message]] | None:
    """Return what becomes of messages before they are stored; None: they are stored as they are.

    Raises:
        UsageError: the key is too short.
    """
    if settings is None or settings.at != "import":
        return None
    key = _key_of(settings)
    return lambda messages: [_stored(message, key) for message in messages]


def reading(settings: RedactSettings | None) -> Hide | None:
    """Return what becomes of messages when they are read; None: they are read as they are."""
    return hide if settings is not None and settings.at == "reading" else None


def reveal(message: Message, settings: RedactSettings | None) -> Message:
    """Return a stored message with what was hidden put back.

    Raises:
        UsageError: there is no key, it is not the one that the message was hidden with, or nothing can be put back.
    """
    key = None if settings is None else _key_of(settings)
    if key is None:
        raise UsageError("this profile has no key to put back what was hidden: `chat: {redact: {secret_key: ${NAME}}}`")
    sealed = message.metadata.get(HIDDEN)
    if not isinstance(sealed, str):
        return message
    meaning = _opened(sealed, key, message)

    def back(text: str) -> str:
        return redact.unmask(text, meaning)

    parts = tuple(
        replace(one, text=back(one.text), name=back(one.name), url=back(one.url)) for one in message.attachments
    )
    metadata = _with_strings({name: item for name, item in message.metadata.items() if name != HIDDEN}, back)
    return replace(
        message, content=back(message.content), speaker=back(message.speaker), attachments=parts, metadata=metadata
    )


def _hidden(message: Message, key: bytes | None = None) -> tuple[Message, dict[str, str]]:
    """A message without personal data in its texts, names and metadata, and what each placeholder stands for."""
    files = [text for one in message.attachments for text in (one.text, one.name, one.url)]
    values = list(_strings(message.metadata))
    texts, found = redact.mask_messages([message.content, *(_PLAIN + text for text in (*files, *values))])
    speaker, meaning = _speaker(message.speaker, key)
    if not found and not meaning:
        return message, {}
    given = (text.removeprefix(_PLAIN) for text in texts[1:])
    parts: tuple[Attachment, ...] = tuple(
        replace(one, text=next(given), name=next(given), url=next(given)) for one in message.attachments
    )
    metadata = _with_strings(message.metadata, lambda _: next(given))
    made = replace(message, content=texts[0], speaker=speaker, attachments=parts, metadata=metadata)
    return made, {**found, **meaning}


def _speaker(name: str, key: bytes | None) -> tuple[str, dict[str, str]]:
    """A speaker's name hidden: the same one alike in all messages, two of them apart (by a keyed digest)."""
    (hidden,), meaning = redact.mask_messages([_PLAIN + name])
    hidden = hidden.removeprefix(_PLAIN)
    if not meaning:
        return name, {}
    number = 100_000 + int.from_bytes(hmac.digest(key or _UNKEYED, name.encode(), "sha256")[:4]) % 900_000
    renamed = {f"{held.rpartition('_')[0]}_{number}>": real for held, real in meaning.items()}
    if len(renamed) < len(meaning):  # two of one kind in one name
        return hidden, dict(meaning)
    for old, new in zip(meaning, renamed, strict=True):
        hidden = hidden.replace(old, new)
    return hidden, renamed


def _strings(item: Any) -> Iterator[str]:
    if isinstance(item, str):
        yield item
    elif isinstance(item, Mapping):
        for one in cast("Mapping[str, Any]", item).values():
            yield from _strings(one)
    elif isinstance(item, (list, tuple)):
        for one in cast("Sequence[Any]", item):
            yield from _strings(one)


def _with_strings(item: Any, change: Callable[[str], str]) -> Any:
    """``item`` with each text changed, in the order of ``_strings``; what was sealed stays."""
    if isinstance(item, str):
        return change(item)
    if isinstance(item, Mapping):
        return {name: _with_strings(one, change) for name, one in cast("Mapping[str, Any]", item).items()}
    if isinstance(item, (list, tuple)):
        return [_with_strings(one, change) for one in cast("Sequence[Any]", item)]
    return item


def _stored(message: Message, key: bytes | None) -> Message:
    made, meaning = _hidden(message, key)
    if not meaning or key is None:
        return made
    return replace(made, metadata={**made.metadata, HIDDEN: _sealed(meaning, key, message)})


def _key_of(settings: RedactSettings) -> bytes | None:
    if settings.secret_key is None:
        return None
    said = settings.secret_key.get_secret_value()
    if len(said) < _SHORTEST:
        raise UsageError(f"chat.redact.secret_key: a key has at least {_SHORTEST} characters")
    return _derived(said)


@lru_cache(maxsize=8)
def _derived(said: str) -> bytes:
    return hashlib.scrypt(said.encode(), salt=_SALT, n=2**14, r=8, p=1, dklen=64)


def _about(message: Message) -> list[bytes]:
    """What an encrypted text belongs to: moved to another message it cannot be read."""
    return [part.encode() for part in (message.tenant, message.user, message.id)]


def _cipher(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # late: only where something is hidden

    return AESSIV(key)


def _sealed(meaning: dict[str, str], key: bytes, message: Message) -> str:
    written = json.dumps(meaning, sort_keys=True, ensure_ascii=False).encode()
    return base64.b64encode(_cipher(key).encrypt(written, _about(message))).decode()


def _opened(sealed: str, key: bytes, message: Message) -> dict[str, str]:
    from cryptography.exceptions import InvalidTag

    try:
        return dict(json.loads(_cipher(key).decrypt(base64.b64decode(sealed), _about(message))))
    except (InvalidTag, ValueError) as error:
        raise UsageError(f"message {message.id!r}: not hidden with this key, or damaged since") from error
