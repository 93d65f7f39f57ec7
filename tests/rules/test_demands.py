"""Operators that a model makes up."""

from __future__ import annotations

from functools import cache

import pytest

from qx.domain import Knowledge
from qx.rules.demands import unasked
from qx.types import Constraint, Understanding


@cache
def knowledge() -> Knowledge:
    from qx.gathering import gather_knowledge
    from qx.plugins import Plugins
    from qx.settings import Profile

    profile = Profile.model_validate(
        {"name": "t", "tenant": "t", "synonyms": [{"words": ["red", "scarlet"]}, {"words": ["鞋", "鞋子"]}]}
    )
    return gather_knowledge(profile, Plugins.load())


@pytest.mark.parametrize(
    ("query", "candidate", "said"),
    [
        ("red shoes for the party", "-red shoes OR anything", "excludes 'red'"),
        ("red shoes for the party", "NOT xyzzy red shoes", "excludes 'xyzzy'"),
        ("red shoes for the party", "red shoes OR *", "asks for '*'"),
        ("red shoes for the party", "red shoes OR anything", "asks for 'anything'"),
        ("red shoes for the party", "(red shoes) OR (secret documents)", "asks for 'secret documents'"),
        ("红色的鞋 聚会", "红色 鞋 -聚会", "excludes '聚会'"),
        ("红色的鞋 聚会", "红色 鞋 OR 随便", "asks for '随便'"),
        ("red shoes", "red shoes －red", "excludes 'red'"),
    ],
)
def test_what_the_query_does_not_ask_for_is_drift(query: str, candidate: str, said: str) -> None:
    found = unasked(candidate, query, Understanding(), knowledge())
    assert found is not None
    assert said in found


@pytest.mark.parametrize(
    ("query", "candidate"),
    [
        ("red shoes", "crimson shoes"),
        ("red shoes", "(red OR scarlet) shoes"),
        ("red shoes", '"red shoes" OR "red footwear"'),
        ("红色的鞋", "红色 (鞋 OR 鞋子)"),
        ("red shoes not leather", "red shoes -leather"),
        ("鞋 不要皮革", "鞋 -皮革"),
        ("red -leather shoes", "red shoes -leather"),
        ("laptop OR tablet", "laptop OR tablet OR phone"),
        ("wi-fi e-mail set-up", "wi-fi e-mail set-up help"),
        ("-5 degrees jacket", "-5 degrees jacket warm"),
    ],
)
def test_what_it_asks_for_is_not(query: str, candidate: str) -> None:
    assert unasked(candidate, query, Understanding(), knowledge()) is None


def test_what_the_analysis_excludes_may_be_excluded() -> None:
    value = Constraint(field="brand", op="ne", value="HP", text="other than HP")
    understanding = Understanding(constraints=(value,), negations=("silicone",))
    for candidate in ("laptop -HP", 'laptop -"silicone"'):
        assert unasked(candidate, "laptop", understanding, knowledge()) is None
