"""The contract of an embedder: texts in, vectors out."""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

from qx.serial import value
from qx.types import Usage


@value
class EmbedRequest:
    """``kind`` chooses the prefix that models like e5 want.  ``timeout`` in seconds."""

    texts: tuple[str, ...]
    kind: Literal["query", "document"] = "query"
    timeout: float = 10.0


@value
class Embeddings:
    """``vectors[i]`` is the vector of ``texts[i]`` as float32 little endian, ``4 * dimensions`` bytes."""

    vectors: tuple[bytes, ...]
    usage: Usage


@runtime_checkable
class Embedder(Protocol):
    """Registered through ``qx_embedders``.

    Attributes:
        fingerprint: Model, revision, prefixes, normalisation: vectors of unlike fingerprints are never compared.
        dimensions: Length of a vector; 0 until the first answer where the endpoint does not say.
    """

    @property
    def fingerprint(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, request: EmbedRequest, /) -> Embeddings:
        """Embed every text.

        Raises:
            ProviderError: one of its kinds.
        """
        ...

    async def aclose(self) -> None: ...
