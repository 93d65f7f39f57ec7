"""Reads an API's answer: what it holds is somebody else's, so anything may be missing, or be something else."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import urlsplit

from qx.builtin.published import read
from qx.builtin.web.refusal import refusal
from qx.builtin.web.settings import Response, compiled
from qx.errors import BadResponse
from qx.http import Reply
from qx.serial import EMPTY, value
from qx.wire.refusal import code_and_text

_TAG = re.compile(r"<[^<>]{0,200}>")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_LONGEST_TEXT = 20_000
"""Characters of one field that are kept."""
_SHOWN = 80
_MOST_HITS = 10**18
_LONGEST_NUMBER = 400
"""Digits of a whole number that are read."""


@value
class Row:
    """One hit as it was read; ``published`` is None where the answer does not say, or nothing readable."""

    id: str
    title: str
    text: str
    url: str | None
    metadata: Mapping[str, object]
    published: datetime | None


@value
class Page:
    """One page of hits: ``rows`` holds None where a hit could not be read, so that places stay what they were."""

    rows: tuple[Row | None, ...]
    total: int | None = None
    more: bool = True


class Reader:
    """Reads one API's answers.

    Args:
        response: The profile's expressions.
        where: Backend and endpoint, for messages.
    """

    def __init__(self, response: Response, *, where: str) -> None:
        import jmespath

        self._response = response
        self._where = where
        given = {name: getattr(response, name) for name in _EXPRESSIONS}
        self._compiled: dict[str, Any] = {name: jmespath.compile(text) for name, text in given.items() if text}
        self._none: Any = compiled(response.none) if response.none else None
        self._quota: Any = compiled(response.quota) if response.quota else None

    def page(self, reply: Reply, now: datetime, most: int | None = None) -> Page:
        """Return the hits of an answer.

        Args:
            most: Hits that are wanted: of an answer that brings 100,000 no more are read; None: all.

        Raises:
            ProviderError: it is a refusal, an error within a good status, or nothing that the expressions fit.
        """
        if reply.status != 200:
            raise self._refused(reply, now)
        answer = self._json(reply)
        if message := _message(self._find("error", answer)):
            if self._none is not None and self._none.search(message):
                return Page(rows=(), total=0, more=False)
            raise self._error(reply, message, now)
        found = self._find("hits", answer)
        if found is None and self._find("valid", answer) is not None:
            found = []
        if not isinstance(found, list):
            keys = sorted(map(str, cast("Mapping[str, Any]", answer)))[:8] if isinstance(answer, Mapping) else "none"
            raise BadResponse(f"{self._where} answered without a list at {self._response.hits!r}: its keys are {keys}")
        listed = cast("list[Any]", found)
        rows = self._rows(_scrubbed(listed[:most]) if _SURROGATE.search(reply.body) else listed[:most], now)
        more = self._find("more", answer) if self._response.more else True
        return Page(rows=rows, total=self._total(answer, len(listed)), more=bool(more))

    def _rows(self, items: list[Any], now: datetime) -> tuple[Row | None, ...]:
        """Read each hit; one that cannot be read costs itself alone."""
        rows: list[Row | None] = []
        failure: BadResponse | None = None
        for item in items:
            try:
                rows.append(self._row(item, now))
            except BadResponse as error:
                rows.append(None)
                failure = error
        if rows and not any(rows):
            raise failure or BadResponse(
                f"{self._where}: none of {len(rows)} hits has an address at {self._response.link!r}, or an id"
            )
        return tuple(rows)

    def _json(self, reply: Reply) -> Any:
        try:
            return _loaded(reply.body)
        except (ValueError, RecursionError):
            kind = reply.headers.get("content-type", "").split(";")[0] or "no type"
            shown = " ".join(_TAG.sub(" ", reply.body[:2000].decode("utf-8", "replace")).split())[:_SHOWN]
        raise BadResponse(f"{self._where} answered something that is not JSON ({kind}): {shown!r}")

    def _refused(self, reply: Reply, now: datetime) -> Exception:
        message = ""
        if self._response.error:
            try:
                message = _message(self._find("error", self._json(reply)))
            except BadResponse:
                message = ""  # the usual places, then
        return self._error(reply, message or code_and_text(reply.body)[1], now)

    def _error(self, reply: Reply, message: str, now: datetime) -> Exception:
        return refusal(reply, message, where=self._where, now=now, quota=self._quota, wait=self._response.wait)

    def _find(self, name: str, item: Any) -> Any:
        expression = self._compiled.get(name)
        if expression is None:
            return None
        try:
            return expression.search(item)
        except Exception as error:  # noqa: BLE001 a function given what it does not take: whatever the answer holds
            reason = " ".join(str(error).split())[:200]
        raise BadResponse(f"{self._where}: `response.{name}` does not fit the answer: {reason}")

    def _total(self, answer: Any, count: int) -> int | None:
        try:
            found = self._find("total", answer)
        except BadResponse:
            return None  # how many there are is not worth the hits
        if isinstance(found, str):
            digits = re.sub(r"[\s,.']", "", found)
            found = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not count <= found <= _MOST_HITS:
            return None  # some say 0 where they do not know
        return int(found)

    def _row(self, item: Any, now: datetime) -> Row | None:
        if not isinstance(item, Mapping):
            return None
        address = self._url(item)
        id = _scalar(self._find("id", item)) or address
        if not id:
            return None
        when = self._find("published", item)
        moment = read(when, now=now, zone=UTC)
        metadata = self._metadata(item)
        if when not in (None, "") and "published" not in metadata:
            metadata["published"] = moment.isoformat() if moment else when
        return Row(
            id=id,
            title=self._text("title", item),
            text=self._text("text", item),
            url=address,
            metadata=metadata or EMPTY,
            published=moment,
        )

    def _url(self, item: Any) -> str | None:
        found = self._find("link", item)
        if not isinstance(found, str) or not found.strip():
            return None
        try:
            parts = urlsplit(found.strip())
        except ValueError:
            return None
        # what is no web address (javascript:, data:) must not become a link
        return found.strip() if parts.scheme.lower() in ("http", "https") and parts.netloc else None

    def _text(self, name: str, item: Any) -> str:
        found = self._find(name, item)
        if isinstance(found, list):
            found = " ".join(filter(None, map(_scalar, cast("list[Any]", found))))
        text = _scalar(found)
        return html.unescape(_TAG.sub("", text)) if self._response.markup else text

    def _metadata(self, item: Any) -> dict[str, object]:
        found = self._find("metadata", item)
        if not isinstance(found, Mapping):
            return {}
        kept = cast("Mapping[str, object]", found)
        made = (self._response.metadata or "").lstrip().startswith("{")  # named one by one: absent ones are null
        return {name: item for name, item in kept.items() if item is not None or not made}


_EXPRESSIONS = ("hits", "id", "title", "text", "link", "published", "metadata", "total", "more", "valid", "error")


def _loaded(body: bytes) -> Any:
    """Return the JSON of ``body``; a number of thousands of digits is null, and costs nothing else."""
    try:
        return json.loads(body)
    except ValueError as error:
        if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError)):
            raise
    return json.loads(body, parse_int=lambda digits: int(digits) if len(digits) <= _LONGEST_NUMBER else None)


def _scrubbed(item: Any) -> Any:
    """``item`` without lone surrogates, which JSON can spell and nothing can print."""
    if isinstance(item, str):
        return item.encode("utf-8", "replace").decode()
    if isinstance(item, list):
        return [_scrubbed(inner) for inner in cast("list[Any]", item)]
    if isinstance(item, dict):
        return {_scrubbed(name): _scrubbed(inner) for name, inner in cast("dict[str, Any]", item).items()}
    return item


def _scalar(item: object) -> str:
    if isinstance(item, bool) or not isinstance(item, (str, int, float)):
        return ""
    return str(item)[:_LONGEST_TEXT]


def _message(found: object) -> str:
    """An error's message in one line; empty where there is no error."""
    if found in (None, False, "", 0) or found == [] or found == {}:
        return ""
    text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    return " ".join(text.encode("utf-8", "replace").decode().split())[:300]
