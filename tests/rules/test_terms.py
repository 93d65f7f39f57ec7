"""Whether a text holds a term: the same, asked of the text alone or of one that is made ready for many terms."""

from __future__ import annotations

import pytest

from qx.rules.terms import Folded, holds, plain


@pytest.mark.parametrize("text", ["降噪 耳机 推荐", "降噪耳机 under 500", "running shoes for kids", "里", ""])
@pytest.mark.parametrize(
    "term", ["降噪耳机", "降噪 耳机", "耳机", "机", "run", "shoe", "500", "50", "shoes running", ""]
)
def test_a_text_made_ready_holds_what_it_holds(text: str, term: str) -> None:
    said = Folded(text)
    assert [said.holds(term), said.holds(term)] == [holds(text, term)] * 2


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("后轮 更换 k60", "后轮 更换 k60"),
        ("后轮  更换", "后轮 更换"),
        (" 后轮", "后轮"),
        ("后轮\t更换", "后轮 更换"),
        ("Ｋ６０ 手机", "k60 手机"),
        ("印表機", "打印机"),
    ],
)
def test_texts_are_compared_in_one_form(text: str, folded: str) -> None:
    assert plain(text) == plain(folded) == folded
