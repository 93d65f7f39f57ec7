"""``qx search`` on a real index and on scripted engines: what is printed where, and with which exit code."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from rich.cells import cell_len

from engines import PLUGINS
from qx.backend import Document
from qx.cli import schemas
from qx.cli.results import facts_of, found_by, snippet_of
from qx.errors import Unavailable
from qx.serial import from_json
from qx.testing import ScriptedBackend
from qx.types import Found, Hit, SearchResult

from .conftest import Run
from .shop import write_shop

QUERY = "5000元以下、轻薄、续航好的笔记本电脑"
Show = Callable[[int], None]


@pytest.fixture
def shop(run: Run, own_folder: Path) -> Run:
    """The program in a folder with an index of the shop's products."""
    assert run("index", str(write_shop(own_folder)), "-p", "shop").code == 0
    return run


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Show:
    """Make the output that of a terminal with so many columns."""

    def show(columns: int) -> None:
        monkeypatch.setattr("qx.cli.output.is_terminal", lambda: True)
        monkeypatch.setenv("COLUMNS", str(columns))

    return show


@pytest.fixture
def scripted(run: Run, own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """The program with the profile ``two`` over scripted engines ``a``, ``b`` …"""
    monkeypatch.setattr("qx.plugins.Plugins.load", lambda *_, **__: PLUGINS)

    def over(*backends: ScriptedBackend, **settings: Any) -> Run:
        blocks = {}
        for name, backend in zip("abc", backends, strict=False):
            backend.named(f"cli-{name}")
            blocks[name] = {"type": "scripted", "instance": f"cli-{name}"} | settings
        profile = {"tenant": "two", "understand": {"mode": "rules"}, "search": {"backends": blocks}}
        (own_folder / "two.yaml").write_text(json.dumps(profile), encoding="utf-8")

        def search(*arguments: str) -> Any:
            for backend in backends:
                backend.closed = False  # by the run before
            return run("search", "-p", "two.yaml", *arguments)

        return search

    return over


def ids(out: str) -> list[str]:
    return [line.split("\t")[1] for line in out.splitlines()]


def test_a_pipe_gets_one_hit_a_line_and_nothing_else(shop: Run) -> None:
    result = shop("search", "-p", "shop", QUERY)
    assert result.code == 0
    assert result.out == "1\t1\t轻薄笔记本电脑 14寸\t\n2\t3\t学生笔记本电脑\t\n"
    assert "note: conditions: metadata.price <= 5000" in result.err
    quiet = shop("-q", "search", "-p", "shop", "thin laptop for travel")
    assert quiet.out.splitlines()[0] == "1\t4\tThin laptop, 14 inch\thttps://example.org/thin"
    assert quiet.err == ""


def test_one_json_document_of_the_published_shape(shop: Run) -> None:
    result = shop("search", "-p", "shop", "thin laptop or 云帆", "--json", "--facets", "brand")
    printed = json.loads(result.out)
    jsonschema.Draft202012Validator(schemas.schema("search")).validate(printed)
    assert from_json(SearchResult, result.out).hits[0].id == "4"
    assert {
        "hits", "rankings", "understanding", "expansion", "degraded", "partial", "usage", "trace"
    } <= set(printed)  # fmt: skip
    hit = printed["hits"][0]
    assert list(hit) == [
        "id", "backend", "title", "text", "url", "metadata", "score", "rank", "contributions", "highlights"
    ]  # fmt: skip
    assert list(hit["contributions"][0]) == ["query", "backend", "rank", "weight"]
    assert hit["metadata"] == {"price": 4999, "brand": "HP", "tags": ["light", "quiet"]}
    assert printed["partial"] is False
    assert "\\u" not in result.out
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schemas.schema("search")).validate({**printed, "partial": None})


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("laptop", "--no-expand"), {"4", "5"}),
        (("laptop", "--no-expand", "--limit", "1"), {"4"}),
        (("laptop", "--no-expand", "--limit", "1", "--offset", "1"), {"5"}),
        (("laptop", "--filter", "price > 5000"), {"5"}),
        (("电脑", "--filter", "brand = 云帆", "--filter", "price<3000"), {"3"}),
        (("", "--filter", "brand != HP"), {"1", "2", "3"}),
    ],
)
def test_which_part_of_the_list(shop: Run, options: tuple[str, ...], found: set[str]) -> None:
    result = shop("search", "-p", "shop", *options)
    if "--limit" in options:
        whole = ids(shop("search", "-p", "shop", "laptop", "--no-expand").out)
        found = {whole[1 if "--offset" in options else 0]}
    assert (result.code, set(ids(result.out))) == (0, found)


