"""Whether one text allows a thing and another forbids it: "may be kept" and "are forbidden", 可以养 and 禁养; no model is asked."""

from __future__ import annotations

import re

from qx_answer import negations

_FORBIDS = re.compile(
    r"\b(?:forbidden|prohibited|banned|disallowed|not\s+(?:be\s+)?(?:allowed|permitted|welcome)"
    r"|(?:may|must|can|shall)\s+(?:not|never)|(?:ca|must)n['’]t|cannot|no\s+longer\s+(?:allowed|permitted))\b"
    r"|禁止|严禁|禁(?=[^忌区止令果])|不得|不准|不许|不可(?!能|靠)|不能|不允许|请勿|切勿|谢绝",
    re.IGNORECASE,
)
_ALLOWS = re.compile(
    r"\b(?:may|can|allowed|permitted|welcome|free\s+to)\b|(?<!不)可以|(?<!不)允许|(?<!不)准许|(?<![不许])可(?=[养带进用入停乘穿吃喝骑坐])",
    re.IGNORECASE,
)
_MAY_BE = re.compile(
    r"\b(?:may|can)\s+(?:be\s+(?:late|delayed|closed|busy|wrong|slow)|cause|damage|harm|hurt|happen|lead)\b", re.I
)
"""What is possible, and not what is allowed."""
_DEPENDS = re.compile(
    r"\b(?:only|unless|without|except|if|when|with|until|after|before)\b|只|除|须|凭|持|前|后|时|如", re.I
)
_NOBODY = re.compile(r"\b(?:nobody|nowhere|none|neither)\b", re.IGNORECASE)
_VERBS = (
    "keep kept bring brought use used wear worn eat eaten drink enter come take taken have had park parked do done go"
)
_ELIDED = frozenset(_VERBS.split())
"""What a rule about a thing does not need to say: "cockerels are forbidden", to keep them."""


def elides(word: str) -> bool:
    """Whether a rule about a thing says a verb without it."""
    return word in _ELIDED


def opposed(statement: str, clause: str) -> str | None:
    """Return what is wrong where one allows what the other forbids, without a condition in either; else None.

    Both must speak of the same: that is for the caller to know.
    """
    if _DEPENDS.search(statement) or _DEPENDS.search(clause) or _MAY_BE.search(statement) or _MAY_BE.search(clause):
        return None
    mine, theirs = _side(statement), _side(clause)
    if mine is None or theirs is None or mine[0] == theirs[0]:
        return None
    return f"the statement says {mine[1]!r}, the quote {theirs[1]!r}"


def agree(statement: str, clause: str) -> bool:
    """Whether both allow, or both forbid."""
    mine, theirs = _side(statement), _side(clause)
    return mine is not None and theirs is not None and mine[0] == theirs[0]


def _side(text: str) -> tuple[bool, str] | None:
    """Whether it allows, and by which word; None where it does neither, or both, or another word turns it round."""
    forbids = _FORBIDS.search(text)
    rest = _FORBIDS.sub(" ", text)
    allows = _ALLOWS.search(rest)
    if (forbids is None) == (allows is None):
        return None
    if negations.denies(rest) or _NOBODY.search(rest):  # "not forbidden" allows, "no dogs are allowed" forbids
        return None
    return (True, allows[0]) if allows else (False, forbids[0] if forbids else "")
