# ruff: noqa: S101 - tests, though they lie in the package
"""The contract of an observer, as tests."""

from __future__ import annotations

import inspect
import time
from collections.abc import Mapping
from typing import Any

import pytest

from qx.observer import Event, Observer
from qx.serial import EMPTY
from qx.testing.conformance.processor import check_factory


def _event(n: int, name: str, attributes: Mapping[str, Any], content: Mapping[str, Any] = EMPTY) -> Event:
    at = 1_790_000_000.0 + n
    return Event(name=name, tenant="test", trace=f"t{n % 3}", at=at, attributes=attributes, content=content)


EVENTS = (
    _event(0, "step.end", {"step": "expand", "milliseconds": 1.5}),
    _event(1, "model.call", {"model": "m", "cost": None}, {"prompt": "打印机 \ud800"}),
    _event(2, "degraded", {"step": "understand", "rung": "rules"}, {"reason": "no answer"}),
    _event(3, "an.event.of.tomorrow", {"nested": {"list": [1, "two"]}}),
)
"""Events as an engine sends them, one of a name that nobody knows yet."""


class ObserverConformance:
    """Subclass it, and override the fixture ``observer``.  Needs ``asyncio_mode = "auto"``."""

    @pytest.fixture
    def observer(self) -> Observer:
        raise NotImplementedError("override the fixture `observer`")

    def test_it_has_the_shape_of_the_contract(self, observer: Observer) -> None:
        assert isinstance(observer, Observer)
        check_factory(type(observer))
        assert not inspect.iscoroutinefunction(observer.on_event), "it is told, and not waited for"
        assert observer.wants_content in (True, False)

    async def test_no_event_breaks_it(self, observer: Observer) -> None:
        for event in EVENTS:
            assert observer.on_event(event) is None

    async def test_it_does_not_block(self, observer: Observer) -> None:
        began = time.perf_counter()
        for _ in range(250):
            for event in EVENTS:
                observer.on_event(event)
        assert time.perf_counter() - began < 2.0, (
            "a thousand events take two seconds: hand them to a thread of your own"
        )

    async def test_closing_twice_is_harmless(self, observer: Observer) -> None:
        observer.on_event(EVENTS[0])
        await observer.aclose()
        await observer.aclose()
