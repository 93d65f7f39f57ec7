"""Follow-ups that say what kind of the thing is wanted, in words that no list knows."""

from collections.abc import Callable

import pytest

from qx.types import Understanding


@pytest.mark.parametrize(
    ("before", "text", "standalone"),
    [
        ("刘慈欣的科幻小说 50元以内", "要精装的", "精装的刘慈欣的科幻小说 50元以内"),
        ("红烧肉怎么做", "要带皮的", "带皮的红烧肉怎么做"),
        ("买羽绒服", "给我推荐长款的", "买长款的羽绒服"),
        ("买羽绒服", "男款的", "买男款的羽绒服"),
        ("想买羽绒服", "只要白色的", "白色的羽绒服"),
        ("刘慈欣的科幻小说", "要别的", None),
        ("苹果手机怎么截图", "要花钱吗", None),
        ("苹果手机怎么截图", "要真的", None),
        ("买羽绒服", "好的", None),
    ],
)
def test_what_is_wanted_in_so_many_words_narrows_the_thing(
    before: str, text: str, standalone: str | None, understand: Callable[..., Understanding]
):
    assert understand(text, before, "好的。").standalone == standalone


@pytest.mark.parametrize(
    ("before", "text", "standalone"),
    [
        ("莫言的小说", "那余华的呢", "余华的小说"),
        ("推荐周杰伦的歌", "那林俊杰的呢", "推荐林俊杰的歌"),
        ("川菜的做法", "粤菜的呢", "粤菜的做法"),
        ("便宜的手机", "那二手的呢", "二手的便宜的手机"),
    ],
)
def test_another_name_takes_the_place_of_the_first_and_a_property_stands_beside_it(
    before: str, text: str, standalone: str, understand: Callable[..., Understanding]
):
    assert understand(text, before, "好的。").standalone == standalone


@pytest.mark.parametrize(
    ("before", "text", "standalone"),
    [
        ("机器学习入门书推荐", "英文的有吗", "英文的机器学习入门书推荐"),
        ("英文的机器学习入门书", "那中文的呢", "中文的机器学习入门书"),
        ("how to write a resignation letter", "in Chinese?", "how to write a resignation letter in Chinese"),
        ("harry potter audiobook in english", "and in French?", "harry potter audiobook in French"),
        ("tents under $200", "for two people?", "tents under $200 for two people"),
        ("tents under $200", "for sure", None),
        ("夏天去西藏穿什么", "那冬天呢", "冬天去西藏穿什么"),
        ("一月去哈尔滨冷吗", "那三月呢", "三月去哈尔滨冷"),
        ("easy weeknight dinners", "under 30 minutes?", "easy weeknight dinners under 30 minutes"),
        ("中文履歷範本", "那英文履歷呢", "英文履歷範本"),
        ("這週末墾丁天氣", "那下週末呢", "下週末墾丁天氣"),
        ("dyson airwrap", "and the cheaper version?", "cheaper dyson airwrap"),
        ("iphone 16 price", "what about the 256gb one", "iphone 16 price 256gb"),
        ("台北車站附近的飯店", "還有更便宜的嗎", "更便宜的台北車站附近的飯店"),
        ("hotels in lisbon in may", "in september?", "hotels in lisbon in september"),
    ],
)
def test_a_language_a_season_and_for_whom_are_said_of_what_was_asked(
    before: str, text: str, standalone: str | None, understand: Callable[..., Understanding]
):
    assert understand(text, before, "OK.").standalone == standalone
