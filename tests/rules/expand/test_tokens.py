"""Tokens of letters, digits and signs stay whole: model names beside Chinese, generations, apertures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.rules.expand import choose, expand
from qx.rules.tokens import broken
from qx.rules.wording import Wording
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
        (".NET 8 vs .NET 6", "NET 8 vs .NET 6 comparison", ".NET"),
        (".NET 8 vs .NET 6", "asp.net 8 .net 6 comparison", None),
        (".env file docker", "env file docker", ".env"),
        (".env file docker", "docker environment file .env", None),
        ("difference between .net and net", "net comparison", None),
        ("~/.bashrc not loading", "bashrc not loading", None),
        ("一加手机 拍照", "加手机 拍照", "一加手"),
        ("一加手机 拍照", "一加 手机 拍照 评测", None),
        ("一加手机 拍照", "国产手机 拍照", None),
        ("app 一打开就闪退", "app 打开 闪退", None),
        ("一更新系统就卡", "更新系统 卡顿", None),
        ("三只松鼠 坚果", "只松鼠 坚果", "三只松"),
        ("一个人旅行", "个人旅行", "一个人"),
        ("两台电脑联网", "电脑联网", None),
    ],
)
def test_a_token_without_its_letters_is_broken(original: str, text: str, token: str | None):
    assert broken(original, text) == token


@pytest.mark.parametrize(
    ("text", "core"),
    [
        (".NET 8 vs .NET 6", ".NET 8 vs .NET 6"),
        (".env file docker", ".env file docker"),
        ("~/.bashrc not loading", "~/.bashrc not loading"),
        (":hover css not working", ":hover css not working"),
        ("::before 伪元素", "::before 伪元素"),
        (".NET 教程", ".NET 教程"),
        ("!important css override", "!important css override"),
        ("怎么学 .NET", "学 .NET"),
        # and marks that begin nothing
        ("... and then my phone died", "and then my phone died"),
        (".. phone", "phone"),
        (", cheap phone", "cheap phone"),
        ("~ cheap phone ~", "cheap phone"),
        ("。手机推荐", "手机推荐"),
        # names that begin with a numeral, or hold a word of no content
        ("一加手机 拍照", "一加 手机 拍照"),
        ("三只松鼠 坚果", "三只松鼠 坚果"),
        ("七匹狼 夹克", "七匹狼 夹克"),
        ("一汽大众 保养", "一汽大众 保养"),
        ("六神花露水", "六神花露水"),
        ("三星手机 维修", "三星手机 维修"),
        ("三一重工", "三一重工"),
        ("六个核桃", "六个核桃"),
        ("戴森吹风机难用", "戴森吹风机难用"),
        ("比亚迪 槽点", "比亚迪 槽点"),
        ("学而思 缺点", "学而思 缺点"),
        ("非洲之星", "非洲之星"),
        ("冰与火之歌 结局", "冰与火之歌 结局"),
        ("千与千寻", "千与千寻"),
        # and those that do not
        ("两者之间的区别", "两者之间 区别"),
        ("React与Vue", "React Vue"),
        ("手机与平板", "手机 平板"),
        ("一台电脑 维修", "电脑 维修"),
    ],
)
def test_the_core_keeps_how_a_name_begins(
    text: str, core: str, understand: Callable[..., Understanding], knowledge: Any
):
    assert Wording.of(Query(text=text), understand(text), knowledge).core == core


@pytest.mark.parametrize(
    ("text", "name"),
    [(".NET 8 vs .NET 6", ".NET"), (".env file docker", ".env"), ("一加手机 拍照", "一加"), ("非洲之星", "非洲之星")],
)
async def test_no_expansion_loses_how_a_name_begins(
    text: str,
    name: str,
    understand: Callable[..., Understanding],
    make_context: Callable[..., Any],
    strategies: Callable[..., Any],
    knowledge: Any,
):
    understanding = understand(text)
    found = await expand(
        Query(text=text), understanding, make_context(), strategies(choose(Query(text=text), understanding, knowledge))
    )
    assert found
    assert [q.text for q in found if name not in q.text] == []
