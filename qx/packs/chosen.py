"""The packs that a profile chooses by ``domains:``: installed ones by name, others by their folders, ``general`` last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from qx.domain import DomainPack, lint
from qx.errors import NotAllowed, PackError
from qx.packs.checks import check_strategies
from qx.packs.lint import lint_synonyms
from qx.packs.loading import ReadPack, read_pack
from qx.packs.references import missing_fields, unread
from qx.paths import confine, profile_folders
from qx.plugins import Plugins
from qx.serial import EMPTY
from qx.settings import Profile
from qx.validation import failure


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


def lint_domains(profile: Profile, plugins: Plugins, read: Mapping[str, ReadPack] = EMPTY) -> tuple[str, ...]:
    """Return what does not tell intents apart in the packs of ``profile``, each beside those after it; and names and
    synonyms in vain, the profile's own first.

    Raises:
        PackError, PluginError, NotAllowed: as ``load_domain``.
    """
    packs = load_domains(profile, plugins, read)
    own = lint_synonyms(profile.synonyms)
    of_packs = (
        f"pack {pack.name}: {said}"
        for at, pack in enumerate(packs[:-1])
        for said in (*lint(pack, packs[at + 1 :]), *unread(pack, packs), *lint_synonyms(pack.synonyms))
    )
    return (*own, *of_packs)
