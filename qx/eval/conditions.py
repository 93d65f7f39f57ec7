"""Which ways of searching stand beside one another: no expansion, profiles, ablations, baselines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, cast
from weakref import WeakKeyDictionary

from pydantic import BaseModel, SecretStr

from qx.errors import UsageError
from qx.eval.own_digest import digest
from qx.eval.places import only_in_places, places
from qx.eval.values import RAW, Condition, Part
from qx.plugins import BUILT_IN, Plugins
from qx.profiles import fingerprint as profile_fingerprint
from qx.settings import Expand, Profile, Prompts, Search
from qx.steps.understand import resolve_mode

_OF_EXPANSION = ("share", "strong", "min_results", "order")
"""Settings of searching that only matter where there are other queries than the original."""
_ASKING = ("llm", "embedder", "search", "expand")
"""Blocks of a profile that say who is asked, and with which keys."""
VARIANTS = ("full", "lean", "reasoning")


def conditions(
    profiles: Sequence[Profile],
    *,
    ablate: bool = False,
    baselines: Sequence[str] = (),
    plugins: Plugins | None = None,
) -> tuple[Condition, ...]:
    """Return the conditions of a run, in the order of the tables.

    ``no-expansion`` of the first profile comes first, and that of each further profile whose raw query is searched
    otherwise (other backends, processors, rules, packs); then each profile, with ``ablate`` followed by each of its
    strategies alone, all but one of them, and the other variants of the prompts where a model is asked; then baselines.

    Args:
        profiles: As they were loaded; two that share a name and nothing more are told apart.
        ablate: Whether parts of each profile are measured too.
        baselines: Names that ``qx.eval.baselines`` knows; they run over the first profile's backends.
        plugins: What is installed, for the names of the strategies; None: looked for where it is needed.

    Raises:
        UsageError: there is no profile, one stands there twice, or there is no baseline of a name.
    """
    named = told_apart(profiles)
    found = list(_raw(named))
    for name, profile in named:
        found.append(Condition(name=name, profile=profile, against=_against(found, profile)))
        if ablate:
            found += _ablated(name, profile, _against(found, profile), plugins or Plugins.load())
    for baseline in dict.fromkeys(baselines):
        _check_baseline(baseline)
        found.append(Condition(name=baseline, profile=named[0][1], baseline=baseline, against=RAW))
    return tuple(found)


def told_apart(profiles: Sequence[Profile]) -> list[tuple[str, Profile]]:
    """Return profiles by names that differ from one another and from the other conditions'.

    Raises:
        UsageError: there is none, or one stands there twice: that would only cost searches and comparisons.
    """
    if not profiles:
        raise UsageError("name at least one profile: --profile NAME")
    for place, profile in enumerate(profiles):
        if profile in profiles[:place]:
            raise UsageError(f"the profile {profile.name} is named twice: name it once")
    taken = {RAW}
    named: list[tuple[str, Profile]] = []
    for profile in profiles:
        name, number = profile.name, 1
        while name in taken:
            number += 1
            name = f"{profile.name} ({number})"
        taken.add(name)
        named.append((name, profile))
    return named


def _raw(named: Sequence[tuple[str, Profile]]) -> Iterator[Condition]:
    known: list[object] = []
    for name, profile in named:
        way = _raw_way(profile)
        if way not in known:
            known.append(way)
            called = RAW if len(known) == 1 else f"{RAW} ({name})"
            yield Condition(name=called, profile=_without_expansion(profile), expand=False)


def _raw_way(profile: Profile) -> object:
    """What decides which documents a raw query finds."""
    search = profile.search.model_dump(mode="json", include={"backends", "identity", "rerank", "processors"})
    rest = profile.model_dump(mode="json", include={"rewrite", "embedder", "domains", "language", "timezone"})
    return (search, rest, places(profile))


def _without_expansion(profile: Profile) -> Profile:
    """The profile without what only expansion uses: another limit of queries makes no other raw search."""
    plain = Search()
    update: dict[str, Any] = {
        "expand": Expand(),
        "prompts": Prompts(),
        "understand": profile.understand.model_copy(update={"mode": "rules"}),
        "search": profile.search.model_copy(update={name: getattr(plain, name) for name in _OF_EXPANSION}),
    }
    return profile.model_copy(update=update)


def _against(found: Sequence[Condition], profile: Profile) -> str:
    way = _raw_way(profile)
    return next(one.name for one in found if not one.expand and _raw_way(one.profile) == way)


def asks_model(profile: Profile) -> bool:
    """Whether a model understands or expands queries under ``profile``."""
    if profile.llm is None:
        return False
    return any(resolve_mode(mode, profile) != "rules" for mode in (profile.understand.mode, profile.expand.mode))


def _ablated(name: str, profile: Profile, against: str, plugins: Plugins) -> Iterator[Condition]:
    from qx.steps.drafts import MODEL_STRATEGIES

    by_model = asks_model(profile)
    used = strategies_of(profile, plugins)
    several = used if len(used) > 1 else ()
    less = {s: _expanding(profile, without=(*profile.expand.without, s)) for s in several}
    known = {_expands(one) for one in less.values()}
    for strategy in several:
        alone: dict[str, Any] = {"strategies": (strategy,), "without": ()}
        if by_model and strategy not in MODEL_STRATEGIES:
            alone["mode"] = "rules"  # a model has no such label, and would be allowed all of its own
        made = _expanding(profile, **alone)
        made = made.model_copy(update={"search": made.search.model_copy(update={"min_results": 0})})  # no wider round
        if _expands(made) not in known:  # of two strategies, one alone is all but the other
            part = None if by_model else Part(of=name, strategy=strategy, alone=True)
            yield Condition(name=f"{name} only {strategy}", profile=made, against=against, part=part)
    for strategy, made in less.items():  # a model is told its strategies: without one it may write others
        part = None if by_model else Part(of=name, strategy=strategy, alone=False)
        yield Condition(name=f"{name} -{strategy}", profile=made, against=against, part=part)
    for variant in VARIANTS if by_model else ():
        if variant != profile.prompts.variant:
            prompts = profile.prompts.model_copy(update={"variant": variant})
            varied = profile.model_copy(update={"prompts": prompts})
            yield Condition(name=f"{name} prompt={variant}", profile=varied, against=against)


def _expands(profile: Profile) -> object:
    """What tells two ablations of one profile apart; where strategies are chosen for each query, what may be chosen."""
    expand = profile.expand
    named = None if expand.strategies is None else tuple(s for s in expand.strategies if s not in expand.without)
    return (named, None if named is not None else frozenset(expand.without), expand.mode)


def strategies_of(profile: Profile, plugins: Plugins) -> tuple[str, ...]:
    """Return the strategies that may run under a profile: those that it names, else those that are chosen from."""
    from qx.rules.expand import MODEL_STRATEGIES  # those that cost a call each and are never chosen

    registry = plugins.registry("strategies")
    built_in = (name for name in registry.names() if registry.origin(name) == BUILT_IN)
    used = profile.expand.strategies or tuple(name for name in built_in if name not in MODEL_STRATEGIES)
    return tuple(name for name in used if name not in profile.expand.without)


def _expanding(profile: Profile, **changes: Any) -> Profile:
    return profile.model_copy(update={"expand": profile.expand.model_copy(update=changes)})


def _check_baseline(name: str) -> None:
    from qx.eval import baselines

    baselines.steps(name)


def fingerprint(condition: Condition, *, depth: int, plugins: Plugins, salt: bytes) -> str:
    """Return a digest of all that decides what a condition finds, but for the index: rows count only under the same.

    In it are what keys the engine's own memory (the profile, what its packs hold), time and budget of a request, the
    folder and tenant (of raw queries over local indexes only where these lie: a profile may be renamed), the baseline, the
    depth and the version of qx; and the keys and headers of models, embedders, engines and processors, since another key
    may see other documents.  A model or an engine that changes behind the same name and address is not seen.

    Args:
        salt: Keys the digest (``qx.eval.own_digest``): no key can be guessed from it.
    """
    profile = condition.profile
    parts = {
        "profile": profile_fingerprint(profile),
        "knowledge": _knowledge(plugins, profile),
        "limits": profile.model_dump(mode="json", include={"deadline", "reserve", "budget", "plugins"}),
        "whose": _whose(condition),
        "expand": condition.expand,
        "baseline": condition.baseline,
        "depth": depth,
        "qx": qx_version(),
        "credentials": list(_credentials({name: getattr(profile, name) for name in _ASKING})),
    }
    return digest(salt, parts)[:16]


def _whose(condition: Condition) -> Sequence[str]:
    profile = condition.profile
    if not condition.expand and condition.baseline is None and only_in_places(profile):
        return places(profile)
    return (profile.tenant, str(profile.folder.resolve()))


def _credentials(item: object) -> Iterator[list[object]]:
    """Yield every secret and all that is called ``headers`` in the blocks of a profile, with where it stands."""
    if isinstance(item, SecretStr):
        yield [item]
    elif isinstance(item, BaseModel):
        own = {name: getattr(item, name) for name in type(item).model_fields}
        yield from _credentials({**own, **(item.model_extra or {})})
    elif isinstance(item, Mapping):
        for name, one in cast("Mapping[str, object]", item).items():
            yield from ([name, *part] for part in ([[one]] if name == "headers" else _credentials(one)))
    elif isinstance(item, (list, tuple)):
        for place, one in enumerate(cast("list[object]", item)):
            yield from ([place, *part] for part in _credentials(one))


def _knowledge(plugins: Plugins, profile: Profile) -> str:
    """The fingerprint of what the packs of a profile hold; conditions that differ elsewhere share the reading."""
    known = _KNOWN.setdefault(plugins, {})
    words = profile.model_dump_json(include={"domains", "synonyms", "lexicon", "plugins", "language"})
    key = f"{profile.folder}\0{words}"
    if key not in known:
        from qx.gathering import gather_knowledge

        known[key] = gather_knowledge(profile, plugins.only(profile.plugins)).fingerprint
    return known[key]


_KNOWN: WeakKeyDictionary[Plugins, dict[str, str]] = WeakKeyDictionary()


@cache
def qx_version() -> str:
    """Return the version of qx that is installed."""
    try:
        return version("qx-query")
    except PackageNotFoundError:
        return "unknown"
