"""From what is known to the answer: written, verified, corrected once, and put together with its markers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from qx.context import Context
from qx.serial import replace
from qx_answer.claims import Answer, Claim, RefusedClaim, Source, VerifiedClaim
from qx_answer.composing import joined, numbered
from qx_answer.deadline import OutOfTime
from qx_answer.events import Action, CheckedClaim, SourceShown, Warning
from qx_answer.events import Claim as ClaimEvent
from qx_answer.feed import Feed
from qx_answer.loop import Known
from qx_answer.spending import Account
from qx_answer.steps import Steps
from qx_answer.unrelated import unrelated
from qx_answer.values import Draft, Written
from qx_answer.verifier import Verification
from qx_answer.writing import Extractive


class Finishing:
    """Writes one answer.

    Args:
        begin: Begins a request within the time for writing.
        instead: Writes where the writer is late.
    """

    def __init__(
        self, steps: Steps, account: Account, feed: Feed, begin: Callable[[], Context], instead: Extractive
    ) -> None:
        self._steps = steps
        self._account = account
        self._feed = feed
        self._begin = begin
        self._instead = instead
        self._told: set[tuple[str, str]] = set()

    async def answer(self, question: str, language: str, known: Known) -> Answer:
        """Return the answer; an empty one where nothing was found, or nothing could be verified: no call is made then."""
        if not known.passages:
            return Answer(claims=())
        shown = tuple(
            {one.id: one for one in known.sources if any(p.source_id == one.id for p in known.passages)}.values()
        )
        draft = Draft(question=question, language=language, gaps=known.gaps, sources=shown, passages=known.passages)
        verified = await self._verified(draft)
        numbers = numbered(verified)
        for claim in verified:
            self._feed.tell(ClaimEvent(**_checked(claim).model_dump(), marker=numbers.number(claim.source_id)))
        return Answer(claims=tuple(verified), text=joined(verified, numbers, language))

    async def _verified(self, draft: Draft) -> list[VerifiedClaim]:
        """Write and verify; what is refused goes back once, and what is refused again is left out."""
        context = self._begin()
        self._feed.tell(Action(kind="write"))
        claims = await self._written("write", draft, context)
        if not claims:
            return []
        self._feed.tell(Action(kind="verify"))
        first = await self._check("verify", claims, draft.sources, context)
        refused = first.refused
        corrected: Sequence[VerifiedClaim] = ()
        if refused:
            self._tell_refused(refused)
            again = Draft(
                question=draft.question,
                language=draft.language,
                gaps=draft.gaps,
                sources=draft.sources,
                passages=draft.passages,
                refused=tuple(
                    (Claim(statement=r.statement, source_id=r.source_id, quote=r.quote), r.why) for r in refused
                ),
            )
            mended = await self._written("correct", again, context)
            if mended:
                second = await self._check("verify again", mended, draft.sources, context)
                corrected = second.verified
                self._tell_refused(second.refused)
        found = _once([*first.verified, *corrected])
        return found or await self._quoted(draft, claims, context)

    async def _quoted(self, draft: Draft, refused: Sequence[Claim], context: Context) -> list[VerifiedClaim]:
        """Quotations in the place of sentences of which none passed the check."""
        quotes = await self._instead(draft, context)
        if not quotes or set(quotes) == set(refused):
            return []
        context.degrade("write", "extractive", "none of the sentences that were written passed the check")
        return _once((await self._check("verify quotations", quotes, draft.sources, context)).verified)

    async def _written(self, what: str, draft: Draft, context: Context) -> tuple[Claim, ...]:
        try:
            return await self._account.finish(what, lambda: self._steps.write(draft, context))
        except OutOfTime:
            context.degrade(
                "write", "extractive" if not draft.refused else "without the correction", "no time was left"
            )
            return await self._instead(draft, context)

    async def _check(
        self, what: str, claims: Sequence[Claim], sources: tuple[Source, ...], context: Context
    ) -> Verification:
        """Verify; where the judge is late, the quotes are checked without it."""
        written = Written(claims=tuple(claims), sources=sources)
        try:
            found = await self._account.finish(what, lambda: self._steps.verify(written, context))
        except OutOfTime:
            from qx_answer.verifier import verify

            context.degrade("verify", "quotes alone", "no time was left for the judge")
            found = await verify(claims, sources)
        for reason in found.degraded:
            context.degrade("verify", "quote-only", reason)
        return self._related(found, {source.id: source for source in sources})

    def _related(self, found: Verification, sources: Mapping[str, Source]) -> Verification:
        """Without the sentences that nobody judged and that have nothing to do with their quotation."""
        strange = unrelated(found.claims, sources)
        for one in strange:
            self._tell_once("unsupported", f"{one.statement} (its quotation speaks of nothing that it says)")
        return replace(found, claims=tuple(one for one in found.claims if one not in strange)) if strange else found

    def _tell_refused(self, refused: Sequence[RefusedClaim]) -> None:
        for one in refused:
            self._tell_once(one.verdict, f"{one.statement} ({one.why})")

    def _tell_once(self, kind: str, text: str) -> None:
        """What the writer says again, in its correction too, is refused again: nobody need read it twice."""
        if (kind, text) not in self._told:
            self._told.add((kind, text))
            self._feed.tell(Warning(kind=kind, text=text))


def _once(claims: Sequence[VerifiedClaim]) -> list[VerifiedClaim]:
    return list({(one.statement, one.source_id): one for one in claims}.values())


def _checked(claim: VerifiedClaim) -> CheckedClaim:
    return CheckedClaim(
        statement=claim.statement,
        source_id=claim.source_id,
        quote=claim.quote,
        start=claim.start,
        end=claim.end,
        verdict=claim.verdict,
    )


def shown_claims(answer: Answer) -> tuple[CheckedClaim, ...]:
    """Return the claims of an answer as its result shows them."""
    return tuple(_checked(claim) for claim in answer.claims)


def shown_sources(answer: Answer, sources: Sequence[Source]) -> tuple[SourceShown, ...]:
    """Return the sources that an answer cites, in the order of their markers."""
    by_id = {source.id: source for source in sources}
    cited = (by_id[id_] for id_ in numbered(answer.claims).cited)
    return tuple(SourceShown(id=one.id, title=one.title, url=one.url) for one in cited)
