"""QueryGym's methods (``pip install querygym``, Apache-2.0), asked as they are: their prompts, temperatures and lengths, the
profile's model behind them, and the profile's engines for those that read hits.

Source: Hamidi Rad et al., "QueryGym: A Toolkit for Reproducible LLM-Based Query Reformulation", arXiv:2511.15996; each
method cites its own paper.  Parameters are those of its ``defaults.yaml``, else of its ``create_reformulator``.  QueryGym
is synchronous: a method runs in a thread, and each of its calls goes through the request's context, so that retries,
budget, usage and what an evaluation keeps are the same as for qx's own.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import CancelledError
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from qx.context import Context
from qx.errors import BadResponse, QxError, UsageError
from qx.eval.baselines.second_query import First
from qx.llm import CompletionRequest, Message
from qx.ranking import Ranking
from qx.steps.literal import literal

T = TypeVar("T")
HITS = 10
APART = 1e-6
"""Between the temperatures of equal requests, to tell them apart: no model can."""
log = logging.getLogger("qx")


def methods() -> tuple[str, ...]:
    """Return the names of the methods that are installed; none without QueryGym."""
    if importlib.util.find_spec("querygym") is None:
        return ()
    return tuple(sorted(_library().METHODS))


def _library() -> Any:
    try:
        return importlib.import_module("querygym")
    except ImportError as error:
        said = "is not installed" if error.name == "querygym" else f"cannot be imported: {error}"
        raise UsageError(
            f"the baselines querygym:… need the package querygym, which {said}: pip install querygym pandas"
        ) from error


class QueryGym:
    """One method of QueryGym (implements ``Rewriting``).

    Args:
        method: A registered method's class.
        method_name: Its name there.
        settings: Its part of ``defaults.yaml``.
    """

    def __init__(self, method: Any, method_name: str, settings: Mapping[str, Any]) -> None:
        self.name = f"querygym:{method_name}"
        self._method = method
        self._method_name = method_name
        self._settings = settings
        self.needs_hits = bool(getattr(method, "REQUIRES_CONTEXT", False))

    @classmethod
    def named(cls, name: str) -> QueryGym:
        """Return a method by its name.

        Raises:
            UsageError: QueryGym is not installed, or has no such method.
        """
        library = _library()
        if name not in library.METHODS:
            raise UsageError(f"querygym has no method {name!r}; known: {', '.join(sorted(library.METHODS))}")
        method = library.METHODS[name]
        # It prints its failures and shows bars, and what a program prints on standard output is its result.  Neither can be
        # switched off (no option, no logger, `tqdm` without `disable`), and `redirect_stdout` is of the whole process while
        # methods run in threads beside one another: so these two names are replaced in its modules.
        vars(importlib.import_module(method.__module__))["print"] = _logged
        vars(importlib.import_module("querygym.core.base"))["tqdm"] = _no_bar
        return cls(method, name, _defaults(library).get(name) or {})

    async def rewrite(self, first: First, context: Context, /) -> str | None:
        if not context.has_model:
            raise UsageError(f"{self.name} needs a model: add an `llm:` block to the profile")
        bridge = _Bridge(asyncio.get_running_loop())
        client = _Client(bridge, context)
        contents = _contents(first.lists)
        try:
            made: Any = await asyncio.to_thread(self._reformulated, first, client, bridge, contents)
        except QxError:
            raise
        except Exception as error:  # somebody else's code
            if client.failure is not None:
                raise client.failure from error
            raise BadResponse(f"{self.name} failed: {type(error).__name__}: {error}", step="expand") from error
        finally:
            await bridge.aclose()
        if client.failure is not None:  # it has gone on with the raw query
            raise client.failure
        metadata = cast("Mapping[str, Any]", made.metadata or {})
        if metadata.get("error"):
            raise BadResponse(f"{self.name}: {metadata['error']}", step="expand")
        return literal(str(made.reformulated))

    def _reformulated(self, first: First, client: _Client, bridge: _Bridge, contents: Sequence[str]) -> Any:
        library = _library()
        llm: dict[str, Any] = {
            "model": "qx",
            "temperature": 0.8,
            "max_tokens": 256,
            **(self._settings.get("llm") or {}),
        }
        params: dict[str, Any] = {**(self._settings.get("params") or {}), "retrieval_k": HITS}
        if self._method_name == "query2e":
            params["mode"] = "zs"  # its examples are MS MARCO's, which are not there
        if self.needs_hits:
            params["searcher"] = _searcher(library, bridge, first)
        config = library.MethodConfig(name=self._method_name, params=params, llm=llm)
        bank = library.PromptBank(Path(library.__file__).parent / "prompt_bank.yaml")
        query = library.QueryItem(qid="q", text=first.text)
        return self._method(config, client, bank).reformulate_batch([query], {"q": list(contents)})[0]


class _Bridge:
    """Runs coroutines of the engine's loop from the method's thread, until it is closed: then the thread ends too."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._closed = False
        self._pending: set[Any] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._closed:
            work.close()
            raise CancelledError
        future = asyncio.run_coroutine_threadsafe(self._tracked(work), self._loop)
        self._pending.add(future)
        try:
            return future.result()
        finally:
            self._pending.discard(future)

    async def _tracked(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        try:
            return await task
        finally:
            self._tasks.discard(task)

    async def aclose(self) -> None:
        """Cancel what the method still waits for, and see it end."""
        self._closed = True
        for future in tuple(self._pending):
            future.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _Client:
    """QueryGym's client of a model: ``chat`` is one call through the request's context.

    One method (``csqe``) reaches for OpenAI's own object behind it, to ask for ``n`` answers at once: here ``n`` calls.
    """

    def __init__(self, bridge: _Bridge, context: Context) -> None:
        self._bridge = bridge
        self._context = context
        self._said: Counter[tuple[Message, ...]] = Counter()
        self.failure: QxError | None = None
        self.model = "qx"
        self.client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=self._create)))

    def _create(self, *, messages: Sequence[Mapping[str, str]], n: int = 1, **settings: Any) -> Any:
        answers = [self.chat(messages, **settings) for _ in range(n)]
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=text)) for text in answers])

    def chat(self, messages: Sequence[Mapping[str, str]], **settings: Any) -> str:
        said = tuple(Message(role=cast(Any, m["role"]), content=m["content"]) for m in messages)
        again = self._said[
            said
        ]  # asked again for another answer: it must not be the one that is kept of the first time
        self._said[said] += 1
        request = CompletionRequest(
            model="",
            messages=said,
            max_tokens=int(settings.get("max_tokens", 256)),
            temperature=float(settings.get("temperature", 0.8)) + again * APART,
        )
        try:
            return self._bridge.run(_complete(self._context, request))
        except QxError as error:
            self.failure = error
            raise