def test_an_order_and_counts(shop: Run) -> None:
    assert ids(shop("search", "-p", "shop", "", "--filter", "price > 0", "--sort", "price").out) == list("31425")
    assert ids(shop("search", "-p", "shop", "laptop", "--sort", "-price").out) == ["5", "4"]
    counted = json.loads(shop("search", "-p", "shop", "laptop", "--facets", "brand", "--json").out)
    assert counted["facets"] == {"brand": [["HP", 2]]}


@pytest.mark.parametrize("tty", [False, True], ids=["pipe", "terminal"])
def test_a_page_behind_the_end_is_not_nothing_found(shop: Run, terminal: Show, tty: bool):
    if tty:
        terminal(100)
    done = shop("search", "laptop", "-p", "shop", "--offset", "50")
    said = done.out + done.err
    assert done.code == 0
    assert "no more hits" in said
    assert "the list ends before hit 51: it has " in said
    assert "nothing found" not in said
    assert "tried in" not in said
    nothing = shop("search", "zzzzqq", "-p", "shop", "--offset", "50")
    assert "nothing found" in nothing.out + nothing.err


def test_a_price_may_be_written_with_its_sign(shop: Run):
    plain = shop("search", "laptop", "-p", "shop", "--no-expand", "--filter", "price < 6000")
    signed = shop("search", "laptop", "-p", "shop", "--no-expand", "--filter", "price < ¥6,000")
    assert plain.code == signed.code == 0
    assert plain.out == signed.out != ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--filter", "colour = red"), "no backend of the profile has a field 'colour'; known: brand, id, price"),
        (("--filter", "brnad = HP"), "did you mean 'brand'?"),
        (("--filter", "price ~ 5"), "write 'FIELD OP VALUE'"),
        (("--limit", "0"), "--limit"),
        (("--offset", "-1"), "--offset"),
    ],
)
def test_what_cannot_be_asked(shop: Run, options: tuple[str, ...], said: str) -> None:
    result = shop("search", "-p", "shop", "laptop", *options)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_a_profile_without_an_engine_and_an_index_that_is_not_there(run: Run, own_folder: Path) -> None:
    assert "names no search backend" in run("search", "x").err
    write_shop(own_folder)
    result = run("search", "-p", "shop", "x")
    assert (result.code, result.out) == (4, "")
    assert "make it with `qx index`" in result.err


def test_no_hits_say_what_was_tried(shop: Run) -> None:
    result = shop("search", "-p", "shop", "zebra unicorn under $500")
    assert (result.code, result.out) == (0, "")
    assert "note: nothing found" in result.err
    assert "note: tried in products: “zebra unicorn under $500”" in result.err
    assert "stored in CNY, not in USD" in result.err


def test_a_long_query_that_found_nothing_is_not_said_again_in_full(shop: Run) -> None:
    result = shop("search", "-p", "shop", "(" * 5000)
    assert "note: tried in products: “((((" in result.err
    assert max(map(len, result.err.splitlines())) < 400


