"""A model as judge: one call a subject, the answer through the repair ladder, offered labels only.

What is judged goes as JSON into the last message, never into the instructions.  Where one answer holds several
judgements whose order could matter (documents of a list, two sets), the model is asked in both orders; where it then says
otherwise, the lower grade, or no preference, stands, and the judgement is flagged.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from qx.errors import BadResponse
from qx.eval.judging.rubrics import SCALES, Scale, Task, Tongue, data, examples, schema, template, value_of
from qx.llm import Completion, CompletionRequest, Message
from qx.repair import parse_object
from qx.serial import value
from qx.types import Usage

Ask = Callable[[CompletionRequest], Awaitable[Completion]]
"""Such as ``Engine.complete``."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
TOKENS = 24
"""That an answer may take for each value."""


@value
class Verdict:
    """What a judge gave; ``flagged`` where both orders did not agree."""

    values: Mapping[str, int]
    flagged: bool = False
    usage: Usage = Usage()


class Judge:
    """Asks a model.

    Args:
        ask: Makes one call.
        timeout: Seconds of one call.
    """

    def __init__(self, ask: Ask, *, timeout: float = 60.0) -> None:
        self._ask = ask
        self._timeout = timeout

    async def one(self, task: Task, tongue: Tongue, shown: Mapping[str, object]) -> Verdict:
        """Judge one subject by itself: a document, a set of queries, an answer.

        Args:
            task: What is judged.
            tongue: The rubric's language.
            shown: The data: ``query`` and ``document``, ``original`` and ``queries``, ``question`` and ``answer``.

        Raises:
            BadResponse: no judgement can be read, also when asked again.
            ProviderError, BudgetExceeded: no answer could be had.
        """
        found, usage = await self._answer(task, tongue, shown, SCALES[task])
        return Verdict(values=found, usage=usage)

    async def documents(
        self, tongue: Tongue, query: str, documents: Sequence[Mapping[str, object]]
    ) -> tuple[Verdict, ...]:
        """Judge the relevance of several documents in one call, in both orders; where they differ, the lower stands.

        Raises:
            BadResponse, ProviderError, BudgetExceeded: as ``one``.
        """
        if len(documents) == 1:
            return (await self.one("relevance", tongue, {"query": query, "document": documents[0]}),)
        places = list(range(len(documents)))
        first, one = await self._list(tongue, query, documents, places)
        second, other = await self._list(tongue, query, documents, places[::-1])
        usage = one + other
        return tuple(
            Verdict(
                values={"grade": min(first[place], second[place])},
                flagged=first[place] != second[place],
                usage=usage if place == 0 else Usage(),
            )
            for place in places
        )

    async def prefer(self, tongue: Tongue, original: str, first: Sequence[str], second: Sequence[str]) -> Verdict:
        """Compare two sets of queries in both orders; where the orders differ, neither is preferred.

        Returns:
            ``better``: -1 the first, 1 the second, 0 neither.

        Raises:
            BadResponse, ProviderError, BudgetExceeded: as ``one``.
        """
        scales = SCALES["preference"]
        shown = {"original": original, "A": list(first), "B": list(second)}
        straight, one = await self._answer("preference", tongue, shown, scales)
        shown = {"original": original, "A": list(second), "B": list(first)}
        turned, other = await self._answer("preference", tongue, shown, scales)
        agreed = straight["better"] == -turned["better"]
        return Verdict(values={"better": straight["better"] if agreed else 0}, flagged=not agreed, usage=one + other)

    async def _list(
        self, tongue: Tongue, query: str, documents: Sequence[Mapping[str, object]], order: Sequence[int]
    ) -> tuple[dict[int, int], Usage]:
        ids = {f"d{number}": place for number, place in enumerate(order, 1)}
        shown = {"query": query, "documents": {id_: documents[place] for id_, place in ids.items()}}
        scale = SCALES["relevance"]["grade"]
        found, usage = await self._answer("relevance", tongue, shown, dict.fromkeys(ids, scale), ids=tuple(ids))
        return {place: found[id_] for id_, place in ids.items()}, usage

    async def _answer(
        self,
        task: Task,
        tongue: Tongue,
        shown: Mapping[str, object],
        scales: Mapping[str, Scale],
        *,
        ids: tuple[str, ...] = (),
    ) -> tuple[dict[str, int], Usage]:
        """Ask, and once more, quoting what was wrong, where the answer cannot be read."""
        messages = [Message(role="system", content=template(task, tongue).render(many=bool(ids)).strip())]
        for example, answer in examples(task, tongue, many=bool(ids)):
            messages += [Message(role="user", content=example), Message(role="assistant", content=answer)]
        messages.append(Message(role="user", content=data(shown, tongue)))
        usage = Usage()
        problem = ""
        for _ in range(2):
            request = CompletionRequest(
                model="",
                messages=tuple(messages),
                schema=schema(task, ids),
                max_tokens=TOKENS * (len(scales) + 1),
                timeout=self._timeout,
            )
            given = await self._ask(request)
            usage += given.usage
            found, problem = read(given.text, scales)
            if found is not None:
                return found, usage
            asked = f"This cannot be used: {problem}. Answer again with the JSON object alone."
            messages += [Message(role="assistant", content=given.text[:500]), Message(role="user", content=asked)]
        raise BadResponse(f"the judge gave no judgement, asked twice: {problem}", step="judge")


def read(text: str, scales: Mapping[str, Scale]) -> tuple[dict[str, int] | None, str]:
    """Return (what the answer gives, ""), or (None, what is wrong with it)."""
    parsed = parse_object(text, _any_of(tuple(scales)))
    if parsed.value is None:
        return None, parsed.error or "no JSON object"
    given: Mapping[str, Any] = parsed.value.model_extra or {}
    found: dict[str, int] = {}
    if several := next((name for name in scales if len(_said(text, name)) > 1), None):
        return None, f"`{several}` is given several times, and not the same: give one object"
    for name, scale in scales.items():
        offered = ", ".join(map(str, scale.labels))
        if name not in given:
            return None, f"`{name}` is missing: give one of {offered}"
        number = value_of(scale, given[name])
        if number is None:
            return None, f"`{name}` is none of {offered}"
        found[name] = number
    return found, ""


def _said(text: str, name: str) -> frozenset[str]:
    """What an answer says that ``name`` is, wherever it says so behind its thoughts: the first is no better than the last."""
    told = _THOUGHT.sub("", text)
    found = re.findall(rf"(?<!\w)[\"']?{re.escape(name)}[\"']?\s*[:：=]\s*[\"']?(-?\w+(?:\.\d+)?)", told, re.IGNORECASE)
    return frozenset(one.casefold().removesuffix(".0") for one in found)


def _any_of(names: tuple[str, ...]) -> type[BaseModel]:
    """An object with one of ``names`` at least, so that the ladder looks into what a model wraps around it."""

    class Given(BaseModel):
        model_config = ConfigDict(extra="allow")

        @model_validator(mode="before")
        @classmethod
        def _has_one(cls, data: dict[str, Any]) -> dict[str, Any]:
            if not any(name in data for name in names):
                raise ValueError(f"none of {', '.join(names)} is there")
            return data

    return Given
