"""One way to call Qdrant: the official async client for a server, the embedded one in a thread of its own."""

from __future__ import annotations

import asyncio
import math
import warnings
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from qdrant_client import AsyncQdrantClient, QdrantClient

from qx.errors import Closed, ProfileError, ProviderError, ProviderTimeout
from qx_qdrant.bodies import hooks
from qx_qdrant.failures import translated

MEMORY = ":memory:"


class Connection:
    """Calls methods of the client by name, within a time, with qx's errors.

    The embedded engine computes in Python and holds no lock of its own: one thread runs everything in turn.  A call
    whose time is over ends for its caller; the thread finishes it.
    """

    def __init__(self, name: str, endpoint: str, client: Any, thread: ThreadPoolExecutor | None = None) -> None:
        self.name = name
        self.endpoint = endpoint
        self.embedded = thread is not None
        self._client = client
        self._thread = thread
        self._closed = False

    @classmethod
    def server(cls, name: str, url: str, api_key: str | None, *, https: bool | None, timeout: float) -> Connection:
        """Return a connection to a server; nothing is sent yet."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a key over plain HTTP: the operator's choice
            client = AsyncQdrantClient(
                url=url,
                api_key=api_key,
                https=https,
                timeout=math.ceil(timeout),
                check_compatibility=False,
                event_hooks=hooks(),
            )
        return cls(name, _public(url), client)

    @classmethod
    async def embed(cls, name: str, folder: Path | None) -> Connection:
        """Open a folder, or an index in memory where ``folder`` is None.

        Raises:
            ProfileError: the folder is in use by another process, or is none of Qdrant's.
        """
        # our documentation says when to use a server; the library would say it again with every call
        warnings.filterwarnings("ignore", message="Local mode is not recommended", category=UserWarning)
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="qx-qdrant")
        try:
            client = await _run(thread, partial(_open, folder))
        except (RuntimeError, ValueError, OSError) as error:
            thread.shutdown(wait=True)
            raise ProfileError(
                f"backend '{name}': Qdrant cannot open {folder}: {error}",
                hint="the embedded mode serves one process at a time; several need a server",
            ) from error
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(name, str(folder or MEMORY), client, thread)

    async def call(self, method: str, /, *, seconds: float, **arguments: Any) -> Any:
        """Call ``method`` of the client.

        Raises:
            ProviderError: one of its kinds, naming the backend, its endpoint and Qdrant's own message.
            Closed: the connection was closed.
        """
        if self._closed:
            raise Closed(f"backend '{self.name}' is closed")
        try:
            async with asyncio.timeout(seconds):
                return await self._awaitable(method, arguments, seconds)
        except TimeoutError as error:
            raise ProviderTimeout(
                f"backend '{self.name}': Qdrant at {self.endpoint} did not answer {method} in {seconds:.1f} s"
            ) from error
        except ProviderError:
            raise
        except Exception as error:
            known = translated(error, name=self.name, endpoint=self.endpoint, embedded=self.embedded)
            if known is None:
                raise
            raise known from error

    async def aclose(self) -> None:
        """Close the client and end the thread."""
        if self._closed:
            return
        self._closed = True
        if self._thread is None:
            await self._client.close()
            return
        await _run(self._thread, self._client.close)
        self._thread.shutdown(wait=True)

    def _awaitable(self, method: str, arguments: dict[str, Any], seconds: float) -> Awaitable[Any]:
        function = getattr(self._client, method)
        if self._thread is not None:
            return _run(self._thread, partial(function, **arguments))
        if method in _TIMED:
            arguments = {"timeout": max(1, math.ceil(seconds)), **arguments}
        return function(**arguments)


_TIMED = frozenset(
    (
        "query_points", "query_batch_points", "count", "facet", "scroll", "retrieve", "create_collection",
        "update_collection", "update_collection_aliases", "delete_collection", "upsert", "update_vectors", "delete",
        "create_payload_index", "batch_update_points",
    )
)  # fmt: skip
"""Methods that take a time in whole seconds; it also replaces the client's own for that call."""


async def _run(executor: Executor, function: Callable[[], Any]) -> Any:
    return await asyncio.get_running_loop().run_in_executor(executor, function)


def _open(folder: Path | None) -> QdrantClient:
    return QdrantClient(location=MEMORY) if folder is None else QdrantClient(path=str(folder))


def _public(url: str) -> str:
    """Return an address without the user and password that may stand in it."""
    parts = urlsplit(url if "//" in url else f"//{url}")
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    place = f"{host}:{parts.port}" if parts.port else host
    return urlunsplit((parts.scheme, place, parts.path, "", "")).removeprefix("//")
