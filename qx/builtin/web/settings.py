"""The settings of ``type: web``: what is asked, how the answer is read, what of a filter the API can say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from qx.backend import BackendSettings
from qx.builtin.web import template
from qx.builtin.web.presets import over, preset
from qx.model import Model
from qx.registry import suggest
from qx.settings import Secret

PLACES = ("query", "limit", "offset", "first", "page", "page_index", "language", "api_key")
"""What any template may name; with it the names under ``vars`` and ``filters``."""

Period = Literal["day", "week", "month", "half-year", "year"]
Plain = str | int | float | bool | None


def compiled(pattern: str) -> Any:
    """Return an RE2 pattern: an API's message is somebody else's text, so it is read in linear time.

    Raises:
        ValueError: it is no such pattern.
    """
    import re2

    engine = cast("Any", re2)
    try:
        return engine.compile(pattern)
    except engine.error as error:
        raise ValueError(f"not an RE2 pattern: {error}") from None


class Response(Model):
    """Where things are in the answer: JMESPath expressions, those from ``id`` to ``metadata`` of each hit."""

    hits: str
    """The list of hits."""
    id: str | None = None
    """What tells hits apart; null, and where a hit has none: its address."""
    title: str = "title"
    text: str = "text"
    """The snippet."""
    link: str = "url"
    """The page's address."""
    published: str | None = None
    """When the page was published, in any common form; kept as `metadata.published`."""
    metadata: str | None = None
    """A mapping of what else is to be kept."""
    total: str | None = None
    """How many hits there are in all."""
    more: str | None = None
    """Whether there are further pages; null: they are asked for until one is empty."""
    valid: str | None = None
    """What every good answer has, also one without hits; null: an answer without the list is an error."""
    error: str | None = None
    """An error's message, within an answer of status 200 too."""
    none: str | None = None
    """A pattern (RE2) of messages that mean "nothing found" rather than an error."""
    quota: str | None = None
    """A pattern (RE2) of messages that mean a used-up quota, beside the usual ones."""
    wait: str | None = None
    """The header that says how many seconds to wait after a 429, where it is not `Retry-After`."""
    markup: bool = False
    """Whether titles and snippets are HTML."""

    @field_validator("hits", "id", "title", "text", "link", "published", "metadata", "total", "more", "valid", "error")
    @classmethod
    def _compiles(cls, expression: str | None) -> str | None:
        import jmespath
        from jmespath.exceptions import JMESPathError

        if expression is not None:
            try:
                jmespath.compile(expression)
            except JMESPathError as error:
                raise ValueError(f"not a JMESPath expression: {' '.join(str(error).split())[:200]}") from None
        return expression

    @field_validator("none", "quota")
    @classmethod
    def _pattern(cls, pattern: str | None) -> str | None:
        if pattern is not None:
            compiled(pattern)
        return pattern


class FilterRule(Model):
    """How one filter is said; its value stands wherever a template names the filter.  Without a form: the value."""

    query: bool = False
    """Say it in the query line, by the dialect (`site`, `filetype`, `published`)."""
    range: str | None = None
    """Form of a range of days, such as `{start}..{end}`."""
    day: str = "%Y-%m-%d"
    """How a day is written in it."""
    open: tuple[str, str] | None = None
    """What stands for an open start and an open end; null: the year 1970, and today."""
    periods: Mapping[Period, str] = Field(default_factory=dict[Period, str])
    """The API's words for "not older than": the shortest one that holds the wanted range is used."""
    values: Mapping[str, str] = Field(default_factory=dict[str, str])
    """Known value -> the API's word; with it, no other value can be asked for."""
    join: str | None = None
    """What stands between several values; null: one value only."""

    @property
    def dated(self) -> bool:
        """Whether it is a range of time."""
        return self.range is not None or bool(self.periods)


