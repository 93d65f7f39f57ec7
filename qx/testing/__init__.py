"""What tests of qx and of its plugins stand on; load it with ``pytest -p qx.testing``.

Importing it costs nothing: every name is loaded when it is used.  As a pytest plugin it brings the marker
``virtual_time``, and the fixtures ``model_server`` and ``services``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qx.testing.conformance.cache import CacheConformance
    from qx.testing.conformance.embedder import EmbedderConformance
    from qx.testing.conformance.llm import LLMProviderConformance
    from qx.testing.embedder import FakeEmbedder
    from qx.testing.llm import Answer, ScriptedLLM, ScriptExhausted
    from qx.testing.loop import VirtualLoop, run_virtual
    from qx.testing.server import ModelServer, Reaction
    from qx.testing.services import TestServices

pytest_plugins = ["qx.testing.fixtures"]

_PLACES = {
    "Answer": "llm",
    "CacheConformance": "conformance.cache",
    "EmbedderConformance": "conformance.embedder",
    "FakeEmbedder": "embedder",
    "LLMProviderConformance": "conformance.llm",
    "ModelServer": "server",
    "Reaction": "server",
    "ScriptExhausted": "llm",
    "ScriptedLLM": "llm",
    "TestServices": "services",
    "VirtualLoop": "loop",
    "run_virtual": "loop",
}

__all__ = [
    "Answer",
    "CacheConformance",
    "EmbedderConformance",
    "FakeEmbedder",
    "LLMProviderConformance",
    "ModelServer",
    "Reaction",
    "ScriptExhausted",
    "ScriptedLLM",
    "TestServices",
    "VirtualLoop",
    "run_virtual",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)
