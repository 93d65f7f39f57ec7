from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import qx.builtin
from qx.domain import Knowledge, merge
from qx.packs import load_pack
from qx.rules.understand import RuleUnderstanding
from qx.steps.reconcile import reconcile
from qx.types import Constraint, Entity, Op, Query, Sense, Turn, Understanding

NOW = datetime(2026, 6, 15, tzinfo=UTC)


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return merge([load_pack(Path(qx.builtin.__file__).parent / "general" / "pack.yaml")])


@pytest.fixture(scope="module")
def rules(knowledge: Knowledge) -> RuleUnderstanding:
    return RuleUnderstanding(knowledge)


PRICE = Constraint(field="price", op="le", value=5000, unit="CNY", text="5000元以下")


def understanding(**parts: object) -> Understanding:
    return Understanding(**({"intent": ("how-to",), "language": "zh"} | parts))  # type: ignore[arg-type]


def test_an_entity_that_nobody_said_goes():
    joined = reconcile(
        Query(text="小米14 拍照"),
        understanding(entities=(Entity(text="小米14"), Entity(text="华为 P60"))),
        understanding(),
    )
    assert [(e.text, e.start, e.end) for e in joined.entities] == [("小米14", 0, 4)]


def test_an_entity_of_the_conversation_stays():
    joined = reconcile(
        Query(text="它的电池怎么样", history=(Turn(role="user", content="Model Y 好不好"),)),
        understanding(entities=(Entity(text="Model Y"),)),
        understanding(),
    )
    assert [(e.text, e.start) for e in joined.entities] == [("Model Y", -1)]


def test_an_identifier_that_the_model_overlooked_comes_back():
    code = Entity(text="0x80070057", type="error-code", start=2, end=12, verbatim=True)
    joined = reconcile(Query(text="报错0x80070057"), understanding(), understanding(entities=(code,)))
    assert joined.entities == (code,)


def test_numbers_are_the_rules_and_an_invented_number_goes():
    made_up = Constraint(field="weight", op="le", value=1.5, unit="kg", text="")
    wrong = Constraint(field="price", op="ge", value=5000, unit="CNY", text="5000元以下")
    wish = Constraint(field="battery_life", op="prefer", value="long", text="续航好", hard=False)
    joined = reconcile(
        Query(text="5000元以下续航好的笔记本"),
        understanding(constraints=(made_up, wrong)),
        understanding(constraints=(PRICE, wish)),
    )
    assert joined.constraints == (PRICE, wish)


def _kept(text: str, said: Constraint, rules: RuleUnderstanding, knowledge: Knowledge) -> bool:
    query = Query(text=text)
    read = rules.understand(query, now=NOW, zone=UTC)
    model = replace(read, constraints=(said,))
    return said in reconcile(query, model, read, knowledge=knowledge).constraints


@pytest.mark.parametrize(
    ("text", "field", "op", "value", "words"),
    [
        ("laptop", "brand", "eq", "Dell", ""),
        ("laptop", "brand", "eq", "Dell", "laptop"),
        ("bicycle brake", "brand", "eq", "Shimano", "bicycle"),
        ("笔记本电脑", "brand", "eq", "戴尔", "笔记本电脑"),
        ("gaming laptop", "tags", "ne", "laptop", ""),
        ("gaming laptop", "tags", "ne", "laptop", "laptop"),
        ("gaming laptop", "tags", "ne", "office", "gaming"),
        ("gaming laptop", "date", "ge", "2024-01-01", ""),
        ("gaming laptop", "date", "ge", "2024-01-01", "gaming laptop"),
        ("laptop", "stock", "eq", False, ""),
        ("laptop", "stock", "eq", True, "laptop"),
        ("laptop", "memory", "ge", "16 GB", "laptop"),
        ("laptop", "feature", "eq", "touchscreen", "laptop"),
        ("laptop", "brand", "in", ("Dell", "HP"), ""),
        ("HP laptop", "brand", "in", ("Dell", "HP"), "HP"),
        ("laptop of Delly", "brand", "eq", "Dell", ""),
        ("laptop", "price", "le", 200, "laptop"),
    ],
)
def test_a_condition_that_nobody_said_goes(
    text: str, field: str, op: Op, value: Any, words: str, rules: RuleUnderstanding, knowledge: Knowledge
):
    assert not _kept(text, Constraint(field=field, op=op, value=value, text=words), rules, knowledge)


