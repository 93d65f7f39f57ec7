"""The backend ``cassette``: records any engine's answers, and replays them without the engine.

::

    search: {backends: {web: {type: cassette, path: tape.jsonl, mode: auto, backend: {type: web, preset: searxng}}}}
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, cast

from pydantic import Field, model_validator

from qx.backend import (
    Health,
    SearchBackend,
    SearchRequest,
    SearchResponse,
    SupportsBatch,
    SupportsCount,
    SupportsFilter,
    SupportsHealth,
    SupportsSpelling,
    SupportsVectors,
    SupportsVocabulary,
)
from qx.builtin.cassette_answers import About, Listing, plain_fields, read_fields
from qx.builtin.cassette_tape import CUT_OFF, CassetteMiss, Mode, Tape, existing
from qx.errors import Closed, ProviderError, ProviderTimeout, QxError
from qx.failures import redactor, secrets_of
from qx.filters import Filter
from qx.filters.fieldmap import FieldMap
from qx.hookspecs import Services
from qx.model import Model
from qx.serial import from_plain, to_plain
from qx.settings import BackendBlock
from qx.tenant_folder import own_path
from qx.types import Target


class Settings(Model):
    """What a profile says beside ``type: cassette``; ``backend`` is the whole block of the engine that is recorded."""

    name: str = "main"
    path: Path
    mode: Mode = "replay"
    backend: BackendBlock | None = None
    lexicon: tuple[str, ...] = Field(default=(), exclude=True)
    """Set by the core, for an engine that has such a setting."""

    @model_validator(mode="after")
    def _needs_backend(self) -> Settings:
        if self.mode != "replay" and self.backend is None:
            raise ValueError(f"mode {self.mode} needs `backend`: the block of the engine that is recorded")
        return self


class CassetteBackend:
    """Implements ``SearchBackend``; with it, by ``wrapped``, the abilities that the recorded engine has.

    What the engine is (fields, targets, abilities) is read once, when it is opened: so a replay sees the same.

    Args:
        tape: Where answers are kept; may be shared.
        name: The profile's name for it.
        about: What the engine is.
        inner: Who is asked; closed with this one.  None: nobody.
    """

    Settings = Settings

    def __init__(self, tape: Tape, name: str, about: About, inner: SearchBackend | None) -> None:
        self.tape = tape
        self.inner = inner
        self._name = name
        self._about = about
        self._fields = read_fields(about.fields)
        self._closed = False

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> CassetteBackend:
        path = own_path(settings.path, services)
        block = settings.backend
        if settings.mode == "replay" or block is None:
            return replayed(Tape(existing(path, "record it: `mode: record`"), "replay"), settings.name)
        known = redactor(secrets_of(block))
        tape = Tape(path, settings.mode, redact=lambda text: services.http.redact(known(text)))
        return recorded(tape, settings.name, await services.search_backend(settings.name, block, settings.lexicon))

    @property
    def name(self) -> str:
        return self._name

    @property
    def endpoint(self) -> str:
        return self._about.endpoint

    @property
    def accepts(self) -> frozenset[Target]:
        return frozenset(self._about.accepts)

    @property
    def fields(self) -> FieldMap:
        return self._fields

    @property
    def bm25(self) -> bool:
        return self._about.bm25

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        """Return the list from the file, or record it; as ``Tape.play``."""
        inner = self._open()

        async def ask() -> Listing:
            return Listing.of(await cast("SearchBackend", inner).search(request))

        answer: Listing = await self.tape.play("search", described(self._name, request), ask if inner else None)
        return answer.response()

    async def aclose(self) -> None:
        self._closed = True
        if self.inner is not None:
            await self.inner.aclose()

    def _open(self) -> SearchBackend | None:
        if self._closed:
            raise Closed(f"backend {self._name} is closed")
        return self.inner

    async def _call(self, operation: str, ask: Callable[[Any], Awaitable[Any]], **arguments: object) -> Any:
        inner = self._open()

        async def asked() -> Any:
            return to_plain(await ask(inner))

        return await self.tape.play("call", self._plain(operation, arguments), asked if inner else None)

    def _plain(self, operation: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        kept = {name: to_plain(item) for name, item in arguments.items() if item is not None}
        return {"backend": self._name, "operation": operation, **kept}


class _Batch(CassetteBackend):
    async def search_many(self, requests: Sequence[SearchRequest], /) -> Sequence[SearchResponse | QxError]:
        """Return what is in the file, and ask for the rest in one round trip."""
        inner = self._open()
        plains = [described(self._name, request) for request in requests]
        done: dict[int, SearchResponse | QxError] = {}
        async with self.tape.together():
            if inner is None:
                await self.tape.turn(self.tape.find("search", plains[0]) if plains else None)
            for number, plain in enumerate(plains):
                if inner is None or (self.tape.mode == "auto" and _answered(self.tape, plain)):
                    done[number] = self._one(plain)
            left = [number for number in range(len(requests)) if number not in done]
            if left and inner is not None:
                answers = await self._asked(cast("SupportsBatch", inner), requests, plains, left)
                done |= {n: self._keep(plains[n], answer) for n, answer in zip(left, answers, strict=True)}
        return [done[number] for number in range(len(requests))]

    async def _asked(
        self,
        inner: SupportsBatch,
        requests: Sequence[SearchRequest],
        plains: Sequence[Mapping[str, Any]],
        left: Sequence[int],
    ) -> Sequence[SearchResponse | QxError]:
        try:
            return await inner.search_many([requests[number] for number in left])
        except (asyncio.CancelledError, ProviderError) as error:
            failure = error if isinstance(error, ProviderError) else ProviderTimeout(CUT_OFF)
            for number in left:
                self.tape.keep("search", plains[number], error=failure)
            raise

    def _one(self, plain: Mapping[str, Any]) -> SearchResponse | QxError:
        try:
            answer: Listing = self.tape.play_now("search", plain, None)
        except QxError as error:
            return error
        return answer.response()

    def _keep(self, plain: Mapping[str, Any], answer: SearchResponse | QxError) -> SearchResponse | QxError:
        if isinstance(answer, QxError):
            self.tape.keep("search", plain, error=answer)
            return answer
        kept = Listing.of(answer)
        self.tape.keep("search", plain, kept)
        return kept.response()


class _Filter(CassetteBackend):
    def inexpressible(self, filter: Filter, /) -> Sequence[Filter]:
        inner = self._open()
        plain = self._plain("inexpressible", {"filter": filter})
        ask = None if inner is None else lambda: to_plain(list(cast("SupportsFilter", inner).inexpressible(filter)))
        return [from_plain(cast("Any", Filter), item) for item in self.tape.play_now("call", plain, ask)]


class _Vectors(CassetteBackend):
    async def stored_fingerprint(self) -> str | None:
        return await self._call("stored_fingerprint", lambda inner: inner.stored_fingerprint())


class _Vocabulary(CassetteBackend):
    async def frequencies(self, terms: Sequence[str], /) -> Mapping[str, int]:
        """As ``Tape.play``; in a replay the terms may be grouped otherwise: the core asks only for what it has not yet."""
        if (known := self._known(terms)) is not None:
            async with self.tape.together():
                return known
        return await self._call("frequencies", lambda inner: inner.frequencies(terms), terms=list(terms))

    async def values(self, field: str, /, *, limit: int) -> Sequence[tuple[str, int]]:
        found = await self._call("values", lambda inner: inner.values(field, limit=limit), field=field, limit=limit)
        return [(text, count) for text, count in found]

    def _known(self, terms: Sequence[str]) -> Mapping[str, int] | None:
        """The counts of ``terms`` out of all recorded calls; None where the very call decides."""
        if self.tape.mode != "replay" or self.tape.find("call", self._plain("frequencies", {"terms": list(terms)})):
            return None
        counts: dict[str, int] = {}
        for exchange in self.tape.exchanges:
            if exchange.kind == "call" and self._plain("frequencies", {}).items() <= exchange.request.items():
                if exchange.error is not None and set(terms) & set(exchange.request["terms"]):
                    raise exchange.error.error()
                counts |= exchange.response or {}
        return {term: counts[term] for term in terms} if set(terms) <= counts.keys() else None


class _Spelling(CassetteBackend):
    async def spellings(self, terms: Sequence[str], /, *, limit: int) -> Mapping[str, Sequence[str]]:
        return await self._call(
            "spellings", lambda inner: inner.spellings(terms, limit=limit), terms=list(terms), limit=limit
        )


class _Count(CassetteBackend):
    async def count(self, filter: Filter | None, /) -> int:
        return await self._call("count", lambda inner: inner.count(filter), filter=filter)


class _Health(CassetteBackend):
    async def health(self) -> Health:
        """Say whether the engine is there; of a replay: whether the cassette is."""
        if self._open() is None:
            return Health(ok=True, detail=f"replayed from {self.tape.path}")
        return await cast("SupportsHealth", self.inner).health()


_ABILITIES: Mapping[str, tuple[type, type[CassetteBackend]]] = {
    "batch": (SupportsBatch, _Batch),
    "filter": (SupportsFilter, _Filter),
    "vectors": (SupportsVectors, _Vectors),
    "vocabulary": (SupportsVocabulary, _Vocabulary),
    "spelling": (SupportsSpelling, _Spelling),
    "count": (SupportsCount, _Count),
    "health": (SupportsHealth, _Health),
}


def behind(backend: SearchBackend) -> SearchBackend:
    """Return the engine itself, where a tape stands before it: what it is now, not what the tape remembers of it."""
    return (backend.inner or backend) if isinstance(backend, CassetteBackend) else backend


def _without_folders(endpoint: str) -> str:
    """Return where an engine is, of a folder its name alone: a recording is passed on, and tells no machine's paths."""
    if PurePosixPath(endpoint).is_absolute() or PureWindowsPath(endpoint).is_absolute():
        return PureWindowsPath(endpoint).name
    return endpoint


