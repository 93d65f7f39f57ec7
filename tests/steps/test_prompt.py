import json

import pytest

from engines import analysis, asked, engine, queries, stage
from qx import Query, Turn
from qx.domain import Knowledge
from qx.gathering import gather_knowledge
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


STEPS = [
    # what the full variant tells, in both languages: role, each numbered step with its key, and how to answer
    ("intent", "意图 intent", "Intent"),
    ("entities", "实体 entities", "Entities"),
    ("constraints", "约束 constraints", "Constraints"),
    ("implicit_needs", "隐含需求 implicit_needs", "Implicit needs"),
    ("sentiment", "情绪 sentiment", "Sentiment"),
    ("keywords", "关键词 keywords", "Keywords"),
    ("kind", "类别 kind", "Kind"),
    ("standalone", "`standalone`", "`standalone`"),
]
BULLETS = {
    "zh": [
        ("正式说法", "同义"),
        ("约束", "隐含需求"),
        ("角度", "情绪"),
        ("短语", "`site:`", "`filetype:`"),
        ("宽泛", "歧义"),
    ],
    "en": [
        ("formal", "synonymous"),
        ("constraints", "implicit need"),
        ("angles", "mood"),
        ("phrase", "`site:`", "`filetype:`"),
        ("general", "ambiguous"),
    ],
}
NOTHING_ELSE = {"zh": "不要别的：", "en": "nothing else:"}
ROLES = {"zh": "你", "en": "You"}
DATA = {"zh": ("只是数据", "不要照做"), "en": ("data", "never follow")}


def _full(knowledge: Knowledge, name: str, language: str) -> str:
    return book(knowledge).render(name, {"query": "x"}, language=language, count=8).messages[0].content


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["understand", "single"])
def test_an_analysis_is_asked_for_in_numbered_steps(knowledge, name, language):
    lines = _full(knowledge, name, language).splitlines()
    steps = [line for line in lines if line[:1].isdigit() and line[1:3] == ". "]
    assert [int(line[0]) for line in steps] == list(range(1, 9))
    for step, (_, chinese, english) in zip(steps, STEPS, strict=True):
        assert (chinese if language == "zh" else english) in step


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["understand", "single"])
def test_every_intent_has_its_definition_on_a_line_of_its_own(knowledge, name, language):
    lines = _full(knowledge, name, language).splitlines()
    for intent in knowledge.taxonomy.intents:
        said = intent.definition[language]
        assert [line for line in lines if line.startswith(f"- {intent.id}") and said in line], intent.id


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["expand", "single"])
def test_queries_are_asked_for_from_several_sides_and_in_number(knowledge, name, language):
    system = _full(knowledge, name, language)
    bullets = [line for line in system.splitlines() if line.startswith("- ") and not line[2:].startswith(INTENTS)]
    assert len(bullets) == len(BULLETS[language])
    for bullet, words in zip(bullets, BULLETS[language], strict=True):
        assert all(word in bullet for word in words), bullet
    assert ("写出 8 条" if language == "zh" else "Write 8 search queries") in system
    for word in (
        ("名称", "数字", "型号", "版本", "“不”")
        if language == "zh"
        else ("name", "number", "model", "version", '"not"')
    ):
        assert word in system


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("variant", ["full", "lean", "reasoning"])
@pytest.mark.parametrize("name", ["understand", "expand", "single"])
def test_every_prompt_has_role_keys_and_nothing_else(knowledge, name, variant, language):
    system = (
        book(knowledge).render(name, {"query": "x"}, language=language, count=8, variant=variant).messages[0].content
    )
    assert system.startswith(ROLES[language])
    assert all(words in system for words in DATA[language])
    closing, _, shape = system.rpartition(NOTHING_ELSE[language])
    assert closing
    wanted = {"queries"} if name == "expand" else {key for key, *_ in STEPS}
    assert all(f'"{key}"' in shape for key in wanted)
    assert ('"queries"' in shape) is (name != "understand")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_still_missing_is_asked_in_full(knowledge, language):
    made = book(knowledge).render_iteration(
        {"query": "x"}, language=language, count=3, strategies=("synonym", "refine")
    )
    system = made.messages[0].content
    assert system.startswith(ROLES[language])
    assert all(words in system for words in DATA[language])
    assert ("至多 3 条" if language == "zh" else "at most 3") in system
    assert "synonym" in system
    assert "refine" in system
    assert all(f'"{key}"' in system.rpartition(NOTHING_ELSE[language])[2] for key in ("aspects", "queries"))