@pytest.mark.parametrize(
    ("text", "field", "op", "value", "words"),
    [
        ("zorblax laptop", "brand", "eq", "Zorblax", ""),
        ("hewlett packard laptop", "brand", "eq", "HP", "hewlett packard"),
        ("惠普笔记本", "brand", "eq", "hewlett packard", "惠普"),
        ("laptop not Zorblax", "brand", "ne", "Zorblax", "not Zorblax"),
        ("laptop not Zorblax", "brand", "ne", "Zorblax", ""),
        ("衬衫不要涤纶", "fabric", "ne", "polyester", "不要涤纶"),
        ("Laptop ohne Zorblax kaufen", "brand", "ne", "Zorblax", "ohne Zorblax"),
        ("laptop that is easy to carry", "portability", "eq", "high", "easy to carry"),
        ("laptop in stock", "stock", "eq", True, "in stock"),
        ("laptop reviews from 2024", "date", "ge", "2024-01-01", ""),
        ("laptop reviews of last year", "reviewed", "ge", "2025-01-01", "last year"),
        ("laptop", "feature", "prefer", "quiet", ""),
    ],
)
def test_a_condition_in_the_words_stays(
    text: str, field: str, op: Op, value: Any, words: str, rules: RuleUnderstanding, knowledge: Knowledge
):
    assert _kept(text, Constraint(field=field, op=op, value=value, text=words), rules, knowledge)


def test_negations_are_united_and_grounded():
    joined = reconcile(
        Query(text="shirt, not white, no polyester"),
        understanding(negations=("polyester", "silk")),
        understanding(negations=("white",)),
    )
    assert joined.negations == ("white", "polyester")


def test_what_is_looked_for_is_not_ruled_out_by_a_model():
    model = understanding(negations=("laptop",))
    rules = understanding(entities=(Entity(text="laptop", type="product"),))
    assert reconcile(Query(text="gaming laptop"), model, rules).negations == ()
    assert reconcile(Query(text="Laptop ohne HP"), understanding(negations=("HP",)), rules).negations == ("HP",)


def test_a_standalone_form_that_loses_a_number_or_a_not_is_not_taken():
    query = Query(text="and ones under $50, not white?", history=(Turn(role="user", content="linen shirts"),))
    rules = understanding(
        constraints=(Constraint(field="price", op="lt", value=50, unit="USD", text="under $50"),),
        negations=("white",),
        standalone="linen shirts under $50 not white",
    )
    lost = reconcile(query, understanding(standalone="linen shirts under $50"), rules)
    assert lost.standalone == rules.standalone
    kept = reconcile(query, understanding(standalone="linen shirts below $50 but not white"), rules)
    assert kept.standalone == "linen shirts below $50 but not white"


def test_a_known_name_that_the_model_overlooked_comes_back_a_guess_of_the_rules_does_not():
    rules = understanding(
        entities=(Entity(text="黑屏", type="fault"), Entity(text="电脑", type="product"), Entity(text="一下"))
    )
    joined = reconcile(Query(text="电脑黑屏看一下"), understanding(entities=(Entity(text="电脑"),)), rules)
    assert [e.text for e in joined.entities] == ["电脑", "黑屏"]


def test_a_reading_of_a_word_that_nobody_said_goes():
    senses = (Sense(word="重启", label="action"), Sense(word="重启", label="film"))
    apple = (Sense(word="苹果", label="公司"), Sense(word="苹果", label="水果"))
    joined = reconcile(Query(text="苹果重量"), understanding(senses=(*senses, *apple)), understanding())
    assert joined.senses == apple


def test_one_reading_alone_is_a_definition_and_leaves_the_rules_their_own():
    given = (Sense(word="黑屏", label="symptom", words=("屏幕无显示",)), Sense(word="黑屏", label="Symptom"))
    assert reconcile(Query(text="电脑黑屏"), understanding(senses=given), understanding()).senses == ()
    known = (Sense(word="电脑", label="a"), Sense(word="电脑", label="b"))
    assert reconcile(Query(text="电脑黑屏"), understanding(senses=given), understanding(senses=known)).senses == known


def test_the_corrected_spelling_is_the_rules_and_counts_as_said():
    joined = reconcile(
        Query(text="pyhton list sort"),
        understanding(entities=(Entity(text="python"),), signals={"spelling": "something else", "tone": "short"}),
        understanding(signals={"spelling": "python list sort"}),
    )
    assert joined.signals == {"spelling": "python list sort", "tone": "short"}
    assert [e.text for e in joined.entities] == ["python"]


