"""Exclusions and protected negations in both languages."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text import negation
from qx.text.negation import failures, find, protected, requests

EXCLUDED: list[tuple[str, list[tuple[str, str]]]] = [
    ("不要白色的手机", [("不要", "白色")]),
    ("除了苹果之外的手机", [("除了", "苹果")]),
    ("除了微信还有什么聊天软件", [("除了", "微信")]),
    ("不含糖的饮料", [("不含", "糖")]),
    ("无糖可乐", [("无", "糖")]),
    ("无广告软件", [("无", "广告")]),
    ("０添加酸奶", [("０", "添加")]),
    ("非苹果手机", [("非", "苹果手机")]),
    ("没有广告的播放器", [("没有", "广告")]),
    ("不要红色和白色", [("不要", "红色"), ("不要", "白色")]),
    ("推荐手机，不要小米、华为", [("不要", "小米"), ("不要", "华为")]),
    ("笔记本 不要惠普不要华硕", [("不要", "惠普"), ("不要", "华硕")]),
    ("不要红色不要黑色的裙子", [("不要", "红色"), ("不要", "黑色")]),
    ("耳机别推荐索尼别推荐森海塞尔", [("别推荐", "索尼"), ("别推荐", "森海塞尔")]),
    ("不要辣不要香菜的面", [("不要", "辣"), ("不要", "香菜")]),
    ("不想要太贵的", [("不想要", "贵")]),
    ("不吃辣的菜", [("不吃", "辣")]),
    ("除了星巴克附近还有什么咖啡店", [("除了", "星巴克")]),
    ("无线耳机 不要入耳式", [("不要", "入耳式")]),
    ("不带摄像头的手机", [("不带", "摄像头")]),
    ("不用登录的网盘", [("不用", "登录")]),
    ("不是白色的衬衫", [("不是", "白色")]),
    ("不辣的菜", [("不", "辣")]),
    ("cheap breathable men's shirt for summer, not white", [("not", "white")]),
    ("not white or black", [("not", "white"), ("not", "black")]),
    ("without sugar", [("without", "sugar")]),
    ("phone without a notch under $300", [("without", "notch")]),
    ("how to sleep without pills", [("without", "pills")]),
    ("except Apple", [("except", "Apple")]),
    ("excluding tax", [("excluding", "tax")]),
    ("non-alcoholic beer", [("non-", "alcoholic")]),
    ("anything but iPhone", [("anything but", "iPhone")]),
    ("other than Samsung", [("other than", "Samsung")]),
    ("rent apartment no pets", [("no", "pets")]),
    ("no ads music player", [("no", "ads")]),
    ("sugar-free cookies", [("-free", "sugar")]),
    ("I don't want leather shoes", [("I don't want", "leather shoes")]),
    ("laptop -gaming", [("-", "gaming")]),
    ('gpt-4 -"used phone"', [("-", "used phone")]),
    ("手机 -二手", [("-", "二手")]),
    ("-used cars", [("-", "used")]),
    ("laptop, not refurbished", [("not", "refurbished")]),
    ("laptop not refurbished", [("not", "refurbished")]),
    ("a car, not used", [("not", "used")]),
    ("looking for a camera not used", [("not", "used")]),
    ("jeans, not faded or ripped", [("not", "faded"), ("not", "ripped")]),
    ("apartment not furnished", [("not", "furnished")]),
    ("the sofa must not be black", [("must not be", "black")]),
    ("a tent that should not be too heavy", [("should not be", "heavy")]),
    ("it cannot be red", [("cannot be", "red")]),
    ("a dress, can't be red", [("can't be", "red")]),
    ("cake, must not contain nuts", [("must not contain", "nuts")]),
    ("please don't recommend HP", [("don't recommend", "HP")]),
    ("沙发，颜色不可以是黑色", [("不可以是", "黑色")]),
    ("笔记本，非翻新", [("非", "翻新")]),
    ("牛仔裤，不做旧", [("不", "做旧")]),
    ("不要求学历的工作", [("不要求", "学历")]),
    ("请不要推荐华为", [("不要推荐", "华为")]),
    ("不要给我推荐二手的", [("不要给我推荐", "二手")]),
    ("手机，苹果除外", [("除外", "苹果")]),
    ("手机，苹果和三星除外", [("除外", "苹果"), ("除外", "三星")]),
    ("黑色和白色都不要", [("都不要", "黑色"), ("都不要", "白色")]),
    ("笔记本 黑色、白色的都不要", [("都不要", "黑色"), ("都不要", "白色")]),
    ("除苹果外的手机", [("除", "苹果")]),
    ("不要太贵的、非苹果的手机", [("不要", "贵"), ("非", "苹果")]),
    ("不要黑色的、不要白色的", [("不要", "黑色"), ("不要", "白色")]),
    ("推荐手机，三星的不要", [("不要", "三星")]),
    ("三星的不考虑，推荐手机", [("不考虑", "三星")]),
    ("除苹果和三星外还有什么手机", [("除", "苹果"), ("除", "三星")]),
    ("除了三星和苹果外的手机", [("除了", "三星"), ("除了", "苹果")]),
    ("any phone but Samsung", [("but", "Samsung")]),
    ("any phone but Samsung or Xiaomi", [("but", "Samsung"), ("but", "Xiaomi")]),
    ("neither Samsung nor Apple phone", [("neither", "Samsung"), ("neither", "Apple")]),
    ("neither black nor white shirt", [("neither", "black"), ("neither", "white")]),
    ("phone, neither HP nor Dell", [("neither", "HP"), ("neither", "Dell")]),
    ("laptop not black and white", [("not", "black"), ("not", "white")]),
    ("laptop not black, white or red", [("not", "black"), ("not", "white"), ("not", "red")]),
    ("phone not Samsung, Apple", [("not", "Samsung"), ("not", "Apple")]),
    ("laptop without HP, Dell and Acer", [("without", "HP"), ("without", "Dell"), ("without", "Acer")]),
    ("no black and no white bag", [("no", "black"), ("no", "white bag")]),
    # what "no" rules out ends before what it describes, where nothing else is looked for
    ("no sugar added yogurt", [("no", "sugar added")]),
    ("no knead bread recipe", [("no", "knead")]),
    ("recipe for no knead bread", [("no", "knead")]),
    ("no fee credit card", [("no", "fee")]),
    ("best no annual fee credit card", [("no", "annual fee")]),
    ("no foreign transaction fee credit card", [("no", "foreign transaction fee")]),
    ("no contact thermometer", [("no", "contact")]),
    ("no drill curtain rod", [("no", "drill")]),
    ("yogurt no sugar added", [("no", "sugar added")]),
    ("credit card with no foreign transaction fee", [("no", "foreign transaction fee")]),
]

NOT_EXCLUDED = [
    "不锈钢保温杯", "不错的手机", "没问题", "手机没有声音", "怎么不显示", "打不开", "付不了款", "我付不了款", "不能开机", "要不要买",
    "好不好用", "有没有推荐", "千万不要错过", "装修不要做什么", "为什么不要喝", "非常好", "无人机", "无线耳机", "是不是白色的", "除湿机",
    "贵不贵", "不知道选哪个", "无法连接", "notebook", "not bad", "what not to do", "not working", "no sound on laptop",
    "it does not start", "won't turn on", "nothing but the best", "free shipping", "multi-agent", "why not", "yes or no",
    "no one knows", "python try except", "not only fast", "ls -la", "tar -xzf a.tar", "gpt-4", "10 -5", "non-fiction books",
    "No Country for Old Men", "with or without you", "knot", "north", "nothing phone 2", "如何避免", "猫咪不吃东西没精神", "fridge not cold but freezer works", "why does my sourdough not rise", "index not used", "",
    "除湿机外观", "除草剂外包装", "除甲醛外的方法", "什么都不要", "装修怎么都不要", "快递我都不要了怎么退",
    "i tried all fixes but nothing works", "all laptops but it is slow", "every update but battery drains fast now",
    "neither the left nor the right earbud works", "我的不要", "laptop neither turns on nor charges", "why is neither charger working",
    "screen not working", "phone, not charging", "image not showing", "file not saved", "my package, not delivered",
    "feature not implemented yet", "email not sent", "movie that cannot be missed", "file cannot be opened", "it can't be found",
    "value cannot be null", "it should not be more than 2 kg", "should not be used by children", "can't use my card",
    "好用的笔记本，请不要让我换新的", "不要叫我重启", "不要告诉我去医院", "不要跟我说换货", "不要只说优点", "别骗我",
    "please don't tell me to buy a new one", "without asking me to reinstall", "they don't recommend windows 11",
]  # fmt: skip

PROTECTED: list[tuple[str, tuple[str, ...]]] = [
    ("不能开机", ("不能",)),
    ("打不开", ("打不开",)),
    ("我付不了款", ("付不了",)),
    ("手机没有声音", ("没有",)),
    ("无法连接", ("无法",)),
    ("not working", ("not",)),
    ("won't turn on", ("won't",)),
    ("shirt, not white", ("not",)),
    ("excluding tax", ("excluding",)),
    ("anything but iPhone", ("anything but",)),
    ("不锈钢保温杯", ()),
    ("不错的手机", ()),
    ("好不好用", ()),
    ("notebook", ()),
    ("not only fast", ()),
    ("没问题", ()),
]


@pytest.mark.parametrize(("text", "expected"), EXCLUDED)
def test_excluded(text: str, expected: list[tuple[str, str]]) -> None:
    found = find(text)
    assert [(n.cue, n.target) for n in found] == expected or (
        [n.target for n in found] == [t for _, t in expected] and "０" in text
    )
    assert all(text[n.target_start : n.target_end] == n.target for n in found)


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("好用的笔记本，请不要让我换新的", ["请不要让我换新的"]),
        ("路由器断网，别跟我说重启，怎么办", ["别跟我说重启"]),
        ("my laptop is slow, please don't tell me to buy a new one", ["please don't tell me to buy a new one"]),
        ("fix the boot error without asking me to reinstall", ["without asking me to reinstall"]),
        ("不要白色的手机", []),
        ("要不要告诉老板", []),
        ("why does my kettle not switch off", []),
        ("my dog doesn't let me touch his paw", []),
    ],
)
def test_what_a_helper_is_asked_to_leave(text: str, clauses: list[str]) -> None:
    assert [text[start:end] for start, end in requests(text)] == clauses


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("PostgreSQL index not used", ["not used"]),
        ("sourdough starter not rising", ["not rising"]),
        ("fever not even going down", ["not even going"]),
        ("快递三天没更新了", ["没更新"]),
        ("洗衣机没有反应", ["没有反应"]),
        ("jeans, not faded", []),
        ("people not eating meat", []),
        ("what not to do", []),
        ("有没有效果好的祛痘产品", []),
        ("没有效果的广告", []),
    ],
)
def test_what_does_not_do_what_it_should(text: str, spans: list[str]) -> None:
    assert [text[start:end] for start, end in failures(text)] == spans


@pytest.mark.parametrize("text", NOT_EXCLUDED)
def test_not_excluded(text: str) -> None:
    assert find(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "returned the shoes and still no refund",
        "no refund yet",
        "no delivery for two weeks",
        "paid last month, got no invoice",
        "no confirmation email so far",
    ],
)
def test_what_should_have_come_is_not_excluded(text: str) -> None:
    assert find(text) == ()
    assert protected(text) == ("no",)


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("hotel no pets", ["pets"]),
        ("earbuds with no wires for running", ["wires"]),
        ("laptop not heavy and fast", ["heavy"]),
        ("laptop not heavy, fast and cheap", ["heavy"]),
        ("jeans not faded and cheap", ["faded"]),
        ("shirt, not white, for summer", ["white"]),
        ("不要白色，黑色的手机", ["白色"]),
    ],
)
def test_a_list_ends_where_a_wish_begins(text: str, targets: list[str]) -> None:
    assert [n.target for n in find(text)] == targets


@pytest.mark.parametrize(
    "text",
    [
        "中文命名实体识别",
        "人脸识别算法",
        "类别均衡",
        "两者的区别",
        "垃圾分类的级别",
        "性別平等",
        "特别大的屏幕",
        "别墅装修",
        "别人推荐",
    ],
)
def test_a_word_with_bie_in_it_negates_nothing(text: str) -> None:
    assert protected(text) == ()
    assert find(text) == ()


@pytest.mark.parametrize(("text", "words"), PROTECTED)
def test_protected(text: str, words: tuple[str, ...]) -> None:
    assert protected(text) == words


PIECES = [
    "不要",
    "不",
    "没有",
    "除了",
    "之外",
    "和",
    "、",
    "的",
    "非",
    "无",
    "糖",
    "白色",
    "not",
    "no",
    "without",
    "except",
    "non-",
    "-term",
    '-"',
    '"',
    "or",
    "and",
    "white",
    ",",
    "\u3000",
    "ＮＯＴ",
    "don't",
    "want",
    "打不开",
    "好不好",
]


@given(
    st.one_of(
        st.text(),
        st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
        st.lists(st.sampled_from(PIECES)).map(" ".join),
    )
)
@settings(max_examples=100, deadline=None)
def test_any_text(text: str) -> None:
    last = 0
    for n in find(text):
        assert last <= n.start <= n.target_start < n.target_end <= n.end <= len(text)
        assert text[n.target_start : n.target_end] == n.target
        last = n.end
    assert all(word in text and word for word in protected(text))


@pytest.mark.parametrize("piece", ["不要", "除了", "not white or ", "-a ", "without ", "、", '-"', "a"])
def test_long_hostile_text_is_not_quadratic(piece: str) -> None:
    """What is quadratic takes minutes here and runs into the timeout of the test."""
    text = piece * (100_000 // len(piece))
    assert all(text[n.target_start : n.target_end] == n.target for n in find(text))
    protected(text)


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("noise cancelling headphones no bluetooth", ["bluetooth"]),
        ("speaker no wifi", ["wifi"]),
        ("keyboard no backlight", ["backlight"]),
        ("phone no sim card needed", ["sim card"]),
        ("earbuds not in ear", ["in ear"]),
        ("headphones not over-ear", ["over-ear"]),
        ("movies not in english", ["english"]),
        ("phone with no notch", ["notch"]),
        ("tv 55 inch not smart", ["smart"]),
        ("想要一个不是苹果的平板", ["苹果"]),
        ("想买台不是联想的电脑", ["联想"]),
        ("平板 不是苹果", ["苹果"]),
        ("苹果以外的平板", ["苹果"]),
        ("不带摄像头的手机", ["摄像头"]),
        ("想要不是苹果的笔记本", ["苹果"]),
        ("要不是苹果的笔记本太贵", []),
        # faults, idioms and questions exclude nothing
        ("iphone no bluetooth", []),
        ("why has my speaker no wifi", []),
        ("no hot water", []),
        ("no problem", []),
        ("no way home", []),
        ("no reply email", []),
        ("value not in list", []),
        ("app not in english store", ["english store"]),
        ("这个不是苹果的吗", []),
        ("除此以外的办法", []),
        ("手机 不是我的", []),
    ],
)
def test_what_comes_last_is_left_out_too(text: str, targets: list[str]) -> None:
    assert [n.target for n in find(text)] == targets


_SAID = ("不要", "别", "没有", "无", "除了", "除", "外", "免谈", "拒绝", "讨厌", "剔除", "排除", "非", "0糖", "零添加", "白色", "的手机",
         "not", "isn't", "without", "w/o", "exclude", "except for", "other than", "apart from", "aside from", "anything but",
         "instead of", "minus", "cannot be", "neither", "nor", "-red", "－red", "sugar-free", "dont want", "non-", "please", "tell me",
         "unable", "wont", "不能", "更新", "none", "never", "red shoes", "打不开")  # fmt: skip


@given(st.lists(st.sampled_from(_SAID), min_size=1, max_size=6), st.sampled_from(["", " "]))
@settings(max_examples=50, deadline=None)
def test_a_text_without_a_sign_of_negation_has_none(parts: list[str], gap: str):
    text = gap.join(parts)
    looks = (negation.find, negation.protected, negation.requests, negation.failures)
    fresh = [getattr(look, "__wrapped__", look) for look in looks]
    found = [look(text) for look in fresh]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(negation, "_SIGN", re.compile(""))
        assert found == [look(text) for look in fresh]
