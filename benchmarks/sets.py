"""The sets of queries that results are measured on, and the profiles that search them.

Folders in the BEIR layout under ``QX_TEST_DATA`` (``shop``, ``papers``, ``support``), and ``constrained``: queries made
from the shop's own metadata (price, memory, brand, exclusions), whose answers follow from it.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qx import Engine, Profile
from qx.backend import Document
from qx.eval.datasets import corpus, load_dataset
from qx.eval.measures import has_relevant
from qx.eval.values import Dataset, EvalQuery
from qx.paths import home
from qx.plugins import Plugins

SETS = ("shop", "constrained", "papers", "support")
TEXT_FIELDS = {"title": "title", "text": "text"}
SHOP_FIELDS = {
    **TEXT_FIELDS,
    "brand": {"name": "metadata.brand", "type": "keyword"},
    "price": {"name": "metadata.price_cents", "type": "number", "scale": 100, "unit": "USD"},
    "memory": {"name": "metadata.attributes.internal_memory", "type": "number", "unit": "GB"},
}
BATCH = 1000


@dataclass(frozen=True)
class Collection:
    """Queries over the documents of a folder; ``fields`` is the field map that filters need."""

    dataset: Dataset
    folder: Path
    fields: Mapping[str, Any]

    @property
    def name(self) -> str:
        return self.dataset.name

    def documents(self) -> Iterator[Document]:
        """Read the documents."""
        return corpus(self.folder)


def collection(data: Path, name: str, limit: int | None = None) -> Collection:
    """Read one of ``SETS``; ``limit`` takes a sample of its queries."""
    folder = data / ("shop" if name == "constrained" else name)
    fields = SHOP_FIELDS if folder.name == "shop" else TEXT_FIELDS
    if name == "constrained":
        return Collection(constrained(corpus(folder), limit or 100), folder, fields)
    read = load_dataset(folder, name=name)
    judged = [query for query in read.queries if has_relevant(read, query.id)]
    if limit is not None and limit < len(judged):
        judged = sorted(random.Random(1).sample(judged, limit), key=lambda query: query.id)
    return Collection(_dataset(name, judged, read.grades), folder, fields)


def _dataset(name: str, queries: Sequence[EvalQuery], grades: Mapping[str, Mapping[str, int]]) -> Dataset:
    kept = {query.id: dict(grades[query.id]) for query in queries}
    told = json.dumps([[q.id, q.text] for q in queries]) + json.dumps(kept, sort_keys=True)
    digest = hashlib.sha256(told.encode()).hexdigest()
    return Dataset(name=name, queries=tuple(queries), grades=kept, fingerprint=digest)


def constrained(documents: Iterable[Document], count: int) -> Dataset:
    """Make queries of conditions; a document answers if it meets all and is of the kind that is named."""
    chance = random.Random(7)
    kinds = {
        "laptop": ("notebook", "laptop"),
        "monitor": ("monitor",),
        "smartphone": ("smartphone",),
        "tablet": ("tablet",),
    }
    found: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        for kind, words in kinds.items():
            if any(word in document.title.casefold().split() for word in words):
                found[kind].append(document)
    queries: dict[str, EvalQuery] = {}
    grades: dict[str, dict[str, int]] = {}
    for _ in range(100 * count):
        if len(queries) == count:
            break
        kind = chance.choice(sorted(found))
        named = found[kind]
        text, meets = condition(kind, str(chance.choice(named).metadata["brand"]), chance)
        answers = {d.id: 1 for d in named if meets(d.metadata)}
        if 5 <= len(answers) <= 0.7 * len(named) and text not in queries:
            queries[text] = EvalQuery(id=f"c{len(queries):03}", text=text)
            grades[queries[text].id] = answers
    return _dataset("constrained", tuple(queries.values()), grades)


def condition(kind: str, brand: str, chance: random.Random) -> tuple[str, Callable[[Mapping[str, Any]], bool]]:
    """Return a query with one or two conditions, and whether a document's metadata meets them."""
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
    held = (metadata.get("attributes") or {}).get("internal_memory")
    return float(held) if isinstance(held, (int, float)) else -1.0


def block(of: Collection, elasticsearch: str | None) -> dict[str, Any]:
    """The backend of a collection: a local index under ``$QX_HOME``, or an index of a cluster."""
    name = of.folder.name
    if elasticsearch:
        return {"type": "elasticsearch", "hosts": [elasticsearch], "index": f"qx-results-{name}"}
    return {"type": "local", "path": f"index-{name}"}


def profile(name: str, of: Collection, backend: Mapping[str, Any], **settings: Any) -> Profile:
    """The profile of a condition: one backend, nothing cached; rules unless ``settings`` say otherwise."""
    data = {
        "name": name,
        "tenant": "results",
        "deadline": "30s",
        "cache": {"type": "none"},
        "understand": {"mode": "rules"},
        "search": {"backends": {"main": {**backend, "fields": dict(of.fields)}}},
        **settings,
    }
    folder = home() / "results"
    folder.mkdir(parents=True, exist_ok=True)
    return Profile.model_validate(data).model_copy(update={"folder": folder})


async def filled(of: Collection, searched: Profile, plugins: Plugins) -> int:
    """Index a collection, if it is not there yet; return how many documents there are."""
    async with Engine.opened(searched, plugins=plugins) as engine:
        backend: Any = engine.backend()
        wanted = sum(1 for _ in of.documents())
        await backend.prepare(fingerprint=None, dimensions=0)
        if await backend.count(None) == wanted:
            return wanted
        batch: list[Document] = []
        for document in of.documents():
            batch.append(document)
            if len(batch) == BATCH:
                await _written(backend, batch)
                batch = []
        await _written(backend, batch)
        return int(await backend.count(None))


async def _written(backend: Any, batch: Sequence[Document]) -> None:
    report = await backend.upsert(batch) if batch else None
    if report is not None and report.failed:
        raise SystemExit(f"not indexed: {report.failed[:3]}")
