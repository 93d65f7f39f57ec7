"""The processor ``rerank``: puts the top of the list in a better order.

``by`` chooses how: ``lexical`` (BM25 over title and text, no model), ``embedding``, ``cross-encoder`` (ONNX), ``api`` (a
``/rerank`` service) or ``llm``.  As many hits are taken as the time allows, and the note says how many.  Where it fails
or is too slow the order stays, and the result's ``degraded`` says so.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field, model_validator

from qx.addresses import HttpAddress
from qx.builtin.rerank.method import Method, Task, asked
from qx.durations import Duration
from qx.errors import BadResponse, QxError
from qx.model import Model
from qx.ranking import Ranking
from qx.settings import Secret

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services

By = Literal["lexical", "embedding", "cross-encoder", "api", "llm"]
_SHARE = 0.8
"""Of the time that is left: the rest is for what comes after."""
_NO_DEADLINE = 60.0
_OWN: Mapping[By, frozenset[str]] = {
    "lexical": frozenset({"title", "expansion"}),
    "embedding": frozenset({"clip"}),
    "cross-encoder": frozenset({"clip", "path", "model", "file", "length"}),
    "api": frozenset({"clip", "url", "api_key", "model", "form"}),
    "llm": frozenset({"clip"}),
}
_NEEDED: Mapping[By, tuple[str, ...]] = {"cross-encoder": ("path", "model"), "api": ("url",)}


class Settings(Model):
    """The settings of ``{type: rerank}``."""

    by: By = "lexical"
    """`lexical`, `embedding`, `cross-encoder`, `api` or `llm`."""
    top: int | None = Field(default=None, ge=2, le=1000)
    """Hits that are taken at most; null: 1000 lexical, 100 embedding and api, 50 cross-encoder, 20 llm."""
    timeout: Duration | None = None
    """Of the whole reranking; null: four fifths of what is left of the deadline."""
    title: float = Field(default=2.0, ge=0, le=100)
    """`lexical`: what a word in the title counts, where one in the text counts 1."""
    expansion: float = Field(default=0.25, ge=0, le=1)
    """`lexical`: what the words of other sub-queries count, where the query's own count 1."""
    clip: int = Field(default=512, ge=32, le=100_000)
    """All but `lexical`: characters of title and text that are read."""
    path: Path | None = None
    """`cross-encoder`: the model's folder, or its `.onnx` file."""
    model: str = ""
    """`cross-encoder`: its name on the hub, such as `BAAI/bge-reranker-base`; `api`: the service's name for it."""
    file: str | None = None
    """`cross-encoder`: the model's file within the folder."""
    length: int = Field(default=512, ge=16)
    """`cross-encoder`: tokens that the model reads."""
    url: HttpAddress | None = None
    """`api`: the whole address, such as `https://api.jina.ai/v1/rerank`."""
    api_key: Secret | None = None
    """`api`: the key: `${NAME}` of an environment variable."""
    form: Literal["cohere", "jina", "tei"] = "cohere"
    """`api`: whose form the service speaks."""

    @model_validator(mode="after")
    def _fitting(self) -> Settings:
        foreign = sorted(self.model_fields_set - {"by", "top", "timeout"} - _OWN[self.by])
        if foreign:
            raise ValueError(f"`{foreign[0]}` is not for `by: {self.by}`")
        needed = _NEEDED.get(self.by, ())
        if needed and not any(getattr(self, name) for name in needed):
            raise ValueError(f"`by: {self.by}` needs {' or '.join(f'`{name}`' for name in needed)}")
        return self


