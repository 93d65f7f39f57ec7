"""Everything that can be wrong in a profile says where it stands and what to do."""

import logging
import types
from typing import Any

import pytest

from qx.errors import PluginError, ProfileError
from qx.hookspecs import Contribution, hookimpl
from qx.plugins import Plugins
from qx.profiles import load_profile

CANARY = "canary-0123456789"


@pytest.mark.parametrize(
    ("text", "line", "column", "says", "hint"),
    [
        ("expnad: {}", 1, 1, "expnad: unknown key", "did you mean 'expand'?"),
        ("kettle: {}", 1, 1, "kettle: unknown key", None),
        ("mode: rules", 1, 1, "mode: unknown key", "it belongs to understand.mode or expand.mode"),
        ("limit: 5", 1, 1, "limit: unknown key", "it belongs to expand.limit"),
        ("search: {timeout: 3}", 1, 10, "search.timeout: unknown key", "it belongs to search.backends.NAME.timeout"),
        ("search: {fields: {}}", 1, 10, "a plugin's own keys stand in search.backends.NAME", None),
        ("a: 1\nexpand:\n  limt: 3", 1, 1, "a: unknown key", None),
        ("expand:\n  limt: 3", 2, 3, "expand.limt: unknown key", "did you mean 'limit'?"),
        ("expand: {limit: many}", 1, 10, "expand.limit", "write a whole number from 0 to 20"),
        ("expand: {limit: 99}", 1, 10, "less than or equal to 20", "write a whole number from 0 to 20"),
        ("understand: {mode: lm}", 1, 14, "understand.mode", "did you mean 'llm'?"),
        ("expand: [a]", 1, 1, "expand:", "write a mapping {key: value}"),
        ("lexicon: word", 1, 1, "lexicon:", "write a list [a, b]"),
        ("lexicon: [1]", 1, 11, "lexicon.0:", "quote it: '...'"),
        ("deadline: soon", 1, 1, "a duration is a number", None),
        ("deadline: -1", 1, 1, "deadline", None),
        ("timezone: Mars/Base", 1, 1, "not an IANA time zone", None),
        ("llm: {fallbacks: [{modle: x}]}", 1, 20, "llm.fallbacks.0.modle: unknown key", "did you mean 'model'?"),
        ("llm: {prices: {input: 1}}", 1, 7, "llm.prices.output is missing", "add 'output' here"),
        (
            "llm: {prices: {input: 1, output: 1}, fallbacks: [{prices: {input: 1, output: 1, currency: CNY}}]}",
            1,
            1,
            "prices are in USD and CNY",
            None,
        ),
        ("llm: {prices: {input: 1, output: 1, currency: yuan}}", 1, 37, "llm.prices.currency", None),
        ("expand: {processors: [{limit: 1}]}", 1, 23, "expand.processors.0.type is missing", "add 'type' here"),
        ("synonyms: [{word: [a]}]", 1, 13, "synonyms.0.word: unknown key (did you mean 'words'?)", None),
        ("lexicon: []\nsynonyms: [{words: [a]}]", 2, 13, "synonyms.0.words: a set needs two words", None),
        ("name: x", 1, 1, "name: unknown key", "the name is the file's"),
        ("folder: /", 1, 1, "folder: unknown key", None),
        ("tenant: ../other", 1, 1, "cannot be a tenant's name", None),
        ("tenant: ''", 1, 1, "cannot be a tenant's name", None),
        ("- a", 1, 1, "a profile is a mapping", None),
        ("llm:\n  api_key: ${NONE}", 2, 3, "${NONE} is not set", "set NONE, or write it into .env"),
        ("llm:\n  api_key: ${ACME_KEYS}", 2, 3, "is not set", "did you mean 'ACME_KEY'?"),
        ("llm:\n  api_key: ${BLANK}", 2, 3, "${BLANK} is empty", "set BLANK, or write it into .env"),
        ("llm: {fallbacks: [{api_base: '${NONE}'}]}", 1, 20, "${NONE} is not set", None),
        ("llm: {model: '${ACME_KEY}'}", 1, 7, "not allowed here", "only secret and endpoint fields may name variables"),
        ("observers: [{type: log, level: '${ACME_KEY}'}]", 1, 25, "not allowed here", None),
        ("llm: {api_base: 'http://${ACME_KEY}/v1'}", 1, 7, "must be the whole value", None),
        ("llm: {options: {headers: {Authorization: 'Bearer ${ACME_KEY}'}}}", 1, 27, "must be the whole value", None),
        ("llm: {api_base: 'https://user:pass@host/v1'}", 1, 7, "holds a user or password", None),
        ("cache: {type: sqlite, path: ../other/cache.db}", 1, 23, "leads out of the profile's folder", None),
        ("observers: [{type: jsonl, path: /var/log/x}]", 1, 27, "leads out", None),
        ("llm: {options: {model_path: /models/x.gguf}}", 1, 17, "leads out", None),
        ("domains: [../other]", 1, 11, "leads out", None),
        ("domains: [./none]", 1, 11, "there is no pack in './none'", None),
    ],
)
def test_a_problem_has_its_place_and_a_hint(
    folder: Any, text: str, line: int, column: int, says: str, hint: str | None
):
    folder.env |= {"ACME_KEY": CANARY, "BLANK": ""}
    error = folder.refused(text)
    assert (error.line, error.column) == (line, column)
    assert str(error).startswith(f"{folder.root}/profiles/acme.yaml:{line}:{column}: ")
    assert says in str(error)
    assert hint is None or error.hint == hint
    assert "pass@host" not in str(error)
    assert CANARY not in str(error)


