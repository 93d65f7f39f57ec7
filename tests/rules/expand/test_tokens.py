"""Tokens of letters, digits and signs stay whole: model names beside Chinese, generations, apertures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.rules.expand import choose, expand
from qx.rules.tokens import broken
from qx.types import Query, Understanding


@pytest.mark.parametrize(
    ("text", "kept", "never"),
    [
        ("红米K70和K60哪个好", ("K70", "K60"), (" 60",)),
        ("A4和A3纸区别", ("A4", "A3"), (" 4", " 3")),
        ("2.4G和5G区别", ("2.4G", "5G"), ("2.4 ", " 5 ")),
        ("7-11 咖啡", ("7-11",), ("7 11",)),
        ("血压150/95", ("150/95",), ("150 95",)),
        ("f/2.8 镜头推荐", ("f/2.8",), ("f 2.8",)),
        ("T恤 不要黑色", ("T恤",), ()),
    ],
)
async def test_a_token_stays_whole(
    text: str,
    kept: tuple[str, ...],
    never: tuple[str, ...],
    understand: Callable[..., Understanding],
    make_context: Callable[..., Any],
    strategies: Callable[..., Any],
    knowledge: Any,
):
    understanding = understand(text)
    names = choose(Query(text=text), understanding, knowledge)
    found = await expand(Query(text=text), understanding, make_context(), strategies(names))
    assert found
    for query in found:
        assert not any(cut in query.text for cut in never)
        if query.strategy != "decompose":
            assert all(token in query.text for token in kept)


@pytest.mark.parametrize(
    ("original", "text", "token"),
    [
        ("红米K70和K60哪个好", "红米K70 60 评测", "K60"),
        ("A4和A3纸区别", "A3 4 3 纸区别", "A4"),
        ("2.4G和5G区别", "2.4 5 区别", "2.4G"),
        ("血压150/95", "血压 150 95", "150/95"),
        ("f/2.8 镜头", "f 2.8 镜头", "f/2.8"),
        ("RTX3070 价格", "RTX 3070 价格", None),
        ("16g内存 手机", "16 GB 内存 手机", None),
        ("16g内存 手机", "16克内存 手机", None),
        ("iphone15 vs 15 pro", "iphone 15 pro", None),
        ("gpt-4 评测", "gpt 4 评测", None),
    ],
)
def test_a_token_without_its_letters_is_broken(original: str, text: str, token: str | None):
    assert broken(original, text) == token
