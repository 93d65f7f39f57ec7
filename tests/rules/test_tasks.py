"""The name of a task is a question of how it is done, with no word that asks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from qx.types import Understanding

Understand = Callable[..., Understanding]


@pytest.mark.parametrize(
    "text",
    [
        "patch drywall hole",
        "split a pdf into single pages",
        "unclog bathtub drain",
        "frost a layer cake",
        "sharpen kitchen knives at home",
        "给乌龟换水",
        "换灯泡",
        "make playdough without flour",
        "roast hazelnuts in oven",
        "夏天给车加玻璃水",
        "车票退票流程",
        "白衬衫领口发黄怎么洗干净",
        "港澳通行证过期了怎么换",
        "编织杯垫",
        "营业执照网上办",
        "泡发干香菇",
        "把旧电脑文件搬到新电脑",
        "re-grout a shower",
        "教外婆用视频通话",
        "剪映添加旁白",
        "用平底锅炒豆角",
        "在院子里种黄瓜",
        "steps for renewing a passport",
        "get grass stains out of white jeans",
        "腌咸鸭蛋",
        "自己在家酿米酒",
        "相册照片传到硬盘",
        "支付宝解绑银行卡",
    ],
)
def test_the_name_of_a_task_is_how_to(understand: Understand, text: str):
    assert understand(text).intent[0] == "how-to"


@pytest.mark.parametrize(
    "text",
    [
        "paint colors for hallway",
        "water bottle stainless steel",
        "cut flowers that last long",
        "open source licenses",
        "给爸妈买的按摩椅",
        "养生茶",
        "get a taxi to the airport",
        "tell me nutritional info for kale",
        "清洗剂",
        "训练服",
        "接线板",
        "编程语言",
        "种子公司排名",
        "登记照尺寸",
    ],
)
def test_a_name_that_begins_like_one_is_none(understand: Understand, text: str):
    assert "how-to" not in understand(text).intent


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("birthday present for a 9 year old who likes space", "recommendation"),
        ("induction cooktop or gas for a small kitchen", "comparison"),
        ("城市热岛效应的成因", "research"),
        ("heat pump cost", "factual"),
        ("冰层有多厚", "factual"),
        ("in the middle ages, what tax did millers pay", "factual"),
        ("find someone who repairs accordions", "recommendation"),
        ("厦门海边客栈", "recommendation"),
        ("low maintenance shrubs for shady patio", "recommendation"),
        ("gut bacteria and asthma", "research"),
        ("what is the second longest river in asia", "factual"),
        ("世界上最深的湖是哪个", "factual"),
        ("usb cable max length", "factual"),
        ("i need help choosing a dentist", "recommendation"),
        ("小米粥和燕麦粥哪个适合老人", "comparison"),
        ("大学生失眠率上升的原因", "research"),
        ("please explain why my transfer is pending", "troubleshooting"),
        ("could you give me the opening hours of the pool", "factual"),
        ("look up which bird is on the coin", "factual"),
        ("乔迁礼物送什么好", "recommendation"),
        ("hostel or campsite for a weekend in oslo", "comparison"),
        ("make a list of museums in leeds", "recommendation"),
        ("what's the resale value of my piano", "factual"),
        ("入门级相机", "recommendation"),
        ("cordless drill", "recommendation"),
        ("家用打印机", "recommendation"),
        ("老花镜和放大镜有什么差", "comparison"),
        ("great wall of china", "exploration"),
        ("跑步时听的播客节目单", "recommendation"),
        ("运动量和寿命的关系", "research"),
        ("tell me why bridges hum", "research"),
        ("could you find me a show about trains", "recommendation"),
        ("how might one join a rowing club", "how-to"),
        ("what crafts can kids make from cardboard", "recommendation"),
        ("which film is it where the dog drives a tractor", "factual"),
        ("里面有会说话的火车的是哪部动画", "factual"),
        ("户口迁移需要提供哪些材料", "factual"),
        ("北方哪里能看到极光", "factual"),
        ("sound machine for toddlers", "recommendation"),
        ("gluten free bakery leeds", "recommendation"),
        ("should i repair or replace a boiler", "comparison"),
        ("is rye or wheat bread better for toast", "comparison"),
        ("跑步机跟椭圆机有啥不一样", "comparison"),
        ("child friendly campsites near the coast", "recommendation"),
        ("distance between two cities", "factual"),
        ("博物馆到车站的距离", "factual"),
    ],
)
def test_what_else_no_word_asks_for(understand: Understand, text: str, intent: str):
    assert understand(text).intent[0] == intent
