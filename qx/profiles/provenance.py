"""Where each value of a profile comes from: ``qx profile show``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from qx.profiles.layers import Layers
from qx.profiles.references import is_public_header, reference
from qx.secrets import Redactor
from qx.serial import value
from qx.settings import Profile
from qx.yaml import Loc, walk

_STARS = "**********"
"""As pydantic shows a ``SecretStr``."""


@value
class Setting:
    """One value of a profile.

    Attributes:
        path: ``expand.limit``.
        value: Plain data; secrets are the name of their variable, or stars.
        source: ``profiles/acme.yaml:7:3``, ``pack shop``, ``the environment``, ``the file's name`` or ``default``.
        note: Which other packs would have given it.
    """

    path: str
    value: Any
    source: str
    note: str = ""


def shown(profile: Profile) -> dict[str, Any]:
    """Return ``profile`` as plain data for people to see: keys and headers masked, and wherever else they occur."""
    plain = _masked(profile.model_dump(mode="json"), in_headers=False)
    return cast("dict[str, Any]", Redactor.of(profile).value(plain))


def _masked(item: Any, *, in_headers: bool) -> Any:
    if isinstance(item, Mapping):
        found = cast("Mapping[str, Any]", item)
        if in_headers:
            return {name: text if is_public_header(name) or not text else _STARS for name, text in found.items()}
        return {key: _masked(inner, in_headers=key.lower() == "headers") for key, inner in found.items()}
    if isinstance(item, list):
        return [_masked(inner, in_headers=in_headers) for inner in cast("list[Any]", item)]
    return item


def explain(profile: Profile, layers: Layers) -> tuple[Setting, ...]:
    """Return each value of ``profile``, which was made of ``layers``, with where it comes from."""
    plain = shown(profile)
    return tuple(
        Setting(
            path=".".join(map(str, loc)),
            value=_shown(layers, loc, item),
            source=_source(layers, loc),
            note=_note(layers, loc),
        )
        for loc, item in _leaves(plain, ())
    )


def _leaves(data: Mapping[str, Any], at: Loc) -> Iterator[tuple[Loc, Any]]:
    """Mappings are opened, lists are one value: they replace one another as a whole."""
    for key, item in data.items():
        if isinstance(item, Mapping) and item:
            yield from _leaves(cast("Mapping[str, Any]", item), (*at, key))
        else:
            yield (*at, key), item


def _written(layers: Layers, loc: Loc) -> Any:
    gone, item = walk(layers.data, loc)
    return item if gone == loc else None


def _shown(layers: Layers, loc: Loc, item: Any) -> Any:
    written = _written(layers, loc)
    return written if reference(written) else item


def _source(layers: Layers, loc: Loc) -> str:
    gone, item = walk(layers.data, loc)
    if gone != loc and (not gone or item is None or isinstance(item, Mapping | list)):
        return "the file's name" if loc in (("name",), ("tenant",)) else "default"
    loc = gone  # shorter where a file writes in a word what has parts: `5 USD`
    owner = layers.owners(loc)[0]
    return owner.label if owner.label == "default" else str(owner.place(loc))


def _note(layers: Layers, loc: Loc) -> str:
    gone, _ = walk(layers.data, loc)
    packs = [layer.label for layer in layers.owners(loc) if layer.label.startswith("pack ")] if gone == loc else []
    return f"{packs[0]} wins over {', '.join(packs[1:])}" if len(packs) > 1 else ""


@value
class Difference:
    """One key that two profiles give different values.

    Attributes:
        path: ``expand.limit``.
        a, b: The values, as ``Setting.value``; null where a profile has no such key.
        a_source, b_source: Where each comes from; "" where there is none.
    """

    path: str
    a: Any
    b: Any
    a_source: str = ""
    b_source: str = ""


def differences(a: tuple[Profile, Layers], b: tuple[Profile, Layers]) -> tuple[Difference, ...]:
    """Return what differs between two profiles, in the order of their keys; two secrets differ without being shown."""
    shown_a, shown_b = ({setting.path: setting for setting in explain(*one)} for one in (a, b))
    real_a, real_b = (
        {".".join(map(str, loc)): item for loc, item in _leaves(one[0].model_dump(), ())} for one in (a, b)
    )
    found: list[Difference] = []
    for path in dict.fromkeys([*shown_a, *shown_b]):
        if path == "name" or real_a.get(path) == real_b.get(path):
            continue
        left, right = shown_a.get(path), shown_b.get(path)
        if _opened(path, left, shown_b) or _opened(path, right, shown_a):
            continue  # nothing here, and things below it there: each of those has its own difference
        found.append(
            Difference(
                path=path,
                a=left and left.value,
                b=right and right.value,
                a_source=left.source if left else "",
                b_source=right.source if right else "",
            )
        )
    return tuple(found)


def _opened(path: str, one: Setting | None, other: Mapping[str, Setting]) -> bool:
    return one is not None and one.value == {} and any(each.startswith(f"{path}.") for each in other)