def test_a_problem_of_what_is_extended_stands_there(folder: Any):
    folder.write("profiles/base.yaml", "timezone: UTC\nexpand: {limt: 3}")
    error = folder.refused("extends: base\nexpand: {limit: 3}")
    assert (error.file, error.line) == (f"{folder.root}/profiles/base.yaml", 2)


def test_every_problem_is_told_at_once(folder: Any):
    error = folder.refused("a: 1\nexpand: {limit: x}\n")
    assert (error.line, len(str(error).splitlines())) == (1, 2)
    assert f"{folder.root}/profiles/acme.yaml:2:10: expand.limit" in str(error)
    many = folder.refused("\n".join(f"k{i}: 1" for i in range(30)))
    assert "and 20 more" in str(many)


def test_what_is_overridden_need_not_be_there(folder: Any):
    folder.write("profiles/base.yaml", "llm: {model: m, api_key: '${NONE}'}")
    folder.env["ACME_KEY"] = CANARY
    assert folder.profile("extends: base\nllm: {api_key: '${ACME_KEY}'}").llm.api_key.get_secret_value() == CANARY


def test_words_may_look_like_variables(folder: Any):
    profile = folder.profile("lexicon: ['${HOME}']\nprompts: {role: 'say ${x}'}\nsynonyms: [{words: ['${A}', b]}]")
    assert profile.lexicon == ("${HOME}",)


def test_the_operator_allows_names(folder: Any):
    folder.env |= {"ACME_KEY": CANARY, "OTHER_KEY": "canary-of-another"}
    text = "llm:\n  model: m\n  api_key: ${OTHER_KEY}"
    assert folder.profile(text, allowed_env=["OTHER_KEY"]).llm.api_key.get_secret_value() == "canary-of-another"
    error = folder.refused(text, allowed_env=["ACME_KEY"])
    assert (error.line, "not allowed for this tenant" in str(error)) == (3, True)
    assert "OTHER_KEY" not in str(folder.refused("llm: {api_key: '${OTHER_KEYS}'}", allowed_env=["ACME_KEY"]).hint)


def test_a_key_that_is_written_out_works_with_a_warning(folder: Any, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING, "qx"):
        profile = folder.profile(f"llm:\n  model: m\n  api_key: {CANARY}\n")
    assert profile.llm.api_key.get_secret_value() == CANARY
    assert f"{folder.root}/profiles/acme.yaml:3:3: llm.api_key is written out" in caplog.text
    assert CANARY not in caplog.text


