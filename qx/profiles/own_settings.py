"""The settings of plugins and built-ins, checked where they stand: file, line, column and the nearest key.

Each contribution's ``Settings`` says what it accepts; to ask it, the module that it is in is imported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel

from qx.containment import within
from qx.errors import PluginError, ProfileError, QxError
from qx.model import Model
from qx.plugins import Plugins
from qx.profiles.layers import Layers
from qx.secrets import Redactor, reveal
from qx.settings import BackendBlock, CacheSettings, EmbedderSettings, Endpoint, FetchSettings, Named, Profile
from qx.validation import Problem, failure, problems_of, properties
from qx.yaml import Loc, walk

IMPORTING = 120.0
"""Seconds for which a plugin may be imported: a large client on a busy machine takes long without hanging."""

SECONDS = 10.0
"""For which a plugin, once imported, may check its settings."""

_OF_THE_BLOCK = ("model", "api_base", "api_key")
"""What a provider's ``Settings`` gets from the block itself; all else stands under ``options``."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one contribution is given.

    Attributes:
        kind, name: Which one.
        at: Where its part of the profile stands.
        named: The key of that part that names it; empty: the part's own key does.
        given: Its own settings, secrets in plain.
        block: The settings of qx that may stand beside them.
    """

    kind: str
    name: str
    at: Loc
    named: str
    given: Mapping[str, Any]
    block: type[BaseModel]

    @property
    def naming(self) -> Loc:
        """Where it is named."""
        return (*self.at, self.named) if self.named else self.at

    def where(self, own: Loc) -> Loc:
        """Return where a location of its settings stands in the profile."""
        if self.kind == "llm_providers" and own and own[0] not in _OF_THE_BLOCK:
            return (*self.at, "options", *own)
        return (*self.at, *own)


def parts(profile: Profile) -> Iterator[Part]:
    """Yield every contribution of ``profile`` that has settings of its own."""
    if profile.llm:
        yield _provider(profile.llm, ("llm",))
        for index, fallback in enumerate(profile.llm.fallbacks):
            yield _provider(fallback, ("llm", "fallbacks", index))
    if profile.embedder:
        block = profile.embedder
        yield Part("embedders", block.provider, ("embedder",), "provider", block.settings, EmbedderSettings)
    yield Part("caches", profile.cache.type, ("cache",), "type", profile.cache.settings, CacheSettings)
    for name, backend in profile.search.backends.items():
        yield Part("backends", backend.type, ("search", "backends", name), "type", backend.settings, BackendBlock)
    yield _named("fusions", profile.search.fusion, ("search", "fusion"))
    for kind, at, items in (
        ("processors", ("expand", "processors"), profile.expand.processors),
        ("processors", ("search", "processors"), profile.search.processors),
        ("observers", ("observers",), profile.observers),
    ):
        yield from (_named(kind, item, (*at, index)) for index, item in enumerate(items))
    yield Part("fetchers", profile.fetch.type, ("fetch",), "type", profile.fetch.settings, FetchSettings)
    for name, given in profile.sections.items():
        yield Part("sections", name, (name,), "", given, Model)


def _named(kind: str, item: Named, at: Loc) -> Part:
    return Part(kind, item.type, at, "type", item.settings, Named)


def _provider(block: Endpoint, at: Loc) -> Part:
    given: dict[str, Any] = reveal(block.options)
    given |= {key: reveal(item) for key in _OF_THE_BLOCK if (item := getattr(block, key))}
    return Part("llm_providers", block.provider, at, "provider", given, Endpoint)


def check_own_settings(profile: Profile, layers: Layers, plugins: Plugins) -> None:
    """Every plugin and built-in that the profile names accepts its settings.

    Raises:
        ProfileError: one does not; with the place of each setting and what is known there.  Values are not shown.
        PluginError: one cannot be imported, or takes more than ``IMPORTING`` or ``SECONDS``; with its place.
    """
    visible = plugins.only(profile.plugins)
    redact = Redactor.of(profile).text
    found = [problem for part in parts(profile) for problem in _problems(part, layers, visible)]
    if found:
        raise failure(
            [Problem(message=redact(p.message), place=p.place, hint=p.hint and redact(p.hint)) for p in found],
            ProfileError,
        )


def _problems(part: Part, layers: Layers, plugins: Plugins) -> list[Problem]:
    loc = part.naming
    noun = plugins.registry(part.kind).noun
    who = f"{layers.place(loc)}: {'.'.join(map(str, walk(layers.data, loc)[0]))}: the settings of {noun} {part.name!r}"
    if not part.given and walk(layers.data, part.at)[0] != part.at:
        return []  # nobody writes it: a default of qx
    try:
        model = within(IMPORTING, f"{who}: its import", lambda: _settings(part, layers, plugins))
        if model is None:
            return []
        return within(SECONDS, who, lambda: list(_asked(part, model, layers)))
    except QxError:
        raise
    except Exception as exc:  # noqa: BLE001 whatever its validators raise; the text may hold a secret, the type does not
        raise PluginError(f"{who} cannot be checked: {type(exc).__name__}", plugin=part.name) from None


def _asked(part: Part, model: type[BaseModel], layers: Layers) -> Iterator[Problem]:
    if not isinstance(cast("object", part.given), Mapping):
        said = f"{'.'.join(map(str, part.at))}: should be a mapping"
        yield Problem(message=said, place=layers.place(part.at), hint="write 'key: value' lines below it")
        return
    given = dict(part.given)
    if part.kind == "backends" and given.pop("name", None) is not None:
        loc = (*part.at, "name")
        hint = "a backend is called by the key that it stands under"
        yield Problem(message=f"{'.'.join(map(str, loc))}: unknown key", place=layers.place(loc), hint=hint)
    if part.kind == "llm_providers" and "model" not in model.model_fields:
        given.pop("model", None)  # every request carries it
    provider, backend = part.kind == "llm_providers", part.kind == "backends"
    also = () if provider else properties(part.block)
    hidden = _OF_THE_BLOCK if provider else ("name",) if backend else ()
    yield from problems_of(model, given, locate=layers.place, where=part.where, also=also, hidden=hidden)


def _settings(part: Part, layers: Layers, plugins: Plugins) -> type[BaseModel] | None:
    try:
        model: object = getattr(plugins.registry(part.kind).get(part.name), "Settings", None)
    except PluginError as exc:
        loc = part.naming
        said = f"{layers.place(loc)}: {'.'.join(map(str, walk(layers.data, loc)[0]))}: {exc}"
        raise PluginError(said, plugin=part.name) from exc
    return model if isinstance(model, type) and issubclass(model, BaseModel) else None
