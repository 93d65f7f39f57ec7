"""From a hit to a source: its page is fetched, by the core's guarded fetcher, where the hit has only a snippet."""

from __future__ import annotations

from dataclasses import dataclass

from qx.context import Context
from qx.fetch import FetchLimits
from qx.types import Hit
from qx_answer.claims import Source
from qx_answer.loop_settings import ReadSettings

_CUT = ("…", "...", "……")
_DATES = ("published", "date", "published_at", "updated")


@dataclass(frozen=True, slots=True)
class Read:
    """The step ``read``.

    Args:
        web: Backends whose hits have snippets only.
    """

    settings: ReadSettings
    web: frozenset[str]

    def needs_page(self, hit: Hit) -> bool:
        """Whether the page of a hit is to be fetched."""
        if self.settings.fetch == "never" or not hit.url:
            return False
        if self.settings.fetch == "always":
            return True
        return hit.backend in self.web or not hit.text.strip() or hit.text.rstrip().endswith(_CUT)

    async def __call__(self, hit: Hit, context: Context, /) -> Source:
        """Return the source.

        Raises:
            ScrapeError: its page cannot be read.
        """
        if not self.needs_page(hit):
            return as_source(hit)
        limits = FetchLimits(seconds=self.settings.page_seconds, bytes=self.settings.page_bytes)
        page = await context.fetch(hit.url or "", limits)
        return Source(
            id=hit.id,
            text=page.text,
            title=page.title or hit.title or None,
            url=page.url,
            published=page.published or _published(hit),
        )


def as_source(hit: Hit) -> Source:
    """Return what a hit itself says as a source; of one that has only a title, that."""
    return Source(
        id=hit.id,
        text=hit.text if hit.text.strip() else hit.title,
        title=hit.title or None,
        url=hit.url,
        published=_published(hit),
    )


def _published(hit: Hit) -> str | None:
    found = next((hit.metadata[key] for key in _DATES if hit.metadata.get(key)), None)
    return None if found is None else str(found)
