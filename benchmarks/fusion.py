"""What merging and cleaning lists costs: fusing 8 lists of 1,000, near-duplicates among 1,000 snippets, reranking.

Run it by hand: ``python benchmarks/fusion.py``.  Printed are medians after a warm-up; the objects of all hits are made
in a line of their own, because a request makes only those that it shows.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence

from qx.builtin.likeness import repeats
from qx.builtin.rerank.lexical import Lexical
from qx.builtin.rerank.method import Task
from qx.fusions.dbsf import DistributionBased
from qx.fusions.relative_score import RelativeScore
from qx.fusions.rrf import ReciprocalRank
from qx.ranking import Fusion, Ranking
from qx.types import Hit, SubQuery
from qx.urls import url_key

LISTS, LENGTH, ROUNDS = 8, 1000, 30
EN = "router update settings restart password network screen invoice delivery payment order refund battery charger".split()  # noqa: SIM905
ZH = "路由器 更新 密码 屏幕 发票 快递 电脑 手机 支付 失败 设置 重启 网络 问题 解决 方法 如何 客服 订单 退款".split()  # noqa: SIM905


def lists(pool: int) -> list[Ranking]:
    """Eight lists drawn from ``pool`` pages: the smaller it is, the more they have in common."""
    draw = random.Random(1)
    return [ranking(draw.sample(range(pool), LENGTH), draw, f"query {n}") for n in range(LISTS)]


def ranking(pages: Sequence[int], draw: random.Random, text: str) -> Ranking:
    """One list of pages."""
    keys = tuple(f"https://example.org/page/{page}" for page in pages)
    scores = tuple(sorted((draw.random() for _ in keys), reverse=True))

    def hit(index: int) -> Hit:
        return Hit(id=keys[index], backend="main", title="title", text="text", url=keys[index])

    return Ranking(query=SubQuery(text=text, strategy="refine"), backend="main", keys=keys, scores=scores, hit=hit)


def show(name: str, work: Callable[[], object], goal: str) -> None:
    """Print one line."""
    work()
    took: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        took.append((time.perf_counter() - began) * 1000)
    print(f"{name:52} median {statistics.median(took):8.3f} ms   best {min(took):8.3f} ms   (goal: {goal})")


def main() -> None:
    """Print the figures."""
    weights = [1.0, *[0.7] * (LISTS - 1)]
    for pool, about in ((1500, "much in common"), (20_000, "little in common")):
        found = lists(pool)
        fusions: list[tuple[str, Fusion]] = [
            ("rrf", ReciprocalRank()), ("relative-score", RelativeScore()), ("dbsf", DistributionBased())
        ]  # fmt: skip
        for name, fusion in fusions:
            show(f"{name}, {LISTS} x {LENGTH}, {about}", lambda f=fusion, r=found: f.fuse(r, weights), "under 5")
        fused = ReciprocalRank().fuse(found, weights)
        show(f"  and the first 10 hits, {about}", lambda r=found: first(ReciprocalRank().fuse(r, weights), 10), "-")
        total = len(fused.keys)
        show(f"  and all {total:,} hits", lambda r=found, n=total: first(ReciprocalRank().fuse(r, weights), n), "-")
    draw = random.Random(2)
    texts = {
        "en": [" ".join(draw.choice(EN) + str(draw.randrange(60)) for _ in range(30)) for _ in range(1000)],
        "zh": ["，".join("".join(draw.choice(ZH) for _ in range(5)) for _ in range(10)) for _ in range(1000)],
    }
    for language, snippets in texts.items():
        size = sum(map(len, snippets)) // len(snippets)
        show(
            f"near-duplicates, 1,000 snippets of {size}, {language}",
            lambda s=snippets: repeats(s, threshold=0.8),
            "under 20",
        )
    lexical = Lexical(title=2.0, expansion=0.25)
    for language, query in (("en", "router password restart"), ("zh", "路由器密码重启")):
        hits = [
            Hit(id=str(i), backend="main", title=text[:30], text=text) for i, text in enumerate(texts[language][:100])
        ]
        pool_ = Ranking(
            query=None, backend=None, keys=tuple(h.id for h in hits), scores=(0.0,) * 100, hit=hits.__getitem__
        )
        task = Task(query=query, others={}, hits=hits, ranking=pool_, seconds=1)
        show(f"rerank by lexical, 100 hits, {language}", lambda t=task: lexical.scored(t), "-")
    urls = [f"https://www.example.org/path/page-{i}.html?id={i}&utm_source=x#part" for i in range(1000)]
    show("url_key, 1,000 new URLs", lambda: [url_key.__wrapped__(url) for url in urls], "-")


def first(ranked: Ranking, count: int) -> list[Hit]:
    """The first hits of a list."""
    return [ranked.hit(i) for i in range(count)]


if __name__ == "__main__":
    main()
