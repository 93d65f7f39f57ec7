"""Name -> contribution, loaded on first use; with did-you-mean, and the reason why a name cannot be had."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from qx.containment import contained, described, watching_interrupts
from qx.errors import PluginError
from qx.serial import EMPTY, value


def suggest(name: object, known: Iterable[str]) -> str | None:
    """Return ``did you mean 'x'?`` for the nearest of ``known``, else None."""
    by_folded = {k.casefold(): k for k in known}
    near = difflib.get_close_matches(str(name).casefold()[:100], by_folded, n=1, cutoff=0.6)
    return f"did you mean {by_folded[near[0]]!r}?" if near else None


@value
class Entry:
    """One name of a registry: what its target is, and which plugin brought it."""

    name: str
    target: str
    origin: str
    help: str = ""


@value
class Refused:
    """Why a name cannot be had, and the exception behind it."""

    reason: str
    cause: BaseException | None = None


class Registry:
    """The contributions of one kind.  Nothing is imported before ``get``.

    Args:
        kind: ``llm_providers``, ``caches`` ...
        entries: What can be had.
        refused: Names that two plugins claim, or whose plugin is broken or blocked.
        read: Turns an entry into its object; None: imports ``package.module:attribute``.
    """

    def __init__(
        self,
        kind: str,
        entries: Mapping[str, Entry],
        *,
        refused: Mapping[str, Refused] = EMPTY,
        read: Callable[[Entry], Any] | None = None,
    ) -> None:
        self.kind = kind
        self._entries = entries
        self._refused = refused
        self._read = read or import_target
        self._loaded: dict[str, Any] = {}

    def names(self) -> tuple[str, ...]:
        """Return the names that can be chosen, sorted."""
        return tuple(sorted(self._entries))

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def origin(self, name: str) -> str:
        """Return which plugin brings ``name``; as ``check``."""
        self.check(name)
        return self._entries[name].origin

    def help(self, name: str) -> str:
        """Return the line that ``name``'s plugin says of it, "" where it says none; as ``check``."""
        self.check(name)
        return self._entries[name].help

    def target(self, name: str) -> str:
        """Return what ``name`` stands for, ``package.module:attribute`` or ``package:file.yaml``; as ``check``."""
        self.check(name)
        return self._entries[name].target

    def check(self, name: str) -> None:
        """Say whether ``name`` can be chosen, without importing anything.

        Raises:
            PluginError: it is unknown (with the nearest name), claimed twice, or its plugin is broken or blocked.
        """
        if name in self._entries:
            return
        if refused := self._refused.get(name):
            raise PluginError(f"{self.noun} {name!r} cannot be used: {refused.reason}", plugin=name) from refused.cause
        raise PluginError(f"there is no {self.noun} {name!r} ({self.hint(name)})", plugin=name)

    def is_refused(self, name: str) -> bool:
        """Whether ``name`` is known, but cannot be had."""
        return name in self._refused and name not in self._entries

    @property
    def noun(self) -> str:
        """What one of this kind is called in a message."""
        return NOUNS.get(self.kind, self.kind)

    def hint(self, name: str) -> str:
        """Return what to do about the unknown ``name``."""
        known = ", ".join(self.names()) or "none"
        return suggest(name, self._entries) or f"known: {known}; is its plugin installed? see `qx plugins`"

    def get(self, name: str) -> Any:
        """Return the object behind ``name``, imported on first use.

        Raises:
            PluginError: as ``check``; or the target does not import, with the exception as its cause.
        """
        self.check(name)
        if name not in self._loaded:
            self._loaded[name] = self._read(self._entries[name])
        return self._loaded[name]

    def wrapped(self, wrap: Callable[[str, Callable[[], Any]], Any]) -> Registry:
        """Return the same names, each with what ``wrap`` makes of it (told the name, and what loads the plain object)."""

        def read(entry: Entry) -> Any:
            return wrap(entry.name, lambda: self.get(entry.name))

        return Registry(self.kind, self._entries, refused=self._refused, read=read)


NOUNS = {
    "llm_providers": "LLM provider",
    "embedders": "embedder",
    "backends": "search backend",
    "fusions": "fusion",
    "taxonomies": "taxonomy",
    "packs": "domain pack",
    "processors": "processor",
    "caches": "cache",
    "observers": "observer",
    "strategies": "strategy",
    "fetchers": "fetcher",
    "describers": "describer",
    "sections": "section of profiles",
    "operations": "operation",
    "commands": "command",
}


def import_target(entry: Entry) -> Any:
    """Import ``package.module:attribute`` of ``entry``.

    Raises:
        PluginError: it does not import, or has no such attribute.
    """
    module, _, attribute = entry.target.partition(":")
    if not module or not attribute:
        raise PluginError(
            f"{entry.origin}: the target {entry.target!r} of {entry.name!r} is not 'package.module:attribute'",
            plugin=entry.name,
        )
    try:
        with watching_interrupts(), contained(entry.origin):
            found = importlib.import_module(module)
            for part in attribute.split("."):
                found = getattr(found, part)
    except Exception as exc:  # whatever a plugin's module raises is that plugin's failure
        raise PluginError(
            f"{entry.origin}: {entry.name!r} cannot be loaded from {entry.target!r}: {described(exc)}",
            plugin=entry.name,
        ) from exc
    return found
