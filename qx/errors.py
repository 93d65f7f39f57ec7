"""Every error that qx raises on purpose.

::

    QxError
    ├── UsageError          the call itself is wrong                                    exit 2
    ├── ProfileError        a profile, pack or setting is wrong (file, line, hint)      exit 3
    │   ├── PackError       a domain pack is wrong
    │   ├── DatasetError    a file of queries, grades or clicks is wrong
    │   └── PathNotAllowed  a path of a profile leads out of where it may            exit 7
    ├── PluginError         a plugin cannot be loaded, found or selected                exit 3
    ├── ProviderError       a model endpoint or backend failed                          exit 4
    │   ├── ProviderTimeout     no answer in time                   retryable
    │   ├── RateLimited         429, with ``retry_after``           retryable
    │   ├── Unavailable         5xx, refused, circuit open          retryable
    │   ├── QuotaExhausted      paid quota used up                  goes to a fallback, not to a retry
    │   ├── AuthError           wrong or missing key                goes to a fallback, not to a retry
    │   ├── BadRequest          the endpoint refused the request    goes to a fallback, not to a retry
    │   ├── BadResponse         the answer cannot be read           goes to a fallback, not to a retry
    │   │   └── BrokenOff           it broke off after a part of it was passed on: no other try
    │   ├── SearchFailed        every backend of a search failed; the text lists each cause
    │   └── ScrapeError         a page cannot be fetched or read; ``kind`` says why
    │       └── AddressNotAllowed   its address is not public, or not http(s)               exit 7
    ├── BudgetExceeded      a limit of time, calls, tokens or money, of the request or its day   exit 4
    ├── DayBudgetSpent      the tenant's budget of the day is spent, and its profile says `refuse`   exit 4
    ├── CassetteMiss        a replay lacks the answer to a request: no fallback, no rules, for it would be another result   exit 4
    ├── NotAllowed          tenant, scope or a blocked address                          exit 7
    └── Closed              the engine is closed or belongs to another event loop       exit 5
"""

from __future__ import annotations

from typing import Literal

ScrapeKind = Literal[
    "address", "robots", "unreachable", "timeout", "redirects", "status", "too-large", "media-type", "encoding",
    "unreadable",
]  # fmt: skip
"""Why there is no page: see ``docs/operations.md``."""


class QxError(Exception):
    """The root.  The text says what, where, and what to do.

    Attributes:
        plugin: The plugin or endpoint it comes from.
        step: The step that was running.
        retryable: Whether the same call may succeed later.
        retry_after: Seconds that the other side asked to wait, if it did.
    """

    exit_code = 5
    retryable = False

    def __init__(
        self, message: str, *, plugin: str | None = None, step: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.plugin = plugin
        self.step = step
        self.retry_after = retry_after


def kind_of(error: QxError) -> str:
    """Return the name of an error's class; of one that is not defined here, of the nearest that is."""
    return next(kind.__name__ for kind in type(error).__mro__ if globals().get(kind.__name__) is kind)


class UsageError(QxError):
    """The call itself is wrong."""

    exit_code = 2


class ProfileError(QxError):
    """A profile, pack or setting is wrong.

    Attributes:
        file: The file, if it has one.
        line, column: From 1, where known.
        hint: What to do ("did you mean 'expand'?").
    """

    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
    ) -> None:
        where = ":".join(str(p) for p in (file, line, column) if p is not None)
        super().__init__((f"{where}: " if where else "") + message + (f" ({hint})" if hint else ""))
        self.file = file
        self.line = line
        self.column = column
        self.hint = hint


class PackError(ProfileError):
    """A domain pack is wrong."""


class DatasetError(ProfileError):
    """A file of an evaluation (queries, grades, clicks) is wrong, or there is none."""


class PluginError(QxError):
    """A plugin cannot be loaded, found or selected."""

    exit_code = 3


class ProviderError(QxError):
    """A model endpoint or a backend failed."""

    exit_code = 4


class ProviderTimeout(ProviderError):
    """No answer in time."""

    retryable = True


class RateLimited(ProviderError):
    """The endpoint asks to slow down."""

    retryable = True


class Unavailable(ProviderError):
    """The endpoint is down, refuses connections, or its circuit is open."""

    retryable = True


class QuotaExhausted(ProviderError):
    """The paid quota is used up."""


class AuthError(ProviderError):
    """The key is wrong or missing."""


class BadRequest(ProviderError):
    """The endpoint refused the request as such (too long, unknown model, content filter)."""


class BadResponse(ProviderError):
    """The endpoint answered something that cannot be read."""


class BrokenOff(BadResponse):
    """An answer that broke off after a part of it had been passed on: it cannot be asked for again."""


class SearchFailed(ProviderError):
    """Every backend of a search failed.

    Attributes:
        kinds: The kinds of the failures, by their names here: where all are ``AuthError``, no other query helps.
    """

    def __init__(
        self,
        message: str,
        *,
        kinds: frozenset[str] = frozenset(),
        plugin: str | None = None,
        step: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, plugin=plugin, step=step, retry_after=retry_after)
        self.kinds = kinds


class BudgetExceeded(QxError):
    """A limit of time, calls, tokens or money is reached: the request's own, or the tenant's of the day.

    Attributes:
        of: What the request has no more of: ``seconds``, ``calls``, ``tokens``, ``money``; empty where it is the day's.
    """

    exit_code = 4
    of: str = ""


class DayBudgetSpent(QxError):
    """The tenant's budget of the day is spent, and its profile says ``when_exhausted: refuse``.

    It ends the request, where ``BudgetExceeded`` is one step's to go on without.  ``retry_after`` is the seconds to
    midnight; a few, where only what calls under way have set aside is in the way.
    """

    exit_code = 4


class CassetteMiss(QxError):
    """A cassette that is replayed holds no answer to a request; the text names the file and how to record the answer.

    It ends the request: what rules or a fallback make of it would pass for what was recorded.
    """

    exit_code = 4


class NotAllowed(QxError):
    """The tenant, scope or address is not allowed."""

    exit_code = 7


class PathNotAllowed(ProfileError, NotAllowed):
    """A path of a profile leads out of its folder, and the operator has not named where to (``QX_ALLOW_PATHS``)."""

    exit_code = 7


class Closed(QxError):
    """The engine is closed, or belongs to another event loop."""


class ScrapeError(ProviderError):
    """A page cannot be fetched, or cannot be read.

    Attributes:
        kind: Why (``ScrapeKind``).
        status: The HTTP status, where there is one.
    """

    def __init__(
        self, message: str, *, kind: ScrapeKind, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, step="fetch", retry_after=retry_after)
        self.kind: ScrapeKind = kind
        self.status = status
        self.retryable = kind in ("unreachable", "timeout") or (status is not None and (status == 429 or status >= 500))


class AddressNotAllowed(ScrapeError, NotAllowed):
    """A page's address, or one that it leads to, is not public, or not http(s)."""

    exit_code = 7

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="address")
