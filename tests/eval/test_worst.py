"""Why a query lost: in one line, from what stands in the rows."""

from __future__ import annotations

from qx.eval.values import Row
from qx.eval.worst import reason
from qx.types import Degraded, SubQuery

from .planted import row

RAW = row("q", ["good", "b", "c", "d"], "no-expansion")
GRADES = {"good": 2, "also": 1, "b": 0}
QUERIES = (
    SubQuery(text="苹果 手机", strategy="original"),
    SubQuery(text="水果 营养", strategy="senses"),
    SubQuery(text="iphone", strategy="synonym"),
)


def of(found, *, raw=RAW, grades=GRADES, won=False, **fields):
    return reason(raw, row("q", found, queries=QUERIES, **fields), grades, won=won)


class TestLost:
    def test_says_which_document_fell_where_and_behind_whose_hits(self):
        said = of(["x:1", "y:1", "z:2", "good", "b", "c"])
        assert (
            "good (grade 2) fell from rank 1 to 4, behind 2 from senses “水果 营养” and 1 from synonym “iphone”" in said
        )
        assert "\n" not in said

    def test_says_where_it_was_lost_altogether(self):
        said = of(["x:1", "b", "c"])
        assert "good (grade 2) at rank 1 was lost, not in the 3 found, behind 1 from senses “水果 营养”" in said

    def test_blames_no_sub_query_where_the_original_put_something_else_first(self):
        assert (
            of(["b", "good", "c", "d"])
            == "good (grade 2) fell from rank 1 to 2, behind 1 that the raw query had below it"
        )

    def test_a_hit_that_several_brought_is_blamed_on_what_was_added(self):
        assert "behind 1 from synonym “iphone”" in of(["x:0,2", "good", "b"])

    def test_names_the_best_grades_first_and_counts_the_others(self):
        grades = {"good": 1, "b": 3, "c": 1, "d": 1}
        said = of(["x:1", "good", "b", "c", "d"], grades=grades)
        assert said.startswith("b (grade 3) fell from rank 2 to 3")
        assert "2 more relevant fell" in said

    def test_long_queries_are_cut_and_repeated_words_counted(self):
        weighted = SubQuery(text="list list list all el1 el1 " + "记录 管理 " * 40, strategy="rm3")
        said = reason(RAW, row("q", ["x:1", "good"], queries=(QUERIES[0], weighted)), GRADES)
        assert "behind 1 from rm3 “list×3 all el1×2 记录 管理 " in said
        assert "…”" in said
        assert len(said) < 160

    def test_an_empty_list(self):
        assert of([]) == "nothing was found; good (grade 2) was at rank 1"


class TestDrift:
    def test_a_query_that_fills_the_page_with_nothing_relevant(self):
        said = of(["x:1", "y:1", "z:1", "good", "also:2"])
        assert "drift: senses “水果 营养” has 3 of the first 10, none of them relevant" in said

    def test_is_not_said_of_one_that_brought_something(self):
        assert "drift" not in of(["x:1", "y:1", "also:1", "z:1", "good"])

    def test_nor_of_the_original(self):
        assert "drift" not in of(["x", "y", "z", "good"])


class TestCircumstances:
    def test_a_filter_that_was_read_from_the_query(self):
        assert "read as a filter: price <= 5000 CNY" in of(["b"], filters=("price <= 5000 CNY",))

    def test_what_degraded_and_what_was_noted(self):
        fallen = (Degraded(step="expand", rung="rules", reason="model timed out after 2 s"),)
        said = of(
            ["b", "good"], degraded=fallen, notes=("nothing met every condition; relaxed: price",), outcome="stale"
        )
        assert "degraded: expand fell to rules (model timed out after 2 s)" in said
        assert "relaxed: price" in said
        assert "outcome: stale" in said

    def test_that_it_was_left_alone(self):
        assert "left alone: an identifier" in of(["b", "good"], abstained="an identifier")

    def test_an_error_is_all_there_is_to_say(self):
        assert reason(RAW, Row(query="q", condition="shop", error="timed out"), GRADES) == "no result: timed out"

    def test_rows_that_are_missing(self):
        assert reason(RAW, None, GRADES) == "it was not searched"
        assert "the raw query has no result" in reason(None, row("q", ["good"]), GRADES)
        assert "refused" in reason(Row(query="q", condition="no-expansion", error="refused"), row("q", []), GRADES)

    def test_nothing_that_the_rows_know(self):
        assert "the same relevant documents" in of(["good", "b"])

    def test_places_that_the_row_has_not(self):
        assert of(["x:7", "good"]) == "good (grade 2) fell from rank 1 to 2, behind 1 that the raw query had below it"


class TestWon:
    def test_says_what_came_up_and_who_brought_it(self):
        said = of(["also:2", "good", "b"], won=True)
        assert said == "also (grade 1) came in to 1, by synonym “iphone”"

    def test_or_from_where(self):
        raw = row("q", ["b", "c", "good"], "no-expansion")
        assert of(["good:0,1", "b"], raw=raw, won=True) == "good (grade 2) came from rank 3 to 1, by senses “水果 营养”"
