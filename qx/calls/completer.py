"""Calls a profile's models: retry, breaker, limiter, fallbacks, budget.  Providers have none of these themselves.

Per call: budget -> breaker -> limiter -> provider -> settle.  What an error deserves:

====================================  =========================================================================
``RateLimited``, ``Unavailable``      the same endpoint again, after a jittered wait, ``Retry-After`` honoured
``ProviderTimeout``                   the next endpoint; the same one again only if there is no other
``QuotaExhausted``, ``AuthError``,    the next endpoint at once
``BadRequest``, ``BadResponse``
open circuit                          the next endpoint at once
``BudgetExceeded``                    the next endpoint (its price may fit), else the caller
====================================  =========================================================================
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, Protocol, runtime_checkable

from qx.budget import Budget, Cost
from qx.calls.course import Course, Courses
from qx.calls.gate import Gate
from qx.calls.retrying import Retry
from qx.calls.streaming import Reader, called
from qx.clock import Clock
from qx.errors import (
    BrokenOff,
    BudgetExceeded,
    CassetteMiss,
    DayBudgetSpent,
    ProviderError,
    ProviderTimeout,
    QxError,
)
from qx.failures import UNBILLED, cleaned, redactor, secrets_of
from qx.http import place
from qx.llm import Capabilities, Completion, CompletionRequest, LLMProvider
from qx.serial import replace, to_plain, value
from qx.settings import LLM, Endpoint
from qx.spending.account import Account, Charge
from qx.text.tokens import estimate
from qx.tiers import Prices
from qx.types import Usage

log = logging.getLogger("qx")

OnEvent = Callable[[str, Mapping[str, Any]], None]


@runtime_checkable
class Keeps(Protocol):
    """A provider that writes down what became of its calls, and is not there to see what ends one from outside."""

    def cut_off(self, request: CompletionRequest, error: ProviderTimeout, /) -> None: ...


@value
class Answered:
    """A completion, the endpoint that gave it, and ``(endpoint, reason)`` of those that were tried before it."""

    completion: Completion
    endpoint: str
    tried: tuple[tuple[str, str], ...] = ()


def endpoints(settings: LLM) -> tuple[Endpoint, ...]:
    """Return the endpoints of an ``llm:`` block in the order in which they are tried."""
    return (settings, *settings.fallbacks)


def endpoint_name(endpoint: Endpoint) -> str:
    """Return how messages call ``endpoint``: ``openai gpt-5-mini at https://api.example.com/v1``."""
    at = f" at {place(endpoint.api_base)}" if endpoint.api_base else ""
    return f"{endpoint.provider} {endpoint.model}".strip() + at


class _Route:
    """One endpoint with its provider and its gate."""

    def __init__(self, settings: Endpoint, provider: LLMProvider, clock: Clock) -> None:
        self.settings = settings
        self.provider = provider
        self.name = endpoint_name(settings)
        self.pays = not (settings.provider == "cassette" and settings.options.get("mode", "replay") == "replay")
        self.gate = Gate(
            self.name,
            clock,
            requests_per_second=settings.requests_per_second,
            concurrency=settings.concurrency,
        )


