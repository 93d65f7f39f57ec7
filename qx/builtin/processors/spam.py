"""The processor ``spam``: drops what named detectors find (``qx.builtin.spam``), each hit with its reason.

Where most of the hits are spam, the outcome of the list is ``spam``: the engine then tries another wording once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field

from qx.builtin.spam.challenge import challenge
from qx.builtin.spam.farm import copies, farm
from qx.builtin.spam.gone import soft_404
from qx.builtin.spam.page import Detector, Page, page
from qx.builtin.spam.sales import sales
from qx.builtin.spam.sponsored import sponsored
from qx.model import Model
from qx.ranking import Ranking
from qx.types import Hit

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services

Name = Literal["sponsored", "sales", "farm", "soft-404", "challenge"]
ALL: tuple[Name, ...] = ("sponsored", "challenge", "soft-404", "sales", "farm")
_FEWEST = 3
"""With fewer spam hits than this, a list is not called spam."""


class Settings(Model):
    """The settings of ``{type: spam}`` under ``search.processors``."""

    detectors: tuple[Name, ...] = Field(default=ALL, min_length=1)
    """Which detectors look."""
    domains: tuple[str, ...] = ()
    """Further content farms, with all hosts below them."""
    top: int = Field(default=200, ge=1)
    """Hits that are looked at; those below are kept."""
    mostly: float = Field(default=0.5, gt=0, le=1)
    """Share of spam above which the whole list is called so."""


class Spam:
    """Registered as ``spam`` through ``qx_post_processors``."""

    Settings = Settings

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        domains = frozenset(domain.casefold().strip().removeprefix("www.") for domain in settings.domains)
        known: dict[Name, Detector] = {
            "sponsored": sponsored,
            "challenge": challenge,
            "soft-404": soft_404,
            "sales": sales,
            "farm": lambda found: farm(found, domains),
        }
        self._detectors = [(name, known[name]) for name in ALL if name in settings.detectors]

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the processor and read its word lists."""
        made = cls(settings)
        sample = page(Hit(id="1", backend="", title="a", text="warm up " * 20, url="https://e.org"))
        await services.run_cpu(lambda: made.reasons([sample, sample]))
        return made

    async def process_hits(self, ranking: Ranking, context: Context, /) -> Ranking:
        """Drop spam; the outcome is ``spam`` where it is most of what was looked at."""
        asked = context.query.text
        pages = [page(ranking.hit(i), asked) for i in range(min(self._settings.top, len(ranking.keys)))]
        reasons = self.reasons(pages)
        if not reasons:
            return ranking
        kept = ranking.pick([i for i in range(len(ranking.keys)) if i not in reasons])
        dropped = [(ranking.keys[i], f"spam, {reasons[i]}") for i in sorted(reasons)]
        mostly = len(reasons) >= _FEWEST and len(reasons) / len(pages) > self._settings.mostly
        return replace(
            kept,
            dropped=(*ranking.dropped, *dropped),
            outcome="spam" if mostly else ranking.outcome,
            notes=(*ranking.notes, f"{len(reasons)} of {len(pages)} hits were spam"),
        )

    def reasons(self, pages: Sequence[Page]) -> dict[int, str]:
        """Return for each page (by index) that is spam the detector and its reason."""
        found: dict[int, str] = {}
        for index, one in enumerate(pages):
            for name, detector in self._detectors:
                reason = detector(one)
                if reason:
                    found[index] = f"{name}: {reason}"
                    break
        if "farm" in self._settings.detectors:
            for index, reason in copies(pages).items():
                found.setdefault(index, f"farm: {reason}")
        return found

    async def aclose(self) -> None:
        """Nothing to close."""


__all__ = ["ALL", "Settings", "Spam"]
