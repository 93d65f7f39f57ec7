"""The operation ``verify``: anyone's claims, held against their sources."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from pydantic import BaseModel, Field

from qx.budget import Cost
from qx.engine import Engine
from qx.model import Model
from qx.operation import Principal
from qx_answer.answering import Answering
from qx_answer.claims import Claim, Source, Verdict
from qx_answer.verifier import OFF, Verification, verify


class ClaimGiven(Model):
    """A claim to check."""

    statement: str = Field(description="What is said.")
    source_id: str = Field(description="The id of the source that says it.")
    quote: str = Field(description="The words of the source that say it.")


class SourceGiven(Model):
    """A source to check claims against."""

    id: str
    text: str
    title: str | None = None
    url: str | None = None


class ClaimShown(Model):
    """A claim with its verdict; offsets are code points of the source's text, the end exclusive, null: not found."""

    statement: str
    source_id: str
    quote: str
    start: int | None = None
    end: int | None = None
    verdict: Verdict
    why: str


class Verified(Model):
    """What became of the claims, in order."""

    claims: tuple[ClaimShown, ...]
    judge: str
    degraded: tuple[str, ...] = ()


class Verify:
    """Check claims against sources: is the quote in the source, and does the statement follow from it?

    The verdict of each is verified, quote-only, unsupported or contradicted.
    """

    class Request(Model):
        claims: tuple[ClaimGiven, ...] = Field(max_length=10_000)
        sources: tuple[SourceGiven, ...] = Field(max_length=100_000)
        judge: bool = Field(default=True, description="Whether the profile's judge is asked.")

    Result = Verified

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        """Yield the verdicts.  A judge is asked in requests of their own, each with the time and tokens of an answer."""
        answering: Answering = await engine.section("answer")
        settings = answering.settings
        claims = [Claim(statement=c.statement, source_id=c.source_id, quote=c.quote) for c in request.claims]
        sources = [Source(id=s.id, text=s.text, title=s.title, url=s.url) for s in request.sources]
        found: list[Verification] = []
        for start in range(0, max(1, len(claims)), settings.judge.batch):
            limits = Cost(seconds=settings.budget.seconds, tokens=settings.budget.tokens)
            context = engine.begin("", step="verify", budget=engine.budget(limits))
            judge = answering.judging.over(context, off=not request.judge)
            part = claims[start : start + settings.judge.batch]
            found.append(await verify(part, sources, judge, run_cpu=context.run_cpu))
        yield _shown(found)

    def text(self, item: BaseModel) -> str:
        """What a person reads."""
        return told(item) if isinstance(item, Verified) else ""


def _shown(found: Sequence[Verification]) -> Verified:
    claims = tuple(
        ClaimShown(
            statement=claim.statement,
            source_id=claim.source_id,
            quote=claim.quote,
            start=claim.start,
            end=claim.end,
            verdict=claim.verdict,
            why=claim.why,
        )
        for part in found
        for claim in part.claims
    )
    degraded = tuple(dict.fromkeys(why for part in found for why in part.degraded))
    return Verified(claims=claims, judge=found[0].judge, degraded=degraded)


def told(result: Verified) -> str:
    """Return the verdicts as lines: each claim, where its quote stands, and why one does not hold."""
    lines: list[str] = []
    for claim in result.claims:
        place = f"{claim.source_id}:{claim.start}-{claim.end}" if claim.start is not None else claim.source_id
        lines.append(f"{claim.verdict:<12} {' '.join(claim.statement.split())}  [{place}]")
        if claim.verdict in ("unsupported", "contradicted"):
            lines.append(f"{'':<12} {claim.why}")
    holding = sum(claim.verdict in ("verified", "quote-only") for claim in result.claims)
    judged = "nobody judged whether statements follow" if result.judge == OFF else f"judged by: {result.judge}"
    lines.append(f"{holding} of {len(result.claims)} claims hold; {judged}")
    lines += result.degraded
    return "\n".join(lines)
