"""What is searched: settings of a profile and the values that each may take.

A setting is worth searching where it decides what is searched or how the lists are merged, and leaves the raw query as it
is: else no expansion would change too.  So ways of merging are searched only over one backend, whose raw query is one list.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from qx.builtin.fit import FitSettings
from qx.eval.conditions import strategies_of
from qx.plugins import Plugins
from qx.serial import value
from qx.settings import Named, Profile

Changes = dict[str, Any]
"""Dotted setting -> value."""

WITHOUT, FIT, FUSION = "expand.without", "expand.processors", "search.fusion"
DROPPED = 0.3
"""How likely a draw does without a strategy."""
_SHARES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
_FUSIONS: tuple[Mapping[str, Any], ...] = (
    {"type": "rrf"},
    {"type": "rrf", "k": 10},
    {"type": "relative-score"},
    {"type": "dbsf"},
)


@value
class Space:
    """The settings of one profile: its strategies, each of which may go, and other settings with their values.

    ``own`` are the profile's values of those: what says the same changes nothing.
    """

    strategies: tuple[str, ...]
    options: Mapping[str, tuple[Any, ...]]
    own: Mapping[str, Any]

    def draw(self, chance: random.Random) -> Changes:
        """Return a setting drawn at random: about half of what there is changes."""
        changes: Changes = {}
        for name, choices in self.options.items():
            if chance.random() < 0.5:
                changes[name] = chance.choice(choices)
        return self._with_without(changes, {s for s in self.strategies if chance.random() < DROPPED})

    def neighbour(self, changes: Changes, chance: random.Random) -> Changes:
        """Return ``changes`` with one or two settings changed."""
        made = dict(changes)
        for _ in range(chance.choice((1, 1, 2))):
            name = chance.choice([*self.options, *([WITHOUT] * max(1, len(self.strategies) // 3))])
            if name != WITHOUT:
                made[name] = chance.choice(self.options[name])
            elif self.strategies:
                without = set(made.get(WITHOUT, ())) ^ {chance.choice(self.strategies)}
                made = self._with_without(made, without)
        return self._with_without(made, set(made.get(WITHOUT, ())))

    def _with_without(self, changes: Changes, without: set[str]) -> Changes:
        """``changes`` doing without strategies; never without all: that is no expansion, which is there to compare with."""
        made = {name: item for name, item in changes.items() if name != WITHOUT and item != self.own[name]}
        if without and len(without) < len(self.strategies):
            made[WITHOUT] = sorted(without)
        return made


def space(profile: Profile, plugins: Plugins) -> Space:
    """Return what can be searched of a profile."""
    expand, search = profile.expand, profile.search
    own: Changes = {
        "expand.limit": expand.limit,
        "expand.similarity": expand.similarity,
        "search.share": search.share,
        "search.strong": search.strong,
        FUSION: {"type": search.fusion.type, **search.fusion.settings},
        FIT: [
            {"threshold": FitSettings().threshold, "type": named.type, **named.settings} for named in expand.processors
        ],
    }
    options: dict[str, tuple[Any, ...]] = {
        "expand.limit": (2, 4, 6, 8),
        "expand.similarity": (0.75, 0.85, 0.9, 0.95),
        "search.share": _SHARES,
        "search.strong": (0.5, 0.7, 0.85, 0.95, 1.0),
    }
    if [named.type for named in expand.processors] == ["fit"]:
        options[FIT] = tuple([{**own[FIT][0], "threshold": cut}] for cut in (0.0, 0.3, 0.5, 0.7))
    if len(search.backends) == 1:
        options[FUSION] = _FUSIONS
    return Space(strategies=strategies_of(profile, plugins), options=options, own=own)


def applied(profile: Profile, changes: Mapping[str, Any]) -> Profile:
    """Return ``profile`` with changed settings."""
    expand: dict[str, Any] = {}
    search: dict[str, Any] = {}
    for name, item in changes.items():
        block, _, key = name.partition(".")
        into = expand if block == "expand" else search
        if name == WITHOUT:
            into[key] = tuple(dict.fromkeys((*profile.expand.without, *item)))
        elif name == FIT:
            into[key] = tuple(Named.model_validate(one) for one in item)
        elif name == FUSION:
            into[key] = Named.model_validate(item)
        else:
            into[key] = item
    return profile.model_copy(
        update={"expand": profile.expand.model_copy(update=expand), "search": profile.search.model_copy(update=search)}
    )


__all__ = ["FIT", "FUSION", "WITHOUT", "Changes", "Space", "applied", "space"]
