"""The keys of a profile that are not qx's own: each is a section that an installed plugin owns, or a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qx.errors import ProfileError
from qx.plugins import Plugins
from qx.profiles.layers import Layers
from qx.registry import suggest
from qx.settings import Profile
from qx.validation import Problem, failure, problems_of
from qx.yaml import Place

_MADE = tuple(name for name, field in Profile.model_fields.items() if field.exclude)
"""Fields of a profile that nobody writes: whoever reads it says where it came from."""


class _Written(Profile):
    """A profile without sections, to say what else is wrong in one with an unknown key."""

    model_config = Profile.model_config | {"extra": "forbid"}


def check_keys(data: Mapping[str, Any], layers: Layers, plugins: Plugins | None) -> None:
    """Every key of ``data`` is qx's own, or a section that a plugin owns (broken ones are said by ``check_plugins``).

    Args:
        plugins: What is installed; None: looked for where a key is not qx's own.

    Raises:
        ProfileError: some are not; with their place, the nearest key, and what else is wrong.
    """
    further = [key for key in data if key not in Profile.model_fields]
    if not further:
        return
    registry = (plugins or Plugins.load()).registry("sections")
    unknown = [key for key in further if key not in registry and not registry.is_refused(key)]
    if not unknown:
        return
    own = {key: item for key, item in data.items() if key not in further or key in unknown}
    problems = problems_of(
        _Written, own, locate=layers.place, where=lambda loc: loc, also=registry.names(), hidden=_MADE
    )
    raise failure(problems, ProfileError)


def check_sections(profile: Profile, plugins: Plugins) -> None:
    """The same for a profile that no file was read for.

    Raises:
        ProfileError: a key is no section of an installed plugin.
        PluginError: its plugin is broken, blocked, or not the only one that claims it.
    """
    registry = plugins.registry("sections")
    for name in profile.sections:
        if name in registry or registry.is_refused(name):
            registry.check(name)
            continue
        near = suggest(name, [*(key for key in Profile.model_fields if key not in _MADE), *registry.names()])
        place = Place(file=str(profile.source)) if profile.source else Place()
        raise failure([Problem(message=f"{name}: unknown key", place=place, hint=near)], ProfileError)
