"""Domain packs: from files to a validated ``DomainPack`` (``qx.domain``), and several of them to one ``Knowledge``.

- ``files``: ``pack.yaml`` and what it includes, as one mapping with places
- ``loading``: one pack or taxonomy, validated and checked
- ``checks``, ``parts``: what must hold in a pack beyond the types of its keys
- ``entries``: what installed distributions bring, read once
- ``chosen``: the packs that a profile names
- ``merging``: several packs into one ``Knowledge``; ``entity_types``: who owns which name; ``joining``: each item once
- ``languages``: its tags; ``references``: fields, types and intents that any pack of a profile may bring
- ``lint``: intents that nothing tells apart
"""

from qx.packs.chosen import is_folder, lint_domains, load_domain, load_domains, read_domain, read_domains
from qx.packs.entries import read_entry
from qx.packs.files import PACK_LIMIT, pack_file
from qx.packs.loading import SCHEMA_VERSION, ReadPack, general_intents, load_pack, load_taxonomy, read_pack
from qx.packs.references import BY_RULES

__all__ = [
    "BY_RULES",
    "PACK_LIMIT",
    "SCHEMA_VERSION",
    "ReadPack",
    "general_intents",
    "is_folder",
    "lint_domains",
    "load_domain",
    "load_domains",
    "load_pack",
    "load_taxonomy",
    "pack_file",
    "read_domain",
    "read_domains",
    "read_entry",
    "read_pack",
]
