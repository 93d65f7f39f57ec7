"""The structured-output ladder: every form that a model's answer takes, and text that is no answer at all."""

from __future__ import annotations

import json
import time
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from qx.repair import parse_object, parse_queries
from qx.repair.ladder import MOST


def texts(answer: str) -> list[str] | None:
    value = parse_queries(answer).value
    return None if value is None else [draft.text for draft in value]


FORMS: list[tuple[str, str, list[str], str]] = [
    ("plain JSON", '{"queries": ["python asyncio", "协程 教程"]}', ["python asyncio", "协程 教程"], "json"),
    ("plain list", '["a b", "c d"]', ["a b", "c d"], "json"),
    ("fenced", '```json\n{"queries": ["a b", "c d"]}\n```', ["a b", "c d"], "fences"),
    ("fenced, capital letters", '```JSON\n["a b"]\n```', ["a b"], "fences"),
    ("fenced with tildes", '~~~\n["a b"]\n~~~', ["a b"], "fences"),
    ("fenced, no line breaks", '```json ["a b", "c d"]```', ["a b", "c d"], "fences"),
    ("fence never closed", '```json\n{"queries": ["a b"]}', ["a b"], "fences"),
    ("fenced lines", "```\npython asyncio\n协程 教程\n```", ["python asyncio", "协程 教程"], "lines"),
    ("prose around a fence", 'Sure!\n```json\n["a b"]\n```\nI hope it helps.', ["a b"], "fences"),
    ("prose before and after", 'Here it is: {"queries": ["a b"]} Let me know!', ["a b"], "preamble"),
    ("Chinese prose around", '好的，以下是查询：{"queries": ["降噪 耳机"]}希望对您有帮助。', ["降噪 耳机"], "preamble"),
    ("brackets in the prose", 'As [1] says: {"queries": ["a b"]}', ["a b"], "preamble"),
    ("open bracket in the prose", 'The list [as asked {"queries": ["a b"]}', ["a b"], "preamble"),
    ("format repeated first", 'Format: {"queries": ["..."]}\nAnswer: {"queries": ["a b"]}', ["a b"], "preamble"),
    ("think closed", '<think>[1] hm: "x"</think>{"queries": ["a b"]}', ["a b"], "think"),
    ("think closed, fenced", '<think>hm</think>\n```json\n["a b"]\n```', ["a b"], "fences"),
    ("think closed twice", '<think>x</think><think>y</think>["a b"]', ["a b"], "think"),
    ("think unclosed", '<think>First I consider. {"queries": ["a b"]}', ["a b"], "think"),
    ("think unclosed, last JSON", '<think>maybe ["x y"], better: ["a b"]', ["a b"], "think"),
    ("think unopened", 'hm, ["no no"] is weak</think>\n{"queries": ["a b"]}', ["a b"], "think"),
    ("JSON inside think", '<think>So: {"queries": ["a b"]}</think>', ["a b"], "think"),
    ("JSON inside think, lines after", '<think>["draft one"]</think>\n1. a b\n2. c d', ["a b", "c d"], "lines"),
    ("JSON inside think, prose after", '<think>["a b"]</think>\nDone, see the list.', ["a b"], "think"),
    ("other tag", '<Thinking>hm</Thinking>["a b"]', ["a b"], "think"),
    ("a query about the tag", '{"queries": ["html <think> tag"]}', ["html <think> tag"], "json"),
    ("single quotes", "{'queries': ['a b', 'c d']}", ["a b", "c d"], "repair"),
    ("Python list", "['men's shirt', \"don't\", 'c d']", ["men's shirt", "don't", "c d"], "repair"),
    ("Python literals", "{'queries': ['a b'], 'more': None, 'ok': True}", ["a b"], "repair"),
    ("Python tuple", "('a b', 'c d')", ["a b", "c d"], "repair"),
    ("assignment", 'queries = ["a b", "c d"]', ["a b", "c d"], "preamble"),
    ("trailing comma", '{"queries": ["a b", "c d",],}', ["a b", "c d"], "repair"),
    ("missing comma", '["a b" "c d"\n"e f"]', ["a b", "c d", "e f"], "repair"),
    ("missing colon", '{"queries" ["a b"]}', ["a b"], "repair"),
    ("comment", '{"queries": ["a b", // first\n "c d" /* second */]}', ["a b", "c d"], "repair"),
    ("ellipsis", '["a b", "c d", ...]', ["a b", "c d"], "repair"),
    ("unquoted", "{queries: [a b, 降噪 耳机]}", ["a b", "降噪 耳机"], "repair"),
    ("bracket missing", '"a b",\n"c d"\n]', ["a b", "c d"], "repair"),
    ("wrong bracket", '{"queries": ["a b", "c d"}', ["a b", "c d"], "repair"),
    ("full width", "｛“queries”：［“降噪耳机”］｝", ["降噪耳机"], "repair"),
    ("full width, several", "｛“queries”：［“降噪，耳机”，“价格：便宜”］｝", ["降噪，耳机", "价格：便宜"], "repair"),
    ("smart quotes", '{“queries”: [“a b”, "c d"]}', ["a b", "c d"], "repair"),
    ("inner quotes", '["暗含的"小气"二字"]', ['暗含的"小气"二字'], "repair"),
    ("inner quotes at the end", '["意思是"小气"", "大方"]', ['意思是"小气"', "大方"], "repair"),
    ("inner quotes, comma", '["say "hi", then go", "27" monitor"]', ['say "hi", then go', '27" monitor'], "repair"),
    ("line break in a string", '{"queries": ["a\nb"]}', ["a b"], "json"),
    ("one string", '{"queries": "one string"}', ["one string"], "json"),
    ("one string of lines", '{"queries": "1. a b\\n2. c d"}', ["a b", "c d"], "json"),
    ("a list inside a string", '{"queries": "[\\"a b\\", \\"c d\\"]"}', ["a b", "c d"], "json"),
    ("JSON as a string", json.dumps('{"queries": ["a b"]}'), ["a b"], "json"),
    ("list of objects", '[{"text": "a b", "strategy": "refine"}, {"query": "c d"}]', ["a b", "c d"], "json"),
    ("one object a line", '{"text": "a b"}\n{"text": "c d"}', ["a b", "c d"], "preamble"),
    ("list of lists", '[["a b"], ["c d", "e f"]]', ["a b", "c d", "e f"], "json"),
    ("numbers among strings", '["a b", 3, null]', ["a b"], "json"),
    ("wrapper result", '{"result": {"queries": ["a b"]}}', ["a b"], "json"),
    ("wrapper data", '{"data": [{"text": "a b"}]}', ["a b"], "json"),
    ("wrapper answer, string", '{"answer": "[\\"a b\\"]"}', ["a b"], "json"),
    ("wrapper answer, lines", '{"answer": "1. a b\\n2. c d"}', ["a b", "c d"], "json"),
    ("wrapper in wrapper", '{"response": {"data": {"queries": ["a b"]}}}', ["a b"], "json"),
    ("the query repeated", '{"query": "x y", "expansions": ["a b"]}', ["a b"], "json"),
    ("Chinese keys", '{"查询": ["a b"]}', ["a b"], "json"),
    ("numbered keys", '{"query1": "a b", "query2": "c d"}', ["a b", "c d"], "json"),
    ("numbering in strings", '["1. python 3.11", "2. c d"]', ["python 3.11", "c d"], "json"),
    ("no numbering in strings", '["3.11 asyncio", "2. c d"]', ["3.11 asyncio", "2. c d"], "json"),
    ("emphasis", '["**a** b", "*c* d", "`e` f", "这是**重点**内容"]', ["a b", "c d", "e f", "这是重点内容"], "json"),
    ("not emphasis", '["*.py", "__init__", "2**3**4", "*args **kw", "_id_"]', ["*.py", "__init__", "2**3**4", "*args **kw", "_id_"], "json"),
    ("numbered", "1. python 3.11 asyncio\n2. python asyncio", ["python 3.11 asyncio", "python asyncio"], "lines"),
    ("numbered after an introduction", "Here are 3 alternatives:\n1. a b\n\n2. c d\n3. e f", ["a b", "c d", "e f"], "lines"),
    ("numbered, Chinese", "以下是查询：\n1、降噪耳机\n２．蓝牙 耳机\n（3）头戴式", ["降噪耳机", "蓝牙 耳机", "头戴式"], "lines"),
    ("numbered, circles", "① 降噪耳机\n② 蓝牙耳机", ["降噪耳机", "蓝牙耳机"], "lines"),
    ("numbered, no blank", "1.降噪耳机\n2.蓝牙耳机", ["降噪耳机", "蓝牙耳机"], "lines"),
    ("numbered version", "1. 3.11 asyncio\n2. node 20", ["3.11 asyncio", "node 20"], "lines"),
    ("bulleted", "Sure:\n- a b\n* c d\n• e f", ["a b", "c d", "e f"], "lines"),
    ("bulleted and numbered", "- 1. a b\n- 2. c d", ["a b", "c d"], "lines"),
    ("bulleted emphasis", "- **a b**\n- __c d__", ["a b", "c d"], "lines"),
    ("emphasised number", "**1. a b**\n**2.** c d", ["a b", "c d"], "lines"),
    ("named lines", "Query 1: a b\n查询2：c d", ["a b", "c d"], "lines"),
    ("quoted items", '1. "a b"\n2. "c d"', ["a b", "c d"], "lines"),
    ("a phrase among the items", '1. "a b"\n2. "c d" tutorial', ['"a b"', '"c d" tutorial'], "lines"),
    ("bare lines", "以下是查询：\n\npython asyncio\n\n协程 教程\n", ["python asyncio", "协程 教程"], "lines"),
    ("bare version", "3.11 asyncio\npython asyncio", ["3.11 asyncio", "python asyncio"], "lines"),
    ("exclusion is not a bullet", "-white shirt\nshirt -white", ["-white shirt", "shirt -white"], "lines"),
    ("YAML", "queries:\n  - a b\n  - c d", ["a b", "c d"], "lines"),
    ("lone surrogates", '{"queries": ["a\ud800 b", "\\ud800c d"]}', ["a b", "c d"], "json"),
    ("broken UTF-8", '{"queries": ["降噪\ufffd\ufffd机", "a b"]}', ["a b"], "json"),
    ("null characters", '{"queries": ["a\x00 b"]}\x00', ["a b"], "preamble"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "expected", "rung"), [f[1:] for f in FORMS], ids=[f[0] for f in FORMS])
