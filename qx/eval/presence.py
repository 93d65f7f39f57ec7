"""Whether the index that is searched is the one that was judged: the mistake that makes every figure 0."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from qx.backend import Health, SearchBackend, SupportsCount, SupportsHealth, SupportsIndexing
from qx.builtin.cassette_backend import behind
from qx.engine import Engine
from qx.errors import DatasetError, QxError, Unavailable
from qx.eval.values import Dataset
from qx.searching import no_backend

MOST = 500_000
"""Documents of an index whose ids are looked up; a larger one is believed."""
ENOUGH = 0.5
"""Share of the relevant documents that must be there for a run to begin without a warning."""
SECONDS = 30.0
HINT = "index them first: `qx index FILE…`; of a BEIR folder `qx eval run FOLDER --index` does it"
log = logging.getLogger("qx")


async def check_presence(engine: Engine, dataset: Dataset) -> str:
    """Look whether the documents that the dataset judges are in the profile's engines.

    Returns:
        A warning where many are missing, which is logged as well; empty where all is well, or no engine can tell.

    Raises:
        DatasetError: the engines hold no document at all, or none of those that are judged relevant.
        Unavailable: none of the engines can be searched.
        ProfileError: the profile names none.
    """
    names = list(engine.profile.search.backends)
    if not names:
        raise no_backend(engine.profile)
    backends = [behind(engine.backend(name)) for name in names]
    reports = [await _health(backend) for backend in backends]
    down = [f"{name}: {one.detail}" for name, one in zip(names, reports, strict=True) if one and not one.ok]
    if down and len(down) == len(names):
        hint = f" ({HINT})" if all(isinstance(backend, SupportsIndexing) for backend in backends) else ""
        raise Unavailable(f"no engine can be searched: {'; '.join(down)}{hint}")
    counts = [await _documents(backend, one) for backend, one in zip(backends, reports, strict=True)]
    filled_by_us = all(isinstance(backend, SupportsIndexing) for backend in backends)
    if counts and filled_by_us and all(count == 0 for count in counts):
        raise DatasetError(f"the index of {', '.join(names)} is empty", hint=HINT)
    relevant = {id for grades in dataset.grades.values() for id, grade in grades.items() if grade > 0}
    there = await _ids(backends, counts)
    if not relevant or there is None:
        return ""
    share = len(relevant & there) / len(relevant)
    if not share:
        example = min(relevant)
        raise DatasetError(
            f"none of the {len(relevant)} documents that {dataset.name} judges relevant (such as {example!r}) is in "
            f"the index of {', '.join(names)}, which holds others (such as {min(there)!r})",
            hint=f"is it the index of another collection? are ids written alike? {HINT}",
        )
    if share >= ENOUGH:
        return ""
    said = (
        f"only {share:.0%} of the {len(relevant)} documents that {dataset.name} judges relevant are in the index of "
        f"{', '.join(names)}: all figures will be too low ({HINT})"
    )
    log.warning("%s", said)
    return said


async def _health(backend: SearchBackend) -> Health | None:
    """What an engine says of itself; None where it says nothing."""
    if not isinstance(backend, SupportsHealth):
        return None
    try:
        async with asyncio.timeout(SECONDS):
            return await backend.health()
    except (QxError, TimeoutError) as error:
        return Health(ok=False, detail=str(error) or f"no answer within {SECONDS:g} s")


async def _documents(backend: SearchBackend, said: Health | None) -> int | None:
    if said is not None and said.documents is not None:
        return said.documents
    try:
        async with asyncio.timeout(SECONDS):
            return await backend.count(None) if isinstance(backend, SupportsCount) else None
    except (QxError, TimeoutError) as error:
        log.debug("%s does not say how many documents it holds: %s", backend.endpoint, error)
        return None


async def _ids(backends: Sequence[SearchBackend], counts: Sequence[int | None]) -> set[str] | None:
    """The ids that all of them hold; None where one cannot tell, or has too many."""
    found: set[str] = set()
    for backend, count in zip(backends, counts, strict=True):
        if not isinstance(backend, SupportsIndexing) or count is None or count > MOST:
            return None
        try:
            async with asyncio.timeout(SECONDS):
                found.update(await backend.ids() if count else ())
        except (QxError, TimeoutError) as error:
            log.debug("%s does not list its documents: %s", backend.endpoint, error)
            return None
    return found
