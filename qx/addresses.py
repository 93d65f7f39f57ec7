"""What can be an address, a header or a language tag in settings, and what is wrong with one that cannot."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*\Z")
_HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[^\s/?#@:\[\]\\]+)(?::\d{1,5})?\Z")
_LOCAL = frozenset({"file", "data", "javascript", "vbscript", "about", "blob", "jar", "mailto", "view-source"})
"""Schemes that lead to no server, and may lead to a file."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_TAG = re.compile(
    r"(?:[a-z]{2,3}(?:-[a-z]{3}){0,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*"
    r"(?:-[a-wy-z0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?\Z",
    re.IGNORECASE,
)


def has_control(text: str) -> bool:
    """Whether ``text`` holds a control character: a line break, a tab, a zero byte ..."""
    return bool(_CONTROL.search(text))


def address_problem(text: str, *, web: bool = True, bare: bool = False) -> str | None:
    """Return what is wrong with an address, or None.  The text itself is not in it: it may hold a password.

    Args:
        text: The address.
        web: Only http and https will do.
        bare: ``host`` and ``host:port`` will do as well.
    """
    if not text:
        return "it is empty"
    if has_control(text) or re.search(r"\s", text):
        return "it holds a space, a line break or another control character"
    scheme, mark, _ = text.partition("://")
    if not mark:
        if bare and _HOST.match(text):
            return None
        return "it is no address such as http://localhost:9200"
    if not _SCHEME.match(scheme):
        return "it is no address such as http://localhost:9200"
    scheme = scheme.lower()
    if scheme in _LOCAL or (web and scheme not in ("http", "https")):
        return f"{scheme}:// is not allowed here" + (", only http:// and https://" if web else "")
    return _authority_problem(text, scheme)


def _authority_problem(text: str, scheme: str) -> str | None:
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "its host or port cannot be read"
    if scheme in ("http", "https") and (not host or not re.search(r"[^\W_]", host)):
        return "it names no host"
    if host and re.search(r"[\\%<>\"^`{|}]", host):
        return "its host holds a character that no host has"
    return None


def header_name_problem(name: str) -> str | None:
    """Return what is wrong with the name of an HTTP header, or None."""
    return None if _TOKEN.match(name) else "a header's name is letters, digits and '-'"


def language_problem(tag: str) -> str | None:
    """Return what is wrong with a language tag (BCP 47, the shape alone), or None."""
    return None if _TAG.match(tag) else "not a language tag such as zh, zh-Hant, en or pt-BR"


_LANGUAGES = {
    **dict.fromkeys(("chinese", "中文", "汉语", "简体中文", "mandarin", "simplified chinese"), "zh"),
    **dict.fromkeys(("traditional chinese", "繁體中文", "繁体中文"), "zh-Hant"),
    **dict.fromkeys(("english", "英文", "英语"), "en"),
    "french": "fr",
    "german": "de",
    "japanese": "ja",
    "korean": "ko",
    "russian": "ru",
    "spanish": "es",
}
"""What people write instead of a language's tag."""


def language_hint(tag: str) -> str:
    """Return what to write instead of ``tag``, which is no language tag: ``english`` is ``en``."""
    meant = _LANGUAGES.get(tag.strip().casefold()) or tag.strip().replace("_", "-")
    return "write its tag, or leave it out" if language_problem(meant) else f"did you mean {meant!r}?"


def _http(text: str) -> str:
    if problem := address_problem(text):
        raise ValueError(problem)
    return text


HttpAddress = Annotated[str, AfterValidator(_http)]
"""An address that is called over http or https."""
