"""Where a quotation stands in its source: what is alike, what is not, and the offsets of the original."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text.quotable import fold
from qx.text.quotes import denied, locate


def found(quote: str, source: str) -> str | None:
    span = locate(quote, source)
    return None if span is None else source[span.start : span.end]


@pytest.mark.parametrize(
    ("source", "quote", "expected"),
    [
        (
            "In 2024,\u00a0three‑key ≥5 “legacy” ones.",
            '2024, three-key >=5 "legacy"',
            "2024,\u00a0three‑key ≥5 “legacy”",
        ),
        ("at <=3 it", "≤3", "<=3"),
        ("It was p&nbsp;=&nbsp;0.04 there", "p = 0.04", "p&nbsp;=&nbsp;0.04"),
        ("for children/\nadolescents only", "children/adolescents", "children/\nadolescents"),
        (
            "`priority` means **business** importance",
            "priority means business importance",
            "priority` means **business** importance",
        ),
        ("`priority` means **business** importance", "`priority` means business", "`priority` means **business"),
        ("（２０２４年）增长了５％，超过预期。", "(2024年)增长了5%,超过预期", "（２０２４年）增长了５％，超过预期"),
        ("(2024年)增长了5%,超过预期", "（２０２４年）增长了５％，超过预期", "(2024年)增长了5%,超过预期"),
        ("支持 Python 3 语言", "支持Python3语言", "支持 Python 3 语言"),
        ("a soft\u00adhyphen is", "a softhyphen is", "a soft\u00adhyphen is"),
        ("ﬁne ｗｏｒｄｓ cafe\u0301 ends", "fine words café", "ﬁne ｗｏｒｄｓ cafe\u0301"),
        ("Straße Nr. 5 hier", "STRASSE NR. 5", "Straße Nr. 5"),
        ("an im<b>port</b>ant &amp; <i>odd</i> one", "important & odd", "im<b>port</b>ant &amp; <i>odd"),
        ("x &lt;b&gt;bold&lt;/b&gt; y z", "x <b>bold</b> y", "x &lt;b&gt;bold&lt;/b&gt; y"),
        (
            "see [the guide](https://example.com/a) now",
            "see the guide now",
            "see [the guide](https://example.com/a) now",
        ),
        ("an exam-\nple of that", "an example of that", "an exam-\nple of that"),
        ("It’s “fine”, he said", "It's 'fine', he said", "It’s “fine”, he said"),
        ("a long—very long—dash", "long - very long - dash", "long—very long—dash"),
        ("about 1,000 users", "1000 users", "1,000 users"),
        ("use C++ and C#", "C++ and C#", "C++ and C#"),
        ("costs ５，０００～６，０００元", "5000-6000元", "５，０００～６，０００元"),
        ("we say 😀 here", "😀", "😀"),
        ("| Name | Age |\n|---|---|\n| Bob | 12 |", "Name Age Bob 12", "Name | Age |\n|---|---|\n| Bob | 12"),
        ("H&#8322;O is water", "H2O is water", "H&#8322;O is water"),
        ("价格为￥５，０００元（含税）", "价格为¥5000元(含税)", "价格为￥５，０００元（含税）"),
        ("使用率≥95%且延迟≤20ms", "使用率>=95%且延迟<=20ms", "使用率≥95%且延迟≤20ms"),
        ("5～10天内", "5-10天内", "5～10天内"),
        ("state-of-the-art model", "stateoftheart model", "state-of-the-art model"),
        ("x² + y² = z²", "x^2 + y^2 = z^2", "x² + y² = z²"),
        ("~~old~~ new *text* ends", "old new text ends", "old~~ new *text* ends"),
        ("ｶﾀｶﾅ テスト", "カタカナ テスト", "ｶﾀｶﾅ テスト"),
        ("the end.", "the end.", "the end."),
        ("「开放时间」为九点。", "“开放时间”为九点。", "「开放时间」为九点。"),
    ],
)
def test_alike(source: str, quote: str, expected: str):
    assert found(quote, source) == expected


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("It was p&nbsp;=&nbsp;0.04 there", "p = 0.4"),
        ("p = 0.04", "p < 0.04"),
        ("p = 0.04", "0.4"),
        ("Rebase is not allowed on main.", "Rebase is allowed on main."),
        ("Rebase is not allowed on main.", "allowed on main"),
        ("我们不支持退货。", "我们支持退货"),
        ("我们不支持退货。", "支持退货"),
        ("本店没有停车位", "本店有停车位"),
        ("you can't use it", "you can use it"),
        ("you can't use it", "you can"),
        ("He does not know", "He does"),
        ("it is unable to run", "able to run"),
        ("a non-toxic colour", "toxic colour"),
        ("is gluten-free bread", "is gluten"),
        ("take 5 mg daily", "take 5 g daily"),
        ("take 5 mg daily", "take 5"),
        ("take 15 mg daily", "5 mg daily"),
        ("at -5 degrees", "5 degrees"),
        ("for ≥5 keys", "5 keys"),
        ("it costs $5 now", "costs 5 now"),
        ("some 1,500 users", "500 users"),
        ("some 3.5 users", "5 users"),
        ("grew 5% then", "grew 5"),
        ("增长5万元", "增长5"),
        ("三十五个人", "五个人"),
        ("10² users", "102 users"),
        ("in 2024 50 users", "202450 users"),
        ("Dr. Smith came", "Dr. Smyth came"),
        ("Dr. Smith came", "Dr. Smth came"),
        ("two million people", "two billion people"),
        ("symptomatic people came", "asymptomatic people came"),
        ("they were unable to pay", "they were enable to pay"),
        ("not able to go on", "notable to go on"),
        ("the router is now on", "the router is not on"),
        ("用户可以退款", "用户可以退货"),
        ("we use C++ here", "we use C here"),
        ("one two three four", "four three"),
        ("3-5 days", "5 days"),
        ("12:30 it is", "12.30 it is"),
        ("1/2 cup of it", "1 2 cup of it"),
        ("at 5 a.m. sharp", "at 5 p.m. sharp"),
        ("12 cm wide", "12 mm wide"),
        ("50 kWh used", "50 kW used"),
        ("it is illegal to park", "it is legal to park"),
        ("non-smoking rooms", "smoking rooms"),
        ("no later than 5 pm", "later than 5 pm"),
        ("不到5人报名", "5人报名"),
        ("不超过5人", "超过5人"),
        ("并非所有用户都要", "所有用户都要"),
        ("没有人知道", "人知道"),
        ("一百人参加", "二百人参加"),
        ("第三次会议", "第二次会议"),
        ("5万元奖金", "5亿元奖金"),
        ("p = .05 was", "p = .5 was"),
        ("−5 °C at night", "5 °C at night"),
        ("", "a"),
        ("a", ""),
        ("  ", "  "),
    ],
)
def test_not_alike(source: str, quote: str):
    assert locate(quote, source) is None


@pytest.mark.parametrize(
    "quote",
    [
        "the qick brown fox",
        "the quickk brown fox",
        "the quack brown fox",
        "the quikc brown fox",
        "the quick brwon fox jumps",
    ],
)
def test_one_slip_is_forgiven(quote: str):
    span = locate(quote, "So the quick brown fox jumps over it.")
    assert span is not None
    assert span.slips == 1


def test_a_second_slip_is_forgiven_for_a_dozen_words_more():
    source = "When the old printer stops you should first open the back cover and then pull the paper out slowly."
    assert locate("the old pinter stops you shuld", source) is None
    quote = "the old pinter stops you should first open the back cover and then pul the paper"
    span = locate(quote, source)
    assert span is not None
    assert span.slips == 2


def test_a_missing_space_is_a_slip():
    assert found("the quick brownfox jumps", "the quick brown fox jumps") == "the quick brown fox jumps"
    assert found("New York is big", "NewYork is big") is None


@pytest.mark.parametrize("mark", ["…", "...", " ... ", "[...]", "[…]", "……", "（……）", " . . . "])
def test_fragments_stand_in_their_order(mark: str):
    source = "The tool reads a file, which may be large, and then it writes a table. It ends."
    whole = found(f"The tool reads a file{mark}it writes a table", source)
    assert whole == "The tool reads a file, which may be large, and then it writes a table"
    assert locate(f"it writes a table{mark}The tool reads a file", source) is None
    assert locate(f"The tool reads a file{mark}it sings", source) is None


def test_an_ellipsis_leaves_out_no_negation():
    assert locate("The drug is … recommended", "The drug is definitely not really recommended") is None
    assert locate("该产品…支持退货", "该产品目前并不支持退货") is None
    source = "The drug, which is not cheap, is recommended for adults"
    assert found("The drug … is recommended", source) == "The drug, which is not cheap, is recommended"


def test_a_single_word_is_no_fragment_of_another_sentence():
    source = "The drug is dangerous. Other things here are safe."
    assert locate("The drug is … safe", source) is None
    assert found("The drug … dangerous", source) == "The drug is dangerous"
    assert found("The drug is … things here", source) == "The drug is dangerous. Other things here"


def test_an_ellipsis_of_the_source_is_there():
    source = "He said ... well, nothing. He said it."
    assert found("He said ... well", source) == "He said ... well"


def test_the_first_place_counts_where_it_may_begin():
    assert locate("is it", "This item is it. So is it.") == locate("is it", "This item is it.")


def test_a_quote_of_900_characters():
    source = "Intro. " + " ".join(
        f"The step number {i} asks for a calm hand and a clear view of the part." for i in range(40)
    )
    quote = source[200:1100].strip().partition(" ")[2].rpartition(" ")[0]
    assert len(quote) > 880
    assert found(quote.upper().replace(" ", "\n"), source) == quote
    assert locate(quote.replace("calm", "clam", 1), source) is not None
    assert locate(quote.replace("number 7", "number 8"), source) is None
    chinese = "".join(f"第{i}步要先关闭电源，再打开后盖检查。" for i in range(80))
    part = chinese[100:1000]
    assert found(part.replace("，", ",").replace("。", ""), chinese) is not None


def test_hostile_texts_take_bounded_time():
    began = time.process_time()
    for quote, source in [
        ("a" * 2000 + "b", "a" * 100_000),
        ("a " * 500 + "b", "a " * 50_000),
        ("x … " * 300, "x y " * 20_000),
        ("the cat " * 200 + "dog", "the cat " * 20_000),
        ("<" * 50_000, "<" * 50_000),
        ("&" * 50_000 + "a", "&amp;" * 20_000),
        ("1" * 3000, "1 " * 50_000),
        ("e" + "\u0301" * 5000, "e" + "\u0301" * 50_000),
        ("不" * 500, "不" * 50_000),
        ("[a](" * 5000, "[a](" * 20_000),
        ("\ud800 a", "\ud800 a\ud800"),
    ]:
        locate(quote, source)
    assert time.process_time() - began < 20


_TEXT = st.text(alphabet=st.sampled_from("ab cD.,-—'’“”…不没支持12.５％ﬁe\u0301\u00a0\u00ad<b>&;*\n😀"), max_size=60)


@settings(max_examples=50, deadline=None)
@given(source=_TEXT, quote=_TEXT)
def test_a_place_is_within_the_source_and_is_found_again(source: str, quote: str):
    span = locate(quote, source)
    if span is not None:
        assert 0 <= span.start < span.end <= len(source)
        assert locate(source[span.start : span.end], source) is not None


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.sampled_from(["alpha", "beta", "gamma", "打印机", "卡纸", "12", "3.5", "Gamma"]), min_size=3, max_size=12
    ),
    st.data(),
)
def test_what_is_copied_is_found_as_it_stands(words: list[str], data: st.DataObject):
    source = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    quote = " ".join(words[first : last + 1])
    assert found(quote, source) == quote


@settings(max_examples=50, deadline=None)
@given(st.one_of(_TEXT, st.text(max_size=80)))
def test_every_character_that_is_compared_has_its_place(text: str):
    folded = fold(text)
    assert "".join(folded.plain[at] for at in folded.offsets) == folded.core
    assert len(folded.starts) == len(folded.plain)
    assert list(folded.starts) == sorted(folded.starts)
    assert all(0 <= start < len(text) for start in folded.starts)


@pytest.mark.parametrize(
    ("source", "quote", "expected"),
    [
        ("该产品不支持退货。", "支持退货", "支持退货"),
        ("Worn ones are not “taken back”.", "Taken back", "taken back"),
        ("They are never sold.", "they are", "They are"),
        ("It is sold, and not sold here.", "sold here", "sold here"),
    ],
)
def test_a_negation_that_is_left_out_is_told(source: str, quote: str, expected: str):
    assert locate(quote, source) is None
    span = denied(quote, source)
    assert span is not None
    assert source[span.start : span.end] == expected


@pytest.mark.parametrize(
    ("source", "quote"), [("该产品支持退货。", "支持退款"), ("在17天内", "7天内"), ("They are sold.", ""), ("", "a")]
)
def test_where_none_is_left_out_nothing_is_told(source: str, quote: str):
    assert denied(quote, source) is None
