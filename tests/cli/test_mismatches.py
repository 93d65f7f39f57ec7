"""A field map that does not go with the index: said by index, check, doctor and search, each time with the field's name."""

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run
from .shop import PRODUCTS, PROFILE, write_lines


def write(folder: Path, profile: str, *more: dict[str, Any]) -> None:
    (folder / "profiles").mkdir(exist_ok=True)
    (folder / "profiles" / "shop.yaml").write_text(profile, encoding="utf-8")
    write_lines(folder / "products.jsonl", *PRODUCTS, *more)


def test_a_stored_name_that_no_document_has(run: Run, own_folder: Path) -> None:
    write(own_folder, PROFILE.replace("metadata.price", "metadata.prcie"))
    said = "price: no document has a field metadata.prcie (did you mean 'price'?)"
    made = run("index", "products.jsonl", "-p", "shop")
    assert (made.code, made.out) == (0, "5 documents indexed\n")
    assert f"warning: {said}\n" in made.err
    checked = run("profile", "check", "shop")
    assert checked.code == 0
    assert checked.err == f"warning: backend products: {said}\n"
    examined = run("doctor", "-p", "shop")
    assert examined.code == 0
    assert said in examined.out
    assert json.loads(run("doctor", "-p", "shop", "--json").out)["backends"][0]["warnings"] == [said]
    for options in (["--filter", "price < 5000"], ["--sort", "price"]):
        found = run("search", "-p", "shop", "笔记本电脑", *options)
        assert "price: no document of products has a field metadata.prcie" in found.err, options
    assert "price: no document of products" in run("search", "-p", "shop", "5000元以下的笔记本电脑").err


def test_numbers_and_dates_that_are_none(run: Run, own_folder: Path) -> None:
    more = [
        {"_id": f"n{n}", "title": "x", "metadata": {"price": f"{n}元", "made": day}}
        for n, day in enumerate(["2025-01-02", "soon", "2025"])
    ]
    write(own_folder, f"{PROFILE}        made: {{name: metadata.made, type: date}}\n", *more)
    said = [
        "price: 3 documents: metadata.price is no number: no condition on it finds them",
        "made: 1 document: metadata.made is no date: no condition on it finds them",
    ]
    made = run("index", "products.jsonl", "-p", "shop", "--json")
    assert json.loads(made.out)["warnings"] == said
    assert run("profile", "check", "shop").err.splitlines() == [f"warning: backend products: {one}" for one in said]


def test_what_goes_together_is_not_told(run: Run, own_folder: Path) -> None:
    write(
        own_folder,
        f"{PROFILE}        url: url\n        author: {{name: metadata.author}}\n",
        {"_id": "9", "title": "x", "author": "y"},
    )
    assert run("profile", "check", "shop").err == ""  # there is no index yet
    assert not (own_folder / "profiles" / "index").exists()
    assert run("index", "products.jsonl", "-p", "shop").err == ""
    assert run("profile", "check", "shop").err == ""


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("brand = hp", "brand: no document has “hp”; the index holds “HP”"),
        ("brand = 云帆牌", "brand: no document has “云帆牌”; the index holds “云帆”"),
        ("brand = Nokia", "brand: no document has “Nokia”"),
    ],
)
def test_a_value_that_no_document_has(run: Run, own_folder: Path, condition: str, said: str) -> None:
    write(own_folder, PROFILE)
    run("index", "products.jsonl", "-p", "shop")
    for query in ("", "laptop"):
        found = run("search", "-p", "shop", query, "--filter", condition)
        assert (found.code, found.out) == (0, "")
        assert f"note: {said}\n" in found.err, found.err
    fine = run("search", "-p", "shop", "Nokia", "--filter", "brand = HP", "--filter", "price < 1")
    assert "no document has" not in fine.err  # the value is there, only not with the rest


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            "{HP: 惠普, 云帆牌: 云帆}",
            "惠普 (what is said stands on the left, the stored value on the right: {惠普: HP})",
        ),
        ("{惠普: Hp}", "brand: `values` names what no document has in metadata.brand: Hp"),
    ],
)
def test_values_that_are_not_stored(run: Run, own_folder: Path, values: str, said: str) -> None:
    write(
        own_folder, PROFILE.replace("metadata.brand, type: keyword", f"metadata.brand, type: keyword, values: {values}")
    )
    made = run("index", "products.jsonl", "-p", "shop")
    assert made.code == 0
    assert said in made.err


def test_values_the_wrong_way_round_with_several_words(run: Run, own_folder: Path) -> None:
    values = "values: {HP: [惠普, hewlett packard]}"
    write(own_folder, PROFILE.replace("metadata.brand, type: keyword", f"metadata.brand, type: keyword, {values}"))
    checked = run("profile", "check", "shop")
    assert checked.code == 3
    assert "the stored value on the right: {惠普: HP, hewlett packard: HP}" in checked.err


def test_all_names_that_are_not_there_are_told_at_once(run: Run, own_folder: Path) -> None:
    write(own_folder, f"{PROFILE}  fusion: rff\n  processors: [spm]\n")
    checked = run("profile", "check", "shop")
    assert checked.code == 3
    assert "there is no fusion 'rff' (did you mean 'rrf'?)" in checked.err
    assert "there is no processor 'spm'" in checked.err


@pytest.mark.parametrize("mode", ["llm", "llm-single"])
def test_a_profile_that_asks_a_model_is_as_valid_with_an_index_as_without_one(
    run: Run, own_folder: Path, mode: str
) -> None:
    model = f"llm: {{provider: openai, model: m}}\nunderstand: {{mode: {mode}}}\nexpand: {{mode: {mode}}}"
    write(own_folder, PROFILE.replace("understand: {mode: rules}", model))
    assert run("profile", "check", "shop").code == 0
    assert run("index", "products.jsonl", "-p", "shop").code == 0
    checked = run("profile", "check", "shop")
    assert (checked.code, checked.err) == (0, "")


def test_a_field_that_queries_call_otherwise(run: Run, own_folder: Path) -> None:
    more = "".join(
        f"        {name}: {{name: metadata.{name}, type: {kind}}}\n"
        for name, kind in (("screen_size", "number"), ("ram_gb", "number"), ("颜色", "keyword"), ("stock", "number"))
    )
    write(own_folder, f"{PROFILE}{more}        date: {{name: metadata.date, type: date}}\n")
    said = {"ram_gb": "memory", "screen_size": "screen", "颜色": "colour"}
    checked = run("profile", "check", "shop")
    assert checked.code == 0
    assert checked.err.splitlines() == [
        f"warning: backend products: {name}: no query's words speak of a field of this name: call it '{canonical}'"
        for name, canonical in said.items()
    ]


def test_a_field_beside_the_canonical_one_has_the_name_it_wants(run: Run, own_folder: Path) -> None:
    write(own_folder, f"{PROFILE}        list_price: {{name: metadata.list, type: number}}\n")
    assert run("profile", "check", "shop").err == ""
