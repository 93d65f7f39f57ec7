"""Calls a profile's embedder within the request's budget: breaker, limit on concurrency, retry, cache."""

from __future__ import annotations

import asyncio
import hashlib
import math
import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from qx.budget import Budget, Cost
from qx.cache import Cache, Key
from qx.calls.course import Courses
from qx.calls.gate import Gate
from qx.calls.retrying import Retry
from qx.clock import Clock
from qx.embedder import Embedder, Embeddings, EmbedRequest
from qx.errors import BadResponse, BudgetExceeded, DayBudgetSpent, QxError
from qx.failures import UNBILLED, cleaned, guarded
from qx.serial import to_plain
from qx.spending.account import Account
from qx.text.tokens import estimate
from qx.types import Usage

CONCURRENCY = 32
RETRIES = 2
Kind = Literal["query", "document"]


@dataclass(frozen=True, slots=True)
class VectorCache:
    """Vectors by tenant, embedder, kind and text, as float32 little endian; ``ttl`` in seconds."""

    cache: Cache
    tenant: str
    ttl: float

    async def known(self, fingerprint: str, kind: Kind, texts: Sequence[str]) -> dict[str, bytes]:
        """Return the vectors that are there and whole."""
        found = await asyncio.gather(*(self.cache.get(self._key(fingerprint, kind, text)) for text in texts))
        return {text: data for text, data in zip(texts, found, strict=True) if data is not None and _whole(data)}

    async def keep(self, fingerprint: str, kind: Kind, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors that were made."""
        for text, vector in vectors.items():
            if _whole(vector):
                await self.cache.set(self._key(fingerprint, kind, text), vector, ttl=self.ttl)

    def _key(self, fingerprint: str, kind: Kind, text: str) -> Key:
        digest = hashlib.sha256()
        for part in (fingerprint, kind, text):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big") + data)  # with its length: no part can pass for another's end
        return Key(tenant=self.tenant, kind="embedding", digest=digest.hexdigest())


class Embedding:
    """The embedder of one engine.

    Args:
        embedder: Has no retry of its own.
        clock: Measures every wait.
        cache: Where vectors are looked up first; None: every text is embedded.
        account: The tenant's: the budget of its day, and its ledger; None: there is neither.
        courses: Where a recording keeps what became of each attempt; None: nothing is recorded.
        redact: Takes known secrets out of the text of errors.
    """

    def __init__(
        self,
        embedder: Embedder,
        clock: Clock,
        cache: VectorCache | None = None,
        *,
        account: Account | None = None,
        courses: Courses | None = None,
        redact: Callable[[str], str] = lambda text: text,
    ) -> None:
        self._embedder = embedder
        self._account = account
        self._courses = courses
        self._clock = clock
        self._cache = cache
        self._redact = redact
        self._gate = Gate(f"embedder {embedder.fingerprint}", clock, concurrency=CONCURRENCY)

    @property
    def fingerprint(self) -> str:
        """What tells vectors of one embedder from another's."""
        return self._embedder.fingerprint

    async def shape(self, budget: Budget) -> tuple[str, int]:
        """The fingerprint and the length of a vector; asks the embedder once where it does not know its length."""
        if self._embedder.dimensions:
            return self._embedder.fingerprint, self._embedder.dimensions
        found = await self.embed(EmbedRequest(texts=("length",)), budget=budget)
        return self._embedder.fingerprint, len(found.vectors[0]) // 4

    async def embed(self, request: EmbedRequest, *, budget: Budget) -> Embeddings:
        """Embed the texts of ``request``: only those, each once, whose vectors are not in the cache.

        ``usage.cached`` counts the texts that were found there.

        Raises:
            BudgetExceeded: nothing is left for a call.
            ProviderError: the embedder failed.
        """
        if self._cache is None or not request.texts:
            return await self._embed(request, budget)
        fingerprint = self._embedder.fingerprint
        texts = tuple(dict.fromkeys(request.texts))
        known = self._fitting(await self._cache.known(fingerprint, request.kind, texts))
        usage = Usage()
        missing = tuple(text for text in texts if text not in known)
        if missing:
            made = await self._embed(replace(request, texts=missing), budget)
            if len(made.vectors) != len(missing):
                raise BadResponse(f"embedder {fingerprint} gave {len(made.vectors)} vectors for {len(missing)} texts")
            new = dict(zip(missing, made.vectors, strict=True))
            await self._cache.keep(fingerprint, request.kind, new)
            usage = made.usage
            kept = self._fitting(known)  # an embedder may learn its vectors' length by its first answer
            if len(kept) < len(known):
                stale = tuple(text for text in known if text not in kept)
                again = await self._embed(replace(request, texts=stale), budget)
                new |= dict(zip(stale, again.vectors, strict=True))
                usage += again.usage
            known = kept | new
        cached = len(texts) - len(missing)
        return Embeddings(vectors=tuple(known[text] for text in request.texts), usage=replace(usage, cached=cached))

    def _fitting(self, known: dict[str, bytes]) -> dict[str, bytes]:
        """Return the vectors of the embedder's length; where it does not know that, none unless all agree."""
        dimensions = self._embedder.dimensions
        if dimensions:
            return {text: vector for text, vector in known.items() if len(vector) == 4 * dimensions}
        return known if len({len(vector) for vector in known.values()}) < 2 else {}

    async def _embed(self, request: EmbedRequest, budget: Budget) -> Embeddings:
        course = None
        if self._courses is not None:
            course = self._courses.begin(self._gate.name, to_plain(replace(request, timeout=0.0)))

        async def attempt(number: int) -> Embeddings:
            lease = await budget.reserve(Cost(calls=1))
            charge = None
            try:
                if self._account is not None:
                    sent = sum(map(estimate, request.texts))
                    charge = await self._account.begin(Cost(calls=1, tokens=sent))
                embeddings = await self._gate.run(
                    lambda seconds: guarded(self._gate.name, self._embedder.embed(replace(request, timeout=seconds))),
                    timeout=request.timeout,
                    within=budget.remaining().seconds,
                    course=course,
                )
            except (*UNBILLED, BudgetExceeded, DayBudgetSpent):
                lease.settle(Cost(calls=0, tokens=0, money=0.0))
                if charge is not None:
                    await charge.release()
                raise
            lease.settle(Cost(calls=1, tokens=embeddings.usage.input_tokens, money=embeddings.usage.cost))
            if charge is not None:
                spent = replace(embeddings.usage, calls=max(1, embeddings.usage.calls))
                await charge.settle(spent, self._embedder.fingerprint)
            return embeddings

        failure: QxError
        try:
            retry = Retry(self._clock, RETRIES, lambda: budget.remaining().seconds, course=course)
            return await retry.run(attempt)
        except QxError as error:
            failure = cleaned(error, self._redact)
        raise failure


def _whole(data: bytes) -> bool:
    """Return whether ``data`` is a vector: float32 numbers, all of them finite."""
    if not data or len(data) % 4:
        return False
    numbers = array("f")
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return all(map(math.isfinite, numbers))
