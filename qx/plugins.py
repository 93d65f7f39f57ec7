"""Finds, loads, blocks and lists plugins.  The only file that touches pluggy's manager.

Every plugin gets a manager of its own, and each of its hooks is called singly: one that raises takes no other along.
What went wrong is kept for ``qx plugins``; only selecting a broken plugin raises.
"""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any, Literal, cast

import pluggy

from qx import installed
from qx.containment import contained, described, watching_interrupts
from qx.errors import PluginError
from qx.hookspecs import Contribution, HookSpecs
from qx.names import PROGRAM, is_reserved, name_problem, normal
from qx.registry import NOUNS, Entry, Refused, Registry, import_target, suggest
from qx.serial import value

if TYPE_CHECKING:
    from qx.calls.course import Courses
    from qx.clock import Clock
    from qx.steps.pace import Decisions

_log = logging.getLogger("qx")

KINDS: Mapping[str, str] = {
    "qx_llm_providers": "llm_providers",
    "qx_embedders": "embedders",
    "qx_search_backends": "backends",
    "qx_fusions": "fusions",
    "qx_intent_taxonomies": "taxonomies",
    "qx_domain_packs": "packs",
    "qx_post_processors": "processors",
    "qx_caches": "caches",
    "qx_observers": "observers",
    "qx_steps": "strategies",
    "qx_fetchers": "fetchers",
    "qx_describers": "describers",
    "qx_profile_sections": "sections",
    "qx_operations": "operations",
    "qx_commands": "commands",
}
"""Hook -> the kind of registry that it fills."""

BUILT_IN = "built in"
Status = Literal["ok", "failed", "blocked", "clash"]


@value
class PluginInfo:
    """One line of ``qx plugins``.

    Attributes:
        name: The entry point's name.
        version: The distribution's version, "" if it does not say.
        origin: ``built in``, or the distribution that it comes from.
        status: ``ok``; ``failed`` (raises or is malformed); ``blocked`` (not allowed); ``clash`` (claims a taken name).
        reason: What is wrong, or worth knowing; "" otherwise.
        contributions: ``kind:name`` of all that it brings.
    """

    name: str
    version: str = ""
    origin: str = BUILT_IN
    status: Status = "ok"
    reason: str = ""
    contributions: tuple[str, ...] = ()


@value
class _Loaded:
    """A plugin as found: what it claims, and the exception if it failed."""

    info: PluginInfo
    claims: tuple[tuple[str, Contribution[Any]], ...] = ()
    cause: BaseException | None = None


class Plugins:
    """The plugins of a process.  Make one with ``Plugins.load()``; an engine with an allow-list takes ``only(...)``."""

    decisions: Decisions | None = None
    """What is known of what came in time when this was recorded (``qx.recording``)."""

    courses: Courses | None = None
    """What became of each attempt of a call when this was recorded (``qx.recording``)."""

    clock: Clock | None = None
    """The clock of engines over a recording; None: the system's."""
    replaying = False
    """Whether nobody is asked, so that nothing is spent (``qx.recording``)."""

    def __init__(self, loaded: Sequence[_Loaded], *, strict: bool = False) -> None:
        self._loaded = _with_clashes(loaded)
        self._registries: dict[str, Registry] = {}
        if strict:
            self._raise_first()

    @classmethod
    def load(
        cls,
        allow: Iterable[str] | None = None,
        block: Iterable[str] = (),
        strict: bool = False,
        *,
        modules: Iterable[Any] = (),
    ) -> Plugins:
        """Load the built-ins and the plugins that are installed.

        Args:
            allow: Names of distributions or entry points that may be loaded; None: ``QX_PLUGINS`` (apart by commas;
                set but empty: none), else all.
            block: Names that may not, besides those of ``QX_DISABLE``.
            strict: Raise on any failure or clash; ``QX_STRICT=1`` does the same.
            modules: Further modules with hook implementations: the program's own, which needs no entry point.

        Raises:
            PluginError: only when strict.
        """
        if allow is None and (listed := os.environ.get("QX_PLUGINS")) is not None:
            allow = listed.split(",")
        allowed = None if allow is None else _names(allow)
        blocked = _names([*block, *os.environ.get("QX_DISABLE", "").split(",")])
        points = [(group, point) for group in ("qx", "qx.packs") for point in installed.entry_points(group)]
        found = [_load_point(group, point, allowed, blocked) for group, point in points]
        found += [
            _call_hooks(_Loaded(info=PluginInfo(name=str(module.__name__), origin=PROGRAM)), module)
            for module in modules
        ]
        return cls([_built_in(), *found], strict=strict or os.environ.get("QX_STRICT") == "1")

    def only(self, allow: Collection[str] | None) -> Plugins:
        """Return these plugins less those that are not in ``allow`` (None: all): a profile's ``plugins:`` list."""
        if allow is None:
            return self
        names = _names(allow)
        return Plugins(
            [
                _blocked(one, "not in the profile's list `plugins`") if not _is_in(one.info, names) else one
                for one in self._loaded
            ]
        )

    def check(self, name: str) -> None:
        """Raise what is wrong with the plugins of this name (an entry point's or a distribution's) that failed.

        Raises:
            PluginError: one of them could not be loaded; with the reason, from its exception.
        """
        for one in self._loaded:
            if one.info.status == "failed" and normal(name) in (normal(one.info.name), normal(one.info.origin)):
                raise PluginError(
                    f"plugin {_called(one.info)} failed: {one.info.reason}", plugin=one.info.name
                ) from one.cause

    def report(self) -> tuple[PluginInfo, ...]:
        """Return every plugin that was found, the built-ins first."""
        return tuple(one.info for one in self._loaded)

    def registry(self, kind: str) -> Registry:
        """Return the registry of ``kind``, one of ``KINDS.values()``.

        Raises:
            PluginError: there is no such kind.
        """
        if kind not in KINDS.values():
            raise PluginError(
                f"there is no registry {kind!r} ({suggest(kind, KINDS.values()) or 'see qx.plugins.KINDS'})"
            )
        if kind not in self._registries:
            self._registries[kind] = self._registry(kind)
        return self._registries[kind]

    def _registry(self, kind: str) -> Registry:
        entries: dict[str, Entry] = {}
        refused: dict[str, Refused] = {}
        for one in self._loaded:
            if one.info.status in ("failed", "blocked"):
                said = Refused(
                    reason=f"its plugin {_called(one.info)} is {one.info.status}: {one.info.reason}", cause=one.cause
                )
                refused |= dict.fromkeys(_guesses(one.info), said)
        for name, owners in _claims(self._loaded, kind).items():
            own = [o for o in owners if o[0].origin == BUILT_IN]
            owners = [o for o in owners if o in own or not is_reserved(kind, name, o[0].origin)]
            if not owners:
                refused[name] = Refused(reason="the name is reserved for qx itself")
            elif own or len(owners) == 1:
                info, claim = (own or owners)[0]
                entries[name] = Entry(name=name, target=claim.target, origin=_called(info), help=claim.help)
            else:
                claimed = " and ".join(_called(info) for info, _ in owners)
                refused[name] = Refused(reason=f"{claimed} both claim it; block one with QX_DISABLE")
        return Registry(kind, entries, refused=refused, read=_reader(kind))

    def _raise_first(self) -> None:
        for one in self._loaded:
            if one.info.status in ("failed", "clash") or (one.info.reason and one.info.status == "ok"):
                raise PluginError(f"plugin {_called(one.info)}: {one.info.reason}", plugin=one.info.name) from one.cause


