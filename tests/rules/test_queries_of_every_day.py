"""More queries as people type them that were once misread: intents, names, numbers, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from qx.text import quantities
from qx.types import Understanding

Understand = Callable[..., Understanding]


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("nginx 502 bad gateway only for large uploads", "troubleshooting"),
        ("503 service unavailable after deploy", "troubleshooting"),
        ("docker compose up 之后容器一直 restarting", "troubleshooting"),
        ("pandas merge 之后行数变多了", "troubleshooting"),
        ("Spring Boot 3.2 升级后 javax 找不到", "troubleshooting"),
        ("best time to visit iceland for northern lights", "factual"),
        ("试用期辞退有没有赔偿", "factual"),
        ("高鐵票可以改期幾次", "factual"),
        ("小红书网页版入口", "factual"),
        ("substitute for buttermilk in pancakes", "recommendation"),
        ("跟兰蔻小黑瓶差不多的平价精华", "recommendation"),
    ],
)
def test_the_first_intent(text: str, intent: str, understand: Understand):
    assert understand(text).intent[0] == intent


def test_what_something_does_to_the_body_is_studied(understand: Understand):
    found = understand("does intermittent fasting affect muscle mass in older adults")
    assert "research" in found.intent
    assert "research evidence" in found.implicit_needs


@pytest.mark.parametrize(
    ("text", "name", "type_"),
    [
        ("nginx 502 bad gateway", "502", "error-code"),
        ("429 too many requests from the api", "429", "error-code"),
        ("Spring Boot 3.2 升级后 javax 找不到", "Spring Boot 3.2", "version"),
        ("印表機推薦", "印表機", "product"),
        ("空腹喝咖啡胃不舒服", "胃不舒服", "symptom"),
    ],
)
def test_names(text: str, name: str, type_: str, understand: Understand):
    assert (name, type_) in {(e.text, e.type) for e in understand(text).entities}


def test_a_jug_still_holds_litres_and_a_price_is_no_code(understand: Understand):
    assert [q.text for q in quantities.find("1.8升电热水壶")] == ["1.8升"]
    assert not quantities.find("3.2升级后打不开")
    assert not [e for e in understand("laptop under 500 not found in shops").entities if e.type == "error-code"]


@pytest.mark.parametrize(("text", "age"), [("宝宝六个月能吃蛋黄吗", 6), ("how much sleep does a 6 month old need", 6)])
def test_the_age_of_an_infant(text: str, age: int, understand: Understand):
    assert [(c.field, c.value, c.unit) for c in understand(text).constraints] == [("age", age, "month")]


def test_a_maker_is_ruled_out_beside_what_it_makes(understand: Understand):
    found = understand("預算三萬以內的筆電,不要蘋果")
    assert not found.senses
    assert ("brand", "ne") in {(c.field, c.op) for c in found.constraints}


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("do I need a visa for vietnam as a canadian", "entry requirements"),
        ("日本签证被拒了还能再签吗", "所需材料清单"),
        ("体检报告甲状腺结节3类严重吗", "是否需要治疗"),
        ("substitute for buttermilk in pancakes", "how much to use"),
    ],
)
def test_needs(text: str, some: str, understand: Understand):
    assert some in understand(text).implicit_needs


def test_who_wants_no_surveys_needs_no_review_article(understand: Understand):
    needs = understand("papers on retrieval augmented generation since 2024 that are not surveys").implicit_needs
    assert needs
    assert not [need for need in needs if "review" in need or "survey" in need]
