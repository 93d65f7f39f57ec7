"""Regular expressions mean the same on every Python 3.11: before 3.11.5 a possessive group lost matches."""

import importlib
import pkgutil
import re
import re._parser as parser  # pyright: ignore[reportMissingImports]
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import qx
from qx.text.clean import clean

_ROOT = Path(qx.__file__).parent.parent
_SOURCES = [*sorted((_ROOT / "qx").rglob("*.py")), *sorted((_ROOT / "plugins").glob("*/qx_*/**/*.py"))]
# `)*+`, `)?+`, `){2,}+` (doubled braces in an f-string), but not an escaped parenthesis.
_POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{+\d*,?\d*\}+)\+")
_CHARACTER_CLASS = re.compile(r"(?<!\\)\[\^?\]?(?:\\.|[^\]\\])*\]")


def _possessive_groups(tree) -> Iterator[object]:
    for operation, argument in tree:
        if str(operation) == "POSSESSIVE_REPEAT":
            item = argument[2]
            if len(item) != 1 or str(item[0][0]) not in {"IN", "LITERAL", "NOT_LITERAL", "ANY"}:
                yield item
        for part in argument if isinstance(argument, list | tuple) else [argument]:
            for branch in part if isinstance(part, list) else [part]:
                if isinstance(branch, parser.SubPattern):
                    yield from _possessive_groups(branch)


def _patterns(held: object, depth: int = 3) -> Iterator[re.Pattern[str]]:
    if isinstance(held, re.Pattern):
        yield held
    elif depth and isinstance(held, dict):
        for value in held.values():
            yield from _patterns(value, depth - 1)
    elif depth and isinstance(held, list | tuple | set | frozenset):
        for value in held:
            yield from _patterns(value, depth - 1)


def _written_possessively(source: str) -> bool:
    return _POSSESSIVE_GROUP.search(_CHARACTER_CLASS.sub("x", source)) is not None


@pytest.mark.parametrize("pattern", [r"(?:ab)*+", r"(a)?+", r"x(?:[ab]c){2,}+", r"(?>(?:(?:ab)++)*)", r"(?=(?:ab)++)"])
def test_the_search_for_possessive_groups_finds_them(pattern):
    assert list(_possessive_groups(parser.parse(pattern)))
    assert _written_possessively(pattern)


@pytest.mark.parametrize("pattern", [r"[ab]*+", r"\d++", r"(?>(?:ab)*)", r"a?+", r".{2,}+"])
def test_one_character_may_repeat_possessively(pattern):
    assert not list(_possessive_groups(parser.parse(pattern)))
    assert not _written_possessively(pattern)


def test_no_source_writes_a_possessive_group():
    found = []
    for path in _SOURCES:
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if "STRING" in tokenize.tok_name[token.type] and _written_possessively(token.string):
                    found.append(f"{path.relative_to(_ROOT)}:{token.start[0]}: write (?>(?:…)*) for (?:…)*+")
    assert not found, "\n".join(found)


def test_no_compiled_pattern_repeats_a_group_possessively():
    found = []
    for module in pkgutil.walk_packages(qx.__path__, "qx."):
        if module.name.endswith("__main__"):
            continue
        for name, held in vars(importlib.import_module(module.name)).items():
            for pattern in _patterns(held):
                if isinstance(pattern.pattern, str) and list(
                    _possessive_groups(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG))
                ):
                    found.append(f"{module.name}.{name}")
    assert not found, found


def test_hidden_markup_goes_on_every_python():
    assert clean("<!-- note -- of one - dash -->x").text == "x"
    assert clean("a<!-- -->b<!---->c").text.replace(" ", "") == "abc"
    hostile = "<!--" + "-a" * 200_000
    assert len(clean(hostile).text) > 300_000