def test_each_form_of_an_answer_is_read(answer: str, expected: list[str], rung: str) -> None:
    parsed = parse_queries(answer)
    assert [draft.text for draft in parsed.value or []] == expected
    assert parsed.rung == rung


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "  \n\t\n",
        '{"queries": null}',
        '{"queries": []}',
        '{"queries": ["", "  ", "***"]}',
        '{"queries": 5}',
        "null",
        "5",
        "{}",
        "[[[]]]",
        '{"intent": ["how-to"], "entities": [{"type": "thing"}]}',
        "Here are 3 alternatives:",
        "以下是查询：",
        "I'm sorry, I cannot help with that.",
        "抱歉，我无法回答这个问题。",
        '{"answer": "Sorry, I cannot do that."}',
        "<think>The user wants 1. cheap shoes\n2. red shoes",
        "<think>",
        "```",
        "```json\n",
        '{"queries": ["降噪\ufffd机"]}',
        "[" * 5000,
        '{"a":' * 5000,
        "---\n***\n===",
    ],
)
def test_what_holds_no_query_gives_none_and_says_why(answer: str) -> None:
    parsed = parse_queries(answer)
    assert parsed.value is None
    assert parsed.rung == "none"
    assert parsed.error
    assert "queries" in parsed.error


def test_a_draft_keeps_what_the_model_said_of_it() -> None:
    answer = '{"queries": [{"text": "a b", "strategy": "refine", "target": "web", "reason": "price"}, {"text": "c", "target": "moon"}]}'
    first, second = parse_queries(answer).value or []
    assert (first.strategy, first.target, first.why) == ("refine", "web", "price")
    assert (second.strategy, second.target, second.why) == ("", "any", "")


