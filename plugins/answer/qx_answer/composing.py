"""The text of an answer: its sentences, each with the marker of its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qx_answer.claims import VerifiedClaim


def numbered(claims: Sequence[VerifiedClaim]) -> dict[str, int]:
    """Return the marker of each source: by first appearance, one a source."""
    return {id_: number for number, id_ in enumerate(dict.fromkeys(claim.source_id for claim in claims), 1)}


def joined(claims: Sequence[VerifiedClaim], numbers: Mapping[str, int], language: str) -> str:
    """Return the sentences with their markers; each on a line of its own."""
    space = "" if language.startswith("zh") else " "
    return "\n".join(f"{claim.statement}{space}[{numbers[claim.source_id]}]" for claim in claims)
