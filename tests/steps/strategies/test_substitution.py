"""Which wordings of a query can be replaced: also long ones, in letters."""

from __future__ import annotations

import pytest

from qx.domain import Knowledge, Taxonomy
from qx.rules.wording import Wording
from qx.steps.strategies.substitution import places, substitute
from qx.types import Query, Understanding

KNOWN = {
    "reinforcement learning": (("RL", "test"),),
    "reinforcement learning from human feedback": (("RLHF", "test"),),
    "卡顿": (("运行缓慢", "test"),),
}
NOTHING = Knowledge(name="test", taxonomy=Taxonomy(name="test", intents=()), synonyms=KNOWN)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("reinforcement learning from human feedback survey", ["reinforcement learning from human feedback"]),
        ("survey of Reinforcement Learning", ["reinforcement learning"]),
        ("电脑 卡顿", ["卡顿"]),
        ("reinforcement learning, 卡顿", ["reinforcement learning", "卡顿"]),
        ("unreinforcement learning", []),
    ],
)
def test_the_longest_wording_that_is_known(text: str, keys: list[str]):
    wording = Wording.of(Query(text=text), Understanding(language="en"), NOTHING)
    found = places(text, KNOWN, wording)
    assert [place.key for place in found] == keys
    for place in found:
        other = KNOWN[place.key][0][0]
        assert substitute(text, [(place, other)]) == text[: place.start] + other + text[place.end :]
