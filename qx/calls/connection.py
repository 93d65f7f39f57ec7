"""One backend of an engine with what the core puts around it: breaker, limiter, retry, time limit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from qx.backend import SearchBackend, SearchRequest, SearchResponse, SupportsBatch
from qx.calls.course import Course, Courses
from qx.calls.gate import Gate
from qx.calls.retrying import Retry
from qx.clock import Clock
from qx.errors import BadResponse, ProviderTimeout, QxError
from qx.failures import cleaned, guarded
from qx.serial import replace, to_plain
from qx.settings import BackendBlock

T = TypeVar("T")

RETRIES = 1
"""A search has a second or so: one more try is all that fits."""
TIMEOUT = 60.0
"""Seconds, where the profile says nothing; the request's own are the limit then."""

Remaining = Callable[[], float | None]


class Connection:
    """A live backend.  Belongs to one event loop.

    Args:
        name: The profile's name for it.
        backend: Has no retry or deadline of its own.
        block: Its block in the profile.
        clock: Measures every wait.
        courses: Where a recording keeps what became of each attempt; None: nothing is recorded.
        redact: Takes known secrets out of the text of errors.
        patient: What is asked aside is waited for, so that no result depends on how busy the machine is: for evaluations.
    """

    def __init__(
        self,
        name: str,
        backend: SearchBackend,
        block: BackendBlock,
        *,
        clock: Clock,
        redact: Callable[[str], str],
        courses: Courses | None = None,
        patient: bool = False,
    ) -> None:
        self.name = name
        self.backend = backend
        self.weight = block.weight
        self._timeout = block.timeout
        self._clock = clock
        self._redact = redact
        self._courses = courses
        self._patient = patient
        self._batching = backend if isinstance(backend, SupportsBatch) else None
        self._gate = Gate(
            f"backend {name}", clock, requests_per_second=block.requests_per_second, concurrency=block.concurrency
        )

    async def ask(self, requests: Sequence[SearchRequest], remaining: Remaining) -> list[SearchResponse | QxError]:
        """Run ``requests``, in one round trip where the backend can; an error takes the place of what it cost."""
        if len(requests) == 1:
            return [await self._alone(requests[0], remaining)]
        if self._batching is not None:
            return await self._together(self._batching, requests, remaining)
        return list(await asyncio.gather(*(self._alone(request, remaining) for request in requests)))

    async def call(
        self, work: Callable[[float], Awaitable[T]], remaining: Remaining, *, asked: Sequence[SearchRequest]
    ) -> T:
        """Run ``work`` (told its seconds) through the gate, again where that may help.

        Args:
            asked: What it asks, by which a recording knows it.

        Raises:
            QxError: what the backend raised, without secrets.
        """
        failure: QxError
        course = self._course(asked)
        try:
            return await Retry(self._clock, RETRIES, remaining, course=course).run(
                lambda number: self._gate.run(
                    lambda seconds: guarded(f"backend {self.name}", work(seconds)),
                    timeout=self._timeout or TIMEOUT,
                    within=remaining(),
                    course=course,
                )
            )
        except QxError as error:
            failure = cleaned(error, self._redact)
        raise failure

    async def aside(self, work: Awaitable[T], seconds: float | None) -> T:
        """Await something that no search depends on: one try, past the gate, whose breaker it must not open.

        Raises:
            QxError: what the backend raised, without secrets; ``ProviderTimeout`` after ``seconds``.
        """
        failure: QxError
        if self._patient and seconds is not None:
            seconds = max(seconds, self._timeout or TIMEOUT)
        try:
            async with asyncio.timeout(seconds):
                return await guarded(f"backend {self.name}", work)
        except TimeoutError:
            failure = ProviderTimeout(f"backend {self.name}: no answer within {seconds or 0:.2f} s")
        except QxError as error:
            failure = cleaned(error, self._redact)
        raise failure

    def _course(self, asked: Sequence[SearchRequest], how: str = "") -> Course | None:
        if self._courses is None:
            return None
        told = [to_plain(replace(one, vector=None, timeout=0.0)) for one in asked]
        return self._courses.begin(f"backend {self.name} {how}".rstrip(), told)

    async def _alone(self, request: SearchRequest, remaining: Remaining) -> SearchResponse | QxError:
        async def work(seconds: float) -> SearchResponse:
            return _whole(self.name, await self.backend.search(replace(request, timeout=seconds)))

        try:
            return await self.call(work, remaining, asked=(request,))
        except QxError as error:
            return error

    async def _together(
        self, backend: SupportsBatch, requests: Sequence[SearchRequest], remaining: Remaining
    ) -> list[SearchResponse | QxError]:
        async def ask(asked: Sequence[SearchRequest]) -> list[SearchResponse | QxError]:
            async def work(seconds: float) -> list[SearchResponse | QxError]:
                answers = list(await backend.search_many([replace(r, timeout=seconds) for r in asked]))
                if len(answers) != len(asked):
                    raise BadResponse(
                        f"backend {self.name} answered {len(answers)} of {len(asked)} requests of a batch"
                    )
                return [a if isinstance(a, QxError) else _checked(self.name, a) for a in answers]

            return await self.call(work, remaining, asked=asked)

        try:
            answers = await ask(requests)
        except QxError as error:
            return [error] * len(requests)

        async def again(number: int) -> None:
            """Ask once more what failed by itself and may pass."""
            failed = _may_pass(answers)
            if number > 1:
                for place, answer in zip(failed, await ask([requests[n] for n in failed]), strict=True):
                    answers[place] = answer
            for error in _may_pass(answers).values():
                raise error

        with suppress(QxError):  # each request's own error stands in its place
            course = self._course(requests, "one by one")
            await Retry(self._clock, RETRIES, remaining, course=course).run(again)
        return [cleaned(a, self._redact) if isinstance(a, QxError) else a for a in answers]


def _may_pass(answers: Sequence[SearchResponse | QxError]) -> dict[int, QxError]:
    """Place -> error of what a further try may help."""
    return {n: a for n, a in enumerate(answers) if isinstance(a, QxError) and a.retryable}


def _whole(name: str, answer: SearchResponse) -> SearchResponse:
    """Return ``answer``.

    Raises:
        BadResponse: it has not one score (and one identity, where it has any) for each id.
    """
    count = len(answer.ids)
    if len(answer.scores) != count or (answer.identities and len(answer.identities) != count):
        raise BadResponse(
            f"backend {name} answered {count} ids with {len(answer.scores)} scores and {len(answer.identities)} "
            "identities: there must be one of each for each id"
        )
    return answer


def _checked(name: str, answer: SearchResponse) -> SearchResponse | QxError:
    try:
        return _whole(name, answer)
    except BadResponse as error:
        return error
