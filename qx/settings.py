"""The profile as a validated value.  ``qx.profiles`` finds, reads and merges the YAML that it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, SecretStr, field_validator, model_validator

from qx.addresses import HttpAddress, language_hint, language_problem
from qx.domain import SynonymSet
from qx.durations import Duration, Wait
from qx.limits import Limits
from qx.model import Model
from qx.secrets import reveal
from qx.tiers import Prices, Tier, Tiers, Variant
from qx.validation import WrongValue
from qx.zones import is_zone, zone_hint

Mode = Literal["rules", "llm", "llm-single", "auto"]

Secret = SecretStr


class StageTokens(Model):
    """Tokens that the model may write, by step."""

    understand: int = Field(default=500, ge=16, le=1_000_000)
    """Tokens out for the analysis."""
    expand: int = Field(default=600, ge=16, le=1_000_000)
    """Tokens out for the queries; `llm-single` has the sum of both."""

    def of(self, stage: str) -> int:
        """Return the limit of a stage: ``understand``, ``single`` (both at once), or any that writes queries."""
        if stage == "understand":
            return self.understand
        return self.expand + (self.understand if stage == "single" else 0)


class StageTemperature(Model):
    """Temperature of the model's answers, by step."""

    understand: float = Field(default=0.1, ge=0, le=2)
    """Of the analysis; a re-ask has 0.1 at most."""
    expand: float = Field(default=0.4, ge=0, le=2)
    """Of the queries; a re-ask has 0.1 at most."""


class Endpoint(Model):
    """One model endpoint.  ``options`` are the provider's own settings (its ``Settings`` model checks them)."""

    provider: str = "openai"
    """`openai`, `cassette`, or a plugin's name."""
    model: str = ""
    """The name that the endpoint knows the model by."""
    api_base: HttpAddress | None = None
    """The address, up to and including `/v1`; null: the provider's own."""
    api_key: Secret | None = None
    """The key: `${NAME}` of an environment variable."""
    timeout: Wait = 8.0
    """Of one call."""
    prices: Prices | None = None
    """Of this model, for cost and for `budget.cost`; null: what the provider says."""
    options: Mapping[str, Any] = Field(default_factory=dict)
    """The provider's own settings, checked by it."""
    requests_per_second: float | None = Field(default=None, gt=0, le=1e6)
    """Calls begun in a second at most; null: no limit."""
    concurrency: int = Field(default=64, ge=1, le=10_000)
    """Calls under way at once."""


class LLM(Endpoint):
    """The language model: its endpoint, what it may write, and who stands in for it."""

    tiers: Tiers = Tiers()
    """Models for easy and hard queries, and what decides between them."""
    max_tokens: StageTokens = StageTokens()
    """Tokens that the model may write, by step."""
    temperature: StageTemperature = StageTemperature()
    """By step."""
    fallbacks: tuple[Endpoint, ...] = ()
    """Full endpoint blocks, tried in order when the one before fails; keys are not inherited."""
    retries: int = Field(default=2, ge=0, le=10)
    """Further attempts at the same endpoint for errors that may pass."""
    mask: bool = False
    """Replace personal data (mail, phone, card, identity numbers, what packs call sensitive) before a model sees it; put it back after."""

    @model_validator(mode="after")
    def _one_currency(self) -> Self:
        """Amounts in two currencies could not be added, nor held against one budget."""
        if len(found := self.currencies) > 1:
            raise ValueError(f"prices are in {' and '.join(found)}: give those of all models in one currency")
        return self

    @property
    def currencies(self) -> tuple[str, ...]:
        """The currencies of all prices; valid settings have one at most."""
        priced = (self, *self.fallbacks, self.tiers.easy, self.tiers.hard)
        return tuple(dict.fromkeys(one.prices.currency for one in priced if one is not None and one.prices is not None))

    def tier(self, name: str | None) -> Tier:
        """Return the model of a tier (``easy``, ``hard``), and its prompt variant; the block's own for any other name, or None."""
        named = {"easy": self.tiers.easy, "hard": self.tiers.hard}.get(name or "")
        return named or Tier(model=self.model)

    def prices_of(self, tier: str | None) -> Prices | None:
        """Return the prices of a tier's model; the block's own where the tier gives none."""
        return self.tier(tier).prices or self.prices


class Prompts(Model):
    """Plain text for the prompts' slots; never templates."""

    variant: Variant = "full"
    """`full`, `lean` (shorter, for small models) or `reasoning` (no examples, for models that reason by themselves)."""
    role: str = ""
    """Takes the place of the first sentence, which says who the model is."""
    domain_notes: str = ""
    """What a model should know of the field."""
    extra_rules: str = ""
    """Further rules, at the end of the instructions."""
    intent_hints: str = ""
    """What helps to tell the intents apart."""


