"""Settings of plugins and built-ins: told like the profile's own keys, with file, line, column and the nearest key."""

import types
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import SecretStr, field_validator

from qx.errors import PluginError, ProfileError
from qx.hookspecs import Contribution, hookimpl
from qx.model import Model
from qx.plugins import Plugins
from qx.profiles import load_profile

CANARY = "canary-0123456789"

TOLD = [
    ("cache: {type: sqlite, pth: x}", 23, "cache.pth: unknown key", "did you mean 'path'?"),
    ("cache: {type: sqlite, tll: 1d}", 23, "cache.tll: unknown key", "did you mean 'ttl'?"),
    ("cache: {type: sqlite, path: [1]}", 23, "cache.path: should be a path", "write text"),
    ("cache: {pth: x}", 9, "cache.pth: unknown key", None),
    ("observers: [{type: jsonl, pth: x}]", 27, "observers.0.pth: unknown key", "did you mean 'path'?"),
    ("observers: [log, {type: log, levl: 1}]", 30, "observers.1.levl: unknown key", "did you mean 'level'?"),
    ("embedder: {provider: openai, modl: x}", 30, "embedder.modl: unknown key", "did you mean 'model'?"),
    ("llm: {model: m, options: {hedaers: {}}}", 27, "llm.options.hedaers: unknown key", "did you mean 'headers'?"),
    (
        "llm: {model: m, fallbacks: [{provider: cassette, options: {pth: x}}]}",
        60,
        "llm.fallbacks.0.options.pth: unknown key",
        None,
    ),
    ("expand: {processors: [{type: fit, lmit: 3}]}", 35, "expand.processors.0.lmit: unknown key", None),
    ("search: {backends: {a: {type: loca}}}", 25, "search.backends.a.type: there is no search backend 'loca'", "local"),
    (
        "search: {backends: {a: {type: local, pth: x}}}",
        38,
        "search.backends.a.pth: unknown key",
        "did you mean 'path'?",
    ),
    (
        "search: {backends: {a: {type: local, wieght: 2}}}",
        38,
        "search.backends.a.wieght: unknown key",
        "did you mean 'weight'?",
    ),
    ("search: {backends: {a: {type: local, name: b}}}", 38, "search.backends.a.name: unknown key", "the key that it"),
    (
        "search: {backends: {a: {type: local, fields: {t: {name: t, tpye: text}}}}}",
        60,
        "search.backends.a.fields.t.tpye: unknown key",
        "did you mean 'type'?",
    ),
    ("search: {fusion: rff}", 10, "search.fusion: there is no fusion 'rff'", "did you mean 'rrf'?"),
    ("search: {fusion: {type: rrf, kk: 3}}", 30, "search.fusion.kk: unknown key", "did you mean 'k'?"),
    ("search: {processors: [near-duplicate]}", 23, "search.processors.0: there is no processor", "near-duplicates"),
    ("search: {processors: [{type: mmr, lamda: 1}]}", 35, "search.processors.0.lamda: unknown key", None),
    ("plugins: [nothere]", 11, "plugins.0: no plugin 'nothere' is installed", "see `qx plugins`"),
]


@pytest.mark.parametrize(("text", "column", "says", "hint"), TOLD)
def test_its_place_and_what_is_meant(folder: Any, built_in: Any, text: str, column: int, says: str, hint: str | None):
    error = folder.refused(text, plugins=built_in)
    assert str(error).startswith(f"{folder.root}/profiles/acme.yaml:1:{column}: {says}")
    assert error.hint
    assert (hint or "") in error.hint


def test_all_problems_of_all_parts_at_once(folder: Any, built_in: Any):
    text = "cache: {type: sqlite, pth: x}\nobservers:\n  - {type: jsonl, pth: y}\n"
    said = str(folder.refused(text, plugins=built_in))
    assert "acme.yaml:1:23: cache.pth" in said
    assert "acme.yaml:3:19: observers.0.pth" in said


def test_what_is_extended_is_told_where_it_stands(folder: Any, built_in: Any):
    folder.write("profiles/base.yaml", "cache:\n  type: sqlite\n  pth: x")
    error = folder.refused("extends: base\ncache: {ttl: 1d}", plugins=built_in)
    assert (error.file, error.line) == (f"{folder.root}/profiles/base.yaml", 3)


