"""Whether a statement says the opposite of one clause of its quote: 可以养鹅, of 可以养鸡，不得养鹅; no model is asked.

The sentence as a whole leaves it open, since it allows one thing and forbids another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qx_answer import opposites, permissions, polarity
from qx_answer.permissions import Rule
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
    for clauses in _sentences(statement, quote):
        clause = _spoken_of(statement, clauses) if len(clauses) > 1 else None
        found = None
        if clause is not None:
            found = polarity.turned(statement, clause) or opposites.opposed(statement, clause)
        found = found or permissions.opposed(*_rules(statement, clauses))
        if found:
            return found
    return None


def ruled_alike(statement: str, quote: str) -> bool:
    """Whether a clause that names the thing alone rules of it as a statement does, whatever others say of other things."""
    return any(permissions.agree(*_rules(statement, clauses)) for clauses in _sentences(statement, quote))


def _sentences(statement: str, quote: str) -> Iterator[list[str]]:
    """The clauses of each sentence of a quote, where none depends on another."""
    if _OPEN.search(statement) or _CLAUSE.fullmatch(statement) is None:
        return
    for start, end in spans(quote):
        if not _OPEN.search(quote[start:end]):
            yield _CLAUSE.findall(quote[start:end])


def _spoken_of(statement: str, clauses: Sequence[str]) -> str | None:
    """The one clause that speaks of what a statement says; None: none does, or several do."""
    shares = [opposites.alike(statement, clause) for clause in clauses]
    most = max(shares)
    if most < opposites.ALIKE or sum(share > _ASIDE * most for share in shares) != 1:
        return None
    return clauses[shares.index(most)]


def _rules(statement: str, clauses: Sequence[str]) -> tuple[Rule | None, Rule | None]:
    """What a statement rules, and the clause that rules of the same thing; None: there is none.

    What is done with the thing stands in another clause, or goes without saying.
    """
    mine = permissions.rule(statement)
    if mine is None:
        return None, None
    wanted = opposites.content(mine.thing)
    ruled = [permissions.rule(clause) for clause in clauses]
    known = [opposites.content(one.thing if one else clause) for one, clause in zip(ruled, clauses, strict=True)]
    said = frozenset[str]().union(*known)
    for one, named in zip(ruled, known, strict=True):
        others = frozenset[str]().union(*(other for other in known if other is not named))
        alone = named <= wanted and not named & others and not wanted - said
        if one is not None and alone and mine.is_like(one) and (named or (mine.verb and one.verb)):
            return mine, one
    return mine, None
