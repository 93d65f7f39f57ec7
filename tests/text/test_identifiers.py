"""Identifiers: found with their type, and measures left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text import identifiers
from qx.text.identifiers import find, is_identifier

FOUND = [
    ("0x80070057 怎么修", "0x80070057", "error-code"),
    ("E11000 duplicate key", "E11000", "error-code"),
    ("ORA-00942 table", "ORA-00942", "error-code"),
    ("洗衣机显示E4", "E4", "error-code"),
    ("错误代码 651", "651", "error-code"),
    ("error code: 43", "43", "error-code"),
    ("HTTP 500 nginx", "HTTP 500", "error-code"),
    ("ERR_CONNECTION_REFUSED chrome", "ERR_CONNECTION_REFUSED", "error-code"),
    ("node ECONNREFUSED", "ECONNREFUSED", "error-code"),
    ("DEC-0054", "DEC-0054", "number-code"),
    ("POL-358 状态", "POL-358", "number-code"),
    ("订单号 20240501001 到哪了", "20240501001", "number-code"),
    ("linux 6.5 内核", "linux 6.5", "version"),
    ("MH370 失踪", "MH370", "model-number"),
    ("gpt-4 定价", "gpt-4", "model-number"),
    ("RTX 3070 显卡", "RTX 3070", "model-number"),
    ("3070Ti 散热", "3070Ti", "model-number"),
    ("RTX 3080 Ti review", "RTX 3080 Ti", "model-number"),
    ("iPhone 15 Pro Max 电池", "iPhone 15 Pro Max", "model-number"),
    ("小米14 拍照", "小米14", "model-number"),
    ("i7-13700K 温度", "i7-13700K", "model-number"),
    ("WH-1000XM5 manual", "WH-1000XM5", "model-number"),
    ("升级到v2.3.1之后", "v2.3.1", "version"),
    ("python 3.11 asyncio", "python 3.11", "version"),
    ("Windows 11 更新", "Windows 11", "version"),
    ("openssl 1.1.1 漏洞", "openssl 1.1.1", "version"),
    ("NullPointerException in spring", "NullPointerException", "exception"),
    ("java.lang.OutOfMemoryError heap", "java.lang.OutOfMemoryError", "exception"),
    ("10.1145/3292500.3330701", "10.1145/3292500.3330701", "doi"),
    ("arXiv:2305.12345", "arXiv:2305.12345", "arxiv"),
    ("CVE-2021-44228 影响", "CVE-2021-44228", "cve"),
    ("ping 192.168.0.1", "192.168.0.1", "ip-address"),
    ("id a1b2c3d4-1111-2222-3333-444455556666", "a1b2c3d4-1111-2222-3333-444455556666", "uuid"),
    ("d41d8cd98f00b204e9800998ecf8427e 是什么", "d41d8cd98f00b204e9800998ecf8427e", "hash"),
    ("打开https://example.com/a?b=1。", "https://example.com/a?b=1", "url"),
    ("(see http://a.example/b_(c))", "http://a.example/b_(c)", "url"),
    ("me@example.com 登录", "me@example.com", "email"),
    ("/etc/nginx/nginx.conf 权限", "/etc/nginx/nginx.conf", "path"),
    (r"C:\Windows\x.dll 丢失", r"C:\Windows\x.dll", "path"),
    ("config.yaml example", "config.yaml", "path"),
    ("ISBN 978-7-5366-9293-0", "ISBN 978-7-5366-9293-0", "isbn"),
    ("semantic_identifier 是什么", "semantic_identifier", "symbol"),
    ("list.sort() 返回", "list.sort()", "symbol"),
    ("索尼WH-1000XM5支持LDAC吗", "WH-1000XM5", "model-number"),
    ("红米K70手机壳", "K70", "model-number"),
    ("pip --no-cache-dir flag", "--no-cache-dir", "symbol"),
]


@pytest.mark.parametrize(("query", "text", "kind"), FOUND)
def test_found(query: str, text: str, kind: str) -> None:
    assert [(i.text, i.type) for i in find(query)] == [(text, kind)]


@pytest.mark.parametrize(
    "query",
    [
        "16GB 内存 512GB 固态",
        "2k-3k 的手机",
        "孩子发烧38.5度",
        "5000元以下",
        "120Hz 5000mAh 4K 5G",
        "27-inch monitor",
        "under $50",
        "2000..3000",
        "2024-05-01",
        "top10 movies",
        "3-in-1 charger",
        "node.js 部署",
        "C++ vs C#",
        "and/or",
        "1/2 cup",
        "小米14元一斤",
        "电脑开机黑屏只有光标在闪",
        "red shoes for men",
        "Error while opening",
        "AT&T plan",
        "multi-agent systems",
        "30-day trial",
        "CO2 排放",
        "vitamin B12",
        "A4纸",
        "covid-19 symptoms",
        "5G手机 3D打印 95后 4S店",
        "",
    ],
)
def test_measures_and_words_are_none(query: str) -> None:
    assert find(query) == ()


def test_two_products() -> None:
    assert [i.text for i in find("iPhone 15 和 小米14 哪个拍照好")] == ["iPhone 15", "小米14"]


@pytest.mark.parametrize(
    "query",
    [
        "DEC-0054",
        " POL-358 ",
        "0x80070057",
        "gpt-4",
        "v2.3.1",
        "NullPointerException",
        "https://a.example/",
        "'E11000'",
        "CVE-2021-44228",
    ],
)
def test_the_whole_query_is_one(query: str) -> None:
    assert is_identifier(query)


@pytest.mark.parametrize(
    "query",
    [
        "DEC-0054 是什么",
        "iPhone 15",
        "iPhone15",
        "PS5",
        "IPv6",
        "CO2",
        "python 3.11",
        "小米14",
        "RTX 3070",
        "苹果",
        "",
        "  ",
        "16GB",
        "DEC-0054 POL-358",
    ],
)
def test_the_query_is_more_or_less_than_one(query: str) -> None:
    assert not is_identifier(query)


pieces = st.lists(
    st.sampled_from([q for q, _, _ in FOUND] + ["-", ".", "/", "_", "电脑", " ", "1", "A", "x"]), max_size=5
).map("".join)


@given(st.text() | pieces)
@settings(max_examples=100, deadline=None)
def test_spans_are_ordered_and_apart(text: str) -> None:
    at = 0
    for found in find(text):
        assert at <= found.start < found.end <= len(text)
        assert text[found.start : found.end] == found.text
        at = found.end
    if is_identifier(text):
        [whole] = find(text.strip().strip("\"'“”。.？?！!，,"))
        assert whole.text in text


@given(st.sampled_from([text for _, text, _ in FOUND]), st.text(max_size=5) | pieces)
@settings(max_examples=100, deadline=None)
def test_a_pattern_is_left_out_only_where_it_cannot_match(known: str, more: str) -> None:
    text = known + more
    needed = {pattern: needs for _, needs, pattern in identifiers._compiled()}
    for pattern, needs in needed.items():
        if pattern.search(text):
            assert needs <= identifiers._marks(text)


@pytest.mark.parametrize("text", ["SKU-88213-B", "ABC-88213-B", "AB-123-C4", "DEC-0054-2", "QT-1234-AB-7"])
def test_a_number_may_end_in_letters(text: str) -> None:
    assert is_identifier(text)
    assert [i.text for i in find(f"where is {text} now")] == [text]
