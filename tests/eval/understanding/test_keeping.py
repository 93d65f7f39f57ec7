import pytest

from qx.eval.understanding.keeping import brought, contains, in_language, lost
from qx.types import SubQuery


def queries(*texts: str, strategy: str = "refine") -> tuple[SubQuery, ...]:
    return (SubQuery(text="original words", strategy="original"), *(SubQuery(text=t, strategy=strategy) for t in texts))


@pytest.mark.parametrize(
    ("text", "words", "there"),
    [
        ("hiking boots for men", "hiking boot", True),
        ("Hiking Boots", "hiking boots", True),
        ("smart watch", "art", False),
        ("watch smart", "smart watch", False),
        ("老人手机 大屏", "手机", True),
        ("印表機 卡紙", "打印机", True),
        ("C++ 教程", "C++", True),
        ("C# 教程", "C++", False),
        ("e-mail", "", True),
        ("gpt-4 prompts", "gpt-4", True),
        ("ｉＰｈｏｎｅ case", "iphone", True),
    ],
)
def test_words_in_a_query(text: str, words: str, there: bool):
    assert contains(text, words) is there


def test_the_original_does_not_count_where_there_are_others():
    assert lost(queries("shirts"), ["words"]) == ("words",)
    assert lost(queries("words", "shirts"), ["words", "shirt"]) == ()


def test_the_original_alone_keeps_its_own_words():
    assert lost(queries(), ["words", "shirt"]) == ("shirt",)


def test_what_is_excluded_may_stand_in_the_original():
    assert brought(queries("blue shirts"), ["words", "original"]) == ()
    assert brought(queries("original shirts"), ["original"]) == ("original",)


def test_languages_of_the_others_but_for_translations():
    found = queries("亚麻衬衫 推荐", "linen shirt for summer days and nights", "рубашка")
    assert in_language(found, "en") == (1, 3)
    assert in_language(found, "zh") == (1, 3)
    assert in_language(queries("亚麻衬衫", strategy="translate"), "en") == (0, 0)
