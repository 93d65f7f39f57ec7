"""Where a report comes from: when, by which version, by which command with which settings."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from qx.cli.options import is_given

if TYPE_CHECKING:
    from qx.eval.values import Provenance

_SHOWING = ("as_json", "html", "jsonl", "out", "ratings", "force", "dry_run", "quiet", "verbose", "debug")
"""Options that say where a report goes, not what is in it."""


def command_line(ctx: click.Context, *, without: Collection[str] = ()) -> str:
    """Return the command as a shell takes it: its arguments, then the options that somebody gave."""
    words = ctx.command_path.split()
    params = [one for one in ctx.command.params if one.name in ctx.params and one.name not in without]
    for one in params:
        if isinstance(one, click.Argument):
            words += _each(ctx.params[one.name])
    for one in params:
        name, item = one.name, ctx.params[one.name]
        if isinstance(one, click.Option) and is_given(ctx, name):
            option = next((opt for opt in one.opts if opt.startswith("--")), one.opts[0])
            words += [option] * bool(item) if one.is_flag else [w for text in _each(item) for w in (option, text)]
    return shlex.join(words)


def _each(item: object) -> list[str]:
    if isinstance(item, Mapping):  # arms with their weights
        return [",".join(f"{name}={weight:g}" for name, weight in cast("Mapping[str, float]", item).items())]
    match item:
        case (str() as name, Path() as path):  # a rater's file
            return [f"{name}={path}"]
        case tuple() | list():
            return [text for one in cast("Sequence[object]", item) for text in _each(one)]
        case timedelta():
            return [f"{item.total_seconds():g}s"]
        case datetime():
            return [item.isoformat()]
        case _:
            return [] if item is None else [str(item)]


def provenance(ctx: click.Context, *, dataset: str = "", now: datetime | None = None) -> Provenance:
    """Return where a report that this command makes comes from.

    Args:
        dataset: The fingerprint of queries and grades.
        now: The moment that queries were asked at.
    """
    from qx.eval.conditions import qx_version
    from qx.eval.values import Provenance

    return Provenance(
        at=datetime.now(UTC).replace(microsecond=0),
        qx=qx_version(),
        command=command_line(ctx, without=_SHOWING),
        settings={name: _plain(item) for name, item in sorted(ctx.params.items()) if name not in _SHOWING},
        dataset=dataset,
        now=now,
    )


def _plain(item: object) -> Any:
    if isinstance(item, (tuple, list)):
        return [_plain(one) for one in cast("tuple[object, ...]", item)]
    if isinstance(item, Mapping):
        return {str(name): _plain(one) for name, one in cast("Mapping[object, object]", item).items()}
    if isinstance(item, (datetime, timedelta)):
        return _each(item)[0]
    return item if item is None or isinstance(item, (str, int, float, bool)) else str(item)


__all__ = ["command_line", "provenance"]
