"""What is ruled out, of which field, and what is still looked for."""

import pytest


def _read(found):
    """The hard conditions as ``field≠value`` or ``field=value``, sorted."""
    signs = {"ne": "≠", "eq": "=", "le": "<=", "ge": ">=", "lt": "<", "gt": ">"}
    return sorted(f"{c.field}{signs[c.op]}{c.value}" for c in found.constraints if c.hard)


BOTH = ["colour≠black", "colour≠white"]


@pytest.mark.parametrize(
    "text",
    [
        "不要黑色和白色的笔记本",
        "不要黑色、白色的笔记本",
        "不要黑色或白色的笔记本",
        "不要黑色或者白色的笔记本",
        "不要黑色及白色的笔记本",
        "不要黑色与白色的笔记本",
        "不要黑色跟白色的笔记本",
        "不要黑色以及白色的笔记本",
        "不要黑色的和白色的笔记本",
        "除了黑色和白色的笔记本",
        "除黑色和白色外的笔记本",
        "非黑色和白色的笔记本",
        "笔记本，黑色和白色除外",
        "笔记本 黑色、白色都不要",
        "不考虑黑色和白色的笔记本",
        "laptop not black or white",
        "laptop not black nor white",
        "laptop not black and white",
        "laptop not black, white",
        "laptop no black and no white",
        "laptop no black or white",
        "laptop without black or white",
        "laptop except black and white",
        "any laptop but black or white",
        "neither black nor white laptop",
        "I don't want a black or white laptop",
    ],
)
def test_several_values_of_one_exclusion_are_all_ruled_out(text, understand):
    found = understand(text)
    assert _read(found) == BOTH
    assert len(found.negations) == 2
    assert [e.type for e in found.entities] == ["product"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("不要纯棉和涤纶的衬衫", ["material≠cotton", "material≠polyester"]),
        ("耳机不要无线和降噪的", ["feature≠noise-cancelling", "feature≠wireless"]),
        ("shirt not cotton or linen", ["material≠cotton", "material≠linen"]),
        ("不要联想、华硕和戴尔的笔记本", ["brand≠华硕", "brand≠戴尔", "brand≠联想"]),
        ("laptop not Lenovo, Asus or Dell", ["brand≠asus", "brand≠dell", "brand≠lenovo"]),
        # each of these is wanted, or wanted besides what is ruled out
        ("不要黑色，白色的笔记本", ["colour=white", "colour≠black"]),
        ("laptop not black but white", ["colour=white", "colour≠black"]),
        ("黑色和白色的笔记本", ["colour=black", "colour=white"]),
        ("black and white shirt", ["colour=black", "colour=white"]),
        ("不要黑色的白色笔记本", ["colour=white", "colour≠black"]),
        ("white laptop, not Dell", ["brand≠dell", "colour=white"]),
        ("laptop not heavy and fast", []),
    ],
)
def test_values_of_other_fields_and_wishes_beside_an_exclusion(text, wanted, understand):
    assert _read(understand(text)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("不要8GB内存的手机", ["memory≠8"]),
        ("phone not 8GB", ["memory≠8"]),
        ("iPhone 15 not 128GB", ["storage≠128"]),
        ("laptop not 15 inch", ["screen≠15"]),
        ("不要15寸的笔记本", ["screen≠15"]),
        ("不要3000以下的手机", ["price>3000"]),
        ("不要3000元以上的手机", ["price<3000"]),
        ("不要8GB和16GB内存的手机", ["memory≠16", "memory≠8"]),
        ("不要2000元左右的手机", []),
        # these refuse within the amount itself
        ("不要超过3000元的手机", ["price<=3000"]),
        ("不要低于8GB内存的手机", ["memory>=8"]),
        ("not under 3000 phone", ["price>=3000"]),
        ("phone not over $500", ["price<=500"]),
        ("16GB内存的手机，不要白色", ["colour≠white", "memory=16"]),
    ],
)
def test_an_amount_that_is_ruled_out_is_not_asked_for(text, wanted, understand):
    assert _read(understand(text)) == wanted


