"""Expressions and filters as Query DSL, without a node."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("qx_elasticsearch")

from qx.backend import Boost, Document, SearchRequest, Sort
from qx.errors import BadRequest, UsageError
from qx.filters import And as AllOf
from qx.filters import Compare, Exists, Not
from qx.filters.fieldmap import StoredField
from qx.serial import replace
from qx.syntax import And, Expression, Field, Or, Phrase, Range, Site, Terms, parse
from qx.testing.conformance.backend import FIELDS, NASTY, generated
from qx_elasticsearch import schema
from qx_elasticsearch.answer import counted
from qx_elasticsearch.backend import Settings
from qx_elasticsearch.body import SPELLED, search_body
from qx_elasticsearch.catalog import Catalog, read
from qx_elasticsearch.documents import source_of
from qx_elasticsearch.filtering import inexpressible
from qx_elasticsearch.wording import CLAUSES, capped, pieces, pruned

GRAMMARS = {"query_string", "simple_query_string", "wildcard", "script", "fuzzy"}


def own(**settings: Any) -> Catalog:
    """The catalog of an index that qx made."""
    body = schema.index_body(Settings(index="i", **{"fields": FIELDS, **settings}), fingerprint="f", dimensions=4)
    return read({"i-000001": {"mappings": body["mappings"]}})


FOREIGN = read(
    {
        "shop": {
            "mappings": {
                "properties": {
                    "name": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
                    "description": {"type": "text"},
                    "link": {"type": "keyword"},
                    "price_cents": {"type": "long"},
                    "released": {"type": "date"},
                    "attributes": {"type": "flattened"},
                    "offers": {"type": "nested", "properties": {"seller": {"type": "keyword"}}},
                }
            }
        }
    }
)
FOREIGN_FIELDS = {
    "title": StoredField(name="name", boost=3),
    "text": StoredField(name="description"),
    "url": StoredField(name="link"),
    "price": StoredField(name="price_cents", scale=100),
    "published": StoredField(name="released"),
    "seller": StoredField(name="offers.seller"),
}


def body(expression: Expression | str, catalog: Catalog | None = None, fields: Any = None, **wanted: Any) -> Any:
    """The body of a request, with what could not be expressed."""
    found = expression if not isinstance(expression, str) else parse(expression)
    request = SearchRequest(text="", expression=found, **wanted)
    catalog = catalog or own()
    completed = catalog.complete(fields or (FIELDS if catalog.own else FOREIGN_FIELDS))
    return search_body(request, catalog, completed, match="cross_fields", highlight=True)


def by_words(query: Mapping[str, Any]) -> Mapping[str, Any]:
    """What looks for words, without the alternative that a document is called so."""
    either = query.get("bool", {}).get("should", ())
    return either[0] if len(either) == 2 and "ids" in either[1] else query


def nodes(item: object) -> Iterator[Mapping[str, Any]]:
    """Every mapping in a body."""
    if isinstance(item, Mapping):
        yield item
        for inner in item.values():
            yield from nodes(inner)
    elif isinstance(item, list):
        for inner in item:
            yield from nodes(inner)


def clauses(item: object) -> int:
    """About how many clauses Lucene makes of a body's words."""
    count = 0
    for node in nodes(item):
        match = node.get("multi_match")
        if match:
            words = 1 if match["type"] == "phrase" else sum(len(pieces(w)) for w in match["query"].split())
            count += words * len(match["fields"])
    return count


@pytest.mark.parametrize("text", NASTY)
def test_text_is_never_in_a_grammar(text: str) -> None:
    for expression in (parse(text), Terms(words=(text,)), Phrase(text=text)):
        found = body(expression)
        assert not GRAMMARS & {name for node in nodes(found.query) for name in node}
        json.dumps(found.query, ensure_ascii=False).encode()
        assert clauses((found.query or {}).get("query")) <= CLAUSES * 1.1


def test_nothing_asked_for_is_nothing() -> None:
    for expression in ("", "...", '"***"', "-", Terms(words=()), And(parts=()), Or(parts=()), Phrase(text=" ")):
        assert body(expression).query is None


