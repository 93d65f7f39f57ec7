"""What a profile inherits, and what it never does."""

import logging
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.profiles.layers import Layer, Layers
from qx.yaml import Place, parse


def layers(*data: dict[str, Any]) -> Layers:
    return Layers([Layer(label=f"profile {i}", data=d, place=lambda loc: Place()) for i, d in enumerate(data)])


def test_mappings_merge_lists_replace_null_removes(folder: Any):
    folder.write(
        "profiles/base.yaml",
        """
        lexicon: [a, b]
        expand: {limit: 5, abstain: never, processors: []}
        budget: {calls: 3, tokens: 100}
        language: zh
        """,
    )
    profile = folder.profile(
        "extends: base\nlexicon: [c]\nexpand: {limit: 6, abstain: null}\nlanguage: null\nbudget:\n"
    )
    assert profile.lexicon == ("c",)
    assert (profile.expand.limit, profile.expand.abstain, profile.expand.processors) == (6, "auto", ())
    assert profile.language is None
    assert profile.budget.calls is None


_settings = st.recursive(
    st.integers() | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abcd"), inner | st.none(), max_size=3),
)
_mappings = st.dictionaries(st.sampled_from("abcd"), _settings | st.none(), max_size=4)


def no_nulls(item: Any) -> bool:
    return item is not None and (not isinstance(item, dict) or all(no_nulls(v) for v in item.values()))


@settings(max_examples=100, deadline=None)
@given(_mappings, _mappings)
def test_merging_in_general(lower: dict[str, Any], upper: dict[str, Any]):
    merged = layers(lower, upper).data
    assert no_nulls(merged)
    assert layers(merged).data == merged
    assert layers(merged, upper).data == merged
    assert layers(lower, upper, upper).data == merged
    for key, item in upper.items():
        if item is None:
            assert key not in merged
        elif not isinstance(item, dict):
            assert merged[key] == item
    for key in lower.keys() - upper.keys():
        assert merged.get(key) == layers(lower).data.get(key)


def test_the_tenant_is_each_file_s_own(folder: Any):
    folder.write("profiles/base.yaml", "tenant: shared")
    assert folder.profile("extends: base").tenant == "acme"
    assert folder.profile("extends: base\ntenant: 客户 1").tenant == "客户 1"


KEYED = "llm: {model: m, api_base: 'https://a/v1', api_key: '${KEY}', options: {headers: {X: '${KEY}'}}, timeout: 3s}"


def test_a_key_is_inherited_with_its_endpoint(folder: Any):
    folder.env["KEY"] = "canary-0123456"
    folder.write("profiles/base.yaml", KEYED)
    llm = folder.profile("extends: base\nllm: {model: other}").llm
    assert (llm.model, llm.api_base, llm.timeout) == ("other", "https://a/v1", 3.0)
    assert llm.api_key.get_secret_value() == "canary-0123456"


@pytest.mark.parametrize("other", ["api_base: 'https://evil/v1'", "provider: cassette"])
def test_a_key_never_goes_to_another_endpoint(folder: Any, other: str, caplog: pytest.LogCaptureFixture):
    folder.env["KEY"] = "canary-0123456"
    folder.write("profiles/base.yaml", KEYED)
    with caplog.at_level(logging.WARNING, "qx"):
        llm = folder.profile(f"extends: base\nllm: {{{other}}}").llm
    assert llm.api_key is None
    assert llm.options == {}
    assert llm.timeout == 3.0
    assert "another endpoint" in caplog.text


def test_a_fallback_inherits_neither_key_nor_address(folder: Any):
    folder.env |= {"KEY": "canary-0123456", "OPENAI_API_KEY": "canary-9876543"}
    folder.write("profiles/base.yaml", KEYED)
    llm = folder.profile("extends: base\nllm: {fallbacks: [{model: f}, {model: g, api_key: '${KEY}'}]}").llm
    assert (llm.fallbacks[0].api_key, llm.fallbacks[0].api_base) == (None, None)
    assert llm.fallbacks[1].api_key.get_secret_value() == "canary-0123456"


def test_another_type_of_cache_starts_afresh(folder: Any):
    folder.write("profiles/base.yaml", "cache: {type: sqlite, path: c.db, ttl: 7d}")
    cache = folder.profile("extends: base\ncache: {type: memory}").cache
    assert (cache.type, cache.settings, cache.ttl) == ("memory", {}, 604800.0)
    assert folder.profile("extends: base\ncache: {ttl: 1h}").cache.settings == {"path": "c.db"}


