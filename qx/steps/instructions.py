"""Candidates that are no queries but the prompt's own words: a model that was talked into reading its instructions out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from itertools import pairwise

from qx.text.segment import HAN

WORDS, CHARACTERS = 5, 10
"""So many words in a row (Chinese: characters) are nobody's query by chance."""
_TAGS = re.compile(r"\{%.*?%\}|\{#.*?#\}|\{\{|\}\}|\"", re.DOTALL)  # what an expression says in quotes is said, too
_PIECES = re.compile(f"[{HAN}]|[^\\W_]+")
_CHINESE = re.compile(f"[{HAN}]")
_ALL_CHINESE = re.compile(f"[{HAN}]+")
_SHORTEST = bytes([True] * (min(WORDS, CHARACTERS) - 1))
"""Neighbours of the shortest run, each of which must be known."""


def _folded(text: str) -> list[str]:
    pressed = text.replace(" ", "")
    if _ALL_CHINESE.fullmatch(pressed):
        return list(pressed)  # each character is a piece
    return _PIECES.findall(text.casefold())


class Instructions:
    """What the templates of the prompts say, and the profile's and packs' own words among them.

    Args:
        added: The texts that fill the templates' slots.
    """

    def __init__(self, *added: str) -> None:
        folder = resources.files("qx").joinpath("prompts")
        texts = [one.read_text("utf-8") for one in folder.iterdir() if one.name.endswith(".j2")]
        said = [_folded(piece) for text in (*texts, *added) for piece in _TAGS.split(text)]
        self._runs = {run for pieces in said for run in _runs(pieces)}
        self._neighbours = {pair for pieces in said for pair in pairwise(pieces)}

    def may_be_repeated(self, candidates: Sequence[str]) -> bool:
        """Whether one of ``candidates`` may repeat a run of them; False for nearly every list, at the cost of one look.

        Too few words then stand beside each other as they do in the prompts, even of all candidates in a row.
        """
        pieces = _folded(" ".join(candidates))
        return _SHORTEST in bytes(map(self._neighbours.__contains__, pairwise(pieces)))

    def are_repeated(self, candidate: str, query: str) -> bool:
        """Whether a candidate repeats a run of them that the user's query does not hold itself."""
        if not self.may_be_repeated([candidate]):
            return False
        pieces = _folded(candidate)
        repeated = self._runs.intersection(_runs(pieces))
        return bool(repeated.difference(_runs(_folded(query))))


def _runs(pieces: list[str]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for at in range(len(pieces)):
        length = CHARACTERS if _CHINESE.match(pieces[at]) else WORDS
        if at + length <= len(pieces):
            found.append(tuple(pieces[at : at + length]))
    return found


__all__ = ["Instructions"]
