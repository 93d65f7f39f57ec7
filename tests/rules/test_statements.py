"""What is plainly stated of a thing that one has is a trouble; the same words of works, makers and people are none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from qx.types import Understanding

Understand = Callable[..., Understanding]


@pytest.mark.parametrize(
    "text",
    [
        "my dishwasher leaves white spots on glasses",
        "iphone gets hot while charging",
        "shower pressure really weak lately",
        "the cat threw up twice since yesterday",
        "bluetooth mouse cursor jumps around",
        "excel opens files as read only",
        "kettle takes forever and smells of plastic",
        "my blender only works at low speed",
        "my goldfish has no appetite",
        "right shoulder clicks lifting my arm",
        "pepper plant leaves curling up",
        "google maps voice went silent",
        "got charged for a gym i left",
        "i burned my tongue on soup",
        "新手机打电话有回音",
        "shower tiles turning orange",
        "nails splitting near the tips",
        "晒完太阳脖子起小水泡",
        "淋浴喷头水一会儿大一会儿小",
        "眼皮跳了好几天了",
        "馒头蒸出来都塌了",
        "winter tires making a whirring noise",
        "cotton sweater pilling after two washes",
        "热水器水温忽冷忽热",
        "耳机声音断断续续",
        "小狗一到宠物医院门口就抖",
        "芦荟叶子变软发透明",
        "看视频时平板自动变暗",
        "电视投屏画面卡声音正常",
        "快递被邻居拿走了",
        "洗衣机洗完衣服有毛絮",
        "阳台墙角结冰",
        "手机连得上热点但是刷不了网页",
        "平底锅一煎蛋就粘",
        "包裹显示派送中四天了",
        "手机充一晚上才充到60%",
        "阳台的薄荷叶子全黑了",
        "打印出来的字很淡",
        "厨房下水道有股怪味",
        "吸尘器用一会儿就自动停",
        "猫咪一直挠耳朵",
    ],
)
def test_what_is_told_of_a_thing_is_a_trouble(understand: Understand, text: str):
    assert understand(text).intent[0] == "troubleshooting"


@pytest.mark.parametrize(
    "text",
    [
        "tesla cuts prices in china",
        "the sun also rises",
        "maple leaves green summer",
        "government shuts offices after election",
        "phone covers with card slot",
        "our wedding was beautiful quotes",
        "my new headphones sound great",
        "climate changes over time",
        "妈妈很辛苦",
        "北京很冷",
        "这家店很难吃",
        "我家孩子很聪明",
        "my kitchen has good light",
        "get red paint for a fence",
        "got engaged ring ideas",
        "单词一学就会",
        "running shoes trending on tiktok",
        "时装时尚",
        "结婚十年了",
        "手机很便宜",
        "他一直在等你",
        "老板电器",
        "总统选举",
    ],
)
def test_what_is_told_of_others_or_praised_is_none(understand: Understand, text: str):
    assert "troubleshooting" not in understand(text).intent


@pytest.mark.parametrize("text", ["my dishwasher leaves white spots on glasses", "洗衣机洗完衣服有黑色的颗粒"])
def test_a_colour_of_what_is_wrong_limits_nothing(understand: Understand, text: str):
    assert not [c for c in understand(text).constraints if c.field == "colour" and c.hard]