def test_strategies_as_keys() -> None:
    drafts = parse_queries('{"queries": {"synonym": ["a", "b"], "refine": "c"}}').value or []
    assert [(d.text, d.strategy) for d in drafts] == [("a", "synonym"), ("b", "synonym"), ("c", "refine")]


DOCUMENTS = [
    ('{"queries": ["python asyncio", "协程 教程", "event loop 3.11"]}', ["python asyncio", "协程 教程", "event loop 3.11"]),
    ('```json\n["red shoes", "blue \\"suede\\" shoes"]\n```', ["red shoes", 'blue "suede" shoes']),
    ('Here you are:\n{"queries": [{"why": "x", "text": "red shoes"}, {"text": "blue hats", "why": "y"}]}\nDone.', ["red shoes", "blue hats"]),
    ('<think>maybe shoes</think>{"result": {"queries": ["red shoes", "blue hats"]}, "n": 12}', ["red shoes", "blue hats"]),
    ("｛“queries”：［“降噪耳机”，“蓝牙 音箱”］｝", ["降噪耳机", "蓝牙 音箱"]),
    ("{'queries': ['red shoes', 'blue hats',]}", ["red shoes", "blue hats"]),
]  # fmt: skip


@pytest.mark.parametrize(("document", "whole"), DOCUMENTS)
def test_truncated_anywhere_no_half_query_counts_as_whole(document: str, whole: list[str]) -> None:
    seen: set[int] = set()
    for end in range(len(document) + 1):
        read = texts(document[:end]) or []
        assert read == whole[: len(read)], document[:end]
        seen.add(len(read))
    assert seen == set(range(len(whole) + 1))


