"""What qx brings itself, through the same hooks as every plugin.  Names here are reserved; nothing is imported yet."""

from __future__ import annotations

from typing import Any

from qx.hookspecs import Contribution, hookimpl

_STRATEGIES = {
    "boolean": "boolean:BooleanStrategy",
    "decompose": "decompose:DecomposeStrategy",
    "feedback": "feedback:FeedbackStrategy",
    "generalize": "generalize:GeneralizeStrategy",
    "keywords": "keywords:KeywordsStrategy",
    "pseudo-document": "pseudo_document:PseudoDocumentStrategy",
    "refine": "refine:RefineStrategy",
    "senses": "senses:SensesStrategy",
    "site": "site:SiteStrategy",
    "spelling": "spelling:SpellingStrategy",
    "step-back": "step_back:StepBackStrategy",
    "synonym": "synonym:SynonymStrategy",
    "translate": "translate:TranslateStrategy",
}

_FUSIONS = {
    "dbsf": "dbsf:DistributionBased",
    "relative-score": "relative_score:RelativeScore",
    "rrf": "rrf:ReciprocalRank",
}

_PROCESSORS = {
    "allow": "allow:Allow",
    "block": "block:Block",
    "filter": "filter:FilterHits",
    "mmr": "mmr:MaximalMarginalRelevance",
    "near-duplicates": "near_duplicates:NearDuplicates",
    "rerank": "rerank:Rerank",
    "spam": "spam:Spam",
    "stale": "stale:Stale",
}


@hookimpl
def qx_llm_providers() -> list[Contribution[Any]]:
    return [
        Contribution(name="openai", target="qx.builtin.openai:OpenAI"),
        Contribution(name="cassette", target="qx.builtin.cassette:Cassette"),
    ]


@hookimpl
def qx_embedders() -> list[Contribution[Any]]:
    return [
        Contribution(name="openai", target="qx.builtin.openai_embedder:OpenAIEmbedder"),
        Contribution(name="cassette", target="qx.builtin.cassette_embedder:CassetteEmbedder"),
    ]


@hookimpl
def qx_intent_taxonomies() -> list[Contribution[Any]]:
    return [Contribution(name="general", target="qx.builtin:general/pack.yaml")]


@hookimpl
def qx_domain_packs() -> list[Contribution[Any]]:
    return [Contribution(name="general", target="qx.builtin:general/pack.yaml")]


@hookimpl
def qx_post_processors() -> list[Contribution[Any]]:
    hits: list[Contribution[Any]] = [  # `Contribution[Any](...)` raises: a frozen value keeps no `__orig_class__`
        Contribution(name=name, target=f"qx.builtin.processors.{target}") for name, target in _PROCESSORS.items()
    ]
    return [Contribution(name="fit", target="qx.builtin.fit:Fit"), *hits]


@hookimpl
def qx_caches() -> list[Contribution[Any]]:
    return [
        Contribution(name="memory", target="qx.builtin.memory_cache:MemoryCache"),
        Contribution(name="sqlite", target="qx.builtin.sqlite_cache:SqliteCache"),
        Contribution(name="none", target="qx.builtin.no_cache:NoCache"),
    ]


@hookimpl
def qx_observers() -> list[Contribution[Any]]:
    return [
        Contribution(name="log", target="qx.builtin.log_observer:LogObserver"),
        Contribution(name="jsonl", target="qx.builtin.jsonl_observer:JsonlObserver"),
    ]


@hookimpl
def qx_steps() -> list[Contribution[Any]]:
    return [Contribution(name=name, target=f"qx.steps.strategies.{target}") for name, target in _STRATEGIES.items()]


@hookimpl
def qx_fusions() -> list[Contribution[Any]]:
    return [Contribution(name=name, target=f"qx.fusions.{target}") for name, target in _FUSIONS.items()]


@hookimpl
def qx_search_backends() -> list[Contribution[Any]]:
    return [
        Contribution(name="local", target="qx.builtin.local.backend:LocalBackend"),
        Contribution(name="web", target="qx.builtin.web.backend:WebSearch"),
        Contribution(name="cassette", target="qx.builtin.cassette_backend:CassetteBackend"),
    ]


@hookimpl
def qx_fetchers() -> list[Contribution[Any]]:
    return [Contribution(name="http", target="qx.fetching.web_pages:WebPages")]
