"""A circuit breaker: an endpoint that keeps failing is left alone for a while.

Our own, since no maintained library lets the clock be injected: pybreaker and aiobreaker compare ``datetime.now()``,
purgatory ``time.time()``, circuitbreaker ``time.monotonic()``, none of which a virtual-time loop can move; and
pybreaker holds a thread lock around the call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from qx.errors import AuthError, BadRequest, ProviderTimeout, QuotaExhausted, RateLimited, Unavailable

LONGEST_HOLD = 60.0
"""Seconds that a ``Retry-After`` may keep an endpoint closed to other requests."""


class Breaker:
    """Closed -> (``failures`` in a row) -> open for ``recovery`` seconds -> half-open: one call tries -> closed or open.

    Args:
        name: Of the endpoint, for messages.
        monotonic: The clock.
        failures: Failures in a row that open it.
        recovery: Seconds that it stays open.
    """

    def __init__(self, name: str, monotonic: Callable[[], float], *, failures: int = 5, recovery: float = 30.0) -> None:
        self._name = name
        self._monotonic = monotonic
        self._allowed = failures
        self._recovery = recovery
        self._failures = 0
        self._last = ""
        self._opened: float | None = None
        self._trying = False
        self._held = 0.0

    @property
    def state(self) -> str:
        """``closed``, ``open`` or ``half-open``."""
        if self._opened is None:
            return "closed"
        return "open" if self._monotonic() < self._opened + self._recovery else "half-open"

    @contextmanager
    def guard(self, *, fair: Callable[[], bool] = lambda: True) -> Generator[None]:
        """Let one call through and learn from how it ends.

        Args:
            fair: Asked after a timeout: whether the call had enough time for the timeout to be the endpoint's fault.

        Raises:
            Unavailable: the circuit is open (not worth a retry).
            RateLimited: the endpoint asked for a pause that is not over.
        """
        self._check()
        trial = self._trying = self._opened is not None
        try:
            yield
        except (Unavailable, AuthError, QuotaExhausted) as error:
            self._failed(error)
            raise
        except ProviderTimeout as error:
            if fair():
                self._failed(error)
            raise
        except BadRequest:  # it works, it only wants another request
            self._failures, self._opened = 0, None
            raise
        except RateLimited as error:
            if error.retry_after is not None:
                self._held = self._monotonic() + min(error.retry_after, LONGEST_HOLD)
            raise
        else:
            self._failures, self._opened = 0, None
        finally:
            if trial:  # also when cancelled, else nobody could ever try again
                self._trying = False

    def _check(self) -> None:
        now = self._monotonic()
        if self._opened is not None and (self._trying or now < self._opened + self._recovery):
            left = max(0.0, self._opened + self._recovery - now)
            error = Unavailable(
                f"{self._name} is left alone for {left:.0f} s: it failed {self._failures} times in a row, "
                f"the last time so: {self._last}"
            )
            error.retryable = False
            raise error
        if now < self._held:
            raise RateLimited(f"{self._name} asked to slow down", retry_after=self._held - now)

    def _failed(self, error: Exception) -> None:
        self._failures += 1
        self._last = str(error) or type(error).__name__
        if self._failures >= self._allowed or self._opened is not None:
            self._opened = self._monotonic()
