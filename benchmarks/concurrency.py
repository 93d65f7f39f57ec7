"""Concurrent expands over a loopback model server that answers in 50 ms, beside a bare aiohttp loop.

Run it by hand: ``python benchmarks/concurrency.py``.  The server is a process of its own.  Both sides make the same
calls with the same limit of connections, in turn; what counts is the ratio of the throughputs (at least 0.9 at 20) and
the CPU per expand above the bare loop (under 2 ms at 200).
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import time
from itertools import product
from multiprocessing.connection import Connection

import aiohttp
from framework import ZH, answer

from qx import Engine, Profile
from qx.plugins import Plugins

DELAY = 0.05
TURNS = 3
OPENINGS = ("请问", "想问", "求助", "谁知道", "有人知道", "大家好", "你好", "麻烦", "问一下", "想知道", "我想知道", "请教",
            "请教一下", "帮我看看", "想了解")  # fmt: skip
"""Before the queries of ``framework.py``: no two requests at once are equal, so that none shares another's run."""


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
        prompt = [{"role": m.role, "content": m.content} for m in engine.prompts("怎么修理自行车")[0].messages[:-1]]

        async def call(text: str) -> None:
            last = {"role": "user", "content": json.dumps({"query": text}, ensure_ascii=False)}
            body = {"model": "m", "messages": [*prompt, last], "max_tokens": 1100}
            async with session.post(f"{url}/chat/completions", json=body) as response:
                await response.json()

        for turn in range(TURNS + 1):
            texts = [f"{opening}{text}" for text, opening in product(ZH, OPENINGS)][: limit * 15]
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