class Settings(BackendSettings):
    """What a profile says beside ``type: web``.  ``preset`` lies under all other keys; null takes one of its keys away."""

    preset: str | None = None
    """An API that is described already."""
    url: str
    """The address, with places for values such as `{query}` in its path or query."""
    method: Literal["GET", "POST"] = "GET"
    headers: Mapping[str, str] = Field(default_factory=dict[str, str])
    params: Mapping[str, Plain] = Field(default_factory=dict[str, Plain])
    """Parameters of the URL."""
    body: Any = None
    """The JSON body, with places for values in its texts."""
    api_key: Secret | None = None
    """The key: `${NAME}` of an environment variable; stands where a template says `{api_key}`."""
    vars: Mapping[str, Plain] = Field(default_factory=dict[str, Plain])
    """Further values for templates, by names of your own."""
    response: Response
    dialect: Literal["google", "bing", "baidu", "plain"] = "plain"
    """How operators are written in the query line."""
    max_chars: int | None = Field(default=None, ge=10)
    """Characters of a query; null: as the dialect has it."""
    max_words: int | None = Field(default=None, ge=1)
    language: str | None = None
    """Of the query; null: found out from its text."""
    languages: Mapping[str, str] = Field(default_factory=dict[str, str])
    """Language tag -> the API's word; with it, other languages are not sent."""
    page_size: int = Field(default=10, ge=1, le=1000)
    """Hits that the API returns at once at most."""
    pages: int = Field(default=5, ge=1, le=100)
    """Pages that one search asks for at most, each a call of its own."""
    max_results: int | None = Field(default=None, ge=1)
    """How far down the API goes."""
    filters: Mapping[str, FilterRule] = Field(default_factory=dict[str, FilterRule])
    """What of a filter the API can say, by the field's name."""
    own_order: bool = True
    """Keep the engine's own order where it is the only backend; false: by the words that the hits hold."""

    @model_validator(mode="before")
    @classmethod
    def _with_preset(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        own = cast("Mapping[str, Any]", given)
        name = own.get("preset")
        found = over(preset(name), own) if isinstance(name, str) else own
        if not found.get("url"):
            raise ValueError(
                "`url` is missing: " + (f"preset {name} needs your server's address" if name else "no API")
            )
        return found

    @field_validator("url")
    @classmethod
    def _address(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.fragment:
            raise ValueError("not an http or https address")
        if any(template.names(parts.scheme + parts.netloc)) or re.search(r"[\s{}]", parts.netloc):
            raise ValueError("no place for a value may stand in the host")
        return url

    @model_validator(mode="after")
    def _names_are_known(self) -> Settings:
        taken = set(PLACES)
        for section, added in (("vars", self.vars), ("filters", self.filters)):
            if both := taken & set(added):
                raise ValueError(f"{section}: {sorted(both)[0]!r} is taken")
            taken |= set(added)
        for where in ("url", "params", "body", "headers"):
            allowed = {"api_key", *self.vars} if where == "headers" else taken
            for name in template.names(getattr(self, where)):
                if name not in allowed:
                    raise ValueError(f"{where}: nothing is called {{{name}}}: {_hint(name, allowed)}")
        for name, rule in self.filters.items():
            if not rule.query and name not in self._named():
                raise ValueError(f"filters.{name} has no effect: put {{{name}}} into `params`, `body` or `url`")
            if rule.query and name not in ("site", "filetype", "published"):
                raise ValueError(f"filters.{name}: only site, filetype and published can go into the query line")
        if "query" not in self._named():
            raise ValueError("nothing names {query}: put it into `params`, `body` or `url`")
        if "api_key" in {*self._named(), *template.names(self.headers)} and not self._key():
            raise ValueError("`api_key` is missing: name a variable, api_key: ${NAME}")
        return self

    def _named(self) -> set[str]:
        return {name for part in (self.url, self.params, self.body) for name in template.names(part)}

    def _key(self) -> str:
        return self.api_key.get_secret_value().strip() if self.api_key else ""


def _hint(name: str, allowed: set[str]) -> str:
    return suggest(name, allowed) or f"give it under `vars`, or use one of {', '.join(sorted(allowed))}"