class Rerank:
    """Registered as ``rerank`` through ``qx_post_processors``."""

    Settings = Settings
    reorders = True

    def __init__(self, settings: Settings, method: Method) -> None:
        self._settings = settings
        self._method = method
        self._pace = method.pace
        self.calls = settings.by != "lexical"

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the processor; models and libraries are loaded now.

        Raises:
            PluginError: `by: cross-encoder` without its extra.
            ProfileError: a cross-encoder that is not there or cannot be loaded.
        """
        return cls(settings, await _method(settings, services))

    async def process_hits(self, ranking: Ranking, context: Context, /) -> Ranking:
        """Put the top in order.  Never raises for a method that fails: the order stays."""
        seconds = self._seconds(context)
        count = self._count(len(ranking.keys), seconds)
        if len(ranking.keys) < 2:
            return ranking
        if count < 2:
            return self._kept(ranking, context, f"{seconds:.2f} s are too few for it")
        hits = [ranking.hit(i) for i in range(count)]
        query, others = asked(context.query.text, hits)
        if not query.strip():
            return ranking
        task = Task(query=query, others=others, hits=hits, ranking=ranking, seconds=seconds)
        began = context.clock.monotonic()
        try:
            async with asyncio.timeout(seconds):
                scores = checked(await self._method.scores(task, context), count)
        except TimeoutError:
            return self._kept(ranking, context, f"no answer within {seconds:.2f} s")
        except QxError as error:
            return self._kept(ranking, context, str(error))
        taken = sum(score is not None for score in scores)
        self._learn(context.clock.monotonic() - began, taken)
        note = f"rerank by {self._settings.by}: took {taken} of {len(ranking.keys)} hits"
        return replace(reordered(ranking, scores), notes=(*ranking.notes, note))

    def _seconds(self, context: Context) -> float:
        left = context.budget.remaining().seconds
        share = _NO_DEADLINE if left is None else left * _SHARE
        return min(share, self._settings.timeout or share)

    def _count(self, hits: int, seconds: float) -> int:
        """As many as are wanted, and as can be read in time by the pace of the last times."""
        wanted = min(hits, self._settings.top or self._method.top)
        return min(wanted, int(seconds / self._pace)) if self._pace > 0 else wanted if seconds > 0 else 0

    def _learn(self, took: float, taken: int) -> None:
        if self._method.pace > 0 and taken:
            self._pace += 0.3 * (max(took / taken, self._method.pace / 100) - self._pace)

    def _kept(self, ranking: Ranking, context: Context, reason: str) -> Ranking:
        context.degrade("process", f"without rerank by {self._settings.by}: the order stays", reason)
        return ranking

    async def aclose(self) -> None:
        """Nothing to close: connections and threads are the engine's."""


async def _method(settings: Settings, services: Services) -> Method:
    if settings.by == "lexical":
        from qx.builtin.rerank.lexical import Lexical

        lexical = Lexical(title=settings.title, expansion=settings.expansion)
        await services.run_cpu(lexical.load)
        return lexical
    if settings.by == "embedding":
        from qx.builtin.rerank.embedding import Embedding

        return Embedding(clip=settings.clip)
    if settings.by == "llm":
        from qx.builtin.rerank.llm import Judged

        return Judged(clip=settings.clip)
    if settings.by == "api":
        from qx.builtin.rerank.api import Api

        await services.http.open()
        return Api(
            services.http,
            services.clock,
            url=settings.url or "",
            form=settings.form,
            model=settings.model,
            api_key=settings.api_key,
            clip=settings.clip,
        )
    from qx.builtin.rerank.cross_encoder import load

    return await load(
        services,
        path=settings.path,
        model=settings.model,
        file=settings.file,
        length=settings.length,
        clip=settings.clip,
    )


def checked(scores: Sequence[float | None], count: int) -> Sequence[float | None]:
    """Return ``scores``; raises ``BadResponse`` unless they are numbers or None, one for each of ``count`` hits."""
    if len(scores) != count:
        raise BadResponse(f"{len(scores)} scores came for {count} hits", step="process")
    if any(score is not None and not math.isfinite(score) for score in scores):
        raise BadResponse("a score is no number", step="process")
    return scores


def reordered(ranking: Ranking, scores: Sequence[float | None]) -> Ranking:
    """Return ``ranking`` with its top by ``scores``; hits without one follow in their order, and ties keep it.

    Scores of the list go on falling: the new ones are lifted above those of the hits that kept theirs.
    """
    given = [(score, i) for i, score in enumerate(scores) if score is not None]
    order = [i for _, i in sorted(given, key=lambda pair: (-pair[0], pair[1]))]
    rest = [i for i in range(len(ranking.keys)) if i >= len(scores) or scores[i] is None]
    ceiling = max((ranking.scores[i] for i in rest), default=-math.inf)
    lift = max(0.0, ceiling - min((score for score, _ in given), default=0.0))
    new = [max((scores[i] or 0.0) + lift, ceiling) for i in order] + [ranking.scores[i] for i in rest]
    return ranking.pick([*order, *rest], new)


__all__ = ["Rerank", "Settings", "reordered"]
