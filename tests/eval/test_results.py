"""``benchmarks/results.py`` from end to end: three queries of each set, and a model that is scripted."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import qx.testing.plugin
from qx.eval.values import WorstQuery
from qx.plugins import Plugins
from qx.testing import ScriptedLLM

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
ANSWER = json.dumps(
    {
        "intent": ["how-to"],
        "entities": [],
        "constraints": [],
        "implicit_needs": [],
        "sentiment": {"label": "neutral", "intensity": 0.0},
        "stance": "neutral",
        "keywords": [],
        "negations": [],
        "senses": [],
        "kind": "simple",
        "standalone": None,
        "queries": [
            {"text": "notebook computer review", "strategy": "synonym", "target": "any", "why": "as people say"}
        ],
    }
)


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModuleType]:
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not beside the tests")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    yield importlib.import_module("results")
    for name in ("results", "results_page", "sets"):
        sys.modules.pop(name, None)


def beir(folder: Path, documents: list[dict[str, Any]], queries: dict[str, list[str]]) -> None:
    folder.mkdir(parents=True)
    (folder / "corpus.jsonl").write_text("".join(json.dumps(document) + "\n" for document in documents))
    texts = list(queries)
    rows = [{"_id": f"q{n}", "text": text} for n, text in enumerate(texts)]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    grades = [f"q{n}\t{id}\t1\n" for n, text in enumerate(texts) for id in queries[text]]
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(grades))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    brands = ("Acer", "Dell", "Asus")
    goods = [
        {
            "_id": f"{kind}{n}",
            "title": f"{brands[n % 3]} {kind} {n}",
            "text": "a machine to work with",
            "metadata": {
                "brand": brands[n % 3],
                "price_cents": 5000 * n,
                "attributes": {"internal_memory": 4 * (n % 3)},
            },
        }
        for kind in ("laptop", "monitor")
        for n in range(30)
    ]
    beir(folder / "shop", goods, {"acer laptop": ["laptop0"], "dell monitor": ["monitor1"], "asus laptop": ["laptop2"]})
    papers = [
        {"_id": f"p{n}", "title": title, "text": "printed"}
        for n, title in enumerate(("打印机卡纸", "墨盒", "compilers"))
    ]
    beir(folder / "papers", papers, {"打印机 卡纸": ["p0"], "墨盒": ["p1"], "compilers": ["p2"]})
    return folder


async def test_the_page_has_every_set_and_the_model(results: ModuleType, data: Path):
    model = ScriptedLLM(lambda _: ANSWER).named("results")
    plugins = Plugins.load(allow=(), modules=[qx.testing.plugin])
    options = results.Options(
        data=data,
        sets=("shop", "constrained", "papers"),
        queries=3,
        trials=0,
        llm={"provider": "scripted", "model": "tiny.gguf", "options": {"instance": "results"}, "retries": 0},
        model_queries=3,
        plugins=plugins,
        quiet=True,
        run={"workers": 1, "concurrency": 1},
    )
    found = await results.measure(options)
    assert {key: report.queries for key, report in found.reports.items()} == {
        ("shop", "local"): 3,
        ("constrained", "local"): 3,
        ("papers", "local"): 3,
    }
    assert [one.name for one in found.model.conditions][:4] == ["no-expansion", "llm-single", "llm", "rules"]
    spent = {one.name: one.usage for one in found.model.conditions}
    assert spent["llm"].calls > spent["llm-single"].calls > 0
    assert model.calls == spent["llm"].calls + spent["llm-single"].calls
    text = results.page(found)
    for said in ("### shop, local: 3 queries", "| words alone |", "| rm3 |", "## With a small local model: tiny.gguf"):
        assert said in text
    rows = [line for line in text.splitlines() if line.startswith("| llm-single")]
    assert re.search(r"\| [1-9]\d* \|$", rows[0])

    before = model.calls
    again = await results.measure(options)
    assert model.calls == before  # all of it was kept
    assert results.page(again) == text


def test_the_command_writes_the_page_of_three_queries(
    results: ModuleType, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Tuning is asked for, as it is by default, and three queries are too few for it."""
    output = tmp_path / "RESULTS.md"
    words = ["--sets", "papers", "--queries", "3", "--output", str(output)]
    monkeypatch.setattr(sys, "argv", ["results.py", *words])
    monkeypatch.setenv("QX_TEST_DATA", str(data))
    results.main()
    text = output.read_text("utf-8")
    assert "### papers, local: 3 queries" in text
    assert "papers is not tuned: 3 queries are too few" in text
    assert re.search(rf", qx {re.escape(version('qx-query'))}( \(commit \w+( and changes)?\))?, ", text)


