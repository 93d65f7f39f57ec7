"""What ``block`` and ``allow`` go by: ids, URLs, domains and patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from pydantic import Field, model_validator

from qx.builtin.spam.farm import within
from qx.errors import ProfileError
from qx.model import Model
from qx.ranking import Ranking
from qx.types import Hit
from qx.urls import host_of, url_key

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services


class Settings(Model):
    """The settings of ``{type: block}`` and ``{type: allow}``; a hit that any of them names is meant."""

    ids: tuple[str, ...] = ()
    """Documents' own ids."""
    urls: tuple[str, ...] = ()
    """Pages; tracking parameters, fragments and the like do not count."""
    domains: tuple[str, ...] = ()
    """Hosts with all that lie below them."""
    patterns: tuple[str, ...] = Field(default=(), max_length=200)
    """RE2 patterns that URL, title or text holds; `(?i)` for any case."""

    @model_validator(mode="after")
    def _something(self) -> Settings:
        if not (self.ids or self.urls or self.domains or self.patterns):
            raise ValueError("name at least one of ids, urls, domains and patterns")
        return self


class Rules:
    """The settings made ready for matching.

    Raises:
        ProfileError: a pattern is not RE2.
    """

    def __init__(self, settings: Settings, name: str) -> None:
        self._ids = frozenset(settings.ids)
        self._urls = frozenset(map(url_key, settings.urls))
        self._domains = frozenset(_domain(domain) for domain in settings.domains)
        self._patterns = _compiled(settings.patterns, name)

    def reason(self, hit: Hit) -> str | None:
        """Return which rule means ``hit``, or None."""
        if hit.id in self._ids:
            return f"id {hit.id}"
        if hit.url:
            if self._urls and url_key(hit.url) in self._urls:
                return f"URL {url_key(hit.url)}"
            domain = within(host_of(hit.url), self._domains) if self._domains else None
            if domain:
                return f"domain {domain}"
        for text, pattern in self._patterns:
            if any(pattern.search(part.encode("utf-8", "replace")) for part in (hit.url or "", hit.title, hit.text)):
                return f"pattern {text}"
        return None


class ByList:
    """What ``allow`` and ``block`` share; each says in ``why`` which hits go."""

    Settings = Settings
    name: str

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the processor.

        Raises:
            ProfileError: a pattern is not RE2.
        """
        return cls(await services.run_cpu(lambda: Rules(settings, cls.name)))

    async def process_hits(self, ranking: Ranking, context: Context, /) -> Ranking:
        """Drop the hits that are to go, each with the reason."""
        del context
        reasons = [self.why(self._rules.reason(ranking.hit(i))) for i in range(len(ranking.keys))]
        dropped = [(ranking.keys[i], reason) for i, reason in enumerate(reasons) if reason]
        if not dropped:
            return ranking
        kept = ranking.pick([i for i, reason in enumerate(reasons) if not reason])
        return replace(kept, dropped=(*ranking.dropped, *dropped))

    def why(self, rule: str | None) -> str | None:
        """Return why a hit goes, by the rule that means it (None: none does); None where it stays."""
        raise NotImplementedError

    async def aclose(self) -> None:
        """Nothing to close."""


def _domain(domain: str) -> str:
    """A domain as ``host_of`` writes hosts; a whole URL is taken for its host."""
    text = domain.strip().removeprefix("*.").removeprefix(".")
    return host_of(text if "://" in text else f"https://{text}") or text.casefold()


def _compiled(patterns: Sequence[str], name: str) -> list[tuple[str, Any]]:
    if not patterns:
        return []
    re2: Any = import_module("re2")  # a native library without types
    options = re2.Options()
    options.log_errors = False
    out: list[tuple[str, Any]] = []
    for text in patterns:
        try:
            out.append((text, re2.compile(text.encode(), options)))
        except re2.error as error:
            raise ProfileError(f"the pattern {text!r} of the processor {name} is not RE2: {error}") from error
    return out


__all__ = ["Rules", "Settings"]
