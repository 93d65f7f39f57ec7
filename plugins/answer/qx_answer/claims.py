"""Sources, claims about them, and what became of each claim.

``Claim`` is what a writer says.  ``VerifiedClaim`` and ``RefusedClaim`` are what the verifier makes of it, and nobody else
can make them; an ``Answer`` takes ``VerifiedClaim`` alone, so that a sentence without a checked quotation is an error of
the type check and of the run alike.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, final

from qx.errors import UsageError
from qx.serial import value

Verdict: TypeAlias = Literal["verified", "quote-only", "unsupported", "contradicted"]
"""``verified``: the quote is in the source and the statement follows from it; ``quote-only``: the quote is in the source,
and nobody judged whether the statement follows; ``unsupported``: there is no such source or quote, or the statement does
not follow; ``contradicted``: the quote says the opposite."""

Accepted: TypeAlias = Literal["verified", "quote-only"]
Refused: TypeAlias = Literal["unsupported", "contradicted"]


@value
class Source:
    """A text that was shown to the writer.

    Attributes:
        id: The hit's id; claims name it exactly.
        text: What quotes are looked for in; offsets count its code points.
        published: When it was published, as the source says it (``2024-05-01``).
    """

    id: str
    text: str
    title: str | None = None
    url: str | None = None
    published: str | None = None


@value
class Claim:
    """What a writer says, and the passage that is to support it.  Nothing of it has been checked."""

    statement: str
    source_id: str
    quote: str


class Seal:
    """What the verifier puts on a claim it has checked: it fits that claim alone, not a copy that says something else."""

    __slots__ = ("_said",)

    def __init__(self, *said: object) -> None:
        self._said = said

    def fits(self, *said: object) -> bool:
        """Whether it was made for a claim that says just this."""
        return self._said == said


@final
@value
class VerifiedClaim:
    """A claim whose quote is in its source, and whose statement was not found wrong.  Only the verifier makes it.

    Attributes:
        start, end: Where the quote stands in the source's text: code points, end exclusive.
        verdict: ``verified``, or ``quote-only`` where nobody judged the statement.
        why: The reason, for people.
    """

    seal: Seal
    statement: str
    source_id: str
    quote: str
    start: int
    end: int
    verdict: Accepted
    why: str = ""

    def __post_init__(self) -> None:
        _check(self.seal.fits(*_said(self)), self.verdict, ("verified", "quote-only"))


@final
@value
class RefusedClaim:
    """A claim that the verifier did not accept.

    Attributes:
        start, end: Where the quote stands, if it was found.
        why: What is wrong, in words that a writer can act on.
    """

    seal: Seal
    statement: str
    source_id: str
    quote: str
    verdict: Refused
    why: str
    start: int | None = None
    end: int | None = None

    def __post_init__(self) -> None:
        _check(self.seal.fits(*_said(self)), self.verdict, ("unsupported", "contradicted"))


CheckedClaim: TypeAlias = VerifiedClaim | RefusedClaim


@final
@value
class Answer:
    """A text whose sentences each carry a verified claim.

    Attributes:
        claims: In the order of the text.
        text: What is read; empty where nothing was found.
    """

    claims: tuple[VerifiedClaim, ...]
    text: str = ""

    def __post_init__(self) -> None:
        for claim in self.claims:
            if type(claim) is not VerifiedClaim:
                raise UsageError(f"an Answer takes verified claims alone, not {type(claim).__name__}: verify it first")


def _said(claim: CheckedClaim) -> tuple[object, ...]:
    return claim.statement, claim.source_id, claim.quote, claim.start, claim.end, claim.verdict


def _check(fits: bool, verdict: str, allowed: tuple[str, ...]) -> None:
    if not fits:
        raise UsageError("only the verifier makes checked claims: call qx_answer.verifier.verify")
    if verdict not in allowed:
        raise UsageError(f"a claim with the verdict {verdict!r} is none of: {', '.join(allowed)}")
