"""Sentences that nobody judged, and that speak of nothing that stands beside their quotation: they are no answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qx.text.segment import HAN
from qx_answer.claims import CheckedClaim, Source, VerifiedClaim
from qx_answer.shares import prepared, share
from qx_answer.terms import terms

_AROUND = 1_000
"""Characters before and after a quotation that are read with it."""
_FEWEST = 2
"""Words of a sentence from which on it can be said that none of them is there."""
_HAN = re.compile(f"[{HAN}]")


def unrelated(claims: Sequence[CheckedClaim], sources: Mapping[str, Source]) -> tuple[VerifiedClaim, ...]:
    """Return the claims that hold, are not judged, and have no word in common with what stands around their quotation.

    A statement in another script than its source says nothing by its words, and is left.
    """
    unjudged = (one for one in claims if isinstance(one, VerifiedClaim) and one.verdict == "quote-only")
    return tuple(one for one in unjudged if _is_unrelated(one, sources[one.source_id]))


def _is_unrelated(claim: VerifiedClaim, source: Source) -> bool:
    text = source.text[max(0, claim.start - _AROUND) : claim.end + _AROUND]
    if bool(_HAN.search(claim.statement)) is not bool(_HAN.search(text)):
        return False
    said, around = terms(claim.statement), prepared(f"{source.title or ''}\n{text}")
    return len(said) >= _FEWEST and not any(share(term, around) for term in said)
