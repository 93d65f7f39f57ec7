import json

import pytest

from engines import analysis, asked, engine, queries, stage
from qx import Query, Turn
from qx.domain import Knowledge
from qx.opening import gather_knowledge
from qx.plugins import Plugins
from qx.settings import Profile, Prompts
from qx.steps.prompt import PromptBook
from qx.testing import ScriptedLLM
from qx.text.tokens import estimate

INTENTS = ("factual", "troubleshooting", "how-to", "comparison", "recommendation", "research", "exploration")


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return gather_knowledge(Profile(), Plugins.load(allow=()))


def book(knowledge: Knowledge, slots: Prompts | None = None, **limits: int) -> PromptBook:
    return PromptBook(knowledge, slots or Prompts(), **({"examples": 2, "example_tokens": 600} | limits))


@pytest.mark.parametrize(("language", "sign"), [("zh", "查询"), ("zh-Hant", "查询"), ("en", "query"), ("ru", "query")])
@pytest.mark.parametrize("name", ["understand", "expand", "single"])
@pytest.mark.parametrize("variant", ["full", "lean", "reasoning"])
def test_instructions_are_in_the_querys_language(knowledge, language, sign, name, variant):
    prompt = book(knowledge).render(name, {"query": "苹果"}, language=language, count=8, variant=variant)
    system = prompt.messages[0].content
    assert sign in system
    assert ("查询" in system) == (sign == "查询")
    if name != "expand":
        assert all(intent in system for intent in INTENTS)
    assert prompt.messages[-1].content == '{"query": "苹果"}'


def test_the_nearest_examples_stand_last_and_in_the_same_language(knowledge):
    prompt = book(knowledge).render("understand", {"query": "怎么用 Python 读取 excel 表格"}, language="zh", count=8)
    shown = [json.loads(m.content)["query"] for m in prompt.messages[1:-1] if m.role == "user"]
    assert 1 <= len(shown) <= 2
    chinese = {e.text for e in knowledge.examples if e.language.startswith("zh")}
    assert set(shown) <= chinese
    answers = [json.loads(m.content) for m in prompt.messages if m.role == "assistant"]
    assert all(set(a["intent"]) <= set(INTENTS) for a in answers)
    english = book(knowledge).render("expand", {"query": "fix a login error"}, language="en", count=8)
    assert all(json.loads(m.content)["query"] not in chinese for m in english.messages[1:-1] if m.role == "user")


def test_examples_keep_within_their_tokens(knowledge):
    few = book(knowledge, examples=10, example_tokens=500).render("single", {"query": "x"}, language="en", count=8)
    assert 0 < few.tokens["examples"] <= 500
    none = book(knowledge, example_tokens=0).render("single", {"query": "x"}, language="en", count=8)
    assert [m.role for m in none.messages] == ["system", "user"]
    assert (
        book(knowledge).render("single", {"query": "x"}, language="en", count=8, variant="reasoning").tokens["examples"]
        == 0
    )


def test_a_lean_prompt_suits_a_small_model(knowledge):
    lean = book(knowledge, Prompts(variant="lean")).render("understand", {"query": "x"}, language="en", count=8)
    full = book(knowledge).render("understand", {"query": "x"}, language="en", count=8)
    assert lean.tokens["system"] < full.tokens["system"] / 2
    assert lean.tokens["system"] == estimate(lean.messages[0].content)


def test_slots_are_plain_text_never_templates(knowledge):
    slots = Prompts(
        role="You read {{ slots }} queries.", domain_notes="{% raw %}", extra_rules="{{ 7 * 7 }}", intent_hints="<b>"
    )
    system = book(knowledge, slots).render("single", {"query": "x"}, language="en", count=8).messages[0].content
    assert system.startswith("You read {{ slots }} queries.")
    for text in ("{% raw %}", "{{ 7 * 7 }}", "<b>"):
        assert text in system
    assert "49" not in system


async def test_a_model_that_thinks_is_not_bound_to_the_schema():
    thought = f"<think>the user wants {{'intent': ['research']}}</think>\n{analysis()}"
    llm = ScriptedLLM([thought, f"<think>hm</think>{queries('bicycle brake repair guide')}"])
    async with engine(llm, understand={"think": True}) as opened:
        expansion = await opened.expand("how to repair a bicycle brake")
    assert all(r.schema is None for r in llm.requests)
    assert "<think>" in llm.requests[0].messages[0].content
    assert expansion.understanding.intent == ("how-to",)
    assert expansion.degraded == ()
    assert "bicycle brake repair guide" in [q.text for q in expansion.queries]


async def test_the_conversation_is_data_of_the_last_message():
    llm = ScriptedLLM(lambda r: analysis() if stage(r) == "understand" else queries("cheaper linen shirts"))
    history = (Turn(role="user", content="linen shirts"), Turn(role="assistant", content="Here are some."))
    async with engine(llm) as opened:
        await opened.expand(Query(text="and cheaper ones?", history=history))
    assert asked(llm.requests[0])["conversation"] == [
        {"role": "user", "content": "linen shirts"},
        {"role": "assistant", "content": "Here are some."},
    ]


async def test_prompts_are_rendered_without_a_call():
    llm = ScriptedLLM([])
    async with engine(llm) as opened:
        first, second = opened.prompts("5000元以下的笔记本电脑")
    assert (first.step, second.step) == ("understand", "expand")
    assert first.tokens["query"] > 0
    assert llm.calls == 0
    async with engine(llm, understand={"mode": "llm-single"}) as opened:
        assert [p.step for p in opened.prompts("5000元以下的笔记本电脑")] == ["single"]