def test_exclusions_alone_ask_for_nothing_unless_there_is_a_filter() -> None:
    assert body("-red").query is None
    assert body("-red", filter=Compare(field="metadata.price", op="lt", value=10)).query is not None


def test_what_matched_is_marked_only_where_somebody_looks() -> None:
    assert "highlight" in body("red shoes").query
    assert "highlight" not in body("red shoes", highlights=False).query


def test_nothing_asked_for_with_a_filter_is_a_filter() -> None:
    found = body("", filter=Exists(field="metadata.price"))
    assert found.query["query"] == {"bool": {"filter": [_exists("typed.price", "open.price")]}}
    assert found.query["track_total_hits"] is True


def _exists(*names: str) -> dict[str, Any]:
    return {"bool": {"should": [{"exists": {"field": n}} for n in names], "minimum_should_match": 1}}


def test_three_hundred_terms_with_twenty_synonyms_stay_under_the_limit() -> None:
    groups = tuple(Or(parts=tuple(Terms(words=(f"w{i}x{j}",)) for j in range(20))) for i in range(300))
    for expression in (Or(parts=groups), And(parts=groups)):
        found = body(expression)
        assert 0 < clauses(found.query["query"]) <= CLAUSES
        assert any("words too many" in part for part in found.unexpressed)
    every = json.dumps(body(And(parts=groups)).query)
    assert all(f"w{i}x0" in every for i in range(300)), "each of the parts keeps its first word"


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=300), st.integers(1, 40))
def test_the_cap_holds_for_any_text(text: str, most: int) -> None:
    expression, lost = capped(pruned(parse(text)), most)
    words = [w for part in _terms(expression) for w in part.words]
    runs = len(list(_terms(pruned(parse(text)))))
    assert sum(len(pieces(w)) for w in words) <= max(most, runs)
    asked = [w for part in _terms(pruned(parse(text))) for w in dict.fromkeys(part.words)]
    assert lost == max(0, len(asked) - len(words))


def _terms(expression: Any) -> Iterator[Terms]:
    if isinstance(expression, Terms):
        yield expression
    for part in getattr(expression, "parts", ()):
        yield from _terms(part)
    if hasattr(expression, "expression"):
        yield from _terms(expression.expression)


def test_a_compound_is_looked_for_as_a_whole_too() -> None:
    query = by_words(body("error POL-358").query["query"])["bool"]
    assert query["must"][0]["multi_match"]["query"] == "error POL-358"
    assert [q["multi_match"]["query"] for q in query["should"]] == ["POL-358"]


def test_a_word_or_a_code_may_be_the_id_of_a_document() -> None:
    _, called = body("error POL-358").query["query"]["bool"]["should"]
    assert called["ids"]["values"] == ["POL-358", "pol-358"]
    assert "ids" not in str(body("how do i reset").query)
    assert body("-POL-358 laptop").query["query"]["bool"]["filter"][0]["bool"]["must_not"][0].keys() == {"multi_match"}


def test_function_words_are_left_out_unless_they_are_all() -> None:
    assert body("how do i reset").query["query"]["multi_match"]["analyzer"] == schema.WORDS
    assert "analyzer" not in body("who are you?").query["query"]["multi_match"]
    assert "analyzer" not in by_words(body("how", FOREIGN).query["query"])["multi_match"]


@pytest.mark.parametrize("text", ["a)*", "*a*", "(the)", "to-be", "“how”", "Ａ", "a/the", "What’s"])
def test_function_words_with_signs_are_looked_for_as_they_are(text: str) -> None:
    for expression in (Terms(words=(text,)), Terms(words=(text, "of"))):
        match = next(node["multi_match"] for node in nodes(body(expression).query) if "multi_match" in node)
        assert "analyzer" not in match
    assert any(node.get("analyzer") == schema.WORDS for node in nodes(body(Terms(words=(text, "laptop"))).query))


