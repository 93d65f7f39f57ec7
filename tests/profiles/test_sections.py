"""Sections of profiles that plugins own: a part of the profile like any other, once the plugin is there."""

import logging
import types
from typing import Annotated, Any, Literal

import jsonschema
import notebook
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, SecretStr

from qx import Contribution, hookimpl
from qx.errors import PathNotAllowed, PluginError, ProfileError
from qx.model import Model
from qx.names import SECTIONS
from qx.plugins import Plugins
from qx.profiles import explain_profile, fingerprint, load_profile, profile_schema, shown
from qx.profiles.layers import Layer, Layers
from qx.settings import Profile
from qx.yaml import Place

PLUGINS = Plugins.load(allow=(), modules=[notebook])


def plugin(**sections: str) -> Plugins:
    module = types.ModuleType("sections_of_a_plugin")

    def qx_profile_sections() -> list[Any]:
        return [Contribution(name=name, target=target) for name, target in sections.items()]

    module.qx_profile_sections = hookimpl(qx_profile_sections)  # type: ignore[attr-defined]
    return Plugins.load(allow=(), modules=[module])


def test_a_section_is_a_part_of_the_profile(folder: Any):
    profile = folder.profile("notes: {limit: 7, store: {type: memory}}\n", plugins=PLUGINS)
    assert profile.sections == {"notes": {"limit": 7, "store": {"type": "memory"}}}
    assert shown(profile)["notes"]["limit"] == 7


WRONG = [
    ("notes: {limt: 3}", 9, "notes.limt: unknown key (did you mean 'limit'?)"),
    ("notes: {limit: 99}", 9, "notes.limit: input should be less than or equal to 50"),
    ("notes: {limit: many}", 9, "notes.limit: input should be a valid integer"),
    ("notes: {store: {type: disk}}", 17, "notes.store.type: this is not known here"),
    ("notes: {store: {typ: memory}}", 17, "notes.store.typ: unknown key (did you mean 'type'?)"),
    ("notes: 5", 1, "notes: should be a mapping"),
    ("notes: [a]", 1, "notes: should be a mapping"),
    ("nots: {limit: 3}", 1, "nots: unknown key (did you mean 'notes'?)"),
    ("expnd: {limit: 3}", 1, "expnd: unknown key (did you mean 'expand'?)"),
    ("sections: {notes: {}}", 1, "sections: unknown key"),
]


@pytest.mark.parametrize(("text", "column", "said"), WRONG)
def test_what_is_wrong_in_it_has_its_place_and_a_hint(folder: Any, text: str, column: int, said: str):
    error = folder.refused(f"timezone: UTC\n{text}\n", plugins=PLUGINS)
    assert said in str(error)
    assert str(error.file).endswith("profiles/acme.yaml")
    assert (error.line, error.column) == (2, column)


def test_several_mistakes_are_told_together(folder: Any):
    error = folder.refused("nots: {}\nexpand: {limt: 3}\nnotes: {limit: 7}\n", plugins=PLUGINS)
    assert "nots: unknown key" in str(error)
    assert "expand.limt: unknown key" in str(error)
    assert "notes: unknown key" not in str(error)


def test_without_the_plugin_it_is_an_unknown_key(folder: Any, built_in: Plugins):
    assert "notes: unknown key" in str(folder.refused("notes: {}\n", plugins=built_in))


def test_what_is_installed_is_looked_at_where_nobody_says(folder: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Plugins, "load", classmethod(lambda cls, **options: PLUGINS))
    assert folder.profile("notes: {limit: 4}\n").sections["notes"] == {"limit": 4}
    assert "nots: unknown key" in str(folder.refused("nots: {}\n"))


FORMS = [
    ("{type: sqlite, pth: x}", "notes.store.pth: unknown key (did you mean 'path'?)"),
    ("{type: postgres}", "notes.store.dsn is missing (add 'dsn' here)"),
    ("{type: canary-value}", "notes.store.type: this is not known here (write one of sqlite, postgres)"),
    ("{type: sqlit}", "notes.store.type: this is not known here (did you mean 'sqlite'?)"),
    ("{path: x}", "notes.store.type is missing (add 'type' here)"),
]


class Sqlite(Model):
    type: Literal["sqlite"]
    path: str | None = None


