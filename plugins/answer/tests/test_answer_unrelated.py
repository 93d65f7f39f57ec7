"""Where nobody judges, a sentence that speaks of nothing around its quotation is no answer, and a reader is told the rest."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import Any

import pytest

from qx.backend import Document
from qx.errors import Unavailable
from qx.testing import ScriptedLLM
from qx_answer.events import Warning
from qx_answer.telling import told

CORPUS = (
    Document(id="sauna", title="The sauna", text="The sauna may be used from the age of 16. A towel is compulsory."),
    Document(id="deep", title="深水区", text="进入深水区须持深水合格证。合格证有效期为三年。"),
)
CASES = [
    ("From what age may the sauna be used?", "sauna", "A towel is compulsory.", "The mayor of Paris owns it.", "You go from 16 on.", "from the age of 16"),
    ("进入深水区须持什么？", "deep", "合格证有效期为三年。", "巴黎市长拥有这座城堡。", "去深水区要有合格证。", "进入深水区须持深水合格证"),
]  # fmt: skip


def writer(*claims: dict[str, str], judge: Any = None) -> ScriptedLLM:
    def say(request: Any) -> Any:
        properties = (request.schema or {}).get("properties", {})
        if "claims" in properties:
            return json.dumps({"claims": claims}, ensure_ascii=False)
        if "parts" in properties or "next" in properties:
            return "{}"
        return judge or "no label"

    return ScriptedLLM(say)


@pytest.mark.parametrize("settings", [{}, {"judge": {"type": "off"}}], ids=["the judge fails", "off"])
@pytest.mark.parametrize(("question", "id_", "quote", "lie", "true", "its"), CASES)
async def test_what_has_nothing_to_do_with_its_quotation_is_left_out(
    opened, question, id_, quote, lie, true, its, settings
):
    llm = writer(
        {"statement": lie, "source_id": id_, "quote": quote}, {"statement": true, "source_id": id_, "quote": its}
    )
    async with (
        opened(CORPUS, llm, answer=settings) as engine,
        aclosing(engine.call("answer", {"question": question})) as found,
    ):
        events = [event async for event in found]
    done = events[-1]
    assert [claim.statement for claim in done.claims] == [true]
    assert lie not in done.answer
    assert any(isinstance(event, Warning) and lie in event.text for event in events)
    assert ("nobody judged" if done.answer.isascii() else "没有人判断") in told(done)


async def test_a_sentence_in_another_language_is_left(opened):
    claim = {"statement": "十六岁起可以使用桑拿房。", "source_id": "sauna", "quote": "from the age of 16"}
    async with opened(CORPUS, writer(claim), answer={"judge": {"type": "off"}}) as engine:
        done = await engine.result("answer", {"question": "From what age can I go to the sauna?"})
    assert [one.statement for one in done.claims] == [claim["statement"]]


@pytest.mark.parametrize(("question", "id_", "quote", "lie", "true", "its"), CASES)
async def test_quotations_need_no_such_word(opened, question, id_, quote, lie, true, its):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims
    assert "judged" not in told(done)
    assert "判断" not in told(done)


async def test_where_all_are_left_out_the_best_sentences_are_quoted(opened):
    question, id_, quote, lie, *_ = CASES[0]
    async with opened(CORPUS, writer({"statement": lie, "source_id": id_, "quote": quote})) as engine:
        done = await engine.result("answer", {"question": question})
    assert [claim.verdict for claim in done.claims] == ["verified"]
    assert "age of 16" in done.answer


async def test_a_model_that_is_down_says_nothing_of_judging(opened):
    async with opened(CORPUS, ScriptedLLM(lambda request: Unavailable("down"))) as engine:
        done = await engine.result("answer", {"question": CASES[0][0]})
    assert "nobody judged" not in told(done)