def test_an_empty_query_finds_nothing_and_says_why(shop: Run) -> None:
    result = shop("search", "-p", "shop", "")
    assert (result.code, result.out) == (0, "")
    assert "an empty query finds nothing" in result.err
    assert json.loads(shop("search", "-p", "shop", " ", "--json").out)["hits"] == []


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_the_list_on_a_terminal(shop: Run, terminal: Show, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    terminal(columns)
    out = shop("search", "-p", "shop", "续航 light laptop", "--facets", "brand").out
    lines = out.splitlines()
    assert [line for line in lines if cell_len(line) > columns] == []
    assert lines[0] == "续航 light laptop"
    assert lines[1].startswith("hits 1–3 · the query as typed")
    text = " ".join(out.split())
    assert "[续航]十八小时" in text.replace(" ", "")
    for said in ("A [light] notebook", "https://example.org/thin", "price: 4999 · brand: HP", "your query #1", "HP 2"):
        assert said in text, said


def test_a_terminal_is_told_what_the_list_is_like(shop: Run, terminal: Show) -> None:
    terminal(100)
    assert "conditions: metadata.price <= 5000" in shop("search", "-p", "shop", QUERY).out
    assert "conditions" not in shop("-q", "search", "-p", "shop", QUERY).out
    out = shop("search", "-p", "shop", "zebra").out
    assert out.splitlines()[:2] == ["zebra", "nothing found"]
    assert "tried in products: “zebra”" in out


def test_what_a_document_says_does_not_steer_the_terminal(scripted: Callable[..., Run], terminal: Show) -> None:
    hostile = "\x1b[2J\x1b]0;owned\x07 [red]x[/red] \u202egnp.exe\n\r1\t9\tforged"
    bad = Document(id=hostile, title=hostile, text=hostile, url=f"https://e.org/{hostile}", metadata={"k": "\x1b[31m"})
    search = scripted(ScriptedBackend(default=(bad,)))
    piped = search("x")
    terminal(80)
    shown = search("x")
    for result in (piped, shown):
        assert result.code == 0
        assert not any(c in result.out for c in "\x1b\x07\r\u202e")
        assert "[red]x[/red]" in result.out
    assert len(piped.out.splitlines()) == 1


def test_one_engine_of_two_failing_costs_its_own_hits_only(scripted: Callable[..., Run]) -> None:
    good = ScriptedBackend(default=(Document(id="1", title="one"),))
    search = scripted(good, ScriptedBackend(default=Unavailable("b is down for repairs")))
    result = search("squeaky brake")
    assert (result.code, ids(result.out)) == (0, ["1"])
    assert "note: partial: b: " in result.err
    assert "b is down for repairs" in result.err
    assert json.loads(search("squeaky brake", "--json").out)["partial"].endswith("b is down for repairs")


def test_all_engines_failing_is_an_error_with_each_cause(scripted: Callable[..., Run]) -> None:
    down = [ScriptedBackend(default=Unavailable(f"{name} is down")) for name in "ab"]
    for more in ((), ("--json",)):
        result = scripted(*down)("squeaky brake", *more)
        assert (result.code, result.out) == (4, "")
        assert "a is down" in result.err
        assert "b is down" in result.err


def test_an_engine_that_cannot_filter_is_named(scripted: Callable[..., Run]) -> None:
    fields = {"brand": "metadata.brand"}
    able = ScriptedBackend(default=(Document(id="1", metadata={"brand": "HP"}),))
    unable = ScriptedBackend(default=(Document(id="2"),), filters=False)
    result = scripted(able, unable, fields=fields)("laptop", "--filter", "brand = HP")
    assert (result.code, ids(result.out)) == (0, ["1"])
    assert "note: not searched: b: it cannot apply the caller's filter" in result.err


def test_who_found_a_hit() -> None:
    found = (
        Found(query="light laptop", backend="b", rank=7, weight=1.0),
        Found(query="notebook", backend="a", rank=1, weight=0.1),
    )
    hit = Hit(id="1", backend="a", contributions=found * 3)
    assert found_by(hit, SearchResult(hits=(hit,))) == "“notebook” #1, “notebook” #1, “notebook” #1, and 3 more"
    browsed = Hit(id="1", backend="a", contributions=(Found(query="", backend="a", rank=2, weight=1.0),))
    assert found_by(browsed, SearchResult(hits=())) == "the conditions #2"


def test_a_snippet_and_the_facts() -> None:
    long = Hit(id="1", backend="a", text="字" * 500)
    assert snippet_of(long) == ("字" * 159 + "…", ())
    assert facts_of({"a": 1, "b": "", "c": ["x", "y"], "d": {"no": 1}, "e": "z" * 50, "f": True}) == (
        "a: 1 · c: x, y · f: True"
    )


def test_everything_is_listed_where_it_is_asked_for(shop: Run) -> None:
    listed = shop("search", "-p", "shop", "", "--all", "--sort", "price", "--limit", "2")
    assert ids(listed.out) == ["3", "1"]
    assert json.loads(shop("search", "-p", "shop", "", "--all", "--json").out)["total"] == 5
    assert shop("search", "-p", "shop", "").out == ""
    assert "--all" in shop("search", "-p", "shop", "").err
    narrowed = shop("search", "-p", "shop", "", "--all", "--filter", "brand in HP, 云帆", "--sort", "-price")
    assert ids(narrowed.out) == ["5", "4", "1", "3"]
    words = shop("search", "-p", "shop", "laptop", "--all")
    assert words.code == 2
    assert "empty query" in words.err


def test_counts_are_told_beside_a_pipe(shop: Run) -> None:
    result = shop("search", "-p", "shop", "", "--all", "--facets", "brand")
    assert "note: brand: HP 2, 云帆 2, 雷霆 1\n" in result.err
    assert len(ids(result.out)) == 5
    assert shop("-q", "search", "-p", "shop", "", "--all", "--facets", "brand").err == ""


def test_a_pager_is_told_whether_more_follow(shop: Run) -> None:
    pages = [
        json.loads(shop("search", "-p", "shop", "laptop 笔记本电脑", "--limit", "2", "--offset", str(at), "--json").out)
        for at in (0, 2, 4, 6)
    ]
    found = [hit["id"] for page in pages for hit in page["hits"]]
    assert len(set(found)) == len(found)
    assert [page["more"] for page in pages] == [len(found) > end for end in (2, 4, 6, 8)]


def test_an_id_is_found_and_filtered_by(shop: Run) -> None:
    assert ids(shop("search", "-p", "shop", "4").out) == ["4"]
    assert ids(shop("search", "-p", "shop", "", "--filter", "id in 4, 2, 9", "--sort", "price").out) == ["4", "2"]
