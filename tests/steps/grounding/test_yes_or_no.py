"""Fields of yes or no are named before what they describe; the same words elsewhere say nothing of them."""

from __future__ import annotations

import pytest

from qx.domain import merge
from qx.steps.grounding.yes_or_no import named_flags
from qx.text import negation

KNOWLEDGE = merge([])
FIELDS = ("vegetarian", "waterproof", "used", "in_stock", "open", "read", "new")


@pytest.mark.parametrize(
    ("text", "things", "said"),
    [
        ("vegetarian recipes under 20 minutes", (), {"vegetarian": True}),
        ("Waterproof hiking boots", ("hiking boots",), {"waterproof": True}),
        ("vegetarian thai dishes", (), {"vegetarian": True}),
        ("used items", (), {"used": True}),
        ("in stock products", (), {"in_stock": True}),
        ("素食 30分钟以内", (), {"vegetarian": True}),
        ("防水的登山鞋", ("登山鞋",), {"waterproof": True}),
        ("有货的商品", (), {"in_stock": True}),
        ("recipes, not vegetarian dishes", (), {"vegetarian": False}),
        ("how is it used", (), {}),
        ("used laptop", ("laptop",), {}),
        ("is it waterproof", (), {}),
        ("vegetarianism books", (), {}),
        ("素食主义", (), {}),
        ("open issues", (), {"open": True}),
        ("new books about Mars", (), {"new": True}),
        ("open ticket count", (), {}),
        ("new product launch", (), {}),
        ("how to report open issues", (), {}),
        ("how to cook vegetarian dishes", (), {"vegetarian": True}),
        ("read books online", (), {}),
        ("read books", (), {}),
    ],
)
def test_named(text: str, things: tuple[str, ...], said: dict[str, bool]):
    found = named_flags(text, FIELDS, negation.find(text), things, KNOWLEDGE)
    assert {c.field: c.value for c in found} == said
