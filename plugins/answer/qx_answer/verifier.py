"""The verifier: is the source one that was shown, is the quote in it, and does the statement follow?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from qx.serial import value
from qx_answer.claims import CheckedClaim, Claim, RefusedClaim, Source, VerifiedClaim


@value
class Pair:
    """A statement and the passage that is to support it.

    Attributes:
        passage: The quote as the source has it.
    """

    statement: str
    passage: str


@value
class Judgement:
    """What a judge says of a pair.

    Attributes:
        label: ``follows``, ``not-said``, ``contradicts``; None where the judge could not say.
        why: The reason, for people.
    """

    label: str | None
    why: str = ""


class Judge(Protocol):
    """Says whether statements follow from passages."""

    @property
    def name(self) -> str:
        """What the verdicts name it by: ``model``, ``cross-encoder``."""
        ...

    async def judge(self, pairs: Sequence[Pair], /) -> Sequence[Judgement]:
        """Return a judgement for each pair, in order.

        Raises:
            QxError: it cannot judge at all.
        """
        ...


@value
class Verification:
    """What became of the claims.

    Attributes:
        claims: Each claim that was given, in order.
        judge: Who judged; ``off`` where nobody did.
        degraded: Why some were not judged, where a judge failed.
    """

    claims: tuple[CheckedClaim, ...]
    judge: str
    degraded: tuple[str, ...] = ()

    @property
    def verified(self) -> tuple[VerifiedClaim, ...]:
        """Those that may stand in an answer."""
        return tuple(c for c in self.claims if isinstance(c, VerifiedClaim))

    @property
    def refused(self) -> tuple[RefusedClaim, ...]:
        """Those that go back to the writer once, then out."""
        return tuple(c for c in self.claims if isinstance(c, RefusedClaim))


async def verify(claims: Sequence[Claim], sources: Sequence[Source], judge: Judge | None = None) -> Verification:
    """Check every claim against the sources that were shown.

    Args:
        judge: Who says whether a statement follows; None: nobody does, and accepted claims are ``quote-only``.

    Returns:
        A checked claim for each one given.  What a judge fails at is ``quote-only``, never silently verified.
    """
    raise NotImplementedError
