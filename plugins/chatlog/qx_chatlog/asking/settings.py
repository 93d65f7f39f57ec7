"""What an answer may spend: ``chat.ask`` of a profile."""

from __future__ import annotations

from pydantic import Field

from qx.durations import Wait
from qx.model import Model

RESERVE = 0.35
"""Of the time, left for writing the answer."""


class AskSettings(Model):
    rounds: int = Field(default=4, ge=1, le=10)
    """Rounds of searching at most; several searches of one round run together."""
    tokens: int = Field(default=6000, ge=200, le=1_000_000)
    """Tokens of messages that are read for one question."""
    seconds: Wait = 30.0
    """Of one question, its answer included."""
    answer_tokens: int = Field(default=700, ge=50, le=100_000)
    """Tokens of the answer, and of a step of planning."""
    window: int = Field(default=2, ge=0, le=20)
    """Messages before and after a found one that are read with it."""
