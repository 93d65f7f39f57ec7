"""The processor ``filter``: keeps the hits whose fields match, whatever engine they came from.

For engines that cannot filter by themselves, such as web search.  Fields are names of the metadata as stored (``price``,
``metadata.price``, ``maker.country``), or ``id``, ``title``, ``text``, ``url``, ``backend``; the meaning of comparisons is
that of ``qx.filters.matching``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BeforeValidator, Field

from qx.errors import UsageError
from qx.filters import Compare, Exists, Filter, Not, Or, combine
from qx.filters.matching import evaluate
from qx.filters.options import parse_option
from qx.model import Model
from qx.ranking import Ranking
from qx.types import Hit

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services


def _listed(item: object) -> object:
    return (item,) if isinstance(item, str) else item


def _readable(text: str) -> str:
    try:
        parse_option(text)
    except UsageError as error:
        raise ValueError(str(error)) from error
    return text


Comparison = Annotated[str, BeforeValidator(str), BeforeValidator(lambda text: _readable(str(text)))]


class Settings(Model):
    """The settings of ``{type: filter}``."""

    where: Annotated[tuple[Comparison, ...], BeforeValidator(_listed)] = Field(min_length=1)
    """One or several of `FIELD OP VALUE`, all of which must hold; OP is one of `= != < <= > >=`."""
    missing: Literal["drop", "keep"] = "drop"
    """What becomes of a hit that lacks the field; `!=` matches it in any case."""


class FilterHits:
    """Registered as ``filter`` through ``qx_post_processors``."""

    Settings = Settings

    def __init__(self, settings: Settings) -> None:
        leaves = [parse_option(text) for text in settings.where]
        self._tree = combine(*(_lenient(leaf) for leaf in leaves) if settings.missing == "keep" else leaves)
        self._where = " and ".join(settings.where)

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the processor; it holds nothing but its filter."""
        del services
        return cls(settings)

    async def process_hits(self, ranking: Ranking, context: Context, /) -> Ranking:
        """Drop the hits that do not match."""
        del context
        kept = [i for i in range(len(ranking.keys)) if evaluate(self._tree, record(ranking.hit(i)))]
        if len(kept) == len(ranking.keys):
            return ranking
        inside = set(kept)
        dropped = [(key, f"does not match {self._where}") for i, key in enumerate(ranking.keys) if i not in inside]
        return replace(ranking.pick(kept), dropped=(*ranking.dropped, *dropped))

    async def aclose(self) -> None:
        """Nothing to close."""


def record(hit: Hit) -> dict[str, object]:
    """Return what a filter sees of a hit: its own fields, over those of its metadata."""
    own: dict[str, object] = {
        "id": hit.id,
        "backend": hit.backend,
        "title": hit.title,
        "text": hit.text,
        "url": hit.url,
    }
    return {**hit.metadata, **own, "metadata": hit.metadata}


def _lenient(leaf: Compare) -> Filter:
    return Or(filters=(Not(filter=Exists(field=leaf.field)), leaf))


__all__ = ["FilterHits", "Settings", "record"]
