"""A strong model's list stays as it is; a weak one's does not shut out what rules know."""

from __future__ import annotations

import pytest

from engines import analysis, engine, queries, stage
from qx.domain import Knowledge
from qx.gathering import gather_knowledge
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.settings import Profile
from qx.steps.mix import AIM, Mix, kind
from qx.testing import ScriptedLLM
from qx.types import Entity, Query, SubQuery, Understanding, Understood

TEXT = "电脑开机黑屏只有光标在闪"
STRONG = (
    "电脑开机黑屏 光标闪烁 解决方案", "电脑黑屏 内存条 重新插拔", "电脑黑屏 光标 BIOS 启动项 设置",
    "电脑开机黑屏 光标 安全模式 修复系统", "电脑黑屏 显卡驱动 回滚", "电脑开机黑屏 硬盘 坏道 检测",
    "电脑 黑屏 光标 引导文件 损坏", "电脑开机黑屏 主板 故障 判断",
)  # fmt: skip
WEAK = ("电脑 开机 坏黑屏 闪动", "电脑 无法启动 坏黑屏 闪动", "电脑 重启 坏黑屏 闪动", "电脑 无法启动 重启 坏黑屏")


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return gather_knowledge(Profile(), Plugins.load(allow=()))


def value(**parts: object) -> Understood:
    entities = (Entity(text="电脑", type="product"), Entity(text="黑屏", type="symptom"))
    read = {
        "intent": ("troubleshooting",),
        "entities": entities,
        "keywords": ("电脑", "黑屏", "光标"),
        "language": "zh",
    }
    return Understood(query=Query(text=TEXT), understanding=Understanding(**(read | parts)))  # type: ignore[arg-type]


def sub(text: str, strategy: str = "refine") -> SubQuery:
    return SubQuery(text=text, strategy=strategy)


def test_what_fits_poorly_or_says_nothing_new_yields(knowledge: Knowledge):
    given = [
        sub("电脑黑屏 光标 内存条"),
        sub("内存条 光标 电脑黑屏"),
        sub("周末 天气 预报"),
        sub("电脑 黑屏", "generalize"),
    ]
    parted = Mix(value(), knowledge).parted(given)
    assert [q.text for q in parted.stay] == [
        "电脑黑屏 光标 内存条",
        "电脑 黑屏",
    ]  # leaving out is what a wider one is for
    assert [q.text for q in parted.yielding] == ["内存条 光标 电脑黑屏", "周末 天气 预报"]


def test_free_places_go_to_kinds_and_needs_that_are_lacking(knowledge: Knowledge):
    mix, needs = Mix(value(), knowledge), ("内存检测", "驱动更新")
    model = [sub(t) for t in ("电脑黑屏 光标 内存检测", *STRONG[2:4], STRONG[5])]
    made = [
        sub("电脑黑屏 光标 常见原因"),
        sub("电脑黑屏 光标 驱动更新"),
        sub('"电脑" AND "黑屏" 光标 方法', "boolean"),
        sub('"电脑" 黑屏 光标 步骤', "boolean"),
        sub("电脑黑屏 光标 site:zhihu.com", "site"),
        sub("电脑 显示故障 光标", "generalize"),
    ]
    filled = mix.filled(mix.parted(model), made, limit=8, needs=needs)
    assert [q.text for q in filled[4:]] == [made[1].text, made[2].text, made[4].text, made[5].text]
    assert filled[:4] == tuple(model)
    assert len(mix.filled(mix.parted(model), made, limit=5, needs=needs)) == 5


def test_a_short_list_is_filled_up_to_the_aim_and_no_further(knowledge: Knowledge):
    made = [sub(f"电脑黑屏 光标 {word}") for word in ("原因", "步骤", "工具", "检测", "预防", "教程")]
    mix = Mix(value(), knowledge)
    filled = mix.filled(mix.parted([sub(STRONG[0])]), made, limit=8, needs=())
    assert filled == (sub(STRONG[0]), *made[: AIM - 1])


def test_a_full_list_leaves_nothing_free_but_for_what_no_model_does(knowledge: Knowledge):
    model = [sub(text) for text in STRONG]
    made = [sub("电脑开机黑屏 光标 订正", "spelling"), sub("电脑黑屏 光标 site:zhihu.com", "site")]
    mix = Mix(value(), knowledge, beside=frozenset({"spelling"}))
    filled = mix.filled(mix.parted(model), made, limit=8, needs=())
    assert filled == (*model, made[0])


@pytest.mark.parametrize(
    ("text", "strategy", "found"),
    [
        ("黑屏 site:zhihu.com", "refine", "site"),
        ("black screen filetype:pdf", "synonym", "site"),
        ('"black screen" laptop', "refine", "boolean"),
        ("shirt -white", "refine", "boolean"),
        ("e-mail 3-in-1 cover", "refine", "refine"),
        ("website:design ideas", "generalize", "generalize"),
    ],
)
def test_the_text_tells_the_kind(text: str, strategy: str, found: str):
    assert kind(sub(text, strategy)) == found


def answering(*texts: str) -> ScriptedLLM:
    def model(request: CompletionRequest) -> str:
        needs = ["内存检测", "驱动更新"]
        words = {"intent": ["troubleshooting"], "keywords": ["电脑", "黑屏", "光标"], "implicit_needs": needs}
        entities = [{"text": "电脑", "type": "product"}, {"text": "黑屏", "type": "symptom"}]
        said = analysis(entities=entities, **words)
        return said if stage(request) == "understand" else queries(*texts, strategy="refine")

    return ScriptedLLM(model)


async def test_a_strong_models_full_list_is_all_there_is():
    async with engine(answering(*STRONG)) as opened:
        expansion = await opened.expand(TEXT)
    assert [q.text for q in expansion.queries[1:]] == list(STRONG)
    assert not any(
        span.name == "expand.strategies" and "boolean" in str(span.attributes) for span in expansion.trace.spans
    )


async def test_a_weak_models_list_does_not_shut_out_the_rules():
    async with engine(answering(*WEAK)) as opened:
        expansion = await opened.expand(TEXT)
    texts = [q.text for q in expansion.queries[1:]]
    assert texts[:2] == list(WEAK[:2])
    assert len(texts) == 8
    kinds = {kind(q) for q in expansion.queries[1:]}
    assert {"boolean", "refine"} < kinds
    assert WEAK[3] not in texts  # nothing new: it yields


async def test_what_a_weak_model_takes_for_needs_and_parts_does_not_spoil_the_rules_queries():
    text = "cheap breathable men's shirt for summer, not white"
    wrong = analysis(
        intent=["comparison"],
        entities=[{"text": "summer", "type": "product"}, {"text": "not white", "type": "product"}],
        implicit_needs=["find a shirt", "low"],
        senses=[{"word": "cheap", "label": "price", "words": ["low", "affordable"]}],
    )
    said = {"understand": wrong, "expand": queries("cheap breathable shirt summer", strategy="refine")}
    async with engine(ScriptedLLM(lambda request: said[stage(request)])) as opened:
        found = (await opened.expand(text)).queries[1:]
    async with engine() as opened:
        alone = {q.text for q in (await opened.expand(text)).queries}
    assert len(found) >= AIM
    assert not any("find a shirt" in q.text or q.strategy == "decompose" for q in found)
    assert len({q.text for q in found} & alone) >= AIM
