"""The set LoCoMo: ten very long chats of two people, and questions with the turns that hold the answer.

The file is ``locomo10.json`` of snap-research (CC BY-NC 4.0: for evaluation only).  A set of one's own may have the same layout, and a ``role`` of turns.  Where ``locomo_errors.json`` (of
dial481/locomo-audit) lies beside it, questions whose answer or turns are known to be wrong are left out, or corrected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal, cast

from qx.errors import UsageError
from qx.serial import value
from qx_chatlog.message import Attachment, Message

Errors = Literal["leave-out", "correct", "keep"]
TENANT: Final = "locomo"
UNANSWERABLE: Final = 5
"""The category of questions whose answer is not in the chat."""
CATEGORIES: Final = {1: "several turns", 2: "time", 3: "inference", 4: "one turn", UNANSWERABLE: "unanswerable"}
_TURN = re.compile(r"D\d+:\d+")
_SESSION = re.compile(r"session_(\d+)")
_DATE: Final = "%I:%M %p on %d %B, %Y"
_PAUSE: Final = timedelta(seconds=30)
"""Between turns: the set dates sessions only."""


@value
class Question:
    """A question on one conversation.

    Attributes:
        id: ``<conversation>/<number in the file>``, from 0.
        evidence: Ids of the turns that hold the answer.
        answer: Empty where there is none.
    """

    id: str
    user: str
    text: str
    category: int
    evidence: frozenset[str]
    answer: str = ""


@value
class Conversation:
    """One chat as the log of one user.

    Attributes:
        questions: Those that are asked.
        now: When they are: the day after the last message.
    """

    user: str
    messages: tuple[Message, ...]
    questions: tuple[Question, ...]
    now: datetime


@value
class Locomo:
    """The set.

    Attributes:
        name: Of its file.
        left_out: Questions that are not asked, and why.
    """

    conversations: tuple[Conversation, ...]
    left_out: Mapping[str, int]
    name: str = "LoCoMo"

    @property
    def questions(self) -> tuple[Question, ...]:
        """Those with an answer."""
        return tuple(q for c in self.conversations for q in c.questions if q.category != UNANSWERABLE)

    @property
    def unanswerable(self) -> tuple[Question, ...]:
        """Those without."""
        return tuple(q for c in self.conversations for q in c.questions if q.category == UNANSWERABLE)


def read(path: Path, *, errors: Errors = "leave-out", conversations: int | None = None) -> Locomo:
    """Read the set.

    Args:
        path: ``locomo10.json``.
        errors: What to do with questions that ``locomo_errors.json`` beside it lists.
        conversations: Only so many, the first ones; None: all.

    Raises:
        UsageError: the file is not there, or not LoCoMo.
    """
    known = _errors(path.parent / "locomo_errors.json") if errors != "keep" else {}
    left_out: dict[str, int] = {}
    found: list[Conversation] = []
    for index, item in enumerate(_list(path)[:conversations]):
        try:
            found.append(_conversation(index, item, known, errors, left_out))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UsageError(f"{path}: conversation {index} is not LoCoMo's: {type(error).__name__} {error}") from error
    return Locomo(conversations=tuple(found), left_out=left_out, name=path.name)


def _conversation(
    index: int,
    item: Mapping[str, Any],
    known: Mapping[str, Mapping[str, Any]],
    errors: Errors,
    left_out: dict[str, int],
) -> Conversation:
    user = f"c{index}"
    messages = tuple(_messages(user, item["conversation"]))
    ids = {message.id for message in messages}
    questions: list[Question] = []
    for number, row in enumerate(item["qa"]):
        wrong = known.get(f"locomo_{index}_qa{number}")
        why, question = _question(f"{index}/{number}", user, row, wrong, ids, errors)
        if question is None:
            left_out[why] = left_out.get(why, 0) + 1
        else:
            questions.append(question)
    now = max(message.time for message in messages) + timedelta(days=1)
    return Conversation(user=user, messages=messages, questions=tuple(questions), now=now)


def _question(
    id: str, user: str, row: Mapping[str, Any], wrong: Mapping[str, Any] | None, ids: set[str], errors: Errors
) -> tuple[str, Question | None]:
    category, answer = int(row["category"]), str(row.get("answer", ""))
    evidence = [turn for cited in row["evidence"] for turn in _TURN.findall(cited)]
    if category == UNANSWERABLE:
        return "", Question(id=id, user=user, text=str(row["question"]), category=category, evidence=frozenset())
    if wrong is not None:
        if errors == "leave-out":
            return "its answer or its turns are known to be wrong", None
        evidence = [turn for cited in wrong.get("correct_evidence") or () for turn in _TURN.findall(str(cited))]
        answer = str(wrong.get("correct_answer") or answer)
    if not evidence or any(turn not in ids for turn in evidence):
        return "it cites no turn, or one that is not there", None
    return "", Question(
        id=id, user=user, text=str(row["question"]), category=category, evidence=frozenset(evidence), answer=answer
    )


def _messages(user: str, talk: Mapping[str, Any]) -> Iterator[Message]:
    sessions = sorted(int(match[1]) for key in talk if (match := _SESSION.fullmatch(key)))
    for session in sessions:
        begun = datetime.strptime(talk[f"session_{session}_date_time"], _DATE).replace(tzinfo=UTC)
        for place, turn in enumerate(talk[f"session_{session}"]):
            caption = turn.get("blip_caption")
            sent = (Attachment(kind="image", text=str(caption), derived=True),) if caption else ()
            yield Message(
                id=turn["dia_id"],
                tenant=TENANT,
                user=user,
                session=str(session),
                role=turn.get("role", "user"),
                time=begun + place * _PAUSE,
                content=turn["text"],
                speaker=turn["speaker"],
                attachments=sent,
            )


def _errors(path: Path) -> dict[str, Mapping[str, Any]]:
    if not path.is_file():
        return {}
    return {str(row["question_id"]): row for row in _list(path)}


def _list(path: Path) -> Sequence[Mapping[str, Any]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name the file locomo10.json") from error
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}; name the file locomo10.json") from error
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in cast("list[Any]", found)):
        raise UsageError(f"{path} is not a list of objects, as LoCoMo's files are")
    return cast("list[Mapping[str, Any]]", found)
