"""Personal data: found by shape and check digits, masked and put back."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text.redact import Sensitive, find, mask, mask_messages, unmask

FOUND = [
    ("邮箱 a.b@example.com 谢谢", "EMAIL", "a.b@example.com"),
    ("手机13812345678打不通", "PHONE", "13812345678"),
    ("call +86 138-1234-5678", "PHONE", "+86 138-1234-5678"),
    ("+44 20 7946 0958", "PHONE", "+44 20 7946 0958"),
    ("(415) 555-2671 ext", "PHONE", "(415) 555-2671"),
    ("座机010-62345678", "PHONE", "010-62345678"),
    ("卡号4111 1111 1111 1111被盗刷", "CARD", "4111 1111 1111 1111"),
    ("身份证11010519491231002X丢了", "ID", "11010519491231002X"),
    ("IBAN GB82 WEST 1234 5698 7654 32", "IBAN", "GB82 WEST 1234 5698 7654 32"),
]


@pytest.mark.parametrize(("text", "kind", "item"), FOUND)
def test_found(text: str, kind: str, item: str) -> None:
    assert [(s.kind, s.text) for s in find(text)] == [(kind, item)]
    (found,) = find(text)
    assert text[found.start : found.end] == item


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112",  # Luhn fails
        "110105194912310021",  # identity check digit fails, Luhn too
        "GB83 WEST 1234 5698 7654 32",
        "预算2000到3000元",
        "订单号 20240501",
        "0000000000000000",
        "python 3.11.4",
        "192.168.0.1",
        "twitter @someone",
        "1998-2024",
        "DEC-0054",
    ],
)
def test_other_numbers_stay(text: str) -> None:
    assert find(text) == ()


def test_mask_and_unmask() -> None:
    text = "a@x.org 和 b@x.org 和 a@x.org，电话13812345678"
    masked, mapping = mask(text)
    assert masked == "<EMAIL_1> 和 <EMAIL_2> 和 <EMAIL_1>，电话<PHONE_1>"
    assert mapping == {"<EMAIL_1>": "a@x.org", "<EMAIL_2>": "b@x.org", "<PHONE_1>": "13812345678"}
    assert unmask(masked, mapping) == text
    assert unmask("回拨<PHONE_1>，不是<PHONE_2>", mapping) == "回拨13812345678，不是<PHONE_2>"


def test_a_placeholder_in_the_text_itself_is_not_taken() -> None:
    text = "<EMAIL_1> is not a@x.org"
    masked, mapping = mask(text)
    assert masked == "<EMAIL_1> is not <EMAIL_2>"
    assert unmask(masked, mapping) == text


@given(
    st.lists(st.sampled_from([t for t, _, _ in FOUND] + ["<EMAIL_1>", " ", "1", "<PHONE_2>", "x"]), max_size=6).map(
        "".join
    )
    | st.text()
)
@settings(max_examples=100, deadline=None)
def test_every_text_comes_back(text: str) -> None:
    masked, mapping = mask(text)
    assert unmask(masked, mapping) == text
    assert not any(original in masked.replace("<", " ").split() for original in mapping.values())


def _orders(text: str) -> list[Sensitive]:
    return [
        Sensitive(kind="ORDER_NUMBER", start=m.start(1), end=m.end(1), text=m[1])
        for m in re.finditer(r"(?:order|订单号)\s?(\d{4,})", text)
    ]


def test_what_a_caller_s_finder_finds_is_masked_wherever_it_stands() -> None:
    texts = ['{"query": "订单号 20261103 没到", "entities": ["20261103", "202611039"]}', "order 4711, mail a@b.example"]
    masked, names = mask_messages(texts, _orders)
    assert json.loads(masked[0]) == {
        "query": "订单号 <ORDER_NUMBER_1> 没到",
        "entities": ["<ORDER_NUMBER_1>", "202611039"],
    }
    assert masked[1] == "order <ORDER_NUMBER_2>, mail <EMAIL_1>"
    assert unmask(masked[1], names) == texts[1]


def test_a_placeholder_that_nobody_gave_out_stays() -> None:
    masked, names = mask_messages(["<ORDER_NUMBER_1> and order 4711"], _orders)
    assert masked == ("<ORDER_NUMBER_1> and order <ORDER_NUMBER_2>",)
    assert unmask(masked[0], names) == "<ORDER_NUMBER_1> and order 4711"


@given(st.text(alphabet="order 订单号0123456789<>_", max_size=80))
@settings(max_examples=50, deadline=None)
def test_masking_with_a_finder_round_trips(text: str) -> None:
    masked, names = mask_messages([text], _orders)
    assert unmask(masked[0], names) == text or text != masked[0]
    assert not any(item.text in names.values() for item in _orders(masked[0]))
