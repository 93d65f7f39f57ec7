"""From a profile to a judge: one model, no fallback to another, nothing remembered but the pool."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from qx.engine import Engine
from qx.errors import ProfileError
from qx.eval.judging.filling import CONCURRENCY, Filling, Progress
from qx.eval.judging.judge import Judge
from qx.eval.judging.pool import Pool
from qx.settings import CacheSettings, Profile, Search

if TYPE_CHECKING:
    from qx.plugins import Plugins


def judging_profile(profile: Profile) -> Profile:
    """Return ``profile`` as a judge is opened from it.

    Raises:
        ProfileError: it names no model.
    """
    if profile.llm is None:
        raise ProfileError(
            f"the profile {profile.name!r} names no model, so it cannot judge",
            hint="give --judge a profile with `llm:`",
        )
    llm = profile.llm.model_copy(update={"fallbacks": ()})  # what another model says is another judge's
    alone = {"llm": llm, "search": Search(), "cache": CacheSettings(type="none"), "observers": ()}
    return profile.model_copy(update=alone)


def model_of(profile: Profile) -> str:
    """Return what tells the model of a profile from others."""
    llm = profile.llm
    if llm is None:
        return ""
    name = f"{llm.provider}/{llm.model}" if llm.model else llm.provider
    return f"{name} at {llm.api_base}" if llm.api_base else name


@asynccontextmanager
async def opened_judge(profile: Profile, plugins: Plugins | None = None) -> AsyncGenerator[Judge]:
    """Open the model of ``profile`` as a judge and close it at the end.

    Raises:
        ProfileError, PluginError, ProviderError: it names no model, or that cannot be opened.
    """
    own = judging_profile(profile)
    async with Engine.opened(own, plugins=plugins) as engine:
        yield Judge(partial(engine.complete, step="judge"), timeout=own.llm.timeout if own.llm else 60.0)


@asynccontextmanager
async def opened_filling(
    profile: Profile,
    plugins: Plugins | None = None,
    *,
    batch: int = 1,
    concurrency: int = CONCURRENCY,
    pool: Path | None = None,
    progress: Progress | None = None,
) -> AsyncGenerator[Filling]:
    """Open the model of ``profile`` as a judge over a pool, and close both at the end.

    Args:
        batch, concurrency, progress: As ``Filling`` takes them.
        pool: The file of judgements; None: in qx's own folder.

    Raises:
        ProfileError, PluginError, ProviderError: as ``opened_judge``.
        DatasetError: the pool cannot be used.
    """
    kept = Pool(pool)
    try:
        async with opened_judge(profile, plugins) as judge:
            yield Filling(judge, kept, model=model_of(profile), batch=batch, concurrency=concurrency, progress=progress)
    finally:
        kept.close()
