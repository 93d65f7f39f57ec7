"""The embedder ``openai``: the ``/embeddings`` of any OpenAI-compatible endpoint."""

from __future__ import annotations

import array
import asyncio
import base64
import binascii
import hashlib
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, cast

from pydantic import Field

from qx.builtin.openai_connection import Connection, ConnectionSettings
from qx.embedder import Embeddings, EmbedRequest
from qx.errors import BadRequest, BadResponse
from qx.hookspecs import Services
from qx.model import Model
from qx.types import Usage
from qx.wire.answer import usage


class Prefixes(Model):
    """What goes before a text, by its kind: models like e5 were trained with ``query: `` and ``passage: ``."""

    query: str = ""
    document: str = ""


class Settings(ConnectionSettings):
    """The options of ``provider: openai`` in an ``embedder:`` block.

    ``dimensions`` asks the model to shorten its vectors.  ``encoding: auto`` asks for base64 (a quarter of the bytes)
    and reads floats too, for servers that know no other form.
    """

    model: str = Field(min_length=1)  # pyright: ignore[reportGeneralTypeIssues] required, unlike for a chat model
    prefixes: Prefixes = Prefixes()
    dimensions: int | None = Field(default=None, ge=1)
    batch: int = Field(default=64, ge=1, le=2048)
    encoding: Literal["auto", "base64", "float"] = "auto"
    normalise: bool = True
    """Bring every vector to length one."""


class OpenAIEmbedder:
    """One embedding model at one endpoint (implements ``Embedder``)."""

    Settings = Settings

    def __init__(self, settings: Settings, connection: Connection) -> None:
        self._settings = settings
        self._connection = connection
        self._dimensions = settings.dimensions or 0
        self._encoding = "float" if settings.encoding == "float" else "base64"

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> OpenAIEmbedder:
        return cls(settings, await Connection.create(settings, services))

    @property
    def fingerprint(self) -> str:
        """Model, endpoint, prefixes, dimensions and normalisation, as a short digest after the model's name."""
        settings = self._settings
        parts = [self._connection.place, settings.model, settings.dimensions, settings.normalise]
        told = json.dumps([*parts, settings.prefixes.model_dump(), dict(settings.body)], sort_keys=True, default=str)
        return f"{settings.model}:{hashlib.sha256(told.encode()).hexdigest()[:12]}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, request: EmbedRequest, /) -> Embeddings:
        """Embed every text, in batches that run one after the other within ``request.timeout``."""
        prefix = getattr(self._settings.prefixes, request.kind)
        texts = [prefix + text for text in request.texts]
        clock = asyncio.get_running_loop().time
        deadline = clock() + request.timeout
        vectors: list[bytes] = []
        spent = Usage()
        for start in range(0, len(texts), self._settings.batch):
            batch = texts[start : start + self._settings.batch]
            answer = await self._ask(batch, lambda: deadline - clock())
            vectors.extend(self._vectors(answer, len(batch)))
            spent += usage(answer.get("usage"))
        return Embeddings(vectors=tuple(vectors), usage=spent)

    async def aclose(self) -> None:
        """Nothing to close: the connections are the engine's."""

    async def _ask(self, texts: Sequence[str], left: Callable[[], float]) -> Mapping[str, Any]:
        try:
            return await self._post(texts, left())
        except BadRequest as error:
            if self._settings.encoding != "auto" or self._encoding == "float" or "encoding" not in str(error):
                raise
            self._encoding = "float"
        return await self._post(texts, left())

    async def _post(self, texts: Sequence[str], seconds: float) -> Mapping[str, Any]:
        settings = self._settings
        body: dict[str, Any] = {"model": settings.model, "input": list(texts), "encoding_format": self._encoding}
        if settings.dimensions is not None:
            body["dimensions"] = settings.dimensions
        return await self._connection.post("embeddings", settings.model, body | dict(settings.body), seconds=seconds)

    def _vectors(self, answer: Mapping[str, Any], count: int) -> list[bytes]:
        place = self._connection.place
        data = answer.get("data")
        rows = cast(list[Any], data) if isinstance(data, list) else []
        by_index: dict[int, Any] = {}
        for position, row in enumerate(rows):
            if isinstance(row, Mapping):
                fields = cast(Mapping[str, Any], row)
                index = fields.get("index", position)
                by_index[index if isinstance(index, int) else position] = fields.get("embedding")
        if sorted(by_index) != list(range(count)):
            raise BadResponse(f"{place} answered {len(by_index)} embeddings for {count} texts")
        return [self._vector(by_index[i]) for i in range(count)]

    def _vector(self, item: object) -> bytes:
        place = self._connection.place
        floats = _floats(item)
        if floats is None or not floats or not all(map(math.isfinite, floats)):
            raise BadResponse(f"{place} answered an embedding that is neither numbers nor base64 of float32")
        if self._dimensions and len(floats) != self._dimensions:
            raise BadResponse(
                f"{place} answered a vector of {len(floats)} numbers, not {self._dimensions}: check `dimensions` and `model`"
            )
        self._dimensions = len(floats)
        if self._settings.normalise:
            length = math.sqrt(sum(x * x for x in floats)) or 1.0
            floats = array.array("f", (x / length for x in floats))
        return _little(floats)


def _floats(item: object) -> array.array[float] | None:
    if isinstance(item, str):
        try:
            data = base64.b64decode(item, validate=True)
        except (binascii.Error, ValueError):
            return None
        if len(data) % 4:
            return None
        found = array.array("f")
        found.frombytes(data)
        if sys.byteorder == "big":
            found.byteswap()
        return found
    if isinstance(item, list):
        try:
            return array.array("f", cast(list[float], item))
        except (TypeError, OverflowError):
            return None
    return None


def _little(floats: array.array[float]) -> bytes:
    if sys.byteorder == "big":
        floats = floats[:]
        floats.byteswap()
    return floats.tobytes()
