"""The local backend beside bare tantivy (time) and bm25s (order and time).

Run it by hand: ``QX_TEST_DATA=FOLDER python benchmarks/local.py [--times N]``.  The folder holds ``shop``, ``papers`` and
``support`` (BEIR layout); without it only the made texts are measured.  bm25s and PyStemmer are optional.

- ``index``: seconds for all documents in batches of 2,000, each batch one commit, over bare tantivy with the same
  batches, which does the same work by its own means: ``title`` and ``text`` by its tokenizer ``en_stem``, metadata in a
  JSON field for filters, all of it stored so that a hit can be shown.  ``words``: without metadata in both.
- ``query``: milliseconds for 100 hits with their ids, over bare tantivy (words split at spaces, a flat list of terms).
Both are CPU time of the process, all threads together, so that what else runs on the machine does not count; of
several runs the best.
- ``nDCG@10`` and ``recall@100`` over the queries that have a relevant document; a query's own document does not count.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tantivy

from qx.backend import Document, SearchRequest
from qx.builtin.local.backend import LocalBackend
from qx.syntax import lexical
from qx.testing import TestServices

BATCH = 2000
DEPTH = 100


@dataclass
class Collection:
    """Documents, queries (id, text) and grades."""

    name: str
    documents: list[Document]
    queries: list[tuple[str, str]]
    grades: dict[str, dict[str, int]] = field(default_factory=dict)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def load(folder: Path) -> Collection:
    """Read one collection; queries without a relevant document are left out."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        grades[query][document] = int(grade)
    documents = [
        Document(id=row["_id"], title=row.get("title", ""), text=row["text"], metadata=row.get("metadata") or {})
        for row in lines(folder / "corpus.jsonl")
    ]
    queries = [(row["_id"], row["text"]) for row in lines(folder / "queries.jsonl")]
    judged = [(id, text) for id, text in queries if any(g > 0 for g in grades.get(id, {}).values())]
    return Collection(folder.name, documents, judged, dict(grades))


def made_chinese(number: int = 3000) -> Collection:
    """Texts of common words at random, about 120 characters each."""
    words = [
        "打印机",
        "卡纸",
        "怎么",
        "处理",
        "打开",
        "后盖",
        "取出",
        "纸张",
        "重新",
        "开机",
        "蓝牙",
        "耳机",
        "续航",
        "三十",
        "小时",
        "明天",
        "下午",
        "会议",
        "项目",
        "评审",
        "计划",
        "服务端",
        "修改",
        "订单",
        "支付",
        "失败",
        "退款",
        "申请",
        "客服",
        "电话",
        "号码",
        "手机",
        "屏幕",
        "电池",
        "充电",
        "笔记本",
        "电脑",
        "系统",
        "更新",
        "驱动",
        "安装",
        "网络",
        "连接",
        "断开",
        "路由器",
        "密码",
        "旅行",
        "西藏",
        "高原",
        "反应",
        "药品",
        "车辆",
        "保养",
        "天气",
        "预报",
        "降雨",
        "概率",
        "机器学习",
        "神经网络",
        "过拟合",
        "训练",
        "数据",
        "模型",
        "参数",
        "论文",
        "研究",
        "方法",
        "结果",
    ]
    dice = random.Random(7)
    documents = [
        Document(id=str(i), title="".join(dice.choices(words, k=6)), text="，".join("".join(dice.choices(words, k=4)) for _ in range(14)))
        for i in range(number)
    ]  # fmt: skip
    return Collection("chinese (made)", documents, [(f"q{i}", "".join(dice.choices(words, k=3))) for i in range(100)])


class Bare:
    """tantivy alone."""

    def __init__(self, folder: str) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
        builder.add_text_field("title", stored=True, tokenizer_name="en_stem")
        builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
        builder.add_json_field("metadata", stored=True, fast=True, tokenizer_name="raw", index_option="basic")
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema, path=folder)
        self._analyzer = (
            tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
            .filter(tantivy.Filter.lowercase())
            .filter(tantivy.Filter.stemmer("english"))
            .build()
        )

    def index(self, documents: Sequence[Document]) -> None:
        for at in range(0, len(documents), BATCH):
            writer = self._index.writer(64_000_000, 1)
            for document in documents[at : at + BATCH]:
                made = tantivy.Document()
                made.add_text("id", document.id)
                made.add_text("title", document.title)
                made.add_text("text", document.text)
                if document.metadata:
                    made.add_json("metadata", document.metadata)
                writer.add_document(made)
            writer.commit()
            writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, text: str) -> list[str]:
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, column, token))
            for token in self._analyzer.analyze(text)
            for column in ("title", "text")
        ]
        found = self._searcher.search(tantivy.Query.boolean_query(terms), DEPTH)
        return [self._searcher.doc(address)["id"][0] for _, address in found.hits]


def ndcg(ids: Sequence[str], grades: dict[str, int]) -> float:
    gain = sum(grades.get(id, 0) / math.log2(rank + 2) for rank, id in enumerate(ids[:10]))
    best = sum(g / math.log2(rank + 2) for rank, g in enumerate(sorted(grades.values(), reverse=True)[:10]))
    return gain / best


