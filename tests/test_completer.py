"""What each failure deserves: a retry, the next endpoint, or neither; and always within the deadline."""

import asyncio
import traceback
from collections.abc import Mapping
from typing import Any

import pytest

from qx.budget import Cost, RequestBudget
from qx.calls.completer import Completer, endpoint_name
from qx.clock import SystemClock
from qx.errors import (
    AuthError,
    BadRequest,
    BadResponse,
    BudgetExceeded,
    ProviderError,
    ProviderTimeout,
    QuotaExhausted,
    QxError,
    RateLimited,
    Unavailable,
)
from qx.llm import CompletionRequest, Message
from qx.settings import LLM, Endpoint
from qx.testing import Answer, ScriptedLLM

pytestmark = pytest.mark.virtual_time

REQUEST = CompletionRequest(
    model="", messages=(Message(role="user", content="red shoes"),), timeout=1.0, max_tokens=100
)


def settings(**fields: Any) -> LLM:
    return LLM.model_validate({"provider": "scripted", "model": "main", "timeout": 8, **fields})


def two(**fields: Any) -> LLM:
    return settings(fallbacks=[{"provider": "scripted", "model": "spare"}], **fields)


def budget(seconds: float | None = 20.0, **limits: Any) -> RequestBudget:
    return RequestBudget(Cost(seconds=seconds, **limits), asyncio.get_running_loop().time)


def now() -> float:
    return asyncio.get_running_loop().time()


def completer(llm: LLM, *providers: ScriptedLLM) -> Completer:
    return Completer(llm, providers, clock=SystemClock())


async def test_the_first_endpoint_answers_and_nobody_else_is_asked() -> None:
    first, second = ScriptedLLM(["yes"]), ScriptedLLM()
    answered = await completer(two(), first, second).complete(REQUEST, budget=budget())
    assert answered.completion.text == "yes"
    assert answered.endpoint == "scripted main"
    assert answered.tried == ()
    assert first.requests[0].model == "main"
    assert first.requests[0].timeout == 8.0
    assert second.calls == 0


@pytest.mark.parametrize("error", [RateLimited("429"), Unavailable("500"), Unavailable("connection refused")])
async def test_a_passing_failure_is_retried_at_the_same_endpoint(error: ProviderError) -> None:
    first, second = ScriptedLLM([error, error, "yes"]), ScriptedLLM()
    answered = await completer(two(), first, second).complete(REQUEST, budget=budget())
    assert answered.completion.text == "yes"
    assert (first.calls, second.calls) == (3, 0)
    assert 0.7 <= now() <= 1.3  # 0.25 s, then 0.5 s, each with up to 0.25 s of jitter


@pytest.mark.parametrize(
    "error", [QuotaExhausted("used up"), AuthError("wrong key"), BadRequest("too long"), BadResponse("not JSON")]
)
async def test_what_a_retry_cannot_help_goes_to_the_fallback_at_once(error: ProviderError) -> None:
    first, second = ScriptedLLM([error]), ScriptedLLM(["yes"])
    answered = await completer(two(), first, second).complete(REQUEST, budget=budget())
    assert answered.endpoint == "scripted spare"
    assert answered.tried == (("scripted main", str(error)),)
    assert (first.calls, second.calls) == (1, 1)
    assert now() == 0.0
    assert second.requests[0].model == "spare"


@pytest.mark.parametrize(
    "error", [QuotaExhausted("used up"), AuthError("wrong key"), BadRequest("too long"), BadResponse("not JSON")]
)
async def test_without_a_fallback_it_is_raised_at_once(error: ProviderError) -> None:
    first = ScriptedLLM([error])
    with pytest.raises(type(error), match=str(error)):
        await completer(settings(), first).complete(REQUEST, budget=budget())
    assert first.calls == 1


async def test_a_timeout_goes_to_the_fallback_rather_than_wait_the_same_again() -> None:
    first, second = ScriptedLLM([Answer(delay=60)]), ScriptedLLM(["yes"])
    answered = await completer(two(timeout=3), first, second).complete(REQUEST, budget=budget(10))
    assert answered.endpoint == "scripted spare"
    assert "did not answer within 3 s" in answered.tried[0][1]
    assert now() == pytest.approx(3.0)
    assert first.cancelled == 1


