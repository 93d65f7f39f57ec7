"""The provider ``cassette``: records any provider's exchanges, and replays them without a network.

::

    llm: {provider: cassette, model: m, options: {path: tape.jsonl, mode: auto, inner: {provider: openai, model: m}}}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import model_validator

from qx.builtin import cassette_file as tape
from qx.builtin.cassette_file import Exchange
from qx.domain import Model
from qx.errors import BadRequest, ProfileError, ProviderError
from qx.failures import redactor, secrets_of
from qx.hookspecs import Services
from qx.llm import Capabilities, Completion, CompletionRequest, LLMProvider
from qx.paths import allowed_folders, confine
from qx.serial import from_plain, value
from qx.settings import Endpoint

Mode = Literal["replay", "record", "auto"]


class CassetteMiss(BadRequest):
    """The cassette holds no answer to this request."""


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
        path: The file; made by the first recording.
        inner: Who is asked in the modes ``record`` and ``auto``; closed with the cassette.
        model: The model that ``inner`` is asked for; empty: the request's.
        redact: Takes known secrets out of what is written.
    """

    Settings = Settings

    def __init__(
        self,
        path: Path,
        mode: Mode = "replay",
        inner: LLMProvider | None = None,
        *,
        model: str = "",
        redact: Callable[[str], str] | None = None,
    ) -> None:
        self.path = path
        self._mode: Mode = mode
        self._inner = inner
        self._model = model
        self._redact = redact
        self._exchanges = tape.read(path)
        self._by_key = {e.key: e for e in self._exchanges if e.key}

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Cassette:
        path = confine(settings.path, services.folder, allowed=(services.data.resolve(), *allowed_folders()))
        if settings.mode == "replay" or settings.inner is None:
            return cls(_existing(path, "record it: `mode: record`"))
        redact = redactor(secrets_of(settings.inner))
        inner = await services.llm_provider(settings.inner)
        return cls(path, settings.mode, inner, model=settings.inner.model, redact=redact)

    def capabilities(self, model: str, /) -> Capabilities:
        if self._inner is not None:
            return replace(self._inner.capabilities(self._model or model), stream=False)
        known = [e.capabilities for e in self._exchanges if e.capabilities is not None]
        return replace(known[-1], stream=False) if known else Capabilities(stream=False)

    async def complete(self, request: CompletionRequest, /) -> Completion:
        """Answer from the file, or record.

        Raises:
            CassetteMiss: replaying, and there is no such exchange; says what differs most from the nearest one.
        """
        plain = tape.readable(request)
        found = None if self._mode == "record" else self._find(plain)
        if found is not None:
            return found.response
        if self._mode == "replay" or self._inner is None:
            raise CassetteMiss(_missing(self.path, plain, self._exchanges))
        return await self._record(self._inner, request, plain)

    async def aclose(self) -> None:
        if self._inner is not None:
            await self._inner.aclose()

    def _find(self, plain: Mapping[str, Any]) -> Exchange | None:
        if (exact := self._by_key.get(tape.digest(plain))) is not None:
            return exact
        said = "\n".join(str(message["content"]) for message in plain["messages"])
        return next((e for e in self._exchanges if e.match and all(text in said for text in e.match)), None)

    async def _record(self, inner: LLMProvider, request: CompletionRequest, plain: Mapping[str, Any]) -> Completion:
        asked = replace(request, model=self._model) if self._model else request
        completion = await inner.complete(asked)
        capabilities = inner.capabilities(asked.model)
        exchange = Exchange(key=tape.digest(plain), request=plain, response=completion, capabilities=capabilities)
        tape.append(self.path, exchange, redact=self._redact)
        self._exchanges.append(exchange)
        self._by_key[exchange.key] = exchange
        return completion


@value
class Rerecorded:
    """What ``rerecord`` did: how many exchanges it asked anew, how many answers differ, and why some stayed.

    ``handwritten`` lines stay as they are; ``failed`` has ``(key, reason)`` of exchanges whose old answer was kept.
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
    exchanges = tape.read(_existing(path, "record it first: `mode: record`"))
    latest = {e.key or e.match: e for e in exchanges}  # an exchange recorded twice counts once
    kept: list[Exchange] = []
    failed: list[tuple[str, str]] = []
    asked = changed = handwritten = 0
    for exchange in latest.values():
        if exchange.mark == "handwritten":
            handwritten += 1
            kept.append(exchange)
            continue
        asked += 1
        try:
            fresh = await provider.complete(_request(exchange, model, timeout))
        except ProviderError as error:
            failed.append((exchange.key, str(error)))
            kept.append(exchange)
            continue
        changed += fresh.text != exchange.response.text
        capabilities = provider.capabilities(model or exchange.request.get("model", ""))
        kept.append(replace(exchange, response=fresh, capabilities=capabilities))
    tape.write(path, kept)
    return Rerecorded(asked=asked, changed=changed, handwritten=handwritten, failed=tuple(failed))


def _request(exchange: Exchange, model: str, seconds: float) -> CompletionRequest:
    request = from_plain(CompletionRequest, {"model": "", **exchange.request, "timeout": seconds})
    return replace(request, model=model) if model else request


def _missing(path: Path, plain: Mapping[str, Any], exchanges: Sequence[Exchange]) -> str:
    recorded = [e for e in exchanges if e.request]
    if not recorded:
        return f"{path} holds no exchange for this request: record it with `mode: auto`"
    nearest = max(recorded, key=lambda e: _alike(plain, e.request))
    names = [n for n in {**plain, **nearest.request} if plain.get(n) != nearest.request.get(n)]
    if not names:
        return f"{path} holds no exchange for this request"
    worst = min(names, key=lambda n: _ratio(_shown(plain.get(n)), _shown(nearest.request.get(n))))
    wanted, held = _excerpt(_shown(plain.get(worst)), _shown(nearest.request.get(worst)))
    return (
        f"{path} holds no exchange for this request. The nearest one differs most in {worst!r}: asked {wanted!r}, "
        f"recorded {held!r}. Record it with `mode: auto`, or re-record the cassette"
    )


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """The messages tell requests apart, the other fields break ties."""
    same = sum(one.get(name) == other.get(name) for name in {**one, **other})
    return _ratio(_shown(one.get("messages")), _shown(other.get("messages"))) + same / 100


def _ratio(one: str, other: str) -> float:
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other)


def _shown(item: object) -> str:
    if isinstance(item, list):  # messages: their text is what differs
        return "\n".join(
            str(cast("dict[str, Any]", m).get("content", m)) if isinstance(m, dict) else str(m)
            for m in cast("list[object]", item)
        )
    return item if isinstance(item, str) else json.dumps(item, ensure_ascii=False, sort_keys=True)


def _excerpt(wanted: str, held: str, *, size: int = 60) -> tuple[str, str]:
    """The first place at which the two differ, with a little of what comes before it."""
    same = next((i for i, (a, b) in enumerate(zip(wanted, held, strict=False)) if a != b), min(len(wanted), len(held)))
    start = max(0, same - 15)
    return wanted[start : start + size], held[start : start + size]


def _existing(path: Path, hint: str) -> Path:
    if not path.exists():
        raise ProfileError("there is no such cassette", file=str(path), hint=hint)
    return path
