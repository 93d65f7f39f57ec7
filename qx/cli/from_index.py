"""``qx profile new --from-index``: a profile with the field map that an index seems to have, every guess with its reason."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from qx.cli.output import printable
from qx.errors import ProfileError
from qx.serial import value

if TYPE_CHECKING:
    from qx.backend import SearchBackend
    from qx.engine import Engine
    from qx.indexing.inferring import Inferred
    from qx.indexing.sampling import Sample
    from qx.types import Hit

_PLAIN = re.compile(r"(?!(?:true|false|null)$)[A-Za-z_][\w./-]*")
_OWN = ("title", "text", "url")
"""A document's own parts: they have names of their own in every index."""
_TITLE = 2
"""What a word in the title counts: a list of phones begins with phones, not with cases that say for which."""
_UNKNOWN_CURRENCY = "in what currency? add `unit: CNY`, or whichever it is: else 500 dollars are taken for 500"


@value
class Source:
    """Where the index is: a block of ``search.backends``, or a profile that has one and is built upon."""

    draft: str
    block: Mapping[str, Any] | None


@value
class Proposed:
    """One line of the field map; without ``stored`` the engine cannot filter by it."""

    field: Inferred
    stored: str | None


def read_source(text: str, extends: str, folder: Path) -> Source:
    """Read ``--from-index``: a block such as ``{type: local, path: index}``, or the name or file of a profile.

    Args:
        text: As it was given.
        extends: The profile to build on, where a block is given.
        folder: Of the new profile; relative paths in a block start there, as they will in the profile.

    Raises:
        ProfileError: neither, with what is wrong.
    """
    from qx import yaml
    from qx.profiles.files import find, is_path

    if not text.lstrip().startswith("{"):
        base = find(text)
        named = text
        if is_path(text):  # seen from the new profile's folder
            there = os.path.relpath(base.resolve(), folder.resolve())
            named = there if os.sep in there else f"./{there}"
        return Source(draft=f"extends: {_text(named)}\n", block=None)
    document = yaml.parse(text, file="--from-index")
    block = cast("object", document.data)
    if not isinstance(block, dict) or "type" not in block:
        raise document.problem("a backend's block has a `type`", hint="write {type: local, path: index}")
    made = cast("dict[str, Any]", block)
    draft = f"extends: {_text(extends)}\nsearch:\n  backends:\n    main: {flow(made)}\n"
    return Source(draft=draft, block=made)


async def propose(engine: Engine, backend: SearchBackend) -> tuple[Sample, list[Proposed]]:
    """Look into the index and propose its field map.

    Raises:
        QxError: the engine cannot be asked.
        click.UsageError: there is no document in it to learn from.
    """
    from qx.indexing.inferring import Inferred, infer
    from qx.indexing.sampling import filterable, sample

    found = await sample(backend)
    if not found.hits:
        raise click.UsageError(
            f"--from-index: no document was found in {backend.endpoint}: there is nothing to learn from"
        )
    own = {name: own_path(name, found.hits) for name in _OWN if any(getattr(hit, name) for hit in found.hits)}
    made = [
        Proposed(field=Inferred(canonical=name, path=path, type="keyword" if name == "url" else "text"), stored=path)
        for name, path in own.items()
    ]
    for field in infer(found.hits, engine.knowledge.taxonomy.fields):
        if field.canonical not in own and field.path not in (*own.values(), "id", "_id"):
            stored = await filterable(backend, field.path)
            made.append(Proposed(field=field, stored=field.path if field.type == "text" else stored))
    return found, made


def own_path(name: str, hits: Sequence[Hit]) -> str:
    """Return where a document's own part is stored: in an index of others some field of theirs holds its very words."""
    from qx.indexing.sampling import leaves

    having = [hit for hit in hits if getattr(hit, name)]
    same = [{path for path, item in leaves(hit.metadata) if item == getattr(hit, name)} for hit in having]
    common = set[str].intersection(*same) if same else set[str]()
    return name if name in common or not common else min(common)


def profile_text(name: str, source: Source, backend: str, found: Sample, fields: Sequence[Proposed]) -> str:
    """Return the new profile."""
    return "\n".join(_lines(name, source, backend, found, fields)) + "\n"


