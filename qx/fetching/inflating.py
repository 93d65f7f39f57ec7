"""Bodies as they come, decompressed a step at a time: a small body never becomes a large one in memory."""

from __future__ import annotations

import zlib
from typing import Any

from qx.errors import ScrapeError

ENCODINGS = "gzip, deflate"
"""What is asked for, and all that is read."""

_GZIP, _ZLIB, _RAW = 31, 15, -15


class Body:
    """Collects one body.

    Args:
        place: Where it comes from, for messages.
        encoding: The header ``Content-Encoding``.
        most: Bytes at most, of what came and of what it becomes.

    Raises:
        ScrapeError: ``encoding`` is another one than was asked for.
    """

    def __init__(self, place: str, encoding: str, most: int) -> None:
        self._place = place
        self._most = most
        self._came = 0
        self._parts: list[bytes] = []
        self._size = 0
        self._encoding = encoding.strip().lower()
        self._inflate: Any = None
        if self._encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise ScrapeError(f"{place}: the encoding {encoding[:40]!r} was not asked for", kind="encoding")
        if self._encoding == "identity":
            self._encoding = ""

    def feed(self, data: bytes) -> None:
        """Take the next bytes.

        Raises:
            ScrapeError: it is too large, or not of its encoding.
        """
        self._came += len(data)
        if self._came > self._most:
            raise self._too_large()
        if not self._encoding:
            self._keep(data)
            return
        if self._inflate is None:
            self._inflate = zlib.decompressobj(_window(self._encoding, data))
        try:
            # one byte more than may be: what does not fit shows, and no more of it is made
            made = self._inflate.decompress(data, self._most - self._size + 1)
        except zlib.error:
            raise ScrapeError(f"{self._place}: the body is not {self._encoding}", kind="encoding") from None
        self._keep(made)

    def whole(self) -> bytes:
        """Return the body.

        Raises:
            ScrapeError: it breaks off.
        """
        if self._inflate is not None and not self._inflate.eof:
            raise ScrapeError(f"{self._place}: the body breaks off", kind="encoding")
        return b"".join(self._parts)

    def _keep(self, made: bytes) -> None:
        self._size += len(made)
        if self._size > self._most:
            raise self._too_large()
        self._parts.append(made)

    def _too_large(self) -> ScrapeError:
        return ScrapeError(f"{self._place}: the page has more than {self._most:,} bytes", kind="too-large")


def _window(encoding: str, data: bytes) -> int:
    """``deflate`` should be a zlib stream (RFC 9110, 8.4.1.2); some servers send it bare."""
    if encoding != "deflate":
        return _GZIP
    headed = len(data) > 1 and data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0
    return _ZLIB if headed else _RAW
