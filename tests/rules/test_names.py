"""Names of institutions and places, by pattern."""

from collections.abc import Callable

import pytest

from qx.types import Understanding


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("推荐几本适合小学三年级看的科普书", []),
        ("给刚上大学的女儿买电脑", []),
        ("孩子幼小衔接去哪家幼儿园", []),
        ("上海市第一人民医院怎么挂号", ["上海市第一人民医院"]),
        ("评价浙江大学宿舍", ["浙江大学"]),
        ("参观故宫博物馆", ["故宫博物馆"]),
        ("附近好的宠物医院", ["宠物医院"]),
        ("我儿子在阳光幼儿园", ["阳光幼儿园"]),
    ],
)
def test_an_institution_is_named_without_the_words_that_lead_to_it(text, names, understand):
    assert [e.text for e in understand(text).entities if e.type in {"organisation", "place"}] == names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("浙江大学医学院附属第二医院地址", "浙江大学医学院附属第二医院"),
        ("北京大学附属中学招生", "北京大学附属中学"),
        ("北京大学附近的自习室", "北京大学"),
    ],
)
def test_what_belongs_to_an_institution_is_one_with_it(text: str, name: str, understand: Callable[..., Understanding]):
    assert [e.text for e in understand(text).entities if e.type == "organisation"] == [name]


def test_an_institution_ends_where_a_word_does(understand: Callable[..., Understanding]):
    assert not [e for e in understand("适合大学生的电脑").entities if e.type == "organisation"]
