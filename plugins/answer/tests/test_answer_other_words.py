"""Other words for a question: a search of its own, counted, and switched off by a setting; events in the order of queries."""

from __future__ import annotations

from contextlib import aclosing

import pytest

from qx.backend import Document
from qx.testing import Listing, ScriptedBackend
from qx_answer.events import Data, Warning
from qx_answer.telling import told

HENS = Document(id="rule", title="Rules", text="Hens may be kept.")
QUESTION = "Am I allowed to keep chickens?"
ASKED = {"question": QUESTION, "budget": {"rounds": 1}}


def backend() -> ScriptedBackend:
    return ScriptedBackend(lambda request: [HENS] if "hen" in request.text.split() else [])


@pytest.mark.parametrize(
    ("settings", "searches", "found"), [({}, 2, 1), ({"other_words": True}, 2, 1), ({"other_words": False}, 1, 0)]
)
async def test_each_is_a_search_that_is_counted_and_can_be_switched_off(opened, settings, searches: int, found: int):
    engine_backend = backend()
    async with opened(engine_backend, answer={"read": settings}) as engine:
        done = await engine.result("answer", ASKED)
    assert done.budget.searches.used == searches
    asked = {request.text for request in engine_backend.requests}
    assert any("hen" in text.split() for text in asked) is (searches == 2)
    assert len(done.claims) == found


async def test_where_no_search_is_left_other_words_are_not_asked(opened):
    async with opened(backend()) as engine:
        done = await engine.result("answer", {"question": QUESTION, "budget": {"rounds": 1, "searches": 1}})
    assert (done.budget.searches.used, done.claims) == (1, ())


@pytest.mark.virtual_time
@pytest.mark.parametrize("late", ["jacket", "Zephyr"])
async def test_hits_are_told_in_the_order_of_the_queries_whichever_came_first(opened, late: str):
    question = "How long do I have to return a jacket, and what is the Zephyr-9?"
    slow = ScriptedBackend(lambda request: Listing(delay=2.0 if late in request.text else 0.1))
    async with (
        opened(slow) as engine,
        aclosing(engine.call("answer", {"question": question, "budget": {"rounds": 1}})) as events,
    ):
        queries = [event.query async for event in events if isinstance(event, Data) and event.kind == "hits"]
    assert ["jacket" in query for query in queries] == [True, False]


def test_a_page_that_was_not_read_and_a_failed_search_are_told():
    assert told(Warning(kind="page", text="Returns: gone", about="Returns")) == "page not read: Returns"
    assert told(Warning(kind="search failed", text="down", about="鸡")) == "search failed: 鸡"
    assert told(Warning(kind="late", text="no answer in time to: x")) == "late: no answer in time to: x"