class Understand(Model):
    """How queries are read."""

    mode: Mode = "auto"
    """`rules`, `llm`, `llm-single` or `auto`; `auto` without `llm:` is `rules`."""
    think: bool = False
    """Let the model reason first; its answer is then not bound to the JSON schema."""
    spelling: bool = True
    """Put unknown, misspelt words right; the original stays among the queries."""
    condense_above: int = Field(default=400, ge=50, le=1_000_000)
    """Characters; a longer query is condensed first."""
    examples: int = Field(default=2, ge=0, le=10)
    """Few-shot examples at most, the nearest ones in the query's language."""
    example_tokens: int = Field(default=600, ge=0, le=1_000_000)
    """Tokens that the examples may take together."""


class Open(Model):
    """A block that names a part and has the part's own settings beside it."""

    model_config = Model.model_config | {"extra": "allow"}

    @property
    def settings(self) -> dict[str, Any]:
        """What stands beside the block's own keys, secrets in plain: for the part's own ``Settings`` alone."""
        return reveal(dict(self.__pydantic_extra__ or {}))


class Named(Open):
    """A processor, observer or the like: its name, and its own settings beside it."""

    type: str
    """Its name; further keys are its own."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, item: object) -> object:
        return {"type": item} if isinstance(item, str) else item

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        """In a profile the bare name will do: ``near-duplicates`` for ``{type: near-duplicates}``."""
        return {"anyOf": [{"type": "string"}, handler.resolve_ref_schema(handler(core))]}


class Expand(Model):
    """How queries are expanded."""

    mode: Mode | None = None
    """As `understand.mode`, for this step; null: the same as there."""
    strategies: tuple[str, ...] | None = None
    """The strategies to use, in order; null: chosen for each query."""
    without: tuple[str, ...] = ()
    """Strategies that are never used, also where they would be chosen."""
    limit: int = Field(default=8, ge=0, le=20)
    """Queries beside the original at most."""
    abstain: Literal["auto", "never", "always"] = "auto"
    """`auto` leaves identifiers, quoted phrases and error messages alone; `never` expands all, `always` nothing."""
    iterate: int = Field(default=0, ge=0, le=3)
    """Rounds in which the model judges the coverage of its own queries and fills holes."""
    similarity: float = Field(default=0.9, gt=0, le=1)
    """Queries more alike than this (0 to 1) count as one."""
    max_length: int = Field(default=400, ge=10, le=100_000)
    """Characters of a query; a longer one is dropped."""
    batch: int = Field(default=10, ge=1, le=50)
    """Queries in one model call of `expand_many`."""
    processors: tuple[Named, ...] = (Named(type="fit"),)
    """What the expansion passes through, in order: a name, or a mapping of `type` and its settings."""


class CacheSettings(Open):
    """``type`` is ``memory``, ``sqlite``, ``none`` or a plugin's; other keys are that cache's own."""

    type: str = "memory"
    """`memory`, `sqlite`, `none`, or a plugin's name."""
    ttl: Duration = 86400.0
    """How long a result is kept."""


class FetchSettings(Open):
    """``type`` is ``http`` or a plugin's; other keys are that fetcher's own."""

    type: str = "http"
    """`http`, or a plugin's name."""
    concurrency: int = Field(default=16, ge=1, le=1000)
    """Pages that are read at once."""


class EmbedderSettings(Open):
    """``provider`` is ``openai`` or a plugin's; other keys are its own."""

    provider: str = "openai"
    """`openai`, or a plugin's name."""


class BackendBlock(Open):
    """One search backend: its type, and its own settings beside it."""

    type: str
    """`local`, or a plugin's name."""
    weight: float = Field(default=1.0, gt=0, le=1e6)
    """Of this backend's lists when several are merged."""
    timeout: Wait | None = None
    """Of one call; null: what is left of the deadline."""
    concurrency: int = Field(default=16, ge=1, le=10_000)
    """Calls under way at once."""
    requests_per_second: float | None = Field(default=None, gt=0, le=1e6)
    """Null: no limit."""


