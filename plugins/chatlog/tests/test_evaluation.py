"""``qx chat eval``: the set is read, errors are left out or corrected, and what is printed is what was measured."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from qx import Principal
from qx.cli.app import cli as main
from qx.engine import Engine
from qx.errors import UsageError
from qx_chatlog.asking.attribution import of_another
from qx_chatlog.evaluation import locomo, planned, running, scoring, sheets
from qx_chatlog.evaluation.answers import held
from qx_chatlog.evaluation.arms import ALL, ARMS, PLAIN, spoken_of
from qx_chatlog.evaluation.inmemory import log_of
from qx_chatlog.evaluation.remembered import by_rules
from qx_chatlog.sqlite.store import SqliteStore
from qx_chatlog.store import Controls, Search


def turn(id: str, speaker: str, text: str, caption: str = "") -> dict[str, str]:
    return {"dia_id": id, "speaker": speaker, "text": text} | ({"blip_caption": caption} if caption else {})


SET: list[dict[str, Any]] = [
    {
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Bo",
            "session_1_date_time": "2:05 pm on 3 March, 2025",
            "session_1": [
                turn("D1:1", "Ada", "Have you found a flat yet?"),
                turn("D1:2", "Bo", "Yes! It is in Harbour Street, I move on Saturday."),
                turn("D1:3", "Ada", "Lovely, I adopted a parrot yesterday", "a green parrot on a chair"),
            ],
            "session_2_date_time": "9:00 am on 20 March, 2025",
            "session_2": [
                turn("D2:1", "Bo", "The flat is quiet, only the kitchen is small."),
                turn("D2:2", "Ada", "My parrot can whistle now."),
            ],
        },
        "qa": [
            {
                "question": "Where is the flat that Bo found?",
                "answer": "Harbour Street",
                "evidence": ["D1:2"],
                "category": 4,
            },
            {"question": "When did Ada adopt a parrot?", "answer": "2 March 2025", "evidence": ["D1:3"], "category": 2},
            {"question": "What colour is the parrot?", "answer": "blue", "evidence": ["D2:2"], "category": 4},
            {"question": "What is wrong here?", "answer": "nothing", "evidence": ["D9:9"], "category": 4},
            {"question": "What can Bo's parrot do?", "adversarial_answer": "whistle", "evidence": [], "category": 5},
        ],
    }
]
ERRORS = [{"question_id": "locomo_0_qa2", "correct_evidence": ["D1:3"], "correct_answer": "green", "error_type": "X"}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "locomo_errors.json").write_text(json.dumps(ERRORS), encoding="utf-8")
    file = tmp_path / "locomo10.json"
    file.write_text(json.dumps(SET), encoding="utf-8")
    return file


def test_the_set_is_a_log_of_one_user_per_conversation(path: Path) -> None:
    (one,) = locomo.read(path).conversations
    assert [message.id for message in one.messages] == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2"]
    assert one.messages[2].attachments[0].text == "a green parrot on a chair"
    assert one.messages[2].attachments[0].derived
    assert f"{one.messages[0].time:%Y-%m-%d %H:%M}" == "2025-03-03 14:05"
    assert one.now > max(message.time for message in one.messages)


@pytest.mark.parametrize(
    ("errors", "asked", "evidence"),
    [
        ("leave-out", ["0/0", "0/1"], None),
        ("correct", ["0/0", "0/1", "0/2"], "D1:3"),
        ("keep", ["0/0", "0/1", "0/2"], "D2:2"),
    ],
)
def test_wrong_gold_is_left_out_or_corrected(path: Path, errors: Any, asked: list[str], evidence: str | None) -> None:
    read = locomo.read(path, errors=errors)
    assert [question.id for question in read.questions] == asked
    if evidence is not None:
        assert read.questions[-1].evidence == {evidence}
    assert [question.id for question in read.unanswerable] == ["0/4"]
    assert sum(read.left_out.values()) == 4 - len(asked)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not JSON"),
        ("{}", "not a list"),
        ('[{"qa": []}]', "conversation 0"),
        ('[{"conversation": {}, "qa": [{}]}]', "0"),
    ],
)
def test_another_file_is_refused_with_what_to_do(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        locomo.read(file)
    with pytest.raises(UsageError, match=r"locomo10\.json"):
        locomo.read(tmp_path / "absent.json")


async def test_every_arm_is_measured_on_the_same_questions(path: Path) -> None:
    made = await running.run(locomo.read(path, errors="correct"))
    assert [one.name for one in made.arms] == [arm.name for arm in ARMS]
    assert {one.questions for one in made.arms} == {3}
    by_name = {one.name: one for one in made.arms}
    assert by_name[PLAIN].against is None
    assert by_name[ALL].at[10].recall == 1.0
    assert by_name[ALL].low <= by_name[ALL].at[10].recall <= by_name[ALL].high
    assert set(made.recalls[ALL]) == {"0/0", "0/1", "0/2"}
    assert made.declined is not None
    assert (made.declined.unanswerable, made.declined.rightly, made.declined.wrongly) == (1, 1.0, 0.0)


def test_recall_precision_and_tokens() -> None:
    question = locomo.Question(id="q", user="u", text="?", category=1, evidence=frozenset(("a", "b")))
    read = scoring.Read(ids=tuple(frozenset((x,)) for x in "xaby"), tokens=(100, 100, 100, 100), seconds=0.5)
    assert scoring.recall(read, question, 2) == 0.5
    assert [scoring.fitting(read, tokens) for tokens in (99, 100, 250, 1000)] == [0, 1, 2, 4]
    assert scoring.recall_within(read, question, 250) == 0.5
    made = scoring.measure("x", [question], {turns: [read] for turns in scoring.TURNS}, plain={"q": 0.5})
    assert made.at[5].precision == 0.5  # two of the four that came
    assert made.against is not None
    assert made.against.mean == 0.5


async def test_the_ranking_in_memory_is_the_store_s(path: Path, tmp_path: Path) -> None:
    read = locomo.read(path, errors="correct")
    (one,) = read.conversations
    store = await SqliteStore.open(tmp_path / "chat.db")
    await store.append(one.messages)
    memory = log_of({one.user: one.messages})
    who = Principal(tenant=locomo.TENANT, user=one.user)
    for question in (*read.questions, *read.unanswerable):
        for controls in (Controls(), Controls(near=False, fusion=False), Controls(window=0, speakers=False)):
            search = Search(text=question.text, controls=controls, wants="date")
            a, b = await store.search(who, search), await memory.search(who, search)
            assert [(x.message.id, x.context, round(x.score, 9)) for x in a.found] == [
                (x.message.id, x.context, round(x.score, 9)) for x in b.found
            ]
    await store.aclose()


async def test_whose_words_they_are(path: Path) -> None:
    (one,) = locomo.read(path).conversations
    log, who = log_of({one.user: one.messages}), Principal(tenant=locomo.TENANT, user=one.user)
    for text, whose in (
        ("What can Bo's parrot do?", "Ada"),
        ("What can Ada's parrot do?", None),
        ("What can the parrot do?", None),
        ("Do Ada and Bo have a parrot?", None),
        ("Does Bo fly?", None),
    ):
        assert await of_another(log, who, text, ("Ada", "Bo")) == whose, text


def test_times_that_a_question_names(path: Path) -> None:
    (one,) = locomo.read(path).conversations
    ((start, end),) = spoken_of("What did Bo say on 3 March 2025?", one.now)
    assert (f"{start:%m-%d}", f"{end:%m-%d}") == ("03-03", "03-04")
    assert spoken_of("What did Bo say?", one.now) == ()


async def test_the_planner_by_rules_and_its_answers(path: Path) -> None:
    read = locomo.read(path, errors="correct")
    async with Engine.opened("default") as engine:
        made = await planned.ask_planner(engine, read, read.questions, unanswerable=read.unanswerable)
    assert made.measured.name == "planner by rules"
    assert made.measured.at[10].recall == 1.0
    assert [one.id for one in made.answers] == ["0/0", "0/1", "0/2"]
    assert all(one.right is None and one.calls == 0 and one.searches for one in made.answers)
    assert "100.0 %" in planned.said(made) or made.answers[0].held == 1.0


def test_the_words_of_the_right_answer() -> None:
    question = locomo.Question(
        id="q", user="u", text="?", category=4, evidence=frozenset("a"), answer="went to Harbour Street"
    )
    assert held("Bo: I go to the harbour street!", question) == 1.0
    assert held("nothing of that", question) == 0.0
    assert 0.0 < held("a street", question) < 1.0


def test_facts_by_rules(path: Path) -> None:
    (one,) = locomo.read(path).conversations
    facts = {fact.text: fact.turns for fact in by_rules(one.messages)}
    assert facts["Ada: Lovely, Ada adopted a parrot yesterday (03 March 2025)"] == {"D1:3"}
    assert facts["Ada: Ada's parrot can whistle now. (20 March 2025)"] == {"D2:2"}
    assert facts["Ada shares a picture: a green parrot on a chair (03 March 2025)"] == {"D1:3"}
    assert not any("Have you found" in text for text in facts)


def test_a_sheet_does_not_say_whose_an_answer_is(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    pairs = [
        sheets.Pair(id=str(n), question=f"=q{n}", answers={"chats": f"c{n}", "memory": f"m{n}"}) for n in range(20)
    ]
    hidden = sheets.write(path, pairs)
    text = path.read_text(encoding="utf-8-sig")
    assert "chats" not in text
    assert "memory" not in text
    assert "'=q0" in text
    sides = [row["A"] for row in json.loads(hidden.read_text(encoding="utf-8")).values()]
    assert set(sides) == {"chats", "memory"}
    with pytest.raises(UsageError, match="there already"):
        sheets.write(path, pairs)
    lines = text.splitlines()
    first = "5" if json.loads(hidden.read_text(encoding="utf-8"))["0"]["A"] == "chats" else "1"
    other = "1" if first == "5" else "5"
    lines[1] = lines[1].removesuffix(",,,,,,,,") + f",{first},{first},{first},{first},{other},{other},{other},{other}"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert sheets.summed(path) == {
        "chats": dict.fromkeys(sheets.ASKED, (5.0, 1)),
        "memory": dict.fromkeys(sheets.ASKED, (1.0, 1)),
    }
    path.write_text("\n".join(lines).replace(",5,5", ",6,5"), encoding="utf-8")
    with pytest.raises(UsageError, match="no rating"):
        sheets.summed(path)


def qx(*arguments: str) -> Any:
    return CliRunner().invoke(main, arguments)


def test_on_the_command_line_it_needs_no_profile_and_no_user(path: Path) -> None:
    result = qx("chat", "eval", str(path), "--json")
    assert result.exit_code == 0, result.output
    made = json.loads(result.stdout)
    assert made["questions"] == 2
    assert [one["name"] for one in made["arms"]][:2] == ["bm25", "all controls"]
    assert "Harbour" not in result.stdout
    shown = qx("chat", "eval", str(path), "--errors", "correct", "--markdown")
    assert shown.exit_code == 0
    assert "| all controls | 100.0" in shown.stdout


def test_on_the_command_line_wrong_files_and_options_are_refused(path: Path, tmp_path: Path) -> None:
    assert qx("chat", "eval", str(tmp_path / "none.json")).exit_code == 2
    profile = tmp_path / "p.yaml"
    profile.write_text("timezone: UTC\n", encoding="utf-8")
    for options, said in (
        (["--memory"], "embedder"),
        (["--memory", "--facts", "model"], "embedder"),
        (["--sheet", "s.csv"], "--memory"),
    ):
        result = qx("chat", "eval", str(path), "--profile", str(profile), *options)
        assert result.exit_code != 0
        assert said in result.output


def test_the_planner_spends_what_the_profile_allows_and_leaves_its_store_alone(path: Path, tmp_path: Path) -> None:
    shown: dict[int, int] = {}
    for window in (0, 2):
        profile = tmp_path / f"{window}.yaml"
        store = "store: {type: sqlite, path: chat.db}"
        profile.write_text(f"timezone: UTC\nchat: {{ask: {{window: {window}}}, {store}}}\n", encoding="utf-8")
        result = qx("chat", "eval", str(path), "-p", str(profile), "--planner", "9", "--json")
        assert result.exit_code == 0, result.output
        shown[window] = sum(len(one["ids"]) for one in json.loads(result.stdout)["answers"])
    assert shown[0] < shown[2]
    assert not (tmp_path / "chat.db").exists()


@pytest.mark.slow
async def test_on_locomo_the_controls_beat_plain_bm25() -> None:
    data = os.environ.get("QX_TEST_DATA")
    if not data or not (Path(data) / "chat" / "locomo10.json").is_file():
        pytest.skip("QX_TEST_DATA names no folder with chat/locomo10.json")
    read = locomo.read(Path(data) / "chat" / "locomo10.json")
    assert len(read.questions) == 1380
    made = await running.run(read, arms=ARMS[:2])
    plain, every = made.arms
    assert plain.at[10].recall == pytest.approx(0.64, abs=0.02)
    assert every.at[10].recall > 0.78
    assert every.against is not None
    assert every.against.low > 0.1
