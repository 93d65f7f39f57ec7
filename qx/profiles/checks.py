"""What must hold in a profile beyond the types of its keys: the tenant's name, its files, and the plugins it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from qx.errors import NotAllowed, PathNotAllowed, PluginError, ProfileError
from qx.names import SECTIONS
from qx.packs import is_folder
from qx.packs.checks import check_synonyms
from qx.paths import allowed_folders, confine, profile_folders
from qx.plugins import BUILT_IN, Plugins, normal
from qx.profiles.layers import Layers
from qx.registry import suggest
from qx.settings import Profile
from qx.spending.account import budget_problem
from qx.validation import Problem, failure
from qx.yaml import Loc, walk

_TENANT = re.compile(r"\w[\w .@+-]{0,63}")
_PATH = re.compile(r"(?:^|_)(?:path|file|folder|dir|directory)$")
_WITH_PATHS = ("llm", "embedder", "cache", "observers", "expand")


def check_tenant(tenant: str, layers: Layers) -> None:
    """A tenant names folders and cache entries: one plain word or two.

    Raises:
        ProfileError: it is something else.
    """
    if not _TENANT.fullmatch(tenant) or ".." in tenant:
        raise layers.problem(
            f"tenant: {tenant[:80]!r} cannot be a tenant's name",
            ("tenant",),
            "letters, digits, '-', '_', '.', '@', '+' and spaces, 64 at most; without the key it is the file's name",
        )


def check_words(profile: Profile, layers: Layers) -> None:
    """The profile's own synonyms make sense.

    Raises:
        ProfileError: a set does not.
    """
    for loc, said, hint in check_synonyms(profile.synonyms):
        raise layers.problem(f"{'.'.join(map(str, loc))}: {said}", loc, hint)
    for index, one in enumerate(profile.synonyms):
        if one.file is not None:
            _check_file(one.file, ("synonyms", index, "file"), profile, layers)


def _check_file(name: str, loc: Loc, profile: Profile, layers: Layers) -> None:
    try:
        found = confine(Path(name), profile.folder, allowed=profile_folders(profile.folder)).is_file()
    except NotAllowed as exc:
        raise layers.problem(f"{'.'.join(map(str, loc))}: {exc}", loc, error=PathNotAllowed) from exc
    if not found:
        raise layers.problem(
            f"{'.'.join(map(str, loc))}: there is no file {name!r}", loc, "paths start beside the profile"
        )


def check_limits(profile: Profile, layers: Layers) -> None:
    """The budget of the day can be kept.

    Raises:
        ProfileError: it cannot; with its place.
    """
    if problem := budget_problem(profile):
        loc, said, hint = problem
        raise layers.problem(f"{'.'.join(map(str, loc))}: {said}", loc, hint)


def check_paths(layers: Layers, folder: Path, env: Mapping[str, str]) -> None:
    """The files that a profile names lie in its folder, or where the operator allows.

    Raises:
        PathNotAllowed: one does not.
    """
    allowed = allowed_folders(env)
    for loc, text in _paths(layers.data):
        try:
            confine(Path(text).expanduser(), folder, allowed=allowed)
        except NotAllowed as exc:
            raise layers.problem(f"{'.'.join(map(str, loc))}: {exc}", loc, error=PathNotAllowed) from exc
        except RuntimeError as exc:  # nobody's home folder
            raise layers.problem(f"{'.'.join(map(str, loc))}: {exc}", loc) from exc


def _paths(data: Mapping[str, Any]) -> Iterator[tuple[Loc, str]]:
    for section in (*_WITH_PATHS, *(key for key in data if key not in SECTIONS)):
        if section in data:
            yield from _below(data[section], (section,))
    yield from _local_indexes(data)


def _local_indexes(data: Mapping[str, Any]) -> Iterator[tuple[Loc, str]]:
    """The folders of indexes that are named from the profile's own; one elsewhere may be the tenant's, its backend knows."""
    search: object = data.get("search")
    backends: object = cast("Mapping[str, object]", search).get("backends") if isinstance(search, Mapping) else None
    for name, block in cast("Mapping[str, object]", backends).items() if isinstance(backends, Mapping) else ():
        if isinstance(block, Mapping):
            own = cast("Mapping[str, object]", block)
            path = own.get("path")
            if own.get("type") == "local" and isinstance(path, str) and not Path(path).expanduser().is_absolute():
                yield ("search", "backends", name, "path"), path


def _below(item: Any, loc: Loc) -> Iterator[tuple[Loc, str]]:
    if isinstance(item, Mapping):
        for key, inner in cast("Mapping[str, Any]", item).items():
            here = (*loc, key)
            if isinstance(inner, str):
                if _PATH.search(key.replace("-", "_")) and inner != "-" and "://" not in inner:
                    yield here, inner
            else:
                yield from _below(inner, here)
    elif isinstance(item, list):
        for index, inner in enumerate(cast("list[Any]", item)):
            yield from _below(inner, (*loc, index))


def check_plugins(profile: Profile, layers: Layers, plugins: Plugins) -> None:
    """Every plugin that a profile names is there.

    Raises:
        ProfileError: some are not known; each with its place and the nearest name.
        PluginError: one is broken, blocked or claimed twice; with its place and the cause.
    """
    unknown = list(_not_installed(profile, layers, plugins))
    visible = plugins.only(profile.plugins)
    for kind, name, loc in _named(profile):
        registry = visible.registry(kind)
        if name not in registry and not registry.is_refused(name):
            said = f"{_where(layers, loc)}: there is no {registry.noun} {name!r}"
            unknown.append(Problem(message=said, place=layers.place(loc), hint=registry.hint(name)))
    if unknown:
        raise failure(unknown, ProfileError)
    for index, name in enumerate(profile.plugins or ()):
        try:
            plugins.check(name)
        except PluginError as exc:
            place = layers.place(("plugins", index))
            raise PluginError(f"{place}: plugins.{index}: {exc}", plugin=name) from (exc.__cause__ or exc)
    for kind, name, loc in _named(profile):
        registry = visible.registry(kind)
        if name in registry:
            continue
        try:
            registry.check(name)
        except PluginError as exc:
            raise PluginError(f"{layers.place(loc)}: {_where(layers, loc)}: {exc}", plugin=name) from exc


def _where(layers: Layers, loc: Loc) -> str:
    return ".".join(map(str, walk(layers.data, loc)[0]))


def _not_installed(profile: Profile, layers: Layers, plugins: Plugins) -> Iterator[Problem]:
    """The items of ``plugins:`` that are not installed: a name that is misspelt would leave its plugin out unseen."""
    if not profile.plugins:
        return
    there = [info for info in plugins.report() if info.origin != BUILT_IN]
    known = {normal(name): name for info in there for name in (info.name, info.origin)}
    for index, name in enumerate(profile.plugins):
        if normal(name) not in known and normal(name) != "qx-query":
            listed = ", ".join(dict.fromkeys(info.origin for info in there)) or "none"
            hint = suggest(name, known.values()) or f"installed: {listed}; see `qx plugins`"
            said = f"plugins.{index}: no plugin {name!r} is installed"
            yield Problem(message=said, place=layers.place(("plugins", index)), hint=hint)


def _named(profile: Profile) -> Iterator[tuple[str, str, Loc]]:
    """Every plugin that the profile names: kind, name, place."""
    if profile.llm:
        yield "llm_providers", profile.llm.provider, ("llm", "provider")
        for index, fallback in enumerate(profile.llm.fallbacks):
            yield "llm_providers", fallback.provider, ("llm", "fallbacks", index, "provider")
    if profile.embedder:
        yield "embedders", profile.embedder.provider, ("embedder", "provider")
    yield "caches", profile.cache.type, ("cache", "type")
    for index, name in enumerate(profile.expand.strategies or ()):
        yield "strategies", name, ("expand", "strategies", index)
    for index, name in enumerate(profile.expand.without):
        yield "strategies", name, ("expand", "without", index)
    for index, named in enumerate(profile.expand.processors):
        yield "processors", named.type, ("expand", "processors", index, "type")
    for name, backend in profile.search.backends.items():
        yield "backends", backend.type, ("search", "backends", name, "type")
    yield "fusions", profile.search.fusion.type, ("search", "fusion", "type")
    for index, named in enumerate(profile.search.processors):
        yield "processors", named.type, ("search", "processors", index, "type")
    for index, named in enumerate(profile.observers):
        yield "observers", named.type, ("observers", index, "type")
    yield "fetchers", profile.fetch.type, ("fetch", "type")
    for name in profile.sections:
        yield "sections", name, (name,)
    for index, name in enumerate(profile.domains):
        if not is_folder(name):
            yield "packs", name, ("domains", index)
