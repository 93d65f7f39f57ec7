import pytest

from qx.calls.breaker import LONGEST_HOLD, Breaker
from qx.errors import BadRequest, ProviderTimeout, RateLimited, Unavailable


class Time:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def fail(breaker: Breaker, error: Exception, *, fair: bool = True) -> None:
    with pytest.raises(type(error)), breaker.guard(fair=lambda: fair):
        raise error


def refused(breaker: Breaker) -> bool:
    try:
        with breaker.guard():
            return False
    except Unavailable as error:
        return not error.retryable


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def breaker(time: Time) -> Breaker:
    return Breaker("openai m", time, failures=3, recovery=30)


def test_it_opens_after_failures_in_a_row_and_says_how_long(breaker: Breaker) -> None:
    for _ in range(2):
        fail(breaker, Unavailable("500"))
    with breaker.guard():
        pass  # a success starts the count anew
    for _ in range(3):
        assert breaker.state == "closed"
        fail(breaker, Unavailable("500"))
    assert breaker.state == "open"
    with pytest.raises(Unavailable, match="openai m is left alone for 30 s"), breaker.guard():
        pass


def test_one_call_tries_when_it_is_half_open(breaker: Breaker, time: Time) -> None:
    for _ in range(3):
        fail(breaker, Unavailable("500"))
    time.now += 31
    assert breaker.state == "half-open"
    with breaker.guard():
        assert refused(breaker)  # while the first tries, no second may
    assert breaker.state == "closed"


def test_a_failed_trial_opens_it_again(breaker: Breaker, time: Time) -> None:
    for _ in range(3):
        fail(breaker, Unavailable("500"))
    time.now += 31
    fail(breaker, Unavailable("still down"))
    assert breaker.state == "open"
    assert refused(breaker)
    time.now += 31
    assert not refused(breaker)


def test_a_cancelled_trial_leaves_room_for_the_next(breaker: Breaker, time: Time) -> None:
    for _ in range(3):
        fail(breaker, Unavailable("500"))
    time.now += 31
    with pytest.raises(KeyboardInterrupt), breaker.guard():
        raise KeyboardInterrupt
    assert not refused(breaker)


def test_a_timeout_counts_only_if_the_call_had_time(breaker: Breaker) -> None:
    for _ in range(5):
        fail(breaker, ProviderTimeout("slow"), fair=False)
    assert breaker.state == "closed"
    for _ in range(3):
        fail(breaker, ProviderTimeout("slow"), fair=True)
    assert breaker.state == "open"


def test_a_refused_request_shows_that_the_endpoint_works(breaker: Breaker) -> None:
    fail(breaker, Unavailable("500"))
    fail(breaker, Unavailable("500"))
    fail(breaker, BadRequest("too long"))
    fail(breaker, Unavailable("500"))
    assert breaker.state == "closed"


def test_a_pause_that_was_asked_for_holds_for_every_call(breaker: Breaker, time: Time) -> None:
    fail(breaker, RateLimited("429", retry_after=5))
    with pytest.raises(RateLimited) as caught, breaker.guard():
        pass
    assert caught.value.retry_after == 5
    time.now += 5
    assert not refused(breaker)


def test_no_pause_holds_for_ever(breaker: Breaker, time: Time) -> None:
    fail(breaker, RateLimited("429", retry_after=86400))
    time.now += LONGEST_HOLD
    assert not refused(breaker)
