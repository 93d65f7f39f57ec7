import pytest

from qx.ranking import Ranking
from qx.searching.rewriting import arrange, rewrite
from qx.settings import RewriteRule
from qx.types import Hit, Query


def rules(*blocks: dict[str, object]) -> list[RewriteRule]:
    return [RewriteRule.model_validate(block) for block in blocks]


def test_words_are_replaced_and_queries_added():
    done = rewrite(
        Query(text="cheap IPHONE  case"),
        rules({"match": "iphone", "replace": "apple phone", "add": ["apple smartphone"]}),
    )
    assert done.query.text == "cheap apple phone case"
    assert done.add == ("apple smartphone",)
    assert "iphone" in done.notes[0]


@pytest.mark.parametrize(
    ("match", "text", "found"),
    [
        ("tv", "smart TV", True),
        ("tv", "tvs", False),
        ("smart tv", "smart  tv stand", True),
        ("smart tv", "tv smart", False),
        ("电视", "小米电视多少钱", True),
        ("ＴＶ", "tv", True),
        ("", "tv", False),
        ("a.c", "abc", False),
        ("a.c", "A.C", True),
    ],
)
def test_a_rule_matches_words_not_letters(match: str, text: str, found: bool):
    assert bool(rewrite(Query(text=text), rules({"match": match, "add": ["x"]})).add) is found


def test_each_rule_sees_what_the_ones_before_it_left():
    done = rewrite(
        Query(text="tv"), rules({"match": "tv", "replace": "television"}, {"match": "television", "pin": ["1"]})
    )
    assert done.query.text == "television"
    assert done.pin == ("1",)


def ranking(*ids: str) -> Ranking:
    return Ranking(
        query=None,
        backend=None,
        keys=tuple(f"b:{id}" for id in ids),
        scores=tuple(1 / n for n in range(1, len(ids) + 1)),
        hit=lambda i: Hit(id=ids[i], backend="b"),
    )


def test_pinned_hits_come_first_in_their_order_and_blocked_ones_never():
    done = rewrite(Query(text="tv"), rules({"match": "tv", "pin": ["d", "nowhere", "c"], "block": ["a"]}))
    arranged = arrange(ranking("a", "b", "c", "d"), done)
    assert [arranged.hit(i).id for i in range(len(arranged.keys))] == ["d", "c", "b"]
    assert list(arranged.scores) == sorted(arranged.scores, reverse=True)
    assert arranged.dropped == (("b:a", "blocked by a rule"),)


def test_without_a_rule_nothing_changes():
    done = rewrite(Query(text="radio"), rules({"match": "tv", "pin": ["d"], "block": ["a"]}))
    before = ranking("a", "b")
    assert arrange(before, done) is before
    assert done.query.text == "radio"
    assert done.notes == ()
