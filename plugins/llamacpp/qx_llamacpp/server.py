"""llama.cpp in this process: one model, its threads, and the chunks of an answer as they are made."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

from qx.errors import BadRequest, Closed, ProfileError

Chunk = Mapping[str, Any]
_END: Chunk = {}


class Server:
    """A loaded model.  ``load`` makes it; every method runs on the event loop, llama.cpp in threads of its own."""

    def __init__(self, native: Any, executor: ThreadPoolExecutor) -> None:
        self._native = native
        self._executor = executor
        self._stops: set[threading.Event] = set()
        self._jobs: set[Future[None]] = set()

    @classmethod
    async def load(cls, path: Path, *, context: int, threads: int | None, parallel: int, gpu_layers: int) -> Server:
        """Load ``path``; takes seconds.

        Raises:
            ProfileError: it is not a model that llama.cpp can load.
        """
        executor = ThreadPoolExecutor(max_workers=parallel, thread_name_prefix="qx-llamacpp")

        def make() -> Any:
            return _native(path, context * parallel, threads or os.cpu_count() or 1, parallel, gpu_layers)

        try:
            native = await asyncio.get_running_loop().run_in_executor(executor, make)
        except BaseException:
            executor.shutdown(wait=False)
            raise
        return cls(native, executor)

    async def chunks(self, body: Mapping[str, Any]) -> AsyncIterator[Chunk]:
        """Yield the chunks of one streamed chat completion; leaving early stops the model at its next token.

        Raises:
            BadRequest: llama.cpp does not take the request.
        """
        if self._native is None:
            raise Closed("this model is closed")
        loop = asyncio.get_running_loop()
        arrived: asyncio.Queue[Chunk | Exception] = asyncio.Queue()
        stop = threading.Event()
        self._stops.add(stop)

        def tell(item: Chunk | Exception) -> None:
            if not stop.is_set():  # else nobody listens, and the loop may be gone
                loop.call_soon_threadsafe(arrived.put_nowait, item)

        job = self._executor.submit(_answer, self._native, dict(body), tell, stop)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        try:
            while (item := await arrived.get()) is not _END:
                if isinstance(item, Exception):
                    raise BadRequest(f"llama.cpp does not take the request: {item}")
                yield item
        finally:
            stop.set()
            job.cancel()  # if it still waits for a thread
            self._stops.discard(stop)

    async def aclose(self) -> None:
        """Stop every answer, end the threads and free the model."""
        for stop in self._stops:
            stop.set()
        self._native = None  # freed when the last answer has let go of it
        await asyncio.gather(*[asyncio.wrap_future(job) for job in tuple(self._jobs)], return_exceptions=True)
        self._executor.shutdown(wait=True)  # its threads are idle


def _native(path: Path, context: int, threads: int, parallel: int, gpu_layers: int) -> Any:
    import xllamacpp

    library = cast(Any, xllamacpp)
    params = library.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context
    params.n_parallel = parallel
    params.n_gpu_layers = gpu_layers
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    # The library opens a port on 127.0.0.1 whether one wants it or not: nobody knows the key to it.
    params.api_keys = [secrets.token_urlsafe(32)]
    params.endpoint_slots = False
    try:
        return library.Server(params)
    except (RuntimeError, ValueError, OSError) as error:
        raise ProfileError(
            f"llama.cpp cannot load {path}: {error}", hint="is it a GGUF file, and is there memory?"
        ) from error


def _answer(
    native: Any, body: dict[str, Any], tell: Callable[[Chunk | Exception], None], stop: threading.Event
) -> None:
    """Run one completion in a thread of the executor."""

    def on_chunk(chunk: Chunk) -> bool:
        tell(chunk)
        return stop.is_set()

    try:
        if not stop.is_set():
            left = native.handle_chat_completions(body, on_chunk)
            if left:  # an error comes back as the result
                tell(left)
    except Exception as error:  # noqa: BLE001 it must reach the waiting coroutine, whatever it is
        tell(error)
    finally:
        tell(_END)
