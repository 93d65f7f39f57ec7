"""The kind of each query, by which every table is divided: what the data says, else how the rules read it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from qx.engine import Engine
from qx.errors import Closed, QxError
from qx.eval.values import Dataset, EvalQuery
from qx.settings import CacheSettings, Expand, Profile, Search, Understand

if TYPE_CHECKING:
    from qx.eval.sheets.items import Item
    from qx.plugins import Plugins

    T = TypeVar("T", EvalQuery, Item)


async def with_kinds(
    dataset: Dataset,
    profile: Profile,
    plugins: Plugins | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Dataset:
    """Return the dataset with a kind for every query: what the file says, else how the rules read it.

    Languages stay as the file states them, for those are asked with the query.

    Args:
        dataset: As it was loaded; its fingerprint stays, so that rows of earlier runs count.
        profile: Whose packs the rules know.
        plugins: What is installed; None: looked for.
        progress: Told after each query: how many of how many.

    Raises:
        ProfileError, PluginError: the profile cannot be opened.
    """
    return replace(dataset, queries=tuple(await read(dataset.queries, profile, plugins, progress=progress)))


async def read(
    asked: Sequence[T],
    profile: Profile,
    plugins: Plugins | None = None,
    *,
    languages: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> list[T]:
    """Return queries or items with the kind, and if wanted the language, that they do not have, as the rules read them.

    One that cannot be read stays as it is.

    Raises:
        ProfileError, PluginError: the profile cannot be opened.
    """
    if all(one.kind and (one.language or not languages) for one in asked):
        return list(asked)
    alone: dict[str, Any] = {"llm": None, "search": Search(), "cache": CacheSettings(type="none"), "observers": ()}
    by_rules = {"understand": Understand(mode="rules"), "expand": Expand(mode="rules")}  # no mode that needs the model
    reader = profile.model_copy(update=by_rules | alone)
    found: list[T] = []
    async with Engine.opened(reader, plugins=plugins) as engine:
        for one in asked:
            found.append(await _read(engine, one, languages=languages))
            if progress is not None:
                progress(len(found), len(asked))
    return found


async def _read(engine: Engine, one: T, *, languages: bool) -> T:
    if one.kind and (one.language or not languages):
        return one
    try:
        understood = await engine.understand(one.text)
    except Closed:
        raise
    except QxError:
        return one
    language = (one.language or understood.language) if languages else one.language
    return replace(one, kind=one.kind or understood.kind, language=language)