def test_a_model_cannot_say_how_the_query_is_spelt():
    joined = reconcile(Query(text="python list"), understanding(signals={"spelling": "buy a car"}), understanding())
    assert "spelling" not in joined.signals


def test_about_is_the_rules_range_also_where_the_model_says_one_number():
    about = tuple(
        Constraint(field="price", op=op, value=value, unit="CNY", text="预算2000左右", hard=False)
        for op, value in (("prefer", 2000), ("ge", 1600), ("le", 2400))
    )
    model = Constraint(field="price", op="eq", value=2000, unit="CNY", text="预算2000左右")
    joined = reconcile(
        Query(text="手机预算2000左右"), understanding(constraints=(model,)), understanding(constraints=about)
    )
    assert joined.constraints == about


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("小米14 价格", "小米14 Pro 2024年 官方价格"),
        ("小米14 价格", "华为 P60 价格"),
        ("cheap flights to tokyo", "cheap flights to tokyo with Delta in business class"),
        ("cheap flights to tokyo", "expensive flights to tokyo"),
        ("apple price", "Apple Inc. stock price today"),
        ("电脑黑屏", "联想电脑黑屏"),
    ],
)
def test_a_form_that_says_what_nobody_said_is_not_the_original(text: str, form: str, knowledge: Knowledge):
    rules = RuleUnderstanding(knowledge).understand(Query(text=text), now=NOW, zone=UTC)
    joined = reconcile(Query(text=text), understanding(standalone=form), rules, knowledge=knowledge)
    assert joined.standalone == rules.standalone
    assert reconcile(Query(text=text), understanding(standalone=form), rules).standalone == rules.standalone


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("请问电脑黑屏了怎么办啊", "电脑黑屏怎么办"),
        ("电脑卡死怎么办", "计算机卡死怎么办"),
        ("hi, can you tell me how to fix a leaking faucet", "how to fix a leaking faucet"),
    ],
)
def test_a_form_in_the_query_s_own_words_is_taken(text: str, form: str, knowledge: Knowledge):
    rules = RuleUnderstanding(knowledge).understand(Query(text=text), now=NOW, zone=UTC)
    assert reconcile(Query(text=text), understanding(standalone=form), rules, knowledge=knowledge).standalone == form


def test_a_reference_that_only_a_look_at_the_world_resolves_may_be_resolved(knowledge: Knowledge):
    query = Query(text="最近那个车怎么样")
    rules = RuleUnderstanding(knowledge).understand(query, now=NOW, zone=UTC)
    assert rules.kind == "vague"
    joined = reconcile(query, understanding(standalone="小米SU7怎么样"), rules, knowledge=knowledge)
    assert joined.standalone == "小米SU7怎么样"


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("gaming laptop under $800, not HP", "brand", "HP"),
        ("blender, not Kenwood", "brand", "Kenwood"),
        ("想买手机，不要美图", "brand", "美图"),
        ("shirt, not white", "colour", "white"),
        ("耳机 不要入耳式", "feature", "入耳式"),
    ],
)
@pytest.mark.parametrize("op", ["eq", "prefer"])
def test_a_model_cannot_ask_for_what_the_query_rules_out(
    text: str, field: str, value: str, op: Op, rules: RuleUnderstanding
):
    found = rules.understand(Query(text=text), now=NOW, zone=UTC)
    against = Constraint(field=field, op=op, value=value, text=value, hard=op == "eq")
    joined = reconcile(Query(text=text), understanding(constraints=(against,)), found)
    assert all(c.op == "ne" for c in joined.constraints if c.field == field)
    assert joined.negations == found.negations


@pytest.mark.parametrize(
    ("text", "thing"),
    [("tv not Samsung", "tv"), ("laptop without HP", "laptop"), ("非苹果手机", "手机"), ("电视 不要三星", "电视")],
)
def test_what_is_looked_for_is_not_ruled_out_beside_what_is(
    text: str, thing: str, rules: RuleUnderstanding, knowledge: Knowledge
):
    found = rules.understand(Query(text=text), now=NOW, zone=UTC)
    joined = reconcile(Query(text=text), understanding(negations=(thing,)), found, knowledge=knowledge)
    assert thing not in joined.negations