async def _complete(context: Context, request: CompletionRequest) -> str:
    return (await context.complete(request)).text


def _searcher(library: Any, bridge: _Bridge, first: First) -> Any:
    """The profile's engines as a searcher of QueryGym."""
    search = cast("Callable[[str], Awaitable[tuple[Ranking, ...]]]", first.search)

    async def found(text: str, k: int) -> list[Any]:
        hits = [r.hit(i) for r in await search(literal(text)) for i in range(min(k, len(r.keys)))]
        return [library.SearchHit(docid=h.id, score=h.score, content=f"{h.title}\n{h.text}".strip()) for h in hits[:k]]

    class Engines(library.BaseSearcher):
        def search(self, query: str, k: int = 10, **_: Any) -> list[Any]:
            return bridge.run(found(query, k))

        def batch_search(self, queries: list[str], k: int = 10, num_threads: int = 1, **_: Any) -> list[list[Any]]:
            del num_threads
            return [self.search(query, k) for query in queries]

        def get_searcher_info(self) -> dict[str, Any]:
            return {"name": "qx"}

    return Engines()


def _contents(lists: Sequence[Ranking]) -> list[str]:
    """The texts of the first hits, list by list in turns."""
    found: dict[str, str] = {}
    for rank in range(HITS):
        for ranking in lists:
            if rank < len(ranking.keys) and len(found) < HITS:
                hit = ranking.hit(rank)
                found.setdefault(ranking.keys[rank], f"{hit.title}\n{hit.text}".strip())
    return list(found.values())


def _defaults(library: Any) -> Mapping[str, Any]:
    import yaml

    path = Path(library.__file__).parent / "config" / "defaults.yaml"
    return cast("Mapping[str, Any]", yaml.safe_load(path.read_text("utf-8")) or {}) if path.is_file() else {}


def _no_bar(items: T, **_: object) -> T:
    return items


def _logged(*words: object, **_: object) -> None:
    log.warning("querygym: %s", " ".join(map(str, words)))


__all__ = ["QueryGym", "methods"]
