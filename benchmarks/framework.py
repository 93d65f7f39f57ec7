"""What qx itself costs: expand with an instant model, a cache hit, the rules.

Run it by hand: ``python benchmarks/framework.py``.  Printed are medians over distinct queries, after a warm-up:

- ``llm-single``: one call to an in-process model that answers at once; everything that is left is qx;
- ``cache hit``: the same query again, from the memory cache;
- ``rules``: understanding by rules, queries of 20 characters; and understanding and expanding together.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import qx.testing.plugin
from qx import Engine, Profile, Query
from qx.domain import Knowledge
from qx.opening import gather_knowledge
from qx.plugins import Plugins
from qx.rules.understand import RuleUnderstanding
from qx.testing import ScriptedLLM

ROUNDS = 200
ZH = "怎么修理第{n:03}号自行车的后轮和刹车"
EN = "how to fix wheel {n:03}"
ANALYSIS = {
    "intent": ["how-to"],
    "entities": [{"text": "自行车", "type": "product"}],
    "constraints": [],
    "implicit_needs": ["需要的工具", "更换刹车片"],
    "sentiment": {"label": "neutral", "intensity": 0},
    "stance": "neutral",
    "keywords": ["修理", "自行车", "后轮", "刹车"],
    "negations": [],
    "senses": [],
    "kind": "simple",
    "standalone": None,
}
QUERIES = (
    "第{n}号自行车 后轮 拆卸 步骤",
    "第{n}号自行车 刹车片 更换 教程",
    "第{n}号单车 轮子 调整 工具 清单",
    "第{n}号自行车 刹车失灵 原因",
    "第{n}号自行车 后轮 异响 常见问题",
    "第{n}号自行车 维修 费用",
    "第{n}号自行车 刹车线 安装 视频",
)


def answer(text: str) -> str:
    """What the instant model says of ``text``."""
    number = "".join(c for c in text if c.isdigit())
    listed = [{"text": q.format(n=number), "strategy": "refine", "why": "角度"} for q in QUERIES]
    return json.dumps(ANALYSIS | {"queries": listed}, ensure_ascii=False)


async def timed(work: Callable[[str], Awaitable[object]], texts: list[str]) -> list[float]:
    """Milliseconds of ``work`` for each of ``texts``."""
    out: list[float] = []
    for text in texts:
        began = time.perf_counter()
        await work(text)
        out.append((time.perf_counter() - began) * 1000)
    return out


def show(name: str, times: list[float], goal: str) -> None:
    """Print one line."""
    print(f"{name:34} median {statistics.median(times):7.3f} ms   best {min(times):7.3f} ms   (goal: {goal})")


async def main() -> None:
    """Print the figures."""
    plugins = Plugins.load(allow=(), modules=[qx.testing.plugin])
    llm = ScriptedLLM(lambda request: answer(json.loads(request.messages[-1].content)["query"])).named("instant")
    del llm
    block = {"provider": "scripted", "model": "m", "options": {"instance": "instant"}}
    profile = Profile.model_validate({"tenant": "bench", "llm": block, "understand": {"mode": "llm-single"}})
    texts = [ZH.format(n=n) for n in range(ROUNDS)]
    async with Engine.opened(profile, plugins=plugins) as engine:
        await timed(engine.expand, [f"{t}热身" for t in texts[:20]])
        expansion = await engine.expand(ZH.format(n=999))
        show("expand, instant model (llm-single)", await timed(engine.expand, texts), "under 2")
        show("expand, memory cache", await timed(engine.expand, texts), "under 0.2")
        print(f"  ({len(expansion.queries)} queries, {len(expansion.dropped)} dropped)")
    async with Engine.opened(Profile(tenant="rules"), plugins=plugins) as engine:
        await timed(engine.expand, [f"{t}热身" for t in texts[:20]])
        show("understand and expand by rules", await timed(engine.expand, texts), "-")
    knowledge: Knowledge = gather_knowledge(Profile(), plugins)
    rules = RuleUnderstanding(knowledge)
    now = datetime(2026, 3, 1, tzinfo=UTC)

    async def read(text: str) -> object:
        return rules.understand(Query(text=text), now=now, zone=UTC)

    for language, form in (("zh", ZH), ("en", EN)):
        texts = [form.format(n=n) for n in range(ROUNDS)]
        await timed(read, texts[:20])
        show(f"understand by rules, {language}, {len(texts[0])} characters", await timed(read, texts), "under 5")


if __name__ == "__main__":
    asyncio.run(main())
