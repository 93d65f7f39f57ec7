"""The boxes of an answer, each a function that a caller or a profile can replace.

::

    plan ─▶ queries ─▶ search ─▶ clean ─▶ rerank ─▶ read ─▶ select ─▶ gaps ─┬─▶ write ─▶ verify
                 ▲                                                          │
                 └──────────────── next round, or turn to another strategy ◀┘

``replace(answering.steps, select=mine)`` puts one of a caller's own in its place, and
``answer: {steps: {select: NAME}}`` one of an installed package (entry point group ``qx.answer``).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from qx.context import Step
from qx.errors import PluginError, ProfileError
from qx.types import Hit
from qx_answer.claims import Claim, Source
from qx_answer.turning import Turn
from qx_answer.values import (
    Cleaned,
    Draft,
    Evidence,
    Gaps,
    Passage,
    Plan,
    Pool,
    Ranked,
    Reading,
    Searched,
    Wanted,
    Written,
)
from qx_answer.verifier import Verification

GROUP = "qx.answer"


@dataclass(frozen=True, slots=True)
class Steps:
    """One function for each box: ``async (value, context) -> value``.

    Attributes:
        plan: The question -> the questions that it consists of.
        queries: One query of the plan -> the queries to run for it; the core expands each of them.
        search: One query -> its hits.  Raises what ``context.search`` raises.
        clean: Hits, before and after their pages are read -> those that are text to read.
        rerank: The pool of a round -> the best of it, in order; always before reading.
        read: One hit -> a source, its page fetched where it has only a snippet.  Raises ``ScrapeError``.
        select: Sources -> passages within the tokens.
        gaps: What was read -> which questions are answered, and what to search for next.
        turn: A question that found nothing -> queries of another strategy.
        write: Passages -> claims.
        verify: Claims -> checked claims.
    """

    plan: Step[str, Plan]
    queries: Step[Wanted, tuple[Wanted, ...]]
    search: Step[Wanted, Searched]
    clean: Step[tuple[Hit, ...], Cleaned]
    rerank: Step[Pool, Ranked]
    read: Step[Hit, Source]
    select: Step[Reading, tuple[Passage, ...]]
    gaps: Step[Evidence, Gaps]
    turn: Step[Turn, tuple[Wanted, ...]]
    write: Step[Draft, tuple[Claim, ...]]
    verify: Step[Written, Verification]


def chosen(steps: Steps, names: Mapping[str, str]) -> Steps:
    """Return ``steps`` with those that a profile names in their places.

    Raises:
        ProfileError: there is no such step, or no installed package has one of that name.
        PluginError: it cannot be imported.
    """
    known = {field.name for field in fields(Steps)}
    for step in names:
        if step not in known:
            raise ProfileError(f"answer.steps: there is no step {step!r}", hint=f"known: {', '.join(sorted(known))}")
    return replace(steps, **{step: _loaded(step, name) for step, name in names.items()}) if names else steps


def _loaded(step: str, name: str) -> Callable[..., Any]:
    found = [point for point in entry_points(group=GROUP) if point.name == name and _is_allowed(point)]
    if len(found) != 1:
        raise ProfileError(
            f"answer.steps.{step}: {'no' if not found else 'more than one'} installed package has a step {name!r}",
            hint=f"an entry point of the group {GROUP}",
        )
    try:
        loaded = found[0].load()
    except Exception as error:  # noqa: BLE001 whatever it is, it is that package's
        raise PluginError(f"answer.steps.{step}: {name!r} cannot be imported: {error}", plugin=name) from None
    if not callable(loaded):
        raise PluginError(f"answer.steps.{step}: {name!r} is no function", plugin=name)
    return loaded


def _is_allowed(point: EntryPoint) -> bool:
    """By the operator's lists, as for plugins: a step is code of an installed package too."""
    names = {point.name} if point.dist is None else {point.name, point.dist.name}
    listed = os.environ.get("QX_PLUGINS")
    if not names.isdisjoint(_listed(os.environ.get("QX_DISABLE", ""))):
        return False
    return listed is None or not names.isdisjoint(_listed(listed))


def _listed(names: str) -> set[str]:
    return {one.strip() for one in names.split(",") if one.strip()}