# ---- finding and calling ----


def _load_point(group: str, point: EntryPoint, allowed: set[str] | None, blocked: set[str]) -> _Loaded:
    dist, version = installed.distribution(point)
    one = _Loaded(info=PluginInfo(name=point.name, version=version, origin=dist))
    if _is_in(one.info, blocked):
        return _blocked(one, "blocked by QX_DISABLE or the caller")
    if allowed is not None and not _is_in(one.info, allowed):
        return _blocked(one, "not in the list of allowed plugins (QX_PLUGINS or the caller's)")
    if group == "qx.packs":
        return _claiming(one, [("packs", Contribution(name=point.name, target=point.value))])
    try:
        with watching_interrupts(), contained(f"plugin {_called(one.info)}"):
            module = importlib.import_module(point.value.partition(":")[0].strip())
    except Exception as exc:  # noqa: BLE001 - whatever its module raises is that plugin's failure
        return _failed(one, "importing it raises", exc)
    return _call_hooks(one, module)


def _built_in() -> _Loaded:
    from qx import builtin

    return _call_hooks(_Loaded(info=PluginInfo(name="qx", version=installed.version("qx-query"))), builtin)


def _call_hooks(one: _Loaded, module: Any) -> _Loaded:
    manager = pluggy.PluginManager("qx")
    manager.add_hookspecs(HookSpecs)
    who = f"plugin {_called(one.info)}"
    try:
        with watching_interrupts(), contained(who):
            manager.register(module)
            stray = _stray_hooks(module, manager)
    except Exception as exc:  # noqa: BLE001 - a hook with an unknown argument, or attributes that raise
        return _failed(one, "its hooks do not fit", exc)
    claims: list[tuple[str, Contribution[Any]]] = []
    broken: tuple[str, BaseException] | None = None
    for hook in manager.get_hookcallers(module) or []:
        if hook.name not in KINDS:
            continue
        try:
            with watching_interrupts(), contained(who):
                brought: list[object] = hook()  # of the only plugin of this manager
                kind = KINDS[hook.name]
                claims += [(kind, _contribution(kind, item)) for items in brought for item in _listed(items)]
        except Exception as exc:  # noqa: BLE001 - as above; its other hooks still count
            broken = broken or (f"its hook {hook.name} raises", exc)
    one = _claiming(one, claims, stray)
    return _failed(one, *broken) if broken else one


def _listed(brought: object) -> Iterable[object]:
    if isinstance(brought, (list, tuple)):
        return cast("Iterable[object]", brought)
    raise TypeError(f"a hook returns a list of Contribution, not {type(brought).__name__}")


