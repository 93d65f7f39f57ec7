"""``qx profile new --from-index``: what is proposed for an index, and that the profile works as it is."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qx import Engine, Profile
from qx.cli.from_index import flow, own_path, profile_text, propose, read_source
from qx.domain import ConstraintField
from qx.indexing.inferring import Inferred, infer, type_of
from qx.types import Hit
from qx.yaml import parse

from .conftest import Run
from .shop import write_lines

KNOWN = (
    ConstraintField(id="price", type="money", words=("售价", "cost")),
    ConstraintField(id="memory", type="number", unit="GB", words=("ram", "内存")),
    ConstraintField(id="colour", words=("颜色", "color")),
    ConstraintField(id="storage", type="number", unit="GB", words=("硬盘",)),
    ConstraintField(id="screen", type="number", unit="inch", words=("屏幕",)),
)

RECORDS: list[dict[str, Any]] = [
    {
        "_id": str(n),
        "title": f"笔记本电脑 laptop {n}",
        "text": "续航十八小时",
        "url": f"https://example.org/{n}",
        "price_cents": 100_000 * n + 99,
        "currency": "CNY",
        "brand": ("云帆", "雷霆")[n % 2],
        "ram_gb": 8 * n,
        "in_stock": n > 1,
        "released": f"2025-0{n}-04",
        "specs": {"颜色": "black", "weird key: {x}": n},
        "tags": ["office", "light"],
    }
    for n in range(1, 5)
]


def hits(*metadata: dict[str, Any]) -> list[Hit]:
    return [Hit(id=str(n), backend="a", metadata=item) for n, item in enumerate(metadata)]


def inferred(*metadata: dict[str, Any]) -> dict[str, Inferred]:
    return {field.canonical: field for field in infer(hits(*metadata), KNOWN)}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2.5], "number"),
        ([True, False], "bool"),
        ([1, True], "keyword"),
        (["2025-01-02", "2025-01-02T03:04:05Z"], "date"),
        (["2025-01-02", "soon"], "keyword"),
        (["HP", "Dell", "HP"], "keyword"),
        (["x" * 81], "text"),
        ([f"a longer name {n}" for n in range(9)], "text"),
        ([f"SKU-{n}" for n in range(9)], "keyword"),
    ],
)
def test_the_type_of_values(values: list[object], kind: str) -> None:
    assert type_of(values) == kind


@pytest.mark.parametrize(
    ("path", "value", "canonical", "scale", "unit"),
    [
        ("price", 5, "price", 1, None),
        ("price_cents", 500, "price", 100, None),
        ("priceFen", 500, "price", 100, "CNY"),
        ("price_eur", 5, "price", 1, "EUR"),
        ("售价", 5, "price", 1, None),
        ("ram_gb", 16, "memory", 1, "GB"),
        ("内存", 16, "memory", 1, "GB"),
        ("specs.color", "red", "colour", 1, None),
        ("vendor", "HP", "brand", 1, None),
        ("published_at", "2025-01-02", "published", 1, None),
        ("published_at", "soon", "published_at", 1, None),
        ("released", "2025-01-02", "published", 1, None),
        ("release_date", "2025-01-02", "published", 1, None),
        ("createdAt", "2025-01-02T10:00:00Z", "published", 1, None),
        ("pubdate", "2025-01-02", "published", 1, None),
        ("上市日期", "2025-01-02", "published", 1, None),
        ("released", True, "released", 1, None),
        ("cost", 5, "price", 1, None),
        ("cost_cents", 500, "price", 100, None),
        ("color", "red", "colour", 1, None),
        ("mem", 16, "memory", 1, "GB"),
        ("ram_size", 16, "memory", 1, "GB"),
        ("screen_size", 6.1, "screen", 1, "inch"),
        ("ssd", 512, "storage", 1, "GB"),
        ("屏幕尺寸", 6.1, "screen", 1, "inch"),
        ("manufacturer", "HP", "brand", 1, None),
        ("price", "cheap", "price", 1, None),
        ("名称", "a", "title", 1, None),
        ("stock-level", 3, "stock_level", 1, None),
    ],
)
def test_what_a_name_means(path: str, value: object, canonical: str, scale: float, unit: str | None) -> None:
    nested: dict[str, Any] = {}
    at = nested
    *above, last = path.split(".")
    for part in above:
        at = at.setdefault(part, {})
    at[last] = value
    (field,) = inferred(nested).values()
    assert (field.canonical, field.path, field.scale, field.unit) == (canonical, path, scale, unit)


def test_the_currency_is_read_from_its_field_where_there_is_one_only() -> None:
    assert inferred({"price": 5, "currency": "eur"})["price"].unit == "EUR"
    assert inferred({"price": 5, "currency": "eur"}, {"price": 5, "currency": "USD"})["price"].unit is None


def test_a_canonical_field_is_given_once() -> None:
    found = inferred({"price": 5, "sale_price": 4, "a.b": {"price": 3}})
    assert found["price"].path == "price"
    assert found["sale_price"].path == "sale_price"


def test_the_surest_name_is_given_the_field() -> None:
    found = inferred({"created": "2024-01-01", "list_price": 9, "release_date": "2025-01-01", "price": 8})
    assert (found["published"].path, found["created"].path) == ("release_date", "created")
    assert (found["price"].path, found["list_price"].path) == ("price", "list_price")


def test_only_fields_that_a_fair_share_of_documents_has_are_proposed_the_most_frequent_first() -> None:
    rare = [{f"rare_{n}": "x"} for n in range(60)]
    common = [{f"common_{at}": "x" for at in range(n)} for n in range(60)]
    found = infer(hits(*rare, *common, *[{"ram_gb": 8}]), KNOWN)
    assert [field.canonical for field in found] == ["memory", *(f"common_{n}" for n in range(40))]
    less = infer(hits(*rare, *[{f"common_{at}": "x" for at in range(n % 4)} for n in range(60)]), KNOWN)
    assert [field.canonical for field in less] == ["common_0", "common_1", "common_2"]


COLOUR = ConstraintField(id="colour", values={"black": "black", "白色": "white"}, words=("颜色", "color"))


@pytest.mark.parametrize(
    ("metadata", "path"),
    [
        ([{"colour_name": "Space Grey"}, *[{"product_colour": "Black"}] * 20], "product_colour"),  # one document has it
        ([{"colour": "C-01", "product_colour": "Black"}], "product_colour"),  # no colour
        ([{"colour": True, "产品颜色": "白色"}], "产品颜色"),
        ([{"colour": "Matt Black", "product_colour": "Black"}], "colour"),
        ([{"colour": "C-01"}], "colour"),
    ],
)
def test_the_field_of_colours_is_the_one_that_holds_them(metadata: list[dict[str, Any]], path: str) -> None:
    (found,) = [field for field in infer(hits(*metadata), (COLOUR,)) if field.canonical == "colour"]
    assert found.path == path


WEIGHT = ConstraintField(id="weight", type="number", unit="kg", words=("重量",))


@pytest.mark.parametrize(
    ("path", "values", "canonical", "unit"),
    [
        ("weight", [10, 1300, 370, 9500], "weight", "g"),
        ("重量", [800, 1200], "weight", "g"),
        ("weight", [1.2, 0.8, 14], "weight", "kg"),
        ("weight_kg", [160, 200], "weight", "kg"),
        ("internal_memory", [2048, 4, 6, 128], "memory", "GB"),
        ("ram_capacity", [8], "memory", "GB"),
        ("内存容量", [8], "memory", "GB"),
        ("memory_mb", [8192], "memory", "MB"),
        ("display_diagonal", [6.4, 40], "screen", "inch"),
        ("屏幕对角线", [27], "screen", "inch"),
        ("total_storage_capacity", [512], "storage", "GB"),
    ],
)
def test_the_unit_is_the_one_that_the_numbers_speak_for(
    path: str, values: list[float], canonical: str, unit: str
) -> None:
    (found,) = infer(hits(*[{path: item} for item in values]), (*KNOWN, WEIGHT))
    assert (found.canonical, found.unit) == (canonical, unit)


@pytest.mark.parametrize(
    ("metadata", "told"), [({"price": 5}, True), ({"price_eur": 5}, False), ({"price": "dear"}, False)]
)
def test_a_price_whose_currency_is_not_known_is_asked_for(metadata: dict[str, Any], told: bool) -> None:
    from qx.cli.from_index import Proposed, Source
    from qx.indexing.sampling import Sample

    fields = [Proposed(field=field, stored=field.path) for field in infer(hits(metadata), KNOWN)]
    text = profile_text("p", Source(draft="extends: default\n", block=None), "main", Sample(hits=()), fields)
    assert ("add `unit: CNY`" in text) is told


@given(
    st.dictionaries(st.text(max_size=8), st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9))
)
def test_any_metadata_makes_a_profile_that_can_be_read(metadata: dict[str, Any]) -> None:
    from qx.cli.from_index import Proposed, Source
    from qx.indexing.sampling import Sample

    fields = infer(hits(metadata), KNOWN)
    proposed = [Proposed(field=field, stored=field.path) for field in fields]
    text = profile_text(
        "p", Source(draft="extends: default\n", block={"type": "local"}), "main", Sample(hits=()), proposed
    )
    read = parse(text).data["search"]["backends"]["main"]["fields"] or {}
    known = {f.canonical: f.path for f in fields}
    assert {name: item["name"] for name, item in read.items()}.items() <= known.items()
    assert len(read) == len(known) or any(not name.isprintable() for name in known.values())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text("aé中'\"{}[]:#,&*!|>%@` -0.e\\n\t"),
        lambda inner: st.lists(inner) | st.dictionaries(st.text("aé中'\"{}[]:#,-? 1"), inner),
        max_leaves=8,
    )
)
def test_data_comes_back_from_one_line_of_yaml(item: object) -> None:
    assert parse(f"x: {flow(item)}").data == {"x": item}


def test_a_profile_for_a_local_index(run: Run, own_folder: Path) -> None:
    (own_folder / "raw.yaml").write_text("search: {backends: {shop: {type: local, path: data}}}\n", encoding="utf-8")
    write_lines(own_folder / "raw.jsonl", *RECORDS)
    assert run("index", "raw.jsonl", "-p", "raw.yaml").code == 0
    (own_folder / "profiles").mkdir()
    (own_folder / "data").rename(own_folder / "profiles" / "data")
    made = run("profile", "new", "made", "--from-index", "{type: local, path: data}")
    assert made.code == 0, made.err
    text = (own_folder / "profiles" / "made.yaml").read_text("utf-8")
    assert text.startswith("# Made from 4 of 4 documents of the index")
    for line in (
        "        title: {name: title, type: text, boost: 2}",
        "        price: {name: metadata.price_cents, type: number, scale: 100, unit: CNY}   # named price, in CNY by the "
        "field of its currency, in hundredths by its name; 100099 to 400099",
        "        memory: {name: metadata.ram_gb, type: number, unit: GB}   # named ram; 8 to 32",
        "        published: {name: metadata.released, type: date}   # named released; 2025-01-04, 2025-02-04, 2025-03-04, "
        "2025-04-04",
        "        colour: {name: metadata.specs.颜色, type: keyword}   # named 颜色; black",
    ):
        assert line in text.splitlines(), line
    assert run("profile", "check", "made").code == 0
    assert [path.name for path in (own_folder / "profiles").glob("*.yaml")] == ["made.yaml"]
    result = run("search", "-p", "made", "--mode", "rules", "2500元以下、16GB内存的笔记本电脑")
    assert result.out == "1\t2\t笔记本电脑 laptop 2\thttps://example.org/2\n", result.err
    assert "metadata.price_cents <= 250000" in result.err


def test_a_profile_that_builds_on_another(run: Run, own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (own_folder / "raw.yaml").write_text("search: {backends: {shop: {type: local, path: data}}}\n", encoding="utf-8")
    write_lines(own_folder / "raw.jsonl", *RECORDS)
    run("index", "raw.jsonl", "-p", "raw.yaml")
    made = run("profile", "new", "made", "--folder", ".", "--from-index", "raw.yaml")
    assert made.code == 0, made.err
    text = (own_folder / "made.yaml").read_text("utf-8")
    assert 'extends: "./raw.yaml"' in text
    assert "type: local" not in text
    assert (
        run("search", "-p", "made.yaml", "--mode", "rules", "laptop", "--filter", "brand = 云帆").out.count("\n") == 2
    )


def indexed(run: Run, folder: Path) -> None:
    (folder / "raw.yaml").write_text("search: {backends: {shop: {type: local, path: data}}}\n", encoding="utf-8")
    write_lines(folder / "raw.jsonl", *RECORDS)
    assert run("index", "raw.jsonl", "-p", "raw.yaml").code == 0


def test_nobody_else_s_file_is_touched(run: Run, own_folder: Path) -> None:
    indexed(run, own_folder)
    draft = own_folder / "draft-of-made.yaml"
    draft.write_text("# mine\n", encoding="utf-8")
    assert run("profile", "new", "made", "--folder", ".", "--from-index", "raw.yaml").code == 0
    assert draft.read_text("utf-8") == "# mine\n"
    assert sorted(path.name for path in own_folder.glob("*.yaml")) == ["draft-of-made.yaml", "made.yaml", "raw.yaml"]


def test_a_profile_that_would_not_load_leaves_the_old_one(
    run: Run, own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed(run, own_folder)
    old = own_folder / "made.yaml"
    old.write_text("extends: ./raw.yaml\n", encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr("qx.cli.from_index.profile_text", lambda *_: "serch: {}\n")
        again = run("profile", "new", "made", "--folder", ".", "--force", "--from-index", "raw.yaml")
    assert again.code == 3
    assert old.read_text("utf-8") == "extends: ./raw.yaml\n"
    assert run("profile", "new", "made", "--folder", ".", "--force", "--from-index", "raw.yaml").code == 0
    assert old.read_text("utf-8").startswith("# Made from")


@pytest.mark.parametrize(
    ("source", "code", "said"),
    [
        ("{path: x}", 3, "a backend's block has a `type`"),
        ("{type: loca, path: x}", 3, "did you mean 'local'?"),
        ("{type: local, path: x", 3, "--from-index"),
        ("{type: local, path: x}", 4, "there is no index"),
        ("nobody", 3, "there is no profile 'nobody'"),
    ],
)
def test_what_cannot_be_looked_into(run: Run, own_folder: Path, source: str, code: int, said: str) -> None:
    result = run("profile", "new", "made", "--from-index", source)
    assert (result.code, result.out) == (code, "")
    assert said in result.err
    assert not list(own_folder.rglob("*.yaml"))


def test_where_a_documents_own_part_is_stored() -> None:
    theirs = [
        Hit(id=str(n), backend="a", text=f"long words {n}", metadata={"text_en": f"long words {n}", "n": n})
        for n in (1, 2)
    ]
    ours = [Hit(id="1", backend="a", text="long words", metadata={"n": 1})]
    assert own_path("text", theirs) == "text_en"
    assert own_path("text", ours) == "text"
    assert own_path("text", [*theirs, *ours]) == "text"
    assert own_path("title", theirs) == "title"


async def _proposal(block: dict[str, Any], records: list[dict[str, Any]] | None) -> str:
    """Index ``records`` (None: they are there) and return the profile that is proposed."""
    from qx.indexing.record import document_of
    from qx.plugins import Plugins

    blocks = {"main": block}
    async with Engine.opened(
        Profile.model_validate({"tenant": "t", "search": {"backends": blocks}}), plugins=Plugins.load()
    ) as engine:
        backend: Any = engine.backend()
        if records is not None:
            await backend.prepare(fingerprint=None, dimensions=0)
            await backend.upsert([document_of(record) for record in records])
        found, fields = await propose(engine, backend)
        return profile_text("made", read_source(json.dumps(block), "default", Path()), "main", found, fields)


SAME = ("price: {name: metadata.price_cents, type: number, scale: 100, unit: CNY}", "memory: {name: metadata.ram_gb")


async def test_a_profile_for_an_embedded_qdrant(own_folder: Path) -> None:
    pytest.importorskip("qx_qdrant")
    text = await _proposal({"type": "qdrant", "path": "data", "collection": "c"}, RECORDS)
    assert all(line in text for line in SAME), text


async def test_a_profile_for_a_meilisearch_of_ours_and_of_others(own_folder: Path) -> None:
    sdk = pytest.importorskip("meilisearch_python_sdk")
    from meilisearch_python_sdk.models.settings import MeilisearchSettings

    from servers.meilisearch.server import MeilisearchServer

    async with MeilisearchServer(master="master-key-of-tests", search="search-key-of-tests") as server:
        block = {"type": "meilisearch", "url": server.url, "index": "ours", "api_key": "master-key-of-tests"}
        text = await _proposal(block, RECORDS)
        assert all(line in text for line in SAME), text
        async with sdk.AsyncClient(server.url, "master-key-of-tests") as client:
            index = await client.create_index("theirs", primary_key="sku")
            rows = [
                {"sku": r["_id"], "name": r["title"], "price_cents": r["price_cents"], "brand": r["brand"]}
                for r in RECORDS
            ]
            await client.wait_for_task((await index.add_documents(rows)).task_uid)
            await client.wait_for_task(
                (await index.update_settings(MeilisearchSettings(filterable_attributes=["price_cents"]))).task_uid
            )
        text = await _proposal(block | {"index": "theirs"}, None)
    assert "price: {name: price_cents, type: number, scale: 100}" in text
    assert re.search(r"# brand: .*; the engine cannot filter by it", text)
    assert "title: {name: name, type: text, boost: 2}" in text
