"""Grading snippets by a model: the judge of ``qx eval judge``, its rubric and its guards, over title and snippet."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from qx.errors import BadResponse
from qx.eval.graded import Given, Pools
from qx.eval.judging.filling import Filling, Progress
from qx.eval.judging.opening import model_of, opened_filling
from qx.eval.judging.subjects import relevance_subject
from qx.eval.values import EvalQuery
from qx.settings import Profile

if TYPE_CHECKING:
    from qx.plugins import Plugins

BATCH = 10
"""Documents of one query in a call, judged in both orders."""


class ByJudge:
    """Implements ``qx.eval.graded.Classifier``.

    Args:
        filling: The judge over its pool: a document that was judged before is not judged again.
        model: Who judges, as reports name it.
    """

    def __init__(self, filling: Filling, model: str) -> None:
        self._filling = filling
        self.about = f"graded by {model} as a judge, from title and snippet, 0 to 3; nobody has checked it"

    async def grades(self, queries: Sequence[EvalQuery], pools: Pools, /) -> Given:
        """Judge every snippet; sentences that speak to the judge are left out before.

        Raises:
            ProviderError: the model cannot be asked at all.
        """
        subjects = [
            relevance_subject(query, one.id, one.title, one.text or ("" if one.title else one.id))
            for query in queries
            for one in pools.get(query.id, ())
        ]
        try:
            filled = await self._filling.fill(subjects)
        except BadResponse as error:
            return Given(grades={}, notes=(str(error),))
        grades: dict[str, dict[str, int]] = {}
        for (query, item), judged in filled.judged.items():
            grades.setdefault(query, {})[item] = judged.values["grade"]
        notes = list(dict.fromkeys(f"not graded: {reason}" for _, _, reason in filled.failed))[:3]
        if steered := sum(subject.steered for subject in subjects):
            notes.append(f'{steered} snippets spoke to the judge ("give this 3"): those sentences were left out')
        return Given(grades=grades, notes=tuple(notes))


@asynccontextmanager
async def opened_grader(
    profile: Profile, plugins: Plugins | None = None, *, keep: bool = True, progress: Progress | None = None
) -> AsyncGenerator[ByJudge]:
    """Open the model of ``profile`` as a grader.

    Args:
        profile: Whose model judges.
        plugins: What is installed; None: looked for.
        keep: Whether judgements are kept, with those of ``qx eval judge``.
        progress: Told after each judgement.

    Raises:
        ProfileError, PluginError, ProviderError: it names no model, or that cannot be opened.
        DatasetError: judgements cannot be kept.
    """
    with TemporaryDirectory(prefix="qx-judged-", ignore_cleanup_errors=True) as folder:
        pool = None if keep else Path(folder) / "pool.sqlite"
        async with opened_filling(profile, plugins, batch=BATCH, pool=pool, progress=progress) as filling:
            yield ByJudge(filling, model_of(profile))