async def test_the_last_endpoint_is_tried_again_after_a_timeout_if_time_is_left() -> None:
    first = ScriptedLLM([Answer(delay=60), "yes"])
    answered = await completer(settings(timeout=3), first).complete(REQUEST, budget=budget(10))
    assert answered.completion.text == "yes"


async def test_retries_end_with_the_number_that_the_profile_allows() -> None:
    first = ScriptedLLM(default=Unavailable("500"))
    with pytest.raises(Unavailable):
        await completer(settings(retries=2), first).complete(REQUEST, budget=budget())
    assert first.calls == 3


async def test_retry_after_is_waited_for() -> None:
    first = ScriptedLLM([RateLimited("429", retry_after=4), "yes"])
    await completer(settings(), first).complete(REQUEST, budget=budget())
    assert 4.0 <= now() < 4.5


async def test_a_wait_that_is_too_long_goes_to_the_fallback() -> None:
    first, second = ScriptedLLM([RateLimited("429", retry_after=4)]), ScriptedLLM(["yes"])
    await completer(two(), first, second).complete(REQUEST, budget=budget())
    assert now() == 0.0


async def test_no_retry_goes_beyond_the_deadline() -> None:
    first = ScriptedLLM([RateLimited("429", retry_after=30), "too late"])
    with pytest.raises(RateLimited) as caught:
        await completer(settings(), first).complete(REQUEST, budget=budget(5))
    assert caught.value.retry_after == 30
    assert now() == 0.0


@pytest.mark.parametrize("seconds", [0.2, 1.0, 5.0])
async def test_hanging_endpoints_never_outlast_the_budget(seconds: float) -> None:
    slow = [ScriptedLLM(default=Answer(delay=1000)) for _ in range(2)]
    with pytest.raises((ProviderError, BudgetExceeded)):
        await completer(two(timeout=3), *slow).complete(REQUEST, budget=budget(seconds))
    assert now() <= seconds + 1e-6


async def test_when_all_fail_one_error_lists_each_with_its_reason() -> None:
    first, second = (
        ScriptedLLM([AuthError("the key is refused")]),
        ScriptedLLM([QuotaExhausted("the quota is used up")]),
    )
    llm = settings(
        api_base="http://user:hidden@one.example/v1?key=hidden",
        fallbacks=[{"provider": "scripted", "model": "spare", "api_base": "http://two.example/v1"}],
    )
    with pytest.raises(ProviderError) as caught:
        await completer(llm, first, second).complete(REQUEST, budget=budget())
    text = str(caught.value)
    assert "scripted main at http://one.example/v1: the key is refused" in text
    assert "scripted spare at http://two.example/v1: the quota is used up" in text
    assert "hidden" not in text
    assert caught.value.__context__ is None
    assert not caught.value.retryable


async def test_a_tier_chooses_the_first_endpoints_model() -> None:
    llm = two(tiers={"easy": {"model": "small"}, "hard": {"model": "large"}})
    first, second = ScriptedLLM(["a", "b", BadRequest("no"), "d"]), ScriptedLLM(["c"])
    made = completer(llm, first, second)
    for tier in ("easy", "hard", "hard", None):
        await made.complete(REQUEST, budget=budget(), tier=tier)
    assert [r.model for r in first.requests] == ["small", "large", "large", "main"]
    assert second.requests[0].model == "spare"
    assert (made.model("easy"), made.model(None)) == ("small", "main")


async def test_a_request_that_needs_longer_lengthens_the_limit_in_proportion() -> None:
    from dataclasses import replace

    first = ScriptedLLM([Answer(text="yes", delay=30)])
    batch = replace(REQUEST, timeout=80.0)
    assert (await completer(settings(), first).complete(batch, budget=budget(100))).completion.text == "yes"
    assert first.requests[0].timeout == 80.0


async def test_usage_counts_the_call_and_its_price() -> None:
    llm = settings(prices={"input": 2.0, "output": 10.0, "currency": "CNY"})
    first = ScriptedLLM([Answer(text="x", input_tokens=1000, output_tokens=100)])
    spent = budget(calls=3, tokens=5000, money=1.0)
    answered = await completer(llm, first).complete(REQUEST, budget=spent)
    usage = answered.completion.usage
    assert (usage.calls, usage.cost, usage.currency) == (1, pytest.approx(0.003), "CNY")
    left = spent.remaining()
    assert (left.calls, left.tokens) == (2, 3900)
    assert left.money == pytest.approx(0.997)


