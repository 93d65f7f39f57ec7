"""A search backend over a dictionary.  FROZEN."""

from qx import Hit
from qx.backend import BackendSettings, Health, IndexReport, SearchResponse
from qx.errors import Closed, Unavailable
from qx.filters.matching import evaluate
from qx.syntax import And, Not, Or, Phrase, Terms, asks_nothing, words
from qx.text.normalise import fold
from qx.text.segment import pieces, stem


class Settings(BackendSettings):
    down: bool = False
    """Whether it fails."""


def _tokens(text: str) -> list[str]:
    return [stem(piece) for piece in pieces(fold(text))]


class Engine:
    Settings = Settings
    accepts = frozenset(("any", "lexical"))
    bm25 = False

    def __init__(self, settings: Settings) -> None:
        self.name, self.fields, self.endpoint = settings.name, settings.fields, "frozen:"
        self._down, self._closed = settings.down, False
        self._documents = {}

    @classmethod
    async def create(cls, settings, services, /):
        services.log.debug("made for %s in %s at %s", services.tenant, services.folder, services.clock.now())
        return cls(settings)

    async def search(self, request, /):
        if self._closed:
            raise Closed(f"backend {self.name} is closed")
        if self._down:
            raise Unavailable(f"backend {self.name} ({self.endpoint}): down", plugin=self.name, retry_after=1.0)
        missing = []
        nothing = asks_nothing(request.expression)
        found = [] if nothing and request.filter is None else list(self._documents.values())
        found = [d for d in found if evaluate(request.filter, self._record(d))]
        if not nothing:
            found = [d for d in found if self._matches(request.expression, d, missing)]
        wanted = {token for word in words(request.expression) for token in _tokens(word)}
        scored = sorted(((len(wanted & self._held(d)), d) for d in found), key=lambda pair: -pair[0])
        page = scored[request.offset : request.offset + request.limit]

        def hit(index):
            d = page[index][1]
            return Hit(id=d.id, backend=self.name, title=d.title, text=d.text, url=d.url, metadata=d.metadata)

        return SearchResponse(
            ids=tuple(d.id for _, d in page),
            scores=tuple(float(points) for points, _ in page),
            hit=hit,
            identities=tuple(d.url for _, d in page),
            total=len(scored),
            unexpressed=tuple(missing),
        )

    def inexpressible(self, filter, /):
        return ()

    async def count(self, filter, /):
        return sum(evaluate(filter, self._record(d)) for d in self._documents.values())

    async def health(self):
        return Health(ok=not self._down, detail=self.endpoint, documents=len(self._documents))

    async def prepare(self, *, fingerprint, dimensions, adopt=False):
        pass

    async def upsert(self, documents, /):
        self._documents |= {d.id: d for d in documents}
        return IndexReport(indexed=len({d.id for d in documents}))

    async def delete(self, ids, /):
        return sum(self._documents.pop(id, None) is not None for id in ids)

    async def ids(self):
        return list(self._documents)

    async def aclose(self):
        self._closed = True

    def _record(self, d):
        return {"id": d.id, "title": d.title, "text": d.text, "url": d.url, "metadata": d.metadata}

    def _held(self, d):
        return {*_tokens(d.title), *_tokens(d.text)}

    def _matches(self, expression, d, missing):
        match expression:
            case Terms():
                return any(token in self._held(d) for word in expression.words for token in _tokens(word))
            case Phrase():
                return fold(expression.text) in fold(f"{d.title}\n{d.text}")
            case And():
                return all(self._matches(part, d, missing) for part in expression.parts)
            case Or():
                return any(self._matches(part, d, missing) for part in expression.parts)
            case Not():
                return not self._matches(expression.expression, d, missing)
            case _:
                missing.append(repr(expression))
                return True
