"""Profiles: from a name or a file to one validated ``Profile``, its secrets resolved, its origins known."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, cast

from qx.errors import NotAllowed, PathNotAllowed, ProfileError
from qx.packs import ReadPack, is_folder, pack_file, read_domain
from qx.paths import confine, profile_folders
from qx.plugins import Plugins
from qx.profiles.checks import check_limits, check_paths, check_plugins, check_tenant, check_words
from qx.profiles.environment import environment, model_settings
from qx.profiles.files import default_layer, find, read_chain
from qx.profiles.layers import Layer, Layers
from qx.profiles.own_settings import check_own_settings
from qx.profiles.provenance import Setting, explain
from qx.profiles.references import Resolver
from qx.profiles.sections import check_keys
from qx.profiles.values import check_values
from qx.serial import empty, value
from qx.settings import Profile
from qx.validation import validate
from qx.yaml import Place

_log = logging.getLogger("qx")


@value
class Loaded:
    """A profile and what it was made of: for ``qx profile show`` and for messages about its parts.

    ``packs`` are those that it names in ``domains:``, and ``general``, where plugins were given: an engine goes on with
    what is read already.
    """

    profile: Profile
    layers: Layers
    packs: Mapping[str, ReadPack] = field(default_factory=empty)

    @classmethod
    def of(cls, profile: Profile) -> Loaded:
        """Return a profile that a program made: of no layers, its packs yet to be read."""
        return cls(profile=profile, layers=Layers(()))


def load_profile(
    name_or_path: str | Path | None = None,
    *,
    plugins: Plugins | None = None,
    env: Mapping[str, str] | None = None,
    allowed_env: Collection[str] | None = None,
    lenient: bool = False,
) -> Profile:
    """Load a profile.

    Args:
        name_or_path: A name, a file, or None for the built-in default.
        plugins: What is installed; if given, the defaults of the profile's packs lie under it, and every plugin that
            it names must be there.
        env: The variables that ``${NAME}`` may mean; None: the process's, over those of ``./.env``.
        allowed_env: The names that the operator allows for this tenant; None: any (the user is the operator).
        lenient: A variable that is not set is empty: for a replay, which asks nobody.

    Raises:
        ProfileError: with file, line, column and what to do.
        PackError: the defaults of a pack are wrong.
        PluginError: a plugin that it names is broken, blocked, or claimed twice.
    """
    return load(name_or_path, plugins=plugins, env=env, allowed_env=allowed_env, lenient=lenient).profile


def load(
    name_or_path: str | Path | None = None,
    *,
    plugins: Plugins | None = None,
    env: Mapping[str, str] | None = None,
    allowed_env: Collection[str] | None = None,
    lenient: bool = False,
) -> Loaded:
    """Load a profile together with its layers; as ``load_profile``."""
    env = environment() if env is None else env
    path = None if name_or_path is None else find(name_or_path, env=env)
    chain = read_chain(path, env) if path else ()
    folder = next((layer.folder for layer in chain if layer.folder), Path.cwd())
    own = [_inherited(layer, folder, env, first=index == 0) for index, layer in enumerate(chain)]
    below = [_environment(env, allowed_env), default_layer()]
    layers = Layers([*below, *reversed(own)])
    read = {} if plugins is None else _packs(layers, folder, plugins)
    if lying := _pack_layers(read):
        layers = Layers([*below, *reversed(lying), *reversed(own)])
    for note in layers.notes:
        _log.warning(note)
    name = path.stem if path and chain else "default"
    resolver = Resolver(env, allowed=allowed_env, locate=layers.place, lenient=lenient)
    profile = _validated(layers, name, path, folder, resolver, plugins)
    check_paths(layers, folder, env)
    if plugins is not None:
        check_plugins(profile, layers, plugins)
        if not lenient:  # in a replay nothing of it is made
            check_own_settings(profile, layers, plugins)
    return Loaded(profile=profile, layers=layers, packs=read)


def explain_profile(
    name_or_path: str | Path | None = None,
    *,
    plugins: Plugins | None = None,
    env: Mapping[str, str] | None = None,
    allowed_env: Collection[str] | None = None,
) -> tuple[Setting, ...]:
    """Load a profile as ``load_profile`` does and return each of its values with where it comes from.

    Secrets are shown as the name of their variable, or as stars.

    Raises:
        ProfileError, PackError, PluginError: as ``load_profile``.
    """
    loaded = load(name_or_path, plugins=plugins, env=env, allowed_env=allowed_env)
    return explain(loaded.profile, loaded.layers)


def _validated(
    layers: Layers,
    name: str,
    path: Path | None,
    folder: Path,
    resolver: Resolver,
    plugins: Plugins | None,
) -> Profile:
    data = resolver.resolve(layers.data)
    data |= {"name": name, "source": path, "folder": folder, "tenant": data.get("tenant", name)}
    check_values(data, layers)
    check_keys(data, layers, plugins)
    profile = validate(Profile, data, locate=layers.place, error=ProfileError)
    check_tenant(profile.tenant, layers)
    check_words(profile, layers)
    check_limits(profile, layers)
    return profile


def _environment(env: Mapping[str, str], allowed_env: Collection[str] | None) -> Layer:
    block = model_settings(env, allowed=allowed_env)
    return Layer(
        label="environment", data={"llm": block} if block else {}, place=lambda loc: Place(file="the environment")
    )


def _inherited(layer: Layer, folder: Path, env: Mapping[str, str], *, first: bool) -> Layer:
    """A layer as the profile in ``folder`` sees it: ``tenant`` is each file's own, ``./packs`` start at their file."""
    data = dict(layer.data)
    if not first:
        data.pop("tenant", None)
    domains: object = data.get("domains")
    if isinstance(domains, list):
        named = cast("list[object]", domains)
        data["domains"] = [_domain(item, i, layer, folder, env) for i, item in enumerate(named)]
    synonyms: object = data.get("synonyms")
    if isinstance(synonyms, list) and layer.folder != folder:
        data["synonyms"] = [_from_its_folder(item, layer) for item in cast("list[object]", synonyms)]
    return Layer(label=layer.label, data=data, place=layer.place, folder=layer.folder)


