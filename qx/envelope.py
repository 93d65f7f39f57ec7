"""How caches hold a value: its JSON within ``{"v": 1, "type": ..., "sum": ..., "value": ...}``.

What is not exactly that (another version, another type, damaged bytes, ``{}``) is no entry, whatever it may look like.
"""

from __future__ import annotations

import zlib

VERSION = 1


def seal(kind: str, data: bytes) -> bytes:
    """Return ``data``, the JSON of a value of type ``kind``, with what tells it apart."""
    return _head(kind, data) + data + b"}"


def unseal(kind: str, entry: bytes) -> bytes | None:
    """Return the JSON in ``entry``, None where it holds no whole value of type ``kind``."""
    start = entry.find(b'"value":') + len(b'"value":')
    data = entry[start:-1]
    return data if entry == _head(kind, data) + data + b"}" else None


def _head(kind: str, data: bytes) -> bytes:
    return f'{{"v":{VERSION},"type":"{kind}","sum":{zlib.crc32(data)},"value":'.encode()
