"""The embedder ``cassette``: records any embedder's vectors, and replays them without it.

::

    embedder: {provider: cassette, path: tape.jsonl, mode: auto, inner: {provider: openai, model: m}}
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from pydantic import model_validator

from qx.builtin.cassette_answers import About, Embedded
from qx.builtin.cassette_tape import Mode, Tape, existing
from qx.embedder import Embedder, Embeddings, EmbedRequest
from qx.failures import redactor, secrets_of
from qx.hookspecs import Services
from qx.model import Model
from qx.settings import EmbedderSettings
from qx.tenant_folder import own_path

_WHO = {"embedder": "embedder"}


class Settings(Model):
    """What a profile says beside ``provider: cassette``; ``inner`` is the block of the embedder that is recorded."""

    path: Path
    mode: Mode = "replay"
    inner: EmbedderSettings | None = None

    @model_validator(mode="after")
    def _needs_inner(self) -> Settings:
        if self.mode != "replay" and self.inner is None:
            raise ValueError(f"mode {self.mode} needs `inner`: the block of the embedder that is recorded")
        return self


class CassetteEmbedder:
    """Implements ``Embedder``.

    Args:
        tape: Where vectors are kept; may be shared.
        inner: Who is asked; closed with this one.  None: nobody.
    """

    Settings = Settings

    def __init__(self, tape: Tape, inner: Embedder | None = None) -> None:
        self._tape = tape
        self._inner = inner
        found = tape.find("about", _WHO)
        self._about: About = found.response if found is not None else About(fingerprint="not recorded")
        self._note()

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> CassetteEmbedder:
        path = own_path(settings.path, services)
        if settings.mode == "replay" or settings.inner is None:
            return cls(Tape(existing(path, "record it: `mode: record`"), "replay"))
        known = redactor(secrets_of(settings.inner))
        tape = Tape(path, settings.mode, redact=lambda text: services.http.redact(known(text)))
        return cls(tape, await services.embedder(settings.inner))

    @property
    def fingerprint(self) -> str:
        return self._about.fingerprint if self._inner is None else self._inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self._about.dimensions if self._inner is None else self._inner.dimensions

    async def embed(self, request: EmbedRequest, /) -> Embeddings:
        """Return the vectors from the file, or record them; as ``Tape.play``."""
        plain = {"texts": list(request.texts), "kind": request.kind}
        inner = self._inner

        async def ask() -> Embedded:
            made = Embedded.of(await cast("Embedder", inner).embed(request))
            self._note()
            return made

        answer: Embedded = await self._tape.play("embedding", plain, ask if inner is not None else None)
        return answer.embeddings()

    async def aclose(self) -> None:
        if self._inner is not None:
            await self._inner.aclose()

    def _note(self) -> None:
        """Keep what the embedder is; some know the length of their vectors only after the first."""
        if self._inner is None:
            return
        now = About(fingerprint=self._inner.fingerprint, dimensions=self._inner.dimensions)
        if now != self._about:
            self._about = now
            self._tape.keep("about", _WHO, now)
