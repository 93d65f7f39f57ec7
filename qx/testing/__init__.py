"""What tests of qx and of its plugins stand on; load it with ``pytest -p qx.testing``.

Importing it costs nothing: every name is loaded when it is used.  As a pytest plugin it brings the marker
``virtual_time``, and the fixtures ``model_server`` and ``services``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qx.testing.backend import InTurn, Listing, ScriptedBackend
    from qx.testing.conformance.backend import (
        BackendConformance,
        BatchConformance,
        CountConformance,
        FilterConformance,
        HealthConformance,
        IndexingConformance,
        SortingConformance,
        SpellingConformance,
        VectorConformance,
        VocabularyConformance,
    )
    from qx.testing.conformance.cache import CacheConformance
    from qx.testing.conformance.embedder import EmbedderConformance
    from qx.testing.conformance.llm import LLMProviderConformance
    from qx.testing.embedder import FakeEmbedder
    from qx.testing.fake_backend import FakeBackend
    from qx.testing.llm import Answer, ScriptedLLM, ScriptExhausted
    from qx.testing.loop import VirtualLoop, run_virtual
    from qx.testing.server import ModelServer, Reaction
    from qx.testing.services import TestServices

pytest_plugins = ["qx.testing.fixtures"]

_PLACES = {
    "Answer": "llm",
    "BackendConformance": "conformance.backend",
    "BatchConformance": "conformance.backend",
    "CacheConformance": "conformance.cache",
    "CountConformance": "conformance.backend",
    "EmbedderConformance": "conformance.embedder",
    "FakeBackend": "fake_backend",
    "FakeEmbedder": "embedder",
    "FilterConformance": "conformance.backend",
    "HealthConformance": "conformance.backend",
    "InTurn": "backend",
    "IndexingConformance": "conformance.backend",
    "SortingConformance": "conformance.backend",
    "LLMProviderConformance": "conformance.llm",
    "Listing": "backend",
    "ModelServer": "server",
    "Reaction": "server",
    "ScriptExhausted": "llm",
    "ScriptedBackend": "backend",
    "ScriptedLLM": "llm",
    "TestServices": "services",
    "VectorConformance": "conformance.backend",
    "VirtualLoop": "loop",
    "SpellingConformance": "conformance.backend",
    "VocabularyConformance": "conformance.backend",
    "run_virtual": "loop",
}

__all__ = [
    "Answer",
    "BackendConformance",
    "BatchConformance",
    "CacheConformance",
    "CountConformance",
    "EmbedderConformance",
    "FakeBackend",
    "FakeEmbedder",
    "FilterConformance",
    "HealthConformance",
    "InTurn",
    "IndexingConformance",
    "LLMProviderConformance",
    "Listing",
    "ModelServer",
    "Reaction",
    "ScriptExhausted",
    "ScriptedBackend",
    "ScriptedLLM",
    "SortingConformance",
    "SpellingConformance",
    "TestServices",
    "VectorConformance",
    "VirtualLoop",
    "VocabularyConformance",
    "run_virtual",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)
