"""How good the lists are: nDCG@10 of plain queries, before and after ``rerank by: lexical``."""

from __future__ import annotations

import pytest

pytest.importorskip("meilisearch_python_sdk")

import json
import math
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

from qx.backend import Document
from qx.builtin.rerank.lexical import Lexical
from qx.builtin.rerank.method import Task
from qx.ranking import Ranking
from qx.syntax import lexical
from qx.testing.conformance.backend import ask, hits
from qx.testing.services import TestServices
from qx_meilisearch.backend import Meilisearch

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("QX_TEST_DATA" not in os.environ, reason="QX_TEST_DATA does not name the folder of test sets"),
]
SINGLE = {"papers": 0.265, "support": 0.421, "shop": 0.655}
"""What one Meilisearch query reached, the better of its matching strategies."""
LEAST = {"papers": 0.430, "support": 0.675, "shop": 0.735}


def rows(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").rstrip("\n").split("\n")


def read(folder: Path) -> tuple[list[Document], dict[str, str], dict[str, dict[str, float]]]:
    corpus = [json.loads(row) for row in rows(folder / "corpus.jsonl")]
    documents = [Document(id=d["_id"], title=d.get("title") or "", text=d.get("text") or "") for d in corpus]
    queries = {q["_id"]: q["text"] for q in map(json.loads, rows(folder / "queries.jsonl"))}
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    for row in rows(folder / "qrels.tsv")[1:]:
        query, document, grade = row.split("\t")
        grades[query][document] = float(grade)
    return documents, queries, {query: known for query, known in grades.items() if max(known.values()) > 0}


def ndcg(found: list[str], grades: dict[str, float]) -> float:
    gained = sum(grades.get(id, 0.0) / math.log2(place + 2) for place, id in enumerate(found[:10]))
    best = sorted(grades.values(), reverse=True)[:10]
    return gained / sum(grade / math.log2(place + 2) for place, grade in enumerate(best))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", sorted(LEAST))
async def test_words_and_pairs_find_more(name: str, place: Any, services: TestServices, capsys: Any) -> None:
    documents, queries, grades = read(Path(os.environ["QX_TEST_DATA"]) / name)
    backend = await Meilisearch.create(Meilisearch.Settings.model_validate(place.settings()), services)
    await backend.prepare(fingerprint=None, dimensions=0)
    assert (await backend.upsert(documents)).indexed == len(documents)
    method, before, after = Lexical(title=2.0, expansion=0.25), 0.0, 0.0
    for query, known in grades.items():
        response = await backend.search(ask(lexical(queries[query])))
        found = hits(response)
        ranking = Ranking(
            query=None,
            backend=None,
            keys=response.ids,
            scores=response.scores,
            hit=response.hit,
            frequencies=response.frequencies,
            documents=response.documents,
        )
        scores = method.scored(Task(query=queries[query], others={}, hits=found, ranking=ranking, seconds=5.0))
        order = sorted(range(len(found)), key=lambda i: -scores[i])
        before += ndcg(list(response.ids), known)
        after += ndcg([found[i].id for i in order], known)
    await backend.aclose()
    size = len(grades)
    with capsys.disabled():
        print(
            f"\n{name}: nDCG@10 {before / size:.3f} as it comes, {after / size:.3f} reranked (one query: {SINGLE[name]})"
        )
    assert after / size >= LEAST[name]