class Postgres(Model):
    type: Literal["postgres"]
    dsn: SecretStr


class OneOf:
    """A section one of whose keys has several forms."""

    class Settings(Model):
        store: Annotated[Sqlite | Postgres, Field(discriminator="type")]


@pytest.mark.parametrize(("store", "said"), FORMS)
def test_a_key_of_several_forms(folder: Any, monkeypatch: pytest.MonkeyPatch, store: str, said: str):
    monkeypatch.setattr(notebook, "Notes", OneOf)
    error = str(folder.refused(f"notes: {{store: {store}}}\n", plugins=plugin(notes="notebook:Notes")))
    assert said in error
    assert "canary" not in error


def test_a_plugin_that_the_profile_does_not_allow(folder: Any):
    with pytest.raises(PluginError, match=r"acme\.yaml:2:1: notes: .*not in the profile's list `plugins`"):
        folder.profile("plugins: []\nnotes: {}\n", plugins=PLUGINS)


def test_a_section_that_cannot_be_imported(folder: Any):
    with pytest.raises(PluginError, match=r"acme\.yaml:1:1: notes: .*no_such_module"):
        folder.profile("notes: {limit: 3}\n", plugins=plugin(notes="no_such_module:Notes"))


def test_secrets_in_it_are_references_and_masked(folder: Any, caplog: pytest.LogCaptureFixture):
    folder.env["NOTES_TOKEN"] = "canary-0123456789"
    text = "notes: {store: {type: remote, url: 'http://notes.example', token: '${NOTES_TOKEN}'}}\n"
    profile = folder.profile(text, plugins=PLUGINS)
    assert profile.sections["notes"]["store"]["token"] == "canary-0123456789"
    assert "canary" not in str(shown(profile)) + repr(profile) + profile.model_dump_json()
    assert "canary" not in fingerprint(profile)
    found = {one.path: one for one in explain_profile("acme", plugins=PLUGINS, env=folder.env)}
    assert found["notes.store.token"].value == "${NOTES_TOKEN}"
    assert ":1:" in found["notes.store.url"].source
    assert "not allowed for this tenant" in str(folder.refused(text, plugins=PLUGINS, allowed_env=()))
    assert "only secret and endpoint fields" in str(
        folder.refused("notes: {limit: '${NOTES_TOKEN}'}\n", plugins=PLUGINS)
    )
    with caplog.at_level(logging.WARNING):
        folder.profile("notes: {store: {token: written-out}}\n", plugins=PLUGINS)
    assert "notes.store.token is written out" in caplog.text


def test_paths_and_addresses_in_it_are_held_to_the_rules(folder: Any):
    with pytest.raises(PathNotAllowed, match=r"acme\.yaml:1:\d+: notes\.store\.path"):
        folder.profile("notes: {store: {path: ../../etc/passwd}}\n", plugins=PLUGINS)
    assert "notes.store.url: " in str(folder.refused("notes: {store: {url: 'file:///etc/passwd'}}\n", plugins=PLUGINS))


def test_it_is_inherited_like_the_rest(folder: Any):
    folder.write("profiles/base.yaml", "notes: {limit: 7, store: {type: memory}}\n")
    profile = folder.profile("extends: base\nnotes: {limit: 8}\n", plugins=PLUGINS)
    assert profile.sections["notes"] == {"limit": 8, "store": {"type": "memory"}}
    assert folder.profile("extends: base\nnotes: null\n", plugins=PLUGINS).sections == {}
    folder.profile("extends: base\nnotes: {limit: 8}\n", plugins=PLUGINS)
    source = folder.sources("acme", plugins=PLUGINS)
    assert "acme.yaml" in source["notes.limit"][1]
    assert "base.yaml" in source["notes.store.type"][1]


def test_a_key_goes_to_the_endpoint_it_was_written_for(folder: Any):
    folder.env |= {"A": "canary-a"}
    base = "notes: {limit: 5, store: {type: remote, url: 'http://a.example', token: '${A}'}}\n"
    folder.write("profiles/base.yaml", base)
    other = folder.profile("extends: base\nnotes: {store: {url: 'http://evil.example'}}\n", plugins=PLUGINS)
    assert other.sections["notes"] == {"limit": 5, "store": {"type": "remote", "url": "http://evil.example"}}
    another = folder.profile("extends: base\nnotes: {store: {type: memory}}\n", plugins=PLUGINS)
    assert another.sections["notes"] == {"limit": 5, "store": {"type": "memory"}}
    same = folder.profile("extends: base\nnotes: {limit: 6, store: {url: 'http://a.example'}}\n", plugins=PLUGINS)
    assert same.sections["notes"]["store"]["token"] == "canary-a"


