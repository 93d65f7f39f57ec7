"""The packs that a profile chooses by ``domains:``: installed ones by name, others by their folders, ``general`` last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from qx.domain import DomainPack
from qx.errors import NotAllowed, PackError
from qx.packs.checks import check_strategies
from qx.packs.lint import lint_pack, lint_synonyms
from qx.packs.loading import ReadPack, read_pack
from qx.packs.references import missing_fields, unread
from qx.paths import confine, profile_folders
from qx.plugins import Plugins
from qx.serial import EMPTY
from qx.settings import Profile
from qx.synonym_files import Sources, expanded
from qx.validation import Locate, failure
from qx.yaml import Place


def is_folder(name: str) -> bool:
    """Whether an item of ``domains:`` is a path (``./folder``) and not an installed pack's name."""
    return name.startswith((".", "/", "\\")) or "/" in name or "\\" in name or ":" in name


def load_domain(name: str, folder: Path, plugins: Plugins) -> DomainPack:
    """Load one item of ``domains:``: an installed pack's name, or a folder that starts at ``folder``.

    A pack that names its taxonomy instead of bringing it gets the one of that name.

    Raises:
        PackError, PluginError: the pack, or the taxonomy that it names, is wrong or not there.
        NotAllowed: the folder lies outside of ``folder`` and of what the operator allows.
    """
    return read_domain(name, folder, plugins).pack


def read_domain(name: str, folder: Path, plugins: Plugins) -> ReadPack:
    """As ``load_domain``; tells the files of a folder's pack as well."""
    strategies = plugins.registry("strategies")
    if is_folder(name):
        try:
            found = confine(name, folder, allowed=profile_folders(folder))
        except NotAllowed as exc:
            raise NotAllowed(f"domains: {exc}") from exc
        read = read_pack(found, strategies=strategies)
    else:
        read = ReadPack(pack=cast("DomainPack", plugins.registry("packs").get(name)))
        for loc, said, hint in check_strategies(read.pack, strategies):
            raise PackError(f"{'.'.join(map(str, loc))}: {said}", file=f"pack {name}", hint=hint)
    named = read.pack.taxonomy
    if isinstance(named, str):
        brought = read.pack.model_copy(update={"taxonomy": plugins.registry("taxonomies").get(named)})
        return replace(read, pack=brought)
    return read


def read_domains(profile: Profile, plugins: Plugins, read: Mapping[str, ReadPack] = EMPTY) -> dict[str, ReadPack]:
    """Read the packs of ``profile`` in its order, the general one last; each by its item of ``domains:``.

    Args:
        profile: Whose ``domains:``.
        plugins: What is installed.
        read: Those that are read already (``Loaded.packs``).

    Raises:
        PackError, PluginError, NotAllowed: as ``load_domain``; or a pattern is for a field that none of the packs has.
    """
    names = dict.fromkeys([*(n for n in profile.domains if n != "general"), "general"])
    found = {name: read.get(name) or read_domain(name, profile.folder, plugins) for name in names}
    if problems := list(missing_fields(found)):
        raise failure(problems, PackError)
    return found


def load_domains(profile: Profile, plugins: Plugins, read: Mapping[str, ReadPack] = EMPTY) -> tuple[DomainPack, ...]:
    """As ``read_domains``: the packs alone; of two that are called alike each says which it is."""
    found = read_domains(profile, plugins, read)
    names, packs = list(found), [one.pack for one in found.values()]
    times = Counter(pack.name for pack in packs)
    for at, (name, pack) in enumerate(zip(names[:-1], packs[:-1], strict=True)):
        if times[pack.name] > 1 and name != pack.name:  # what is said of a clash is to say which of them
            packs[at] = pack.model_copy(update={"name": f"{pack.name} ({name})"})
    return tuple(packs)


def lint_domains(
    profile: Profile,
    plugins: Plugins,
    read: Mapping[str, ReadPack] = EMPTY,
    *,
    locate: Locate | None = None,
) -> tuple[str, ...]:
    """Return what does not tell intents apart in the packs of ``profile``, each beside those after it; and names and
    synonyms in vain, the profile's own first.  Each begins with file, line and column, of an installed pack its name.

    Args:
        profile: Whose packs.
        plugins: What is installed.
        read: Packs that are read already (``Loaded.packs``).
        locate: Where a key of the profile is written (``Loaded.layers.place``); None: nobody knows.

    Raises:
        PackError, PluginError, NotAllowed: as ``load_domain``.
        ProfileError: a file of synonyms is wrong.
    """
    found = read_domains(profile, plugins, read)
    packs = load_domains(profile, plugins, found)
    allowed = profile_folders(profile.folder)
    own = expanded(profile.synonyms, profile.folder, allowed=allowed)
    sources = Sources(profile.synonyms, profile.folder, locate or (lambda loc: Place()), allowed=allowed)
    told = [_placed(sources.place(at), f"synonyms: {said}") for at, said in lint_synonyms(own)]
    for below, (pack, one) in enumerate(zip(packs[:-1], list(found.values())[:-1], strict=True), 1):
        unknown = Place(file=f"pack {pack.name}")
        in_vain = ((("synonyms", at), f"synonyms: {said}") for at, said in lint_synonyms(pack.synonyms))
        for loc, said in (*lint_pack(pack, packs[below:]), *unread(pack, packs), *in_vain):
            told.append(_placed(one.place(loc) if one.place else unknown, said))
    return tuple(told)


def _placed(place: Place, said: str) -> str:
    return f"{place}: {said}" if place.file else said