def test_a_cut_answer_says_so() -> None:
    assert parse_queries('{"queries": ["a b", "c').cut
    assert not parse_queries('{"queries": ["a b"]}').cut


HUGE = {
    "prose": "word " * 400_000,
    "one string": '{"queries": ["' + "a " * 1_000_000,
    "quotes": '["' * 1_000_000,
    "brackets": "[" * 2_000_000,
    "nested": '{"a":' * 400_000,
    "think": "<think>" * 300_000,
    "fences": "```\n" * 500_000,
    "stars": "**a" * 700_000,
    "blank": '["a",' + " " * 2_000_000,
    "lines": "\n" * 2_000_000,
    "braces": '{ "a' * 500_000,
    "comments": "[/*" * 700_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_two_megabytes_take_bounded_time(name: str) -> None:
    started = time.process_time()
    parse_queries(HUGE[name])
    assert time.process_time() - started < 5  # quadratic reading would take minutes


def test_an_answer_at_either_end_of_a_long_text_is_found() -> None:
    answer = '{"queries": ["a b"]}'
    filler = "so it goes. " * 170_000
    assert texts(filler + answer) == ["a b"]
    assert texts(answer + filler) == ["a b"]
    assert texts(f"<think>{filler}</think>{answer}") == ["a b"]


def test_two_megabytes_of_valid_json_are_read() -> None:
    queries = [f"query number {n}" for n in range(90_000)]
    parsed = parse_queries(json.dumps({"queries": queries}))
    assert [draft.text for draft in parsed.value or []] == queries[:MOST]
    assert parsed.error is not None
    assert str(MOST) in parsed.error


PIECES = st.sampled_from(
    [*["{", "}", "[", "]", '"', "'", "“", "”", ",", "，", ":", "：", "\\", "\n", "```", "<think>", "</think>", "queries", "a b"],
     *["｛", "｝", "［", "］", "1. ", "- ", "**", "3.11", "小气", "null", "//", "/*", "\ud800", "\ufffd", "(", ")", "text", " "]]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)))
def test_no_text_raises(text: str) -> None:
    parsed = parse_queries(text)
    assert (parsed.value is None) == (parsed.rung == "none") == (parsed.error is not None)
    for draft in parsed.value or []:
        assert draft.text.strip() == draft.text != ""
        draft.text.encode()  # no lone surrogates
    parse_object(text, Reading)


WORDS = st.text(alphabet="abcXYZ019 .-+#，。：\"'“”小气的[]{}<>/\\", min_size=1, max_size=20)


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=6))
def test_a_list_of_strings_comes_back(items: list[str]) -> None:
    expected = [" ".join(item.split()) for item in items if any(c.isalnum() for c in item)]
    numbered = all(item.strip()[:1].isdigit() for item in items)
    for answer in (json.dumps(items), json.dumps({"queries": items}, ensure_ascii=False)):
        if not numbered:
            assert texts(answer) == (expected or None)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(alphabet="ab 小气0", min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=5), st.data()
)
def test_a_cut_list_gives_its_first_items(items: list[str], data: st.DataObject) -> None:
    answer = json.dumps({"queries": items}, ensure_ascii=False)
    read = texts(answer[: data.draw(st.integers(0, len(answer)))]) or []
    assert read == [" ".join(item.split()) for item in items][: len(read)]


