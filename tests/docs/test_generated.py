"""What the pages say of the code is what the code says."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from typing import Any

import pytest

import qx.errors
from qx import Engine
from qx.errors import ProviderError, QxError

from .pages import PAGES, ROOT, in_the_tree

DOCS = ROOT / "docs"


@pytest.fixture
def generate(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module ``docs/generate.py``."""
    monkeypatch.syspath_prepend(str(DOCS))
    names = ("generate", "canonical_fields", "profile_keys", "suites", "tables")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module("generate")
    for name in names:
        sys.modules.pop(name, None)


def test_every_generated_part_is_up_to_date(generate: Any) -> None:
    for name in dict.fromkeys(page for page, _ in generate.PARTS):
        text = (DOCS / name).read_text("utf-8")
        assert text == generate.render(name, text), f"docs/{name} is out of date: run `make schemas`"


async def test_the_examples_of_canonical_fields_speak_of_them(generate: Any) -> None:
    examples = sys.modules["canonical_fields"].EXAMPLES
    async with Engine.opened() as engine:
        for name, queries in examples.items():
            for query in queries:
                found = await engine.understand(query)
                assert name in {limit.field for limit in found.constraints}, f"{query}: {name}"


def test_every_part_has_its_place_and_every_place_its_part(generate: Any) -> None:
    places = {(_name(page), part) for page in PAGES for part in generate.parts_of(page.read_text("utf-8"))}
    assert places == set(generate.PARTS)


def _name(page: Any) -> str:
    return page.relative_to(DOCS).as_posix() if page.is_relative_to(DOCS) else page.name


def test_the_drawn_tree_of_errors_is_the_tree_of_classes() -> None:
    drawn: dict[str, str] = {}
    above: list[str] = []
    for line in (inspect.getdoc(qx.errors) or "").splitlines():
        if found := re.match(r"(?P<lead>\s*(?:[│├└─ ]*))(?P<name>[A-Z]\w+)(?P<rest>.*)", line.removeprefix("    ")):
            depth = len(found["lead"]) // 4
            if found["name"] not in vars(qx.errors):
                continue
            above = [*above[:depth], found["name"]]
            drawn[found["name"]] = above[-2] if len(above) > 1 else "Exception"
            kind = vars(qx.errors)[found["name"]]
            if told := re.search(r"exit (\d)", found["rest"]):
                assert kind.exit_code == int(told[1]), line
            assert kind.retryable is ("  retryable" in found["rest"]), line
    real = {
        name: kind.__base__.__name__
        for name, kind in vars(qx.errors).items()
        if inspect.isclass(kind) and issubclass(kind, QxError)
    }
    assert drawn == real


def test_the_page_of_errors_says_what_follows_each_failure_of_a_model() -> None:
    text = (DOCS / "errors.md").read_text("utf-8")
    for kind in ProviderError.__subclasses__():
        if kind.__module__ == "qx.errors":
            assert f"`{kind.__name__}`" in text


@in_the_tree
def test_links_lead_somewhere() -> None:
    missing = []
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = page if not path else page.parent / path
            if not file.exists() or (anchor and anchor not in _anchors(file.read_text("utf-8"))):
                missing.append(f"{page.name}: {target}")
    assert missing == []


def _anchors(text: str) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@in_the_tree
def test_files_that_the_readme_names_are_there() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    named = re.findall(r"`((?:qx|docs|tests|plugins)/[\w/.-]*)`", text)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "cli.md"], ids=lambda p: p.name)
def test_a_page_is_short_enough_to_read(page: Any) -> None:
    text = re.sub(r"^<!-- file: [^\n]*?\n```.*?^```$", "", page.read_text("utf-8"), flags=re.S | re.M)
    written = re.sub(r"<!-- generated: .*?<!-- end -->", "", text, flags=re.S)
    assert len(written.splitlines()) <= 270
