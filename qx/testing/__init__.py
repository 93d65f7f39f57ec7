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
    from qx.testing.conformance.command import CommandConformance
    from qx.testing.conformance.describer import DescriberConformance
    from qx.testing.conformance.embedder import EmbedderConformance
    from qx.testing.conformance.fetcher import FetcherConformance
    from qx.testing.conformance.fusion import FusionConformance
    from qx.testing.conformance.ledger import CountersConformance, LedgerConformance
    from qx.testing.conformance.llm import LLMProviderConformance
    from qx.testing.conformance.observer import ObserverConformance
    from qx.testing.conformance.operation import OperationConformance, SectionConformance
    from qx.testing.conformance.pack import PackConformance, TaxonomyConformance
    from qx.testing.conformance.processor import HitProcessorConformance, QueryProcessorConformance
    from qx.testing.conformance.strategy import StrategyConformance
    from qx.testing.context import TestContext, ranked
    from qx.testing.describer import FakeDescriber
    from qx.testing.embedder import FakeEmbedder
    from qx.testing.fake_backend import FakeBackend
    from qx.testing.fetcher import FakeFetcher
    from qx.testing.llm import Answer, ScriptedLLM, ScriptExhausted
    from qx.testing.loop import VirtualLoop, run_virtual
    from qx.testing.observer import FakeObserver
    from qx.testing.server import ModelServer, Reaction
    from qx.testing.services import TestServices

pytest_plugins = ["qx.testing.fixtures"]

_PLACES = {
    "Answer": "llm",
    "BackendConformance": "conformance.backend",
    "BatchConformance": "conformance.backend",
    "CacheConformance": "conformance.cache",
    "CommandConformance": "conformance.command",
    "CountConformance": "conformance.backend",
    "CountersConformance": "conformance.ledger",
    "DescriberConformance": "conformance.describer",
    "EmbedderConformance": "conformance.embedder",
    "FakeDescriber": "describer",
    "FakeFetcher": "fetcher",
    "FakeObserver": "observer",
    "FetcherConformance": "conformance.fetcher",
    "OperationConformance": "conformance.operation",
    "SectionConformance": "conformance.operation",
    "FakeBackend": "fake_backend",
    "FakeEmbedder": "embedder",
    "FilterConformance": "conformance.backend",
    "FusionConformance": "conformance.fusion",
    "HealthConformance": "conformance.backend",
    "HitProcessorConformance": "conformance.processor",
    "IndexingConformance": "conformance.backend",
    "InTurn": "backend",
    "Listing": "backend",
    "LLMProviderConformance": "conformance.llm",
    "LedgerConformance": "conformance.ledger",
    "ModelServer": "server",
    "ObserverConformance": "conformance.observer",
    "PackConformance": "conformance.pack",
    "QueryProcessorConformance": "conformance.processor",
    "ranked": "context",
    "Reaction": "server",
    "run_virtual": "loop",
    "ScriptedBackend": "backend",
    "ScriptedLLM": "llm",
    "ScriptExhausted": "llm",
    "SortingConformance": "conformance.backend",
    "SpellingConformance": "conformance.backend",
    "StrategyConformance": "conformance.strategy",
    "TaxonomyConformance": "conformance.pack",
    "TestContext": "context",
    "TestServices": "services",
    "VectorConformance": "conformance.backend",
    "VirtualLoop": "loop",
    "VocabularyConformance": "conformance.backend",
}

__all__ = [
    "Answer",
    "BackendConformance",
    "BatchConformance",
    "CacheConformance",
    "CommandConformance",
    "CountConformance",
    "CountersConformance",
    "DescriberConformance",
    "EmbedderConformance",
    "FakeBackend",
    "FakeDescriber",
    "FakeEmbedder",
    "FakeFetcher",
    "FakeObserver",
    "FetcherConformance",
    "FilterConformance",
    "FusionConformance",
    "HealthConformance",
    "HitProcessorConformance",
    "InTurn",
    "IndexingConformance",
    "LLMProviderConformance",
    "LedgerConformance",
    "Listing",
    "ModelServer",
    "ObserverConformance",
    "OperationConformance",
    "PackConformance",
    "QueryProcessorConformance",
    "Reaction",
    "ScriptExhausted",
    "ScriptedBackend",
    "ScriptedLLM",
    "SectionConformance",
    "SortingConformance",
    "SpellingConformance",
    "StrategyConformance",
    "TaxonomyConformance",
    "TestContext",
    "TestServices",
    "VectorConformance",
    "VirtualLoop",
    "VocabularyConformance",
    "ranked",
    "run_virtual",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)
