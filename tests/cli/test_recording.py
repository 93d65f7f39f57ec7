"""``--record`` and ``--replay``."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

TEXT = "5000元以下 昨天上新的 轻薄笔记本"
PROFILE = """
tenant: shop
understand: {mode: rules}
search:
  backends:
    products: {type: local, path: index, fields: {title: title, text: text, price: {name: metadata.price, type: number}}}
"""
WEB = """    web: {type: web, preset: brave, api_key: "${WEB_KEY}", url: "http://127.0.0.1:9/search"}
"""
PRODUCTS = (
    {"_id": "1", "title": "轻薄笔记本 14寸", "text": "续航长", "metadata": {"price": 4599}},
    {"_id": "2", "title": "游戏笔记本", "text": "性能强", "metadata": {"price": 7999}},
)
KEY = "canary-key-91b2c6"


@pytest.fixture
def shop(run: Run, tmp_path: Path) -> Path:
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "shop.yaml").write_text(PROFILE, encoding="utf-8")
    lines = [json.dumps(product, ensure_ascii=False) for product in PRODUCTS]
    (tmp_path / "products.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert run("index", "products.jsonl", "--profile", "shop", "--backend", "products").code == 0
    return tmp_path


def untimed(text: str) -> Any:
    def bare(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: bare(inner) for key, inner in part.items() if key not in ("took", "start", "duration")}
        return [bare(inner) for inner in part] if isinstance(part, list) else part

    found = json.loads(text)
    assert found["trace"].pop("spans")
    return bare(found)


def test_a_replay_needs_neither_engine_nor_key(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (shop / "profiles" / "shop.yaml").open("a", encoding="utf-8") as profile:
        profile.write(WEB)
    monkeypatch.setenv("WEB_KEY", KEY)
    kept = run("search", TEXT, "-p", "shop", "--json", "--no-expand", "--record", "tape.jsonl")
    assert kept.code == 0
    assert {hit["id"] for hit in json.loads(kept.out)["hits"]} == {"1"}  # the other one costs more
    assert "127.0.0.1" in json.loads(kept.out)["partial"]  # nobody listens there: a part of what is replayed
    shutil.rmtree(shop / "profiles" / "index")
    monkeypatch.delenv("WEB_KEY")
    again = run("search", TEXT, "-p", "shop", "--json", "--no-expand", "--replay", "tape.jsonl")
    assert again.code == 0
    assert untimed(again.out) == untimed(kept.out)
    assert KEY not in (shop / "tape.jsonl").read_text("utf-8")
    assert stat.S_IMODE((shop / "tape.jsonl").stat().st_mode) == 0o600


def test_two_queries_into_one_file(run: Run, shop: Path) -> None:
    kept = [run("search", text, "-p", "shop", "--json", "--record", "t.jsonl").out for text in ("笔记本", "游戏")]
    again = [run("search", text, "-p", "shop", "--json", "--replay", "t.jsonl").out for text in ("笔记本", "游戏")]
    assert list(map(untimed, again)) == list(map(untimed, kept))


def test_what_was_not_recorded_is_named(run: Run, shop: Path) -> None:
    run("search", "笔记本", "-p", "shop", "--record", "t.jsonl")
    other = run("search", "手机", "-p", "shop", "--replay", "t.jsonl")
    assert other.code == 4
    assert "t.jsonl holds no request '手机' (it has: '笔记本')" in other.err
    deeper = run("search", "笔记本", "-p", "shop", "--replay", "t.jsonl", "--limit", "200")
    assert deeper.code == 4
    assert "'limit'" in deeper.err


def test_expanding_and_understanding_can_be_recorded(run: Run, shop: Path) -> None:
    for command in ("expand", "understand"):
        kept = run(command, "笔记本", "-p", "shop", "--json", "--record", f"{command}.jsonl")
        again = run(command, "笔记本", "-p", "shop", "--json", "--replay", f"{command}.jsonl")
        assert (kept.code, again.code) == (0, 0)
        assert json.loads(again.out).keys() == json.loads(kept.out).keys()


def test_wrong_options_say_what_to_do(run: Run, shop: Path) -> None:
    both = run("search", "x", "-p", "shop", "--record", "a.jsonl", "--replay", "products.jsonl")
    assert both.code == 2
    assert "give one of them" in both.err
    nowhere = run("search", "x", "-p", "shop", "--record", "nowhere/a.jsonl")
    assert nowhere.code == 2
    assert "there is no folder nowhere" in nowhere.err
    assert not (shop / "nowhere").exists()
    absent = run("search", "x", "-p", "shop", "--replay", "absent.jsonl")
    assert absent.code == 2
    assert "absent.jsonl" in absent.err
    no_tape = run("search", "x", "-p", "shop", "--replay", "products.jsonl")
    assert no_tape.code == 3
    assert "products.jsonl:1: not an exchange" in no_tape.err
