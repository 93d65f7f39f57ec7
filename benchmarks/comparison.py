"""qx beside LlamaIndex, Haystack and LangChain: what each adds to one question that becomes several searches.

Run it by hand in an environment of its own: ``pip install -e . llama-index-core haystack-ai langchain-classic`` and
``python benchmarks/comparison.py``.  Model and retriever answer at once, so all that is measured is the framework:
one question, a model that gives five more queries, six lists of 100 hits that overlap, one merged list.

Printed are milliseconds, all taken in turn in one process: the median, the least, and the least of the processor's own
time, which a busy machine disturbs least:

- ``qx search``: the whole of ``Engine.search`` (reading the query, prompt, guard, fit, fan-out, feedback from the first
  hits, fusion), no cache, the first ten hits as is usual, or all hundred; what the rules read in a text is remembered;
- ``qx search, every text new``: the same with a text that was not seen before;
- ``qx search, expansion cached``: the same with the memory cache on and warm, as in use;
- ``LlamaIndex QueryFusionRetriever`` (reciprocal rank, async);
- ``Haystack`` ``QueryExpander`` and ``MultiQueryTextRetriever`` (async);
- ``LangChain EnsembleRetriever`` over six retrievers (it asks no model).
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import qx.testing.plugin
from qx import Engine, Profile
from qx.backend import SearchRequest, SearchResponse
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.testing import ScriptedBackend, ScriptedLLM
from qx.types import Hit

QUESTION = "how to replace a bike wheel"
MORE = (
    "bike wheel replacement steps",
    "change a bicycle wheel tutorial",
    "bike wheel removal tools",
    "bike wheel axle types",
    "bike wheel replacement video",
)
HITS = 100
ROUNDS = 100
SENTENCE = "Loosen the axle nuts, lift the frame, take the old part out and set the new one in its place. "


def listed(query: str) -> list[tuple[str, str, float]]:
    """Ids, texts and scores of a query's hits: neighbouring queries share half of theirs."""
    place = (QUESTION, *MORE).index(query) if query in MORE else 0
    start = place * HITS // 2
    return [(f"doc-{start + i}", f"{start + i}: {SENTENCE * 3}", 1 - i / HITS) for i in range(HITS)]


ANALYSIS = {
    "intent": ["how-to"],
    "entities": [{"text": "bike wheel", "type": "product"}],
    "constraints": [],
    "implicit_needs": [],
    "sentiment": {"label": "neutral", "intensity": 0},
    "stance": "neutral",
    "keywords": ["replace", "bike", "wheel"],
    "negations": [],
    "senses": [],
    "kind": "simple",
    "standalone": None,
    "queries": [{"text": text, "strategy": "refine", "why": "wording"} for text in MORE],
}


class Instant(ScriptedBackend):
    """A backend that answers at once, as the other frameworks' retrievers here do: it makes the hits it is asked for."""

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        made = MADE.get(request.text, MADE[QUESTION])

        def hit(index: int) -> Hit:
            i, text, _ = made[index]
            return Hit(id=i, backend=self.name, title=text[:40], text=text)

        return SearchResponse(ids=tuple(i for i, _, _ in made), scores=tuple(score for _, _, score in made), hit=hit)


async def qx_engine(name: str, cache: str) -> Engine:
    def model(request: CompletionRequest) -> str:
        return json.dumps(ANALYSIS)

    Instant().named(name)
    ScriptedLLM(model).named(name)
    profile = {
        "name": "test",
        "tenant": "test",
        "llm": {"provider": "scripted", "model": "m", "options": {"instance": name}},
        "understand": {"mode": "llm-single"},
        "expand": {"limit": len(MORE)},
        "search": {"backends": {"docs": {"type": "scripted", "instance": name}}, "processors": [], "strong": 1},
        "cache": {"type": cache},
    }
    plugins = Plugins.load(allow=(), modules=[qx.testing.plugin])
    return await Engine.open(Profile.model_validate(profile), plugins=plugins)


MADE: dict[str, list[tuple[str, str, float]]] = {query: listed(query) for query in (QUESTION, *MORE)}


