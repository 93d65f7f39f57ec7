"""Merging packs and the lint of a taxonomy."""

from pathlib import Path

import pytest

import qx.builtin
from qx.domain import (
    ConstraintField,
    DomainPack,
    EntityType,
    Intent,
    Need,
    SenseRule,
    SynonymSet,
    Taxonomy,
    lint,
    merge,
)
from qx.errors import PackError
from qx.packs import load_pack, merging


def pack(name: str, *, intents=(), types=(), fields=(), **more) -> DomainPack:
    taxonomy = Taxonomy(name=name, intents=intents, entity_types=types, fields=fields)
    return DomainPack(schema_version=1, name=name, taxonomy=taxonomy, **more)


@pytest.fixture(scope="module")
def general() -> DomainPack:
    return load_pack(Path(qx.builtin.__file__).parent / "general" / "pack.yaml")


def test_the_general_taxonomy_has_seven_intents_in_two_languages_that_do_not_overlap(general):
    knowledge = merge([general])
    assert [i.id for i in knowledge.taxonomy.intents] == [
        "factual", "troubleshooting", "how-to", "comparison", "recommendation", "research", "exploration",
    ]  # fmt: skip
    for intent in knowledge.taxonomy.intents:
        assert {"zh", "en"} <= intent.definition.keys() & intent.labels.keys()
        assert intent.needs
    assert lint(knowledge.taxonomy) == ()
    assert knowledge.conflicts == ()


def test_the_general_pack_has_examples_of_both_steps_in_both_languages(general):
    intents = {i.id for i in merge([general]).taxonomy.intents}
    for language in ("zh", "en"):
        own = [e for e in general.examples if e.language == language]
        assert len(own) >= 5
        for example in own:
            assert set(example.understanding["intent"]) <= intents
            assert len(example.queries) >= 4


def test_the_first_pack_wins_and_the_rest_adds_up():
    one = pack(
        "one",
        intents=(Intent(id="a", definition={"en": "first"}, cues=("x",), needs=(Need(needs=("n1",)),)),),
        types=(EntityType(id="brand", names={"Acme": ("acme inc",)}),),
        fields=(ConstraintField(id="colour", values={"rot": "red"}),),
        lexicon=("alpha",),
    )
    two = pack(
        "two",
        intents=(Intent(id="a", definition={"en": "second", "zh": "二"}, cues=("y",)), Intent(id="b")),
        types=(EntityType(id="place", names={"Acme": ()}), EntityType(id="brand", names={"Bolt": ("acme inc",)})),
        fields=(ConstraintField(id="colour", values={"rot": "rust", "blau": "blue"}),),
        lexicon=("beta", "alpha"),
    )
    knowledge = merge([one, two], lexicon=("own",))
    first = knowledge.intent("a")
    assert first is not None
    assert first.definition == {"en": "first", "zh": "二"}
    assert first.cues == ("x", "y")
    assert knowledge.lexicon == ("own", "alpha", "beta")
    (colour,) = [f for f in knowledge.taxonomy.fields if f.id == "colour"]
    assert colour.values == {"rot": "red", "blau": "blue"}
    types = {t.id: t for t in knowledge.taxonomy.entity_types}
    brand, place = types["brand"], types["place"]
    assert brand.names == {"Acme": ("acme inc",), "Bolt": ()}
    assert place.names == {}
    told = "\n".join(knowledge.conflicts)
    for part in ("definition of intent 'a'", "'rot'", "'Acme'", "'acme inc'"):
        assert part in told


def test_a_clash_is_told_once_and_only_where_two_packs_say_different_things():
    def said(*packs: DomainPack) -> tuple[str, ...]:
        return merge(packs).conflicts

    def told(name: str, **definition: str) -> DomainPack:
        return pack(name, intents=(Intent(id="a", definition=definition),))

    assert said(told("one", en="first"), told("two", en="second")) == ("definition of intent 'a': one wins over two",)
    assert said(told("one", en="first"), told("two", en="first")) == ()
    assert said(told("one", en="first"), told("two")) == ()  # it says nothing, so it contradicts nobody
    assert said(told("one"), told("two", en="second")) == ()
    wider = [pack("one", generalize={"sofa": ("seat",)}), pack("two", generalize={"sofa": ("furniture",)})]
    assert said(*wider) == ("generalisation of 'sofa': one wins over two",)
    assert said(wider[0], pack("two", generalize={"sofa": ("seat",)})) == ()