def _lines(name: str, source: Source, backend: str, found: Sample, fields: Sequence[Proposed]) -> Iterator[str]:
    of = "" if found.total is None else f" of {found.total}"
    yield f"# Made from {len(found.hits)}{of} documents of the index: read each line, what is guessed may be wrong."
    yield f"# Check it: qx profile check {name}        Search with it: qx search -p {name} TEXT"
    yield ""
    yield source.draft.splitlines()[0]
    yield f"tenant: {_text(name)}"
    yield ""
    yield "search:"
    yield "  backends:"
    yield f"    {_text(backend)}:"
    for key, item in (source.block or {}).items():
        if key != "fields":
            yield f"      {_text(key)}: {flow(item)}"
    yield "      fields:"
    for proposed in fields:
        yield f"        {_field_line(proposed)}"
    missing = [told for told in ("title", "text") if told not in {p.field.canonical for p in fields}]
    for told in missing:
        yield f"        # {told}: NAME   # no field was recognised: name the one that holds it"


def _field_line(proposed: Proposed) -> str:
    field = proposed.field
    parts: dict[str, Any] = {"name": proposed.stored or field.path, "type": field.type}
    if field.scale != 1:
        parts["scale"] = int(field.scale)
    if field.unit:
        parts["unit"] = field.unit
    if field.canonical == "title":
        parts["boost"] = _TITLE
    told = _UNKNOWN_CURRENCY if field.canonical == "price" and field.type == "number" and not field.unit else ""
    why = "; ".join(part for part in (field.reason.strip(", "), field.shown, told) if part)
    note = f"   # {printable(why)}" if why else ""
    line = f"{_text(field.canonical)}: {flow(parts)}{note}"
    if not _is_readable(line, parts["name"]):
        return f"# {printable(field.path)}: its name has characters that a profile cannot hold"
    return line if proposed.stored else f"# {line}; the engine cannot filter by it"


def _is_readable(line: str, name: str) -> bool:
    """Whether qx's own YAML reads the name back as it is: it may have any characters."""
    from qx import yaml

    try:
        read = cast("dict[str, dict[str, object]]", yaml.parse(line).data)
    except ProfileError:
        return False
    return [field["name"] for field in read.values()] == [name]


def flow(item: object) -> str:
    """Return plain data on one line of YAML; text that could be read as something else in quotes."""
    if isinstance(item, Mapping):
        pairs = cast("Mapping[str, object]", item).items()
        return "{" + ", ".join(f"{_text(key)}: {flow(part)}" for key, part in pairs) + "}"
    if isinstance(item, (list, tuple)):
        return "[" + ", ".join(flow(part) for part in cast("Sequence[object]", item)) + "]"
    return _text(item) if isinstance(item, str) else json.dumps(item)


def _text(item: str) -> str:
    return item if _PLAIN.fullmatch(item) else json.dumps(item, ensure_ascii=False)


async def _made(engine: Engine, name: str, backend: str | None, source: Source) -> str:
    chosen = engine.backend(backend)
    found, fields = await propose(engine, chosen)
    return profile_text(name, source, chosen.name, found, fields)


def new_from_index(
    ctx: click.Context, name: str, path: Path, text: str, *, extends: str, backend: str | None, env_file: Path | None
) -> None:
    """Write the profile ``path`` for the index that ``text`` names.

    Raises:
        QxError: the index cannot be read, or what was made does not load; what was at ``path`` is there as before.
    """
    from qx.cli.request import ProfileChoice
    from qx.cli.session import load, open_engine, run

    source = read_source(text, extends, path.parent)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _beside(path, source.draft) as draft:
        profile = load(ProfileChoice(str(draft), env_file), ctx)

        async def look() -> str:
            async with open_engine(profile, ctx) as engine:
                return await _made(engine, name, backend, source)

        made = run(look())
    with _beside(path, made) as fresh:
        load(ProfileChoice(str(fresh), env_file), ctx)
        os.replace(fresh, path)


@contextmanager
def _beside(path: Path, text: str) -> Generator[Path]:
    """A file of its own with ``text`` in the folder of ``path``, where relative paths in it mean the same; then gone."""
    made = path.with_name(f"new-{secrets.token_hex(4)}.yaml")  # a tenant's name too
    try:
        with made.open("x", encoding="utf-8") as file:
            file.write(text)
        yield made
    finally:
        made.unlink(missing_ok=True)