@pytest.mark.parametrize(
    ("base", "own", "merged"),
    [
        (
            "backends: {a: {type: local, path: index, weight: 2, fields: {price: {name: p}}}}",
            "backends: {a: {type: elasticsearch, hosts: [h], index: i}}",
            {"backends": {"a": {"type": "elasticsearch", "hosts": ["h"], "index": "i"}}},
        ),
        (
            "backends: {a: {type: local, path: index}, b: {type: local, path: other}}",
            "backends: {a: {type: local, weight: 2}, b: {weight: 3}}",
            {"backends": {"a": {"type": "local", "path": "index", "weight": 2}, "b": {"type": "local", "path": "other", "weight": 3}}},
        ),
        (  # a base that leaves the type open
            "backends: {a: {weight: 2, fields: {price: {name: p}}}}",
            "backends: {a: {type: local, path: index}}",
            {"backends": {"a": {"weight": 2, "fields": {"price": {"name": "p"}}, "type": "local", "path": "index"}}},
        ),
        (  # the type of a field is no type of a block
            "backends: {a: {type: local, fields: {price: {name: p, type: keyword}}}}",
            "backends: {a: {fields: {price: {type: number}}}}",
            {"backends": {"a": {"type": "local", "fields": {"price": {"name": "p", "type": "number"}}}}},
        ),
        ("fusion: {type: rrf, k: 10}", "fusion: {type: dbsf}", {"fusion": {"type": "dbsf"}}),
        ("fusion: {type: rrf, k: 10}", "fusion: {k: 20}", {"fusion": {"type": "rrf", "k": 20}}),
        (  # a key goes to no other endpoint
            "backends: {a: {type: web, url: 'https://a/s', api_key: '${KEY}', limit: 5}}",
            "backends: {a: {url: 'https://b/s'}}",
            {"backends": {"a": {"type": "web", "url": "https://b/s", "limit": 5}}},
        ),
    ],
)  # fmt: skip
def test_another_type_of_a_block_starts_afresh(base: str, own: str, merged: dict[str, Any]):
    assert layers(*(parse(f"search: {{{text}}}").data for text in (base, own))).data["search"] == merged


def test_the_environment_describes_a_model(folder: Any):
    folder.env |= {"OPENAI_API_KEY": "canary-0123456", "OPENAI_API_BASE": "http://localhost:1/v1"}
    for llm in (folder.load(None).llm, folder.profile("timezone: UTC").llm):
        assert (llm.provider, llm.model, llm.api_base) == ("openai", "gpt-4.1-mini", "http://localhost:1/v1")
        assert llm.api_key.get_secret_value() == "canary-0123456"
    folder.env["OPENAI_MODEL"] = "qwen"
    assert folder.load(None).llm.model == "qwen"
    assert folder.profile("llm: {model: mine}").llm.api_base == "http://localhost:1/v1"


def test_the_environment_s_key_stays_with_its_endpoint(folder: Any):
    folder.env["OPENAI_API_KEY"] = "canary-0123456"
    assert folder.profile("llm: {model: m, api_base: 'http://other/v1'}").llm.api_key is None
    assert folder.profile("llm: {provider: cassette}").llm.api_key is None
    assert folder.profile("llm: null").llm is None
    assert folder.load(None, allowed_env=()).llm is None


def test_a_model_of_the_environment_without_a_key(folder: Any):
    folder.env["OPENAI_API_BASE"] = "http://localhost:1/v1"
    assert folder.load(None).llm.api_key is None
    folder.env = {"OPENAI_API_KEY": " ", "OPENAI_MODEL": "m"}
    assert folder.load(None).llm is None


def test_dot_env_is_read_and_the_environment_goes_before_it(folder: Any, monkeypatch: pytest.MonkeyPatch):
    from qx.profiles import load_profile

    for name in ("OPENAI_API_KEY", "OPENAI_API_BASE", "OPENAI_MODEL"):
        monkeypatch.delenv(name, raising=False)
    folder.write(".env", "OPENAI_API_KEY='canary-from-file'\nOPENAI_MODEL=a$b\n")
    llm = load_profile(None).llm
    assert llm is not None
    assert llm.api_key is not None
    assert (llm.api_key.get_secret_value(), llm.model) == ("canary-from-file", "a$b")
    monkeypatch.setenv("OPENAI_API_KEY", "canary-from-environment")
    llm = load_profile(None).llm
    assert llm is not None
    assert llm.api_key is not None
    assert llm.api_key.get_secret_value() == "canary-from-environment"


def test_packs_lie_under_what_is_extended(folder: Any, built_in: Any):
    for name, limit in (("first", 3), ("second", 4)):
        folder.write(
            f"profiles/{name}/pack.yaml",
            f"""
            schema_version: 1
            name: {name}
            taxonomy: {{name: {name}, intents: []}}
            defaults: {{expand: {{limit: {limit}, max_length: {limit}0, iterate: 1}}, understand: {{think: true}}}}
            """,
        )
    folder.write("profiles/base.yaml", "expand: {max_length: 100}\ndomains: [./first, ./second]")
    profile = folder.profile("extends: base\nexpand: {iterate: 0}", plugins=built_in)
    assert (profile.expand.limit, profile.expand.max_length, profile.expand.iterate) == (3, 100, 0)
    assert profile.understand.think is True
    assert folder.profile("extends: base").expand.limit == 8
    explained = folder.sources("acme", plugins=built_in)
    assert explained["expand.limit"] == (3, "pack first")
    assert explained["expand.max_length"] == (100, f"{folder.root}/profiles/base.yaml:1:10")


def test_folders_of_packs_start_at_the_file_that_names_them(folder: Any):
    folder.write("team/words/pack.yaml", "")
    folder.write("team/base.yaml", "domains: [./words]")
    folder.env["QX_ALLOW_PATHS"] = str(folder.root)
    assert folder.profile("extends: ../team/base.yaml").domains == (str(folder.root / "team" / "words"),)
    assert folder.load(folder.root / "team" / "base.yaml").domains == ("./words",)
