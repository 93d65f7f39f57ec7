"""Ids: Meilisearch's are ``[A-Za-z0-9_-]``, at most 511 bytes; other ids are mapped, and kept beside."""

from __future__ import annotations

import re
from hashlib import blake2b

_NATIVE = re.compile(r"[A-Za-z0-9_-]{1,511}")
_MAPPED = re.compile(r"qx-[0-9a-f]{48}")


def stored_id(id: str) -> str:
    """Return the id under which Meilisearch keeps the document ``id``: the same wherever its rules allow.

    Others become ``qx-`` and 192 bits of a hash; an id that looks like one of those is mapped as well, so that no two
    documents meet.
    """
    if _NATIVE.fullmatch(id) and not _MAPPED.fullmatch(id):
        return id
    return "qx-" + blake2b(id.encode("utf-8", "surrogatepass"), digest_size=24).hexdigest()
