"""The verifier: is the source one that was shown, is the quote in it, and does the statement follow from the quote?

Numbers, units and negations of a statement are held against its quote in any case; whether the rest follows is for a
judge, where there is one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from qx.errors import BadResponse, QxError
from qx.serial import value
from qx.text.quotable import fold
from qx.text.quotes import Span, denied, locate
from qx_answer import amounts, bounds, clauses, opposites, polarity, portions
from qx_answer.claims import Accepted, CheckedClaim, Claim, Refused, RefusedClaim, Seal, Source, VerifiedClaim
from qx_answer.judge import Judge, Judgement, Pair
from qx_answer.markers import without_markers

IN_LOOP = 200_000
"""Up to so many code points of sources are looked through in the event loop."""
OFF = "off"
ITSELF = "the statement is the quote itself"
NOT_JUDGED = "the quote is there; nobody judged whether the statement follows (judge: off)"
_SHOWN = 8
"""Ids that a reason lists."""
_LOOKED = 50
"""Other sources in which a lost quote is looked for, to say where it is."""


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


@value
class _Located:
    """A claim whose quote was found, and which nothing speaks against so far.

    Attributes:
        statement: The claim's, without the markers that a writer may have left in it: the 1 of ``[1]`` is no number of it.
    """

    claim: Claim
    span: Span
    passage: str
    statement: str


RunCpu = Callable[[Callable[[], Any]], Awaitable[Any]]


async def verify(
    claims: Sequence[Claim],
    sources: Sequence[Source],
    judge: Judge | None = None,
    *,
    run_cpu: RunCpu | None = None,
) -> Verification:
    """Check every claim against the sources that were shown.

    Args:
        judge: Who says whether a statement follows; None: nobody does, and accepted claims are ``quote-only``,
            but for those that are their quote, word for word.
        run_cpu: Runs what takes long outside of the event loop: ``context.run_cpu``.

    Returns:
        A checked claim for each one given.  What a judge fails at is ``quote-only``, never silently verified.
    """
    if run_cpu is not None and sum(len(source.text) for source in sources) > IN_LOOP:
        found = await run_cpu(lambda: located(claims, sources))
    else:
        found = located(claims, sources)
    if judge is None:
        return Verification(claims=tuple(map(_unjudged, found)), judge=OFF)
    return await _judged(found, judge)


def located(claims: Sequence[Claim], sources: Sequence[Source]) -> list[_Located | RefusedClaim]:
    """Find the quote of each claim in its source, and hold numbers, units and negations against it."""
    shown: dict[str, list[Source]] = {}
    for source in sources:
        shown.setdefault(source.id, []).append(source)
    return [_located(claim, shown) for claim in claims]


def _located(claim: Claim, shown: Mapping[str, Sequence[Source]]) -> _Located | RefusedClaim:
    statement = without_markers(claim.statement)
    if not statement.strip():
        return _refuse(claim, "unsupported", "there is no statement")
    if claim.source_id not in shown:
        return _refuse(claim, "unsupported", _unknown(claim.source_id, list(shown)))
    if not claim.quote.strip():
        return _refuse(claim, "unsupported", "there is no quote: copy the words of the source that say it")
    if not _says_something(claim.quote):
        return _refuse(claim, "unsupported", "one letter shows nothing: quote the words of the source that say it")
    for source in shown[claim.source_id]:
        span = locate(claim.quote, source.text)
        if span is not None:
            passage = source.text[span.start : span.end]
            said = claim.statement if fold(claim.statement).core == fold(passage).core else statement
            return _compared(_Located(claim=claim, span=span, passage=passage, statement=said))
    return _refuse(claim, "unsupported", _not_there(claim, shown))


def _says_something(quote: str) -> bool:
    """Whether a quote is more than one letter, or one word of one character, and signs."""
    said = [character for character in fold(quote).core if character.isalnum()]
    return len(said) > 1 or any(character.isdigit() for character in said)


def _compared(found: _Located) -> _Located | RefusedClaim:
    """Whether the statement has the numbers, units, bounds and negations of what was quoted; a part of it has."""
    statement, passage = portions.alike(found.statement, as_read(found.passage))
    statement, passage = bounds.affirmed(statement), bounds.affirmed(passage)
    if locate(statement, passage) is not None:  # "trainees get it" is part of "everyone except trainees gets it"
        opposite = opposites.opposed(statement, passage) or clauses.opposed(statement, passage)
        return _refuse(found.claim, "contradicted", opposite, found.span) if opposite else found
    difference = amounts.differing(statement, passage)
    if difference is not None:
        return _refuse(found.claim, difference.verdict, difference.why, found.span)
    if opposites.turned_twice(statement, passage) or clauses.ruled_alike(statement, passage):
        return found
    turned = polarity.turned(statement, passage) or opposites.opposed(statement, passage)
    turned = turned or clauses.opposed(statement, passage)
    return _refuse(found.claim, "contradicted", turned, found.span) if turned else found


def as_read(passage: str) -> str:
    """Return a passage as a person reads it: without HTML and entities."""
    from qx.text.clean import clean

    return clean(passage).text if "<" in passage or "&" in passage else passage


async def _judged(found: Sequence[_Located | RefusedClaim], judge: Judge) -> Verification:
    asked = [one for one in found if isinstance(one, _Located) and not _is_quote(one)]
    pairs = [Pair(statement=one.statement, passage=as_read(one.passage)) for one in asked]
    degraded: list[str] = []
    judgements: Sequence[Judgement] = ()
    try:
        judgements = await judge.judge(pairs) if pairs else ()
        if len(judgements) != len(pairs):
            raise BadResponse(f"the judge {judge.name} gave {len(judgements)} judgements of {len(pairs)} claims")
    except QxError as error:
        degraded.append(f"not judged: {error}")
        judgements = [Judgement(label=None, why=str(error))] * len(pairs)
    of = {id(one): judgement for one, judgement in zip(asked, judgements, strict=True)}
    checked = tuple(one if isinstance(one, RefusedClaim) else _verdict(one, of.get(id(one)), judge) for one in found)
    if not degraded and any(judgement.label is None for judgement in judgements):
        degraded.append(f"the judge {judge.name} could not say of some claims")
    return Verification(claims=checked, judge=judge.name, degraded=tuple(degraded))


def _unjudged(one: _Located | RefusedClaim) -> CheckedClaim:
    if isinstance(one, RefusedClaim):
        return one
    return _accept(one, "verified", ITSELF) if _is_quote(one) else _accept(one, "quote-only", NOT_JUDGED)


def _verdict(one: _Located, judgement: Judgement | None, judge: Judge) -> CheckedClaim:
    if judgement is None:
        return _accept(one, "verified", ITSELF)
    why = f"{judge.name}: {judgement.why}" if judgement.why else judge.name
    match judgement.label:
        case "follows":
            return _accept(one, "verified", f"it follows from the quote ({why})")
        case "contradicts":
            return _refuse(one.claim, "contradicted", f"the quote says otherwise ({why})", one.span)
        case "not-said":
            return _refuse(one.claim, "unsupported", f"it does not follow from the quote ({why})", one.span)
        case None:
            return _accept(one, "quote-only", f"the quote is there; whether the statement follows is not known ({why})")


def _is_quote(one: _Located) -> bool:
    """Whether the statement is what was quoted, word for word: nobody need judge that."""
    return fold(one.statement).core == fold(one.passage).core


def _unknown(id_: str, ids: Sequence[str]) -> str:
    if not ids:
        return "no source was shown"
    listed = ", ".join(repr(one) for one in ids[:_SHOWN]) + (", …" if len(ids) > _SHOWN else "")
    return f"no source {id_!r} was shown; an id is one of: {listed}"


def _not_there(claim: Claim, shown: Mapping[str, Sequence[Source]]) -> str:
    if not any(source.text.strip() for source in shown[claim.source_id]):
        return f"the source {claim.source_id!r} has no text"
    if any(denied(claim.quote, source.text) for source in shown[claim.source_id]):
        return f"the quote leaves out the negation beside it in the source {claim.source_id!r}: quote that, too"
    others = ((id_, source) for id_, found in shown.items() if id_ != claim.source_id for source in found)
    other = next((id_ for id_, source in islice(others, _LOOKED) if locate(claim.quote, source.text)), None)
    if other is not None:
        return f"the quote is not in the source {claim.source_id!r}, but in {other!r}"
    return f"the quote is not in the source {claim.source_id!r}: copy it word for word"


def _accept(one: _Located, verdict: Accepted, why: str) -> VerifiedClaim:
    claim, span = one.claim, one.span
    return VerifiedClaim(
        seal=Seal(claim.statement, claim.source_id, claim.quote, span.start, span.end, verdict),
        statement=claim.statement,
        source_id=claim.source_id,
        quote=claim.quote,
        start=span.start,
        end=span.end,
        verdict=verdict,
        why=why,
    )


def _refuse(claim: Claim, verdict: Refused, why: str, span: Span | None = None) -> RefusedClaim:
    start, end = (span.start, span.end) if span else (None, None)
    return RefusedClaim(
        seal=Seal(claim.statement, claim.source_id, claim.quote, start, end, verdict),
        statement=claim.statement,
        source_id=claim.source_id,
        quote=claim.quote,
        verdict=verdict,
        why=why,
        start=start,
        end=end,
    )
