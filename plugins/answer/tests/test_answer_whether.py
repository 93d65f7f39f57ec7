"""What is no answer: an amount to a yes/no question, another person's doings, a number of something else, another rate."""

from __future__ import annotations

import pytest

from qx.backend import Document
from qx_answer.terms import terms

DOCUMENTS = (
    Document(id="雪", title="雪场租赁", text="雪板每天租金80元,押金500元。雪服每套60元。雪板须在下午五点前归还。"),
    Document(id="缆", title="雪场缆车", text="缆车8点半到16点运行。单程票30元,往返50元。"),
    Document(
        id="店", title="梧桐书店", text="梧桐书店有两家分店。西街分店每天10点到20点营业,设有咖啡座。书店不收旧书。"
    ),
    Document(id="船", title="东湖游船", text="手划船每小时50元,电动船每小时90元。游船押金300元,还船时退还。"),
    Document(
        id="班", title="培训班", text="书法班由田静讲授。蒋文涛曾在柏林学习。摄影班每周二晚上六点三刻在二楼上课。"
    ),
    Document(
        id="ski", title="Ski hire", text="Skis cost 25 EUR a day. The deposit for skis is 150 EUR. Helmets are free."
    ),
    Document(
        id="shop", title="Linden bookshop", text="The branch in Park Road is open from 10 am to 8 pm and has a cafe."
    ),
    Document(
        id="row", title="Rowing boats", text="A rowing boat is 12 EUR an hour and an electric boat 20 EUR an hour."
    ),
    Document(
        id="eve",
        title="Evening classes",
        text="Calligraphy is taught by Jin Mori. Carla Ruiz studied in Berlin. Drawing is taught by Ada Kroll. She studied in "
        "Porto. Pottery begins on Thursdays at half past six.",
    ),
)


@pytest.mark.parametrize(
    "question",
    [
        "雪板押金能退吗？",
        "雪板能过夜吗？",
        "缆车票能退吗？",
        "西街分店可以借书吗？",
        "Can I get the ski deposit back?",
        "Is the deposit for skis refundable?",
        "Can skis be kept overnight?",
        "Does the Park Road branch lend books?",
    ],
)
async def test_an_amount_is_neither_yes_nor_no(opened, question: str):
    async with opened(DOCUMENTS) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims == (), done.answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("游船押金能退吗？", "退还"),
        ("能租雪板吗？", "雪板每天租金80元"),
        ("西街分店有咖啡座吗？", "咖啡座"),
        ("西街分店晚上七点开门吗？", "10点到20点"),
        ("Can I hire skis?", "Skis cost 25 EUR"),
        ("Does the Park Road branch have a cafe?", "has a cafe"),
        ("Is the Park Road branch open at 7 pm?", "from 10 am to 8 pm"),
        ("Are helmets free?", "Helmets are free"),
    ],
)
async def test_what_says_it_beside_an_amount_answers(opened, question: str, said: str):
    async with opened(DOCUMENTS) as engine:
        done = await engine.result("answer", {"question": question})
    assert said in done.answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where did Jin Mori study?", None),
        ("田静曾在哪里学习？", None),
        ("Where did Ada Kroll study?", "Porto"),
        ("Where did Carla Ruiz study?", "Berlin"),
        ("蒋文涛曾在哪里学习？", "柏林"),
    ],
)
async def test_a_sentence_that_begins_with_another_name_goes_on_from_none(opened, question: str, said: str | None):
    async with opened(DOCUMENTS) as engine:
        done = await engine.result("answer", {"question": question})
    assert (said in done.answer) if said else done.claims == (), done.answer


