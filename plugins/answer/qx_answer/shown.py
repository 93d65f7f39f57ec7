"""Sources as a model is shown them: their passages, as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qx_answer.claims import Source
from qx_answer.values import Passage


def as_data(sources: Sequence[Source], passages: Sequence[Passage]) -> list[dict[str, Any]]:
    """Return the sources that have a passage, in the order of their best one, each with its passages in their own order."""
    by_id = {source.id: source for source in sources}
    found: list[dict[str, Any]] = []
    for id_ in dict.fromkeys(passage.source_id for passage in passages):
        source = by_id[id_]
        own = sorted((p for p in passages if p.source_id == id_), key=lambda p: p.start)
        made: dict[str, Any] = {"id": id_}
        if source.title:
            made["title"] = source.title
        if source.published:
            made["published"] = source.published
        found.append(made | {"passages": [passage.text for passage in own]})
    return found
