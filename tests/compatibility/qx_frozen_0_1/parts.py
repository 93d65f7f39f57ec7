"""One class for each contract but the backend's.  FROZEN."""

import struct
from dataclasses import replace
from typing import ClassVar

import click
from pydantic import Field

from qx import SubQuery, Usage
from qx.cache import CacheStats
from qx.domain import Model
from qx.embedder import Embeddings
from qx.errors import UsageError
from qx.fetch import Page
from qx.llm import Capabilities, Completion, Delta
from qx.ranking import Ranking
from qx.settings import Secret


class Endpoint(Model):
    model: str = ""
    api_key: Secret | None = None
    answer: str = "[]"
    """What it says."""


class Model_:
    Settings = Endpoint

    def __init__(self, settings):
        self._settings = settings
        self.requests = []

    @classmethod
    async def create(cls, settings, services, /):
        return cls(settings)

    def capabilities(self, model, /):
        return Capabilities(schema=False, tools=False, stream=True, context=8000)

    async def complete(self, request, /):
        self.requests.append(request)
        assert min(request.max_tokens, request.timeout, len(request.model)) > 0
        assert request.temperature >= 0
        assert (request.tools, dict(request.options)) == ((), {})
        size = sum(len(message.content) for message in request.messages if message.role in ("system", "user"))
        usage = Usage(calls=1, input_tokens=size, output_tokens=len(self._settings.answer))
        return Completion(text=self._settings.answer, usage=usage, model=request.model, finish="stop")

    async def stream(self, request, /):
        completion = await self.complete(request)
        yield Delta(text=completion.text)
        yield Delta(usage=completion.usage, finish=completion.finish)

    async def aclose(self):
        pass


class Embedder:
    class Settings(Model):
        dimensions: int = Field(default=8, ge=1)

    def __init__(self, settings):
        self.dimensions = settings.dimensions
        self.fingerprint = f"frozen-{settings.dimensions}"

    @classmethod
    async def create(cls, settings, services, /):
        return cls(settings)

    async def embed(self, request, /):
        assert request.kind in ("query", "document")
        assert request.timeout > 0
        vectors = tuple(self._vector(text) for text in request.texts)
        return Embeddings(vectors=vectors, usage=Usage(calls=1, input_tokens=1))

    def _vector(self, text):
        counts = [0.0] * self.dimensions
        for character in text:
            counts[ord(character) % self.dimensions] += 1.0
        return struct.pack(f"<{self.dimensions}f", *counts)

    async def aclose(self):
        pass


class _Plain:
    class Settings(Model):
        pass

    @classmethod
    async def create(cls, settings, services, /):
        return cls()

    async def aclose(self):
        pass


class Strategy:
    async def expand(self, query, understanding, context, /):
        assert (context.query.text, context.tenant) == (query.text, "frozen")
        assert context.clock.now().tzinfo
        assert context.knowledge.taxonomy.intents
        assert understanding.confidence >= 0
        text = understanding.standalone or query.text
        return [SubQuery(text=f"{text} manual", strategy="frozen-strategy", weight=0.5, why="as it was in 0.1")]


class Queries(_Plain):
    async def process_queries(self, expansion, context, /):
        context.note("frozen queries")
        kept = [q for q in expansion.queries if q.strategy == "original" or q.text != expansion.original]
        return replace(expansion, queries=tuple(kept), notes=(*expansion.notes, "frozen queries"))


class Hits(_Plain):
    class Settings(Model):
        without: str = "nothing"

    word = "nothing"

    @classmethod
    async def create(cls, settings, services, /):
        made = cls()
        made.word = settings.without
        return made

    async def process_hits(self, ranking, context, /):
        with context.span("frozen", hits=len(ranking.keys)) as span:
            gone = [i for i in range(len(ranking.keys)) if self.word in ranking.hit(i).title]
            span.set(dropped=len(gone))
        dropped = tuple((ranking.keys[i], f"its title holds {self.word}") for i in gone)
        kept = ranking.pick([i for i in range(len(ranking.keys)) if i not in gone])
        return replace(kept, dropped=(*ranking.dropped, *dropped))


class Fusion(_Plain):
    def fuse(self, rankings, weights, /):
        if len(rankings) != len(weights) or not any(weights) or not all(w >= 0 for w in weights):
            raise UsageError("one weight from 0 on for each list")
        best, where = {}, {}
        for ranking, weight in zip(rankings, weights, strict=True):
            for rank, key in enumerate(ranking.keys, 1):
                if weight > 0:
                    best[key] = best.get(key, 0.0) + weight / (60 + rank)
                    where.setdefault(key, (ranking, rank - 1))
        keys = sorted(best, key=lambda key: (-best[key], key))
        first = rankings[0] if rankings else Ranking.none()
        return Ranking(
            query=None,
            backend=None,
            keys=tuple(keys),
            scores=tuple(best[key] for key in keys),
            hit=lambda index: where[keys[index]][0].hit(where[keys[index]][1]),
            total=first.total,
        )


class Cache(_Plain):
    def __init__(self):
        self._held = {}

    async def get(self, key, /):
        return self._held.get((key.tenant, key.kind, key.digest))

    async def set(self, key, data, /, *, ttl):
        assert ttl > 0
        assert isinstance(data, bytes)
        self._held[key.tenant, key.kind, key.digest] = data

    async def clear(self, tenant, /):
        gone = [key for key in self._held if tenant is None or key[0] == tenant]
        for key in gone:
            del self._held[key]
        return len(gone)

    async def stats(self, tenant, /):
        held = [data for key, data in self._held.items() if tenant is None or key[0] == tenant]
        return CacheStats(entries=len(held), bytes=sum(map(len, held)))


class Observer(_Plain):
    wants_content = False
    seen: ClassVar[list] = []

    def on_event(self, event, /):
        assert not event.content
        self.seen.append((event.name, event.tenant, event.trace, event.at, dict(event.attributes)))


class Pages(_Plain):
    async def fetch(self, request, /):
        assert request.limits.seconds > 0
        return Page(url=request.url, title="a page", text="what it says")


class Shelf(_Plain):
    """A section of a profile: `frozen: {name: ...}`."""

    class Settings(Model):
        name: str
        """What it is called."""

    name = ""

    @classmethod
    async def create(cls, settings, services, /):
        made = cls()
        made.name = settings.name
        return made


class Count:
    """Count what a query finds."""

    class Request(Model):
        text: str
        """What is looked for."""
        limit: int = 10

    class Result(Model):
        shelf: str
        found: int

    class Progress(Model):
        said: str

    Events = (Progress,)

    async def run(self, engine, request, principal):
        yield self.Progress(said=f"{principal.tenant} looks")
        shelf = await engine.section("frozen")
        context = engine.begin(request.text, step="count")
        result = await context.search(request.text, limit=request.limit)
        yield self.Result(shelf=shelf.name, found=len(result.hits))


@click.command()
@click.option("--loud", is_flag=True, help="In capitals.")
def command(loud):
    """Say hello from 0.1."""
    click.echo("HELLO" if loud else "hello")
