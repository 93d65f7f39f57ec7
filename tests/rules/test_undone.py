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
        *("手机不贵", "不掉色的口红", "这款耳机不推荐", "手机没有必要", "电脑没有光驱怎么装系统", "小米和苹果不一样"),
    ],
)
def test_a_wish_a_person_and_a_question_are_none(text: str, understand: Callable[..., Understanding]):
    assert "troubleshooting" not in understand(text).intent