@pytest.mark.parametrize(
    ("text", "brands", "product"),
    [
        ("非苹果手机", ["苹果"], "手机"),
        ("非三星手机", ["三星"], "手机"),
        ("手机，苹果除外", ["苹果"], "手机"),
        ("手机，苹果和三星除外", ["苹果", "三星"], "手机"),
        ("除苹果外的手机", ["苹果"], "手机"),
        ("除了苹果以外的手机", ["苹果"], "手机"),
        ("不要苹果的手机", ["苹果"], "手机"),
        ("不要三星和苹果的手机", ["三星", "苹果"], "手机"),
        ("推荐手机，不要小米手机", ["小米"], "手机"),
        ("笔记本，不要苹果", ["苹果"], "笔记本"),
        ("any phone but Samsung", ["samsung"], "phone"),
        ("neither Samsung nor Apple phone", ["samsung", "Apple"], "phone"),
        ("phone, not Apple", ["Apple"], "phone"),
        ("phone except Apple", ["Apple"], "phone"),
        ("phone not made by Samsung", ["samsung"], "phone"),
        ("non-Apple phone", ["Apple"], "phone"),
        ("phone, not Samsung phones", ["samsung"], "phone"),
    ],
)
def test_a_maker_is_ruled_out_and_its_product_is_not(text, brands, product, understand):
    found = understand(text)
    assert [(c.op, c.value, c.hard) for c in found.constraints if c.field == "brand"] == [
        ("ne", b, True) for b in brands
    ]
    assert [n.casefold() for n in found.negations] == [b.casefold() for b in brands]
    assert product in {e.text for e in found.entities if e.type == "product"}
    assert found.senses == ()


@pytest.mark.parametrize(
    ("text", "negations"),
    [
        ("不要苹果味的酸奶", ("苹果味",)),
        ("不要苹果派", ("苹果派",)),
        ("水果沙拉 不要苹果", ("苹果",)),
        ("fruit salad without apple", ("apple",)),
    ],
)
def test_a_fruit_is_no_maker(text, negations, understand):
    found = understand(text)
    assert found.negations == negations
    assert not [c for c in found.constraints if c.field == "brand"]


def test_two_makers_together_settle_the_sense(understand):
    found = understand("不要三星和苹果")
    assert [c.value for c in found.constraints] == ["三星", "苹果"]
    assert found.senses == ()


@pytest.mark.parametrize(
    ("text", "negation", "thing"),
    [
        ("no sugar added yogurt", "sugar added", "yogurt"),
        ("no knead bread recipe", "knead", "bread"),
        ("no fee credit card", "fee", "credit card"),
        ("no contact thermometer", "contact", "thermometer"),
        ("no drill curtain rod", "drill", "curtain rod"),
        ("不要打孔窗帘杆", "打孔", "窗帘杆"),
        ("不要硅胶手机壳", "硅胶", "手机壳"),
        ("not black laptop", "black", "laptop"),
        ("I don't want leather shoes", "leather", "shoes"),
    ],
)
def test_what_is_looked_for_is_not_ruled_out(text, negation, thing, understand):
    found = understand(text)
    assert found.negations == (negation,)
    assert thing in " ".join(e.text for e in found.entities)


@pytest.mark.parametrize(
    ("text", "negation"),
    [
        ("electric car but not chinese ev", "chinese ev"),
        ("想买平板，不要老人机", "老人机"),
        ("phone no sim card needed", "sim card"),
        ("推荐个平板，不要手机壳", "手机壳"),
    ],
)
def test_a_thing_beside_what_is_looked_for_is_ruled_out_whole(text, negation, understand):
    assert understand(text).negations == (negation,)


@pytest.mark.parametrize("text", ["不要美的空调", "空调 不要美的", "三千以内的洗碗机，不要美的"])
def test_a_name_that_ends_as_an_attribute_does_is_ruled_out_whole(text, understand):
    found = understand(text)
    assert "brand≠美的" in _read(found)
    assert "美的" in found.negations