class Thing(BaseModel):
    model_config = ConfigDict(extra="ignore")
    text: str
    type: str = "thing"


class Reading(BaseModel):
    model_config = ConfigDict(extra="ignore")
    intent: list[str] = Field(min_length=1)
    entities: list[Thing] = []
    mood: Literal["calm", "angry"] = "calm"


@pytest.mark.parametrize(
    ("answer", "rung"),
    [
        ('{"intent": ["how-to"], "entities": [{"text": "电脑"}]}', "json"),
        ('```json\n{"intent": ["how-to"], "entities": [{"text": "电脑"}]}\n```', "fences"),
        ('<think>hm {"intent": ["how-to"], "entities": [{"text": "电脑"}]}', "think"),
        ('Sure: {"intent": ["how-to"], "entities": [{"text": "电脑"}]}.', "preamble"),
        ("{'intent': ['how-to'], 'entities': [{'text': '电脑'},]}", "repair"),
        ("｛“intent”：［“how-to”］，“entities”：［｛“text”：“电脑”｝］｝", "repair"),
        ('{"result": {"intent": ["how-to"], "entities": [{"text": "电脑"}]}}', "json"),
        ('{"analysis": {"intent": ["how-to"], "entities": [{"text": "电脑"}]}}', "json"),
        ('[{"intent": ["how-to"], "entities": [{"text": "电脑"}]}]', "json"),
        ('{"answer": "{\\"intent\\": [\\"how-to\\"], \\"entities\\": [{\\"text\\": \\"电脑\\"}]}"}', "json"),
        ('{"intent": ["how-to"], "entities": [{"text": "电脑"}, {"text": "开', "repair"),
    ],
)
def test_an_object_is_read(answer: str, rung: str) -> None:
    parsed = parse_object(answer, Reading)
    assert parsed.value == Reading(intent=["how-to"], entities=[Thing(text="电脑")])
    assert parsed.rung == rung


def test_a_wrong_member_is_left_out_and_named() -> None:
    parsed = parse_object('{"intent": ["a"], "mood": "hungry", "entities": [{"text": "x"}, {"type": "y"}]}', Reading)
    assert parsed.value == Reading(intent=["a"], entities=[Thing(text="x")])
    assert parsed.rung == "repair"
    assert parsed.error is not None
    assert "mood" in parsed.error
    assert "entities.1.text" in parsed.error
    assert "hungry" not in parsed.error  # the values may be the user's


@pytest.mark.parametrize(
    "answer", ["", "no idea", "[]", "{}", '{"intent": []}', '{"intent": "how-to"}', '{"mood": "calm"}']
)
def test_an_object_that_cannot_be_read_says_why(answer: str) -> None:
    parsed = parse_object(answer, Reading)
    assert parsed.value is None
    assert parsed.rung == "none"
    assert parsed.error


def test_no_part_of_the_text_stands_in_the_error() -> None:
    parsed = parse_object('{"intent": 5, "entities": "secret-canary"}', Reading)
    assert parsed.error is not None
    assert "intent" in parsed.error
    assert "canary" not in parsed.error


MISQUOTED = [
    ('{"a b", "c d"}', ["a b", "c d"]),
    ('{queries": ["a b", "c d"]}', ["a b", "c d"]),
    ('{"queries: ["a b", "c d"]}', ["a b", "c d"]),
    ('{"queries": [a b", "c d"]}', ["a b", "c d"]),
    ('["a b, "c d"]', ["a b,", "c d"]),
    ('{queries": ["a b", "c', ["a b"]),
    ('[: ["a b", x": "c" ,"', None),
]


@pytest.mark.parametrize(("answer", "expected"), MISQUOTED)
def test_a_misplaced_quote_never_glues_two_queries_together(answer: str, expected: list[str] | None) -> None:
    assert texts(answer) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Sure! The reply is forty-two.", "no JSON object found"),
        ("当然，密码是十四位。", "no JSON object found"),
        (" \n", "the answer is empty"),
        ("", "the answer is empty"),
    ],
)
def test_prose_is_not_said_to_be_empty(text: str, why: str):
    class Reply(BaseModel):
        said: str

    assert why in (parse_object(text, Reply).error or "")
