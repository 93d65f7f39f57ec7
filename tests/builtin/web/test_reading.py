"""Reading answers that are too big, or of which one value is bad: neither costs the list."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest

from qx.builtin.published import published
from qx.builtin.web.reading import Page, Reader
from qx.builtin.web.settings import Response
from qx.errors import BadResponse
from qx.http import Reply

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RESPONSE = Response(hits="hits", published="date", total="count", metadata="x")


def hit(number: int, **more: Any) -> dict[str, Any]:
    return {"url": f"https://e.org/{number}", "title": f"red {number}", **more}


def page(answer: Any, most: int | None = None, response: Response = RESPONSE) -> Page:
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    return Reader(response, where="backend w").page(Reply(status=200, headers={}, body=body), NOW, most)


def test_of_a_big_answer_no_more_is_read_than_is_wanted() -> None:
    broken = "\\ud800"
    many = ",".join(f'{{"url": "https://e.org/{n}", "title": "a {broken}"}}' for n in range(100_000))
    body = f'{{"count": 100000, "hits": [{many}]}}'.encode()
    began = time.process_time()
    found = page(body, 30)
    took = time.process_time() - began
    began = time.process_time()
    json.loads(body)
    assert took < 4 * (time.process_time() - began) + 0.2
    assert len(found.rows) == 30
    assert found.total == 100_000
    assert found.rows[0] is not None
    assert found.rows[0].title == "a ?"


@pytest.mark.parametrize("count", [10**400, -(10**400), 10**30, 1e300, "9" * 400, "many", True, None, [1], {"a": 1}])
def test_a_bad_total_is_none(count: Any) -> None:
    found = page({"count": count, "hits": [hit(1)]})
    assert (found.total, len(found.rows)) == (None, 1)


def test_a_total_that_the_expression_does_not_fit_is_none() -> None:
    found = page({"count": "x", "hits": [hit(1)]}, response=Response(hits="hits", total="abs(count)"))
    assert (found.total, len(found.rows)) == (None, 1)


@pytest.mark.parametrize(
    "date",
    [
        10**400, -(10**400), 1e300, True, [], {}, "nan", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
        "9999-12-31", "in 99999999999 days", "Mon, 32 Foo 2021", "9" * 50,
    ],
)  # fmt: skip
def test_a_bad_date_is_none(date: Any) -> None:
    found = page({"hits": [hit(1, date=date), hit(2, date="2024-05-03")]})
    assert [row.published if row else row for row in found.rows] == [None, datetime(2024, 5, 3, tzinfo=UTC)]
    assert published({"date": date}, now=NOW, zone=UTC) is None


def test_a_number_of_thousands_of_digits_costs_itself_alone() -> None:
    body = f'{{"hits": [{{"url": "https://e.org/1", "x": {{"n": {"9" * 5000}, "m": 7}}}}]}}'.encode()
    found = page(body)
    assert found.rows[0] is not None
    assert dict(found.rows[0].metadata) == {"n": None, "m": 7}


def test_a_hit_that_an_expression_does_not_fit_costs_itself_alone() -> None:
    response = Response(hits="hits", title="join(' ', names)")
    found = page({"hits": [hit(1, names=["a", "b"]), hit(2, names=5), hit(3, names=[])]}, response=response)
    assert [row.title if row else None for row in found.rows] == ["a b", None, ""]
    with pytest.raises(BadResponse, match=r"response\.title"):
        page({"hits": [hit(1, names=5)]}, response=response)
