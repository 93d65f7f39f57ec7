"""An age, a share and a length of time count no things."""

from __future__ import annotations

import pytest

from qx_answer.relevance import Question
from qx_answer.shares import prepared


@pytest.mark.parametrize(
    ("question", "sentence", "counts"),
    [
        ("How many members does the club have?", "Members are admitted from the age of 14.", False),
        ("How many members does the club have?", "The club has 140 members aged 14 to 80.", True),
        ("How many members does the club have?", "The quorum is one third of the members.", False),
        ("How many members does the club have?", "Half of the members, 60, are adults.", True),
        ("协会有多少会员？", "修改章程须三分之二会员同意。", False),
        ("How many rooms are there?", "The room is let for two hours at least.", False),
        ("How many rooms are there?", "There are two rooms.", True),
        ("How many days may a guest stay?", "A guest may stay for three days.", True),
        ("How many days of annual leave do I get?", "每年享有十二天年假。", True),
        ("年假有多少天？", "Everybody has 12 days of annual leave.", True),
        ("茶馆有几个包间？", "包间每小时100元，两小时起订。", False),
        ("茶馆有几个包间？", "茶馆有六个包间，两小时起订。", True),
        ("几个月付一次租金？", "租金每三个月付一次。", True),
        ("会员有多少人？", "会员须年满14岁。", False),
    ],
)
def test_how_many_is_told_by_a_number_of_things(question: str, sentence: str, counts: bool) -> None:
    assert Question(question, [prepared(sentence)]).has_kind(sentence) is counts
