"""The section ``answer:`` of a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from qx_answer.judge_settings import JudgeSettings
from qx_answer.loop_settings import LoopSettings

if TYPE_CHECKING:
    from qx.hookspecs import Services
    from qx_answer.answering import Answering


class AnswerSection:
    """The section ``answer:``."""

    class Settings(LoopSettings):
        judge: JudgeSettings = Field(default_factory=JudgeSettings)
        """Who judges whether a statement follows from its quote."""

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Answering:
        """Open what every answer of an engine uses.

        Raises:
            ProfileError, PluginError: a processor under ``read`` is wrong, or is none for hits; the judge cannot be opened.
        """
        from qx.errors import ProfileError
        from qx.processor import HitProcessor
        from qx_answer.answering import Answering
        from qx_answer.judging import open_judging

        made: list[HitProcessor] = []
        for key, block in (("rerank", settings.read.rerank), ("clean", settings.read.clean)):
            processor = await services.processor(block)
            if not isinstance(processor, HitProcessor):
                raise ProfileError(f"answer.read.{key}: {block.type} is no processor of hits")
            made.append(processor)
        judging = await open_judging(settings.judge, services)
        return Answering(settings, services, rerank=made[0], clean=made[1], judging=judging)

    async def aclose(self) -> None:
        """What ``create`` makes is closed by itself."""
