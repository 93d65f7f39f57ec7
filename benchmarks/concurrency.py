"""Concurrent expands over a loopback model server that answers in 50 ms, beside a bare aiohttp loop.

Run it by hand: ``python benchmarks/concurrency.py``.  The server is a process of its own.  Both sides make the same
calls with the same limit of connections, in turn, for queries that neither has seen before; what counts is the ratio of
the throughputs (at least 0.9 at 20) and the CPU per expand above the bare loop (under 2 ms at 200).

The bare loop does what any client of such a model must: it builds the same body (messages, schema, parameters; the query
as data in the last message), reads the answer, and the JSON of the model's text in it.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import time
from multiprocessing.connection import Connection

import aiohttp
from framework import answer, questions

from qx import Engine, Profile
from qx.plugins import Plugins
from qx.wire.dialect import response_format

DELAY = 0.05
TURNS = 3


def serve(pipe: Connection) -> None:
    """A model server that answers every call after 50 ms."""
    from aiohttp import web

    async def complete(request: web.Request) -> web.Response:
        body = await request.json()
        await asyncio.sleep(DELAY)
        text = answer(json.loads(body["messages"][-1]["content"])["query"])
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": 700, "completion_tokens": 200}
        choices = [{"index": 0, "finish_reason": "stop", "message": message}]
        return web.json_response({"model": "m", "choices": choices, "usage": usage})

    async def main() -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", complete)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024)
        await site.start()
        pipe.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(main())


async def pooled(work: object, texts: list[str], limit: int) -> tuple[float, float]:
    """Do ``work`` for all ``texts``, ``limit`` at once; return calls a second and CPU milliseconds a call."""
    places = asyncio.Semaphore(limit)

    async def one(text: str) -> None:
        async with places:
            await work(text)  # type: ignore[operator]

    began, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one(text) for text in texts))
    return len(texts) / (time.perf_counter() - began), (time.process_time() - cpu) / len(texts) * 1000


async def compare(url: str, limit: int) -> None:
    """Print both sides at one concurrency."""
    block = {"provider": "openai", "api_base": url, "model": "m", "concurrency": limit, "timeout": 30}
    profile = Profile.model_validate(
        {
            "tenant": "bench",
            "llm": block,
            "understand": {"mode": "llm-single"},
            "cache": {"type": "none"},
            "deadline": 60,
        }
    )
    bare: list[tuple[float, float]] = []
    ours: list[tuple[float, float]] = []
    async with (
        Engine.opened(profile, plugins=Plugins.load(allow=())) as engine,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=limit)) as session,
    ):
        (prompt,) = engine.prompts(questions(1)[0])
        before = [{"role": m.role, "content": m.content} for m in prompt.messages[:-1]]
        settings = profile.llm
        parameters = {
            "model": "m",
            "max_tokens": settings.max_tokens.of("single"),
            "temperature": settings.temperature.expand,
            "response_format": response_format(prompt.schema, strict=False),
        }

        async def call(text: str) -> list[str]:
            last = {"role": "user", "content": json.dumps({"query": text}, ensure_ascii=False)}
            body = parameters | {"messages": [*before, last]}
            async with session.post(f"{url}/chat/completions", json=body) as response:
                completion = await response.json()
            found = json.loads(completion["choices"][0]["message"]["content"])
            return [query["text"] for query in found["queries"]]

        for turn in range(TURNS + 1):
            texts = questions(limit * 15)
            results = [await pooled(call, texts, limit), await pooled(engine.expand, texts, limit)]
            if turn:  # the first turn opens the connections
                bare.append(results[0])
                ours.append(results[1])
    ratio = statistics.median(o[0] / b[0] for o, b in zip(ours, bare, strict=True))
    rates = [statistics.median(x[0] for x in side) for side in (bare, ours)]
    above = statistics.median(o[1] - b[1] for o, b in zip(ours, bare, strict=True))
    print(
        f"{limit:4} at once: bare {rates[0]:6.0f}/s   qx {rates[1]:6.0f}/s   ratio {ratio:.2f}   "
        f"CPU per expand above the bare loop {above:.2f} ms"
    )


def main() -> None:
    """Start the server and print the table."""
    near, far = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(far,), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{near.recv()}/v1"
    for limit in (20, 200):
        asyncio.run(compare(url, limit))
    server.terminate()
    server.join()


if __name__ == "__main__":
    main()
