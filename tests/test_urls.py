"""Which URLs are one page, and which are not."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from qx.urls import host_of, url_key

SAME = [
    ("https://e.org/a?utm_source=x&id=1#f", "https://e.org/a?id=1"),
    ("HTTPS://E.ORG/a", "https://e.org/a"),
    ("http://e.org:80/a", "https://e.org/a"),
    ("https://e.org:443/a", "https://e.org/a"),
    ("https://e.org", "https://e.org/"),
    ("https://e.org/a/", "https://e.org/a"),
    ("https://e.org./a", "https://e.org/a"),
    ("https://user:pw@e.org/a", "https://e.org/a"),
    ("//e.org/a", "https://e.org/a"),
    ("https://e.org/%7Euser/%e4%bd%a0", "https://e.org/~user/你"),
    ("https://e.org/a%2fb", "https://e.org/a%2Fb"),
    ("https://e.org/a/./b/../c", "https://e.org/a/c"),
    ("https://e.org/a/%2e%2e/c", "https://e.org/c"),
    ("https://e.org/?b=2&a=1", "https://e.org/?a=1&b=2"),
    ("https://e.org/?q=a+b", "https://e.org/?q=a%20b"),
    ("https://e.org/?", "https://e.org/"),
    ("https://e.org/?&&id=1&", "https://e.org/?id=1"),
    ("https://e.org/a?fbclid=1&gclid=2&UTM_Medium=3&spm=a.b.c", "https://e.org/a"),
    ("https://e.org/a?vd_source=1&share_source=copy_web&spm_id_from=333", "https://e.org/a"),
    ("https://例え.テスト/a", "https://xn--r8jz45g.xn--zckzah/a"),
    ("https://BÜCHER.example/", "https://xn--bcher-kva.example"),
    ("https://%65.org/a", "https://e.org/a"),
    ("https://e.org/a#:~:text=found", "https://e.org/a"),
    (" https://e.org/a\n", "https://e.org/a"),
    ("https://[2001:DB8::1]:443/a", "https://[2001:db8::1]/a"),
]
DIFFERENT = [
    ("https://e.org/?s=llm", "https://e.org/?s=rag"),
    ("https://e.org/d?SerialNo=79489", "https://e.org/d?SerialNo=79336"),
    ("https://e.org/A", "https://e.org/a"),
    ("https://e.org/?id=a", "https://e.org/?id=A"),
    ("https://e.org/?ID=1", "https://e.org/?id=1"),
    ("https://e.org:8080/a", "https://e.org/a"),
    ("http://e.org:8080/a", "https://e.org:8080/a"),
    ("https://www.e.org/", "https://shop.e.org/"),
    ("https://e.org/a%2Fb", "https://e.org/a/b"),
    ("https://e.org/?q=a%2Bb", "https://e.org/?q=a+b"),
    ("https://e.org/?q=a%26b", "https://e.org/?q=a&b"),
    ("https://e.org/?t=1&t=2", "https://e.org/?t=2&t=1"),
    ("https://e.org/#!/inbox", "https://e.org/#!/sent"),
    ("https://e.org/#/item/1", "https://e.org/#/item/2"),
    ("https://e.org/?ref=1", "https://e.org/?ref=2"),
    ("https://e.org/100%25", "https://e.org/100"),
    ("doc-1", "DOC-1"),
    ("https://e.org/a", "ftp://e.org/a"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_page(one: str, other: str):
    assert url_key(one) == url_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_two_pages(one: str, other: str):
    assert url_key(one) != url_key(other)


def test_the_key_reads_as_a_url():
    assert url_key("HTTP://E.org:80/a/?utm_source=x&id=1#f") == "https://e.org/a?id=1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "doc 1",
        "POL-358",
        "e.org/a",
        "mailto:a@e.org",
        "doi:10.1145/1",
        "http://",
        "https:///a",
        "http://[::1",
        "https://e.org:x/",
    ],
)
def test_what_is_no_url_stays(text: str):
    assert url_key(text) == text


# fmt: off
PIECES = st.sampled_from([
    "http", "https", "HTTP", ":", "/", "//", "?", "#", "&", "=", "+", "%", "%2", "%2e", "%25", "%41", "%zz", "..", ".",
    "@", "[", "]", ";", "e.org", "E.ORG", "例え", "utm_source", "id", "ü", "ß", "ｅ", "\ud800", "\\", "!", "80", "443",
])
# fmt: on
URLS = st.one_of(
    st.text(max_size=40),
    st.lists(PIECES, max_size=14).map("".join),
    st.lists(PIECES, max_size=14).map(lambda pieces: "https://e.org/" + "".join(pieces)),
    st.lists(PIECES, max_size=8).map(lambda pieces: "http://" + "".join(pieces)),
    st.text(max_size=20).map(lambda text: f"https://{text}/"),
)


@settings(max_examples=100, deadline=None)
@given(URLS)
@example("https://e.org//../..//a/")
@example("https://ⅷ.org/%")
@example("https://a%2Fb/")
@example("HTTP://²..")
@example("http://xn--²ß/")
@example("http://xn--eß%E3%80%82..")
def test_twice_changes_nothing_and_nothing_raises(url: str):
    assert url_key(url_key(url)) == url_key(url)
    host_of(url)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["id", "s", "page", "SerialNo"]), st.text("abc1+% &=é", max_size=4)), max_size=4
    ),
    st.lists(st.sampled_from(["utm_source=x", "gclid=1", "spm=2", "_ga=3"]), max_size=3),
)
def test_tracking_never_tells_pages_apart(pairs: list[tuple[str, str]], tracking: list[str]):
    from urllib.parse import urlencode

    plain = urlencode(pairs)
    assert url_key("https://e.org/p?" + "&".join([*tracking, plain])) == url_key("https://e.org/p?" + plain)


def test_the_host():
    assert host_of("https://user@WWW.E.org:8080/a") == "www.e.org"
    assert host_of("https://例え.テスト/") == "xn--r8jz45g.xn--zckzah"
    assert (host_of(None), host_of("doc-1"), host_of("https://[::1]/")) == ("", "", "::1")
