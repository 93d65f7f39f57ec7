"""What was spent adds up, and money of two currencies never does."""

from hypothesis import given, settings
from hypothesis import strategies as st

from qx.serial import from_json, to_json
from qx.types import Usage

CENTS = st.integers(0, 10_000).map(lambda n: n / 4)  # sums of quarters are exact
USAGES = st.builds(
    Usage,
    calls=st.integers(0, 9),
    cost=st.none() | CENTS,
    currency=st.sampled_from(["USD", "CNY", "EUR"]),
)


def money(*used: Usage) -> dict[str, float]:
    total: dict[str, float] = {}
    for one in used:
        for currency, amount in ((one.currency, one.cost), *one.other_costs.items()):
            if amount is not None:
                total[currency] = total.get(currency, 0) + amount
    return total


def test_money_of_two_currencies_stands_side_by_side():
    total = Usage(cost=1, currency="USD") + Usage(cost=7, currency="CNY")
    assert (total.cost, total.currency, dict(total.other_costs)) == (1, "USD", {"CNY": 7})
    assert from_json(Usage, to_json(total)) == total


def test_a_call_without_a_price_changes_no_currency():
    total = Usage(calls=1) + Usage(calls=1, cost=7, currency="CNY")
    assert (total.cost, total.currency, dict(total.other_costs)) == (7, "CNY", {})
    assert (Usage() + Usage()).cost is None


@settings(max_examples=100, deadline=None)
@given(USAGES, USAGES, USAGES)
def test_nothing_is_lost_in_any_order(a: Usage, b: Usage, c: Usage):
    assert money(a + b + c) == money(a, b, c) == money(c + (b + a)) == money((c + a) + b)
    assert (a + b + c).calls == a.calls + b.calls + c.calls
