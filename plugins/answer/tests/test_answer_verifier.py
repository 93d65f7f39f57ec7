"""The verifier: ids, quotes, numbers and negations, with a judge and without one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from qx.errors import Unavailable
from qx_answer.claims import CheckedClaim, Claim, Source
from qx_answer.judge import Judgement, Label, Pair
from qx_answer.verifier import verify

SOURCES = (
    Source(id="rules", text="Rebase is not allowed on main. Builds take 5 minutes, and ≥3 reviewers must agree."),
    Source(id="empty", text=""),
    Source(
        id="study", text="The effect was found in children/\nadolescents (p&nbsp;=&nbsp;0.04) and **not** in adults."
    ),
    Source(id="mixed", text="Worn ones are not taken back. They are never sold. 该产品不支持退货。"),
    Source(id="退货", text="外套可以在六十天内退货，穿过的不退。运费为１２元。"),
)


def claim(statement: str, source_id: str, quote: str) -> Claim:
    return Claim(statement=statement, source_id=source_id, quote=quote)


async def checked(*claims: Claim, sources: Sequence[Source] = SOURCES) -> list[CheckedClaim]:
    return list((await verify(claims, sources)).claims)


class SaysAlways:
    """A judge of one opinion, who keeps what was asked."""

    name = "scripted"

    def __init__(self, label: Label | None, error: Exception | None = None) -> None:
        self.label = label
        self.error = error
        self.pairs: list[Pair] = []

    async def judge(self, pairs: Sequence[Pair], /) -> Sequence[Judgement]:
        self.pairs += pairs
        if self.error is not None:
            raise self.error
        return [Judgement(label=self.label)] * len(pairs)


async def test_offsets_are_code_points_of_the_source():
    found = await checked(
        claim("Three reviewers must agree.", "rules", ">= 3 reviewers must agree"),
        claim("It was found in children.", "study", "children/adolescents (p = 0.04)"),
        claim("运费12元。", "退货", "运费为12元"),
    )
    texts = {source.id: source.text for source in SOURCES}
    assert [texts[one.source_id][one.start : one.end] for one in found] == [
        "≥3 reviewers must agree",
        "children/\nadolescents (p&nbsp;=&nbsp;0.04)",
        "运费为１２元",
    ]
    assert {one.verdict for one in found} == {"quote-only"}
    assert "judge: off" in found[0].why


@pytest.mark.parametrize("id_", ["Rules", "rule", "rules ", "1", "[rules]", "5", ""])
async def test_an_id_that_is_almost_right_is_no_source(id_: str):
    (one,) = await checked(claim("x", id_, "Rebase is not allowed"))
    assert (one.verdict, one.start, one.end) == ("unsupported", None, None)
    assert "no source" in one.why


async def test_of_four_sources_the_fifth_is_not_there_and_the_rest_stays():
    found = await checked(
        claim("Builds take 5 minutes.", "rules", "Builds take 5 minutes"), claim("x", "[5]", "Builds take 5 minutes")
    )
    assert [one.verdict for one in found] == ["verified", "unsupported"]


@pytest.mark.parametrize(
    ("source_id", "quote", "why"),
    [
        ("empty", "anything", "has no text"),
        ("rules", "  ", "there is no quote"),
        ("rules", "a", "one letter shows nothing"),
        ("rules", ".", "one letter shows nothing"),
        ("rules", " “。 ”", "one letter shows nothing"),
        ("退货", "天", "one letter shows nothing"),
        ("rules", "Rebase is allowed on main", "copy it word for word"),
        ("rules", "外套可以在六十天内退货", "but in '退货'"),
        ("study", "p = 0.4", "copy it"),
        ("rules", "allowed on main", "leaves out the negation beside it"),
        ("mixed", "支持退货", "leaves out the negation beside it"),
        ("mixed", "taken back", "leaves out the negation beside it"),
        ("mixed", "They are", "leaves out the negation beside it"),
    ],
)
async def test_why_a_quote_is_refused(source_id: str, quote: str, why: str):
    (one,) = await checked(claim("It is so.", source_id, quote))
    assert one.verdict == "unsupported"
    assert why in one.why


@pytest.mark.parametrize(
    ("statement", "source_id", "quote", "verdict"),
    [
        ("Rebase is allowed on main.", "rules", "Rebase is not allowed on main.", "contradicted"),
        ("Builds take 5 hours.", "rules", "Builds take 5 minutes", "contradicted"),
        ("Builds take 15 minutes.", "rules", "Builds take 5 minutes", "contradicted"),
        ("At most 3 reviewers must agree.", "rules", "≥3 reviewers must agree", "contradicted"),
        ("The effect was weak (p = 0.4).", "study", "p = 0.04", "unsupported"),
        ("穿过的可以退。", "退货", "穿过的不退", "contradicted"),
        ("外套可以在六十天内退货。", "退货", "外套可以在六十天内退货", "verified"),
        ("外套可以在60天内退货。", "退货", "外套可以在六十天内退货", "quote-only"),
        ("外套可以在三十天内退货。", "退货", "外套可以在六十天内退货", "contradicted"),
        ("", "rules", "Rebase", "unsupported"),
    ],
)
async def test_numbers_units_and_negations_are_compared_without_a_judge(
    statement: str, source_id: str, quote: str, verdict: str
):
    (one,) = await checked(claim(statement, source_id, quote))
    assert one.verdict == verdict, one.why


@pytest.mark.parametrize(
    ("label", "verdict"),
    [("follows", "verified"), ("contradicts", "contradicted"), ("not-said", "unsupported"), (None, "quote-only")],
)
async def test_what_a_judge_says(label: Label | None, verdict: str):
    judge = SaysAlways(label)
    found = await verify([claim("Building is quick.", "rules", "Builds take 5 minutes")], SOURCES, judge)
    assert found.claims[0].verdict == verdict
    assert found.judge == "scripted"
    assert bool(found.degraded) is (label is None)
    assert judge.pairs == [Pair(statement="Building is quick.", passage="Builds take 5 minutes")]


async def test_a_judge_is_shown_the_source_s_words_as_a_person_reads_them():
    judge = SaysAlways("follows")
    await verify([claim("It was found.", "study", "children/adolescents (p = 0.04)")], SOURCES, judge)
    assert "p = 0.04" in judge.pairs[0].passage


async def test_a_judge_is_asked_of_what_holds_so_far_and_is_no_quote():
    judge = SaysAlways("follows")
    claims = [
        claim("Rebase is not allowed on main", "rules", "Rebase is not allowed on main."),
        claim("Rebase is allowed on main.", "rules", "Rebase is not allowed on main."),
        claim("x", "nowhere", "y"),
    ]
    found = await verify(claims, SOURCES, judge)
    assert judge.pairs == []
    assert [one.verdict for one in found.claims] == ["verified", "contradicted", "unsupported"]
    assert len(found.verified) == 1
    assert len(found.refused) == 2


async def test_a_judge_that_fails_verifies_nothing_and_it_is_said():
    judge = SaysAlways(None, Unavailable("the model is down"))
    found = await verify([claim("Building is quick.", "rules", "Builds take 5 minutes")], SOURCES, judge)
    assert found.claims[0].verdict == "quote-only"
    assert "the model is down" in found.degraded[0]


async def test_a_judge_that_gives_too_few_judgements_is_not_believed():
    class Short(SaysAlways):
        async def judge(self, pairs: Sequence[Pair], /) -> Sequence[Judgement]:
            return []

    found = await verify([claim("Building is quick.", "rules", "Builds take 5 minutes")], SOURCES, Short("follows"))
    assert found.claims[0].verdict == "quote-only"
    assert found.degraded


@pytest.mark.parametrize(
    "text",
    [
        "In 1945 the T-34/85 carried 0x1F rounds, 3 in 5 of them 85 mm, at 10:30.",
        "第三十二条：未经批准，不得在5号楼使用超过1.5千瓦的电器，违者罚款200-500元。",
        "No fewer than 3–5 of 12,5 mg doses (p < .05) weren't ever given 2x/day in May or june.",
    ],
)
async def test_a_statement_that_is_the_quote_or_a_part_of_it_is_not_held_against_it(text: str):
    source = Source(id="a", text=f"Before. {text} After.")
    for statement in (text, text.upper(), text.rstrip("。."), text[: len(text) // 2].rpartition(" ")[0] or text[:16]):
        (one,) = await checked(claim(statement, "a", text), sources=[source])
        assert one.verdict in ("verified", "quote-only"), (statement, one.why)
    (itself,) = await checked(claim(text, "a", text), sources=[source])
    assert (itself.verdict, itself.why) == ("verified", "the statement is the quote itself")


async def test_no_claims_and_no_sources():
    assert (await verify([], [])).claims == ()
    (one,) = await checked(claim("x", "a", "y"), sources=())
    assert one.why == "no source was shown"