def test_few_combinations_of_packs_are_remembered(monkeypatch):
    monkeypatch.setattr(merging, "_of_packs", {})
    packs = [pack(f"p{n}", lexicon=(f"w{n}",)) for n in range(3 * merging.COMBINATIONS + 1)]
    for one in packs:
        assert merge([one]) is merge([one])
        assert len(merging._of_packs) <= merging.COMBINATIONS
    assert [merge([one]).lexicon for one in packs] == [(f"w{n}",) for n in range(len(packs))]


def test_synonyms_add_up_the_most_important_source_first():
    one = pack("shop", synonyms=(SynonymSet(words=("TV", "television")),))
    two = pack("general", synonyms=(SynonymSet(words=("tv", "telly")), SynonymSet(words=("couch",), of="Sofa")))
    assert merge([one, two]).synonyms["tv"] == (("television", "shop"), ("telly", "general"))
    own = merge([one, two], synonyms=(SynonymSet(words=("tv", "screen")),))
    assert own.synonyms["tv"] == (("screen", "profile"), ("television", "shop"), ("telly", "general"))
    again = merge([one, two], synonyms=(SynonymSet(words=("tv", "Telly")),))
    assert again.synonyms["tv"] == (("Telly", "profile"), ("television", "shop"))
    cut = merge([one.model_copy(update={"replaces": ("synonyms",)}), two])
    assert cut.synonyms == {"tv": (("television", "shop"),), "television": (("TV", "shop"),)}
    assert own.synonyms["sofa"] == (("couch", "general"),)
    assert "couch" not in own.synonyms


def test_the_fingerprint_follows_the_content():
    one, two = pack("p", lexicon=("a",)), pack("p", lexicon=("b",))
    assert merge([one]).fingerprint == merge([pack("p", lexicon=("a",))]).fingerprint
    assert merge([one]).fingerprint != merge([two]).fingerprint
    assert merge([one]).fingerprint != merge([one], lexicon=("c",)).fingerprint


def test_sense_rules_of_two_languages_stand_side_by_side():
    senses = (
        SenseRule(word="Java", language="en", senses={"island": ("beach",)}),
        SenseRule(word="java", language="zh", senses={"岛": ("海",)}),
        SenseRule(word="JAVA", language="en", senses={"coffee": ("cup",)}),
    )
    assert [s.language for s in merge([pack("p", senses=senses)]).senses] == ["en", "zh"]


def test_a_taxonomy_by_name_is_found_or_the_error_says_what_there_is():
    named = DomainPack(schema_version=1, name="medical", taxonomy="clinical")
    clinical = Taxonomy(name="clinical", intents=(Intent(id="symptom"),))
    assert merge([named], taxonomies={"clinical": clinical}).intent("symptom") is not None
    with pytest.raises(PackError, match=r"'clinical'.*known: general"):
        merge([named, pack("general")])


def test_lint_tells_what_overlaps():
    same = "ask for the price of a product in the shop"
    taxonomy = Taxonomy(
        name="t",
        intents=(
            Intent(id="price", definition={"en": same}, cues=("How Much",)),
            Intent(id="cost", definition={"en": "price of a product in the shop"}, cues=("how much",)),
            Intent(id="Bad Id", definition={"en": "something else entirely"}),
            Intent(id="empty"),
        ),
    )
    told = "\n".join(lint(taxonomy))
    assert "'price' and 'cost' overlap in en" in told
    assert "cue 'how much'" in told
    assert "'Bad Id'" in told
    assert "'empty' has no definition" in told


