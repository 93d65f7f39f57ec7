"""Opening the judge that a profile names, and giving it to a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qx.context import Context
from qx.errors import ProfileError
from qx.tenant_folder import own_path
from qx_answer.judge import Judge
from qx_answer.judge_settings import JudgeSettings

if TYPE_CHECKING:
    from qx.hookspecs import Services
    from qx_answer.cross_encoder import CrossEncoderJudge


class Judging:
    """What the block ``judge:`` opens; belongs to one engine.

    Args:
        encoder: The model of ``type: cross-encoder``.
    """

    def __init__(self, settings: JudgeSettings, encoder: CrossEncoderJudge | None = None) -> None:
        self._settings = settings
        self._encoder = encoder

    def over(self, context: Context, *, off: bool = False) -> Judge | None:
        """Return the judge of one request; None: nobody judges.

        Args:
            off: Whether nobody is to judge, whatever the profile says.

        Raises:
            ProfileError: the profile asks for its model and names none.
        """
        kind = self._settings.type
        if off or kind == "off" or (kind == "auto" and not context.has_model):
            return None
        if self._encoder is not None:
            return self._encoder.over(context.run_cpu)
        if not context.has_model:
            raise ProfileError("answer.judge.type: model, but the profile names none", hint="add an `llm:` block")
        from qx_answer.model_judge import ModelJudge

        return ModelJudge(context, batch=self._settings.batch)


async def open_judging(settings: JudgeSettings, services: Services) -> Judging:
    """Open the judge.

    Raises:
        PluginError: a library is missing.
        ProfileError: there is no such model, or it cannot be read.
        NotAllowed: its path leads out of the profile's folder.
    """
    if settings.type != "cross-encoder" or settings.path is None:
        return Judging(settings)
    from qx_answer.cross_encoder import load

    folder = own_path(settings.path, services)
    encoder = await services.run_cpu(lambda: load(folder, settings, services.run_cpu))
    return Judging(settings, encoder)
