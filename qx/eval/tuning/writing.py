"""The profile that tuning writes: it extends the old one, and says in a comment what it rests on."""

from __future__ import annotations

import os
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from qx.errors import QxError, UsageError
from qx.eval.tuning.values import Side, TuneReport
from qx.settings import Profile

_NO_TEXT = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
_SAID = {
    "tuned": "The tuned settings.",
    "before": "The settings as they were: this file changes nothing.",
    "off": "Expansion is switched off.",
}


def place(profile: Profile, name: str | None) -> Path:
    """Return the file of the new profile: beside the old one, since relative paths start there.

    Raises:
        UsageError: ``name`` leads elsewhere, or is the old profile's own.
    """
    given = Path(name or f"{profile.name}-tuned.yaml")
    path = given if given.suffix in (".yaml", ".yml") else given.with_name(given.name + ".yaml")
    path = profile.folder / path if len(path.parts) == 1 else path
    if path.resolve().parent != profile.folder.resolve():
        raise UsageError(f"{path}: the new profile lies beside {profile.name}, in {profile.folder}: paths start there")
    if path.stem == profile.name or (profile.source is not None and path.resolve() == profile.source.resolve()):
        raise UsageError(f"{path}: that is the profile that is tuned: give another name")
    return path


def text(report: TuneReport, profile: Profile, at: datetime) -> str:
    """Return the new profile as YAML."""
    body: dict[str, Any] = {"extends": profile.name, "tenant": profile.tenant, **_nested(report.settings)}
    comment = "\n".join(f"# {_plain(line)}".rstrip() for line in _comment(report, at))
    return f"{comment}\n{_yaml(body)}"


def write(path: Path, content: str, load: Callable[[Path], object]) -> None:
    """Write a profile, once it was seen that it loads; until then what was there stays.

    Args:
        load: Loads the profile in a file.

    Raises:
        UsageError: it does not load.
        OSError: it cannot be written.
    """
    fresh = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        fresh.write_text(content, encoding="utf-8")
        load(fresh)
        fresh.replace(path)
    except QxError as error:
        raise UsageError(f"{path}: not written, since the new profile would not load: {error}") from error
    finally:
        fresh.unlink(missing_ok=True)


def _plain(line: str) -> str:
    """A line of a comment as one line: names of files may hold breaks and signs that YAML does not take."""
    return "".join(char if unicodedata.category(char) not in _NO_TEXT else " " for char in line)


def _yaml(body: Mapping[str, Any]) -> str:
    import yaml

    library: Any = yaml
    return library.safe_dump(body, sort_keys=False, allow_unicode=True, default_flow_style=None)


def _nested(settings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    made: dict[str, dict[str, Any]] = {}
    for name, item in sorted(settings.items()):
        block, _, key = name.partition(".")
        made.setdefault(block, {})[key] = item
    return made


def _comment(report: TuneReport, at: datetime) -> Iterator[str]:
    yield f"Written by qx tune on {at.date().isoformat()}.  {_SAID[report.choice]}"
    yield ""
    yield from textwrap.wrap(report.reason, 110)
    yield ""
    on = f"{len(report.trials)} trials on {report.train} queries of {report.dataset} (seed {report.seed})"
    yield f"Searched: {on}; proven on the {report.held} held out."
    yield "Points against no expansion, with 95 %:"
    yield ""
    for one in report.held_out:
        trained = next(t for t in report.training if (t.name, t.measure) == (one.name, one.measure))
        yield f"  {one.name:7} {one.measure:12} held out {_figures(one)}   training {_figures(trained)}"
    if report.beside:
        yield ""
        yield "Tuned beside the settings as they were, held out:"
        yield ""
        for one in report.beside:
            yield f"  {one.measure:12} {_figures(one)}"
    if report.choice != "tuned" and report.changes:
        yield ""
        yield from textwrap.wrap(f"Not taken: {report.changes}", 110)
    if report.command:
        yield ""
        yield f"Again: {report.command}"


def _figures(one: Side) -> str:
    return f"{100 * one.difference:+.2f} ({100 * one.low:+.2f} to {100 * one.high:+.2f})"


__all__ = ["place", "text", "write"]
