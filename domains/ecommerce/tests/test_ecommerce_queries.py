"""What the pack adds to a query: forms, platforms, sites, spellings of units."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from qx import Engine, Expansion, Profile, Query
from qx.backend import Document, SupportsIndexing
from qx.domain import Knowledge
from qx.plugins import Plugins

Expand = Callable[[str], Expansion]
FORMS = [
    ("索尼WH-1000XM5值得买吗", ("索尼", "WH-1000XM5", "测评")),  # brand + model + review
    ("is the Sony WH-1000XM5 any good", ("Sony", "WH-1000XM5", "review")),
    ("扫地机器人好用吗", ("扫地机器人", "优缺点")),  # pros and cons
    ("are air fryers worth it", ("air fryers", "pros and cons")),
    ("机械键盘有什么优惠", ("京东", "机械键盘", "优惠")),  # platform + product + deal
    ("deals on mechanical keyboards", ("Amazon", "mechanical keyboards", "deal")),
    ("iPad Air 多少钱", ("iPad Air", "各平台价格对比")),
    ("lowest price for a Kindle Paperwhite", ("Kindle Paperwhite", "price history")),
    ("小米14参数", ("小米14", "说明书")),
    ("Galaxy S24 dimensions", ("Galaxy S24", "specifications")),
    ("送老师的教师节礼物", ("礼物", "排行榜")),
    ("gift for my boss", ("gift", "ideas")),
    ("冰箱坏了怎么保修", ("冰箱", "保修政策")),
    ("refund for a broken kettle", ("kettle", "return policy")),
]
SITES = [
    ("京东 机械键盘", "site:jd.com"),
    ("天猫上的羽绒服", "site:tmall.com"),
    ("拼多多 蓝牙耳机 便宜", "site:pinduoduo.com"),
    ("Amazon mechanical keyboard", "site:amazon.com"),
    ("eBay used camera lens", "site:ebay.com"),
]
VARIANTS = [
    ("Switch 2 哪里买便宜", "京东"),
    ("Switch 2 哪里买便宜", "天猫"),
    ("where to buy a Switch 2 cheapest", "Amazon"),
    ("where to buy a Switch 2 cheapest", "eBay"),
]
UNITS = [
    ("15.6寸笔记本电脑", "15.6英寸"),
    ('15.6" laptop', "15.6 inch"),
    ("15.6 inch laptop", '15.6"'),
]
NAMED_TWO = "京东和拼多多上AirPods Pro 2哪个便宜"
EXCLUDED = "除了苹果和三星，5000左右还有什么手机推荐"
TEXTS = [*(row[0] for row in (*FORMS, *SITES, *VARIANTS, *UNITS)), NAMED_TWO, EXCLUDED]


@pytest.fixture(scope="module")
def expand(packed: Callable[..., Profile]) -> Expand:
    """What one engine makes of all the queries of this file."""

    async def all_of() -> dict[str, Expansion]:
        async with Engine.opened(packed(), plugins=Plugins.load(allow=())) as engine:
            now = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
            return {text: await engine.expand(Query(text=text, now=now)) for text in TEXTS}

    return asyncio.run(all_of()).__getitem__


def said(expansion: Expansion) -> list[str]:
    return [query.text for query in expansion.queries[1:]]


@pytest.mark.parametrize(("text", "words"), FORMS)
def test_forms(expand: Expand, text: str, words: tuple[str, ...]):
    found = said(expand(text))
    assert any(all(word.lower() in one.lower() for word in words) for one in found), found


@pytest.mark.parametrize(("text", "site"), SITES)
def test_a_platform_that_is_named_is_asked_for_pages_of_its_own(expand: Expand, text: str, site: str):
    [own] = [query for query in expand(text).queries if site in query.text]
    assert own.target == "web"
    platform = text.split("上")[0].split()[0]
    assert platform not in own.text


@pytest.mark.parametrize(("text", "platform"), VARIANTS)
def test_where_none_is_named_platforms_get_queries_of_their_own(expand: Expand, text: str, platform: str):
    whole = [*said(expand(text)), *(dropped.text for dropped in expand(text).dropped)]
    assert any(one.startswith(platform) for one in whole), whole


def test_of_two_platforms_each_gets_its_own_query(expand: Expand):
    found = said(expand(NAMED_TWO))
    assert any(one.startswith("京东 AirPods Pro 2") for one in found), found
    assert {f"site:{host}" for host in ("jd.com", "pinduoduo.com")} == {
        word for one in found for word in one.split() if word.startswith("site:")
    }


def test_brands_that_are_not_wanted_stay_out_of_every_query(expand: Expand):
    for one in said(expand(EXCLUDED)):
        assert "除了苹果和三星" in one or ("-苹果" in one and "-三星" in one), one


@pytest.mark.parametrize(("text", "spelling"), UNITS)
def test_measures_are_written_as_others_write_them(expand: Expand, text: str, spelling: str):
    assert any(spelling in one for one in said(expand(text))), said(expand(text))


def test_the_spellings_of_one_measure_are_one_condition(expand: Expand):
    read = [expand(text).understanding.constraints for text, _ in UNITS]
    assert {(c.field, c.op, c.value, c.unit) for constraints in read for c in constraints} == {
        ("screen", "eq", 15.6, "inch")
    }


async def test_the_spellings_of_one_measure_find_one_another(
    packed: Callable[..., Profile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QX_ALLOW_PATHS", str(tmp_path))
    profile = packed(
        search={
            "backends": {"goods": {"type": "local", "path": "index", "fields": {"title": "title"}}},
            "rerank": "never",
        }
    )
    titles = {
        "mark": 'Laptop 15.6" 8GB', "zh": "笔记本电脑 15.6寸 8GB", "word": "Laptop 15.6 inch 8GB",
        "small": 'Laptop 14" 8GB', "small-zh": "笔记本电脑 14寸 8GB", "large": "Laptop 17.3 inch 8GB", "other": "Laser printer",
    }  # fmt: skip
    index = str(tmp_path / "index")
    block = profile.search.backends["goods"].model_copy(update={"path": index})
    profile = profile.model_copy(update={"search": profile.search.model_copy(update={"backends": {"goods": block}})})
    async with Engine.opened(profile, plugins=Plugins.load(allow=())) as engine:
        backend = engine.backend()
        assert isinstance(backend, SupportsIndexing)
        await backend.prepare(fingerprint=None, dimensions=0)
        await backend.upsert([Document(id=id, title=title) for id, title in titles.items()])
        for text in ('15.6"', "15.6寸", "15.6 inch", "15.6英寸"):
            found = await engine.search(text, limit=3)
            assert {hit.id for hit in found.hits} == {"mark", "zh", "word"}, text


def test_queries_at_platforms_are_for_web_engines_alone(expand: Expand):
    at_platforms = [query for query in expand(NAMED_TWO).queries if query.text.startswith("京东 AirPods Pro 2")]
    assert at_platforms
    assert {query.target for query in at_platforms} == {"web"}


def test_synonyms_of_the_general_pack_are_kept_beside_its_own(knowledge: Knowledge):
    found = dict(knowledge.synonyms["sneakers"])
    assert found["trainers"] == "ecommerce"
    assert found["running shoes"] == "general"
