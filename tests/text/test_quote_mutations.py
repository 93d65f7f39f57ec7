"""500 true quotes in both languages: what says something else is refused, what says the same is found."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from quoted_sentences import NAMES, NAMES_ZH, Sentence, sentences, source_of

from qx.text.quotes import locate

ALL = sentences(500, seed=11)
_TURNED = [
    ("不需要", "需要"),
    ("不能", "能"),
    ("没有", "有"),
    ("不得", "得"),
    ("从未", "曾经"),
    ("未经", "经"),
    ("不可", "可"),
]


def sources() -> list[tuple[Sentence, str]]:
    rng = random.Random(5)
    return [
        (one, source_of(one, [o for o in ALL if o.text != one.text and o.chinese is one.chinese], rng)) for one in ALL
    ]


PAIRS = sources()


def other_digit(one: Sentence, rng: random.Random) -> str:
    at = rng.choice([i for i, c in enumerate(one.number) if c.isdigit()])
    digit = rng.choice([d for d in "123456789" if d != one.number[at]])
    return one.text.replace(one.number, one.number[:at] + digit + one.number[at + 1 :])


def digit_less_or_more(one: Sentence, rng: random.Random) -> str:
    if len(one.number) > 2 and rng.random() < 0.5:
        return one.text.replace(one.number, one.number[1:] if one.number[1] not in ".," else one.number + "0")
    return one.text.replace(one.number, rng.choice("123456789") + one.number)


def point_moved(one: Sentence, rng: random.Random) -> str:
    digits = re.sub(r"[.,]", "", one.number)
    return one.text.replace(one.number, digits[0] + "." + digits[1:] if "." not in one.number else digits)


def negation_lost(one: Sentence, rng: random.Random) -> str:
    if one.chinese:
        denied = next((pair for pair in _TURNED if pair[0] in one.text), None)
        assert denied is not None, one.text
        return one.text.replace(*denied, 1)
    changed = re.sub(r"\b(?:not|never|no) ", "", one.text.replace("cannot", "can"), count=1)
    assert changed != one.text
    return changed


def negation_added(one: Sentence, rng: random.Random) -> str:
    if one.chinese:
        at = max(
            one.text.find("设计"),
            one.text.find("指出"),
            one.text.find("使用"),
            one.text.find("发现"),
            one.text.find("规定"),
        )
        return one.text[:at] + "不" + one.text[at:]
    return re.sub(r"\b(made|reported|designed|keep|lasted|approved|led)\b", r"not \1", one.text, count=1)


def another_name(one: Sentence, rng: random.Random) -> str:
    return one.text.replace(one.name, rng.choice([n for n in (NAMES_ZH if one.chinese else NAMES) if n != one.name]))


def name_misspelt(one: Sentence, rng: random.Random) -> str:
    at = rng.randrange(len(one.name))
    letters = "云水风竹" if one.chinese else "bdfgkmp"
    letter = rng.choice([letter for letter in letters if letter != one.name[at].lower()])
    return one.text.replace(one.name, one.name[:at] + letter + one.name[at + 1 :])


def another_unit(one: Sentence, rng: random.Random) -> str:
    return one.text.replace(
        one.number + ("" if one.chinese else " ") + one.units[0],
        one.number + ("" if one.chinese else " ") + one.units[1],
    )


@pytest.mark.parametrize(
    "mutate",
    [
        other_digit,
        digit_less_or_more,
        point_moved,
        negation_lost,
        negation_added,
        another_name,
        name_misspelt,
        another_unit,
    ],
)
def test_a_quote_that_says_something_else_is_refused(mutate: Callable[[Sentence, random.Random], str]):
    rng = random.Random(3)
    for one, source in PAIRS:
        changed = mutate(one, rng)
        assert changed != one.text
        assert locate(changed, source) is None, (changed, source)


def exact(text: str, rng: random.Random) -> str:
    return text


def spacing(text: str, rng: random.Random) -> str:
    spaces = ["  ", "\n", "\u00a0", "\u2009", "\t", " \u00ad"]
    return re.sub(" ", lambda _: rng.choice(spaces), text) if " " in text else re.sub("(，)", r"\1 ", text)


def punctuation(text: str, rng: random.Random) -> str:
    if rng.random() < 0.5:
        return f"“{text}”".translate(str.maketrans("，：", ",:"))
    return re.sub(r"(?<!\d)[,，:：]|[,，:：](?!\d)", " ", text) + "!"


def case(text: str, rng: random.Random) -> str:
    return rng.choice([str.upper, str.lower, str.title, str.swapcase, str.capitalize])(text)


def width(text: str, rng: random.Random) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def slip(text: str, rng: random.Random) -> str:
    """One letter more, less or other, or two swapped, in a word of small letters that is no negation or unit."""
    words = [
        m for m in re.finditer(r"(?<![\w'’])[a-z]{4,}(?![\w'’])", text) if m[0] not in ("cannot", "never", "without")
    ]
    words = [m for m in words if not re.search(r"\d\s$", text[: m.start()])]
    if not words:
        return text
    word = rng.choice(words)
    at = rng.randrange(len(word[0]) - 1)
    made = word[0]
    match rng.randrange(4):
        case 0:
            made = made[:at] + rng.choice("abcdefghijklmnopqrstuvwxyz") + made[at:]
        case 1:
            made = made[:at] + made[at + 1 :]
        case 2:
            made = made[:at] + rng.choice("abcdefghijklmnopqrstuvwxyz") + made[at + 1 :]
        case _:
            made = made[:at] + made[at + 1] + made[at] + made[at + 2 :]
    return text[: word.start()] + made + text[word.end() :]


def all_at_once(text: str, rng: random.Random) -> str:
    return spacing(punctuation(slip(text, rng), rng), rng)


@pytest.mark.parametrize("change", [exact, spacing, punctuation, case, width, slip, all_at_once])
def test_a_quote_that_says_the_same_is_found_where_it_stands(change: Callable[[str, random.Random], str]):
    rng = random.Random(7)
    lost = []
    for one, source in PAIRS:
        changed = change(one.text, rng)
        span = locate(changed, source)
        if span is None:
            lost.append((changed, one.text))
            continue
        found = re.sub(r"<[^>]+>|[\W_]", "", source[span.start : span.end])
        assert found == re.sub(r"[\W_]", "", one.text), (changed, found)
    assert len(lost) <= len(PAIRS) // 100, lost