def test_an_order_by_ids_or_texts_is_refused_before_the_call_and_a_list_is_asked_as_far_as_it_goes() -> None:
    for field in ("id", "text"):
        with pytest.raises(UsageError, match=rf"sort.*|ids|'{field}'"):
            body("red", sort=(Sort(field=field),))
    with pytest.raises(UsageError, match="sort by another field"):
        body("red", FOREIGN, sort=(Sort(field="_id"),))
    assert body("red", limit=100, offset=9_900).query["from"] == 9_900
    assert body("red", limit=100, offset=9_900).cut is None
    for offset, start, size in ((9_901, 9_901, 99), (50_000, 10_000, 0)):
        made = body("red", limit=100, offset=offset)
        assert (made.query["from"], made.query["size"], made.cut) == (start, size, 10_000)
    assert body("red", FOREIGN, limit=100, offset=50_000).cut is None  # it may have another limit: the engine says


def test_an_index_may_have_longer_lists() -> None:
    for wanted in (
        {"max_result_window": 50_000},
        {"index.max_result_window": "50000"},
        {"index": {"max_result_window": 50_000}},
    ):
        assert Settings(index="i", index_settings=wanted).window == 50_000
    assert Settings(index="i", index_settings={"number_of_shards": 1}).window is None


@pytest.mark.parametrize(
    ("key", "source", "said"),
    [
        ("2022-01-01T00:00:00.000Z", "2022-01-01", "2022-01-01"),
        ("2022-01-01T00:00:00.000Z", ["1999-01-01", "2022-01-01T01:00:00+01:00"], "2022-01-01T01:00:00+01:00"),
        ("2022-01-01T00:00:00.000Z", 5, "2022-01-01"),
        ("2022-01-01T08:30:00.000Z", None, "2022-01-01T08:30:00Z"),
        ("2022-01-01T08:30:00.125Z", None, "2022-01-01T08:30:00.125Z"),
    ],
)
def test_dates_are_counted_as_they_were_stored(key: str, source: object, said: str) -> None:
    found = body("red", facets=("metadata.released",)).query["aggs"]["0"]
    assert found["aggs"][SPELLED]["top_hits"]["_source"] == {"includes": ["metadata.released"]}
    assert "aggs" not in body("red", facets=("metadata.brand",)).query["aggs"]["0"]
    hits = [] if source is None else [{"_source": {"metadata": {"released": source}}}]
    bucket = {"key": 1, "key_as_string": key, "doc_count": 3, SPELLED: {"hits": {"hits": hits}}}
    assert list(counted([bucket], open=False, kept="metadata.released")) == [(said, 3)]
    assert list(counted([{"key": 1, "key_as_string": "true", "doc_count": 1}], open=False)) == [("true", 1)]


def test_operators() -> None:
    query = body('laptop "solid state" (red OR blue) -refurbished site:shop.example').query["query"]["bool"]
    required = [by_words(part)["multi_match"] for part in query["must"][0]["bool"]["must"]]
    assert [(m["type"], m["query"]) for m in required] == [
        ("cross_fields", "laptop"), ("phrase", "solid state"), ("cross_fields", "red blue"),
    ]  # fmt: skip
    excluded, site = query["filter"]
    assert excluded["bool"]["must_not"][0]["multi_match"]["type"] == "phrase"
    assert site == {"bool": {"filter": [{"term": {"host": "shop.example"}}]}}


def test_a_site_with_a_path_and_a_file_type() -> None:
    path = body(And(parts=(Terms(words=("x",)), Site(host="github.com/python/")))).query["query"]["bool"]["filter"][0]
    assert path["bool"]["filter"][0] == {"term": {"host": "github.com"}}
    assert {"prefix": {"path": "/python/"}} in path["bool"]["filter"][1]["bool"]["should"]
    kind = body("x filetype:PDF").query["query"]["bool"]["filter"]
    assert kind == [{"term": {"extension": "pdf"}}]


def test_sites_of_a_foreign_index_match_its_url() -> None:
    (found,) = body("x site:e.org/a.b", FOREIGN).query["query"]["bool"]["filter"]
    assert found["regexp"]["link"]["value"] == r"[a-zA-Z]+://([^/?#]*[.])?e\.org(:[0-9]+)?/a\.b([/?#].*)?"
    without = {name: stored for name, stored in FOREIGN_FIELDS.items() if name != "url"}
    assert body("x site:e.org", FOREIGN, without).unexpressed == ("site:e.org",)