def llama_index() -> Callable[[], Awaitable[int]]:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.base.llms.types import CompletionResponse
    from llama_index.core.llms.mock import MockLLM
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

    class Model(MockLLM):
        def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
            return CompletionResponse(text="\n".join(MORE))

    class Retriever(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return [
                NodeWithScore(node=TextNode(id_=i, text=text), score=score)
                for i, text, score in MADE[query_bundle.query_str]
            ]

        async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return self._retrieve(query_bundle)

    fusion = QueryFusionRetriever(
        [Retriever()], llm=Model(), mode="reciprocal_rerank", similarity_top_k=HITS, num_queries=len(MORE) + 1
    )

    async def run() -> int:
        return len(await fusion.aretrieve(QUESTION))

    return run


def haystack() -> Callable[[], Awaitable[int]]:
    from haystack import Document as HaystackDocument
    from haystack import component
    from haystack.components.query import QueryExpander
    from haystack.components.retrievers import MultiQueryTextRetriever
    from haystack.dataclasses import ChatMessage

    @component
    class Model:
        @component.output_types(replies=list[ChatMessage])
        def run(self, messages: list[ChatMessage], **kwargs: Any) -> dict[str, Any]:
            return {"replies": [ChatMessage.from_assistant(json.dumps({"queries": list(MORE)}))]}

    @component
    class Retriever:
        @component.output_types(documents=list[HaystackDocument])
        def run(self, query: str, filters: Any = None, top_k: int | None = None) -> dict[str, Any]:
            return {"documents": [HaystackDocument(id=i, content=text, score=s) for i, text, s in MADE[query]]}

        @component.output_types(documents=list[HaystackDocument])
        async def run_async(self, query: str, filters: Any = None, top_k: int | None = None) -> dict[str, Any]:
            return self.run(query)

    expander = QueryExpander(chat_generator=Model(), n_expansions=len(MORE))
    retriever = MultiQueryTextRetriever(retriever=Retriever(), max_workers=8)

    async def run() -> int:
        queries = expander.run(query=QUESTION)["queries"]
        return len((await retriever.run_async(queries=queries))["documents"])

    return run


def langchain() -> Callable[[], Awaitable[int]]:
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_core.documents import Document as LangChainDocument
    from langchain_core.retrievers import BaseRetriever

    class Retriever(BaseRetriever):
        asked: str

        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[LangChainDocument]:
            return [LangChainDocument(page_content=text, metadata={"id": i}) for i, text, _ in MADE[self.asked]]

        async def _aget_relevant_documents(self, query: str, *, run_manager: Any) -> list[LangChainDocument]:
            return self._get_relevant_documents(query, run_manager=run_manager)

    fusion = EnsembleRetriever(
        retrievers=[Retriever(asked=query) for query in (QUESTION, *MORE)], weights=[1.0] * 6, id_key="id"
    )

    async def run() -> int:
        return len(await fusion.ainvoke(QUESTION))

    return run


async def main() -> None:
    plain, cached = await qx_engine("plain", "none"), await qx_engine("cached", "memory")

    spaces = count(1)

    async def searched(engine: Engine, limit: int, text: str = QUESTION) -> int:
        return len((await engine.search(text, limit=limit)).hits)

    runs: dict[str, Callable[[], Awaitable[int]]] = {
        "qx search": lambda: searched(plain, 10),
        "qx search, every text new": lambda: searched(plain, 10, QUESTION + " " * next(spaces)),
        "qx search, all hits": lambda: searched(plain, HITS),
        "qx search, expansion cached": lambda: searched(cached, 10),
    }
    others = {
        "LlamaIndex QueryFusionRetriever": llama_index,
        "Haystack MultiQueryTextRetriever": haystack,
        "LangChain EnsembleRetriever": langchain,
    }
    for name, build in others.items():
        try:
            runs[name] = build()
        except ImportError as error:
            print(f"{name}: not installed ({error})")
    times: dict[str, list[float]] = {name: [] for name in runs}
    busy: dict[str, list[float]] = {name: [] for name in runs}
    counts = {name: await run() for name, run in runs.items()}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            begin, began = time.perf_counter(), time.process_time()
            await run()
            times[name].append((time.perf_counter() - begin) * 1000)
            busy[name].append((time.process_time() - began) * 1000)
    best = min((min(t) for name, t in busy.items() if not name.startswith("qx")), default=None)
    result = await plain.search(QUESTION, limit=HITS)
    print(f"qx asked: {[q.text for q in result.expansion.queries] if result.expansion else None}")
    for name, taken in times.items():
        median = statistics.median(taken)
        least = min(busy[name])
        beside = f"  {least / best:.2f} of the best other" if best else ""
        print(f"{name:36} {median:7.2f} (least {min(taken):6.2f}, busy {least:6.2f})  {counts[name]:4} hits{beside}")
    await plain.aclose()
    await cached.aclose()


if __name__ == "__main__":
    asyncio.run(main())
