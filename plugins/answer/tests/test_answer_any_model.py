"""Whatever a model says, an answer comes, and every sentence of it stands in its source."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from qx.backend import Document
from qx.errors import Unavailable
from qx.llm import CompletionRequest
from qx.testing import ScriptedLLM

DOCUMENTS = (
    Document(
        id="returns", title="Returns", text="A jacket can be returned within 60 days. Worn ones are not taken back."
    ),
    Document(id="gates", text="The airport of Kestrel Bay has 12 gates."),
    Document(id="tui", title="退货", text="外套可以在六十天内退货。穿过的不退。"),
    Document(id="novel", title="Salt Harbour", text="Salt Harbour is a novel by Mira Oduya, published in 1998."),
)
QUESTIONS = (
    "How long do I have to return a jacket?",
    "How many gates does the airport of Kestrel Bay have?",
    "外套多久之内可以退货？",
    "Where was the author of 'Salt Harbour' born?",
    "谁写了《盐港》，什么时候出版？",
    "?!",
    "{1} and {2}",
)
SAID = (
    *(
        "",
        "x",
        "{1}",
        "{2}",
        "{0}",
        "jacket",
        "A jacket can be returned within 60 days.",
        "returns",
        "tui",
        "novel",
        "5",
    ),
    *("外套可以在六十天内退货。", "穿过的可以退。", "[1]", "```", "Mira Oduya", "not taken back", "61 days", "a" * 700),
)
NO_JSON = ("no json", "", '{"parts":', "[]", "{}", "null", '{"claims": [{"statement": 3}]}')


def speaker(rng: random.Random) -> ScriptedLLM:
    """A model that says anything of the right shape, and now and then of none, or nothing."""

    def said() -> str:
        return rng.choice(SAID)

    def listed(most: int, make: Any) -> list[Any]:
        return [make() for _ in range(rng.randrange(most))]

    def judged() -> dict[str, Any]:
        texts = {key: said() for key in ("quote", "source_id", "fact")}
        return {"id": rng.choice("1239"), "answered": rng.random() < 0.5, **texts}

    def say(request: CompletionRequest) -> Any:
        properties = (request.schema or {}).get("properties", {})
        if rng.random() < 0.1:
            return Unavailable("down")
        if rng.random() < 0.1:
            return rng.choice(NO_JSON)
        if "parts" in properties:
            made: dict[str, Any] = {"parts": listed(6, lambda: {"text": rng.choice((*QUESTIONS, *SAID))})}
        elif "next" in properties:
            made = {"questions": listed(5, judged), "next": listed(4, lambda: {"query": said(), "entities": [said()]})}
        elif "claims" in properties:
            made = {"claims": listed(5, lambda: {"statement": said(), "source_id": said(), "quote": said()})}
        else:
            made = {key: rng.choice(("follows", "not-said", "contradicts", "yes", "no", "?")) for key in properties}
        return json.dumps(made, ensure_ascii=False)

    return ScriptedLLM(say)


@pytest.mark.parametrize("seed", range(12))
async def test_it_ends_and_says_nothing_that_is_in_no_source(opened, seed: int):
    rng = random.Random(seed)
    texts = {document.id: document.text for document in DOCUMENTS}
    settings = {
        "read": {"select": rng.choice(("extractive", "model"))},
        "budget": {"rounds": rng.choice((1, 3, 6)), "tokens": rng.choice((900, 3_000, 50_000))},
        "judge": {"type": rng.choice(("auto", "off"))},
    }
    async with opened(DOCUMENTS, speaker(rng), answer=settings) as engine:
        done = await engine.result("answer", {"question": rng.choice(QUESTIONS)})
    assert done.answer
    assert done.budget.rounds.used <= done.budget.rounds.limit
    for claim in done.claims:
        assert texts[claim.source_id][claim.start : claim.end]
        assert claim.verdict in ("verified", "quote-only")
    assert "61 days" not in "".join(claim.quote for claim in done.claims)
