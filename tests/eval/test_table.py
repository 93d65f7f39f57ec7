"""The report in a terminal and in a pipe."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from qx.cli.report_table import write
from qx.eval.reporting import report
from qx.eval.table import points, tables, worst_rows

from .planted import of, planted

MEASURES = ("ndcg@10", "recall@100", "zero-results", "unique-useful")


@pytest.fixture(scope="module")
def made():
    data, ways, rows = planted({"shop": 0.5, "less": -0.3})
    return report(data, ways, of(rows), MEASURES)


def drawn(made, width=140):
    out = io.StringIO()
    write(made, Console(file=out, width=width, highlight=False))
    return out.getvalue()


def test_figures_are_points_and_documents():
    assert points("ndcg@10", 0.41234) == "41.2"
    assert points("zero-results", 0.031) == "3.1"
    assert points("unique-useful", 1.256) == "1.26"
    assert points("mean-grade@10", 2.0) == "2.00"


def test_a_pipe_gets_tab_separated_lines(made, capsys):
    write(made)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "# means"
    assert lines[1] == "condition\tndcg@10\trecall@100\tzero-results\tunique-useful"
    assert lines[2].startswith("no-expansion\t")
    header = next(line for line in lines if line.startswith("against\t")).split("\t")
    rows = [line.split("\t") for line in lines if line.startswith("no-expansion\tshop\t")]
    assert rows
    assert all(len(row) == len(header) == 10 for row in rows)
    assert lines[-3].startswith("shop: expansion helps: +")
    assert lines[-2].startswith("less: expansion hurts: -")
    assert lines[-1].startswith("less is worse than shop: -")


def test_a_terminal_gets_tables_and_the_decision_last(made):
    said = drawn(made)
    assert "planted 商店: 120 queries" in said
    for title in (
        "means",
        "differences, with 95 % intervals",
        "by kind of query",
        "by language",
        "what each strategy brought",
    ):
        assert title in said
    assert min(made.worst, key=lambda w: w.after - w.before).text in said
    assert said.rstrip().splitlines()[-1].startswith("less is worse than shop")


def test_a_narrow_terminal_loses_no_figure(made):
    said = drawn(made, width=60)
    assert max(map(len, said.splitlines())) <= 60
    assert "differences, with 95 % intervals, continued" in said
    for table in tables(made):
        for row in table.rows:
            assert all(cell in said for cell in row[table.words :])
        for name in table.header[table.words :]:
            assert name in said


def test_what_a_terminal_would_obey_is_not_printed(made, capsys):
    worst = (replace(made.worst[0], text="\x1b[31mred\u202e", reason="a\nb\x07"),)
    hostile = replace(made, dataset="[bold]\x1b]0;title\x07", worst=worst, notes=("[link=https://example.org]x",))
    for said in (drawn(hostile), (write(hostile), capsys.readouterr().out)[1]):
        assert "\x1b" not in said
        assert "\x07" not in said
        assert "\u202e" not in said
        assert "[link=" in said  # shown, not obeyed


def test_one_kind_needs_no_table(made):
    one = tuple(replace(c, kinds={"simple": c.kinds["simple"]}, languages={}) for c in made.conditions)
    titles = [table.title for table in tables(replace(made, conditions=one))]
    assert "by kind of query" not in titles
    assert "by language" not in titles


def test_where_less_is_better_the_worst_are_those_with_more(made):
    lost = [
        replace(made.worst[0], query=name, measure="zero-results", before=before, after=after)
        for name, before, after in (("little", 0.5, 0.6), ("most", 0.0, 1.0), ("more", 0.2, 0.6))
    ]
    rows = worst_rows(replace(made, worst=tuple(lost)))
    assert [row[1].split()[0] for row in rows] == ["most", "more", "little"]


def test_what_is_not_known_is_a_dash(made):
    bare = tuple(replace(c, measures={}, kinds={}, languages={}) for c in made.conditions)
    table = next(iter(tables(replace(made, conditions=bare))))
    assert set(table.rows[0][1:]) == {"-"}
