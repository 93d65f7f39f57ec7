"""The text of an answer: its sentences, each with the marker of its source."""

from __future__ import annotations

from collections.abc import Sequence

from qx_answer.claims import VerifiedClaim
from qx_answer.markers import Numbering


def numbered(claims: Sequence[VerifiedClaim]) -> Numbering:
    """Return the markers of the sources: by first appearance, one a source."""
    made = Numbering(())
    for claim in claims:
        made.number(claim.source_id)
    return made


def joined(claims: Sequence[VerifiedClaim], numbering: Numbering, language: str) -> str:
    """Return the sentences with their markers, each on a line of its own."""
    space = "" if language.startswith("zh") else " "
    return "\n".join(f"{claim.statement}{space}[{numbering.number(claim.source_id)}]" for claim in claims)
