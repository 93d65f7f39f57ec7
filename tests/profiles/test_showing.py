"""Where values come from, the schema for editors, the fingerprint, and that secrets are in none of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from qx.profiles import explain_profile, fingerprint, load_profile, profile_schema
from qx.settings import Profile

CANARY = "canary-0123456789"

FULL = f"""
extends: base
llm:
  model: m
  api_key: ${{KEY}}
  api_base: ${{BASE}}
  options: {{headers: {{Authorization: '${{KEY}}', X-Api-Key: {CANARY}-written}}}}
  fallbacks: [{{model: f, api_key: '${{KEY}}'}}]
observers: [{{type: jsonl, dsn: '${{KEY}}', url: '${{LINK}}'}}]
cache: {{type: sqlite, password: {CANARY}-written}}
"""


@pytest.fixture
def full(folder: Any) -> Any:
    folder.env |= {"KEY": CANARY, "BASE": "http://h/v1", "LINK": f"redis://u:{CANARY}@h/0"}
    folder.write("profiles/base.yaml", "expand:\n  limit: 4\n")
    folder.write("profiles/acme.yaml", FULL.lstrip())
    return folder


def test_each_value_has_its_source(full: Any):
    found = full.sources("acme")
    where = f"{full.root}/profiles"
    assert found["tenant"] == ("acme", "the file's name")
    assert found["expand.limit"] == (4, f"{where}/base.yaml:2:3")
    assert found["llm.model"] == ("m", f"{where}/acme.yaml:3:3")
    assert found["llm.api_key"] == ("${KEY}", f"{where}/acme.yaml:4:3")
    assert found["llm.api_base"] == ("${BASE}", f"{where}/acme.yaml:5:3")
    assert found["llm.max_tokens.expand"] == (600, "default")
    assert found["expand.abstain"] == ("auto", "default")
    assert found["cache.password"][0] == "**********"


def test_the_environment_as_a_source(folder: Any):
    folder.env["OPENAI_API_KEY"] = CANARY
    assert folder.sources(None)["llm.api_key"] == ("${OPENAI_API_KEY}", "the environment")


def test_the_canary_is_nowhere(full: Any, caplog: pytest.LogCaptureFixture):
    profile = full.load("acme")
    assert profile.llm.options["headers"]["Authorization"].get_secret_value() == CANARY
    shown = [
        repr(profile),
        str(profile),
        profile.model_dump_json(),
        repr(profile.model_dump()),
        repr(explain_profile("acme", env=full.env)),
        fingerprint(profile),
        json.dumps(profile_schema()),
        caplog.text,
    ]
    assert not any(CANARY in text for text in shown)


def test_what_changes_the_fingerprint(folder: Any):
    def of(text: str) -> str:
        return fingerprint(folder.profile(text))

    plain = of("llm: {model: m}")
    assert of("llm: {model: m}") == plain
    changing = [
        "llm: {model: n}",
        "llm: {model: m, api_base: 'http://h'}",
        "llm: {model: m, temperature: {expand: 0.9}}",
        "llm: {model: m, max_tokens: {expand: 100}}",
        "llm: {model: m, options: {top_p: 0.5}}",
        "llm: {model: m, fallbacks: [{model: f}]}",
        "llm: {model: m, tiers: {easy: {model: e}}}",
        "llm: {model: m}\nprompts: {role: a librarian}",
        "llm: {model: m}\nunderstand: {think: true}",
        "llm: {model: m}\nexpand: {limit: 3}",
        "llm: {model: m}\ndomains: [general]",
        "llm: {model: m}\nsynonyms: [{words: [a, b]}]",
        "llm: {model: m}\nlexicon: [a]",
        "llm: {model: m}\ntimezone: Asia/Tokyo",
    ]
    assert len({plain, *map(of, changing)}) == len(changing) + 1


def test_what_leaves_the_fingerprint_alone(folder: Any):
    folder.env |= {"KEY": CANARY, "KEY2": "another-canary-1"}
    prints = {
        fingerprint(folder.profile("llm: {model: m" + more))
        for more in (
            "}",
            ", api_key: '${KEY}'}",
            ", api_key: '${KEY2}'}",
            ", timeout: 1s, concurrency: 3, retries: 0}",
            ", prices: {input: 1, output: 2}}",
            "}\ndeadline: 3s\nbudget: {calls: 2}\ncache: {type: none}\nobservers: [log]\ntenant: other",
        )
    }
    assert len(prints) == 1


def test_the_schema_knows_what_the_loader_knows():
    schema = profile_schema()
    assert schema["additionalProperties"] is False
    names = set(schema["properties"])
    assert names == set(Profile.model_fields) - {"name", "source", "folder"} | {"extends"}
    assert json.loads(json.dumps(schema)) == schema
    duration = schema["properties"]["deadline"]
    assert any(member.get("type") == "string" for member in duration["anyOf"])
    assert {"type": "null"} in duration["anyOf"]
    [observers] = [member for member in schema["properties"]["observers"]["anyOf"] if member.get("type") == "array"]
    assert {"enum": ["jsonl", "log"]} in observers["items"]["anyOf"][0]["anyOf"]


def test_the_built_in_default_says_what_the_model_says():
    """Its values are the settings' own defaults: deleting it would change nothing but the explanations."""
    loaded = load_profile(None, env={})
    assert loaded.model_dump(exclude={"tenant"}) == Profile(folder=Path.cwd()).model_dump(exclude={"tenant"})
