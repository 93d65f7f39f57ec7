"""The word lists: what is wrong in one is told with its file and line; another word for one never decides alone."""

from __future__ import annotations

import pytest

from qx.backend import Document
from qx.errors import PluginError
from qx_answer.listed import parsed, rows
from qx_answer.relevance import Question
from qx_answer.shares import JOINED, prepared


@pytest.mark.parametrize(
    ("lines", "columns", "said"),
    [
        (["# words", "dog, puppy", "cat, dog"], 1, "words.txt, line 3: 'dog' stands in line 2 already"),
        (["狗, 犬, 狗"], 1, "words.txt, line 1: '狗' stands in line 1 already"),
        (["", "cat,, kitten"], 1, "words.txt, line 2: no word between two commas"),
        (["open | closed", "always"], 2, "words.txt, line 2: 1 columns between |, where there are 2"),
    ],
)
def test_what_is_wrong_in_a_list_is_told_with_its_line(lines: list[str], columns: int, said: str):
    with pytest.raises(PluginError) as error:
        list(parsed(lines, "words.txt", columns=columns))
    assert said in str(error.value)


def test_no_word_of_the_concepts_stands_in_two_lines():
    assert len(list(rows("concepts"))) > 200


@pytest.mark.parametrize(
    ("question", "text", "has"),
    [
        ("Where is the fire alarm of the elevator?", "The lift is beside the stairs.", False),
        ("Is there an alarm in the elevator?", "The lift has an alarm.", True),
        ("Is there an alarm in the elevator?", "Please lift the cover.", False),
        ("电瓶车能停在楼道里吗？", "电动车很快。", False),
        ("电瓶车能停在楼道里吗？", "电动车不得停在楼道里。", True),
        ("How many days of annual leave are there?", "每年享有十二天带薪年假。", True),
    ],
)
def test_another_word_counts_only_beside_a_word_of_the_question(question: str, text: str, has: bool):
    asked = Question(question, [prepared(text)])
    assert (JOINED in asked.shares(prepared(text))) is has


def test_a_name_of_the_question_in_the_title_backs_it():
    asked = Question("When is dinner at Fernhill Hut?", [])
    text, title = prepared("Supper is served at 7 pm."), asked.shares(prepared("Fernhill Hut"))
    assert JOINED not in asked.shares(text)
    assert JOINED in asked.shares(text, title)
    assert JOINED not in asked.shares(text, asked.shares(prepared("Lowdale Hut")))


@pytest.mark.parametrize(
    ("question", "own", "other"),
    [
        ("Where can I park my bicycle?", "You can park a bicycle at the gate.", "You can park a bike in the yard."),
        ("哪里可以停自行车？", "自行车可以停在大门口。", "单车可以停在院子里。"),
    ],
)
async def test_what_has_the_questions_own_words_comes_first(opened, question: str, own: str, other: str):
    async with opened([Document(id="b", title="", text=other), Document(id="a", title="", text=own)]) as engine:
        done = await engine.result("answer", {"question": question})
    assert next(claim.quote for claim in done.claims) == own


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much does a faucet cost?", "Tap the screen to see how much it costs."),
        ("How do I renew my passport?", "How to replace the filter: pull it out and put in a new one."),
        ("What does an apartment cost?", "A flat tyre costs 20 euros."),
        ("What is the admission fee?", "A return ticket costs 14 euros."),
        ("水龙头多少钱？", "Tap the screen: it costs 20 euros."),
        ("首都在哪里？", "The capital of the firm was 500 pounds."),
    ],
)
async def test_another_sense_of_a_word_answers_nothing(opened, question: str, text: str):
    async with opened([Document(id="d", title="Notes", text=text)]) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims == (), done.answer