def test_a_missing_setting_is_named(folder: Any, built_in: Any):
    error = folder.refused("embedder: {dimensions: 3}", plugins=built_in)
    assert (error.line, error.column) == (1, 1)
    assert "embedder.model is missing" in str(error)


def test_right_settings_pass_and_a_replay_asks_for_none(folder: Any, built_in: Any):
    folder.profile("cache: {type: sqlite, path: a.db, ttl: 1d}\nsearch: {fusion: {type: rrf, k: 30}}", plugins=built_in)
    folder.profile("embedder: {dimensions: 3}", plugins=built_in, lenient=True)


class Told:
    class Settings(Model):
        token: SecretStr = SecretStr("")
        path: str = ""

        @field_validator("path")
        @classmethod
        def _never(cls, text: str) -> str:
            raise ValueError(f"{text} is not to be had")


class Plain:
    """A contribution whose settings are no pydantic model: nothing can be said of them beforehand."""

    Settings: ClassVar[Any] = types.SimpleNamespace


def _plugins(target: str) -> Plugins:
    module: Any = types.ModuleType("own")
    module.qx_caches = hookimpl(lambda: [Contribution(name="own", target=target)])
    module.qx_caches.__name__ = "qx_caches"
    return Plugins.load(allow=(), modules=[module])


def test_no_secret_is_in_what_a_plugin_says_of_its_settings(folder: Any):
    folder.env["ACME_KEY"] = CANARY
    text = f"cache:\n  type: own\n  token: ${{ACME_KEY}}\n  path: {CANARY}"
    error = folder.refused(text, plugins=_plugins(f"{__name__}:Told"))
    assert error.line == 4
    assert "is not to be had" in str(error)
    assert CANARY not in str(error)


def test_a_plugin_that_does_not_import_is_told_where_it_is_named(folder: Any):
    with pytest.raises(PluginError, match=r"acme\.yaml:1:9: cache\.type: .*no_such_module"):
        folder.profile("cache: {type: own}", plugins=_plugins("no_such_module:X"))
    folder.profile("cache: {type: own}", plugins=_plugins(f"{__name__}:Plain"))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("timezone: PST", "did you mean 'America/Los_Angeles'?"),
        ("language: chinese", "did you mean 'zh'?"),
        ("synonyms: [laptop]", "write a mapping {words: [a, b]}, or a mapping {file: text}"),
        ("rewrite: [laptop]", "write a mapping {match: text}"),
        ("llm: {prices: 3}", "write a mapping {input: 1.0, output: 1.0}"),
        ("search: {backends: [local]}", "write a mapping {key: value}"),
        ("search: {backends: {a: local}}", "write a mapping {type: text}"),
    ],
)
def test_hints_are_in_the_words_of_yaml(folder: Any, text: str, hint: str):
    error = folder.refused(text)
    assert hint in str(error.hint)
    for word in ("dictionary", "instance of", "SynonymSet", "tuple", "Settings", "Rule", "Block"):
        assert word not in str(error)


def test_what_is_known_is_what_may_be_written(folder: Any, built_in: Any):
    backend = folder.refused("search: {backends: {a: {type: local, zzz: 1}}}", plugins=built_in)
    assert "known here: concurrency" in backend.hint
    assert " name" not in backend.hint
    provider = folder.refused("llm: {model: m, options: {zzz: 1}}", plugins=built_in)
    assert "headers" in provider.hint
    assert not {"model", "api_key", "api_base"} & set(provider.hint.rstrip(")").replace(",", "").split())


def test_a_validator_s_own_words_need_no_form(folder: Any, built_in: Any):
    error = folder.refused("search: {backends: {a: {type: web, preset: brav}}}", plugins=built_in)
    assert str(error).endswith("there is no preset 'brav' (did you mean 'brave'?)")


def test_keys_that_several_forms_have_are_listed_once(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("tenant: t\nsynonyms: [{words: [a, b], foo: 1}]\n")
    with pytest.raises(ProfileError, match=r"known here: file, language, of, words\)"):
        load_profile(tmp_path / "p.yaml")
