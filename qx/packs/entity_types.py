"""Merges the types of entities of several packs: who owns a name, and what else is called as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from qx.packs.joining import unique
from qx.taxonomy import EntityType
from qx.text.normalise import fold

_Words = dict[str, tuple[str, ...]]


class _Owner(NamedTuple):
    type: str
    canonical: str
    pack: str


class EntityTypes:
    """The types of entities of packs, the most important pack first.

    A name belongs to the first who says it; what another pack says of it is a conflict, unless both mean the same.

    Args:
        conflicts: Told who won what.
    """

    def __init__(self, conflicts: list[str]) -> None:
        self._conflicts = conflicts
        self._types: dict[str, EntityType] = {}
        self._names: dict[str, _Words] = {}
        self._families: dict[str, _Words] = {}
        self._parts: dict[str, _Words] = {}
        self._owners: dict[str, _Owner] = {}
        """Folded name -> whose it is."""

    def add(self, pack: str, kind: EntityType) -> None:
        """Add what a pack says of a type."""
        first = self._types.setdefault(kind.id, kind)
        self._types[kind.id] = first.model_copy(
            update={
                "labels": {**kind.labels, **first.labels},
                "definition": {**kind.definition, **first.definition},
                "broader": first.broader or kind.broader,
                "takes": unique((*first.takes, *kind.takes)),
            }
        )
        _extend(self._families.setdefault(kind.id, {}), kind.families)
        _extend(self._parts.setdefault(kind.id, {}), kind.parts)
        self._names.setdefault(kind.id, {})
        for canonical, others in kind.names.items():
            self._add_name(pack, kind.id, canonical, others)

    def merged(self) -> tuple[EntityType, ...]:
        """Return the types, in the order in which they were first said."""
        return tuple(
            kind.model_copy(update={"names": self._names[id], "families": self._families[id], "parts": self._parts[id]})
            for id, kind in self._types.items()
        )

    def _add_name(self, pack: str, kind: str, canonical: str, others: Sequence[str]) -> None:
        first = self._owners.get(fold(canonical), _Owner(kind, canonical, pack))
        if first.canonical != canonical and first.pack != pack and (first.type != "brand" or kind == "brand"):
            self._lend(first, others)
        # 手机 of a pack's categories has the other names that it has as a product
        is_kind = first.canonical == canonical and self._types[first.type].broader == kind
        mine = _Owner(first.type if is_kind else kind, canonical, pack)
        kept = [name for name in (canonical, *others) if self._claim(name, mine, kind)]
        if kept and kept[0] == canonical:
            _extend(self._names[mine.type], {canonical: kept[1:]})

    def _lend(self, first: _Owner, others: Sequence[str]) -> None:
        """Who counts 绿茶 among the 茶叶 has what is 绿茶 elsewhere as well: the other names that are free."""
        free = [name for name in others if fold(name) not in self._owners]
        self._owners |= dict.fromkeys(map(fold, free), first)
        _extend(self._names[first.type], {first.canonical: free})

    def _claim(self, name: str, mine: _Owner, kind: str) -> bool:
        """Whether a name is ours, now or since before."""
        holder = self._owners.setdefault(fold(name), mine)
        if holder[:2] == mine[:2]:
            return True
        if holder.pack != mine.pack:
            self._conflicts.append(
                f"name {name!r}: {holder.type} {holder.canonical!r} of {holder.pack} wins over {kind} of {mine.pack}"
            )
        return False


def _extend(known: _Words, more: Mapping[str, Iterable[str]]) -> None:
    for key, words in more.items():
        known[key] = unique((*known.get(key, ()), *words))
