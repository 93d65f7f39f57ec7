"""A context without an engine, and the built-in strategies by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from qx.budget import Cost
from qx.builtin import qx_steps
from qx.domain import Knowledge
from qx.embedder import Embeddings, EmbedRequest
from qx.llm import Completion, CompletionRequest
from qx.types import Usage

NOW = datetime(2026, 6, 15, 2, 0, tzinfo=UTC)


class FakeContext:
    """What strategies and ``fit`` use of a context; ``answer`` makes the model's answer out of the request."""

    def __init__(
        self,
        knowledge: Knowledge,
        *,
        answer: Callable[[CompletionRequest], str] | None = None,
        vectors: Callable[[EmbedRequest], tuple[bytes, ...]] | None = None,
    ) -> None:
        self.knowledge = knowledge
        self.has_model = answer is not None
        self.clock = SimpleNamespace(now=lambda: NOW)
        self.budget = SimpleNamespace(remaining=Cost)
        self.degraded: list[tuple[str, str, str]] = []
        self.requests: list[CompletionRequest] = []
        self._answer = answer
        self._vectors = vectors

    def degrade(self, step: str, rung: str, reason: str) -> None:
        self.degraded.append((step, rung, reason))

    async def complete(self, request: CompletionRequest, /, *, tier: str | None = None) -> Completion:
        assert self._answer is not None
        self.requests.append(request)
        return Completion(text=self._answer(request), usage=Usage(calls=1), model="fake")

    async def embed(self, request: EmbedRequest, /) -> Embeddings:
        assert self._vectors is not None
        return Embeddings(vectors=self._vectors(request), usage=Usage(calls=1))


@pytest.fixture
def make_context(knowledge: Knowledge) -> Callable[..., FakeContext]:
    return lambda **options: FakeContext(knowledge, **options)


@pytest.fixture(scope="session")
def strategies() -> Callable[[Iterable[str]], dict[str, Any]]:
    return _strategies


def _strategies(names: Iterable[str]) -> dict[str, Any]:
    """The built-in strategies of these names, in their order."""
    targets = {c.name: c.target for c in qx_steps()}
    made: dict[str, Any] = {}
    for name in names:
        module, _, attribute = targets[name].partition(":")
        made[name] = getattr(import_module(module), attribute)()
    return made
