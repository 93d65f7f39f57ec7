"""Answers of a bounded size, as the client would read any to its end, and unpack whatever it was sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from httpx2 import AsyncByteStream, DecodingError, Response

from qx.errors import QxError

MAX_BODY = 64 * 1024 * 1024
"""Bytes of an unpacked answer: a search brings a thousand documents at most, with their texts."""
ENCODING = "gzip"
"""The one that is asked for: it unpacks to a thousand times its size at most, a piece of 64 KB so to 64 MB."""


def bounded(failure: Callable[[str], QxError]) -> Callable[[Any], Any]:
    """Return a hook for responses that lets an answer be read up to ``MAX_BODY`` bytes.

    Args:
        failure: Makes the error of what is wrong with an answer.
    """

    async def hook(response: Response) -> None:
        encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding not in (ENCODING, "deflate", "identity", ""):
            raise failure(f"answered in the encoding '{encoding[:40]}', which was not asked for")
        # read through a response of its own, which unpacks; the one that the client gets has nothing left to unpack
        packed = Response(response.status_code, headers={"Content-Encoding": encoding}, stream=response.stream)
        response.headers.pop("Content-Encoding", None)
        response.stream = _Bounded(packed, failure)

    return hook


class _Bounded(AsyncByteStream):
    def __init__(self, packed: Response, failure: Callable[[str], QxError]) -> None:
        self._packed = packed
        self._failure = failure

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        try:
            async for part in self._packed.aiter_bytes():
                size += len(part)
                if size > MAX_BODY:
                    raise self._failure(f"answered more than {MAX_BODY:,} bytes")
                yield part
        except DecodingError as error:
            raise self._failure("answered something that cannot be unpacked") from error

    async def aclose(self) -> None:
        await self._packed.aclose()
