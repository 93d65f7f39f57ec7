import ipaddress
import socket

import pytest
from fetching_web import LOOPBACK, Fetch, Web, kind_of
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import AddressNotAllowed, NotAllowed, ProfileError, ScrapeError
from qx.fetching.addresses import allowed_networks, checked_addresses, checked_url, is_public, system_resolve

INSIDE = [
    *("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("100.100.100.200", "192.0.0.192", "168.63.129.16", "224.0.0.1", "255.255.255.255", "240.0.0.1", "198.18.0.1"),
    *("::1", "::", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "fe80::1", "fc00::1", "fd00:ec2::254"),
    *("fec0::1", "ff02::1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2001:db8::1", "2001:0:1::1"),
    *("2606:4700::5efe:7f00:1", "2606:4700::200:5efe:a00:1", "2606:4700:0:1:0:5efe:a9fe:a9fe"),
]
OUTSIDE = [
    "93.184.216.34",
    "1.1.1.1",
    "223.5.5.5",
    "2606:4700:4700::1111",
    "::ffff:1.1.1.1",
    "64:ff9b::101:101",
    "2606:4700::5efe:101:101",
]


@pytest.mark.parametrize("text", INSIDE)
def test_what_is_not_public_is_refused(text: str):
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", OUTSIDE)
def test_what_is_public_is_not(text: str):
    assert is_public(ipaddress.ip_address(text))


@settings(max_examples=50, deadline=None)
@given(st.ip_addresses(v=4))
def test_an_address_within_another_is_judged_like_itself(address: ipaddress.IPv4Address):
    for written in (f"::ffff:{address}", f"64:ff9b::{address}"):
        assert is_public(ipaddress.ip_address(written)) == is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "file:///etc/passwd",
            "ftp://tea.example/x",
            "gopher://tea.example/",
            "javascript:alert(1)",
            "data:text/html,x",
        ),
        *("", "tea.example", "//tea.example/", "http://", "http:///x", "http://[::1", "http://tea.example:99999/"),
        *(
            "http://user@tea.example/",
            "http://user:pw@tea.example/",
            "http://tea.example:25/",
            "https://tea.example:22/",
            "ftp://user:pw@tea.example/",
            "http://user:pw@[::1",
            "user:pw@tea.example/",
            "?api_key=pw",
        ),
    ],
)
async def test_addresses_that_are_refused_by_their_text(fetch: Fetch, sites: Web, url: str):
    sites.url("/")
    with pytest.raises(AddressNotAllowed) as caught:
        await fetch(url)
    assert isinstance(caught.value, NotAllowed)
    assert caught.value.exit_code == 7
    assert "pw" not in str(caught.value)
    assert sites.asked == []


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "[::1]", "[::ffff:127.0.0.1]"),
        *("[::ffff:7f00:1]", "0", "[::]", "169.254.169.254", "[fd00:ec2::254]", "127.0.0.1.", "localhost", "①②⑦.0.0.1"),
    ],
)
async def test_every_spelling_of_an_address_inside_is_refused(sites: Web, fetch: Fetch, host: str):
    sites.names["localhost"] = ["127.0.0.1"]
    sites.page("/secret")
    assert await kind_of(fetch(f"http://{host}:{sites.port}/secret", allowed=())) in ("address", "unreachable")
    assert sites.asked == []
    if host not in ("127.0.0.1.", "①②⑦.0.0.1"):
        assert await kind_of(fetch(f"http://{host}:{sites.port}/secret", allowed=())) == "address"


async def test_a_name_that_leads_inside_is_refused(sites: Web, fetch: Fetch):
    sites.names["inside.example"] = ["127.0.0.1"]
    assert await kind_of(fetch(f"http://inside.example:{sites.port}/", allowed=())) == "address"
    assert sites.asked == []


async def test_a_name_that_leads_inside_and_outside_is_refused(sites: Web, fetch: Fetch):
    sites.names["both.example"] = ["127.0.0.1", "10.0.0.7"]
    sites.page("/")
    with pytest.raises(AddressNotAllowed, match=r"10\.0\.0\.7, which is not a public address"):
        await fetch(f"http://both.example:{sites.port}/")


async def test_a_name_that_changes_its_mind_is_asked_once(sites: Web, fetch: Fetch, monkeypatch: pytest.MonkeyPatch):
    """The connection goes to the address that was checked, not to what the name resolves to by then."""
    answers = [["127.0.0.1"], ["127.0.0.2"]]
    asked: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return answers[len(asked) - 1]

    monkeypatch.setattr(sites, "resolve", resolve)
    monkeypatch.setattr(socket, "getaddrinfo", _numbers_only(socket.getaddrinfo))
    sites.page("/tea")
    page = await fetch(f"http://fickle.example:{sites.port}/tea", robots=False)
    assert "oolong" in page.text
    assert asked == ["fickle.example"]
    assert sites.asked == [("fickle.example", "/tea")]


def _numbers_only(plain):
    def look(host, *args, **options):
        assert str(host).replace(".", "").isdigit() or options.get("flags") == socket.AI_NUMERICHOST, host
        return plain(host, *args, **options)

    return look


async def test_the_systems_own_names():
    with pytest.raises(AddressNotAllowed):
        await checked_addresses(checked_url("http://localhost/"), system_resolve, ())
    found = await checked_addresses(checked_url("http://localhost/"), system_resolve, [*LOOPBACK, *NET6])
    assert set(found) <= {"127.0.0.1", "::1"}


NET6 = (ipaddress.ip_network("::1/128"),)


async def test_a_name_without_an_address(fetch: Fetch):
    with pytest.raises(ScrapeError, match=r"http://nowhere\.example/x: the name has no address: .*no such name"):
        await fetch("http://nowhere.example/x?key=1")


def test_the_operators_allowance(monkeypatch: pytest.MonkeyPatch):
    assert allowed_networks({}) == ()
    assert allowed_networks({"QX_ALLOW_ADDRESSES": " 127.0.0.1, 10.1.0.0/16 ,::1"}) == (
        ipaddress.ip_network("127.0.0.1/32"),
        ipaddress.ip_network("10.1.0.0/16"),
        ipaddress.ip_network("::1/128"),
    )
    with pytest.raises(ProfileError, match=r"QX_ALLOW_ADDRESSES: 'intranet' does not appear"):
        allowed_networks({"QX_ALLOW_ADDRESSES": "intranet"})
