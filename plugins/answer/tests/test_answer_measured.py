"""Questions for a measure, and sentences that have one without saying so; other words for the same; what is one word."""

from __future__ import annotations

import time

import pytest

from qx.backend import Document
from qx_answer import days, kinds, measured
from qx_answer.expects import expects, has
from qx_answer.naming import unknown
from qx_answer.near_words import near_query


@pytest.mark.parametrize(
    ("question", "measure", "tells", "tells_not"),
    [
        ("how far does it go on one charge?", "distance", "it reaches up to 90 km.", "it is charged in four hours."),
        ("how heavy is the drill?", "weight", "it weighs 640 grams.", "it turns 640 times."),
        ("how hot may the water be?", "temperature", "at most 30 degrees.", "at most 30 minutes."),
        ("how long does the crossing take?", "duration", "it takes 55 minutes.", "the crew takes no cards."),
        ("how far ahead can a room be booked?", "duration", "at most 60 days ahead.", "in the calendar."),
        ("how often is the filter rinsed?", "frequency", "once a month.", "under running water."),
        ("how high is the hut?", "height", "it lies at 1,840 metres.", "a bunk is 28 euros."),
        ("how much water fits in?", "volume", "it holds 1.2 litres.", "it draws 2200 watts."),
        ("离车站多远？", "distance", "离车站两公里。", "车站在二楼。"),
        ("密码多久换一次？", "duration", "每90天换一次。", "至少12位数字。"),
        ("用多少度的水洗？", "temperature", "水温不要超过30度。", "请选轻柔程序。"),
        ("电池多重？", "weight", "电池重640克。", "电池充两小时。"),
        ("水箱容量是多少？", "volume", "能装4.5升。", "每周洗一次。"),
    ],
)
def test_a_measure_is_told_by_its_units(question: str, measure: str, tells: str, tells_not: str):
    asked = measured.asked(question)
    assert asked is not None
    assert asked[0] == measure
    assert asked[1](tells)
    assert not asked[1](tells_not)


@pytest.mark.parametrize(
    "question", ["how many days of leave are there?", "who wrote it?", "how does it work?", "年假有几天？", "谁写的？"]
)
def test_no_measure_is_asked_for(question: str):
    assert measured.asked(question) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("quiet hours run from 10 pm to 7 am.", True),
        ("open 9:00-17:30", True),
        ("早上七点到九点收。", True),
        ("8点至11点半", True),
        ("it opens at 9.", False),
        ("九点开门。", False),
    ],
)
def test_a_stretch_says_when_it_begins_and_ends(text: str, told: bool):
    assert measured.tells_stretch(text) is told


@pytest.mark.parametrize(
    ("text", "day", "covered"),
    [
        ("shuts at noon on Saturdays and does not open again until Monday", 6, True),
        ("shuts at noon on Saturdays and does not open again until Monday", 2, False),
        ("open from Monday to Wednesday", 1, True),
        ("周五中午关门，到周一才开", 6, True),
        ("周五开门，周一关门", 6, False),
    ],
)
def test_a_day_within_a_stretch_of_days(text: str, day: int, covered: bool):
    assert days.covers(text, frozenset((day,))) is covered


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("给狗打疫苗多少钱", []),
        ("周六住一晚多少钱", []),
        ("林若溪的母校", ["林若溪"]),
    ],
)
def test_single_characters_that_are_words_make_no_name(text: str, found: list[str]):
    assert unknown(text) == found


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does it mean when the lamp flashes?", "thing"),
        ("Can I use the lift when there is a fire?", "thing"),
        ("When does it open?", "time"),
        ("Who wrote it and when?", "time"),
        ("Do you know when the boat leaves?", "time"),
        ("显示H2是怎么回事？", "thing"),
        ("怎么重置？", "way"),
    ],
)
def test_what_is_asked_for(question: str, kind: str):
    assert expects(question) == kind


@pytest.mark.parametrize("text", ["until 10 pm", "at noon", "傍晚六点半", "中午十二点"])
def test_times_of_day_are_times(text: str):
    assert has("time", text)


def test_a_price_of_a_year_is_no_age():
    assert kinds.missing("How old must I be to join?", "Membership is £15 a year.")
    assert not kinds.missing("How old must I be to join?", "You must be 18 to join, or twelve years with a parent.")
    assert kinds.missing("几岁才能参加？", "会费每年150元。")


def test_other_words_of_the_same_language():
    assert "hen" in set(near_query("Am I allowed to keep chickens?").split())
    assert "饮酒" in near_query("喝了酒还能游泳吗？").split()
    assert near_query("Where is Quillfeather Hall?") == ""


@pytest.mark.parametrize(
    ("question", "text", "quote"),
    [
        ("Am I allowed to keep chickens on my plot?", "Hens may be kept; cockerels are forbidden.", "Hens may be kept"),
        ("How much is the deposit if I collect a jab certificate?", "Hens may be kept.", None),
        ("喝了酒还能下水吗？", "饮酒后不得下水。", "饮酒后不得下水"),
    ],
)
async def test_what_only_other_words_find_is_read(opened, question: str, text: str, quote: str | None):
    others = [Document(id=f"o{n}", title="Plots", text=f"The plot {n} has a shed and a gate.") for n in range(12)]
    async with opened([*others, Document(id="rule", title="规定 rules", text=text)]) as engine:
        done = await engine.result("answer", {"question": question})
    found = " ".join(claim.quote for claim in done.claims)
    assert (quote in found) if quote else not done.claims


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("Closed on Monday, not open again until Thursday.", True),
        ("Open from Monday 8 am to Friday 5 pm.", True),
        ("周一8点至周五17点开放。", True),
        ("Monday: 9-17, Friday: 9-12.", False),
        ("On Monday it opens from 9 to 17, on Friday from 9 to 12.", False),
        ("周一9点到17点，周五9点到12点。", False),
    ],
)
def test_a_stretch_of_days_is_no_stretch_of_hours(text: str, covered: bool):
    assert days.covers(text, frozenset({2})) is covered


@pytest.mark.parametrize("text", ["1" * 20_000, "1.1," * 5_000, "一" * 20_000])
def test_a_long_row_of_digits_is_read_once(text: str):
    found = measured.asked("how far is it?")
    assert found is not None
    begun = time.process_time()
    assert not found[1](text)
    assert time.process_time() - begun < 2  # it took a minute where each digit began a number


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("门是红色的", True),
        ("放进蓝桶", True),
        ("金色的把手", True),
        ("大厅白天开放，不在银行办理", False),
        ("押金200元，金额不限", False),
        ("青年公寓的菜单有黄瓜", False),
    ],
)
def test_a_character_of_a_colour_within_another_word_is_none(text: str, told: bool):
    (pattern,) = kinds.asked("门是什么颜色？")
    assert (pattern.search(text) is not None) is told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The gate is shut for cleaning.", True),
        ("It is closed for the repaving of the road.", True),
        ("One ticket is good for everything.", False),
        ("The bus for Beijing leaves at nine, the one for the morning at six.", False),
    ],
)
def test_a_purpose_is_what_is_done(text: str, told: bool):
    assert has("reason", text) is told
