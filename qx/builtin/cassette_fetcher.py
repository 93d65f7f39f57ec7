"""A fetcher on a tape: pages are read once, and come from the file from then on."""

from __future__ import annotations

from functools import partial
from typing import Any

from qx.builtin.cassette_tape import Tape
from qx.errors import AddressNotAllowed, ScrapeError
from qx.fetch import Fetcher, FetchRequest, Page
from qx.serial import from_plain, to_plain


class CassetteFetcher:
    """Implements ``Fetcher``.

    Args:
        tape: Where pages, and the reasons why there are none, are kept.
        inner: Who is asked; None in a replay.
    """

    def __init__(self, tape: Tape, inner: Fetcher | None) -> None:
        self._tape = tape
        self._inner = inner

    async def fetch(self, request: FetchRequest, /) -> Page:
        """Read a page, or find it; as ``Fetcher.fetch``."""
        plain = {"operation": "fetch", "url": request.url, "limits": to_plain(request.limits)}
        inner = self._inner
        answer: dict[str, Any] = await self._tape.play(
            "call", plain, None if inner is None else partial(_asked, inner, request)
        )
        if (failed := answer.get("error")) is None:
            return from_plain(Page, answer["page"])
        if failed["kind"] == "address":
            raise AddressNotAllowed(failed["message"])
        raise ScrapeError(
            failed["message"], kind=failed["kind"], status=failed["status"], retry_after=failed["retry_after"]
        )

    async def aclose(self) -> None:
        if self._inner is not None:
            await self._inner.aclose()


async def _asked(inner: Fetcher, request: FetchRequest) -> dict[str, Any]:
    try:
        return {"page": to_plain(await inner.fetch(request))}
    except ScrapeError as error:
        fields = {"kind": error.kind, "status": error.status, "retry_after": error.retry_after}
        return {"error": {"message": str(error), **fields}}
