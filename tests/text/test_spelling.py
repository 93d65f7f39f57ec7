"""Spelling: forty wrong queries put right, two hundred right ones left alone."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text import slips
from qx.text.spelling import Speller

QUERIES = Path(__file__).parent / "queries"


def lines(name: str) -> list[str]:
    return (QUERIES / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def speller() -> Speller:
    return Speller()


def test_the_sets_are_whole() -> None:
    assert [len(lines(n)) for n in ("misspelt_zh", "misspelt_en", "right_zh", "right_en")] == [20, 20, 100, 100]


@pytest.mark.parametrize("line", lines("misspelt_zh") + lines("misspelt_en"))
def test_put_right(speller: Speller, line: str) -> None:
    wrong, right = line.split("\t")
    correction = speller.correct(wrong)
    assert correction is not None
    assert correction.text == right
    for change in correction.changes:
        assert wrong[change.start : change.end] == change.wrong


@pytest.mark.parametrize("name", ["right_zh", "right_en"])
def test_left_alone(speller: Speller, name: str) -> None:
    assert {line: c.text for line in lines(name) if (c := speller.correct(line))} == {}


@pytest.mark.parametrize("name", lines("names_en"))
def test_names_of_products_brands_and_tools_are_no_misspelt_words(speller: Speller, name: str) -> None:
    assert speller.correct(name) is None


@pytest.mark.parametrize("line", lines("misspelt_zh") + lines("misspelt_en"))
def test_once_is_enough(speller: Speller, line: str) -> None:
    assert speller.correct(line.split("\t")[1]) is None


@pytest.mark.parametrize(
    "text",
    [
        '"wireles" headphones',
        "《笔记本电恼》是什么书",
        "Wireles headphones review",  # may be a name
        "laptp.py import error",
        "laptp@example.com",
        "DEC-0054",
        "zapatillas para correr baratas",
        "chaussures rouges pas chères",
        "купить нотбук",
        "電恼",
        "印表機夾紙",
    ],
)
def test_never_touched(speller: Speller, text: str) -> None:
    assert speller.correct(text) is None


def test_protected_spans(speller: Speller) -> None:
    text = "wireles headphones and pyhton"
    correction = speller.correct(text, [(0, 7)])
    assert correction is not None
    assert correction.text == "wireles headphones and python"


def test_several_words_and_both_languages(speller: Speller) -> None:
    correction = speller.correct("pyhton 笔记本电恼 databse")
    assert correction is not None
    assert correction.text == "python 笔记本电脑 database"
    assert [c.wrong for c in correction.changes] == ["pyhton", "笔记本电恼", "databse"]


def test_words_of_the_caller_are_right_and_are_proposed(speller: Speller) -> None:
    taught = Speller(["zorblax widget", "锟铻剑"])
    assert taught.correct("zorblax widget") is None
    correction = taught.correct("zorblaxx widget")
    assert correction is not None
    assert correction.text == "zorblax widget"
    correction = taught.correct("昆吾剑多少钱")
    assert correction is not None
    assert correction.text == "锟铻剑多少钱"
    assert speller.correct("昆吾剑多少钱") is None


def test_a_long_text_is_no_query(speller: Speller) -> None:
    assert speller.correct("wireles " * 200) is None


_SHARED = Speller()


@given(st.text() | st.text(st.sampled_from(list("电恼黑瓶的机 abcdeing'-1")), max_size=30))
@settings(max_examples=60, deadline=None)
def test_changes_rebuild_the_text(text: str) -> None:
    correction = _SHARED.correct(text)
    if correction is None:
        return
    parts, at = [], 0
    for change in correction.changes:
        assert at <= change.start < change.end
        assert text[change.start : change.end] == change.wrong != change.right
        parts += [text[at : change.start], change.right]
        at = change.end
    assert "".join([*parts, text[at:]]) == correction.text


def test_a_known_word_is_not_taken_apart() -> None:
    own = Speller(["低脂", "零食", "值得"])
    assert own.correct("无糖低脂的零食") is None


@pytest.mark.parametrize(
    ("word", "known", "distance", "usual"),
    [
        ("netwrok", "network", 1, True),
        ("laptp", "laptop", 1, True),
        ("adress", "address", 1, True),
        ("definately", "definitely", 1, True),
        ("accomodtion", "accommodation", 2, True),
        ("citrix", "citric", 1, False),  # the last letter
        ("figma", "sigma", 1, False),  # the first
        ("nexode", "node", 2, False),
        ("sonarr", "sonar", 1, False),
        ("sonos", "songs", 1, False),  # one consonant for a vowel in a short word
    ],
)
def test_slips(word: str, known: str, distance: int, usual: bool) -> None:
    assert slips.usual(word, known, distance, 20_000_000) is usual


def test_a_rare_word_is_not_what_was_meant() -> None:
    assert not slips.usual("netwrok", "network", 1, 100_000)
