"""The settings of ``type: meilisearch``."""

from __future__ import annotations

from pydantic import Field, SecretStr

from qx.addresses import HttpAddress
from qx.backend import BackendSettings


class Settings(BackendSettings):
    """One index of one Meilisearch.

    Attributes:
        url: Where it listens, ``http://localhost:7700``.
        index: The index's uid: letters, digits, ``-`` and ``_``.
        api_key: A key that may search the index; writing, preparing and counting need more than a search key.
        ca: A file of CA certificates, where the system's do not do.
        embedder: The name of the embedder in the index's settings; ``prepare`` makes one of this name for the profile's
            vectors.  An embedder of another kind (OpenAI, Ollama, REST) makes the vectors of queries itself.
        semantic_ratio: How much the vectors count when words and vectors are asked for together.
        locales: ISO-639-3 languages of the texts (``[zho, eng]``), where Meilisearch's guess does not do.
        subqueries: Queries that one search may become, at most.
        batch: Documents sent in one request.
        task_timeout: Seconds that writing waits for a task.
    """

    url: HttpAddress = "http://localhost:7700"
    index: str = Field(pattern=r"^[A-Za-z0-9_-]{1,400}$")
    api_key: SecretStr | None = None
    ca: str | None = None
    embedder: str = Field(default="qx", pattern=r"^[A-Za-z0-9_-]{1,100}$")
    semantic_ratio: float = Field(default=0.5, ge=0, le=1)
    locales: tuple[str, ...] = ()
    subqueries: int = Field(default=24, ge=1, le=100)
    batch: int = Field(default=1000, ge=1, le=10_000)
    task_timeout: float = Field(default=600.0, gt=0)