def test_paths_that_the_operator_allows(folder: Any):
    folder.env["QX_ALLOW_PATHS"] = "/var/log/qx"
    profile = folder.profile("observers: [{type: jsonl, path: /var/log/qx/a}]\ncache: {type: sqlite, path: a/b.db}")
    assert profile.cache.settings == {"path": "a/b.db"}


NAMED = [
    (
        "llm: {model: m, provider: opnai}",
        "llm.provider: there is no LLM provider 'opnai'",
        "did you mean 'openai'?",
        17,
    ),
    ("llm: {fallbacks: [{provider: casette}]}", "llm.fallbacks.0.provider", "did you mean 'cassette'?", 20),
    ("embedder: {provider: opnai}", "embedder.provider: there is no embedder", "did you mean 'openai'?", 12),
    ("cache: {type: sqlte}", "cache.type: there is no cache 'sqlte'", "did you mean 'sqlite'?", 9),
    ("expand: {strategies: [synonyms]}", "expand.strategies.0: there is no strategy", "did you mean 'synonym'?", 23),
    ("expand: {processors: [fitt]}", "there is no processor 'fitt'", "did you mean 'fit'?", 23),
    ("observers: [{type: logg}]", "observers.0.type: there is no observer", "did you mean 'log'?", 14),
    ("domains: [generl]", "domains.0: there is no domain pack", "did you mean 'general'?", 11),
]


@pytest.mark.parametrize(("text", "says", "hint", "column"), NAMED)
def test_an_unknown_plugin(folder: Any, built_in: Any, text: str, says: str, hint: str, column: int):
    folder.profile(text)
    error = folder.refused(text, plugins=built_in)
    assert says in str(error)
    assert (error.line, error.column, error.hint) == (1, column, hint)


def test_a_broken_plugin_raises_with_its_place_and_cause(folder: Any):
    module = types.ModuleType("boom")

    @hookimpl
    def qx_caches() -> list[Contribution[Any]]:
        raise ValueError("boom in hook")

    module.qx_caches = qx_caches  # type: ignore[attr-defined]
    plugins = Plugins.load(allow=(), modules=[module])
    with pytest.raises(PluginError, match=r"acme.yaml:1:9: cache.type: .*ValueError: boom in hook"):
        folder.profile("cache: {type: boom}", plugins=plugins)


def test_a_profile_s_own_list_of_plugins(folder: Any):
    module = types.ModuleType("tape")

    @hookimpl
    def qx_caches() -> list[Contribution[Any]]:
        return [Contribution(name="tape", target="json:dumps")]

    module.qx_caches = qx_caches  # type: ignore[attr-defined]
    plugins = Plugins.load(allow=(), modules=[module])
    assert folder.profile("cache: {type: tape}\nplugins: [tape]", plugins=plugins).cache.type == "tape"
    with pytest.raises(PluginError, match="not in the profile's list `plugins`"):
        folder.profile("cache: {type: tape}\nplugins: []", plugins=plugins)
    with pytest.raises(ProfileError, match=r"1: no plugin 'taep' is installed .*did you mean 'tape'"):
        folder.profile("cache: {type: tape}\nplugins: [tape, taep]", plugins=plugins)


def test_the_profile_that_cannot_be_validated_leaks_nothing_through_its_chain(folder: Any):
    folder.env["ACME_KEY"] = CANARY
    error = folder.refused("llm: {model: 3, api_key: '${ACME_KEY}', timeout: x}")
    seen: list[BaseException] = []
    link: BaseException | None = error
    while link is not None:
        seen.append(link)
        link = link.__cause__ or link.__context__
    assert CANARY not in "".join(repr(e) + str(e) + str(vars(e)) for e in seen)
    assert all(isinstance(e, ProfileError) for e in seen)


def test_a_profile_that_is_no_yaml(folder: Any):
    assert folder.refused("a: [1").line == 2
    assert "1,000,000 bytes" in str(folder.refused("# " + "x" * 1_000_001))
    assert load_profile(folder.write("profiles/empty.yaml", ""), env={}).name == "empty"