class Completer:
    """The models of one engine, that is of one tenant and one event loop.

    Args:
        settings: The profile's ``llm`` block.
        providers: What ``make_providers`` made: one for each of ``endpoints(settings)``, in that order.
        clock: Measures every wait.
        account: The tenant's: the budget of its day, and its ledger; None: there is neither.
        courses: Where a recording keeps what became of each attempt; None: nothing is recorded.
        redact: Takes further known secrets out of messages; the endpoints' own are always taken out.
    """

    def __init__(
        self,
        settings: LLM,
        providers: Sequence[LLMProvider],
        *,
        clock: Clock,
        account: Account | None = None,
        courses: Courses | None = None,
        redact: Callable[[str], str] = lambda text: text,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._account = account
        self._courses = courses
        self._routes = tuple(
            _Route(endpoint, provider, clock) for endpoint, provider in zip(endpoints(settings), providers, strict=True)
        )
        own = redactor(s for endpoint in endpoints(settings) for s in secrets_of(endpoint))
        self._redact: Callable[[str], str] = lambda text: redact(own(text))

    def redact(self, text: str) -> str:
        """Take the endpoints' secrets, and the engine's, out of a text."""
        return self._redact(text)

    @property
    def endpoints(self) -> tuple[str, ...]:
        """The names of the endpoints, in the order in which they are tried."""
        return tuple(route.name for route in self._routes)

    def model(self, tier: str | None = None) -> str:
        """Return the model of ``tier`` (``easy``, ``hard``; None, or a tier that the profile does not name: its own)."""
        return self._settings.tier(tier).model

    def capabilities(self, tier: str | None = None) -> Capabilities:
        """Return what the first endpoint's model of ``tier`` can do."""
        try:
            return self._routes[0].provider.capabilities(self.model(tier))
        except Exception as error:  # noqa: BLE001 somebody else's code: what it cannot say is taken for nothing
            log.warning("%s: capabilities() failed: %s", self._routes[0].name, type(error).__name__)
            return Capabilities(schema=False, tools=False, stream=False)

    async def complete(
        self,
        request: CompletionRequest,
        *,
        budget: Budget,
        tier: str | None = None,
        on_event: OnEvent = lambda name, attributes: None,
        tell: Reader | None = None,
    ) -> Answered:
        """Get one completion, from the first endpoint that gives one.

        Args:
            request: ``model`` may be empty.  A ``timeout`` above the profile's (a batch needs longer) lengthens every
                endpoint's limit in proportion; none outlasts the budget.
            budget: What the request may still spend.
            tier: ``easy`` or ``hard``: the first endpoint's model for it.
            on_event: Told of ``model.call``, ``model.retry`` and ``model.fallback``, without any text.
            tell: Told the text as it is written, as it comes: secrets are still in it (``redact``).  Once it was told
                something, no other try is made.

        Raises:
            BrokenOff: the endpoint broke off after it began to write.
            BudgetExceeded: nothing is left for a call to any endpoint.
            CassetteMiss: an endpoint that replays a recording lacks the answer; no other one is asked.
            DayBudgetSpent: nor of the day, and the profile says to refuse.
            ProviderError: every endpoint failed; the text lists each with its reason.  It is ``retryable`` if one of
                them is.  No secret is in it or in the chain behind it.
        """
        failures: list[tuple[_Route, QxError]] = []
        for index, route in enumerate(self._routes):
            asked = replace(request, model=(request.model or self.model(tier)) if index == 0 else route.settings.model)
            alternative = index + 1 < len(self._routes)
            prices = self._settings.prices_of(tier) if index == 0 else route.settings.prices
            result = await self._try(route, asked, prices, budget, alternative, on_event, tell)
            if isinstance(result, (CassetteMiss, DayBudgetSpent, BrokenOff)):
                raise result
            if isinstance(result, Completion):
                tried = tuple((failed.name, _brief(error)) for failed, error in failures)
                return Answered(completion=result, endpoint=route.name, tried=tried)
            failures.append((route, result))
            if alternative:
                onward = {"from": route.name, "to": self._routes[index + 1].name, "reason": type(result).__name__}
                on_event("model.fallback", onward)
        raise _summary(failures)

    async def aclose(self) -> None:
        """Close every provider, also when one of them fails to."""
        async with AsyncExitStack() as stack:
            for route in self._routes:
                stack.push_async_callback(route.provider.aclose)

    async def _try(
        self,
        route: _Route,
        request: CompletionRequest,
        prices: Prices | None,
        budget: Budget,
        alternative: bool,
        on_event: OnEvent,
        tell: Reader | None,
    ) -> Completion | QxError:
        """Return the endpoint's answer, or why there is none: returned, so that no error chains to another."""

        def waiting(pause: float, error: QxError) -> None:
            attributes = {"endpoint": route.name, "wait": round(pause, 3), "reason": type(error).__name__}
            on_event("model.retry", attributes)

        course = None if self._courses is None else self._courses.begin(route.name, _asked(request))
        retry = Retry(
            self._clock, self._settings.retries, lambda: budget.remaining().seconds, alternative, waiting, course
        )
        try:
            return await retry.run(
                lambda number: self._attempt(route, request, prices, budget, number, on_event, tell, course)
            )
        except QxError as error:
            return cleaned(error, self._redact)

    async def _attempt(
        self,
        route: _Route,
        request: CompletionRequest,
        prices: Prices | None,
        budget: Budget,
        number: int,
        on_event: OnEvent,
        tell: Reader | None,
        course: Course | None,
    ) -> Completion:
        forecast = _forecast(request, prices)
        lease = await budget.reserve(forecast)
        try:
            charge = await self._begun(route, forecast)
        except QxError:
            lease.settle(Cost(calls=0, tokens=0, money=0.0))
            raise
        began = self._clock.monotonic()
        outcome: dict[str, Any] = {"outcome": "cancelled"}
        try:
            completion = await route.gate.run(
                lambda seconds: called(route.name, route.provider, replace(request, timeout=seconds), tell),
                timeout=route.settings.timeout * max(1.0, request.timeout / self._settings.timeout),
                within=budget.remaining().seconds,
                course=course,
            )
            usage = _usage(completion.usage, prices)
            outcome = {
                "outcome": "ok",
                "input_tokens": usage.input_tokens,
                "output_tokens": usage.output_tokens,
                "finish": completion.finish,
            }
            lease.settle(Cost(calls=1, tokens=usage.input_tokens + usage.output_tokens, money=usage.cost))
            if charge is not None:
                await charge.settle(usage, completion.model or request.model)
            # a model (or what stands before it) may echo the key; its text goes to outputs, caches and logs
            calls = tuple([replace(c, arguments=self._redact(c.arguments)) for c in completion.tool_calls])
            return replace(completion, text=self._redact(completion.text), tool_calls=calls, usage=usage)
        except QxError as error:
            outcome = {"outcome": type(error).__name__}
            if isinstance(error, ProviderTimeout) and isinstance(route.provider, Keeps):
                route.provider.cut_off(request, error)
            if tell is not None and tell.has_begun:  # what was passed on was made, whatever the error says
                raise BrokenOff(f"{route.name} broke off in the middle of its answer: {error}") from error
            if isinstance(error, UNBILLED):
                lease.settle(Cost(calls=0, tokens=0, money=0.0))
                if charge is not None:
                    await charge.release()
            raise
        finally:
            seconds = round(self._clock.monotonic() - began, 4)
            call = {"endpoint": route.name, "model": request.model, "attempt": number, "seconds": seconds}
            on_event("model.call", call | outcome)

    async def _begun(self, route: _Route, forecast: Cost) -> Charge | None:
        """Set aside what the call may cost of the day's budget; a replay costs nothing."""
        if self._account is None or not route.pays:
            return None
        return await self._account.begin(forecast, fallback=route is not self._routes[0])


def _asked(request: CompletionRequest) -> object:
    """What tells one request from another: not how long it may take."""
    return to_plain(replace(request, timeout=0.0))


def _forecast(request: CompletionRequest, prices: Prices | None) -> Cost:
    written = sum(estimate(message.content) for message in request.messages)
    money = None
    if prices is not None:
        money = (written * prices.input + request.max_tokens * prices.output) / 1e6
    return Cost(calls=1, tokens=written + request.max_tokens, money=money)


def _usage(usage: Usage, prices: Prices | None) -> Usage:
    """One call, with its cost by the profile's prices; without prices, what the provider says."""
    if prices is None:
        return usage if usage.calls > 0 else replace(usage, calls=1)
    cost = (usage.input_tokens * prices.input + usage.output_tokens * prices.output) / 1e6
    return replace(usage, calls=max(1, usage.calls), cost=cost, currency=prices.currency)


def _brief(error: QxError) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 300 else text[:297] + "..."


def _summary(failures: Sequence[tuple[_Route, QxError]]) -> QxError:
    """One error for all that failed.  A single endpoint's own error says it best."""
    first = failures[0][1]
    if len(failures) == 1 or all(isinstance(error, BudgetExceeded) for _, error in failures):
        return first
    listed = "; ".join(f"{route.name}: {_brief(error)}" for route, error in failures)
    summary = ProviderError(f"every model endpoint failed: {listed}")
    summary.retryable = any(error.retryable for _, error in failures)
    waits = [error.retry_after for _, error in failures if error.retry_after is not None]
    summary.retry_after = min(waits) if waits else None
    return summary
