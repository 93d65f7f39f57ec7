"""A digest of all that a part is set to, its keys and headers among it, that nobody can turn back into them.

Whose an answer or a row is depends on who asked, and with which key: another key may see other documents.  A key is in
the digest but cannot be guessed from it, since the digest is keyed with random bytes that lie beside what is kept
(HMAC, RFC 2104): without the file nobody can try keys, and with another file nothing of what was kept counts.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, SecretBytes, SecretStr

from qx.errors import ProfileError
from qx.paths import make_private

FILE = "salt"
_BYTES = 32


def salt(folder: Path) -> bytes:
    """Return the random bytes that digests in ``folder`` are keyed with; made, for its owner's eyes alone, if need be.

    Raises:
        ProfileError: they cannot be made or read.
    """
    path = folder / FILE
    try:
        found = path.read_bytes() if path.exists() else _made(path)
    except OSError as error:
        raise ProfileError(
            f"cannot be made or read: {error.strerror or error}",
            file=str(path),
            hint="let QX_HOME name a folder that can be written",
        ) from error
    if len(found) != _BYTES:
        raise ProfileError("is damaged", file=str(path), hint="remove it: what was kept is asked for anew")
    return found


def _made(path: Path) -> bytes:
    """Put the file in its place whole: of two processes that come at once, both read the first one's."""
    make_private(path.parent)
    handle, part = tempfile.mkstemp(prefix=".salt.", dir=path.parent)  # 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
        try:
            os.link(part, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            os.replace(part, path)
    finally:
        Path(part).unlink(missing_ok=True)
    return path.read_bytes()


def digest(key: bytes, item: object) -> str:
    """Return 32 hexadecimal digits for ``item``: settings, mappings and lists, with the text of every secret in them.

    Args:
        key: From ``salt``.
    """
    text = json.dumps(_plain(item), sort_keys=True, ensure_ascii=True, default=str)
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:32]


def _plain(item: object) -> object:
    """``item`` as JSON has it; a set in an order of its own, keys of any type as text."""
    if isinstance(item, SecretStr):
        return item.get_secret_value()
    if isinstance(item, (SecretBytes, bytes, bytearray)):
        return (item.get_secret_value() if isinstance(item, SecretBytes) else bytes(item)).hex()
    if isinstance(item, BaseModel):
        named = {name: getattr(item, name) for name in type(item).model_fields}
        return _plain({**named, **(item.model_extra or {})})
    if isinstance(item, Mapping):
        return {str(name): _plain(one) for name, one in cast("Mapping[Any, Any]", item).items()}
    if isinstance(item, (set, frozenset)):
        return sorted((_plain(one) for one in cast("set[Any]", item)), key=repr)
    if isinstance(item, (list, tuple)):
        return [_plain(one) for one in cast("list[Any]", item)]
    return item