def test_the_committed_page_has_all_that_is_measured():
    page = BENCHMARKS / "RESULTS.md"
    if not page.exists():
        pytest.skip("the benchmarks are not beside the tests")
    text = page.read_text("utf-8")
    for name in ("shop", "constrained", "papers", "support"):
        for engine in ("local", "Elasticsearch"):
            assert re.search(rf"^### {name}, {engine}: \d+ queries$", text, re.MULTILINE), (name, engine)
            assert re.search(rf"^\| {name} \| {engine} \| \d+ \+ \d+ \|", text, re.MULTILINE), (name, engine)
    _, _, small = text.partition("## With a small local model")
    assert {line.split("|")[1].strip() for line in small.splitlines() if line.startswith("| ")} >= {
        "no-expansion", "rules", "llm", "llm-single", "querygym:query2doc",
    }  # fmt: skip
    assert "25 queries of papers" in small
    assert re.search(r"^20\d\d-\d\d-\d\d, qx \d\S* \(commit \w+", text, re.MULTILINE)  # of which version it is


async def test_a_default_that_is_not_proven_is_told(results: ModuleType, data: Path, tmp_path: Path):
    titles = [f"word{n} thing" for n in range(24)]
    documents = [{"_id": f"d{n}", "title": title, "text": ""} for n, title in enumerate(titles)]
    beir(data / "support", documents, {title: [f"d{n}"] for n, title in enumerate(titles)})
    options = results.Options(
        data=data,
        sets=("support",),
        trials=1,
        plugins=Plugins.load(allow=()),
        quiet=True,
        run={"workers": 1, "concurrency": 1},
    )
    found = await results.measure(options)
    assert found.tunings["support", "local"].choice == "off"
    text = results.page(found)
    assert "| support | local | 12 + 12 | +0.0 (+0.0 to +0.0) |" in text
    assert "| no expansion |" in text


def test_losses_are_short_and_quote_no_text_of_a_set(results: ModuleType):
    page = importlib.import_module("results_page")
    why = "d1 (grade 3) fell from rank 1 to 2, behind 1 from synonym “some words” and 1 from refine “other words cut…"
    lost = WorstQuery(
        condition="rm3", query="q|7", text="a text", measure="ndcg@10", before=0.5, after=0.25, reason=why
    )
    said = page._loss(lost)
    assert said == (
        "- 50.0 → 25.0 query q\\|7: d1 (grade 3) fell from rank 1 to 2, behind 1 from synonym and 1 from refine"
    )
    assert len(page._loss(replace(lost, reason="x y " * 300))) < 500


def test_queries_of_conditions_have_the_answers_that_follow_from_the_data(results: ModuleType, data: Path):
    sets = importlib.import_module("sets")
    made = sets.collection(data, "constrained", 8)
    assert made.dataset == sets.collection(data, "constrained", 8).dataset
    for query in made.dataset.queries:
        priced = re.fullmatch(r"(\w+) under \$(\d+)", query.text)
        if priced:
            limit = int(priced[2]) * 100
            assert set(made.dataset.grades[query.id]) == {f"{priced[1]}{n}" for n in range(30) if 5000 * n <= limit}
    assert any("under" in query.text for query in made.dataset.queries)
