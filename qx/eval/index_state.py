"""What tells one state of an index from another, as far as its engine says so.

Of a local index it is every commit.  Of another engine it is the number of documents and the embedder of its vectors:
documents that are replaced one for one are not seen there.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from pathlib import Path

from qx.backend import SearchBackend, SupportsCount, SupportsHealth, SupportsVectors
from qx.builtin.cassette_backend import behind
from qx.engine import Engine
from qx.errors import QxError
from qx.serial import value
from qx.settings import BackendBlock

SECONDS = 5.0
"""An engine that does not say so within this time has no state that is known."""
UNKNOWN = ""
_NAMES = ("index", "collection", "instance", "namespace", "database", "table", "alias")
"""Settings by which engines tell their indexes apart."""


@value
class IndexState:
    """One backend's index.

    Attributes:
        state: ``UNKNOWN`` where its engine does not say.
        folder: A local one's, whose state is read without an engine; else empty.
        where: Which index it is, whatever profiles call it: engine, address, name there.
    """

    state: str
    folder: str = ""
    where: str = ""

    @property
    def changed(self) -> bool:
        """Whether a local index is another one by now."""
        return bool(self.folder) and folder_state(Path(self.folder)) != self.state

    def differs(self, before: IndexState) -> bool:
        """Whether it is another one than ``before``, as far as both are known."""
        return UNKNOWN not in (self.state, before.state) and self.state != before.state


async def states_of(engine: Engine) -> Mapping[str, IndexState]:
    """Return the states of a profile's indexes by the backends' names."""
    made: dict[str, IndexState] = {}
    for name, block in engine.profile.search.backends.items():
        backend = engine.backend(name)
        state = await state_of(block.type, backend)
        made[name] = IndexState(
            state=state,
            folder=backend.endpoint if block.type == "local" else "",
            where=" ".join((block.type, backend.endpoint, *_called(block))),
        )
    return made


def _called(block: BackendBlock) -> list[str]:
    """What an index is called in its engine, where its address does not say so."""
    own = block.model_extra or {}
    return [str(own[key]) for key in _NAMES if key in own]


async def state_of(type: str, backend: SearchBackend) -> str:
    """Return the state of one index; ``UNKNOWN`` where its engine does not say."""
    inner = behind(backend)
    if type == "local":
        return await asyncio.to_thread(folder_state, Path(inner.endpoint))
    parts: list[str] = []
    try:
        async with asyncio.timeout(SECONDS):
            if isinstance(inner, SupportsHealth):
                health = await inner.health()
                parts += [health.version, "" if health.documents is None else str(health.documents)]
            if not any(parts[1:]) and isinstance(inner, SupportsCount):
                parts.append(str(await inner.count(None)))
            if isinstance(inner, SupportsVectors):
                parts.append(await inner.stored_fingerprint() or "")
    except (QxError, TimeoutError):
        return UNKNOWN
    return ":".join(parts)


def folder_state(folder: Path) -> str:
    """Return the state of a local index: a digest of what its last commit wrote down."""
    made = hashlib.sha256()
    for file in ("words/meta.json", "qx.json"):
        try:
            made.update((folder / file).read_bytes())
        except OSError:
            made.update(b"-")
    return made.hexdigest()[:24]
