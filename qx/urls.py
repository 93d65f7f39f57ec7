"""When two URLs are one page: the key by which hits of several lists and engines are merged.

The key is for comparison only; what is fetched or shown stays the URL as the engine gave it.  Source of the rules: RFC
3986, section 6 (normalisation that changes no meaning), and beyond it what web search can count on:

- ``http`` and ``https`` on their default ports are one; case of scheme and host, user, default port, the dot at the end
  of a host and a slash at the end of a path do not count; a host in its own script is its punycode;
- percent-encoding is written one way (``%7e`` is ``~``, ``é`` is ``%C3%A9``, in a query ``+`` is ``%20``);
- fragments go, except those that name a page of their own (``#!/inbox``, ``#/inbox``);
- parameters that only say where a visitor came from go; the others are sorted by name, values of one name keep their
  order.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote, urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}

TRACKING_PREFIXES = ("utm_", "pk_", "mtm_", "matomo_", "piwik_", "hsa_")
"""Parameters whose name begins so are never part of a page's identity (names are compared without case)."""

# fmt: off
TRACKING = frozenset((
    # click ids of advertisers
    "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "gad_source", "gad_campaignid", "srsltid", "fbclid", "msclkid",
    "yclid", "ysclid", "twclid", "ttclid", "li_fat_id", "igshid", "igsh", "rdt_cid", "epik", "irclickid", "s_kwcid",
    "ef_id", "_openstat", "bd_vid", "qhclickid",
    # mailings and marketing suites
    "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "hsctatracking", "vero_id", "vero_conv", "oly_anon_id",
    "oly_enc_id", "_ke", "dm_i", "sc_cid", "wt_mc", "wt_zmc",
    # analytics
    "_ga", "_gl", "_gac", "trkcampaign", "guccounter", "guce_referrer", "guce_referrer_sig", "ref_src", "ref_url",
    "hmsr", "hmpl", "hmcu", "hmkw", "hmci", "xtor",
    # Chinese portals and shops
    "spm", "scm", "spm_id_from", "from_spmid", "vd_source", "unique_k", "xhsshare", "xsec_token", "xsec_source",
    "wx_header", "chksm", "share_source", "share_medium", "share_plat", "share_session_id", "share_tag",
    "share_from", "share_times",
))
# fmt: on
"""Parameters that only say where a visitor came from."""

_TRIPLET = re.compile(r"%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/]")
_QUERY = re.compile(r"%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*,;=:@/?]")
_TURNS = 6
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@lru_cache(maxsize=8192)
def url_key(url: str) -> str:
    """Return what stands for the page of ``url``.  Never raises; ``url_key(url_key(x)) == url_key(x)``.

    What is not an http(s) or ftp URL comes back as it is, without white space around it.
    """
    text = url.strip()
    if text.startswith("//"):
        text = "https:" + text
    scheme, colon, rest = text.partition(":")
    scheme = scheme.lower()
    if not colon or scheme not in _DEFAULT_PORTS or not rest.startswith("//"):
        return text
    try:
        parts = urlsplit(f"{scheme}:{rest}")
        host, port = _host(parts.hostname or ""), parts.port
    except ValueError:  # brackets that do not close, a port that is no number
        return text
    if not host:
        return text
    if port in (None, _DEFAULT_PORTS[scheme]):
        scheme, where = ("https" if scheme == "http" else scheme), host
    else:
        where = f"{host}:{port}"
    query, fragment = _parameters(parts.query), _fragment(parts.fragment)
    return f"{scheme}://{where}{_path(parts.path)}" + (f"?{query}" if query else "") + fragment


def host_of(url: str | None) -> str:
    """Return the host of ``url`` as ``url_key`` writes it, without a port; "" where there is none."""
    if not url:
        return ""
    key = url_key(url)
    try:
        return (urlsplit(key).hostname or "") if "://" in key else ""
    except ValueError:
        return ""


def _host(host: str) -> str:
    """Lower case, decoded, in punycode, without the dot at the end."""
    if ":" in host:
        return f"[{host.lower()}]"
    for _ in range(_TURNS):
        made = _normal(host)
        if made == host:
            break
        host = made  # what was encoded twice, or is no host at all, may become another one
    return host


def _normal(host: str) -> str:
    decoded = unquote(host)
    if not re.search(r"[\x00-\x20/?#@:\\%\[\]\ufffd]", decoded):
        host = decoded
    host = host.rstrip(".。．｡")  # before it is encoded: punycode has no empty label
    if not host.isascii():
        host = _punycode(host)
    return _encoded(host.lower(), _TRIPLET).lower().rstrip(".")


def _punycode(host: str) -> str:
    import idna

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        return unicodedata.normalize("NFKC", host.casefold()).casefold()


def _path(path: str) -> str:
    """One way of percent-encoding, no dot segments (RFC 3986, 5.2.4), no slash at the end."""
    kept: list[str] = []
    for segment in _encoded(path, _TRIPLET).split("/")[1:]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return ("/" + "/".join(kept)).rstrip("/") or "/"


def _parameters(query: str) -> str:
    """The parameters that choose the page, sorted by name."""
    pairs = [_encoded(pair.replace("+", "%20"), _QUERY) for pair in query.split("&") if pair]
    kept = [pair for pair in pairs if not _tracks(pair.partition("=")[0])]
    return "&".join(sorted(kept, key=lambda pair: pair.partition("=")[0]))


def _tracks(name: str) -> bool:
    lowered = name.lower()
    return lowered in TRACKING or lowered.startswith(TRACKING_PREFIXES)


def _fragment(fragment: str) -> str:
    return f"#{_encoded(fragment, _QUERY)}" if fragment[:1] in ("!", "/") else ""


def _encoded(text: str, allowed: re.Pattern[str]) -> str:
    """Percent-encoding in upper case where it is needed, and nowhere else."""
    return allowed.sub(_one_way, text)


def _one_way(match: re.Match[str]) -> str:
    if match[1] is not None:
        character = chr(int(match[1], 16))
        return character if character in _UNRESERVED else f"%{match[1].upper()}"
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogatepass"))


__all__ = ["TRACKING", "TRACKING_PREFIXES", "host_of", "url_key"]
