"""A cassette at work: looks an exchange up, or asks and keeps the answer.  The same for models, embedders and engines."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from qx.builtin import cassette_file as file
from qx.builtin.cassette_answers import Failure
from qx.builtin.cassette_file import Exchange, Kind
from qx.containment import described
from qx.errors import BadResponse, CassetteMiss, ProfileError, ProviderError, ProviderTimeout, QxError
from qx.llm import Capabilities
from qx.underway import tell_missed

if TYPE_CHECKING:
    from qx.hookspecs import Services

Mode = Literal["replay", "record", "auto"]
HELD = 0.5
"""Seconds that an answer waits for its turn at most."""
GRACE = 0.01
"""Seconds before a miss is one: work that is about to be given up (nobody waits for it any more) may go a step further
than it did when it was recorded, since a replay answers at once."""
CUT_OFF = "no answer before the deadline"


class Storage(Protocol):
    """Where exchanges are kept: a file (``cassette_file.Lines``), or anything that finds them by their key."""

    @property
    def exchanges(self) -> Sequence[Exchange]:
        """All of them, oldest first: for replays and messages; none where they are too many to be listed."""
        ...

    def get(self, kind: Kind, key: str) -> Exchange | None:
        """Return the newest exchange of a request."""
        ...

    def matching(self, said: str) -> Exchange | None:
        """Return the first handwritten exchange all of whose texts occur in the messages to a model."""
        ...

    def add(self, exchange: Exchange, redact: Callable[[str], str] | None) -> None:
        """Keep one more."""
        ...


class Tape:
    """One cassette in one of its modes.

    Args:
        path: The file; made by the first recording.
        mode: ``replay`` never asks, ``record`` always asks and keeps, ``auto`` asks only for what is missing.
        redact: Takes known secrets out of what is written; can be set later.
        storage: What keeps the exchanges; None: the lines of the file at ``path``.
        advice: What to do about a miss; empty: how the block of one part of a profile is recorded.

    Attributes:
        misses: What was asked for in vain, in order.
        now: The moment at which the time of a recorded call stands still; None: it does not.
    """

    streams = False
    """Whether a processor may read a stream, of which nothing is kept."""

    def __init__(
        self,
        path: Path,
        mode: Mode,
        *,
        redact: Callable[[str], str] | None = None,
        storage: Storage | None = None,
        advice: str = "",
    ) -> None:
        self.path = path
        self._advice = advice
        self.mode: Mode = mode
        self.redact = redact
        self.misses: list[CassetteMiss] = []
        self.now: datetime | None = None
        self._storage: Storage = storage or file.Lines(path)
        self._ordered = self._counting = False
        self._asked = self._answered = 0
        self._counted: Counter[str] = Counter()

    @property
    def exchanges(self) -> Sequence[Exchange]:
        """What it holds, as far as that can be listed."""
        return self._storage.exchanges

    async def scoped(self, part: str, settings: object, made: object, services: Services) -> Tape:
        """Return the tape for one part of an engine; of a cassette the same one, where names tell parts apart.

        Args:
            part: The kind of part and its name.
            settings: The part's own.
            made: The part that is asked; None in a replay, and of a processor.
            services: Of the engine that it is a part of.
        """
        return self

    def begin(self) -> None:
        """Begin a request whose answers are to come in the order in which they came when it was recorded.

        An engine that is faster than the expansion leads to another result than one that is slower.
        """
        self._ordered = self._counting = True
        self._asked = self._answered = 0
        self._counted.clear()

    def count(self, kind: Kind, plain: Mapping[str, Any]) -> int:
        """Count one more time that the same is asked within one request, and return which it is; else always 1."""
        if not self._counting:
            return 1
        key = file.digest(plain, kind)
        self._counted[key] += 1
        return self._counted[key]

    async def play(
        self,
        kind: Kind,
        plain: Mapping[str, Any],
        ask: Callable[[], Awaitable[Any]] | None,
        *,
        capabilities: Capabilities | None = None,
    ) -> Any:
        """Return the recorded answer to ``plain``, or that of ``ask``, which is kept.

        A failure is kept too: ``replay`` raises it again, the other modes ask anew.

        Raises:
            CassetteMiss: there is no such exchange and nobody to ask.
            ProviderError: what ``ask`` raised, now or when it was recorded.
        """
        self._asked += 1
        number = self.count(kind, plain)
        try:
            if self.mode == "replay":
                await self.turn(self.find(kind, plain, number))
            found = self._recorded(kind, plain, ask is not None, number)
            if found is not None:
                return found.response
            if ask is None:
                await asyncio.sleep(GRACE)
                raise self._missed(kind, plain)
            return await self._asking(kind, plain, ask, capabilities, number)
        finally:
            self._answered += 1

    async def _asking(
        self,
        kind: Kind,
        plain: Mapping[str, Any],
        ask: Callable[[], Awaitable[Any]],
        capabilities: Capabilities | None,
        number: int,
    ) -> Any:
        try:
            answer = await ask()
        except asyncio.CancelledError:
            self.keep(kind, plain, error=ProviderTimeout(CUT_OFF), number=number)
            raise
        except ProviderError as error:
            self.keep(kind, plain, error=error, number=number)
            raise
        except Exception as error:  # somebody else's code: what asks calls it a bad response
            self.keep(kind, plain, error=BadResponse(described(error)), number=number)
            raise
        self.keep(kind, plain, answer, capabilities=capabilities, number=number)
        return answer

    def cut_off(self, kind: Kind, plain: Mapping[str, Any], error: ProviderTimeout) -> None:
        """Keep what ended the newest call of a request, in the place of its having been cut off."""
        number = self._counted[file.digest(plain, kind)] or 1
        known = self.find(kind, plain, number)
        self.keep(kind, plain, error=error, number=number, turn=None if known is None else known.turn)

    async def turn(self, found: Exchange | None) -> None:
        """Wait until an answer's turn has come; a moment at most, where the request takes another course."""
        await asyncio.sleep(0)  # as from afar: what is asked at once is under way at once, a breaker sees the same
        if found is None or not self._ordered or found.turn is None:
            return
        clock = asyncio.get_running_loop().time
        until = clock() + HELD
        cut_off = found.error is not None and found.error.message == CUT_OFF  # nobody waited for it any more
        while cut_off or self._asked < found.turn[0] or self._answered < found.turn[1]:
            if clock() >= until:
                self._ordered = cut_off  # else the next ones wait in vain too
                return
            await asyncio.sleep(0.0005)

    @asynccontextmanager
    async def together(self) -> AsyncGenerator[None]:
        """Ask several things as one: a batch is one question with one answer."""
        self._asked += 1
        try:
            yield
        finally:
            self._answered += 1

    def play_now(self, kind: Kind, plain: Mapping[str, Any], ask: Callable[[], Any] | None) -> Any:
        """As ``play``, for what is asked without waiting."""
        found = self._recorded(kind, plain, ask is not None)
        if found is not None:
            return found.response
        if ask is None:
            raise self._missed(kind, plain)
        answer = ask()
        known = self.find(kind, plain)
        if known is None or known.response != answer:
            self.keep(kind, plain, answer)
        return answer

    def find(self, kind: Kind, plain: Mapping[str, Any], number: int = 1) -> Exchange | None:
        """Return the newest exchange of this very request; of a model also a handwritten one whose texts occur.

        Args:
            number: Which time it is asked; where nothing is known of that time, the first one counts.
        """
        if number > 1 and (again := self._storage.get(kind, file.digest(plain, kind, number))) is not None:
            return again
        if (exact := self._storage.get(kind, file.digest(plain, kind))) is not None:
            return exact
        if kind != "model":
            return None
        said = "\n".join(str(message["content"]) for message in plain["messages"])
        return self._storage.matching(said)

    def keep(
        self,
        kind: Kind,
        plain: Mapping[str, Any],
        response: Any = None,
        *,
        error: QxError | None = None,
        capabilities: Capabilities | None = None,
        number: int = 1,
        turn: tuple[int, int] | None = None,
    ) -> None:
        """Write one exchange; the newest of a request is the one that is replayed.

        Args:
            number: Which time it was asked.
            turn: As of ``Exchange``; None: now.
        """
        failure = Failure.of(error) if error is not None else None
        again = number if number > 1 else None
        key = file.digest(plain, kind, again)
        if turn is None and self._ordered and kind not in ("about", "moment"):
            turn = (self._asked, self._answered)
        known = self._storage.get(kind, key)
        if known is not None and (known.response, known.error, known.turn) == (response, failure, turn):
            return
        exchange = Exchange(
            key=key,
            kind=kind,
            request=plain,
            response=response,
            error=failure,
            capabilities=capabilities,
            number=again,
            turn=turn,
        )
        self._storage.add(exchange, self.redact)

    def _recorded(self, kind: Kind, plain: Mapping[str, Any], can_ask: bool, number: int = 1) -> Exchange | None:
        found = None if self.mode == "record" else self.find(kind, plain, number)
        if found is None or found.error is None:
            return found
        if self.mode == "replay" or not can_ask:
            raise found.error.error()
        return None

    def _missed(self, kind: Kind, plain: Mapping[str, Any]) -> CassetteMiss:
        advice = self._advice or _advice(self.path, kind)
        error = CassetteMiss(f"{_missing(self.path, kind, plain, self.exchanges)}. {advice}")
        self.misses.append(error)
        tell_missed(error)
        return error


