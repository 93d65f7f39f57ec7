"""A new plugin's files, from the templates beside this file; and writing them."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import jinja2

from qx import installed
from qx.errors import UsageError
from qx.scaffold.wording import KINDS, Wording, wording
from qx.serial import value

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_YAML = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
"""Words that are no text in YAML 1.1 or 1.2."""


@value
class Project:
    """A package that is not written yet.

    Attributes:
        kind: One of ``KINDS``.
        name: What profiles will call it.
        distribution: What ``pip`` will call it, and its folder.
        files: Path in that folder -> text.
    """

    kind: str
    name: str
    distribution: str
    files: Mapping[str, str]


def project(kind: str, name: str, over: str | None = None) -> Project:
    """Make a package in memory.

    Args:
        kind: One of ``KINDS``.
        name: Small letters, digits and hyphens: ``typesense``.
        over: For a backend what it stands on, ``http`` (where it is not given) or ``file``.

    Raises:
        UsageError: there is no such kind, or the name is none.
    """
    if kind not in KINDS:
        raise UsageError(f"there is no template for a {kind}; there is one for: {', '.join(KINDS)}")
    if over is not None and kind != "backend":
        raise UsageError(f"--over is for backends; a {kind} has one template")
    _check(name)
    said = wording(kind, name, over)
    variables = _variables(kind, name, said)
    root = resources.files("qx.scaffold").joinpath("templates")
    folders = ("common", said.template)
    files = {
        _place(path, name): _rendered(source, variables)
        for folder in folders
        for path, source in _sources(root.joinpath(folder))
    }
    return Project(kind=kind, name=name, distribution=variables["dist"], files=dict(sorted(files.items())))


def write(made: Project, parent: Path) -> Path:
    """Write a package into a folder of its own below ``parent`` and return that folder.

    Raises:
        UsageError: there is something in the folder already, or it cannot be made.
    """
    folder = parent / made.distribution
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} is there already: move it away, or choose another name or --into FOLDER")
        for path, text in made.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}") from error
    return folder


def _check(name: str) -> None:
    if name in _YAML:
        raise UsageError(
            f"{name!r} is no name: written in a profile or a pack, YAML reads it as another value than text"
        )
    if keyword.iskeyword(name):
        raise UsageError(f"{name!r} is no name: it is a word of Python's own (for example my-{name.casefold()})")
    if _NAME.fullmatch(name):
        return
    plain = re.sub(r"[^a-z0-9]+", "-", name.removeprefix("qx-query-").casefold()).strip("-")
    hint = f" (for example {plain})" if _NAME.fullmatch(plain) and plain != name and name.isascii() else ""
    raise UsageError(f"{name!r} is no name: small letters, digits and single hyphens, a letter first{hint}")


def _variables(kind: str, name: str, said: Wording) -> dict[str, str]:
    version = installed.version("qx-query") or "0.1"
    major, minor = (int(part) for part in version.split(".")[:2])
    above = f"{major + 1}" if major else f"0.{minor + 1}"
    return {
        "kind": kind,
        "name": name,
        "dist": f"qx-query-{name}",
        "package": f"qx_{name.replace('-', '_')}",
        "cls": "".join(part.capitalize() for part in name.split("-")),
        "bounds": f">={major}.{minor},<{above}",
        "summary": said.summary,
        "profile": said.profile,
        "notes": said.notes,
    }


def _sources(folder: Traversable, under: str = "") -> Iterator[tuple[str, str]]:
    for item in folder.iterdir():
        path = f"{under}/{item.name}".lstrip("/")
        if item.is_dir():
            yield from _sources(item, path)
        elif item.name.endswith(".j2"):
            yield path.removesuffix(".j2"), item.read_text(encoding="utf-8")


def _place(path: str, name: str) -> str:
    module = name.replace("-", "_")
    parts = [f"qx_{module}" if part == "package" else part.replace("NAME", module) for part in path.split("/")]
    return "/".join(".gitignore" if part == "gitignore" else part for part in parts)


def _rendered(source: str, variables: Mapping[str, str]) -> str:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)  # noqa: S701 - Python and YAML, not HTML; the variables are checked names
    return environment.from_string(source).render(variables)
