"""Which addresses a page may come from: public ones, and what the operator allows besides (``QX_ALLOW_ADDRESSES``).

A name is looked up once, every address that it has is checked, and the connection goes to a checked address: whatever
the name resolves to a moment later does not matter.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from yarl import URL

from qx.errors import AddressNotAllowed, ProfileError, ScrapeError
from qx.http import place

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Name and port -> the addresses of the name; ``OSError`` where there are none."""

_REFUSED: Sequence[Network] = tuple(
    ip_network(text)
    for text in (
        *(
            "0.0.0.0/8",
            "100.64.0.0/10",
            "192.0.0.0/24",
            "192.88.99.0/24",
            "198.18.0.0/15",
            "224.0.0.0/4",
            "240.0.0.0/4",
        ),
        *("fec0::/10", "ff00::/8", "2001::/23", "3fff::/20", "5f00::/16"),
        "168.63.129.16/32",  # public by its number, the host's own service inside of Azure
    )
)
"""Beside what the standard library calls not global, which differs by its version (RFC 6890 and its registries)."""

_EMBEDDING = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"), ip_network("::/96"))
"""IPv6 networks whose last 32 bits are an IPv4 address that a gateway leads to."""

_ISATAP = 0x00005EFE
"""The third quarter of an IPv6 address of any network whose last 32 bits are an IPv4 address (RFC 5214, 6.1)."""

_WEB_PORTS = frozenset({80, 443})
_LOWEST_FREE_PORT = 1024
"""Below it, what is not the web is another service (mail, files), which must not be spoken to in its own words."""


def allowed_networks(env: Mapping[str, str] | None = None) -> tuple[Network, ...]:
    """Return the networks of ``QX_ALLOW_ADDRESSES`` (apart by commas): the operator's, never a profile's.

    Raises:
        ProfileError: one of them is none.
    """
    listed = (os.environ if env is None else env).get("QX_ALLOW_ADDRESSES", "")
    try:
        return tuple(ip_network(part.strip()) for part in listed.split(",") if part.strip())
    except ValueError as error:
        hint = "addresses or networks apart by commas, such as 127.0.0.1,10.1.0.0/16"
        raise ProfileError(f"QX_ALLOW_ADDRESSES: {error}", hint=hint) from None


def is_public(address: Address, allowed: Sequence[Network] = ()) -> bool:
    """Whether pages may come from ``address``: an IPv4 address inside of an IPv6 one is looked at too."""
    if any(address in network for network in allowed):
        return True
    inner = _embedded(address)
    if inner is not None:
        return is_public(inner, allowed)
    if any(address in network for network in _REFUSED):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _embedded(address: Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    isatap = (int(address) >> 32 & 0xFDFFFFFF) == _ISATAP
    if isatap or any(address in network for network in _EMBEDDING):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def checked_url(text: str) -> URL:
    """Return an address that may be asked for, as far as its text says.

    Raises:
        AddressNotAllowed: it is not http(s), has no host, holds a password, or a port that is not the web's.
    """
    try:
        url = URL(text.strip())
        port = url.port
    except ValueError:
        raise AddressNotAllowed(f"{place(text)[:80]!r} is not an address that can be fetched") from None
    if url.scheme not in ("http", "https"):
        raise AddressNotAllowed(f"{place(text)[:80]!r} is not http or https: no other address is fetched")
    if not url.raw_host or port is None:
        raise AddressNotAllowed(f"{place(text)[:80]!r} names no host")
    if url.raw_user is not None or url.raw_password is not None:
        raise AddressNotAllowed(f"{place(text)} holds a user or password: such addresses are not fetched")
    if port < _LOWEST_FREE_PORT and port not in _WEB_PORTS:
        raise AddressNotAllowed(f"{place(text)}: port {port} is not the web's")
    return url.with_fragment(None)


async def checked_addresses(url: URL, resolve: Resolve, allowed: Sequence[Network]) -> tuple[str, ...]:
    """Return the addresses of the host of ``url``, every one of them checked.

    Raises:
        AddressNotAllowed: one of them is not public: a name that leads inside as well as outside is a trick.
        ScrapeError: the name has no address.
    """
    host, port = url.raw_host or "", url.port or 80
    try:
        found = _numeric(host, port) or await resolve(host, port)
    except (OSError, UnicodeError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise ScrapeError(f"{place(str(url))}: the name has no address: {said}", kind="unreachable") from None
    made = tuple(dict.fromkeys(str(one).partition("%")[0] for one in found))
    if not made:
        raise ScrapeError(f"{place(str(url))}: the name has no address", kind="unreachable")
    for one in made:
        if not is_public(ip_address(one), allowed):
            raise AddressNotAllowed(
                f"{place(str(url))} leads to {one}, which is not a public address; "
                "what the operator lists in QX_ALLOW_ADDRESSES may be fetched all the same"
            )
    return made


def _numeric(host: str, port: int) -> Sequence[str]:
    """The address of a host that is a number in any of its spellings (``2130706433``, ``0x7f.1``); none of a name."""
    try:
        return _listed(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
    except (OSError, UnicodeError):
        return ()


async def system_resolve(host: str, port: int) -> Sequence[str]:
    """Look ``host`` up as the system does (implements ``Resolve``)."""
    return _listed(await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM))


def _listed(found: Sequence[tuple[object, object, object, object, tuple[object, ...]]]) -> Sequence[str]:
    return tuple(str(entry[4][0]) for entry in found)