def existing(path: Path, hint: str) -> Path:
    """Return ``path``.

    Raises:
        ProfileError: there is no such file.
    """
    if not path.exists():
        raise ProfileError("there is no such cassette", file=str(path), hint=hint)
    return path


def _missing(path: Path, kind: Kind, plain: Mapping[str, Any], exchanges: Sequence[Exchange]) -> str:
    asked = "" if kind == "model" else f" ({kind}: {_summary(plain)})"
    said = f"{path} holds no exchange for this request{asked}"
    recorded = [e for e in exchanges if e.request and e.kind == kind]
    if not recorded:
        return said
    nearest = max(recorded, key=lambda e: _alike(plain, e.request))
    names = [n for n in {**plain, **nearest.request} if plain.get(n) != nearest.request.get(n)]
    if not names:
        return said
    worst = min(names, key=lambda n: _ratio(_shown(plain.get(n)), _shown(nearest.request.get(n))))
    wanted, held = _excerpt(_shown(plain.get(worst)), _shown(nearest.request.get(worst)))
    return f"{said}. The nearest one differs most in {worst!r}: asked {wanted!r}, recorded {held!r}"


def _advice(path: Path, kind: Kind) -> str:
    """What adds the answer; asking anew what is there is another thing, which only models have."""
    inner = "backend" if kind in ("search", "call", "about") else "inner"
    anew = f"; `qx cassette record {path}` asks anew what it holds" if kind == "model" else ""
    return f"To add it, set `mode: auto` beside its path (and `{inner}`: who is asked), and ask again{anew}"


def _summary(plain: Mapping[str, Any]) -> str:
    """What was asked, in a few words: the parts that people would name it by."""
    parts = [plain[name] for name in ("backend", "operation", "text", "texts", "url") if plain.get(name)]
    return " ".join(_shown(part) for part in parts)[:200]


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """Messages or text tell requests apart, the other fields break ties."""
    same = sum(one.get(name) == other.get(name) for name in {**one, **other})
    name = next((n for n in ("messages", "text", "texts") if n in one), "")
    return _ratio(_shown(one.get(name)), _shown(other.get(name))) + same / 100


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