def recorded(tape: Tape, name: str, inner: SearchBackend) -> CassetteBackend:
    """Return ``inner`` with a tape between it and whoever asks."""
    about = About(
        endpoint=_without_folders(inner.endpoint),
        accepts=tuple(sorted(inner.accepts)),
        fields=plain_fields(inner.fields),
        bm25=inner.bm25,
        abilities=tuple(ability for ability, (protocol, _) in _ABILITIES.items() if isinstance(inner, protocol)),
    )
    known = tape.find("about", {"backend": name})
    if known is None or known.response != about:
        tape.keep("about", {"backend": name}, about)
    return wrapped(tape, name, about, inner)


def replayed(tape: Tape, name: str) -> CassetteBackend:
    """Return what the tape knows of the engine ``name``, without the engine.

    Raises:
        CassetteMiss: nothing.
    """
    found = tape.find("about", {"backend": name})
    if found is None:
        known = sorted({e.request["backend"] for e in tape.exchanges if e.kind == "about" and "backend" in e.request})
        raise CassetteMiss(f"{tape.path} holds nothing of a backend {name!r} (it has: {', '.join(known) or 'none'})")
    return wrapped(tape, name, found.response, None)


def wrapped(tape: Tape, name: str, about: About, inner: SearchBackend | None) -> CassetteBackend:
    """Return a backend of a class that has just the abilities in ``about``: the core asks for them by type."""
    parts = tuple(made for ability, (_, made) in _ABILITIES.items() if ability in about.abilities)
    kind: type[CassetteBackend] = type("Recorded", parts or (CassetteBackend,), {})
    return kind(tape, name, about, inner)


def described(name: str, request: SearchRequest) -> dict[str, Any]:
    """Return what identifies a request as JSON: without its timeout, a vector as its hash."""
    plain: dict[str, Any] = to_plain(replace(request, vector=None))
    del plain["timeout"]
    if request.vector is not None:
        plain["vector"] = "sha256:" + hashlib.sha256(request.vector).hexdigest()[:32]
    return {"backend": name} | {key: item for key, item in plain.items() if item not in (None, [], {})}


def _answered(tape: Tape, plain: Mapping[str, Any]) -> bool:
    found = tape.find("search", plain)
    return found is not None and found.error is None
