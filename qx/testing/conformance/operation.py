# ruff: noqa: S101 - tests, though they lie in the package
"""The contracts of an operation and of a section of profiles, as tests."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from typing import Any

import pytest
from pydantic import BaseModel

from qx.engine import Engine
from qx.errors import UsageError
from qx.operation import Principal
from qx.operations.declared import declared
from qx.operations.running import checked_request


class OperationConformance:
    """Subclass it, and override the fixture ``operation``, a class; and, so that it is run, ``engine`` and ``requests``.

    Needs ``asyncio_mode = "auto"``.
    """

    principal: Principal | None = None
    """Who asks; None: nobody in particular."""

    requests: Sequence[Mapping[str, Any]] = ()
    """Requests that it answers on ``engine``."""

    @pytest.fixture
    def operation(self) -> Any:
        raise NotImplementedError("override the fixture `operation`")

    @pytest.fixture
    def engine(self) -> Engine | None:
        """An engine in which the operation is ``name``; None: it is not run."""
        return None

    name = ""
    """The operation's name in that engine."""

    def test_it_declares_what_it_takes_and_gives(self, operation: Any) -> None:
        found = declared("operation", operation)
        assert found.request.model_config.get("extra") == "forbid", "unknown fields must be errors: subclass Model"
        tool = found.tool()
        assert tool.description
        assert tool.parameters["type"] == "object"
        for model in (found.result, *found.events.values()):
            model.model_json_schema(mode="serialization")

    def test_a_field_that_it_does_not_have_is_refused(self, operation: Any) -> None:
        with pytest.raises(UsageError):
            checked_request(declared("operation", operation), {"no_such_field_at_all": 1})

    def test_making_one_costs_nothing(self, operation: Any) -> None:
        assert operation() is not operation(), "it holds nothing of a request: one is made for each call"

    async def test_it_ends_with_its_result(self, operation: Any, engine: Engine | None) -> None:
        for request in self._runnable(engine):
            assert engine is not None
            result = await engine.result(self.name, request, principal=self.principal)
            assert isinstance(result, operation.Result)
            assert isinstance(result, BaseModel)
            result.model_dump_json()

    async def test_leaving_it_leaves_nothing_behind(self, operation: Any, engine: Engine | None) -> None:
        for request in self._runnable(engine):
            assert engine is not None
            before = asyncio.all_tasks()
            async with aclosing(engine.call(self.name, request, principal=self.principal)) as events:
                async for _ in events:
                    break
            await asyncio.sleep(0)
            left = {task for task in asyncio.all_tasks() - before if not task.done()}
            assert not left, f"tasks are left behind: {left}"

    def _runnable(self, engine: Engine | None) -> Sequence[Mapping[str, Any]]:
        if engine is None or not self.requests:
            pytest.skip("give `engine`, `name` and `requests` to run it")
        return self.requests


class SectionConformance:
    """Subclass it, and override the fixture ``section``, a class."""

    @pytest.fixture
    def section(self) -> Any:
        raise NotImplementedError("override the fixture `section`")

    def test_its_settings_know_their_keys(self, section: Any) -> None:
        model = getattr(section, "Settings", None)
        assert isinstance(model, type), "a section has `Settings`, a pydantic model"
        assert issubclass(model, BaseModel), "a section has `Settings`, a pydantic model"
        assert model.model_config.get("extra") == "forbid", "unknown settings must be errors: subclass qx.model.Model"
        model.model_json_schema()

    def test_what_opens_it_is_a_factory(self, section: Any) -> None:
        if hasattr(section, "create"):
            assert inspect.iscoroutinefunction(section.create), "`create` is an async classmethod"
            assert hasattr(section, "aclose"), "what is opened is closed with the engine: `aclose`"
