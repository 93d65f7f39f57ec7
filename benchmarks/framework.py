"""What qx itself costs: expand with an instant model and its parts, a cache hit, the rules.

Run it by hand: ``python benchmarks/framework.py``.  Printed are medians after a warm-up, over queries each of which
names a maker of its own, as do the model's queries for it: no text has been seen before, so that what qx remembers of
texts helps within a request alone, as it does in use:

- ``expand, instant model``: one call to an in-process model that answers at once; everything that is left is qx;
- its parts, by the spans of the trace, and the prompt rendered on its own; ``the rest`` is the cache, the single
  flight, the budget and the event loop;
- ``expand, memory cache``: the same query again;
- ``by rules``: understanding and expanding without a model, and understanding alone in both languages.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from itertools import islice, product
from typing import TypeVar

import qx.testing.plugin
from qx import Engine, Expansion, Profile, Query
from qx.domain import Knowledge
from qx.gathering import gather_knowledge
from qx.plugins import Plugins
from qx.rules.understand import RuleUnderstanding
from qx.settings import Prompts
from qx.steps.prompt import PromptBook
from qx.testing import ScriptedLLM

VERBS = ("清洗", "更换", "安装", "修理", "保养", "拆卸", "检查", "调整", "挑选", "存放")
PARTS = {
    "自行车": "后轮", "洗衣机": "滤网", "空调": "外机", "笔记本电脑": "键盘", "咖啡机": "水箱", "吉他": "琴弦",
    "汽车": "雨刮", "冰箱": "密封条", "打印机": "墨盒", "相机": "镜头", "帐篷": "支架", "油烟机": "风轮",
    "热水器": "镁棒", "跑步机": "跑带", "电饭煲": "内胆", "耳机": "海绵套", "手表": "表带", "鱼缸": "过滤器",
    "扫地机器人": "边刷", "缝纫机": "梭芯",
}  # fmt: skip
MAKERS = tuple(
    map("".join, product("海清明新达康美佳凯乐思维帝瑞恒泰锐捷普森", "尔曼格诺顿斯克特伦德拉宁朗威迪科信雅洛奇"))
)
_KINDS = tuple(product(VERBS, PARTS.items()))
ENGLISH_VERBS = ("clean", "replace", "install", "repair", "adjust", "remove", "check", "choose", "store", "lubricate")
ENGLISH_PARTS = ("bike wheel", "oven door", "fan belt", "tent pole", "piano key", "door hinge", "pump seal", "car wiper",
                 "camera lens", "watch strap", "desk drawer", "water tank", "guitar string", "fish filter", "lamp cord",
                 "shower head", "brake pad", "gas valve", "laptop fan", "ski edge")  # fmt: skip
EN = [f"how to {verb} a {part}" for verb, part in product(ENGLISH_VERBS, ENGLISH_PARTS)]
_FORM = re.compile(rf"怎么自己({'|'.join(VERBS)})家里(.{{0,2}}({'|'.join(PARTS)}))的")
COUNT = 200
"""Requests of each line."""
QUERIES = (
    "{thing} {part} {verb} 步骤",
    "{thing} {part} {verb} 教程",
    "{thing} {verb} 工具 清单",
    "{thing} {part} 异响 常见问题",
    "{thing} {verb} 费用",
    "{thing} {part} 型号 区别",
    "{thing} {part} {verb} 视频",
    "{thing} {verb} 注意事项",
)
"""Eight, which is what the prompt asks for: a shorter list would be filled up by rules."""
SPANS = {
    "understand.rules": "rules",
    "understand.model": "model call",
    "understand.parse": "reading the answer",
    "expand.guard": "guard",
    "expand.processor fit": "fit",
}


def _questions() -> Iterator[str]:
    """80,000 queries of 16 characters: a verb, a thing and its maker that come together once."""
    for turn, at in product(range(len(MAKERS)), range(len(_KINDS))):
        verb, (thing, part) = _KINDS[at * 37 % len(_KINDS)]
        maker = MAKERS[(at * 7 + turn * 13) % len(MAKERS)]
        yield f"怎么自己{verb}家里{maker}{thing}的{part}"


_LEFT = _questions()


def questions(count: int) -> list[str]:
    """So many queries of which this process has seen none."""
    return list(islice(_LEFT, count))


def answer(text: str) -> str:
    """What the instant model says of ``text``, which holds one of ``questions``."""
    found = _FORM.search(text)
    if found is None:
        raise ValueError(f"no question of this benchmark: {text}")
    verb, thing, kind = found.groups()
    part = PARTS[kind]
    analysis = {
        "intent": ["how-to"],
        "entities": [{"text": thing, "type": "product"}],
        "constraints": [],
        "implicit_needs": ["需要的工具", f"{thing}{part}型号"],
        "sentiment": {"label": "neutral", "intensity": 0},
        "stance": "neutral",
        "keywords": [verb, thing, part],
        "negations": [],
        "senses": [],
        "kind": "simple",
        "standalone": None,
    }
    texts = (form.format(verb=verb, thing=thing, part=part) for form in QUERIES)
    listed = [{"text": text, "strategy": "refine", "why": "角度"} for text in texts]
    return json.dumps(analysis | {"queries": listed}, ensure_ascii=False)


T = TypeVar("T")
Times = list[tuple[float, float]]
"""Milliseconds of the wall clock, and of the processor: on a busy machine the second tells more."""


async def timed(
    work: Callable[[str], Awaitable[T]], texts: list[str], look: Callable[[T], object] = lambda result: None
) -> Times:
    """How long ``work`` takes for each of ``texts``; ``look`` is shown each result, which nothing keeps, as in a server."""
    out: Times = []
    for text in texts:
        began, cpu = time.perf_counter(), time.process_time()
        result = await work(text)
        out.append(((time.perf_counter() - began) * 1000, (time.process_time() - cpu) * 1000))
        look(result)
    return out


def show(name: str, times: Times, goal: str = "") -> None:
    """Print one line."""
    wall, cpu = ([each[which] for each in times] for which in (0, 1))
    wanted = f"   (goal: {goal})" if goal else ""
    print(
        f"{name:42} median {statistics.median(wall):7.3f} ms   CPU {statistics.median(cpu):7.3f} ms   "
        f"best {min(wall):7.3f} ms{wanted}"
    )


def show_part(name: str, times: list[float]) -> None:
    """Print one line of a part, of which only the wall clock is known."""
    print(f"  {name:40} median {statistics.median(times):7.3f} ms   {'':14}   best {min(times):7.3f} ms")


async def with_a_model(plugins: Plugins) -> None:
    """Expand with the instant model, its parts, and the same again from the cache."""
    answers = dict[str, str]()  # made before the clock runs: the model is instant
    llm = ScriptedLLM(lambda request: answers[json.loads(request.messages[-1].content)["query"]]).named("instant")
    del llm  # the plugin finds it by its name
    block = {"provider": "scripted", "model": "m", "options": {"instance": "instant"}}
    profile = Profile.model_validate({"tenant": "bench", "llm": block, "understand": {"mode": "llm-single"}})
    parts: dict[str, list[float]] = defaultdict(list)
    counts: list[tuple[int, int]] = []

    def look(expansion: Expansion) -> None:
        counts.append((len(expansion.queries), len(expansion.dropped)))
        for span in expansion.trace.spans:
            if span.name in SPANS:
                parts[SPANS[span.name]].append(span.duration)

    async with Engine.opened(profile, plugins=plugins) as engine:
        warm, texts = questions(20), questions(COUNT)
        answers.update((text, answer(text)) for text in (*warm, *texts))
        await timed(engine.expand, warm)
        whole = await timed(engine.expand, texts, look)
        show("expand, instant model (llm-single)", whole, "under 2")
        book = PromptBook(engine.knowledge, Prompts(), examples=2, example_tokens=1200)
        for text in texts:
            began = time.perf_counter()
            book.render("single", {"query": text}, language="zh", count=8)
            parts["prompt"].append((time.perf_counter() - began) * 1000)
        spans = [sum(each) for each in zip(*(parts[name] for name in SPANS.values()), strict=True)]
        prompt = statistics.median(parts["prompt"])
        parts["the rest"] = [total - inner - prompt for (total, _), inner in zip(whole, spans, strict=True)]
        for name, times in parts.items():
            show_part(name, times)
        queries, dropped = (statistics.mean(each) for each in zip(*counts, strict=True))
        print(f"  ({queries:.1f} queries, {dropped:.1f} dropped)")
        show("expand, memory cache", await timed(engine.expand, texts), "under 0.2")


async def by_rules(plugins: Plugins) -> None:
    """Expand, and understand alone, without a model."""
    async with Engine.opened(Profile(tenant="rules"), plugins=plugins) as engine:
        await timed(engine.expand, questions(20))
        show("understand and expand by rules", await timed(engine.expand, questions(COUNT)))
    knowledge: Knowledge = gather_knowledge(Profile(), plugins)
    rules = RuleUnderstanding(knowledge)
    now = datetime(2026, 3, 1, tzinfo=UTC)

    async def read(text: str) -> object:
        return rules.understand(Query(text=text), now=now, zone=UTC)

    for language, texts in (("zh", questions(COUNT)), ("en", EN)):
        await timed(read, [f"{text} " for text in texts[::10]])
        length = round(statistics.mean(map(len, texts)))
        show(f"understand by rules, {language}, {length} characters", await timed(read, texts), "under 5")


async def main() -> None:
    """Print the figures."""
    plugins = Plugins.load(allow=(), modules=[qx.testing.plugin])
    await with_a_model(plugins)
    await by_rules(plugins)


if __name__ == "__main__":
    asyncio.run(main())
