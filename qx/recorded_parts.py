"""The parts of an engine with a tape before each: what ``qx.recording`` makes of what a profile names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from pydantic import BaseModel, ConfigDict

from qx.builtin.cassette import Cassette
from qx.builtin.cassette_answers import Replied
from qx.builtin.cassette_backend import recorded, replayed
from qx.builtin.cassette_embedder import CassetteEmbedder
from qx.builtin.cassette_fetcher import CassetteFetcher
from qx.builtin.cassette_tape import Tape
from qx.builtin.no_cache import NoCache
from qx.calls.course import Attempt, Course
from qx.errors import BadResponse
from qx.http import Reply, place
from qx.secrets import is_key
from qx.serial import from_plain, to_plain

Wrap = Callable[[Tape, str, Callable[[], Any]], Any]
"""Makes a recorded factory, told its name, of what loads the plain one."""


class TapedDecisions:
    """Implements ``Decisions``: on the tape."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def find(self, question: str, /) -> bool | None:
        found = None if self._tape.mode == "record" else self._tape.find("call", {"in time": question})
        return None if found is None else bool(found.response)

    def keep(self, question: str, came: bool, /) -> None:
        if self._tape.mode != "replay":
            self._tape.keep("call", {"in time": question}, came)


class TapedCourses:
    """Implements ``Courses``: on the tape."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def begin(self, who: str, asked: object, /) -> Course:
        told = json.dumps(asked, ensure_ascii=True, sort_keys=True)
        call = {"attempts": who, "request": sha256(told.encode()).hexdigest()[:32]}
        number = self._tape.count("call", call)
        plain = call if number == 1 else {**call, "number": number}
        if self._tape.mode != "replay":
            return Course(None, lambda made: self._tape.keep("call", plain, to_plain(list(made))))
        found = self._tape.find("call", plain)
        went_well = [{"asked": True}]
        kept: list[Any] = went_well if found is None else found.response
        return Course(tuple(from_plain(Attempt, one) for one in kept))


class _Anything(BaseModel):
    """The settings of what is not opened: whatever stands there, a key that is missing too."""

    model_config = ConfigDict(extra="allow")
    name: str = "main"


class _Factory:
    """A factory that makes ``inner``'s part and puts the tape before it; in a replay, the tape alone."""

    kind = ""

    def __init__(self, tape: Tape, name: str, load: Callable[[], Any]) -> None:
        self.inner = None if tape.mode == "replay" else load()
        self.tape = tape
        self.name = name
        self.Settings = _Anything if self.inner is None else self.inner.Settings

    async def create(self, settings: Any, services: Any, /) -> Any:
        made = None if self.inner is None else await self.inner.create(settings, services)
        try:
            tape = await self.tape.scoped(f"{self.kind} {self.name}", settings, made, services)
            tape.redact = services.http.redact
            return self.recorded(tape, made, settings)
        except BaseException:
            if made is not None:
                await made.aclose()
            raise

    def recorded(self, tape: Tape, made: Any, settings: Any) -> Any:
        raise NotImplementedError


class RecordedModel(_Factory):
    """A provider of models, recorded."""

    kind = "model"

    def recorded(self, tape: Tape, made: Any, settings: Any) -> Any:
        return Cassette.on(tape, made)


class RecordedEmbedder(_Factory):
    """An embedder, recorded."""

    kind = "embedder"

    def recorded(self, tape: Tape, made: Any, settings: Any) -> Any:
        return CassetteEmbedder(tape, made)


class RecordedBackend(_Factory):
    """A search engine, recorded."""

    kind = "backend"

    def recorded(self, tape: Tape, made: Any, settings: Any) -> Any:
        return replayed(tape, settings.name) if made is None else recorded(tape, settings.name, made)


class RecordedFetcher(_Factory):
    """What reads pages, recorded."""

    kind = "fetcher"

    def recorded(self, tape: Tape, made: Any, settings: Any) -> Any:
        return CassetteFetcher(tape, made)


class WithoutCache:
    """What a cache holds was asked for at another time, so there is none."""

    Settings = _Anything

    def __init__(self, tape: Tape, name: str, load: Callable[[], Any]) -> None:
        self._tape = tape

    async def create(self, settings: Any, services: Any, /) -> Any:
        self._tape.redact = services.http.redact
        return NoCache()


class RecordedProcessor:
    """A processor, or a section of a plugin, is made as ever; what it asks by HTTP goes through the tape."""

    def __init__(self, tape: Tape, name: str, load: Callable[[], Any]) -> None:
        self._inner = load()
        self._tape = tape
        self._name = name
        self.Settings = self._inner.Settings

    async def create(self, settings: Any, services: Any, /) -> Any:
        tape = await self._tape.scoped(f"processor {self._name}", settings, None, services)
        return await self._inner.create(settings, _Services(services, tape))


class _Services:
    """An engine's services, with HTTP through the tape."""

    def __init__(self, plain: Any, tape: Tape) -> None:
        self._plain = plain
        self.http = _Http(plain.http, tape)
        self.decisions = TapedDecisions(tape)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)


class _Http:
    """Implements what processors use of ``Http``; headers of a request, where keys are, are not written down."""

    def __init__(self, plain: Any, tape: Tape) -> None:
        self._plain = plain
        self._tape = tape
        self.redact = plain.redact

    async def open(self) -> None:
        await self._plain.open()

    async def send(
        self,
        method: str,
        url: str,
        /,
        *,
        json: object = None,
        headers: Mapping[str, str] | None = None,
        timeout: float,  # noqa: ASYNC109 as the plain client has it
    ) -> Reply:
        """As ``Http.send``."""

        async def ask() -> Replied:
            reply: Reply = await self._plain.send(method, url, json=json, headers=headers, timeout=timeout)
            kept = {name: text for name, text in reply.headers.items() if name in ("content-type", "retry-after")}
            return Replied(status=reply.status, headers=kept, body=reply.body.decode("utf-8", "surrogateescape"))

        plain = {"method": method, **_address(url, self.redact), "json": json}
        answer: Replied = await self._tape.play("http", plain, None if self._tape.mode == "replay" else ask)
        body = answer.body.encode("utf-8", "surrogateescape")
        return Reply(status=answer.status, headers=answer.headers, body=body)

    def stream(self, *args: Any, **options: Any) -> Any:
        """Streams are not recorded.

        Raises:
            BadResponse: always, where all is to be recorded.
        """
        if self._tape.streams:
            return self._plain.stream(*args, **options)
        raise BadResponse("a processor that reads a stream cannot be recorded")


def _address(url: str, redact: Callable[[str], str]) -> dict[str, str]:
    """A URL as the tape may show it, and a digest of its query: without keys, which a replay need not have."""
    pairs = [pair for pair in parse_qsl(urlsplit(url).query, keep_blank_values=True) if not is_key(pair[0])]
    shown = {"url": place(url)}
    if pairs:
        shown["query"] = sha256(redact(urlencode(pairs)).encode()).hexdigest()[:16]
    return shown


def recorded_section(tape: Tape, name: str, load: Callable[[], Any]) -> Any:
    """A section that opens something, recorded; one that has settings alone as it is."""
    owner = load()
    return RecordedProcessor(tape, name, lambda: owner) if hasattr(owner, "create") else owner


WRAPPING: Mapping[str, Wrap] = {
    "llm_providers": RecordedModel,
    "embedders": RecordedEmbedder,
    "backends": RecordedBackend,
    "caches": WithoutCache,
    "processors": RecordedProcessor,
    "fetchers": RecordedFetcher,
    "sections": recorded_section,
}
"""Kind of contribution -> what makes a recorded one."""
