"""An embedder without a model: alike texts get alike vectors, the same ones everywhere."""

from __future__ import annotations

import array
import asyncio
import hashlib
import math
import sys
from collections.abc import Sequence

from pydantic import Field

from qx.embedder import Embeddings, EmbedRequest
from qx.hookspecs import Services
from qx.model import Model
from qx.text.tokens import estimate
from qx.types import Usage


class Settings(Model):
    """The options of ``provider: fake`` in an ``embedder:`` block."""

    dimensions: int = Field(default=64, ge=1)


class FakeEmbedder:
    """Counts character pairs into ``dimensions`` buckets (the hashing trick) and brings them to length one.

    Args:
        dimensions: Length of a vector.
        delay: Seconds before every answer.
        failures: Raised by the first calls, one each.
    """

    Settings = Settings

    def __init__(self, *, dimensions: int = 64, delay: float = 0.0, failures: Sequence[Exception] = ()) -> None:
        self._dimensions = dimensions
        self._delay = delay
        self._failures = list(failures)
        self.requests: list[EmbedRequest] = []
        self.closed = False

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> FakeEmbedder:
        return cls(dimensions=settings.dimensions)

    @property
    def fingerprint(self) -> str:
        return f"fake-{self._dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, request: EmbedRequest, /) -> Embeddings:
        self.requests.append(request)
        await asyncio.sleep(self._delay)
        if self._failures:
            raise self._failures.pop(0)
        usage = Usage(calls=1, input_tokens=sum(map(estimate, request.texts)))
        return Embeddings(vectors=self.vectors(request.texts), usage=usage)

    def vectors(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        """Return the vector of each text, without a call."""
        return tuple(map(self._vector, texts))

    async def aclose(self) -> None:
        self.closed = True

    def _vector(self, text: str) -> bytes:
        counts = array.array("f", bytes(4 * self._dimensions))
        folded = f" {text.casefold()} "
        for start in range(len(folded) - 1):
            pair = hashlib.blake2b(folded[start : start + 2].encode("utf-8", "replace"), digest_size=4).digest()
            counts[int.from_bytes(pair, "big") % self._dimensions] += 1
        length = math.sqrt(sum(x * x for x in counts)) or 1.0
        vector = array.array("f", (x / length for x in counts))
        if sys.byteorder == "big":
            vector.byteswap()
        return vector.tobytes()
