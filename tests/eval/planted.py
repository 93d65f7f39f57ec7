"""Datasets and rows whose figures are known, because they were made that way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence

from qx.eval.values import Condition, Dataset, EvalQuery, Listed, Row
from qx.settings import Profile
from qx.types import SubQuery, Usage

RAW = "no-expansion"
TEXTS = ("轻薄笔记本电脑", "how to fix a black screen", "孩子发烧怎么办", "<script>alert(1)</script> & co")


def dataset(grades: Mapping[str, Mapping[str, int]], queries: Sequence[str] = (), *, name: str = "planted") -> Dataset:
    """A dataset of the queries of ``grades``, or those named."""
    ids = queries or tuple(grades)
    return Dataset(name=name, queries=tuple(EvalQuery(id=id_, text=f"query {id_}") for id_ in ids), grades=grades)


def row(query: str, found: Iterable[str], condition: str = "shop", **fields: object) -> Row:
    """A row whose documents all come from the original, unless ``found`` says ``id:0,1``."""
    listed: list[Listed] = []
    for item in found:
        id_, _, by = item.partition(":")
        listed.append(Listed(id=id_, by=tuple(map(int, by.split(","))) if by else (0,)))
    fields.setdefault("queries", (SubQuery(text=f"query {query}", strategy="original"),))
    return Row(query=query, condition=condition, found=tuple(listed), **fields)  # type: ignore[arg-type]


def conditions(*names: str) -> tuple[Condition, ...]:
    """No expansion, and profiles of these names beside it."""
    profile = Profile(name="shop", tenant="shop")
    raw = Condition(name=RAW, profile=profile, expand=False)
    return (raw, *(Condition(name=name, profile=profile, against=RAW) for name in names))


def of(rows: Mapping[str, Sequence[Row]]) -> Callable[[str], Iterable[Row]]:
    """What ``report`` reads rows by: an iterator each time, as of a file."""
    return lambda name: iter(rows[name])


def planted(
    effects: Mapping[str, float], *, count: int = 120, seed: int = 1
) -> tuple[Dataset, tuple[Condition, ...], dict[str, list[Row]]]:
    """Profiles that change a share of the queries: above 0 a relevant document comes to the top, below 0 it goes away."""
    chance = random.Random(seed)
    ids = [f"d{number}" for number in range(200)]
    kinds, languages = ("simple", "complex"), ("zh", "en", "zh", "en")
    queries = tuple(
        EvalQuery(id=f"q{n}", text=TEXTS[n % 4], kind=kinds[n % 2], language=languages[n % 4]) for n in range(count)
    )
    lists = {query.id: chance.sample(ids, 20) for query in queries}
    grades = {id_: dict.fromkeys(chance.sample(found[2:9], 2), 1) for id_, found in lists.items()}
    rows = {RAW: [row(id_, found, RAW, milliseconds=5.0) for id_, found in lists.items()]}
    for name, share in effects.items():
        rows[name] = [
            _changed(name, query, lists[query.id], list(grades[query.id]), share, chance) for query in queries
        ]
    return Dataset(name="planted 商店", queries=queries, grades=grades), conditions(*effects), rows


def _changed(
    name: str, query: EvalQuery, found: list[str], good: list[str], share: float, chance: random.Random
) -> Row:
    made = list(found)
    if chance.random() < abs(share):
        made.remove(good[0])
        if share > 0:
            made.insert(0, good[0])
    subs = (SubQuery(text=query.text, strategy="original"), SubQuery(text=f"{query.text} 评测", strategy="refine"))
    return Row(
        query=query.id,
        condition=name,
        found=tuple(Listed(id=id_, by=(0, 1) if id_ == good[0] else (0,)) for id_ in made),
        queries=subs,
        milliseconds=20.0,
        usage=Usage(calls=1, input_tokens=700, output_tokens=200, cost=0.0004),
    )