def test_fields_before_a_colon() -> None:
    assert by_words(body("intitle:jacket").query["query"])["multi_match"]["fields"] == ["title"]
    term = body("author:smith").query["query"]["term"]
    assert term == {"open.author": {"value": "ssmith", "case_insensitive": True}}
    foreign = body(Field(name="author", expression=Terms(words=("smith",))), FOREIGN)
    assert foreign.unexpressed == ("author:smith",)
    assert by_words(foreign.query["query"])["multi_match"]["query"] == "smith"


def test_ranges_among_alternatives_are_lowered() -> None:
    either = Or(parts=(Terms(words=("cheap",)), Range(field="price", low=None, high=20)))
    found = body(either, FOREIGN).query["query"]["bool"]["should"]
    assert found[1] == {"range": {"price_cents": {"lte": 2000}}}
    unknown = body(Or(parts=(Terms(words=("x",)), Range(field="weight", low=1))), FOREIGN)
    assert unknown.unexpressed == ("weight:1..",)


def test_foreign_fields_get_their_types_from_the_mapping() -> None:
    completed = FOREIGN.complete(FOREIGN_FIELDS)
    assert {n: f.type for n, f in completed.items()} == {
        "title": "text", "text": "text", "url": "keyword", "price": "number", "published": "date", "seller": "keyword",
    }  # fmt: skip


def test_filters_of_a_foreign_index() -> None:
    def compiled(field: str, op: Any, value: Any) -> Any:
        found = body("", FOREIGN, filter=Compare(field=field, op=op, value=value))
        return found.query["query"]["bool"]["filter"][0]

    assert compiled("name", "eq", "HP") == {"term": {"name.raw": "HP"}}
    assert compiled("attributes.colour", "in", ("red", "blue")) == {"terms": {"attributes.colour": ["red", "blue"]}}
    nested = compiled("offers.seller", "eq", "x")
    assert nested["nested"]["path"] == "offers"
    assert compiled("price_cents", "eq", "dear") == {"match_none": {}}
    date = compiled("released", "lt", "2023-05-01")
    assert date["range"]["released"]["lt"] == "2023-05-01T00:00:00.000000"


def test_a_text_without_exact_values_cannot_be_filtered_sorted_or_counted() -> None:
    leaf = Compare(field="description", op="eq", value="x")
    other = Compare(field="price_cents", op="eq", value=1)
    assert inexpressible(AllOf(filters=(leaf, other)), FOREIGN) == (leaf,)
    assert inexpressible(Exists(field="description"), FOREIGN) == ()
    for wanted in ({"filter": leaf}, {"sort": (Sort(field="description"),)}, {"facets": ("description",)}):
        with pytest.raises((BadRequest, UsageError), match="description"):
            body("x", FOREIGN, **wanted)


@pytest.mark.parametrize("field", ["metadata.brand", "metadata.anything", "id"])
@pytest.mark.parametrize("count", [9_999, 10_050, 70_000])
def test_no_value_of_a_list_is_left_out(field: str, count: int) -> None:
    wanted = tuple(f"v{i}" for i in range(count))
    for tree in (Compare(field=field, op="in", value=wanted), Not(filter=Compare(field=field, op="in", value=wanted))):
        assert inexpressible(tree, own()) == ()
        found = body("", filter=tree).query
        lists = [
            value for node in nodes(found) for value in node.values() if isinstance(value, list) and len(value) > 9
        ]
        assert str(lists[-1][-1]).endswith(wanted[-1])
        assert sum(map(len, lists)) == count
        assert field == "id" or max(map(len, lists)) <= 65_536, "what one `terms` query may hold"


def test_a_list_of_more_dates_than_there_may_be_clauses_is_inexpressible_rather_than_cut() -> None:
    days = tuple((date(2000, 1, 1) + timedelta(days=i)).isoformat() for i in range(2_000))
    for field in ("metadata.released", "metadata.anything"):
        few = Compare(field=field, op="in", value=days[:500])
        assert inexpressible(few, own()) == ()
        assert days[499] in json.dumps(body("", filter=few).query)
        many = Compare(field=field, op="in", value=days)
        assert inexpressible(Not(filter=many), own()) == (Not(filter=many),)
        with pytest.raises(BadRequest, match="dates"):
            body("", filter=many)
    assert inexpressible(Compare(field="metadata.brand", op="in", value=days), own()) == ()


