"""What became of each attempt of a call, written down in a recording, so that its replay makes the same ones.

A replay waits for nothing.  By its own clock, waits and breakers it would try again where time had run out, and ask
where an endpoint was left alone: so it asks none of them, and goes by the record.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from qx import errors
from qx.errors import ProviderError, ProviderTimeout, QxError, ScrapeError, kind_of
from qx.serial import value

T = TypeVar("T")


@value
class Attempt:
    """How one attempt ended.

    Attributes:
        asked: Whether the endpoint was asked: not where its circuit was open, or no place was free.
        type, message, retry_after, retryable: Of the error; ``type`` is its class in ``qx.errors``, empty: there was none.
    """

    asked: bool = False
    type: str = ""
    message: str = ""
    retry_after: float | None = None
    retryable: bool = False

    @classmethod
    def of(cls, asked: bool, error: QxError) -> Attempt:
        """Return what is kept of one that failed."""
        return cls(
            asked=asked,
            type=kind_of(error),
            message=str(error),
            retry_after=error.retry_after,
            retryable=error.retryable,
        )

    def error(self) -> QxError | None:
        """Return the error again; None: it did not fail."""
        kind = getattr(errors, self.type, None) if self.type else None
        if not (isinstance(kind, type) and issubclass(kind, QxError)):
            return None
        made = ProviderError(self.message) if issubclass(kind, ScrapeError) else kind(self.message)
        made.retry_after, made.retryable = self.retry_after, self.retryable
        return made


class Courses(Protocol):
    """Where it is written down (``Plugins.courses``)."""

    def begin(self, who: str, asked: object, /) -> Course:
        """Begin a call.

        Args:
            who: The endpoint.
            asked: What it is asked, which JSON can hold: tells one call from another.
        """
        ...


class Course:
    """The attempts of one call, as they are made; or as they were.

    Args:
        replayed: Those of the recording; None: they are made.
        keep: Is given them at the end, where not all went well.
    """

    def __init__(
        self, replayed: tuple[Attempt, ...] | None, keep: Callable[[tuple[Attempt, ...]], None] = lambda made: None
    ) -> None:
        self._replayed = replayed
        self._keep = keep
        self._made: list[Attempt] = []
        self._number = 0
        self._asked = False

    @property
    def is_replayed(self) -> bool:
        """Whether no clock, wait or breaker counts."""
        return self._replayed is not None

    async def run(self, number: int, attempt: Callable[[int], Awaitable[T]]) -> T:
        """Make an attempt, and note how it ends."""
        self._number, self._asked = number, False
        try:
            result = await attempt(number)
        except QxError as error:
            self._made.append(Attempt.of(self._asked, error))
            raise
        except asyncio.CancelledError:
            self._made.append(Attempt(asked=self._asked))
            raise
        self._made.append(Attempt(asked=True))
        return result

    def is_over(self) -> bool:
        """Whether the recording holds no attempt after this one."""
        return self._number >= len(self._replayed or ())

    def ask(self) -> None:
        """Note that the endpoint is asked now."""
        self._asked = True

    async def repeat(self, call: Callable[[], Awaitable[T]]) -> T:
        """Let the attempt end as it did: with its error, or with the answer that ``call`` finds in the recording.

        Raises:
            QxError: as then.
        """
        known = self._replayed or ()
        was = known[self._number - 1] if self._number <= len(known) else Attempt(asked=True)
        error = was.error()
        if error is not None and not was.asked:
            raise error
        self._asked = True
        try:
            result = await call()
        except ProviderTimeout:
            if error is None:  # nobody waited for it any more
                raise
        except QxError:
            if error is None or type(error).__name__ != was.type:
                raise
        else:
            if error is None:
                return result
        raise error

    def end(self) -> None:
        """Write them down; one attempt that went well needs no word."""
        if self._replayed is None and any(one.type for one in self._made):
            self._keep(tuple(self._made))
