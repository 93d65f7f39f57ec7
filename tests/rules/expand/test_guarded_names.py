"""The guard lets no other model, no opposite and no other place stand for what was asked; a part of a place may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.domain import Contrast, Knowledge, Taxonomy
from qx.settings import Expand
from qx.steps.guard import guard
from qx.types import Query, SubQuery, Understanding

Understand = Callable[..., Understanding]


def reason(
    text: str, candidate: str, understanding: Understanding, knowledge: Any, strategy: str = "refine"
) -> str | None:
    made = SubQuery(text=candidate, strategy=strategy)
    _, dropped = guard(Query(text=text), understanding, [made], settings=Expand(), knowledge=knowledge)
    return dropped[0].reason if dropped else None


@pytest.mark.parametrize(
    ("text", "candidate"),
    [
        ("小米14 价格", "小米14 Pro 价格"),
        ("小米14 值得买吗", "小米14Pro 测评"),
        ("小米14 Pro 拍照", "小米14 拍照 样张"),
        ("红米note12 多少钱", "红米note12 青春版 价格"),
        ("iPhone 15 续航", "iPhone 15 Pro 续航 测试"),
        ("iPhone 15 Pro battery", "iPhone 15 Pro Max battery test"),
        ("iPhone 15 不要 Pro", "iPhone 15 Pro 价格"),
        ("RTX 4070 price", "RTX 4070 Ti price 2026"),
        ("galaxy s24 case", "galaxy s24 ultra case review"),
        ("macbook pro battery", "macbook air battery test"),
        ("孩子感冒吃什么药", "成人 感冒 用药"),
        ("儿童防晒霜推荐", "成人 防晒霜 推荐"),
        ("kids headphones", "adults headphones review"),
        ("cheap flights to tokyo", "expensive flights to tokyo"),
        ("cheap flights to tokyo", "cheap trains to tokyo"),
        ("便宜的酒店", "豪华 酒店"),
        ("北京到上海的机票", "北京 上海 高铁票"),
        ("二手车推荐", "全新 车 推荐"),
        ("men's running shoes", "women's running shoes"),
        ("wireless mouse", "wired mouse review"),
        ("猫咪打喷嚏怎么办", "狗狗 打喷嚏 怎么办"),
    ],
)
def test_another_thing_is_dropped(text: str, candidate: str, understand: Understand, knowledge: Any) -> None:
    assert reason(text, candidate, understand(text), knowledge)


@pytest.mark.parametrize(
    ("text", "candidate", "strategy"),
    [
        ("小米14 价格", "小米 14 价格 2026", "refine"),
        ("iPhone 15 和 iPhone 15 Pro 哪个好", "iPhone 15 Pro 评测", "decompose"),
        ("iPhone 15 or the Pro", "iPhone 15 Pro review", "decompose"),
        ("best ipad for students", "ipad air for students review", "refine"),
        ("best air fryer", "air fryer reviews 2026", "refine"),
        ("kids headphones", "children headphones review", "synonym"),
        ("孩子感冒吃什么药", "儿童 感冒 用药", "synonym"),
        ("cheap laptop for school", "laptop for school not expensive", "synonym"),
        ("flights or trains to paris", "trains to paris", "decompose"),
        ("爸妈用的手机", "老人 手机 推荐", "synonym"),
    ],
)
def test_the_same_thing_stays(text: str, candidate: str, strategy: str, understand: Understand, knowledge: Any) -> None:
    found = reason(text, candidate, understand(text), knowledge, strategy)
    assert found is None or found.startswith(("the parts", "duplicate")), found


@pytest.mark.parametrize(
    ("text", "candidate", "strategy", "stays"),
    [
        ("西藏自驾准备", "拉萨 自驾 准备", "refine", True),
        ("西藏自驾准备", "云南 自驾 准备", "refine", False),
        ("日本自由行", "京都 自由行 攻略", "refine", True),
        ("things to do in japan with kids", "things to do in kyoto with kids", "refine", True),
        ("things to do in japan with kids", "things to do in seoul with kids", "refine", False),
        ("hotels in california", "hotels in los angeles", "refine", True),
        ("hotels in tokyo", "hotels in osaka", "refine", False),
        ("拉萨酒店", "西藏 酒店 推荐", "refine", False),
        ("拉萨酒店", "西藏 酒店", "generalize", True),
    ],
)
def test_places(text: str, candidate: str, strategy: str, stays: bool, understand: Understand, knowledge: Any) -> None:
    assert (reason(text, candidate, understand(text), knowledge, strategy) is None) is stays


def test_a_pack_s_own_contrast_counts() -> None:
    contrast = Contrast(name="hand", words={"left": ("left-handed",), "right": ("right-handed",)})
    knowledge = Knowledge(name="own", taxonomy=Taxonomy(name="own", intents=()), contrasts=(contrast,))
    asked = Understanding(keywords=("left-handed", "guitar"), language="en")
    assert reason("left-handed guitar", "right-handed guitar price", asked, knowledge)
    assert reason("left-handed guitar", "left-handed guitar price", asked, knowledge) is None
    assert (
        reason(
            "left-handed guitar",
            "right-handed guitar price",
            asked,
            Knowledge(name="n", taxonomy=Taxonomy(name="n", intents=())),
        )
        is None
    )
