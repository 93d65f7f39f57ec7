"""The names of the months."""

import re

import pytest

from qx.text.months import MONTH, MONTHS, month_number


@pytest.mark.parametrize("name", [*MONTHS, *(name[:3] for name in MONTHS), "Sept.", "sept", "MAY", "Jan."])
def test_a_month_is_found_and_numbered(name: str):
    match = re.fullmatch(MONTH, name, re.IGNORECASE)
    assert match is not None
    assert MONTHS[month_number(match[0]) - 1].startswith(name[:3].lower())


@pytest.mark.parametrize("word", ["marching", "octopus", "mayor", "decide", "juncture"])
def test_another_word_is_none(word: str):
    assert re.match(MONTH, word, re.IGNORECASE) is None


def test_what_is_no_month_has_no_number():
    with pytest.raises(KeyError):
        month_number("moon")
