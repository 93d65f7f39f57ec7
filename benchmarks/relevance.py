"""Whether expanding by rules helps, or at least does no harm: nDCG@10 and recall@100 against the raw query.

Run it by hand: ``QX_TEST_DATA=DIR python benchmarks/relevance.py [--sets shop,papers,support,constrained]
[--elasticsearch URL] [--queries N]``.  DIR holds folders in the BEIR layout (``corpus.jsonl``, ``queries.jsonl``,
``qrels.tsv``).  Everything is indexed once into a temporary folder (and into the named cluster), then each query runs
raw and expanded over the same index; the differences are paired, with a bootstrap interval of 95 %.

``constrained`` are queries made from the shop's own metadata (price, memory, brand, exclusions) whose answers follow
from it: beside the rest it prints the raw query over the same index without a field map, where conditions stay words,
and so what they bring once they go as filters.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from qx import Engine, Profile
from qx.backend import Document
from qx.plugins import Plugins

SAMPLES = 2000
SHOP_FIELDS = {
    "title": "title",
    "text": "text",
    "brand": {"name": "metadata.brand", "type": "keyword"},
    "price": {"name": "metadata.price_cents", "type": "number", "scale": 100, "unit": "USD"},
    "memory": {"name": "metadata.attributes.internal_memory", "type": "number", "unit": "GB"},
}


@dataclass(frozen=True)
class Collection:
    """Queries with graded answers over documents."""

    name: str
    documents: Sequence[Document]
    queries: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]
    fields: Mapping[str, Any]


def load(folder: Path) -> Collection:
    """Read a folder in the BEIR layout."""
    documents = [
        Document(id=d["_id"], title=d.get("title", ""), text=d.get("text", ""), metadata=d.get("metadata") or {})
        for d in map(json.loads, (folder / "corpus.jsonl").open(encoding="utf-8"))
    ]
    queries = {q["_id"]: q["text"] for q in map(json.loads, (folder / "queries.jsonl").open(encoding="utf-8"))}
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        grades[query][document] = int(float(grade))
    judged = {q: text for q, text in queries.items() if any(g > 0 for g in grades[q].values())}
    fields = SHOP_FIELDS if folder.name == "shop" else {"title": "title", "text": "text"}
    return Collection(folder.name, documents, judged, grades, fields)


def constrained(shop: Collection, count: int = 100) -> Collection:
    """Make queries of conditions; a document answers if it meets all and is of the kind that is named."""
    chance = random.Random(7)
    kinds = {
        "laptop": ("notebook", "laptop"),
        "monitor": ("monitor",),
        "smartphone": ("smartphone",),
        "tablet": ("tablet",),
    }
    found: dict[str, list[Document]] = defaultdict(list)
    for document in shop.documents:
        for kind, words in kinds.items():
            if any(word in document.title.casefold().split() for word in words):
                found[kind].append(document)
    queries: dict[str, str] = {}
    grades: dict[str, dict[str, int]] = {}
    while len(queries) < count:
        kind = chance.choice(sorted(found))
        documents = found[kind]
        text, meets = condition(kind, str(chance.choice(documents).metadata["brand"]), chance)
        answers = {d.id: 1 for d in documents if meets(d.metadata)}
        if 5 <= len(answers) <= 0.7 * len(documents) and text not in queries.values():
            name = f"c{len(queries):03}"
            queries[name] = text
            grades[name] = answers
    return Collection("constrained", shop.documents, queries, grades, shop.fields)


def condition(kind: str, brand: str, chance: random.Random) -> tuple[str, Callable[[Mapping[str, Any]], bool]]:
    """A query with one or two conditions, and whether a document's metadata meets them."""
    price = chance.choice((100, 200, 300, 500, 800))
    memory = chance.choice((4, 8))
    forms: list[tuple[str, Callable[[Mapping[str, Any]], bool]]] = [
        (f"{kind} under ${price}", lambda d: d["price_cents"] <= price * 100),
        (f"{kind} not {brand}", lambda d: d["brand"] != brand),
        (f"{brand} {kind} under ${price}", lambda d: d["brand"] == brand and d["price_cents"] <= price * 100),
        (f"{kind} with at least {memory}GB RAM", lambda d: _memory(d) >= memory),
    ]
    return chance.choice(forms)


def _memory(metadata: Mapping[str, Any]) -> float:
    found = (metadata.get("attributes") or {}).get("internal_memory")
    return float(found) if isinstance(found, (int, float)) else -1.0


def ndcg(ranked: Sequence[str], grades: Mapping[str, int], depth: int = 10) -> float:
    """Normalised discounted cumulative gain with linear gains, as trec_eval computes it."""
    gained = sum(max(0, grades.get(d, 0)) / math.log2(n + 2) for n, d in enumerate(ranked[:depth]))
    ideal = sum(g / math.log2(n + 2) for n, g in enumerate(sorted(grades.values(), reverse=True)[:depth]) if g > 0)
    return gained / ideal if ideal else 0.0


def recall(ranked: Sequence[str], grades: Mapping[str, int], depth: int = 100) -> float:
    """Share of the relevant documents among the first ``depth``."""
    relevant = {d for d, g in grades.items() if g > 0}
    return len(relevant & set(ranked[:depth])) / len(relevant) if relevant else 0.0


def interval(differences: Sequence[float], seed: int = 1) -> tuple[float, float]:
    """A paired bootstrap interval of 95 % of the mean difference."""
    chance = random.Random(seed)
    size = len(differences)
    means = sorted(sum(chance.choices(differences, k=size)) / size for _ in range(SAMPLES))
    return means[int(0.025 * SAMPLES)], means[int(0.975 * SAMPLES) - 1]


