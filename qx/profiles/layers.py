"""Layers of settings: which files a profile is made of, how they merge, and which of them gave a value.

From the bottom: the environment, the built-in default, the packs' defaults, what the profile extends, the profile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from qx.errors import ProfileError
from qx.names import SECTIONS
from qx.profiles.references import is_endpoint
from qx.secrets import is_secret
from qx.serial import value
from qx.yaml import Loc, Place, walk


@value
class Layer:
    """One source of settings.

    Attributes:
        label: What it is called: ``profile acme``, ``pack ecommerce``, ``default``, ``environment``.
        data: Its settings.
        place: Where something of it is written.
        folder: The folder of its file, if it has one.
    """

    label: str
    data: Mapping[str, Any]
    place: Callable[[Sequence[str | int]], Place]
    folder: Path | None = None


class Layers:
    """Layers merged, the last on top.

    Attributes:
        data: The merged settings.
        notes: What was left behind in merging, for the log.
    """

    def __init__(self, layers: Sequence[Layer]) -> None:
        self.layers = tuple(layers)
        self.notes: list[str] = []
        self.data: dict[str, Any] = {}
        for layer in self.layers:
            self.data = self._merge(self.data, layer.data, (), layer)

    def _merge(self, lower: Mapping[str, Any], upper: Mapping[str, Any], at: Loc, layer: Layer) -> dict[str, Any]:
        """Mappings merge, lists replace, null removes; see ``not_inherited`` for what does not carry over."""
        gone = not_inherited(lower, upper, at)
        if "api_key" in gone and self._is_written((*at, "api_key"), layer):
            where = ".".join(map(str, at))
            self.notes.append(
                f"{layer.place(at)}: {where} names another endpoint: the key it extends is not used there"
            )
        merged = {key: item for key, item in lower.items() if key not in gone}
        for key, item in upper.items():
            if item is None:
                merged.pop(key, None)
            elif isinstance(item, Mapping):
                below = _mapping(merged.get(key))
                merged[key] = self._merge(below, _mapping(cast("object", item)), (*at, key), layer)
            else:
                merged[key] = item
        return merged

    def _is_written(self, loc: Loc, above: Layer) -> bool:
        """Whether a layer below ``above`` (the environment aside) gives ``loc``."""
        lower = self.layers[: self.layers.index(above)]
        return any(walk(layer.data, loc)[0] == loc for layer in lower if layer.label != "environment")

    def owners(self, loc: Sequence[str | int]) -> list[Layer]:
        """Return the layers that write something at ``loc``, the one that counts first."""
        gone, _ = walk(self.data, loc)
        return [layer for layer in reversed(self.layers) if walk(layer.data, gone)[0] == gone]

    def place(self, loc: Sequence[str | int] = ()) -> Place:
        """Return where the value at ``loc`` is written; where it is missing, the nearest thing around it."""
        gone, _ = walk(self.data, loc)
        owners = self.owners(gone)
        return owners[0].place(gone) if owners else Place()

    def problem(
        self,
        message: str,
        loc: Sequence[str | int],
        hint: str | None = None,
        *,
        error: type[ProfileError] = ProfileError,
    ) -> ProfileError:
        """Return (not raise) the error that says ``message`` about the value at ``loc``."""
        place = self.place(loc)
        return error(message, file=place.file, line=place.line, column=place.column, hint=hint)


def _mapping(item: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", item) if isinstance(item, Mapping) else {}


_OTHER_ENDPOINT = frozenset({"api_key", "headers", "options"})


def not_inherited(lower: Mapping[str, Any], upper: Mapping[str, Any], at: Loc) -> frozenset[str]:
    """Return the keys of ``lower`` that ``upper`` does not build on.

    A key goes to the endpoint that it was written for and to no other: who names another ``provider`` or ``api_base``
    names its key, headers and options too.  Another type of cache, embedder, search backend or fusion starts afresh: the
    other settings were the old one's own.
    """

    def changes(key: str, default: str | None = None) -> bool:
        named = upper.get(key)
        return named is not None and named != lower.get(key, default)

    if at == ("llm",):
        if changes("provider", "openai"):
            return (_OTHER_ENDPOINT | {"api_base"}) & lower.keys()
        return _OTHER_ENDPOINT & lower.keys() if changes("api_base") else frozenset()
    if at == ("embedder",):
        if changes("provider", "openai"):
            return frozenset(lower)
        return _OTHER_ENDPOINT & lower.keys() if changes("api_base") else frozenset()
    if at == ("cache",) and changes("type", "memory"):
        return frozenset(lower) - {"ttl"}
    if at == ("fetch",) and changes("type", "http"):
        return frozenset(lower) - {"concurrency"}
    if at == ("search", "fusion") and changes("type", "rrf"):
        return frozenset(lower)
    if at[:2] == ("search", "backends") and len(at) == 3:
        return frozenset(lower) if "type" in lower and changes("type") else _of_another_endpoint(lower, upper, changes)
    if at and at[0] not in SECTIONS:  # a plugin's own section, whose keys only their names tell apart
        other = changes("type") or changes("provider")
        return frozenset(lower) if other else _of_another_endpoint(lower, upper, changes)
    return frozenset()


def _of_another_endpoint(
    lower: Mapping[str, Any], upper: Mapping[str, Any], changes: Callable[[str], bool]
) -> frozenset[str]:
    if any(is_endpoint(key) and changes(key) for key in upper):
        return frozenset(key for key in lower if is_secret(key)) | (_OTHER_ENDPOINT & lower.keys())
    return frozenset()
