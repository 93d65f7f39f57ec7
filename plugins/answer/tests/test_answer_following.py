"""Behind a step or a reason only what goes on with it is quoted."""

from __future__ import annotations

import pytest

from qx.backend import Document
from qx_answer.following import goes_on


@pytest.mark.parametrize(
    ("before", "sentence", "so"),
    [
        ("Hold the button for ten seconds.", "Then let go.", True),
        ("Hold the button for ten seconds.", "The button lights up.", True),
        ("Hold the button for ten seconds.", "Wait until the lamp goes off.", True),
        ("A lost card is paid for.", "The reading group meets on Mondays.", False),
        ("先关电源。", "再打开后盖取纸。", True),
        ("拔下插头。", "等待五分钟。", True),
        ("遗失图书按原价赔偿。", "负责人是陈玉兰。", False),
    ],
)
def test_what_goes_on(before: str, sentence: str, so: bool) -> None:
    assert goes_on(sentence, before) is so


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("弄丢了书怎么办？", "遗失图书按原价赔偿。负责人是陈玉兰。", "遗失图书按原价赔偿。[1]"),
        (
            "How do I reset the router?",
            "To reset the router, hold the button. Then wait a minute. The office is on the second floor.",
            "To reset the router, hold the button. [1]\nThen wait a minute. [1]",
        ),
    ],
)
async def test_what_does_not_is_left_out(opened, question: str, text: str, answer: str) -> None:
    async with opened((Document(id="a", title="Router, 图书", text=text),)) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.answer == answer
