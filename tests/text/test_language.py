"""Languages of short and mixed queries."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text.language import identify, same_language

QUERIES = Path(__file__).parent / "queries"

CASES = {
    "en": """cheap linen shirt|fix login error|best gaming laptop|python list sort|red shoes|transformer architecture|
        wireless headphones|overfitting neural network|and cheaper ones?|what does 苹果 mean|machine learning books|
        vegan protein powder|men's winter jacket|RED SHOES|Best Running Shoes|retirement plan rollover|java generics wildcard|
        garlic butter prawns|chess opening traps|oak dining table|kids rain boots|mongodb aggregation pipeline|tokyo weather""",
    "zh": """Telegram 配置信息|Python里怎么把列表里的重复元素去掉|我付不了款|iPhone 15 和 小米14 哪个拍照好|电脑|Java 是什么|
        Python Django框架下ORM批量插入性能优化|docker compose 部署 nginx 报错 permission denied|著名的乾坤大挪移|公里|VPN 推荐|
        transformer 论文|machine learning 入门书|the north face 羽绒服""",
    "zh-Hant": "印表機夾紙|電腦開機黑屏|筆記型電腦推薦|iPhone 螢幕壞了|台灣旅遊",
    "ru": "Как исправить ошибку|красные туфли|купить ноутбук|погода москва|телефон samsung не включается|python сортировка списка",
    "es": "zapatos rojos baratos|mejor portátil barato|cómo arreglar error de python|tiempo en madrid hoy|receta de paella",
    "fr": "meilleur ordinateur portable|chaussures rouges pas cher|comment réparer un vélo|hôtel pas cher paris|recette de crêpes",
    "de": "günstige rote schuhe|beste waschmaschine|wetter berlin heute|laptop kaufen günstig|fehler beheben windows",
    "ja": "プリンター 紙詰まり|おすすめ ノートパソコン|東京の天気|iPhone バッテリー 交換",
    "ko": "노트북 추천|빨간 신발",
    "uk": "купити ноутбук у києві",
    "th": "รองเท้าสีแดง",
    "ar": "أحذية حمراء رخيصة",
    "und": "|123|!!!|🙂",
}


@pytest.mark.parametrize(("tag", "query"), [(t, q.strip()) for t, line in CASES.items() for q in line.split("|")])
def test_identify(tag: str, query: str) -> None:
    assert identify(query) == tag


@pytest.mark.parametrize(("name", "tags"), [("right_en", {"en"}), ("right_zh", {"zh", "zh-Hant"})])
def test_two_hundred_queries(name: str, tags: set[str]) -> None:
    lines = (QUERIES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 100
    assert {line for line in lines if identify(line) not in tags} == set()
    assert {line for line in lines if not same_language(line, identify(line))} == set()


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("iPhone 15", "zh"),
        ("iPhone 15", "ru"),
        ("Tesla Model Y 测评", "zh"),
        ("transformer attention survey", "zh"),
        ("Tesla Model 3", "fr"),
        ("linen shirt men breathable summer", "en"),
        ("what does 苹果 mean in chinese", "en"),
        ("光", "zh-Hant"),
        ("台北", "zh"),
        ("電腦", "zh-TW"),
        ("电脑", "zh-CN"),
        ("купить ноутбук", "ru"),
        ("meilleur ordinateur", "fr"),
        ("東京の天気", "ja"),
        ("12345", "ko"),
        ("", "en"),
        ("anything", "und"),
    ],
)
def test_compatible(text: str, tag: str) -> None:
    assert same_language(text, tag)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Как исправить", "en"),
        ("red shoes for men", "ru"),
        ("印表機", "zh"),
        ("打印机", "zh-Hant"),
        ("苹果", "zh-Hant"),
        ("best laptop for students", "zh"),
        ("best laptop for students", "ja"),
        ("chaussures rouges pas cher pour femme", "en"),
        ("zapatos rojos baratos", "en"),
        ("电脑黑屏", "en"),
        ("노트북 추천", "zh"),
        ("プリンター", "zh"),
        ("cheap shoes with free delivery", "fr"),
        ("купить ноутбук недорого с доставкой", "uk"),
    ],
)
def test_incompatible(text: str, tag: str) -> None:
    assert not same_language(text, tag)


TAGS = st.sampled_from(["zh", "zh-Hant", "en", "ru", "ja", "ko", "fr", "", "xx-YY"])


@given(st.text(), TAGS)
@settings(max_examples=100, deadline=None)
def test_any_text_has_an_answer_that_the_writing_of_the_tag_does_not_change(text: str, tag: str) -> None:
    assert identify(text)
    assert same_language(text, tag) is same_language(text, tag.replace("-", "_").upper())


@given(st.text(alphabet="0123456789 .,;:!?-+()（）。，"), TAGS)
@settings(max_examples=50, deadline=None)
def test_what_has_no_letters_is_in_every_language(text: str, tag: str) -> None:
    assert same_language(text, tag)


@given(st.text(alphabet="бвгджзклмнптфхцчшщэюя", min_size=5), st.sampled_from(["zh", "zh-Hant", "en", "fr"]))
@settings(max_examples=50, deadline=None)
def test_another_script_is_another_language(text: str, tag: str) -> None:
    assert not same_language(text, tag)


@pytest.mark.parametrize("text", ["ipad mini 128gb", "iphone 15 pro max 256gb", "galaxy s24 ultra"])
def test_model_names_and_measures_are_in_no_language(text: str) -> None:
    assert identify(text) in ("und", "en")


def test_words_beside_a_model_name_tell() -> None:
    assert identify("ipad mini 64gb gebraucht kaufen") == "de"
