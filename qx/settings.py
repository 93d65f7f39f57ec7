"""The profile as a validated value.  ``qx.profiles`` finds, reads and merges the YAML that it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, SecretStr, WithJsonSchema, field_validator, model_validator

from qx.domain import Model, SynonymSet
from qx.secrets import reveal

Mode = Literal["rules", "llm", "llm-single", "auto"]
Variant = Literal["full", "lean", "reasoning"]

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}


def seconds(item: object) -> object:
    """Turn ``1.5s``, ``300ms``, ``7d`` or a number into seconds; anything else is pydantic's to refuse."""
    if isinstance(item, str):
        text = item.strip()
        for unit in ("ms", "s", "m", "h", "d", "w"):
            if text.endswith(unit) and text[: -len(unit)].strip().replace(".", "", 1).isdigit():
                return float(text[: -len(unit)]) * _UNITS[unit]
        raise ValueError("a duration is a number of seconds or such as 300ms, 1.5s, 10m, 2h, 7d")
    return item


_DURATION_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "string", "pattern": r"^\s*\d+(\.\d+)?\s*(ms|s|m|h|d|w)\s*$", "examples": ["300ms", "1.5s", "7d"]},
    ]
}
Duration = Annotated[float, BeforeValidator(seconds), Field(gt=0), WithJsonSchema(_DURATION_SCHEMA, mode="validation")]
Secret = SecretStr


class Prices(Model):
    """Money per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    currency: str = "USD"


class StageTokens(Model):
    understand: int = Field(default=500, ge=16)
    expand: int = Field(default=600, ge=16)


class StageTemperature(Model):
    understand: float = Field(default=0.1, ge=0, le=2)
    expand: float = Field(default=0.4, ge=0, le=2)


class Tier(Model):
    """A model, and the prompt variant that suits it."""

    model: str
    variant: Variant | None = None


class Tiers(Model):
    """The models for easy and for hard queries in mode ``auto``; None: the block's own ``model``."""

    easy: Tier | None = None
    hard: Tier | None = None


class Endpoint(Model):
    """One model endpoint.  ``options`` are the provider's own settings (its ``Settings`` model checks them)."""

    provider: str = "openai"
    model: str = ""
    api_base: str | None = None
    api_key: Secret | None = None
    timeout: Duration = 8.0
    prices: Prices | None = None
    options: Mapping[str, Any] = Field(default_factory=dict)
    requests_per_second: float | None = Field(default=None, gt=0)
    concurrency: int = Field(default=64, ge=1)


class LLM(Endpoint):
    tiers: Tiers = Tiers()
    max_tokens: StageTokens = StageTokens()
    temperature: StageTemperature = StageTemperature()
    fallbacks: tuple[Endpoint, ...] = ()
    retries: int = Field(default=2, ge=0, le=10)
    mask: bool = False
    """Replace personal data (mail, phone, card, identity numbers) before a hosted model sees it; put it back after."""


class Prompts(Model):
    """Plain text for the prompts' slots; never templates."""

    variant: Variant = "full"
    role: str = ""
    domain_notes: str = ""
    extra_rules: str = ""
    intent_hints: str = ""


class Understand(Model):
    mode: Mode = "auto"
    think: bool = False
    spelling: bool = True
    condense_above: int = Field(default=400, ge=50)
    """Characters; a longer query is condensed first."""
    examples: int = Field(default=2, ge=0, le=10)
    example_tokens: int = Field(default=600, ge=0)


class Named(Model):
    """A processor, observer or the like: its name, and its own settings beside it."""

    model_config = Model.model_config | {"extra": "allow"}
    type: str

    @model_validator(mode="before")
    @classmethod
    def _short(cls, item: object) -> object:
        return {"type": item} if isinstance(item, str) else item

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        """In a profile the bare name will do: ``near-duplicates`` for ``{type: near-duplicates}``."""
        return {"anyOf": [{"type": "string"}, handler.resolve_ref_schema(handler(core))]}

    @property
    def settings(self) -> dict[str, Any]:
        """What stands beside ``type``, secrets in plain: for the plugin's own ``Settings`` alone."""
        return reveal(dict(self.__pydantic_extra__ or {}))


class Expand(Model):
    mode: Mode | None = None
    """None: as ``understand.mode``."""
    strategies: tuple[str, ...] | None = None
    """None: chosen for each query."""
    limit: int = Field(default=8, ge=0, le=20)
    """Queries beside the original."""
    abstain: Literal["auto", "never", "always"] = "auto"
    iterate: int = Field(default=0, ge=0, le=3)
    """Rounds in which the model judges the coverage of its own queries."""
    similarity: float = Field(default=0.9, gt=0, le=1)
    """Queries more alike than this are one."""
    max_length: int = Field(default=400, ge=10)
    """Characters of a sub-query."""
    batch: int = Field(default=10, ge=1, le=50)
    processors: tuple[Named, ...] = (Named(type="fit"),)


class Limits(Model):
    """What one request may spend."""

    calls: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    cost: float | None = Field(default=None, ge=0)


class CacheSettings(Model):
    """``type`` is ``memory``, ``sqlite``, ``none`` or a plugin's; other keys are that cache's own."""

    model_config = Model.model_config | {"extra": "allow"}
    type: str = "memory"
    ttl: Duration = 86400.0

    @property
    def settings(self) -> dict[str, Any]:
        """What stands beside ``type`` and ``ttl``, secrets in plain: for the cache's own ``Settings`` alone."""
        return reveal(dict(self.__pydantic_extra__ or {}))


class EmbedderSettings(Model):
    """``provider`` is ``openai`` or a plugin's; other keys are its own."""

    model_config = Model.model_config | {"extra": "allow"}
    provider: str = "openai"

    @property
    def settings(self) -> dict[str, Any]:
        """What stands beside ``provider``, secrets in plain: for the embedder's own ``Settings`` alone."""
        return reveal(dict(self.__pydantic_extra__ or {}))


class Profile(Model):
    """One tenant's settings, with defaults and ``extends`` already applied and secrets resolved.

    ``source`` is the file it came from, ``folder`` where relative paths start.
    """

    name: str = "default"
    tenant: str = ""
    timezone: str = "UTC"
    language: str | None = None
    domains: tuple[str, ...] = ()
    plugins: tuple[str, ...] | None = None
    """The distributions that may be loaded; None: all that are installed (and ``QX_PLUGINS``)."""
    deadline: Duration = 10.0
    reserve: Duration = 0.5
    """Seconds of the deadline that model calls leave for what comes after them."""
    llm: LLM | None = None
    embedder: EmbedderSettings | None = None
    understand: Understand = Understand()
    expand: Expand = Expand()
    prompts: Prompts = Prompts()
    synonyms: tuple[SynonymSet, ...] = ()
    lexicon: tuple[str, ...] = ()
    budget: Limits = Limits()
    cache: CacheSettings = CacheSettings()
    observers: tuple[Named, ...] = ()
    source: Path | None = Field(default=None, exclude=True)
    folder: Path = Field(default_factory=Path.cwd, exclude=True)

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError("not an IANA time zone such as Asia/Shanghai") from None
        return name
