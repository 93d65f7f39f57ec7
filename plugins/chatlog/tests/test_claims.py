"""Claims are checked: the message was read, the quotation is in it, and it says as much."""

from typing import Any

import pytest

from qx_chatlog.asking.claims import Draft, verified
from qx_chatlog.message import Message


def _of(*messages: Message) -> dict[str, Message]:
    return {one.id: one for one in messages}


@pytest.fixture
def read() -> dict[str, Message]:
    from datetime import UTC, datetime

    def one(id: str, content: str) -> Message:
        time = datetime(2026, 11, 20, 12, tzinfo=UTC)
        return Message(id=id, tenant="t", user="ann", session="s", role="user", time=time, content=content)

    return _of(
        one("a", "预算最多给你 20 万，不能再加了"),
        one("b", "I may join the trip, not sure yet"),
        one("c", "The hotel must be booked before November"),
        one("d", "我不去聚餐了"),
        one("e", "年会可能在三亚办"),
    )


@pytest.mark.parametrize(
    ("statement", "message", "quote", "verdict"),
    [
        ("预算最多 20 万", "a", "预算最多给你 20 万", "supported"),
        ("11月20日说预算最多 20 万", "a", "预算最多给你 20 万", "supported"),
        ("预算最多 25 万", "a", "预算最多给你 20 万", "unsupported"),
        ("预算最多 20 万", "a", "预算最多给你 25 万", "quote-not-found"),
        ("预算最多 20 万", "zz", "没有这句话", "unknown-message"),
        ("She may join", "b", "I may join the trip", "supported"),
        ("She joins the trip", "b", "I may join the trip", "overstated"),
        ("She will definitely join the trip", "b", "I may join the trip", "overstated"),
        ("The hotel must be booked", "c", "The hotel must be booked", "supported"),
        ("年会一定在三亚", "e", "年会可能在三亚办", "overstated"),
        ("年会在三亚", "e", "年会可能在三亚办", "overstated"),
        ("年会也许在三亚", "e", "年会可能在三亚办", "supported"),
        ("有人说了什么", "a", "", "quote-not-found"),
        ("有人说了什么", "a", "，", "quote-not-found"),
    ],
)
def test_verdicts(read: Any, statement: str, message: str, quote: str, verdict: str):
    (claim,) = verified([Draft(statement=statement, message_id=message, quote=quote)], read)
    assert claim.verdict == verdict
    if claim.start is not None:
        assert read[claim.message_id].content[claim.start : claim.end] == claim.quote


def test_a_quotation_of_another_message_that_was_read_is_cited_from_there(read: Any):
    (claim,) = verified([Draft(statement="she may join", message_id="a", quote="I may join the trip")], read)
    assert (claim.message_id, claim.verdict) == ("b", "supported")
