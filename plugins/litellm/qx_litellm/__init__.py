"""Any LiteLLM model as a qx language-model provider.  Importing this is cheap; litellm is imported by ``create``."""

from __future__ import annotations

from typing import Any

from qx.hookspecs import Contribution, hookimpl


@hookimpl
def qx_llm_providers() -> list[Contribution[Any]]:
    return [Contribution(name="litellm", target="qx_litellm.provider:LiteLLM")]