def _from_its_folder(item: object, layer: Layer) -> object:
    """A file of synonyms that a profile of another folder names."""
    if not isinstance(item, dict) or layer.folder is None:
        return cast("object", item)
    said = cast("dict[str, object]", item)
    file = said.get("file")
    return {**said, "file": str(layer.folder / file)} if isinstance(file, str) else said


def _domain(item: object, index: int, layer: Layer, folder: Path, env: Mapping[str, str]) -> object:
    if not isinstance(item, str) or not is_folder(item) or layer.folder is None:
        return item
    place = layer.place(("domains", index))
    try:
        found = confine(item, layer.folder, allowed=profile_folders(layer.folder, env))
    except NotAllowed as exc:
        raise PathNotAllowed(f"domains: {exc}", file=place.file, line=place.line, column=place.column) from exc
    if not pack_file(found).is_file() and not found.is_file():
        hint = "name a folder with pack.yaml, or an installed pack"
        message = f"domains: there is no pack in {item!r}"
        raise ProfileError(message, file=place.file, line=place.line, column=place.column, hint=hint)
    return item if layer.folder == folder else str(found)


def _packs(layers: Layers, folder: Path, plugins: Plugins) -> dict[str, ReadPack]:
    """The packs that the merged profile names, the most important first."""
    found: dict[str, ReadPack] = {}
    named: object = layers.data.get("domains") or []
    allow: object = layers.data.get("plugins")
    visible = plugins.only(cast("list[str]", allow)) if isinstance(allow, list) else plugins
    names = [n for n in cast("list[object]", named) if isinstance(n, str)] if isinstance(named, list) else []
    registry = visible.registry("packs")
    for name in dict.fromkeys([*names, "general"]):
        if not is_folder(name) and name not in registry:
            continue  # said by check_plugins, or with the other problems of the profile
        found[name] = read_domain(name, folder, visible)
    return found


def _pack_layers(packs: Mapping[str, ReadPack]) -> list[Layer]:
    """The defaults of packs, as layers of a profile."""
    found: list[Layer] = []
    for read in packs.values():
        if read.pack.defaults:
            place = Place(file=f"pack {read.pack.name}")
            found.append(Layer(label=place.file or "", data=read.pack.defaults, place=lambda loc, p=place: p))
    return found


_WITHOUT_EFFECT = frozenset(
    {"name", "tenant", "plugins", "deadline", "reserve", "budget", "cache", "observers", "fetch"}
)
WITHOUT_EFFECT_ON_MODEL = frozenset(
    {"api_key", "timeout", "prices", "requests_per_second", "concurrency", "retries", "headers"}
)


def fingerprint(profile: Profile) -> str:
    """Return a digest of all in ``profile`` that changes results: for cache keys.

    Model, address, prompts, parameters, strategies, words and the names of packs are in it (what a pack holds is in
    ``Knowledge.fingerprint``); values of secrets, limits, prices and where results are kept are not.
    """
    plain = profile.model_dump(mode="json")
    kept = {key: item for key, item in plain.items() if key not in _WITHOUT_EFFECT}
    for block in _endpoints(kept):
        for key in WITHOUT_EFFECT_ON_MODEL & block.keys():
            del block[key]
    text = json.dumps(kept, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _endpoints(kept: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for block in (kept.get("llm"), kept.get("embedder")):
        if block:
            yield block
            yield block.get("options") or {}
            tiers: dict[str, Any] = block.get("tiers") or {}
            yield from (tiers[name] for name in ("easy", "hard") if tiers.get(name))
            for fallback in block.get("fallbacks") or ():
                yield fallback
                yield fallback.get("options") or {}
