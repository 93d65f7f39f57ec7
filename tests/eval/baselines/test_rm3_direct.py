"""A weighted query by repeated words against the same weights given to tantivy: BM25 adds up over words."""

from __future__ import annotations

from typing import Any

import pytest

from qx.backend import SearchRequest
from qx.builtin.local.schema import tantivy
from qx.eval.baselines.rm3 import repeated
from qx.syntax import lexical


@pytest.mark.parametrize(
    "weights",
    [
        {"printer": 0.4, "tray": 0.3, "roller": 0.2, "ink": 0.1},
        {"打印机": 0.4, "滚筒": 0.35, "墨水": 0.15, "步骤": 0.1},
        {"printer": 0.5, "打印机": 0.3, "light": 0.2},
    ],
)
async def test_scores_are_proportional(opened: Any, weights: dict[str, float]):
    async with opened() as engine:
        backend = engine.backend()
        text = " ".join(repeated(weights))
        found = await backend.search(SearchRequest(text=text, expression=lexical(text)))
        library = tantivy()
        snapshot = backend._store.snapshot()
        parts = [
            (library.Occur.Should, library.Query.boost_query(backend._compiler(snapshot).query(lexical(word)), weight))
            for word, weight in weights.items()
        ]
        hits = snapshot.searcher.search(library.Query.boolean_query(parts), 100).hits
        keys = snapshot.keys([address for _, address in hits])
        direct = {id: score for (id, _), (score, _) in zip(backend._store.sources.names(keys), hits, strict=True)}
    ours = dict(zip(found.ids, found.scores, strict=True))
    assert set(ours) == set(direct)
    total = len(text.split())
    for id, score in direct.items():
        assert ours[id] / total == pytest.approx(score, rel=0.05)
