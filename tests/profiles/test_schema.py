"""The JSON Schema of profiles says to an editor what the loader would say."""

from typing import Any

import jsonschema
import pytest

from qx import yaml
from qx.plugins import Plugins
from qx.profiles import profile_schema


@pytest.fixture(scope="module")
def installed() -> Any:
    return jsonschema.Draft202012Validator(profile_schema(Plugins.load(allow=())))


@pytest.fixture(scope="module")
def published() -> Any:
    return jsonschema.Draft202012Validator(profile_schema())


WRONG = [
    "expand: {strategies: [sinonym]}",
    "cache: {pth: x}",
    "cache: {type: sqlte}",
    "cache: {type: sqlite, pth: x}",
    "cache: {type: memory, path: x}",
    "embedder: {provider: opnai}",
    "embedder: {provider: openai, modl: x}",
    "llm: {provider: opnai}",
    "llm: {provider: openai, options: {hedaers: {}}}",
    "llm: {fallbacks: [{provider: cassette, options: {pth: x}}]}",
    "observers: [logg]",
    "observers: [{type: jsonl, pth: x}]",
    "expand: {processors: [fitt]}",
    "search: {fusion: rff}",
    "search: {fusion: {type: rrf, kk: 3}}",
    "search: {processors: [{type: mmr, lamda: 1}]}",
    "search: {backends: {a: {type: loca}}}",
    "search: {backends: {a: {type: local, pth: x}}}",
    "search: {backends: {a: {path: x}}}",
    "timezone: PST",
    "limit: 3",
]
RIGHT = [
    "cache: {type: sqlite, path: x, ttl: 1d}",
    "cache: {path: x}",  # of the cache that an extended profile names
    "cache: null",
    "cache: {type: sqlite, path: null, busy: 100ms}",
    "embedder: {provider: openai, model: m, api_base: '${BASE}', api_key: '${KEY}', dimensions: 256}",
    "llm: {provider: openai, model: m, api_base: '${BASE}', api_key: '${KEY}', options: {headers: {X-A: b}}}",
    "llm: {options: {headers: {X-A: b}}}",
    "observers: [log, {type: jsonl, path: x}]",
    "expand: {strategies: [synonym, refine], processors: [fit, {type: fit}]}",
    "search: {fusion: rrf}",
    "search: {fusion: {type: rrf, k: 30}, processors: [near-duplicates, {type: rerank, by: lexical}]}",
    "search: {backends: {a: {type: local, path: x, weight: 2, fields: {t: {name: t, type: text}, b: body^3}}, b: null}}",
    "timezone: Asia/Shanghai",
    "domains: [general, ./own]",
]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_underlined(installed: Any, text: str):
    assert not installed.is_valid(yaml.parse(text, file="x").data)


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_is_not(installed: Any, published: Any, text: str):
    installed.validate(yaml.parse(text, file="x").data)
    published.validate(yaml.parse(text, file="x").data)


@pytest.mark.parametrize(
    "text",
    [
        "expand: {strategies: [of-a-plugin]}",
        "cache: {type: redis, host: h}",
        "llm: {provider: parrot, options: {beak: 3}}",
        "search: {fusion: {type: own, x: 1}, backends: {a: {type: solr, url: u}}}",
        "observers: [{type: own, x: 1}]",
    ],
)
def test_names_of_plugins_that_are_not_installed_here(installed: Any, published: Any, text: str):
    published.validate(yaml.parse(text, file="x").data)
    assert not installed.is_valid(yaml.parse(text, file="x").data)


def test_the_built_in_names_are_there_to_be_chosen(published: Any):
    schema = published.schema
    assert "synonym" in str(schema["$defs"]["Expand"]["properties"]["strategies"])
    for wrong in ("cache: {type: sqlite, pth: x}", "search: {fusion: {type: rrf, kk: 3}}"):
        assert not published.is_valid(yaml.parse(wrong, file="x").data)


def test_a_plugin_that_cannot_be_asked_leaves_its_settings_open(monkeypatch: pytest.MonkeyPatch):
    import types

    from qx.hookspecs import Contribution, hookimpl

    module: Any = types.ModuleType("own")
    module.qx_caches = hookimpl(lambda: [Contribution(name="own", target="no_such_module:X")])
    module.qx_caches.__name__ = "qx_caches"
    schema = profile_schema(Plugins.load(allow=(), modules=[module]))
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid({"cache": {"type": "own", "host": "h"}})
    assert not validator.is_valid({"cache": {"type": "other"}})
    assert not validator.is_valid({"observers": [{"type": "jsonl", "pth": "x"}]})
