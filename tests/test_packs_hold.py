"""What must hold of any pack: it changes nothing until it is named, what is wrong has a place, what is large has an end."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engines import profile
from qx import Engine, Profile, Query
from qx.domain import DomainPack, Knowledge, Taxonomy, merge
from qx.errors import PackError
from qx.gathering import gather_knowledge
from qx.packs import load_domains, load_pack, pack_file
from qx.plugins import Plugins
from qx.rules.understand import RuleUnderstanding
from qx.types import Understanding

HEAD = "schema_version: 1\nname: shop\ntaxonomy:\n  name: shop\n  intents: [{id: buy, cues: [buy]}]\n"
NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def pack(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        (tmp_path / "pack.yaml").write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture(scope="module")
def general() -> DomainPack:
    return load_pack("qx.builtin:general/pack.yaml")


def read(knowledge: Knowledge, text: str) -> Understanding:
    return RuleUnderstanding(knowledge).understand(Query(text=text), now=NOW, zone=UTC)


def made(name: str = "shop", **parts: Any) -> DomainPack:
    taxonomy = parts.pop("taxonomy", {"name": name, "intents": [{"id": "buy", "cues": ["buy"]}]})
    return DomainPack.model_validate({"schema_version": 1, "name": name, "taxonomy": taxonomy, **parts})


def test_installing_a_pack_changes_nothing_until_a_profile_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    bare = gather_knowledge(profile(), Plugins.load(allow=()))
    package = tmp_path / "qxt_shouting"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('never imported')\n")
    (package / "pack.yaml").write_text(HEAD + "lexicon: [手机壳子]\nsynonyms: [{of: phone, words: [PHONE]}]\n")
    about = tmp_path / "qxt_shouting-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: qxt-shouting\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[qx.packs]\nshouting = qxt_shouting:pack.yaml\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    plugins = Plugins.load(allow=["qxt-shouting"])
    assert "shouting" in plugins.registry("packs")
    assert gather_knowledge(profile(), plugins).fingerprint == bare.fingerprint
    assert gather_knowledge(profile(domains=("shouting",)), plugins).fingerprint != bare.fingerprint
    assert "qxt_shouting" not in sys.modules


@pytest.mark.parametrize(
    ("text", "line", "says", "hint"),
    [
        ("platform: [{name: x}]", 6, "platform: unknown key", "did you mean 'platforms'?"),
        ("inclde: [words.yaml]", 6, "inclde: unknown key", "did you mean 'include'?"),
        ("zzzzz: 1", 6, "zzzzz: unknown key", "generalize, include, lexicon"),
        ("platforms: [{name: x, sites: y}]", 6, "platforms.0.sites: unknown key", "did you mean 'site'?"),
        ("platforms:\n- {name: x, site: a.example}\n- {name: x, site: b.example}", 8, "platforms.1.name: 'x' is defined twice", "merge"),
        ("platforms: [{name: x, site: 'https://a.example/'}]", 6, "platforms.0.site: not a site", "did you mean 'a.example'?"),
        ("platforms: [{name: x, site: a.example, intents: [byu]}]", 6, "there is no intent 'byu'", "did you mean 'buy'?"),
        ("platforms: [{name: x, intents: [buy]}]", 6, "neither a site nor a template", "{platform}"),
        ("units: [{unit: inhc, words: {en: [inch]}}]", 6, "units.0.unit: 'inhc' is no unit", "such as inch"),
        ("units:\n- {unit: inch, words: {zh: [寸]}}\n- {unit: inch, words: {en: [inch]}}", 8, "units.1.unit: 'inch' is defined twice, first in", "merge"),
        ("units: [{unit: inch, words: {zh: [寸, 斤]}}]", 6, "units.0.words.zh.1: '斤' is no spelling of inch", "the same unit"),
        ("patterns: [{name: p, pattern: '(a+)+(?=b)', type: t}]", 6, "patterns.0.pattern: not an RE2 pattern", "look-around"),
        ("patterns: [{name: p, pattern: '\\d+分', field: rating}]", 6, "nothing says the value", "(?P<value>"),
        ("patterns: [{name: p, pattern: a, type: t, op: ge}]", 6, "patterns.0.op: op says something of a field", "'field:'"),
        ("patterns: [{name: p, pattern: '(?P<value>\\d)', field: rating, op: over}]", 6, "patterns.0.op", None),
        ("patterns: [{name: p, pattern: '(?P<value>\\d)', field: rating, unit: glob}]", 6, "'glob' is no unit", None),
        ("examples: [{text: t, language: en, understanding: {intent: [buys]}}]", 6, "there is no intent 'buys'", "did you mean 'buy'?"),
        ("examples: [{text: t, language: en, understanding: {}, queries: [{text: q, strategy: refin}]}]", 6, "examples.0.queries.0.strategy: there is no strategy 'refin'", "did you mean 'refine'?"),
        ("#\n  fields: [{id: orbit, type: number, unit: parsec}]", 7, "taxonomy.fields.0.unit: 'parsec' is no unit", "such as inch"),
        ("templates: [{text: '{core} x', strategy: refine, language: english}]", 6, "templates.0.language: not a language tag", "did you mean 'en'?"),
        ("sites: [{site: a.example, intents: [buy], language: 中文}]", 6, "sites.0.language: not a language tag", "did you mean 'zh'?"),
        ("examples: [{text: t, language: en_US, understanding: {}}]", 6, "examples.0.language: not a language tag", "did you mean 'en-US'?"),
        ("synonyms: [{words: [a, b], language: chinese}]", 6, "synonyms.0.language: not a language tag", "did you mean 'zh'?"),
        ("needs: [{when: [a], needs: [b], language: '?'}]", 6, "needs.0.language: not a language tag", "write its tag"),
        ("units: [{unit: inch, words: {english: [inch]}}]", 6, "units.0.words.english: not a language tag", "did you mean 'en'?"),
        ("#\n  fields: [{id: orbit, labels: {english: orbit}}]", 7, "taxonomy.fields.0.labels.english: not a language tag", "did you mean 'en'?"),
        ("#\n  entity_types: [{id: moon, definition: {中文: 卫星}}]", 7, "taxonomy.entity_types.0.definition.中文: not a language tag", "did you mean 'zh'?"),
        ("synonyms: [{of: a, words: [b, a]}]", 6, "'a' cannot replace itself", None),
        ("defaults: {search: {backends: {a: {type: local}}}}", 6, "defaults.search.backends: a pack cannot set", "a pack may set"),
        ("defaults: {search: {processors: [{type: rerank, by: api, url: 'http://x'}]}}", 6, "cannot name an endpoint", "profile"),
        ("defaults: {search: {processors: [{type: block, path: x.txt}]}}", 6, "cannot name an endpoint, a secret or a file", None),
        ("defaults: {search: {min_results: 9999}}", 6, "less than or equal to 1000", None),
    ],
)  # fmt: skip
def test_what_is_wrong_has_its_file_and_line(pack: Any, text: str, line: int, says: str, hint: str | None):
    folder = pack(text + "\n")
    with pytest.raises(PackError) as caught:
        load_pack(folder, strategies=Plugins.load(allow=()).registry("strategies"))
    assert (caught.value.file, caught.value.line) == (str(folder / "pack.yaml"), line)
    assert says in str(caught.value)
    assert hint is None or hint in (caught.value.hint or "")


def named(folder: Path, *domains: str) -> Profile:
    return Profile(domains=domains).model_copy(update={"folder": folder})


def test_a_field_that_no_pack_of_the_profile_has_is_told_with_its_place(tmp_path: Path):
    plugins = Plugins.load(allow=())
    for name, more in (
        ("one", "patterns:\n- {name: p, pattern: '(?P<value>\\d) stars', field: stars}\n"),
        ("two", "  fields: [{id: stars, type: number}]\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pack.yaml").write_text(HEAD.replace("shop", name).replace("buy", name) + more)
    with pytest.raises(PackError, match=r"patterns\.0\.field: no pack of the profile has a field 'stars'") as caught:
        load_domains(named(tmp_path, "./one"), plugins)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "one" / "pack.yaml"), 7)
    assert load_domains(named(tmp_path, "./one", "./two"), plugins)  # another pack has it


def test_an_installed_pack_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    package = tmp_path / "qxt_stars"
    package.mkdir()
    (package / "pack.yaml").write_text(HEAD + "patterns: [{name: p, pattern: '(?P<value>\\d)', field: colr}]\n")
    about = tmp_path / "qxt_stars-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: qxt-stars\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[qx.packs]\nstars = qxt_stars:pack.yaml\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PackError, match=r"pack stars: patterns\.0\.field: .* 'colr'") as caught:
        load_domains(profile(domains=("stars",)), Plugins.load(allow=["qxt-stars"]))
    assert "did you mean 'colour'?" in (caught.value.hint or "")


def test_who_adds_words_to_a_field_says_nothing_of_its_type(general: DomainPack):
    fields = [{"id": "storage", "words": ["硬盘"]}, {"id": "memory", "type": "keyword"}]
    taxonomy = {"name": "shop", "intents": [{"id": "buy", "cues": ["buy"]}], "fields": fields}
    knowledge = merge([made(taxonomy=taxonomy), general])
    found = {field.id: field for field in knowledge.taxonomy.fields}
    assert (found["storage"].type, found["storage"].unit) == ("number", "GB")
    assert "硬盘" in found["storage"].words
    assert found["memory"].type == "keyword"  # who says another type means it
    assert [said for said in knowledge.conflicts if "of field" in said] == [
        "type or unit of field 'memory': shop wins over general"
    ]


def test_a_pattern_for_a_field_that_no_pack_has(general: DomainPack):
    rule = {"name": "p", "pattern": r"(?P<value>\d)", "field": "ratng"}
    with pytest.raises(PackError, match="pattern 'p': no pack has a field 'ratng'"):
        RuleUnderstanding(merge([made(patterns=[rule]), general]))


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(?:a?){64}a{64}", "(.*)*(.*)*x"])
def test_a_pattern_that_would_run_for_ever_elsewhere_ends(general: DomainPack, pattern: str):
    knowledge = merge([made(patterns=[{"name": "p", "pattern": pattern, "type": "t"}]), general])
    rules = RuleUnderstanding(knowledge)
    begun = time.process_time()
    rules.understand(Query(text="a" * 3000 + "b"), now=NOW, zone=UTC)
    assert time.process_time() - begun < 2.0  # a backtracking engine would need longer than the universe is old


@pytest.mark.parametrize(
    ("words", "after"), [(("alpha", "beta", "gamma"), " widget"), (("甲器", "乙器", "丙器"), "怎么安装")]
)
async def test_synonyms_in_a_circle_end(words: tuple[str, str, str], after: str):
    first, second, third = words
    circle = [{"of": of, "words": [word]} for of, word in zip(words, (second, third, first), strict=True)]
    async with Engine.opened(profile(synonyms=circle, lexicon=words), plugins=Plugins.load(allow=())) as engine:
        found = await engine.expand(first + after)
    texts = [query.text for query in found.queries]
    assert any(second in text for text in texts)
    assert not any(third in text for text in texts)  # one step: who asks for alpha did not ask for gamma
    assert len(texts) == len(set(texts)) <= 9


@pytest.mark.slow
@pytest.mark.parametrize("form", ["written", "file"])
def test_a_hundred_thousand_synonyms(general: DomainPack, pack: Callable[[str], Path], form: str):
    lines = "\n".join(f"- {{of: thing{n}, words: [object{n}]}}" for n in range(100_000))
    if form == "file":
        folder = pack("synonyms: [{file: words.txt}]\n")
        (folder / "words.txt").write_text("\n".join(f"thing{n} => object{n}" for n in range(100_000)))
    else:
        folder = pack(f"synonyms:\n{lines}\n")
    begun = time.process_time()
    many = load_pack(folder)
    knowledge = merge([many, general])
    assert knowledge.synonyms["thing99999"] == (("object99999", "shop"),)
    found = read(knowledge, "where do I buy thing99999")
    assert found.intent[0] == "buy"
    assert time.process_time() - begun < 15.0  # 3 s; the bound catches what grows with the square


def test_of_two_packs_the_first_wins_and_it_is_said(general: DomainPack):
    def pack(name: str, site: str, word: str) -> DomainPack:
        return made(
            name,
            platforms=[{"name": "Bazaar", "names": ["the bazaar"], "site": site}],
            units=[{"unit": "inch", "words": {"zh": [word]}}],
            patterns=[{"name": "stars", "pattern": r"(?P<value>\d) stars", "field": "price", "op": "ge" if site == "a.example" else "le"}],
        )  # fmt: skip

    knowledge = merge([pack("one", "a.example", "寸"), pack("two", "b.example", "吋"), general])
    assert [platform.site for platform in knowledge.platforms] == ["a.example"]
    assert knowledge.units[0].words["zh"] == ("寸",)
    assert [rule.op for rule in knowledge.patterns if rule.name == "stars"] == ["ge"]
    for told in ("platform 'Bazaar'", "spelling of unit 'inch'", "pattern 'stars'"):
        assert f"{told}: one wins over two" in knowledge.conflicts


CATEGORIES = {
    "name": "shop",
    "intents": [
        {"id": "buy", "broader": "recommendation", "when": ["@product"], "takes": ["exploration"], "cues": ["i want to buy"]},
        {"id": "rate", "broader": "recommendation", "cues": ["how well rated"]},
    ],
    "entity_types": [
        {"id": "category", "broader": "product", "names": {"widget": ["widgets"], "手机": []}},
        {"id": "code", "takes": ["model-number"]},
    ],
    "fields": [{"id": "grade", "type": "number", "words": ["grade"]}],
}  # fmt: skip


@pytest.fixture(scope="module")
def shop(general: DomainPack) -> RuleUnderstanding:
    rule = {"name": "grade", "pattern": r"grade (?P<value>\d(?:\.\d)?) up", "field": "grade", "op": "ge"}
    return RuleUnderstanding(merge([made(taxonomy=CATEGORIES, patterns=[rule]), general]))


def understood(rules: RuleUnderstanding, text: str) -> Understanding:
    return rules.understand(Query(text=text), now=NOW, zone=UTC)


def test_a_type_that_is_a_kind_of_another(shop: RuleUnderstanding):
    found = understood(shop, "red widgets under $20")
    assert [(e.text, e.type) for e in found.entities] == [("widgets", "category")]
    # what is known of products holds of it: there are limits, and something is chosen
    assert {(c.field, c.op) for c in found.constraints} == {("colour", "eq"), ("price", "le")}
    assert found.intent == ("buy",)
    assert [(e.text, e.type) for e in understood(shop, "手机 RX300M").entities] == [
        ("手机", "category"),
        ("RX300M", "code"),
    ]


def test_general_examples_teach_no_word_that_a_pack_says_otherwise(general: DomainPack):
    def types(knowledge: Knowledge) -> set[str]:
        return {entity["type"] for example in knowledge.examples for entity in example.understanding["entities"]}

    assert "product" in types(merge([general]))
    assert "product" in types(merge([made(), general]))
    found = types(merge([made(taxonomy=CATEGORIES), general]))
    assert "product" not in found
    assert "symptom" in found


def test_an_intent_takes_the_place_of_others_where_its_words_are(shop: RuleUnderstanding):
    assert understood(shop, "widgets").intent == ("buy",)
    assert understood(shop, "what is a widget").intent != ("buy",)  # said in words: it is explored
    assert understood(shop, "best hiking trails").intent == ("recommendation",)
    assert understood(shop, "how well rated are widgets").intent == ("rate",)


def test_a_pattern_states_a_condition(shop: RuleUnderstanding):
    found = understood(shop, "widgets grade 4.5 up")
    assert [(c.field, c.op, c.value, c.text) for c in found.constraints] == [("grade", "ge", 4.5, "grade 4.5 up")]
    assert ("grade", "lt") in {(c.field, c.op) for c in understood(shop, "widgets, not grade 4 up").constraints}


def test_the_pack_of_a_distribution_as_it_is_written(tmp_path: Path):
    (tmp_path / "qx_shop").mkdir()
    (tmp_path / "qx_shop" / "pack.yaml").write_text(HEAD)
    assert pack_file(tmp_path) == tmp_path / "pack.yaml"  # a folder of packs is no pack
    (tmp_path / "pyproject.toml").write_text("")
    assert pack_file(tmp_path) == tmp_path / "qx_shop" / "pack.yaml"
    assert load_pack(tmp_path).name == "shop"
    (tmp_path / "qx_other").mkdir()
    (tmp_path / "qx_other" / "pack.yaml").write_text(HEAD)
    assert pack_file(tmp_path) == tmp_path / "pack.yaml"  # of two it is not said which


def test_taxonomies_still_need_nothing_new():
    assert Taxonomy.model_validate({"name": "t", "intents": [{"id": "a"}]}).intents[0].broader is None


def test_of_two_packs_of_one_name_it_is_said_which(tmp_path: Path):
    for folder, op in (("a", "ge"), ("b", "le")):
        (tmp_path / folder).mkdir()
        rule = f"{{name: stars, pattern: '(?P<value>\\d) stars', field: price, op: {op}}}"
        (tmp_path / folder / "pack.yaml").write_text(
            f"schema_version: 1\nname: shop\ntaxonomy: general\npatterns: [{rule}]\n"
        )
    profile = Profile(domains=("./a", "./b")).model_copy(update={"folder": tmp_path})
    knowledge = merge(load_domains(profile, Plugins.load(allow=())))
    assert "pattern 'stars': shop (./a) wins over shop (./b)" in knowledge.conflicts