async def test_what_was_refused_is_not_spent_and_what_timed_out_is() -> None:
    spent = budget(calls=5)
    first = ScriptedLLM([Unavailable("500"), AuthError("no")])
    with pytest.raises(AuthError):
        await completer(settings(), first).complete(REQUEST, budget=spent)
    assert spent.remaining().calls == 5
    slow = ScriptedLLM(default=Answer(delay=100))
    with pytest.raises(ProviderTimeout):
        await completer(settings(retries=0, timeout=2), slow).complete(REQUEST, budget=spent)
    assert spent.remaining().calls == 4


async def test_a_cancelled_call_counts_as_spent_and_gives_its_place_back() -> None:
    spent = budget(calls=2)
    first = ScriptedLLM([Answer(delay=100), "yes"])
    made = completer(settings(concurrency=1), first)
    call = asyncio.ensure_future(made.complete(REQUEST, budget=spent))
    await asyncio.sleep(1)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert spent.remaining().calls == 1
    assert (await made.complete(REQUEST, budget=spent)).completion.text == "yes"


async def test_nothing_left_is_the_budgets_error_and_no_call() -> None:
    first, second = ScriptedLLM(), ScriptedLLM()
    with pytest.raises(BudgetExceeded, match="calls"):
        await completer(two(), first, second).complete(REQUEST, budget=budget(calls=0))
    assert first.calls == second.calls == 0


async def test_a_fallback_that_the_money_suffices_for_is_asked() -> None:
    llm = two(prices={"input": 1000.0, "output": 1000.0})
    first, second = ScriptedLLM(), ScriptedLLM(["yes"])
    answered = await completer(llm, first, second).complete(REQUEST, budget=budget(money=0.001))
    assert answered.endpoint == "scripted spare"
    assert "money" in answered.tried[0][1]


async def test_an_endpoint_that_keeps_failing_is_left_alone_and_tried_again_later() -> None:
    first = ScriptedLLM(lambda request: Unavailable("500") if now() < 20 else "back")
    second = ScriptedLLM(default="spare")
    made = completer(two(retries=0), first, second)
    for _ in range(8):
        await made.complete(REQUEST, budget=budget())
    assert first.calls == 5  # then the circuit is open
    answered = await made.complete(REQUEST, budget=budget())
    assert "left alone" in answered.tried[0][1]
    await asyncio.sleep(31)
    assert (await made.complete(REQUEST, budget=budget())).completion.text == "back"


async def test_each_completer_has_breakers_of_its_own() -> None:
    broken, works = ScriptedLLM(default=Unavailable("500")), ScriptedLLM(default="yes")
    one, other = completer(settings(retries=0), broken), completer(settings(), works)
    for _ in range(6):
        with pytest.raises(Unavailable):
            await one.complete(REQUEST, budget=budget())
    assert (await other.complete(REQUEST, budget=budget())).completion.text == "yes"


async def test_concurrency_and_rate_are_limited() -> None:
    model = ScriptedLLM(default="yes", delay=1.0)
    made = completer(settings(concurrency=3), model)
    await asyncio.gather(*(made.complete(REQUEST, budget=budget()) for _ in range(9)))
    assert (model.peak, now()) == (3, pytest.approx(3.0))
    model = ScriptedLLM(default="yes")
    made = completer(settings(requests_per_second=0.5), model)
    began = now()
    await asyncio.gather(*(made.complete(REQUEST, budget=budget()) for _ in range(4)))
    assert now() - began == pytest.approx(6.0, abs=0.1)


async def test_waiting_for_a_place_ends_with_the_budget_and_is_not_held_against_the_endpoint() -> None:
    model = ScriptedLLM(default=Answer(text="yes", delay=5))
    made = completer(settings(concurrency=1, retries=0), model)
    long = asyncio.ensure_future(made.complete(REQUEST, budget=budget(50)))
    await asyncio.sleep(0.1)
    results = await asyncio.gather(
        *(made.complete(REQUEST, budget=budget(2)) for _ in range(6)), return_exceptions=True
    )
    assert all(isinstance(r, ProviderTimeout) and "no free place" in str(r) for r in results)
    assert (await long).completion.text == "yes"
    assert (await made.complete(REQUEST, budget=budget())).completion.text == "yes"


