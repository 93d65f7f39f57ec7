"""The fakes as a qx plugin: ``provider: scripted`` for models, ``fake`` for embedders,
``type: scripted`` and ``type: fake`` for backends, ``fetch: {type: fake}`` for pages,
``observers: [{type: fake}]`` for events, ``describers`` by the name ``fake``.
"""

from __future__ import annotations

from qx.backend import SearchBackend
from qx.describer import Describer
from qx.embedder import Embedder
from qx.fetch import Fetcher
from qx.hookspecs import Contribution, hookimpl
from qx.llm import LLMProvider
from qx.observer import Observer


@hookimpl
def qx_llm_providers() -> list[Contribution[LLMProvider]]:
    return [Contribution(name="scripted", target="qx.testing.llm:ScriptedLLM")]


@hookimpl
def qx_embedders() -> list[Contribution[Embedder]]:
    return [Contribution(name="fake", target="qx.testing.embedder:FakeEmbedder")]


@hookimpl
def qx_describers() -> list[Contribution[Describer]]:
    return [Contribution(name="fake", target="qx.testing.describer:FakeDescriber")]


@hookimpl
def qx_search_backends() -> list[Contribution[SearchBackend]]:
    return [
        Contribution(name="scripted", target="qx.testing.backend:ScriptedBackend"),
        Contribution(name="fake", target="qx.testing.fake_backend:FakeBackend"),
    ]


@hookimpl
def qx_fetchers() -> list[Contribution[Fetcher]]:
    return [Contribution(name="fake", target="qx.testing.fetcher:FakeFetcher")]


@hookimpl
def qx_observers() -> list[Contribution[Observer]]:
    return [Contribution(name="fake", target="qx.testing.observer:FakeObserver")]
