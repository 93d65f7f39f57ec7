"""The section ``answer:`` of a profile."""

from __future__ import annotations

from pydantic import Field

from qx.domain import Model
from qx_answer.judge_settings import JudgeSettings


class AnswerSection:
    """The section ``answer:``."""

    class Settings(Model):
        judge: JudgeSettings = Field(default_factory=JudgeSettings)
        """Who judges whether a statement follows from its quote."""
