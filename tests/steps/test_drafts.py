import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qx.domain import Intent, Knowledge, Taxonomy
from qx.repair import SubQueryDraft
from qx.steps.drafts import (
    MODEL_STRATEGIES,
    DraftError,
    analysis_json,
    labels,
    read_queries,
    read_understanding,
    schema,
    shape,
)
from qx.types import Constraint, Entity, Sentiment, Understanding

KNOWLEDGE = Knowledge(name="k", taxonomy=Taxonomy(name="t", intents=(Intent(id="how-to"), Intent(id="factual"))))


def test_a_sound_analysis_is_read_whole():
    understanding, left_out = read_understanding(
        {
            "intent": ["how-to"],
            "entities": [{"text": "Python", "type": "technology"}],
            "constraints": [
                {"field": "price", "op": "le", "value": 5000, "unit": "CNY", "text": "5000元以下", "hard": True}
            ],
            "implicit_needs": ["保持顺序"],
            "sentiment": {"label": "worried", "intensity": 0.7},
            "stance": "critical",
            "keywords": ["列表", "去重"],
            "negations": ["white"],
            "senses": [{"word": "苹果", "label": "水果", "words": ["营养"]}],
            "kind": "complex",
            "standalone": "Python 列表去重",
        },
        KNOWLEDGE,
    )
    assert understanding.intent == ("how-to",)
    assert understanding.entities == (Entity(text="Python", type="technology"),)
    assert understanding.constraints[0] == Constraint(
        field="price", op="le", value=5000, unit="CNY", text="5000元以下", hard=True
    )
    assert understanding.sentiment == Sentiment(label="worried", intensity=0.7)
    assert (understanding.stance, understanding.kind, understanding.standalone) == (
        "critical",
        "complex",
        "Python 列表去重",
    )
    assert left_out == ()


def test_one_bad_part_costs_that_part_only_and_is_named():
    understanding, left_out = read_understanding(
        {
            "intent": ["nonsense", "FACTUAL"],
            "entities": ["Java", {"type": "no text"}, 7],
            "constraints": [{"field": "price", "op": "less", "value": 5}, {"field": "size", "op": "eq", "value": "M"}],
            "implicit_needs": "one string",
            "sentiment": "angry",
            "stance": 3,
            "kind": "huge",
            "standalone": "  ",
        },
        KNOWLEDGE,
    )
    assert understanding.intent == ("factual",)
    assert [e.text for e in understanding.entities] == ["Java"]
    assert [c.field for c in understanding.constraints] == ["size"]
    assert understanding.implicit_needs == ("one string",)
    assert understanding.sentiment.label == "angry"
    assert (understanding.stance, understanding.kind, understanding.standalone) == ("neutral", "simple", None)
    assert any("nonsense" in note for note in left_out)
    assert sum("constraint" in note for note in left_out) == 1
    assert sum("entity" in note for note in left_out) == 2


@pytest.mark.parametrize("intent", [None, [], ["other"], {"a": 1}, 5])
def test_no_listed_intent_is_an_error_that_lists_them(intent: object):
    with pytest.raises(DraftError, match="how-to, factual"):
        read_understanding({"intent": intent}, KNOWLEDGE)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(
            ["intent", "entities", "constraints", "implicit_needs", "sentiment", "keywords", "senses", "standalone"]
        ),
        json_values,
    )
)
def test_whatever_a_model_writes_is_read_or_refused(data: dict[str, object]):
    understanding, _ = read_understanding({**data, "intent": "factual"}, KNOWLEDGE)
    assert understanding.intent == ("factual",)
    assert len(understanding.implicit_needs) <= 6


def test_the_schema_lists_the_intents_and_limits_every_list():
    made = schema("single", KNOWLEDGE, ("synonym", "refine"), 8, batch=False)
    assert made["properties"]["intent"]["items"]["enum"] == ["how-to", "factual"]
    assert made["properties"]["queries"]["maxItems"] == 8
    assert set(json.loads(shape("single"))) == set(made["properties"]) == set(made["required"])
    assert "queries" not in schema("understand", KNOWLEDGE, (), 8, batch=False)["properties"]
    batch = schema("expand", KNOWLEDGE, ("synonym",), 8, batch=True)
    assert set(batch["properties"]["items"]["items"]["properties"]) == {"id", "result"}


def test_the_analysis_for_the_second_call_has_no_empty_parts():
    plain = analysis_json(Understanding(intent=("how-to",), keywords=("a",)))
    assert plain == {"intent": ["how-to"], "keywords": ["a"], "kind": "simple"}


def test_an_unknown_strategy_becomes_the_strictest_one():
    drafts = [SubQueryDraft(text="a", strategy="magic"), SubQueryDraft(text="b", strategy="synonym", target="web")]
    assert [(q.strategy, q.target) for q in read_queries(drafts, ("synonym", "refine"))] == [
        ("refine", "any"),
        ("synonym", "web"),
    ]


def test_a_model_may_use_what_the_profile_names_of_its_strategies():
    assert labels(("synonym", "spelling", "site")) == ("synonym", "site")
    assert labels(None) == labels(("spelling",)) == MODEL_STRATEGIES
    assert "site" not in labels(None, ("site",))
    assert labels(("synonym", "site"), ("synonym",)) == ("site",)
    assert labels(("site",), ("site",)) == MODEL_STRATEGIES


@pytest.mark.parametrize(
    ("allowed", "kept"),
    [
        (("synonym",), ["synonym"]),
        (("synonym", "refine"), ["synonym", "refine", "refine"]),
        (("translate",), []),
    ],
)
def test_a_kind_that_the_profile_leaves_out_goes(allowed: tuple[str, ...], kept: list[str]) -> None:
    drafts = [SubQueryDraft(text=name, strategy=name) for name in ("synonym", "refine", "generalize", "whatever")]
    assert [query.strategy for query in read_queries(drafts, allowed)] == kept
