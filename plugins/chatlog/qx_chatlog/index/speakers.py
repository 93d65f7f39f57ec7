"""Speakers whom a query names: what they say themselves goes first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from qx_chatlog.index.analysis import Term, folded, query_terms
from qx_chatlog.index.columns import Mask, Rows, Scores, among

OWN: Final = 2.0
"""What the score of a message is multiplied by where its speaker is named, and not everybody is."""
NAME: Final = 0.4
"""Weight of a speaker's name as a word: whoever speaks seldom says the own name, those who answer do."""
_LATIN = re.compile(r"[a-z0-9]")


def present(rows: Rows, keep: Mask, labels: Mapping[str, int]) -> dict[str, int]:
    """Return the speakers of what is kept: who speaks only where the principal may not read is nobody."""
    if not keep.any():
        return {}
    there = np.bincount(rows["speaker"][keep]) > 0
    return {name: number for name, number in labels.items() if number < len(there) and there[number]}


def named(text: str, speakers: Iterable[str]) -> tuple[str, ...]:
    """Return the ``speakers`` that ``text`` names, wholly or by the first name."""
    said = folded(text)
    return tuple(speaker for speaker in speakers if any(_stands(said, form) for form in _forms(speaker)))


def named_terms(terms: Iterable[Term], names: Iterable[str]) -> set[Term]:
    """Return those of ``terms`` that are a part of a name."""
    parts = {term.text for name in names for term in query_terms(name)}
    return {term for term in terms if term.text in parts}


def preferred(rows: Rows, scores: Scores, labels: Mapping[str, int], names: Iterable[str]) -> Scores:
    """Return ``scores`` with what the named speakers say themselves preferred; unchanged where everybody is named."""
    numbers = [labels[name] for name in names]
    if not numbers or not any(speaker and number not in numbers for speaker, number in labels.items()):
        return scores
    return np.where(among(rows["speaker"], numbers), scores * OWN, scores)


def _forms(speaker: str) -> tuple[str, ...]:
    first = speaker.split()[:1]
    return tuple(dict.fromkeys(folded(form) for form in (speaker, *(part for part in first if len(part) > 2)) if form))


def _stands(said: str, name: str) -> bool:
    if not _LATIN.search(name):
        return len(name) > 1 and name in said
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", said) is not None
