"""What a profile lets a request, and a day of requests, spend."""

from __future__ import annotations

import re
from typing import Any, Literal

from pydantic import Field, model_validator

from qx.model import Model

WhenExhausted = Literal["rules", "fallback", "refuse"]

_AMOUNT = re.compile(
    r"(?P<before>[A-Za-z]{3})?\s*(?P<number>\d{1,12}(?:\.\d{1,9})?)\s*(?P<after>[A-Za-z]{3})?", re.ASCII
)
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "元": "CNY", "¥": "CNY"}


class Money(Model):
    """An amount of one currency; written `5 USD`, or as a number alone in the currency of `llm.prices`."""

    amount: float = Field(ge=0, le=1e9)
    """How much."""
    currency: str | None = Field(default=None, pattern="^[A-Z]{3}$")
    """ISO code; null: that of `llm.prices`."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, item: object) -> object:
        if isinstance(item, bool):
            raise ValueError("an amount of money is such as 5 USD")
        if isinstance(item, (int, float)):
            return {"amount": item}
        return _parsed(item) if isinstance(item, str) else item

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        """In a profile a number or ``5 USD`` will do."""
        text = {
            "type": "string",
            "pattern": r"^\s*([A-Za-z]{3}\s*)?\d+(\.\d+)?(\s*[A-Za-z]{3})?\s*$",
            "examples": ["5 USD"],
        }
        whole = handler.resolve_ref_schema(handler(core))
        return {"anyOf": [{"type": "number", "minimum": 0}, text, whole]}


def _parsed(text: str) -> dict[str, Any]:
    found = _AMOUNT.fullmatch(text.strip())
    if found is None or (found["before"] and found["after"]):
        number = re.search(r"\d+(?:\.\d+)?", text)
        code = next((code for sign, code in _SIGNS.items() if sign in text), None)
        meant = f"; write {number[0]} {code}" if number and code else ""
        raise ValueError(f"an amount of money is a number and an ISO code, such as 5 USD or 35 CNY{meant}")
    currency = found["before"] or found["after"]
    return {"amount": float(found["number"]), "currency": currency.upper() if currency else None}


class Limits(Model):
    """What one request may spend, and what all requests of a day may."""

    calls: int | None = Field(default=None, ge=0, le=1_000_000)
    """Model calls of a request; those that an endpoint refused (429, 5xx, wrong key) are not counted, nor paid."""
    tokens: int | None = Field(default=None, ge=0, le=1_000_000_000)
    """Tokens of a request, in and out together."""
    cost: float | None = Field(default=None, ge=0, le=1e9)
    """Money of a request, by `llm.prices` and in their currency."""
    calls_per_day: int | None = Field(default=None, ge=0, le=1_000_000_000)
    """Model calls of the tenant's day, in all processes together; a day begins at midnight in `timezone`."""
    tokens_per_day: int | None = Field(default=None, ge=0, le=1_000_000_000_000)
    """Tokens of the tenant's day, in and out together."""
    cost_per_day: Money | None = None
    """Money of the tenant's day, such as `5 USD`; the currency is that of `llm.prices`."""
    when_exhausted: WhenExhausted = "rules"
    """What becomes of a request once the day's budget is spent: `rules` goes on without a model, `fallback` asks `llm.fallbacks` alone, `refuse` ends it with an error."""

    @property
    def daily(self) -> bool:
        """Whether anything is limited by the day."""
        return any(limit is not None for limit in (self.calls_per_day, self.tokens_per_day, self.cost_per_day))


__all__ = ["Limits", "Money", "WhenExhausted"]
