"""What a query's subject is depends on the packs that judge it, also where packs come and go."""

from qx.domain import Knowledge
from qx.rules import drift
from qx.serial import replace
from qx.taxonomy import Intent
from qx.testing.context import general_knowledge
from qx.types import Entity, Understanding


def packs(broader: str | None) -> Knowledge:
    """The general pack with one more intent."""
    knowledge = general_knowledge()
    more = Intent(id="mine", broader=broader) if broader else Intent(id="mine")
    intents = (*knowledge.taxonomy.intents, more)
    return replace(knowledge, taxonomy=knowledge.taxonomy.model_copy(update={"intents": intents}))


def test_a_subject_is_never_that_of_packs_that_are_gone() -> None:
    understanding = Understanding(
        language="en",
        source="llm",
        intent=("mine",),
        entities=(Entity(text="Zorbo phone", type="product"),),
        keywords=("Zorbo",),
    )

    def lost(knowledge: Knowledge) -> tuple[str, ...]:
        return drift.lost_subject("weather tomorrow", "refine", understanding, knowledge, original="zorbo phone")

    for _ in range(30):
        assert lost(packs("troubleshooting")) == ()
        others = [packs(None) for _ in range(10)]  # one of them may stand where the first one stood
        assert all(lost(one) == ("Zorbo", "Zorbo phone") for one in others)