def scores(collection: Collection, found: dict[str, list[str]]) -> str:
    """nDCG@10 and recall@100, averaged."""
    if not collection.grades:
        return "-"
    gains, shares = list[float](), list[float]()
    for query, _ in collection.queries:
        ids = [id for id in found[query] if id != query]
        grades = collection.grades[query]
        relevant = {id for id, grade in grades.items() if grade > 0}
        gains.append(ndcg(ids, grades))
        shares.append(len(relevant & set(ids)) / len(relevant))
    return f"{statistics.mean(gains):.3f} / {statistics.mean(shares):.3f}"


async def local(collection: Collection, folder: Path, times: int) -> tuple[float, float, dict[str, list[str]]]:
    """Return seconds to index, milliseconds a query, and what was found."""
    services = TestServices(folder)
    backend = await LocalBackend.create(LocalBackend.Settings(name="local", path=Path("index")), services)
    await backend.prepare(fingerprint=None, dimensions=0)
    began = time.process_time()
    for at in range(0, len(collection.documents), BATCH):
        await backend.upsert(collection.documents[at : at + BATCH])
    indexed = time.process_time() - began
    found: dict[str, list[str]] = {}
    took: list[float] = []
    for _ in range(times + 1):
        began = time.process_time()
        for id, text in collection.queries:
            request = SearchRequest(text=text, expression=lexical(text), limit=DEPTH)
            found[id] = list((await backend.search(request)).ids)
        took.append((time.process_time() - began) / len(collection.queries) * 1000)
    await backend.aclose()
    await services.aclose()
    return indexed, min(took), found


def bare(collection: Collection, folder: Path, times: int) -> tuple[float, float, dict[str, list[str]]]:
    """The same of bare tantivy."""
    (folder / "bare").mkdir()
    engine = Bare(str(folder / "bare"))
    began = time.process_time()
    engine.index(collection.documents)
    indexed = time.process_time() - began
    found: dict[str, list[str]] = {}
    took: list[float] = []
    for _ in range(times + 1):
        began = time.process_time()
        found = {id: engine.search(text) for id, text in collection.queries}
        took.append((time.process_time() - began) / len(collection.queries) * 1000)
    return indexed, min(took), found


def bm25(collection: Collection, times: int) -> tuple[float, float, dict[str, list[str]]] | None:
    """The same of bm25s (title and text as one, English stems); None where it is not installed."""
    try:
        import bm25s
        import Stemmer
    except ImportError:
        return None
    stemmer = Stemmer.Stemmer("english")
    ids = [document.id for document in collection.documents]
    began = time.process_time()
    texts = [f"{document.title} {document.text}" for document in collection.documents]
    engine = bm25s.BM25()
    engine.index(bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False)
    indexed = time.process_time() - began
    found: dict[str, list[str]] = {}
    took: list[float] = []
    for _ in range(times + 1):
        began = time.process_time()
        for id, text in collection.queries:
            tokens = bm25s.tokenize([text], stopwords="en", stemmer=stemmer, show_progress=False)
            rows, values = engine.retrieve(tokens, k=min(DEPTH, len(ids)), show_progress=False)
            found[id] = [ids[row] for row, score in zip(rows[0], values[0], strict=True) if score > 0]
        took.append((time.process_time() - began) / len(collection.queries) * 1000)
    return indexed, min(took), found


def collections() -> list[Collection]:
    folder = os.environ.get("QX_TEST_DATA")
    found = [load(Path(folder) / name) for name in ("shop", "papers", "support")] if folder else []
    return [*found, made_chinese()]


def show(collection: Collection, times: int) -> None:
    words = replace(collection, documents=[replace(d, metadata={}) for d in collection.documents])
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as two,
        tempfile.TemporaryDirectory() as three,
    ):
        whole = asyncio.run(local(collection, Path(one), times))
        plain = asyncio.run(local(words, Path(two), times))
        alone = bare(collection, Path(three), times)
        (Path(three) / "words").mkdir()
        least = bare(words, Path(three) / "words", times)
    other = bm25(collection, times)
    print(f"\n{collection.name}: {len(collection.documents)} documents, {len(collection.queries)} queries")
    print(f"  index s     qx words {plain[0]:7.2f}   bare words {least[0]:7.2f}   ratio {plain[0] / least[0]:.2f}")
    print(f"              qx all   {whole[0]:7.2f}   bare all   {alone[0]:7.2f}   ratio {whole[0] / alone[0]:.2f}")  # fmt: skip
    ratio = f"{whole[1] / alone[1]:.2f}" if any(alone[2].values()) else "- (bare tantivy finds none of these words)"
    print(f"  query ms    qx {whole[1]:7.3f}   bare {alone[1]:7.3f}   ratio {ratio}")
    print(f"  nDCG@10 / recall@100   qx {scores(collection, whole[2])}   bare {scores(collection, alone[2])}")
    if other is None:
        print("  bm25s is not installed: pip install bm25s PyStemmer")
    else:
        print(f"  bm25s       index {other[0]:.2f} s   query {other[1]:.3f} ms   {scores(collection, other[2])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3, help="runs over all queries after a warm one")
    parser.add_argument("--only", help="name of one collection")
    arguments = parser.parse_args()
    for collection in collections():
        if arguments.only in (None, collection.name):
            show(collection, arguments.times)


if __name__ == "__main__":
    main()
