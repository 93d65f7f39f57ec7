"""Words of mixed text."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text.segment import Segmenter, is_content, keywords, stem, words


def texts(text: str) -> list[str]:
    return [w.text for w in words(text)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("电脑开机黑屏只有光标在闪", {"电脑", "黑屏", "光标"}),
        ("想买一台给爸妈用的手机屏幕大点字大声大预算2000左右", {"手机", "屏幕", "爸妈", "预算", "2000"}),
        ("Python里怎么把列表里的重复元素去掉", {"Python", "列表", "重复", "元素", "去掉"}),
        ("5000元以下、轻薄、续航好的笔记本电脑", {"5000", "轻薄", "续航", "笔记本电脑"}),
        ("孩子发烧38.5度流清鼻涕怎么办", {"孩子", "发烧", "38.5", "流清鼻涕"}),
        ("自驾去西藏要准备什么", {"自驾", "西藏", "准备"}),
        ("智能手机续航差", {"智能手机", "续航", "差"}),
        ("电脑卡死了怎么办", {"电脑", "卡死"}),
        ("机器学习书籍", {"机器学习", "书籍"}),
        ("Python Django框架下ORM批量插入性能优化", {"Python", "Django", "框架", "ORM", "批量插入", "性能优化"}),
        ("如何从零开始运营一个成功的科技博客", {"从零开始", "运营", "成功", "科技博客"}),
        ("神经网络过拟合怎么预防", {"神经网络", "过拟合", "预防"}),
        ("东京天气", {"东京", "天气"}),
        ("我付不了款", {"付不了款"}),
        ("特斯拉最近那个车怎么样", {"特斯拉", "最近", "车"}),
        ("iPhone 15 和 小米14 哪个拍照好", {"iPhone", "15", "小米", "14", "拍照", "好"}),
        (
            "cheap breathable men's shirt for summer, not white",
            {"cheap", "breathable", "men's", "shirt", "summer", "white"},
        ),
        (
            "medieval cathedral flying buttress load paths",
            {"medieval", "cathedral", "flying", "buttress", "load", "paths"},
        ),
        ("印表機夾紙", {"印表機"}),
    ],
)
def test_keywords_of_the_reference_queries(query: str, expected: set[str]) -> None:
    found = set(keywords(query))
    assert expected <= found
    assert not found & {"的", "了", "怎么", "怎么办", "什么", "我", "for", "not", ","}


@pytest.mark.parametrize(
    "token",
    [
        "gpt-4",
        "3.11",
        "C++",
        "C#",
        "node.js",
        "DEC-0054",
        "38.5",
        ".NET",
        "c++17",
        "men's",
        "2,000",
        "50%",
        "16GB",
        "v2.3.1",
        "3070Ti",
    ],
)
def test_shapes_that_stay_whole(token: str) -> None:
    assert texts(f"about {token} now") == ["about", token, "now"]
    assert token in texts(f"关于{token}的问题")


def test_sentences_end_where_they_end() -> None:
    assert texts("It works. Really, it does!") == ["It", "works", ".", "Really", ",", "it", "does", "!"]
    assert texts("iOS/Android (both)") == ["iOS", "/", "Android", "(", "both", ")"]


def test_the_lexicon_keeps_terms_whole() -> None:
    plain, taught = Segmenter(), Segmenter(["量子芝麻糊", "machine learning", "Large Language Model"])
    assert "量子芝麻糊" not in [w.text for w in plain.words("买量子芝麻糊")]
    assert "量子芝麻糊" in [w.text for w in taught.words("买量子芝麻糊")]
    assert [w.text for w in taught.words("Machine Learning books")] == ["Machine Learning", "books"]
    assert [w.text for w in taught.words("machine learnings")] == ["machine", "learnings"]


def test_traditional_is_cut_like_simplified() -> None:
    assert texts("機器學習書籍推薦") == ["機器學習", "書籍", "推薦"]
    assert keywords("電腦為什麼黑屏") == ("電腦", "黑屏")
    assert "量子芝麻糊貓" in [w.text for w in Segmenter(["量子芝麻糊猫"]).words("買量子芝麻糊貓")]


def test_a_short_term_breaks_no_word() -> None:
    assert "手机" not in [w.text for w in Segmenter(["手机"]).words("二手机器")]


def test_a_term_may_end_inside_what_the_dictionary_joins() -> None:
    assert next(w.text for w in Segmenter(["好用的耳"]).words("好用的耳机")) == "好用的耳"


@given(st.text() | st.text(st.sampled_from(list("电脑黑屏的 ab1.-'+#，。機")), max_size=40))
@settings(max_examples=100, deadline=None)
def test_words_cover_all_but_white_space(text: str) -> None:
    at = 0
    for word in words(text):
        assert text[word.start : word.end] == word.text
        assert word.start >= at
        assert not text[at : word.start].strip()
        at = word.end
    assert not text[at:].strip()


def test_threads_agree() -> None:
    queries = ["电脑开机黑屏只有光标在闪", "cheap linen shirt", "我付不了款", "印表機夾紙"] * 10
    alone = [words(q) for q in queries]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(words, queries)) == alone


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("shirts", "shirt"),
        ("batteries", "battery"),
        ("running", "run"),
        ("boxes", "box"),
        ("making", "make"),
        ("cached", "caching"),
        ("Shoes", "shoe"),
    ],
)
def test_stems_meet(a: str, b: str) -> None:
    assert stem(a) == stem(b)


@pytest.mark.parametrize("word", ["bus", "class", "gas", "king", "red", "电脑", "gpt-4", ""])
def test_stems_of_others_stay(word: str) -> None:
    assert stem(word) == word


def test_content() -> None:
    assert is_content("光标")
    assert is_content("Python")
    assert not is_content("的")
    assert not is_content("The")
    assert not is_content("！")
