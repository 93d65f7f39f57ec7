"""Words of colour, material and feature that belong to names limit nothing; what limits still does."""

from collections.abc import Callable

import pytest

from qx.types import Understanding

FIELDS = {"colour", "material", "feature", "audience"}


@pytest.mark.parametrize(
    "text",
    ["black friday deals", "black and white movies", "things to do in green bay", "hotels in black forest", "red hat linux", "pink floyd shirt", "black panther movie", "green lantern comic", "purple mattress",
     "white wine glasses", "old navy jeans", "glass noodles", "organic chemistry book", "wireless communication book",
     "men's health magazine", "red wing boots", "white noise machine", "women's rights book", "black sabbath hoodie",
     "mechanical engineering textbook", "silver moon rising novel", "Red Garland Trio shirt for my dad", "Blue Oyster records shirt",
     "黑色星期五优惠", "有机化学教材", "无线通信书", "绿色食品推荐", "蓝月亮洗衣液", "纯棉时代毛巾", "白色情人节礼物推荐", "no country for old men",
     "women's history documentary"],
)  # fmt: skip
def test_no_hard_limit(text: str, understand: Callable[[str], Understanding]) -> None:
    found = understand(text)
    assert [c for c in found.constraints if c.field in FIELDS and c.hard] == []
    assert found.negations == ()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("black sneakers", {"black"}),
        ("Black Sneakers", {"black"}),
        ("BLACK LEATHER BOOTS", {"black", "leather"}),
        ("red wool hat", {"red", "wool"}),
        ("wireless mouse", {"wireless"}),
        ("organic milk", {"organic"}),
        ("glass jar for food storage, blue cups", {"glass", "blue"}),
        ("women's running shoes", {"women"}),
        ("free books", {"free"}),
        ("黑色手机", {"black"}),
        ("纯棉T恤", {"cotton"}),
    ],
)
def test_a_limit_stays(text: str, values: set[str], understand: Callable[[str], Understanding]) -> None:
    assert {c.value for c in understand(text).constraints if c.field in FIELDS and c.hard} == values
