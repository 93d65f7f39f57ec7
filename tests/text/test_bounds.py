"""No function of qx.text raises on any string, and none is worse than linear: a megabyte takes seconds at most.

Time is not measured: what is quadratic takes minutes here and runs into the timeout of the test.
"""

from collections.abc import Callable

import pytest

from qx.text import clean, identifiers, language, normalise, quotes, redact, segment
from qx.text.spelling import Speller

MEGABYTE = 1_000_000

FUNCTIONS: dict[str, Callable[[str], object]] = {
    "clean": clean.clean,
    "fold": normalise.fold,
    "simplified": normalise.simplified,
    "similarity": lambda text: normalise.similarity(text, text[1:]),
    "words": segment.words,
    "stem": segment.stem,
    "identify": language.identify,
    "same_language": lambda text: language.same_language(text, "en"),
    "identifiers": identifiers.find,
    "is_identifier": identifiers.is_identifier,
    "phrases": quotes.phrases,
    "redact": redact.mask,
    "spelling": Speller().correct,
}

UNITS = ["a", "电", "a.", "a-", "1", "1 ", "1.", "1-", "<b", "<!--", "&a", "!?", " ", "...", '"', "'a", "“", "a@", "a.a@", "http://", "/a", "A_",
         "\u0301\u0323", "\ud800", "機", "の", "+1 ", "A1-", "--a", "x()", "0x", "a\u200c", "Err", ":\\", "GB82"]  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    "unit", ["", "\ud800", "\udfff\ud800", "\x00", "\U0010ffff", "\ufffe", "İ", "ß", "ﷺ", "\u0345", "a\ud83d电"]
)
def test_odd_strings(name: str, unit: str) -> None:
    FUNCTIONS[name](unit)
    FUNCTIONS[name](f"电脑 {unit} laptop {unit}")


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_linear(name: str) -> None:
    for unit in UNITS:
        FUNCTIONS[name](unit * (30_000 // len(unit)))


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("unit", ["电", "a.", "<b", "1-", "/a", "\u0301\u0323", "\ud800"])
def test_a_megabyte(name: str, unit: str) -> None:
    FUNCTIONS[name](unit * (MEGABYTE // len(unit)))
