import pytest

from qx.budget import Cost, RequestBudget
from qx.clock import SystemClock
from qx.embedder import Embeddings, EmbedRequest
from qx.embedding import Embedding
from qx.errors import AuthError, BudgetExceeded, ProviderTimeout, Unavailable
from qx.testing import FakeEmbedder
from qx.types import Usage

pytestmark = pytest.mark.virtual_time
REQUEST = EmbedRequest(texts=("苹果", "apple"))


class Failing:
    """Fails as often as it is told to, then embeds."""

    fingerprint = "failing"
    dimensions = 1

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    async def embed(self, request: EmbedRequest, /) -> Embeddings:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return Embeddings(vectors=(b"\0\0\0\0",) * len(request.texts), usage=Usage(calls=1, input_tokens=4))

    async def aclose(self) -> None:
        """Nothing to close."""


def budget(**limits: float) -> RequestBudget:
    return RequestBudget(Cost(**limits), SystemClock().monotonic)  # type: ignore[arg-type]


async def test_vectors_come_back_and_are_paid_for():
    spent = budget(calls=2, tokens=100)
    embeddings = await Embedding(FakeEmbedder(), SystemClock()).embed(REQUEST, budget=spent)
    assert len(embeddings.vectors) == 2
    assert spent.remaining().calls == 1


async def test_what_may_pass_is_tried_again_what_may_not_is_not():
    passing = Failing(Unavailable("down"), Unavailable("down"))
    await Embedding(passing, SystemClock()).embed(REQUEST, budget=budget(seconds=30))
    assert passing.calls == 3
    wrong = Failing(AuthError("wrong key"))
    with pytest.raises(AuthError):
        await Embedding(wrong, SystemClock()).embed(REQUEST, budget=budget(seconds=30))
    assert wrong.calls == 1


async def test_a_hanging_embedder_ends_with_the_budget():
    clock = SystemClock()

    class Hanging(Failing):
        async def embed(self, request: EmbedRequest, /) -> Embeddings:
            await clock.sleep(3600)
            raise NotImplementedError

    began = clock.monotonic()
    with pytest.raises((ProviderTimeout, BudgetExceeded)):
        await Embedding(Hanging(), clock).embed(REQUEST, budget=budget(seconds=2))
    assert clock.monotonic() - began <= 2.01
