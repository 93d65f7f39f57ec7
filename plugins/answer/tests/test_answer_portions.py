"""Fractions, discounts and bounds written otherwise, and statements with their markers."""

from __future__ import annotations

import pytest

from qx_answer.claims import Claim, Source
from qx_answer.verifier import verify


@pytest.mark.parametrize(
    ("statement", "quote", "verdict"),
    [
        ("Its capital is Lindholm [1].", "Its capital is Lindholm.", "verified"),
        ("首都是林霍姆【2】。", "首都是林霍姆。", "verified"),
        ("See [1] for it.", "See [1] for it.", "verified"),
        ("It has 3 members [4].", "It has 4 members.", "contradicted"),
        ("[1]", "Its capital is Lindholm.", "unsupported"),
        ("The quorum is 1/3 of them.", "The quorum is one third of them.", "quote-only"),
        ("The quorum is 2/3 of them.", "The quorum is one third of them.", "contradicted"),
        ("75% of them agree.", "Three quarters of them agree.", "quote-only"),
        ("法定人数为三分之二。", "法定人数为2/3。", "quote-only"),
        ("法定人数为1/3。", "法定人数为三分之二。", "contradicted"),
        ("学生打9折。", "学生凭证件打九折。", "quote-only"),
        ("会员打85折。", "会员打八五折。", "quote-only"),
        ("会员打8折。", "会员打九折。", "contradicted"),
        ("Guests stay no more than three nights.", "Guests stay for at most three nights.", "quote-only"),
        ("Guests stay no more than three nights.", "Guests stay more than three nights.", "contradicted"),
        ("Bring no fewer than two ropes.", "Bring at most two ropes.", "contradicted"),
        ("The trail is not longer than 5 km.", "The trail is longer than 5 km.", "contradicted"),
        ("至少保温12小时。", "最长保温12小时。", "contradicted"),
        ("最多保温12小时。", "最长保温12小时。", "quote-only"),
        ("年龄至少12岁。", "最低年龄12岁。", "quote-only"),
    ],
)
async def test_what_is_written_otherwise_is_compared(statement: str, quote: str, verdict: str) -> None:
    checked = await verify([Claim(statement=statement, source_id="a", quote=quote)], [Source(id="a", text=quote)])
    assert checked.claims[0].verdict == verdict
