"""Bounds what is read of one answer, so that a server gone wrong cannot take the memory of the process."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

import httpx

LARGEST = 64 * 1024 * 1024
"""Bytes of an answer, decompressed, that are read at most."""
_PIECE = 256 * 1024


class Unreadable(Exception):
    """An answer that is not read to its end; the text goes on from "Qdrant answered"."""


def hooks() -> Mapping[str, Sequence[Callable[[Any], Awaitable[None]]]]:
    """Return httpx's ``event_hooks`` that bound every answer, whatever its status."""
    return {"request": [_ask_for_known_encodings], "response": [_bound]}


async def _ask_for_known_encodings(request: httpx.Request) -> None:
    request.headers["Accept-Encoding"] = "gzip, deflate"


async def _bound(response: httpx.Response) -> None:
    """Let the body be decompressed here: httpx expands each piece as a whole, a thousandfold where somebody means harm."""
    encoding = response.headers.pop("Content-Encoding", "identity").strip().casefold()
    if encoding not in ("identity", "", "gzip", "x-gzip", "deflate"):
        raise Unreadable(f"in an encoding that was not asked for ({encoding[:40]!r})")
    stream = response.stream
    assert isinstance(stream, httpx.AsyncByteStream)  # noqa: S101 an async client's always is
    response.stream = _Bounded(stream, packed=encoding in ("gzip", "x-gzip", "deflate"))


class _Bounded(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, *, packed: bool) -> None:
        self._stream = stream
        self._unpacking = zlib.decompressobj(wbits=47) if packed else None  # gzip or deflate, as its head says

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total = 0
        pieces = aiter(self._stream)
        try:
            async for raw in pieces:
                for piece in self._unpacked(raw):
                    total += len(piece)
                    if total > LARGEST:
                        raise Unreadable(f"with more than {LARGEST // 1024**2} MB; no more is read")
                    yield piece
        except Unreadable:
            await self._end(pieces)
            raise
        if self._unpacking is not None and not self._unpacking.eof:
            raise Unreadable("compressed, and broke off")

    def _unpacked(self, raw: bytes) -> Iterator[bytes]:
        if self._unpacking is None:
            yield raw
            return
        while raw:
            try:
                yield self._unpacking.decompress(raw, _PIECE)
            except zlib.error as error:
                raise Unreadable(f"what cannot be decompressed: {error}") from error
            raw = self._unpacking.unconsumed_tail

    async def _end(self, pieces: AsyncIterator[bytes]) -> None:
        """Break the connection off, and let httpx's generators, one in the other, come to their end by that."""
        await self._stream.aclose()
        with contextlib.suppress(httpx.HTTPError, RuntimeError):
            async for _ in pieces:
                pass

    async def aclose(self) -> None:
        await self._stream.aclose()
