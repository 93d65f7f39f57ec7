"""A local GGUF file as a qx language-model provider, in process.  Importing this is cheap."""

from __future__ import annotations

from typing import Any

from qx.hookspecs import Contribution, hookimpl


@hookimpl
def qx_llm_providers() -> list[Contribution[Any]]:
    return [Contribution(name="llamacpp", target="qx_llamacpp.provider:LlamaCpp")]