@settings(max_examples=50, deadline=None)
@given(
    lower=st.fixed_dictionaries(
        {}, optional={"type": st.sampled_from("ab"), "url": st.sampled_from("xy"), "n": st.just(1)}
    ),
    upper=st.fixed_dictionaries(
        {}, optional={"type": st.sampled_from("ab"), "url": st.sampled_from("xy"), "n": st.just(2)}
    ),
)
def test_no_secret_reaches_another_type_or_address(lower: dict[str, Any], upper: dict[str, Any]):
    below = {"notes": {"store": {**lower, "token": "t", "headers": {"X-Key": "h"}}}}
    made = [
        Layer(label="a", data=below, place=lambda loc: Place()),
        Layer(label="b", data={"notes": {"store": upper}}, place=lambda loc: Place()),
    ]
    merged = Layers(made).data["notes"]["store"]
    other = any(key in upper and upper[key] != lower.get(key) for key in ("type", "url"))
    assert ("token" in merged, "headers" in merged) == (not other, not other)


def test_the_fingerprint_is_another_for_other_settings(folder: Any):
    one = folder.profile("notes: {limit: 3}\n", plugins=PLUGINS)
    other = folder.profile("notes: {limit: 4}\n", plugins=PLUGINS)
    none = folder.profile("timezone: UTC\n", plugins=PLUGINS)
    assert len({fingerprint(one), fingerprint(other), fingerprint(none)}) == 3
    assert fingerprint(none) == fingerprint(folder.profile("fetch: {seconds: 3s}\n", plugins=PLUGINS))


def test_the_schema_of_profiles_has_it(folder: Any):
    schema = profile_schema(PLUGINS)
    validator = jsonschema.Draft202012Validator(schema)
    assert schema["properties"]["notes"]["description"] == "Notes that users keep."
    assert validator.is_valid({"notes": {"limit": 3, "store": {"type": "remote", "url": "http://x"}}})
    for wrong in ({"notes": {"limit": 99}}, {"notes": {"limt": 3}}, {"notes": 3}, {"nots": {}}):
        assert not validator.is_valid(wrong)
    assert not jsonschema.Draft202012Validator(profile_schema()).is_valid({"notes": {}})
    assert validator.is_valid({"fetch": {"seconds": "3s", "robots": False}})
    assert not validator.is_valid({"fetch": {"sconds": 3}})


def test_the_fetchers_keys_are_checked_too(folder: Any):
    assert (
        folder.profile("fetch: {seconds: 3s, robots: false, concurrency: 4}\n", plugins=PLUGINS).fetch.concurrency == 4
    )
    assert "fetch.robot: unknown key (did you mean 'robots'?)" in str(
        folder.refused("fetch: {robot: no}\n", plugins=PLUGINS)
    )
    said = str(folder.refused("fetch: {type: htp}\n", plugins=PLUGINS))
    assert "fetch.type: there is no fetcher 'htp' (did you mean 'http'?)" in said


def test_qx_s_own_keys_are_reserved():
    assert {*Profile.model_fields, "extends"} <= SECTIONS
    plugins = plugin(budget="notebook:Notes", notes="notebook:Notes")
    assert plugins.registry("sections").names() == ("notes",)
    assert "'budget' is reserved for qx itself" in plugins.report()[-1].reason


def test_a_profile_with_a_section_is_loaded_by_its_path(folder: Any):
    path = folder.write("elsewhere/shop.yaml", "notes: {limit: 3}\n")
    assert load_profile(path, plugins=PLUGINS, env=folder.env).sections["notes"] == {"limit": 3}
    with pytest.raises(ProfileError, match="unknown key"):
        load_profile(folder.write("elsewhere/shop.yaml", "nots: {}\n"), plugins=PLUGINS, env=folder.env)
