"""A new wording says nothing that the text after it says already, and no word is cut in two."""

from __future__ import annotations

import pytest

from qx.steps.strategies.substitution import Place, substitute
from qx.text.segment import Segmenter


@pytest.mark.parametrize(
    ("text", "old", "new", "made"),
    [
        ("到现在还没发货", "还没发", "未发货", "到现在未发货"),
        ("到現在還沒發貨", "還沒發", "未发货", "到現在未发货"),
        ("想退货款", "退货", "退款", "想退款"),
        ("手机壳推荐", "手机", "智能手机", "智能手机壳推荐"),
        ("laptop bag", "laptop", "notebook", "notebook bag"),
    ],
)
def test_the_end_of_a_wording_is_not_said_twice(text: str, old: str, new: str, made: str):
    start = text.index(old)
    assert substitute(text, [(Place(start=start, end=start + len(old), key=old), new)]) == made


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("苹果充电线老是断", "老是"),
        ("蘋果充電線老是斷", "老是"),
        ("退货运费谁出", "退货运费"),
        ("退貨運費誰出", "退貨運費"),
    ],
)
def test_words_stay_whole(text: str, word: str):
    assert word in [w.text for w in Segmenter().words(text)]
