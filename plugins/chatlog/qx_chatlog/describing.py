"""Pictures captioned and recordings transcribed at import, from the files that lie beside the export."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, cast, get_args

from qx.describer import Describer, DescribeRequest
from qx.errors import ProviderError
from qx.serial import replace
from qx_chatlog.message import Attachment, Message

Kind = Literal["image", "audio", "video"]
_LARGEST = 50_000_000
"""Bytes of a file."""
_AT_ONCE = 4


class Describing:
    """Adds to messages what their pictures show and what their recordings say, marked as derived.

    Args:
        describer: Writes it.
        export: What is imported: the files lie in it or beside it.  None elsewhere is ever read, no address fetched.
        language: Of the chat; None: unknown.

    Attributes:
        done: How many were described.
        failed: Names of files that could not be, each with the reason.
    """

    def __init__(self, describer: Describer, export: Path, language: str | None = None) -> None:
        self._describer = describer
        self._folder = (export if export.is_dir() else export.parent).resolve()
        self._language = language
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self.done = 0
        self.failed: list[tuple[str, str]] = []

    async def __call__(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Return ``messages`` with texts for their attachments that have none and whose file is there."""
        return await asyncio.gather(*(self._message(one) for one in messages))

    async def aclose(self) -> None:
        """Close the describer."""
        await self._describer.aclose()

    async def _message(self, message: Message) -> Message:
        if not any(self._wants(one) for one in message.attachments):
            return message
        parts = [await self._attachment(one) for one in message.attachments]
        return replace(message, attachments=tuple(parts))

    def _wants(self, one: Attachment) -> bool:
        return not one.text and one.kind in get_args(Kind) and one.kind in self._describer.kinds

    async def _attachment(self, one: Attachment) -> Attachment:
        if not self._wants(one):
            return one
        async with self._gate:
            try:
                content = await asyncio.to_thread(self._content, one)
                if content is None:
                    return one
                request = DescribeRequest(
                    kind=cast("Kind", one.kind),
                    content=content,
                    name=one.name or one.url,
                    language=self._language,
                )
                text = (await self._describer.describe(request)).text.strip()
            except (ProviderError, OSError) as error:
                self.failed.append((one.name or one.url, str(error)))
                return one
        self.done += bool(text)
        return replace(one, text=text, derived=True) if text else one

    def _content(self, one: Attachment) -> bytes | None:
        """The bytes of a file below the folder; None: there is none, or it is too large."""
        for name in filter(None, (one.url, one.name)):
            if "://" in name or "\0" in name:
                continue
            path = (self._folder / name).resolve()
            if path.is_relative_to(self._folder) and path.is_file():
                if path.stat().st_size > _LARGEST:
                    raise OSError(f"it has more than {_LARGEST:,} bytes")
                return path.read_bytes()
        return None