class Search(Model):
    """How the queries are run and their lists merged."""

    backends: Mapping[str, BackendBlock] = Field(default_factory=dict[str, BackendBlock])
    """By a name of your own, which stands in every hit."""
    identity: str = "url"
    """When two hits are one thing: `url` (where there is none, backend and id), `id`, or a canonical field's name."""
    fusion: Named = Named(type="rrf")
    """How lists are merged: `rrf`, `relative-score`, `dbsf`, or a plugin's name; further keys are its own."""
    share: float = Field(default=0.3, ge=0, le=1000)
    """What all other lists of a backend weigh together, where the original's weighs 1."""
    order: Literal["parallel", "sequential"] = "parallel"
    """`sequential` runs one sub-query after the other and stops once there is enough."""
    depth: int = Field(default=100, ge=1, le=1000)
    """Hits asked of each list."""
    min_results: int = Field(default=5, ge=0, le=1000)
    """With fewer hits than this, wider queries are made and run as well."""
    rerank: Literal["auto", "never"] = "auto"
    """`auto`: lists of several engines, or of one whose own order is not BM25, are put in order by the words they hold."""
    strong: float = Field(default=0.95, gt=0, le=1)
    """Share of the query's words that the first hits' titles must hold for the expansion to be left out; 1: never."""
    processors: tuple[Named, ...] = ()
    """What the merged list passes through, in order: a name, or a mapping of `type` and its settings."""


class RewriteRule(Model):
    """What the shop knows better: applied before everything else, shown in the trace."""

    match: str
    """Words that must all be in the query, in this order and as a phrase; case and width aside."""
    replace: str | None = None
    """Takes the place of the matched words."""
    add: tuple[str, ...] = ()
    """Queries to run besides."""
    pin: tuple[str, ...] = ()
    """Ids that come first, in this order."""
    block: tuple[str, ...] = ()
    """Ids that never come."""


class Profile(Model):
    """One tenant's settings, with defaults and ``extends`` already applied and secrets resolved.

    ``source`` is the file it came from, ``folder`` where relative paths start.  Further keys are sections that plugins
    own (``qx_profile_sections``); the loader of profiles and the engine see to it that a plugin does.
    """

    model_config = Model.model_config | {"extra": "allow"}

    name: str = "default"
    """The name of the file; not written in it."""
    tenant: str = ""
    """Whom it is for: cache, budget, breaker and logs are apart by tenant. Default: the name of the file. Not inherited."""
    timezone: str = "UTC"
    """IANA name: where "yesterday" is meant."""
    language: str | None = None
    """The language of queries, where it is not to be found out; a BCP 47 tag."""
    domains: tuple[str, ...] = ()
    """Domain packs: installed names or `./folders`, the most important first; `general` is always there, last."""
    plugins: tuple[str, ...] | None = None
    """The distributions that may be loaded; null: all that are installed (and `QX_PLUGINS`)."""
    deadline: Wait = 10.0
    """Of one request, from the moment it enters the engine."""
    reserve: Wait = 0.5
    """Of the deadline, left by model calls for what comes after them; a fifth of the deadline at most."""
    llm: LLM | None = None
    """The model; null: rules do the work."""
    embedder: EmbedderSettings | None = None
    """What turns texts into vectors, for processors that need it."""
    understand: Understand = Understand()
    """The first step."""
    expand: Expand = Expand()
    """The second step."""
    search: Search = Search()
    """The steps after expanding: engines, merging, hits."""
    rewrite: tuple[RewriteRule, ...] = ()
    """Rules for single queries, applied before everything."""
    prompts: Prompts = Prompts()
    """Plain text for the slots of the prompts; never templates."""
    synonyms: tuple[SynonymSet, ...] = ()
    """Sets of words that may stand for one another; with `of`, for that word only. They come before those of the packs."""
    lexicon: tuple[str, ...] = ()
    """Words that the segmenter keeps whole, and that spelling leaves as they are."""
    budget: Limits = Limits()
    """What one request, and a day of them, may spend; null: no limit."""
    cache: CacheSettings = CacheSettings()
    """Where results are kept; further keys are that cache's own."""
    observers: tuple[Named, ...] = ()
    """Who is told what happens: a name, or a mapping of `type` and its settings."""
    fetch: FetchSettings = FetchSettings()
    """How pages of the web are read, by plugins that read any; further keys are the fetcher's own."""
    source: Path | None = Field(default=None, exclude=True)
    folder: Path = Field(default_factory=Path.cwd, exclude=True)

    @property
    def sections(self) -> dict[str, Any]:
        """The sections that plugins own, by their keys, secrets in plain: each for its owner's ``Settings`` alone."""
        return reveal(dict(self.__pydantic_extra__ or {}))

    @field_validator("timezone", mode="before")
    @classmethod
    def _no_offset(cls, zone: object) -> object:
        if isinstance(zone, (int, float)):
            raise WrongValue("not an IANA time zone such as Asia/Shanghai", "name a place; hours know no summer time")
        return zone

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        if not is_zone(name):
            raise WrongValue("not an IANA time zone such as Asia/Shanghai", zone_hint(name))
        return name

    @field_validator("language")
    @classmethod
    def _known_shape(cls, tag: str | None) -> str | None:
        if tag is not None and (problem := language_problem(tag)):
            raise WrongValue(problem, language_hint(tag))
        return tag