def profile(backend: Mapping[str, Any], collection: Collection, **search: Any) -> Profile:
    """The profile that is measured: rules, one backend, nothing cached."""
    blocks = {"main": {**backend, "fields": collection.fields}}
    return Profile.model_validate(
        {
            "tenant": "bench",
            "deadline": "30s",
            "cache": {"type": "none"},
            "understand": {"mode": "rules"},
            "search": {"backends": blocks, **search},
        }
    )


def batches(documents: Sequence[Document], size: int = 1000) -> Iterator[Sequence[Document]]:
    """Cut into parts."""
    for start in range(0, len(documents), size):
        yield documents[start : start + size]


async def fill(engine: Engine, collection: Collection) -> None:
    """Index a collection."""
    backend: Any = engine.backend()
    await backend.prepare(fingerprint=None, dimensions=0)
    for part in batches(collection.documents):
        report = await backend.upsert(list(part))
        if report.failed:
            raise SystemExit(f"not indexed: {report.failed[:3]}")


Scores = tuple[float, float]
"""nDCG@10 and recall@100 of a query."""


async def score(
    engine: Engine, collection: Collection, most: int | None, *, expand: bool
) -> tuple[list[Scores], float]:
    """Each query's scores, and the median of the milliseconds they took."""
    scores: list[Scores] = []
    times: list[float] = []
    for query, text in list(collection.queries.items())[:most]:
        began = time.perf_counter()
        result = await engine.search(text, limit=100, expand=expand)
        times.append((time.perf_counter() - began) * 1000)
        ranked = [hit.id for hit in result.hits]
        scores.append((ndcg(ranked, collection.grades[query]), recall(ranked, collection.grades[query])))
    return scores, statistics.median(times)


def compare(label: str, texts: Sequence[str], one: Sequence[Scores], other: Sequence[Scores], spent: str) -> None:
    """Print ``one`` beside ``other``, and the queries that lose most."""
    line = f"{label:44} {len(one):4} queries"
    for at, name in ((0, "nDCG@10"), (1, "recall@100")):
        before, after = [s[at] for s in one], [s[at] for s in other]
        low, high = interval([a - b for a, b in zip(after, before, strict=True)])
        line += f"   {name} {statistics.mean(before):.3f} -> {statistics.mean(after):.3f} [{low:+.3f}, {high:+.3f}]"
    changes = [b[0] - a[0] for a, b in zip(one, other, strict=True)]
    wins, losses = sum(d > 1e-9 for d in changes), sum(d < -1e-9 for d in changes)
    print(f"{line}   wins {wins} losses {losses}   {spent}", flush=True)
    for difference, text in sorted(zip(changes, texts, strict=True))[:3]:
        if difference < -1e-9:
            print(f"    {difference:+.3f}  {text[:90]}", flush=True)


async def measure(block: Mapping[str, Any], collection: Collection, most: int | None, **how: Any) -> None:
    """Index a collection and print what filters and expanding change.

    Args:
        block: The backend's in a profile.
        collection: What is searched.
        most: How many queries at most.
        how: ``folder``, ``plugins``, and settings of searching.
    """
    folder, plugins = how.pop("folder"), how.pop("plugins")
    texts = list(collection.queries.values())[:most]
    name = f"{block['type']} {collection.name}"

    def made(of: Collection) -> Profile:
        return profile(block, of, **how).model_copy(update={"folder": Path(folder)})

    async with Engine.opened(made(collection), plugins=plugins) as engine:
        await fill(engine, collection)
        raw, raw_time = await score(engine, collection, most, expand=False)
        ours, time_of_ours = await score(engine, collection, most, expand=True)
    if collection.name == "constrained":
        bare = replace(collection, fields={"title": "title", "text": "text"})
        async with Engine.opened(made(bare), plugins=plugins) as engine:
            words, words_time = await score(engine, bare, most, expand=False)
        compare(f"{name}: words -> filters", texts, words, raw, f"{words_time:.0f} -> {raw_time:.0f} ms")
    compare(f"{name}: raw -> expanded", texts, raw, ours, f"{raw_time:.0f} -> {time_of_ours:.0f} ms")


async def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default="shop,papers,support,constrained")
    parser.add_argument("--elasticsearch", metavar="URL")
    parser.add_argument("--queries", type=int, default=None)
    parser.add_argument("--share", type=float, default=None)
    parser.add_argument("--strong", type=float, default=None)
    given = parser.parse_args()
    data = Path(os.environ["QX_TEST_DATA"])
    search = {k: v for k, v in (("share", given.share), ("strong", given.strong)) if v is not None}
    plugins = Plugins.load()
    shop = load(data / "shop")
    with tempfile.TemporaryDirectory() as folder:
        for name in given.sets.split(","):
            collection = constrained(shop) if name == "constrained" else shop if name == "shop" else load(data / name)
            kinds: dict[str, dict[str, Any]] = {"local": {"type": "local", "path": f"{folder}/{name}"}}
            if given.elasticsearch:
                kinds["elasticsearch"] = {
                    "type": "elasticsearch",
                    "hosts": [given.elasticsearch],
                    "index": f"qx-bench-{name}",
                }
            for block in kinds.values():
                await measure(block, collection, given.queries, folder=folder, plugins=plugins, **search)


if __name__ == "__main__":
    asyncio.run(main())
