"""One request with everything that it asks of others, kept in a file: to look at it, to repeat it, to test with it.

::

    recording = Recording(Path("tea.jsonl"), "record")     # later "replay": nobody is asked, no key is needed
    async with Engine.opened("shop", plugins=recording.over(Plugins.load())) as engine:
        result = await recording.run(Query(text="红茶"), engine.profile, engine.search)

Models, embedders, engines, pages and the HTTP services of processors and sections are recorded; results kept in a cache
are not used.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from qx.builtin.cassette_answers import Moment
from qx.builtin.cassette_tape import CassetteMiss, Mode, Tape, existing
from qx.clock import SystemClock
from qx.errors import QxError
from qx.plugins import PluginInfo, Plugins
from qx.recorded_parts import WRAPPING, TapedCourses, TapedDecisions, Wrap
from qx.registry import Registry
from qx.settings import LLM, Profile
from qx.types import Query, Trace

T = TypeVar("T")


class Recording:
    """One file for all that one or several requests ask of others.

    Args:
        path: The file.  Recording into one that exists adds to it.
        mode: ``record``; ``replay``, for which nothing of what was recorded need be there; ``auto`` asks for what is
            missing.

    Raises:
        ProfileError: there is nothing to replay, or the file is no cassette.
    """

    def __init__(self, path: Path, mode: Mode) -> None:
        known = existing(path, "record it first: --record") if mode == "replay" else path
        self._tape = Tape(known, mode, advice=f"Record this request again: `--record {path}`")

    def over(self, plugins: Plugins) -> Plugins:
        """Return ``plugins`` with the tape between them and whoever asks."""
        return RecordedPlugins(plugins, self._tape)

    async def run(self, query: Query, profile: Profile, work: Callable[[Query], Awaitable[T]]) -> T:
        """Return what ``work`` makes of ``query``; in a replay it is the same as then, but for timings.

        Args:
            work: A method of an engine over the recorded plugins: ``engine.search``.

        Raises:
            CassetteMiss: something was asked that is not in the file, so this is not the recorded result; names it.
        """
        asked = self.query(query, profile)
        try:
            result = await work(asked)
        except QxError:
            self._check()
            raise
        self._check()
        found = self._tape.find("moment", {"text": query.text})
        trace = getattr(result, "trace", None)
        if found is None or not isinstance(trace, Trace):
            return result
        return replace(cast("Any", result), trace=replace(trace, id=found.response.trace))

    def query(self, query: Query, profile: Profile) -> Query:
        """Return ``query`` at the moment that it was recorded at: what "yesterday" means is a part of every answer.

        Raises:
            CassetteMiss: this query was not recorded; the text names those that were.
        """
        moment = self._moment({"text": query.text}, "request", query.text, profile, query.now)
        return replace(query, now=query.now or datetime.fromisoformat(moment.now))

    async def call(
        self, operation: str, request: Mapping[str, Any], profile: Profile, events: Callable[[], AsyncGenerator[T]]
    ) -> AsyncGenerator[T]:
        """Yield the events of a call to an operation; in a replay they are the same as then, at the moment of then.

        Args:
            operation, request: What is called; in a replay they must have been recorded.
            events: Calls it, on an engine over the recorded plugins: ``partial(engine.call, operation, request)``.

        Raises:
            CassetteMiss: as ``run``.
        """
        plain = {"operation": operation, "request": dict(request)}
        shown = f"{operation} {json.dumps(request, ensure_ascii=False)}"
        moment = self._moment(plain, "call", shown, profile, None)
        self._tape.now = datetime.fromisoformat(moment.now)
        try:
            async with aclosing(events()) as found:
                async for event in found:
                    self._check()
                    yield event
        except QxError:
            self._check()
            raise
        self._check()

    def _moment(
        self, plain: Mapping[str, Any], noun: str, shown: str, profile: Profile, now: datetime | None
    ) -> Moment:
        """Begin what ``plain`` describes: the moment at which it was recorded, or is being recorded."""
        self._tape.begin()
        found = None if self._tape.mode == "record" else self._tape.find("moment", plain)
        if found is not None:
            return found.response
        if self._tape.mode == "replay":
            known = [e.request for e in self._tape.exchanges if e.kind == "moment" and e.request.keys() == plain.keys()]
            texts = [str(one.get("text") or f"{one.get('operation')} {one.get('request')}") for one in known]
            listed = ", ".join(repr(text[:60]) for text in dict.fromkeys(texts)) or "none"
            raise CassetteMiss(f"{self._tape.path} holds no {noun} {shown[:200]!r} (it has: {listed})")
        llm = profile.llm
        block = None if llm is None else llm.model_dump(mode="json", exclude={"api_key", "options", "fallbacks"})
        made = Moment(now=(now or datetime.now(UTC)).isoformat(), trace=secrets.token_hex(8), llm=block)
        self._tape.keep("moment", plain, made)
        return made

    def profile(self, profile: Profile) -> Profile:
        """Return ``profile`` with the model that was there when this was recorded, where the environment named it."""
        known = [e.response.llm for e in self._tape.exchanges if e.kind == "moment" and e.response.llm]
        if self._tape.mode != "replay" or profile.llm is not None or not known:
            return profile
        return profile.model_copy(update={"llm": LLM.model_validate(known[-1])})

    def _check(self) -> None:
        if self._tape.misses:
            raise self._tape.misses[0] from None


class RecordedPlugins(Plugins):
    """Other plugins, whose factories make recorded parts.

    Args:
        plain: The other ones.
        tape: Stands before each part that is made.
        wrapping: Kind of contribution -> what makes a recorded one; kinds that are not in it stay plain.
    """

    def __init__(self, plain: Plugins, tape: Tape, wrapping: Mapping[str, Wrap] | None = None) -> None:
        super().__init__(())
        self._plain = plain
        self._tape = tape
        self._wrapping = WRAPPING if wrapping is None else wrapping
        self._made: dict[str, Registry] = {}
        self.decisions = TapedDecisions(tape)
        self.courses = TapedCourses(tape) if self._wrapping is WRAPPING else None  # of a whole request
        self.clock = _Clock(tape)
        self.replaying = tape.mode == "replay"

    def only(self, allow: Collection[str] | None) -> Plugins:
        return RecordedPlugins(self._plain.only(allow), self._tape, self._wrapping)

    def report(self) -> tuple[PluginInfo, ...]:
        return self._plain.report()

    def registry(self, kind: str) -> Registry:
        if kind not in self._wrapping:
            return self._plain.registry(kind)
        if kind not in self._made:
            self._made[kind] = self._plain.registry(kind).wrapped(partial(self._wrapping[kind], self._tape))
        return self._made[kind]


class _Clock(SystemClock):
    """The time of a recorded call stands still: what an answer says of it is the same in a replay."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def now(self) -> datetime:
        return self._tape.now or super().now()
