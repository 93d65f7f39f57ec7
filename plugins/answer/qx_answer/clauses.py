"""Whether a statement says the opposite of one clause of its quote: 可以养鹅, of 可以养鸡，不得养鹅; no model is asked.

The sentence as a whole leaves it open, since it allows one thing and forbids another.
"""

from __future__ import annotations

import re

from qx_answer import opposites, polarity
from qx_answer.sentences import spans

_CLAUSE = re.compile(r"[^,，;；]+")
_OPEN = re.compile(
    r"\b(?:unless|except|if|when|while|only|provided|otherwise|however|although|though|until|without|instead)\b"
    r"|除|如果|若|只[有能要是可在]|否则|虽|但|而非|直到|凡",
    re.IGNORECASE,
)
"""What makes one clause depend on another."""

_ASIDE = 0.4
"""Part of that share from which on another clause speaks of it, too."""


def opposed(statement: str, quote: str) -> str | None:
    """Return what is wrong where the one clause that speaks of what a statement says denies it, else None."""
    for start, end in spans(quote):
        sentence = quote[start:end]
        clauses = _CLAUSE.findall(sentence)
        if (
            len(clauses) < 2
            or _OPEN.search(sentence)
            or _OPEN.search(statement)
            or _CLAUSE.fullmatch(statement) is None
        ):
            continue
        shares = [opposites.alike(statement, clause) for clause in clauses]
        most = max(shares)
        if most < opposites.ALIKE or sum(share > _ASIDE * most for share in shares) != 1:
            continue
        clause = clauses[shares.index(most)]
        found = polarity.turned(statement, clause) or opposites.opposed(statement, clause)
        if found:
            return found
    return None