def _contribution(kind: str, item: object) -> Contribution[Any]:
    if not isinstance(item, Contribution):
        raise TypeError(f"a hook returns Contribution(name=..., target=...), not {type(item).__name__}")
    found = cast("Contribution[Any]", item)
    for part in (cast("object", found.name), cast("object", found.target)):
        if not isinstance(part, str) or not part.strip():
            raise TypeError("the name and the target of a Contribution are text")
    if said := name_problem(kind, found.name):
        raise ValueError(said)
    return found


def _stray_hooks(module: Any, manager: pluggy.PluginManager) -> str:
    """Say which hooks will never be called: unknown names, and functions without the marker."""
    said: list[str] = []
    called = {hook.name for hook in manager.get_hookcallers(module) or []}
    for name in sorted(called - set(KINDS)):
        near = suggest(name, KINDS) or "known: " + ", ".join(KINDS)
        said.append(f"there is no hook {name} ({near}), it is ignored")
    names: set[str] = set(dir(module))
    for name in sorted(names & set(KINDS) - called):
        said.append(f"{name} is not marked with @qx.hookimpl, it is ignored")
    return "; ".join(said)


# ---- names ----


def _names(names: Iterable[str]) -> set[str]:
    return {found for name in names if (found := normal(name))}


def _is_in(info: PluginInfo, names: set[str]) -> bool:
    return info.origin == BUILT_IN or bool({normal(info.name), normal(info.origin)} & names)


def _guesses(info: PluginInfo) -> set[str]:
    """Names that a plugin which cannot be asked probably claims: its entry point's, and its distribution's."""
    return {
        info.name,
        normal(info.name),
        normal(info.origin).removeprefix("qx-query-").removeprefix("qx-"),
        *(c.partition(":")[2] for c in info.contributions),
    }


def _called(info: PluginInfo) -> str:
    if info.origin == BUILT_IN:
        return BUILT_IN
    return " ".join(part for part in (info.name, f"({' '.join(p for p in (info.origin, info.version) if p)})") if part)


# ---- outcomes ----


def _claiming(one: _Loaded, claims: Sequence[tuple[str, Contribution[Any]]], note: str = "") -> _Loaded:
    if note:  # its user can do nothing about it at every command: `qx plugins` and `qx doctor` show it
        _log.info("plugin %s: %s", _called(one.info), note)
    listed = tuple(f"{kind}:{claim.name}" for kind, claim in claims)
    return replace(one, info=replace(one.info, contributions=listed, reason=note), claims=tuple(claims))


def _failed(one: _Loaded, what: str, exc: BaseException) -> _Loaded:
    behind = exc.__cause__ if isinstance(exc, PluginError) and exc.__cause__ is not None else exc
    reason = f"{what}: {described(behind)}"
    return replace(one, info=replace(one.info, status="failed", reason=reason), cause=exc)


def _blocked(one: _Loaded, reason: str) -> _Loaded:
    return replace(one, info=replace(one.info, status="blocked", reason=reason), claims=())


def _claims(loaded: Sequence[_Loaded], kind: str) -> dict[str, list[tuple[PluginInfo, Contribution[Any]]]]:
    found: dict[str, list[tuple[PluginInfo, Contribution[Any]]]] = {}
    for one in loaded:
        for of, claim in one.claims:
            if of == kind:
                found.setdefault(claim.name, []).append((one.info, claim))
    return found


def _with_clashes(loaded: Sequence[_Loaded]) -> tuple[_Loaded, ...]:
    """Mark plugins that claim a built-in's name or one another's."""
    said: dict[int, list[str]] = {}
    owners: dict[tuple[str, str], list[int]] = {}
    for index, one in enumerate(loaded):
        for kind, claim in one.claims:
            owners.setdefault((kind, claim.name), []).append(index)
    for (kind, name), indexes in owners.items():
        own = [i for i in indexes if loaded[i].info.origin == BUILT_IN]
        kept_off = [i for i in indexes if i not in own and (own or is_reserved(kind, name, loaded[i].info.origin))]
        claiming = [i for i in indexes if i not in kept_off and i not in own]
        for index in indexes:
            if index in own or claiming == [index]:
                continue
            others = ", ".join(_called(loaded[i].info) for i in claiming if i != index)
            why = "is reserved for qx itself" if index in kept_off else f"is claimed by {others} too"
            said.setdefault(index, []).append(f"the {NOUNS[kind]} {name!r} {why}")
    return tuple(_clashing(one, said[i]) if i in said else one for i, one in enumerate(loaded))


def _clashing(one: _Loaded, said: Sequence[str]) -> _Loaded:
    reasons = [*([one.info.reason] if one.info.reason else []), *dict.fromkeys(said)]
    status: Status = "clash" if one.info.status == "ok" else one.info.status
    return replace(one, info=replace(one.info, status=status, reason="; ".join(reasons)))


def _reader(kind: str) -> Any:
    if kind not in ("packs", "taxonomies"):
        return import_target

    def read(entry: Entry) -> Any:
        from qx import packs  # imported late: it loads pydantic models and the YAML reader

        return packs.read_entry(kind, entry)

    return read
