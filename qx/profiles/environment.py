"""The process's environment as settings: variables, a ``.env`` file, and the model that ``OPENAI_*`` describe."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from qx.errors import ProfileError

DEFAULT_MODEL = "gpt-4.1-mini"
"""The model where ``OPENAI_API_KEY`` is set and ``OPENAI_MODEL`` is not."""

OPERATOR_NAMES = frozenset({"QX_ALLOW_PATHS", "QX_ALLOW_ADDRESSES", "QX_PLUGINS", "QX_DISABLE", "QX_STRICT", "QX_HOME"})
"""Variables that only the process's own environment may set, never a ``.env`` file."""

_NAMES = ("OPENAI_API_KEY", "OPENAI_API_BASE", "OPENAI_MODEL")


def environment(folder: Path | None = None) -> dict[str, str]:
    """Return the environment's variables over those of ``.env`` in ``folder`` (None: the working directory).

    ``os.environ`` itself is left alone, nothing in ``.env`` is interpolated, and what only the operator may say
    (``OPERATOR_NAMES``) is not read from it: a folder that somebody works in must not widen what qx may do.

    Raises:
        ProfileError: ``.env`` cannot be read.
    """
    file = (folder or Path.cwd()) / ".env"
    if not file.is_file():
        return dict(os.environ)
    from dotenv import dotenv_values  # only where there is such a file

    try:
        found = dotenv_values(file, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise ProfileError("the file cannot be read", file=str(file), hint="UTF-8 text: NAME=value lines") from exc
    given = {name: text for name, text in found.items() if text is not None and name not in OPERATOR_NAMES}
    return given | dict(os.environ)


def model_settings(env: Mapping[str, str], *, allowed: Collection[str] | None = None) -> dict[str, Any]:
    """Return the ``llm:`` block that ``OPENAI_API_KEY``, ``OPENAI_API_BASE`` and ``OPENAI_MODEL`` describe.

    The key and the address are references (``${OPENAI_API_KEY}``), which the profile's loader resolves like any other.

    Args:
        env: The environment.
        allowed: The names that the operator allows for this tenant; None: any.

    Returns:
        An empty mapping where neither a key nor an address is set.
    """
    given = {n: env[n].strip() for n in _NAMES if env.get(n, "").strip() and (allowed is None or n in allowed)}
    if not given.keys() & {"OPENAI_API_KEY", "OPENAI_API_BASE"}:
        return {}
    settings = _read(given)
    block: dict[str, Any] = {"provider": "openai", "model": settings.model}
    if settings.api_key:
        block["api_key"] = "${OPENAI_API_KEY}"
    if settings.api_base:
        block["api_base"] = "${OPENAI_API_BASE}"
    return block


def _read(given: Mapping[str, str]) -> Any:
    from pydantic import SecretStr
    from pydantic_settings import BaseSettings, SettingsConfigDict  # 0.1 s: only where OPENAI_* is set

    class OpenAIEnvironment(BaseSettings):
        """The values are handed over: ``given`` stands for the environment, which may be a tenant's part of it."""

        model_config = SettingsConfigDict(env_prefix="OPENAI_", extra="ignore", hide_input_in_errors=True)
        api_key: SecretStr | None = None
        api_base: str | None = None
        model: str = DEFAULT_MODEL

    return OpenAIEnvironment(
        api_key=SecretStr(given["OPENAI_API_KEY"]) if "OPENAI_API_KEY" in given else None,
        api_base=given.get("OPENAI_API_BASE"),
        model=given.get("OPENAI_MODEL", DEFAULT_MODEL),
    )