@pytest.mark.parametrize(
    "question",
    [
        "电动船能坐几个人？",
        "雪服的押金是多少？",
        "电动船一天多少钱？",
        "How much does an electric boat cost per day?",
        "What is the deposit for a rowing boat?",
    ],
)
async def test_another_amount_is_none_of_what_is_asked(opened, question: str):
    async with opened(DOCUMENTS) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims == (), done.answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("电动船每小时多少钱？", "90元"),
        ("雪板的押金是多少？", "500元"),
        ("How much does an electric boat cost an hour?", "20 EUR"),
        ("What is the deposit for skis?", "150 EUR"),
        ("When does pottery begin?", "half past six"),
        ("摄影班什么时候上课？", "六点三刻"),
    ],
)
async def test_the_amount_that_is_asked_for_is_found(opened, question: str, said: str):
    async with opened(DOCUMENTS) as engine:
        done = await engine.result("answer", {"question": question})
    assert said in done.answer


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("雪板能过夜吗？", "过夜"),
        ("过期的票能用吗？", "过期"),
        ("超过三天怎么办？", "超过"),
        ("喝了酒还能游泳吗？", "喝酒"),
        ("去过西藏的人能报名吗？", "西藏"),
    ],
)
def test_what_says_done_is_no_part_of_a_word(question: str, word: str):
    assert word in [term.text for term in terms(question)]


@pytest.mark.parametrize(
    "question", ["Who is allowed to load the kiln alone?", "Who is permitted to load the kiln alone?"]
)
async def test_who_is_allowed_is_told_by_who_may(opened, question: str):
    text = "Anyone who has passed the firing course may load the kiln alone."
    async with opened([Document(id="k", title="Kiln hire", text=text)]) as engine:
        done = await engine.result("answer", {"question": question})
    assert [claim.quote for claim in done.claims] == [text]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Will the canoe deposit be refunded?", "A deposit of 100 EUR is taken; it is given back with the boat."),
        ("Is the deposit for the canoe refundable?", "The canoe deposit of 100 EUR is returned to you."),
        ("Do I get the joining fee back when I leave the canoe club?", "The joining fee is returned when you leave."),
        ("小船的押金能退吗？", "小船押金100元,还船时返还。"),
    ],
)
async def test_money_that_comes_back_is_told_in_other_words(opened, question: str, text: str):
    async with opened([Document(id="c", title="Canoe club 小船", text=text)]) as engine:
        done = await engine.result("answer", {"question": question})
    assert [claim.quote for claim in done.claims] == [text]


async def test_no_sentence_is_quoted_twice(opened):
    text = "梧桐书店在老街设有两家分店。东街分店的书可以借阅。"
    async with opened([Document(id="b", title="梧桐书店", text=text)]) as engine:
        done = await engine.result("answer", {"question": "梧桐书店的书能借吗？"})
    assert "".join(claim.quote for claim in done.claims).count("两家分店") <= 1
    assert "可以借阅" in done.answer


KINDS = (
    Document(
        id="望",
        title="天文台设备",
        text="主望远镜口径80厘米,建于1997年。太阳望远镜白天由志愿者操作。书法班在二楼。摄影班周二上课。",
    ),
    Document(
        id="obs",
        title="Equipment",
        text="The main telescope has an aperture of 80 cm. The solar telescope is run by volunteers. A rowing boat takes four "
        "people. An electric boat makes no noise. Each boat must be back by six.",
    ),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("太阳望远镜的口径是多少？", None),
        ("主望远镜的口径是多少？", "80厘米"),
        ("望远镜的口径是多少？", "80厘米"),
        ("书法班几点上课？", None),
        ("What is the aperture of the solar telescope?", None),
        ("What is the aperture of the main telescope?", "80 cm"),
        ("What is the aperture of the telescope?", "80 cm"),
        ("How many people does an electric boat take?", None),
        ("How many people does a rowing boat take?", "four"),
        ("When must an electric boat be back?", "back by six"),
    ],
)
async def test_what_is_said_of_another_kind_of_a_thing_is_no_answer(opened, question: str, said: str | None):
    async with opened(KINDS) as engine:
        done = await engine.result("answer", {"question": question})
    assert (said in done.answer) if said else done.claims == (), done.answer


