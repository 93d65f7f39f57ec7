"""The provider ``cassette``: records any provider's exchanges, and replays them without a network.

::

    llm: {provider: cassette, model: m, options: {path: tape.jsonl, mode: auto, inner: {provider: openai, model: m}}}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pydantic import model_validator

from qx.builtin import cassette_file as file
from qx.builtin.cassette_file import Exchange
from qx.builtin.cassette_tape import CassetteMiss, Mode, Tape, existing
from qx.errors import ProviderError, ProviderTimeout
from qx.failures import redactor, secrets_of
from qx.hookspecs import Services
from qx.llm import Capabilities, Completion, CompletionRequest, LLMProvider
from qx.model import Model
from qx.serial import from_plain, value
from qx.settings import Endpoint
from qx.tenant_folder import own_path

__all__ = ["Cassette", "CassetteMiss", "Rerecorded", "Settings", "rerecord"]


class Settings(Model):
    """The options of ``provider: cassette``.

    ``mode``: ``replay`` never calls, ``record`` always calls and keeps, ``auto`` calls only for what is missing.
    ``inner`` is the full block of the endpoint that is recorded.
    """

    model: str = ""
    path: Path
    mode: Mode = "replay"
    inner: Endpoint | None = None

    @model_validator(mode="after")
    def _needs_inner(self) -> Settings:
        if self.mode != "replay" and self.inner is None:
            raise ValueError(f"mode {self.mode} needs `inner`: the block of the endpoint that is recorded")
        return self


class Cassette:
    """Implements ``LLMProvider``.

    Args:
        tape: The file, made by the first recording; or a tape that others write on too.
        inner: Who is asked in the modes ``record`` and ``auto``; closed with the cassette.
        model: The model that ``inner`` is asked for; empty: the request's.
        redact: Takes known secrets out of what is written.
    """

    Settings = Settings

    def __init__(
        self,
        tape: Path | Tape,
        mode: Mode = "replay",
        inner: LLMProvider | None = None,
        *,
        model: str = "",
        redact: Callable[[str], str] | None = None,
    ) -> None:
        self._tape = tape if isinstance(tape, Tape) else Tape(tape, mode, redact=redact)
        self._inner = inner
        self._model = model

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Cassette:
        path = own_path(settings.path, services)
        if settings.mode == "replay" or settings.inner is None:
            return cls(existing(path, "record it: `mode: record`"))
        redact = redactor(secrets_of(settings.inner))
        inner = await services.llm_provider(settings.inner)
        return cls(path, settings.mode, inner, model=settings.inner.model, redact=redact)

    @classmethod
    def on(cls, tape: Tape, inner: LLMProvider | None = None) -> Cassette:
        """Return one that shares a tape with others and asks for the model that each request names."""
        return cls(tape, tape.mode, inner)

    def capabilities(self, model: str, /) -> Capabilities:
        if self._inner is not None:
            return replace(self._inner.capabilities(self._model or model), stream=False)
        known = [e for e in self._tape.exchanges if e.capabilities is not None]
        same = [e for e in known if e.request.get("model") == model] or known
        found = same[-1].capabilities if same else None
        return replace(found or Capabilities(), stream=False)

    async def complete(self, request: CompletionRequest, /) -> Completion:
        """Answer from the file, or record.

        Raises:
            CassetteMiss: replaying, and there is no such exchange; says what differs most from the nearest one.
        """
        inner = self._inner
        if inner is None:
            return await self._tape.play("model", file.readable(request), None)
        asked = replace(request, model=self._model) if self._model else request
        return await self._tape.play(
            "model",
            file.readable(request),
            lambda: inner.complete(asked),
            capabilities=inner.capabilities(asked.model),
        )

    def cut_off(self, request: CompletionRequest, error: ProviderTimeout, /) -> None:
        """Keep what became of a call that was cut off, as the caller tells it: a replay, which waits for nothing, says the same."""
        if self._inner is not None:
            self._tape.cut_off("model", file.readable(request), error)

    async def aclose(self) -> None:
        if self._inner is not None:
            await self._inner.aclose()


@value
class Rerecorded:
    """What ``rerecord`` did: how many exchanges it asked anew, how many answers differ, and why some stayed.

    ``handwritten`` lines stay as they are, and so do exchanges with embedders and engines; ``failed`` has ``(key, reason)`` of exchanges whose old answer was kept.
    """

    asked: int = 0
    changed: int = 0
    handwritten: int = 0
    failed: tuple[tuple[str, str], ...] = ()


async def rerecord(path: Path, provider: LLMProvider, *, model: str = "", timeout: float = 60.0) -> Rerecorded:  # noqa: ASYNC109
    """Ask ``provider`` every recorded request of a cassette anew and replace the file at once.

    Args:
        model: Asked instead of the recorded model; empty: the recorded one.
        timeout: Seconds for each call.

    Raises:
        ProfileError: there is no cassette, or it cannot be read.
    """
    exchanges = file.read(existing(path, "record it first: `mode: record`"))
    latest = {(e.kind, e.key or e.match): e for e in exchanges}  # an exchange recorded twice counts once
    kept: list[Exchange] = []
    failed: list[tuple[str, str]] = []
    asked = changed = handwritten = 0
    for exchange in latest.values():
        if exchange.mark == "handwritten" or exchange.kind != "model":
            handwritten += exchange.mark == "handwritten"
            kept.append(exchange)
            continue
        asked += 1
        try:
            fresh = await provider.complete(_request(exchange, model, timeout))
        except ProviderError as error:
            failed.append((exchange.key, str(error)))
            kept.append(exchange)
            continue
        changed += exchange.error is not None or fresh.text != exchange.response.text
        capabilities = provider.capabilities(model or exchange.request.get("model", ""))
        kept.append(replace(exchange, response=fresh, error=None, capabilities=capabilities))
    file.write(path, kept)
    return Rerecorded(asked=asked, changed=changed, handwritten=handwritten, failed=tuple(failed))


def _request(exchange: Exchange, model: str, seconds: float) -> CompletionRequest:
    request = from_plain(CompletionRequest, {"model": "", **exchange.request, "timeout": seconds})
    return replace(request, model=model) if model else request
