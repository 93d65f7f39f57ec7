"""The contract of a judge: does a statement follow from a passage?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

from qx.serial import value

Label: TypeAlias = Literal["follows", "not-said", "contradicts"]
LABELS: tuple[Label, ...] = ("follows", "not-said", "contradicts")


@value
class Pair:
    """A statement and the passage that is to support it.

    Attributes:
        passage: The quote as the source has it.
    """

    statement: str
    passage: str


@value
class Judgement:
    """What a judge says of a pair.

    Attributes:
        label: None where the judge could not say.
        why: The reason, for people.
    """

    label: Label | None
    why: str = ""


class Judge(Protocol):
    """Says whether statements follow from passages."""

    @property
    def name(self) -> str:
        """What verdicts name it by: ``model``, ``cross-encoder``."""
        ...

    async def judge(self, pairs: Sequence[Pair], /) -> Sequence[Judgement]:
        """Return a judgement for each pair, in order.

        Raises:
            QxError: it cannot judge at all.
        """
        ...