def test_lint_beside_the_general_pack():
    general = load_pack("qx.builtin:general/pack.yaml")
    known = next(i for i in general.taxonomy.intents if i.id == "recommendation" and i.definition)
    copied = pack("shop", intents=(Intent(id="buy", definition=known.definition, cues=known.cues[:8]),))
    told = "\n".join(lint(copied, [general]))
    assert "definitions of 'buy' and of 'recommendation' (pack general) overlap in en" in told
    assert "overlap in zh" in told
    assert "most cues of 'buy' are those of 'recommendation' (pack general) too" in told
    example = general.examples[0].model_copy(update={"understanding": {"intent": ["buy"]}})
    assert "has the intent buy here" in "\n".join(lint(pack("shop", examples=(example,)), [general]))


def test_lint_leaves_alone_what_refines_or_differs():
    general = load_pack("qx.builtin:general/pack.yaml")
    own = Intent(id="fitting", definition={"en": "Whether a part fits a bicycle; sizes, standards"}, cues=("fits",))
    assert lint(pack("bikes", intents=(own, Intent(id="how-to", cues=("mount",)))), [general]) == ()
    assert lint(general) == ()


def test_families_of_names_add_up():
    one = pack("one", types=(EntityType(id="technology", names={"A": ()}, families={"database": ("A",)}),))
    two = pack("two", types=(EntityType(id="technology", names={"B": ()}, families={"database": ("B", "A")}),))
    (merged,) = merge([one, two]).taxonomy.entity_types
    assert merged.families == {"database": ("A", "B")}


def test_families_of_the_general_pack_hold_known_names_once_each(general):
    for kind in general.taxonomy.entity_types:
        members = [name for family in kind.families.values() for name in family]
        assert len(set(members)) == len(members)
        assert set(members) <= set(kind.names)


def test_cues_of_other_packs_than_general_are_told_apart(general):
    own = pack("own", intents=(Intent(id="how-to", cues=("assemble",)), Intent(id="fit", cues=("fits",))))
    assert merge([own, general]).particular == {"how-to": ("assemble",), "fit": ("fits",)}
    assert merge([general]).particular == {}
    assert merge([own, general]).fingerprint != merge([general]).fingerprint


def test_what_engines_share_cannot_be_changed_by_one_of_them(general):
    shared = merge([general])
    assert merge([general]) is shared  # no words of a profile: engines on the same packs have one object
    kinds = [t for t in shared.taxonomy.entity_types if t.names]
    mappings = [
        *(shared.synonyms, shared.generalize, shared.prompts, shared.particular),
        *(shared.taxonomy.intents[0].labels, kinds[0].names, shared.examples[0].understanding, shared.senses[0].senses),
    ]
    for mapping in mappings:
        before = dict(mapping)
        with pytest.raises(TypeError, match="change a copy"):
            mapping["canary"] = ()
        assert mapping == before
    assert "canary" not in merge([general]).synonyms


def test_what_the_words_of_a_profile_made_cannot_be_changed_either(general):
    own = merge([general], synonyms=[SynonymSet(words=("anorak", "parka"))])
    with pytest.raises(TypeError):
        own.synonyms["canary"] = ()
    assert own is not merge([general])


def test_what_another_pack_calls_by_a_name_that_is_taken_goes_with_it():
    shop = _pack("shop", "category", {"茶叶": ("绿茶",)}, broader="food")
    general = _pack("general", "food", {"绿茶": ("green tea",), "红茶": ("black tea",)})
    types = {t.id: t.names for t in merge([shop, general]).taxonomy.entity_types}
    assert types["category"] == {"茶叶": ("绿茶", "green tea")}
    assert types["food"] == {"红茶": ("black tea",)}
    brands = _pack("brands", "brand", {"Apple": ("苹果",)})
    fruit = _pack("general", "food", {"苹果": ("apples",)})
    assert {t.id: t.names for t in merge([brands, fruit]).taxonomy.entity_types}["brand"] == {"Apple": ("苹果",)}


def _pack(name: str, type_: str, names: dict[str, tuple[str, ...]], broader: str | None = None) -> DomainPack:
    kind = EntityType(id=type_, labels={"en": type_}, names=names, broader=broader)
    return DomainPack(schema_version=1, name=name, taxonomy=Taxonomy(name=name, intents=(), entity_types=(kind,)))