def test_generated_filters_compile() -> None:
    from qx.filters.fieldmap import lower

    for seed in range(100):
        tree = lower(generated(seed, depth=3), FIELDS).filter
        for catalog in (own(), own(fields={})):
            if tree is not None:
                query = body("", catalog, filter=tree).query
                assert query
                assert json.loads(json.dumps(query)) == query


def test_boosts_multiply() -> None:
    found = body("shoes", boosts=(Boost(field="metadata.brand", value="HP", weight=2.5),)).query["query"]
    assert found["function_score"]["functions"] == [{"filter": {"term": {"typed.brand": "HP"}}, "weight": 2.5}]
    assert found["function_score"]["boost_mode"] == "multiply"


def test_sorting_and_paging() -> None:
    found = body("shoes", sort=(Sort(field="metadata.price", descending=True),), limit=5, offset=10).query
    assert found["sort"] == [{"typed.price": {"order": "desc", "missing": "_last", "unmapped_type": "keyword"}}]
    assert (found["size"], found["from"]) == (5, 10)


def test_a_vector_search_keeps_filters_and_exclusions() -> None:
    import struct

    vector = struct.pack("<4f", 1, 2, 3, 4)
    found = body("shoes -red", target="vector", vector=vector, filter=Exists(field="metadata.x"), limit=10, offset=5)
    assert "query" not in found.query
    assert (found.query["knn"]["k"], found.query["knn"]["query_vector"]) == (15, [1, 2, 3, 4])
    assert len(found.query["knn"]["filter"]) == 2
    with pytest.raises(UsageError, match="embedder"):
        body("shoes", target="vector")
    with pytest.raises(BadRequest, match="no vectors"):
        body("shoes", FOREIGN, target="vector", vector=vector)
    with pytest.raises(UsageError, match="direction"):
        body("shoes", target="vector", vector=struct.pack("<4f", 0, 0, 0, 0))


def test_a_profile_of_another_engine_means_the_documents_own_title_and_text() -> None:
    fields = {"title": StoredField(name="name", boost=3), "text": StoredField(name="description")}
    catalog = own(fields=fields)
    assert by_words(body("x", catalog, fields).query["query"])["multi_match"]["fields"] == ["title^3", "text", "values"]


def test_traditional_texts_weigh_as_texts_whatever_a_keyword_field_weighs() -> None:
    fields = {"author": StoredField(name="metadata.author", type="keyword", boost=5)}
    catalog = own(fields=fields)
    found = by_words(body("x", catalog, fields).query["query"])["multi_match"]["fields"]
    assert found == ["title^2", "text", "values^5", "simplified"]
    made = source_of(Document(id="1", title="會議室", text="plain", metadata={"author": "張三"}), catalog, fields)
    assert (made["values"], made["simplified"]) == (["張三", "张三"], ["会议室"])
    older = replace(catalog, mapped={name: m for name, m in catalog.mapped.items() if name != "simplified"})
    made = source_of(Document(id="1", title="會議室", text="plain", metadata={"author": "張三"}), older, fields)
    assert (made["values"], "simplified" in made) == (["張三", "张三", "会议室"], False)


def test_an_index_of_an_earlier_qx_tells_the_fields_whose_words_it_lacks() -> None:
    typed = StoredField(name="metadata.author", type="keyword")
    fields = {
        "author": typed,
        "genre": StoredField(name="metadata.genre"),
        "year": StoredField(name="y", type="number"),
    }
    catalog = own(fields=fields)
    assert catalog.behind(fields) == ()
    assert catalog.behind(
        {**fields, "tag": StoredField(name="tag"), "shelf": StoredField(name="s", type="keyword")}
    ) == (
        "tag",
        "s",
    )
    older = replace(catalog, mapped={name: m for name, m in catalog.mapped.items() if name != "values"})
    assert older.behind(fields) == ("author", "genre")
    assert FOREIGN.behind(fields) == ()
