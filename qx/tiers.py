"""The models of an ``llm:`` block: their prices, and which of them a query is worth."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from qx.model import Model
from qx.types import Kind

Variant = Literal["full", "lean", "reasoning"]
TierName = Literal["easy", "hard", "own"]


class Prices(Model):
    """Money per million tokens."""

    input: float = Field(ge=0, le=1e9)
    """Of a million tokens sent."""
    output: float = Field(ge=0, le=1e9)
    """Of a million tokens written."""
    currency: str = Field(default="USD", pattern="^[A-Z]{3}$")
    """ISO code of the money that both are in; one for all models of a profile."""


class Tier(Model):
    """A model, and the prompt variant that suits it."""

    model: str
    """The model to ask instead of `llm.model`."""
    variant: Variant | None = None
    """The prompt variant for it; null: `prompts.variant`."""
    prices: Prices | None = None
    """Of this model; null: `llm.prices`."""


class Route(Model):
    """Sends the queries that it describes to a tier.  Every condition that is given must hold; the first route wins."""

    tier: TierName
    """`easy`, `hard`, or `own` for `llm.model` itself."""
    kinds: tuple[Kind, ...] = ()
    """The query is one of these: `simple`, `complex`, `vague`, `specialist`."""
    user_classes: tuple[str, ...] = ()
    """The user is of one of these classes, which the caller names (`Query.user_class`)."""
    seen_at_least: int | None = Field(default=None, ge=1, le=1_000_000)
    """This tenant asked the same this often within a week, this time included."""
    left_at_most: float | None = Field(default=None, ge=0, le=1)
    """No more than this share (0 to 1) of the day's budget is left."""


class Tiers(Model):
    """The models for easy and for hard queries, and what else decides between them."""

    easy: Tier | None = None
    """For simple and vague queries that rules are unsure of, in mode `auto`."""
    hard: Tier | None = None
    """For complex and specialist queries, in mode `auto`."""
    routes: tuple[Route, ...] = ()
    """Looked at first, in every mode with a model: by kind of query, user class, how often it is asked, what is left of the day."""

    @model_validator(mode="after")
    def _routes_lead_somewhere(self) -> Self:
        for index, route in enumerate(self.routes):
            if route.tier != "own" and getattr(self, route.tier) is None:
                raise ValueError(
                    f"routes.{index} leads to the tier {route.tier!r}, which names no model: give `{route.tier}:`"
                )
            if index and _takes_all(self.routes[index - 1]):
                raise ValueError(f"routes.{index} is never reached: the one before it has no condition")
        return self


def _takes_all(route: Route) -> bool:
    return route == Route(tier=route.tier)


__all__ = ["Prices", "Route", "Tier", "TierName", "Tiers", "Variant"]
