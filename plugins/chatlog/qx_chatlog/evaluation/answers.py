"""Whether an answer is right: against the words of the gold answer, and by a model where there is one."""

from __future__ import annotations

import json
from typing import Final, Literal

from pydantic import BaseModel

from qx.context import Context
from qx.errors import BudgetExceeded, ProviderError
from qx.llm import CompletionRequest, Message
from qx.repair import parse_object
from qx_chatlog.evaluation.locomo import Question
from qx_chatlog.index.analysis import folded, query_terms

_SYSTEM: Final = (
    "You check answers. You get a question, the right answer, and an answer that was given, as JSON. "
    'Reply with {"verdict": "right"} if the given answer says what the right answer says, in whatever words, '
    'and with {"verdict": "wrong"} if it says something else or does not answer. Nothing else.'
)
_SCHEMA: Final = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["right", "wrong"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}


class _Verdict(BaseModel):
    verdict: Literal["right", "wrong"]


_SECONDS: Final = 120.0
_GIVEN: Final = 1200


def held(answer: str, question: Question) -> float:
    """Return which part of the gold answer's words (stems) the answer holds; all where it stands there as it is."""
    if _close(question.answer) in _close(answer):
        return 1.0
    wanted = {term.text for term in query_terms(question.answer)}
    given = {term.text for term in query_terms(answer)}
    return len(wanted & given) / len(wanted) if wanted else 0.0


def _close(text: str) -> str:
    return "".join(folded(text).split())


async def judged(context: Context, question: Question, answer: str) -> bool | None:
    """Return whether a model takes the answer for right; None: it does not say."""
    asked = {"question": question.text, "right_answer": question.answer, "given_answer": answer[:_GIVEN]}
    request = CompletionRequest(
        model="",
        messages=(
            Message(role="system", content=_SYSTEM),
            Message(role="user", content=json.dumps(asked, ensure_ascii=False)),
        ),
        schema=_SCHEMA if context.capabilities().schema else None,
        max_tokens=20,
        timeout=_SECONDS,
    )
    try:
        completion = await context.complete(request)
    except (ProviderError, BudgetExceeded):
        return None
    found = parse_object(completion.text, _Verdict).value
    return None if found is None else found.verdict == "right"
