"""Calls a profile's embedder within the request's budget: breaker, limit on concurrency, retry."""

from __future__ import annotations

from dataclasses import replace

from qx.budget import Budget, Cost
from qx.clock import Clock
from qx.embedder import Embedder, Embeddings, EmbedRequest
from qx.gate import Gate, retried

CONCURRENCY = 32
RETRIES = 2


class Embedding:
    """The embedder of one engine.

    Args:
        embedder: Has no retry of its own.
        clock: Measures every wait.
    """

    def __init__(self, embedder: Embedder, clock: Clock) -> None:
        self._embedder = embedder
        self._clock = clock
        self._gate = Gate(f"embedder {embedder.fingerprint}", clock, concurrency=CONCURRENCY)

    @property
    def fingerprint(self) -> str:
        """What tells vectors of one embedder from another's."""
        return self._embedder.fingerprint

    async def shape(self, budget: Budget) -> tuple[str, int]:
        """The fingerprint and the length of a vector; asks the embedder once where it does not know its length."""
        if not self._embedder.dimensions:
            await self.embed(EmbedRequest(texts=("length",)), budget=budget)
        return self._embedder.fingerprint, self._embedder.dimensions

    async def embed(self, request: EmbedRequest, *, budget: Budget) -> Embeddings:
        """Embed the texts of ``request``.

        Raises:
            BudgetExceeded: nothing is left for a call.
            ProviderError: the embedder failed.
        """

        async def attempt(number: int) -> Embeddings:
            lease = await budget.reserve(Cost(calls=1))
            embeddings = await self._gate.run(
                lambda seconds: self._embedder.embed(replace(request, timeout=seconds)),
                timeout=request.timeout,
                within=budget.remaining().seconds,
            )
            lease.settle(Cost(calls=1, tokens=embeddings.usage.input_tokens, money=embeddings.usage.cost))
            return embeddings

        return await retried(
            attempt,
            clock=self._clock,
            retries=RETRIES,
            remaining=lambda: budget.remaining().seconds,
            alternative=False,
            on_wait=lambda pause, error: None,
        )