async def test_events_tell_what_happened_without_any_text() -> None:
    events: list[tuple[str, Mapping[str, Any]]] = []
    first, second = ScriptedLLM([Unavailable("500"), AuthError("no")]), ScriptedLLM(["yes"])
    await completer(two(), first, second).complete(
        REQUEST, budget=budget(), on_event=lambda name, attributes: events.append((name, attributes))
    )
    assert [name for name, _ in events] == ["model.call", "model.retry", "model.call", "model.fallback", "model.call"]
    assert [a["outcome"] for n, a in events if n == "model.call"] == ["Unavailable", "AuthError", "ok"]
    assert "red shoes" not in repr(events)


async def test_a_provider_that_breaks_its_contract_is_an_error_of_qx() -> None:
    def buggy(request: CompletionRequest) -> Exception:
        return KeyError("choices")

    with pytest.raises(BadResponse, match="KeyError"):
        await completer(settings(), ScriptedLLM(buggy)).complete(REQUEST, budget=budget())


async def test_a_withheld_answer_goes_to_the_fallback() -> None:
    first, second = ScriptedLLM([Answer(text="", finish="filter")]), ScriptedLLM(["yes"])
    answered = await completer(two(), first, second).complete(REQUEST, budget=budget())
    assert answered.endpoint == "scripted spare"


CANARY = "sk-canary-7d1f9e"


class Leaky(Exception):
    """A client's exception that holds the request, as many do."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        super().__init__(f"request failed: {headers}")
        self.headers = headers


def leaking(kind: type[ProviderError]) -> ScriptedLLM:
    def fail(request: CompletionRequest) -> Exception:
        try:
            raise Leaky({"Authorization": f"Bearer {CANARY}"})
        except Leaky as cause:
            try:
                raise kind(f"key {CANARY} is wrong", plugin=CANARY) from cause
            except kind as error:
                return error

    return ScriptedLLM(fail)


def everything(error: BaseException | None) -> str:
    """Every text that hangs on an exception, attributes of the chain included."""
    text = ""
    while error is not None:
        text += "".join(traceback.format_exception(error)) + repr(error) + repr(vars(error)) + repr(error.args)
        error = error.__cause__ or error.__context__
    return text


@pytest.mark.parametrize("kind", [AuthError, Unavailable, BadResponse])
@pytest.mark.parametrize("number", [1, 2])
async def test_no_key_is_in_any_message_event_log_or_chain(
    kind: type[ProviderError], number: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    block = {"provider": "scripted", "model": "m", "api_key": CANARY, "options": {"headers": {"x-api-key": CANARY}}}
    llm = LLM.model_validate(block | {"retries": 1, "fallbacks": [block] * (number - 1)})
    events: list[Any] = []
    made = completer(llm, *(leaking(kind) for _ in range(number)))
    with pytest.raises(ProviderError) as caught:
        await made.complete(REQUEST, budget=budget(), on_event=lambda n, a: events.append((n, a)))
    shown = everything(caught.value)
    assert "is wrong" in shown
    assert CANARY not in shown
    assert CANARY not in repr(events) + caplog.text + repr(made) + repr(made.endpoints) + repr(llm.api_key)


async def test_a_secret_only_in_the_options_is_known_too() -> None:
    llm = settings(options={"headers": {"Authorization": f"Bearer {CANARY}"}})
    model = ScriptedLLM([BadRequest(f"bad header {CANARY}")])
    with pytest.raises(BadRequest) as caught:
        await completer(llm, model).complete(REQUEST, budget=budget())
    assert CANARY not in everything(caught.value)


async def test_closing_closes_every_provider_even_if_one_fails() -> None:
    class Stubborn(ScriptedLLM):
        async def aclose(self) -> None:
            await super().aclose()
            raise QxError("no")

    first, second = Stubborn(), Stubborn()
    with pytest.raises(QxError):
        await completer(two(), first, second).aclose()
    assert first.closed
    assert second.closed


def test_an_endpoints_name_shows_no_password() -> None:
    endpoint = Endpoint(provider="openai", model="m", api_base="https://u:pw@h.example:8443/v1?code=1#x")
    assert endpoint_name(endpoint) == "openai m at https://h.example:8443/v1"