COUNTED = (
    Document(
        id="g",
        title="Guest house Alder",
        text="There is no television in the rooms. The sauna costs 12 EUR. No ovens are left.",
    ),
    Document(
        id="图",
        title="枫林图书馆",
        text="成人借书证押金100元。每人最多借十本,借期四周。逾期每天每本罚款一角。儿童区不得饮食。",
    ),
    Document(id="bus", title="Bus", text="The bus has 40 seats and no toilets."),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many rooms does the guest house have?", None),
        ("How many ovens are left?", "No ovens"),
        ("How many toilets does the bus have?", "no toilets"),
        ("一次能借几本书？", "十本"),
        ("一次能借几张光盘？", None),
        ("逾期每天罚款多少钱？", "一角"),
        ("儿童区能吃东西吗？", "不得饮食"),
        ("Is the sauna free?", "12 EUR"),
        ("Is there a TV in the rooms?", "no television"),
    ],
)
async def test_what_is_counted_is_told_by_a_number_of_it(opened, question: str, said: str | None):
    async with opened(COUNTED) as engine:
        done = await engine.result("answer", {"question": question})
    assert (said in done.answer) if said else done.claims == (), done.answer


TOWN = (
    Document(
        id="w",
        title="Swimming baths",
        text="The warm pool is heated to 32 degrees. Diving is allowed only in the deep pool.",
    ),
    Document(id="h", title="Beekeeping club", text="Honey is sold in October. The club meets in the old dairy."),
    Document(id="裁", title="老街裁缝铺", text="定做旗袍需两周,先付一半定金。新茶在四月出售。布料在二楼摆放。"),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Can I eat in the warm pool?", None),
        ("Is the warm pool heated?", "32 degrees"),
        ("Can I dive in the deep pool?", "only in the deep pool"),
        ("Where is honey sold?", None),
        ("Where does the club meet?", "old dairy"),
        ("定金能退吗？", None),
        ("新茶在哪里出售？", None),
        ("布料在哪里摆放？", "二楼"),
    ],
)
async def test_what_says_neither_yes_nor_no_nor_where(opened, question: str, said: str | None):
    async with opened(TOWN) as engine:
        done = await engine.result("answer", {"question": question})
    assert (said in done.answer) if said else done.claims == (), done.answer


CAMP = (
    Document(
        id="营",
        title="北岸营地",
        text="帐篷位每晚60元,房车位每晚120元。夜班车周五、周六晚上运行,每四十分钟一班。食堂十一点半到一点供应午餐。",
    ),
    Document(
        id="camp",
        title="Camp site",
        text="A place for a caravan costs 22 EUR. The night bus runs on Fridays, every 40 minutes. The kiosk is open from 8 to 12. "
        "The site has 60 pitches.",
    ),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("营地有多少个房车位？", None),
        ("夜班车几点发车？", None),
        ("食堂几点供应午餐？", "十一点半"),
        ("房车位一晚多少钱？", "120元"),
        ("How many places for a caravan are there?", None),
        ("What time does the night bus run?", None),
        ("What time is the kiosk open?", "from 8 to 12"),
        ("How many pitches does the site have?", "60 pitches"),
    ],
)
async def test_a_price_counts_nothing_and_a_day_is_no_hour(opened, question: str, said: str | None):
    async with opened(CAMP) as engine:
        done = await engine.result("answer", {"question": question})
    assert (said in done.answer) if said else done.claims == (), done.answer


MUSIC = (
    Document(
        id="k",
        title="Landing places",
        text="The places are Heron Bridge and Stoneyard. Toilets are only at Heron Bridge.",
    ),
    Document(
        id="l",
        title="Loan of instruments",
        text="The school lends violins and cellos. A violin is lent for 9 EUR a month. Each must be insured.",
    ),
    Document(id="琴", title="乐器租借", text="教室出租小提琴、大提琴。小提琴每月90元。租借者须买保险。"),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How much is a cello per month?", None),
        ("How much is a violin per month?", "9 EUR"),
        ("大提琴每月多少钱？", None),
        ("小提琴每月多少钱？", "90元"),
        ("Is there a toilet at Stoneyard?", "only at Heron Bridge"),
    ],
)
async def test_what_is_said_of_one_of_two_is_not_said_of_the_other(opened, question: str, said: str | None):
    async with opened(MUSIC) as engine:
        done = await engine.result("answer", {"question": question})
    assert (said in done.answer) if said else done.claims == (), done.answer
