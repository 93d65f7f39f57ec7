"""``${ENV}`` references in settings: a whole value each, and only in secret and endpoint fields.

What one resolves to, and a key that is written out, travels as pydantic's ``SecretStr`` (see ``qx.secrets``).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Mapping
from typing import Any, cast
from urllib.parse import urlsplit

from pydantic import SecretStr

from qx.errors import ProfileError
from qx.registry import suggest
from qx.secrets import is_secret, words_of
from qx.validation import Problem, failure
from qx.yaml import Loc

_log = logging.getLogger("qx")

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_ENDPOINT = re.compile(r"(?:^|_)(?:api_base|base_url|url|uri|endpoint|hosts?|address|proxy)$")
_BARE = re.compile(r"(?:^|_)(?:hosts?|address|proxy)$")
_PRIVATE_HEADER = re.compile(r"auth|key|token|secret|passw|cookie|session|credential|sig(?:nature)?$", re.IGNORECASE)
_PUBLIC_HEADERS = frozenset(
    {
        *("accept", "accept-charset", "accept-encoding", "accept-language", "anthropic-beta", "anthropic-version"),
        *("cache-control", "content-language", "content-type", "host", "http-referer", "openai-beta"),
        *("openai-organization", "openai-project", "origin", "referer", "user-agent", "x-title"),
    }
)
"""Headers whose values anybody may see; all others are masked where a profile is shown."""
_TEXT = frozenset({"synonyms", "lexicon", "prompts"})
"""Sections of words, in which ``${...}`` is text."""


def is_endpoint(key: object) -> bool:
    """Whether a field of this name holds an address: ``api_base``, ``url``, ``hosts`` ..."""
    return bool(_ENDPOINT.search(words_of(key)))


def is_bare_address(key: object) -> bool:
    """Whether a field of this name may hold ``host:port`` as well as a URL: ``host``, ``hosts``, ``proxy`` ..."""
    return bool(_BARE.search(words_of(key)))


def is_public_header(name: str) -> bool:
    """Whether anybody may see the value of the header ``name``."""
    return name.lower() in _PUBLIC_HEADERS


def _is_private_header(name: str, text: str) -> bool:
    """Whether a header holds a secret: by its name, or since its value is long and random as only keys are."""
    if is_public_header(name):
        return False
    return bool(_PRIVATE_HEADER.search(name)) or bool(re.fullmatch(r"(?:\w+ )?(?=\S*\d)[\w.~+/=-]{16,}", text))


def reference(item: object) -> str | None:
    """Return the ``NAME`` of a value that is ``${NAME}`` as a whole, else None."""
    match = _REFERENCE.fullmatch(item) if isinstance(item, str) else None
    return match[1] if match else None


class Resolver:
    """Puts the values of ``${ENV}`` in place, and wraps secrets.

    Args:
        env: The environment.
        allowed: The names that the operator allows for this tenant; None: any (the user is the operator).
        locate: Gives the place of a location, for messages.
        lenient: A variable that is not set is empty: for a replay, which asks nobody.
    """

    def __init__(
        self, env: Mapping[str, str], *, allowed: Collection[str] | None, locate: Any, lenient: bool = False
    ) -> None:
        self._env = env
        self._lenient = lenient
        self._allowed = None if allowed is None else frozenset(allowed)
        self._locate = locate
        self._problems: list[Problem] = []

    def resolve(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return a copy of ``data`` with references resolved and secrets as ``SecretStr``.

        Raises:
            ProfileError: a variable is missing or not allowed, or a reference stands where none may; with its place.
        """
        found = {key: self._item(item, (key,), key) for key, item in data.items()}
        if self._problems:
            raise failure(self._problems, ProfileError)
        return found

    def _item(self, item: Any, loc: Loc, key: str) -> Any:
        if isinstance(item, Mapping):
            inner = cast("Mapping[str, Any]", item)
            below = words_of(key) == "headers"
            if _is_replay(inner) and not self._lenient:
                below_it = Resolver(self._env, allowed=self._allowed, locate=self._locate, lenient=True)
                below_it._problems = self._problems
                return below_it._item(item, loc, key)
            return {k: self._item(v, (*loc, k), "header " + k if below else k) for k, v in inner.items()}
        if isinstance(item, list):
            return [self._item(v, (*loc, i), key) for i, v in enumerate(cast("list[Any]", item))]
        if not isinstance(item, str) or loc[0] in _TEXT:
            return item
        try:
            return self._text(item, loc, key)
        except _Wrong as wrong:
            self._problems.append(wrong.problem)  # all of them are told at once
            return ""

    def _text(self, text: str, loc: Loc, key: str) -> str | SecretStr:
        header = key.startswith("header ")
        if header:
            secret, endpoint = _is_private_header(key.removeprefix("header "), text), False
        else:
            secret, endpoint = is_secret(key), is_endpoint(key)
        if name := reference(text):
            if not (secret or endpoint or header):
                raise self._error(
                    f"{_dotted(loc)}: ${{{name}}} is not allowed here",
                    loc,
                    "only secret and endpoint fields may name variables",
                )
            found = self._lookup(name, loc)
            return self._address(found, loc, key) if endpoint and not secret else SecretStr(found)
        if (secret or endpoint or header) and _REFERENCE.search(text):
            raise self._error(
                f"{_dotted(loc)}: a variable must be the whole value",
                loc,
                "put the whole text into the variable, then ${NAME}",
            )
        if secret:
            if text and "{api_key}" not in text:  # a template: the key itself stands elsewhere
                _log.warning("%s: %s is written out; better name a variable: ${NAME}", self._locate(loc), _dotted(loc))
            return SecretStr(text)
        return self._address(text, loc, key) if endpoint else text

    def _lookup(self, name: str, loc: Loc) -> str:
        if self._allowed is not None and name not in self._allowed:
            raise self._error(f"${{{name}}} is not allowed for this tenant", loc, "the operator lists allowed names")
        if found := self._env.get(name):
            return found
        known = self._env if self._allowed is None else self._allowed & set(self._env)
        if self._lenient:
            return ""
        what, near = ("empty", None) if name in known else ("not set", suggest(name, known))
        raise self._error(f"the variable ${{{name}}} is {what}", loc, near or f"set {name}, or write it into .env")

    def _address(self, text: str, loc: Loc, key: str) -> str | SecretStr:
        """An address with a password in it is a secret; in ``api_base``, which messages show, it is refused."""
        if "@" not in text or "//" not in text:
            return text
        try:
            password = urlsplit(text).password or urlsplit(text).username
        except ValueError:
            return text
        if password and words_of(key) == "api_base":
            raise self._error(f"{key}: the address holds a user or password", loc, "use api_key, or options.headers")
        return SecretStr(text) if password else text

    def _error(self, message: str, loc: Loc, hint: str) -> _Wrong:
        return _Wrong(Problem(message=message, place=self._locate(loc), hint=hint))


class _Wrong(Exception):
    """One value that cannot be resolved."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def _is_replay(block: Mapping[str, Any]) -> bool:
    """Whether a block is a cassette that replays: what it recorded need not be there, nor its key."""
    options = block.get("options") if block.get("provider") == "cassette" else None
    said = cast("Mapping[str, Any]", options) if isinstance(options, Mapping) else block
    return "cassette" in (block.get("type"), block.get("provider")) and said.get("mode", "replay") == "replay"


def _dotted(loc: Loc) -> str:
    return ".".join(str(part) for part in loc)
