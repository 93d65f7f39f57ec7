"""Exclusions by verbs, by what stands behind a thing, by doings, in other languages; and what none of them is."""

import pytest

from qx.text.negation import find, is_doubtful


@pytest.mark.parametrize(
    ("text", "targets", "doubtful"),
    [
        ("avoid HP laptop", ["HP laptop"], True),
        ("laptop, please avoid Dell", ["Dell"], True),
        ("phones, stay away from Samsung", ["Samsung"], True),
        ("steer clear of Sony headphones", ["Sony headphones"], True),
        ("I hate HP, show me laptops", ["HP"], True),
        ("i can't stand leather, recommend shoes", ["leather"], True),
        ("not a fan of Bosch, which drill", ["Bosch"], True),
        ("HP excluded laptop", ["HP"], True),
        ("tablets, Lenovo excluded", ["Lenovo"], True),
        ("non apple tablets", ["apple tablets"], True),
        ("苹果的就算了，推荐个手机", ["苹果"], True),
        ("平板，华为就免了", ["华为"], True),
        ("避开小米的手环推荐", ["小米"], True),
        ("受不了雷蛇，推荐鼠标", ["雷蛇"], True),
        ("phones that don't support 5g", ["5g"], False),
        ("laptop that doesn't have a touchscreen", ["touchscreen"], False),
        ("apps that don't need internet", ["internet"], False),
        ("car which lacks bluetooth", ["bluetooth"], False),
        ("shampoo free from parabens", ["parabens"], False),
        ("cake free of nuts", ["nuts"], False),
        ("laptop lacking touchscreen", ["touchscreen"], False),
        ("Laptop unter 500 Euro ohne Touchscreen", ["Touchscreen"], False),
        ("chaussures sans cuir", ["cuir"], False),
        ("telefono senza 5g", ["5g"], False),
        ("zapatos sin cuero", ["cuero"], False),
        ("有没有不是苹果的手机", ["苹果"], False),
        ("推荐不是华为的平板", ["华为"], False),
        ("有什么不是三星的电视", ["三星"], False),
        ("苹果华为都不要的手机", ["苹果华为"], False),
        ("小米OPPO一律不考虑的手机推荐", ["小米OPPO"], False),
        ("非苹果非华为手机", ["苹果", "华为手机"], False),
        ("非联想也非戴尔的电脑", ["联想", "戴尔"], False),
        ("推荐手机，苹果不要", ["苹果"], False),
        ("想买平板 华为和小米不要", ["华为", "小米"], False),
        ("我不喜欢苹果手机推荐个别的", ["苹果手机"], False),
        ("不加班的工作", ["加班"], False),
        ("不熬夜的工作", ["熬夜"], False),
        ("不掉毛的狗", ["掉毛"], False),
        ("不粘锅的平底锅", ["粘锅"], False),
        ("java 不用 spring", ["spring"], False),
        ("python 不用 pandas 读 csv", ["pandas"], False),
        ("前端不使用 react", ["react"], False),
    ],
)
def test_excluded(text: str, targets: list[str], doubtful: bool) -> None:
    assert [n.target.strip() for n in find(text)] == targets
    assert all(is_doubtful(n) == doubtful for n in find(text))


@pytest.mark.parametrize(
    "text",
    [
        "孩子发烧了，千万不要", "手机坏了，你不要", "不包邮的不要", "不支持5G的不考虑", "没有蓝牙的不要", "没有NFC的都不要", "nothing without wifi", "no phones without nfc",
        "don't show me laptops without a fan", "foods to avoid when pregnant", "how to avoid jet lag", "should I avoid gluten",
        "如何避免过拟合", "free of charge", "work free from home", "comic sans font", "sin city movie", "sans serif font",
        "without a doubt the best camera", "without any hesitation", "how to use -v flag in docker", "-Xmx java", "-p option ssh",
        "-Djava.io.tmpdir java", "docker run 的 -d 参数", "sql not in 和 not exists 区别", "mysql not between", "not null 约束",
        "空调不加热怎么办", "手机不充电了", "I hate my phone", "jokes", "南非的葡萄酒", "my phone doesn't support 5g",
    ],
)  # fmt: skip
def test_not_excluded(text: str) -> None:
    assert find(text) == ()


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("books not written by Andy Weir", "Andy Weir"),
        ("films not directed by Nolan", "Nolan"),
        ("courses that are not taught by Greta Holm", "Greta Holm"),
        ("lamps not made by Philips", "Philips"),
        ("drums not for beginners", "beginners"),
        ("toys that are not for toddlers", "toddlers"),
        ("perfume for men, not for women", "women"),
    ],
)
def test_whose_work_or_use_is_not_wanted_is_the_person(text: str, target: str):
    assert [found.target for found in find(text)] == [target]


@pytest.mark.parametrize(
    "text",
    [
        "my ssd is not supported by windows 11",
        "claim not covered by insurance",
        "why was this song not written by Prince",
        "this car is not for sale",
        "that is not for me",
        "is retinol not for pregnant women",
    ],
)
def test_what_something_does_not_do_rules_nobody_out(text: str):
    assert find(text) == ()
