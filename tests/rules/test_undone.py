"""A thing that does not do something is broken, whatever the verb; of oneself, of a wish or of an opinion nothing is."""

from collections.abc import Callable

import pytest

from qx.types import Understanding


@pytest.mark.parametrize(
    "text",
    [
        *(
            "洗衣机不脱水",
            "门铃不响",
            "打印机不走纸",
            "手表不走了",
            "水龙头不出热水",
            "空调没冷气",
            "电动车没劲",
            "车窗不升",
        ),
        *("马桶不冲水怎么办", "小孩不长个", "验证码没来", "洗衣机为什么不甩干", "為什麼冷氣不出風", "印表機不進紙"),
    ],
)
def test_a_thing_that_does_not_do_something_is_a_trouble(text: str, understand: Callable[..., Understanding]):
    assert understand(text).intent[0] == "troubleshooting"


@pytest.mark.parametrize(
    "text",
    [
        *("我不吃辣", "不吃香菜的菜谱", "为什么企鹅不怕冷", "没工作怎么交社保", "没结婚能一起买房吗", "不粘锅推荐"),
        *(
            "手机不贵",
            "不掉色的口红",
            "这款耳机不推荐",
            "手机没有必要",
            "电脑没有光驱怎么装系统",
            "小米和苹果不一样",
        ),
    ],
)
def test_a_wish_a_person_and_a_question_are_none(text: str, understand: Callable[..., Understanding]):
    assert "troubleshooting" not in understand(text).intent


@pytest.mark.parametrize(
    "text",
    [
        *(
            "cake sank in the middle",
            "zipper came off my jacket",
            "leaves curling on pepper plant",
            "fridge humming loudly",
        ),
        *("left knee popping when bending", "sauce separated", "膝盖响但是不疼", "牙龈肿", "鞋子磨脚", "毛衣起球了"),
        *("洗衣機脫水時很大聲", "蛋糕烤完很硬"),
    ],
)
def test_what_befalls_a_thing_is_a_trouble(text: str, understand: Callable[..., Understanding]):
    assert understand(text).intent[0] == "troubleshooting"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "防起球的毛衣",
            "不会漏的水杯",
            "melted snow photography",
            "popping boba",
            "ripped jeans",
            "faded jeans women",
        ),
        *(
            "stained glass window kit",
            "hair shedding dog breeds",
            "jeans, not faded",
            "朋友圈晃一晃",
            "痛风 饮食",
            "裂变营销",
        ),
    ],
)
def test_a_word_of_mishap_that_describes_is_none(text: str, understand: Callable[..., Understanding]):
    assert "troubleshooting" not in understand(text).intent
