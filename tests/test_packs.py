import textwrap
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from qx import Engine, yaml
from qx.errors import NotAllowed, PackError, PluginError
from qx.gathering import gather_knowledge
from qx.installed import data_file
from qx.packs import (
    entries,
    general_intents,
    load_domain,
    load_domains,
    load_pack,
    load_taxonomy,
    loading,
    read_entry,
    read_pack,
)
from qx.plugins import Plugins
from qx.registry import Entry
from qx.rules.shared import shared_rules
from qx.settings import Profile

HEAD = """\
schema_version: 1
name: shop
taxonomy:
  name: shop
  intents: [{id: buy, cues: [buy, '/where .* buy/']}]
"""


@pytest.fixture
def pack(tmp_path: Path) -> Any:
    def write(text: str, **others: str) -> Path:
        (tmp_path / "pack.yaml").write_text(textwrap.dedent(text), encoding="utf-8")
        for name, inner in others.items():
            (tmp_path / f"{name}.yaml").write_text(textwrap.dedent(inner), encoding="utf-8")
        return tmp_path

    return write


def test_a_pack_from_a_folder_or_a_file(pack: Any):
    folder = pack(HEAD + "synonyms: [{words: [手机, 移动电话]}, {words: [cellphone], of: phone}]\n")
    found = load_pack(folder)
    assert load_pack(folder / "pack.yaml") == found
    assert load_pack(str(folder)) == found
    assert found.taxonomy.intents[0].cues == ("buy", "/where .* buy/")
    assert found.synonyms[1].of == "phone"


def test_includes_join_lists_and_merge_mappings(pack: Any):
    folder = pack(
        HEAD + "include: [words.yaml, sites.yaml]\nlexicon: [a]\ngeneralize: {x: [y]}\n",
        words="lexicon: [b, c]\ntaxonomy: {intents: [{id: sell}]}\ngeneralize: {z: [y]}\n",
        sites="lexicon: [d]\nsites: [{intents: [sell], site: a.example}]\n",
    )
    found = load_pack(folder)
    assert found.lexicon == ("a", "b", "c", "d")
    assert [i.id for i in found.taxonomy.intents] == ["buy", "sell"]
    assert dict(found.generalize) == {"x": ("y",), "z": ("y",)}


def test_a_problem_in_an_included_file_stands_there(pack: Any):
    folder = pack(
        HEAD + "include: [words.yaml]\nlexicon: [a]\nsynonyms: [{words: [a, b]}]\n",
        words="# words\nlexicon: [b, 3]\nsynonyms:\n  - {words: [c, d]}\n  - {wrods: [e, f], words: [e, f]}\n",
    )
    with pytest.raises(PackError) as caught:
        load_pack(folder)
    assert caught.value.file == str(folder / "words.yaml")
    assert f"{folder}/words.yaml:2:14: lexicon.2: input should be a valid string (quote it: '...')" in str(caught.value)
    assert f"{folder}/words.yaml:5:6: synonyms.2.wrods: unknown key (did you mean 'words'?)" in str(caught.value)


@pytest.mark.parametrize(
    ("include", "says"),
    [
        ("[../pack.yaml]", "cannot include"),
        ("[/etc/passwd]", "cannot include"),
        ("[none.yaml]", "cannot include"),
        ("[words.txt]", "cannot include"),
        ("[pack.yaml]", "cannot include"),
        ("[3]", "cannot include"),
        ("words.yaml", "not a list"),
        ("[link.yaml]", "cannot include"),
        ("[nested.yaml]", "cannot include others"),
        ("[twice.yaml]", "name is already given"),
        ("[list.yaml]", "a pack is a mapping"),
    ],
)
def test_includes_that_are_refused(pack: Any, tmp_path: Path, include: str, says: str):
    outside = tmp_path.parent / f"{tmp_path.name}-outside.yaml"
    outside.write_text("lexicon: [a]")
    (tmp_path / "link.yaml").symlink_to(outside)
    more = {"nested": "include: [words.yaml]", "twice": "name: other", "list": "[a]", "words": ""}
    folder = pack(HEAD + f"include: {include}\n", **more)
    with pytest.raises(PackError, match=says) as caught:
        load_pack(folder)
    file, line = ("pack.yaml", 6) if says in ("cannot include", "not a list") else (include.strip("[]"), 1)
    assert (caught.value.file, caught.value.line) == (str(folder / file), line)


def test_the_include_that_is_wrong_is_told(pack: Any):
    folder = pack(HEAD + "include:\n  - words.yaml\n  - wrods.yaml\n", words="lexicon: [a]\n")
    with pytest.raises(PackError, match=rf"{folder}/pack.yaml:8:5: cannot include 'wrods.yaml'"):
        load_pack(folder)


@pytest.mark.parametrize(
    ("text", "line", "says", "hint"),
    [
        ("patterns: [{name: p, type: t, pattern: '(?=a)b'}]", 6, "patterns.0.pattern: not an RE2 pattern", "RE2"),
        ("patterns: [{name: p, type: t, pattern: '(a)\\1'}]", 6, "not an RE2 pattern", "back-references"),
        ("patterns: [{name: p, type: t, pattern: ''}]", 6, "patterns.0.pattern: an empty pattern", "remove it"),
        ("patterns: [{name: p, type: t, pattern: ' '}]", 6, "patterns.0.pattern: an empty pattern", "remove it"),
        ("patterns: [{name: p, pattern: a}]", 6, "gives a type, an intent or a condition", "add 'type:', 'intent:'"),
        ("patterns: [{name: p, pattern: a, intent: by}]", 6, "there is no intent 'by'", "did you mean 'buy'?"),
        (
            "templates:\n- {text: a, strategy: s, intents: [buy, how-too]}",
            7,
            "templates.0.intents.1: there is no",
            "how-to",
        ),
        ("templates: [{text: '{keyword}', strategy: s}]", 6, "no place {keyword}", "did you mean 'keywords'?"),
        ("templates: [{text: ' ', strategy: s}]", 6, "an empty template", "remove it"),
        ("sites: [{intents: [byu], site: a}]", 6, "sites.0.intents.0: there is no intent 'byu'", "did you mean 'buy'?"),
        ("sites: [{intents: [buy]}]", 6, "neither a site nor a file type", "add 'site:'"),
        ("examples: [{text: t, language: en, understanding: {intent: [bye]}}]", 6, "there is no intent 'bye'", "'buy'"),
        ("examples: [{text: t, language: en, understanding: {intent: bye}}]", 6, "there is no intent 'bye'", "'buy'"),
        ("synonyms: [{words: [a]}]", 6, "a set needs two words", "'of:'"),
        ("synonyms: [{words: [a, a]}]", 6, "a set needs two words", None),
        ("synonyms: [{words: [a, ' ']}]", 6, "an empty word", None),
        ("synonyms: [{of: a, words: []}]", 6, "no word replaces it", None),
        ("synonyms: [{of: a, words: [b, a]}]", 6, "cannot replace itself", None),
        ("senses: [{word: 苹果, senses: {fruit: [水果]}}]", 6, "two readings", None),
        ("prompts: {rule: x}", 6, "prompts.rule: there is no such slot", "did you mean 'role'?"),
        ("defaults: {llm: {api_base: 'http://evil'}}", 6, "defaults.llm: a pack cannot set this", "a pack may set"),
        ("defaults: {cache: {type: none}}", 6, "a pack cannot set this", None),
        ("defaults:\n  expand: {limt: 1}", 7, "expand.limt: unknown key", "did you mean 'limit'?"),
        ("defaults: {expand: {limit: 99}}", 6, "less than or equal to 20", "from 0 to 20"),
        ("cues: [{words: [a], sentiment: angri}]", 6, "cues.0.sentiment", "did you mean 'angry'?"),
        ("lexcon: [a]", 6, "lexcon: unknown key", "did you mean 'lexicon'?"),
        ("signals: [{signal: a, value: b, words: ['/(?=x)/']}]", 6, "signals.0.words.0: not an RE2", "no look-around"),
        ("signals: [{signal: a, value: b}, {signal: a, value: c}]", 6, "signals.1: it never counts", "move it up"),
        ("signals: [{signal: a, value: b, intents: [byu]}]", 6, "there is no intent 'byu'", "did you mean 'buy'?"),
        ("needs: [{needs: [a]}]", 6, "needs of no topic", "add 'when:'"),
        ("generalize: {a: {b: c}}", 6, "generalize.a", None),
    ],
)
def test_what_is_wrong_in_a_pack(pack: Any, text: str, line: int, says: str, hint: str | None):
    folder = pack(HEAD + text + "\n")
    with pytest.raises(PackError) as caught:
        load_pack(folder)
    assert (caught.value.file, caught.value.line) == (str(folder / "pack.yaml"), line)
    assert says in str(caught.value)
    assert hint is None or hint in (caught.value.hint or "")


def test_a_cue_s_pattern_is_checked_where_it_stands(pack: Any):
    folder = pack(HEAD.replace("'/where .* buy/'", "'/(?<=a)b/'"))
    with pytest.raises(PackError, match=r"taxonomy.intents.0.cues.1: not an RE2 pattern") as caught:
        load_pack(folder)
    assert (caught.value.line, caught.value.column) == (5, 35)


def test_a_bad_pattern_is_quiet_on_stderr(pack: Any, capfd: pytest.CaptureFixture[str]):
    with pytest.raises(PackError):
        load_pack(pack(HEAD + "patterns: [{name: p, type: t, pattern: '('}]\n"))
    assert capfd.readouterr().err == ""


def test_a_union_s_other_member_says_nothing(pack: Any):
    folder = pack("schema_version: 1\nname: shop\ntaxonomy:\n  name: x\n  intents:\n  - {id: 3}\n")
    with pytest.raises(PackError) as caught:
        load_pack(folder)
    assert str(caught.value).count("\n") == 0
    assert (caught.value.line, caught.value.hint) == (6, "quote it: '...'")


def test_general_intents_may_be_referred_to(pack: Any):
    assert {"factual", "how-to", "recommendation"} <= set(general_intents())
    assert load_pack(pack(HEAD + "sites: [{intents: [how-to, buy], site: a}]\n")).sites[0].intents == ("how-to", "buy")
    assert load_pack(pack("schema_version: 1\nname: x\ntaxonomy: general\nsites: [{intents: [how-to], site: a}]\n"))


def test_files_that_are_not_there(tmp_path: Path):
    with pytest.raises(PackError, match="no such file"):
        load_pack(tmp_path / "none")
    with pytest.raises(PackError, match="no data file 'qx_none:pack"):
        load_pack("qx_none:pack.yaml")
    with pytest.raises(PackError, match="no data file"):
        load_pack("qx.builtin:../settings.py")


def test_size_is_limited(pack: Any):
    with pytest.raises(PackError, match="100 bytes"):
        load_pack(pack(HEAD + "# " + "x" * 100), limit=100)


def test_a_taxonomy_of_its_own_or_inside_of_a_pack(pack: Any, tmp_path: Path):
    assert load_taxonomy(pack(HEAD)).intents[0].id == "buy"
    (tmp_path / "t.yaml").write_text("name: t\nintents: [{id: a}]\n")
    assert load_taxonomy(tmp_path / "t.yaml").name == "t"
    with pytest.raises(PackError, match="unknown key") as caught:
        load_taxonomy(pack(HEAD + "  fieldz: []\n"))
    assert caught.value.line == 6


def test_the_packs_of_a_profile(pack: Any, tmp_path: Path):
    pack(HEAD)
    plugins = Plugins.load(allow=())
    profile = Profile(domains=("./",), folder=tmp_path)
    assert [p.name for p in load_domains(profile, plugins)] == ["shop", "general"]
    with pytest.raises(NotAllowed, match="domains"):
        load_domain("../", tmp_path / "inner", plugins)
    with pytest.raises(PluginError, match="did you mean 'general'"):
        load_domain("genral", tmp_path, plugins)


def test_a_pack_that_names_its_taxonomy(pack: Any, tmp_path: Path):
    pack("schema_version: 1\nname: x\ntaxonomy: general\n")
    found = load_domain("./", tmp_path, Plugins.load(allow=()))
    assert {i.id for i in found.taxonomy.intents} == set(general_intents())
    pack("schema_version: 1\nname: x\ntaxonomy: generl\n")
    with pytest.raises(PluginError, match="did you mean 'general'"):
        load_domain("./", tmp_path, Plugins.load(allow=()))


def test_data_files_without_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "qxt_outer" / "inner").mkdir(parents=True)
    (tmp_path / "qxt_outer" / "__init__.py").write_text("raise RuntimeError\n")
    (tmp_path / "qxt_outer" / "inner" / "x.yaml").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert data_file("qxt_outer.inner:x.yaml") == tmp_path / "qxt_outer" / "inner" / "x.yaml"
    assert data_file("qxt_outer:inner/x.yaml") == tmp_path / "qxt_outer" / "inner" / "x.yaml"
    for wrong in ("qxt_outer:none.yaml", "qxt_outer:../x", "qxt_outer:/etc/passwd", "qxt_outer", ":x", "json.x:y"):
        assert data_file(wrong) is None


def test_the_general_pack_is_right_and_quick():
    load_pack("qx.builtin:general/pack.yaml")
    begun = time.process_time()
    found = load_pack("qx.builtin:general/pack.yaml")
    assert time.process_time() - begun < 1.0  # 0.1 s; the bound only catches what is out of all proportion
    assert found.name == "general"


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("sites: [{intents: [buy], site: 'https://www.zhihu.com/'}]", "sites.0.site: not a site", "www.zhihu.com"),
        ("sites: [{intents: [buy], site: 'two words'}]", "sites.0.site: not a site", "write a host"),
        ("sites: [{intents: [buy], filetype: .pdf}]", "sites.0.filetype: not the ending", "did you mean 'pdf'?"),
        (
            "patterns: [{name: a, pattern: x, type: t}, {name: a, pattern: y, type: t}]",
            "patterns.1.name: 'a' is defined twice, first in",
            "give it another name",
        ),
        (
            "senses: [{word: w, senses: {a: [b], c: [d]}}, {word: w, senses: {e: [f], g: [h]}}]",
            "senses.1.word: 'w' is defined twice",
            None,
        ),
        ("contrasts: [{name: a, words: {}}, {name: a, words: {}}]", "contrasts.1.name: 'a' is defined twice", None),
    ],
)
def test_sites_and_doubled_names(pack: Any, text: str, says: str, hint: str | None):
    with pytest.raises(PackError) as caught:
        load_pack(pack(HEAD + text))
    assert says in str(caught.value)
    assert (hint or "") in str(caught.value.hint)
    assert caught.value.line == 6


@pytest.mark.parametrize("site", ["docs.python.org/3/library", "gov.cn", ".edu", "localhost:8080", "例子.中国"])
def test_sites_that_are_right(pack: Any, site: str):
    assert load_pack(pack(HEAD + f"sites: [{{intents: [buy], site: '{site}'}}]")).sites[0].site == site


def test_one_of_two_words_may_differ_by_language(pack: Any):
    two = "senses:\n- {word: w, language: en, senses: {a: [b], c: [d]}}\n- {word: w, language: zh, senses: {a: [b], c: [d]}}"
    assert len(load_pack(pack(HEAD + two)).senses) == 2


@pytest.mark.parametrize("kind", ["intents", "entity_types", "fields"])
def test_an_id_given_twice_in_one_file(pack: Any, kind: str):
    own = "" if kind == "intents" else "  intents: [{id: a}]\n"
    text = f"schema_version: 1\nname: s\ntaxonomy:\n  name: s\n{own}  {kind}:\n  - id: x\n  - id: x\n"
    with pytest.raises(PackError) as caught:
        load_pack(pack(text))
    assert f"taxonomy.{kind}.1.id: 'x' is defined twice, first in" in str(caught.value)
    assert caught.value.line == len(text.splitlines())


def test_a_further_file_may_add_to_an_intent_but_not_define_it_again(pack: Any):
    main = "schema_version: 1\nname: s\ninclude: [more.yaml]\ntaxonomy:\n  name: s\n  intents: [{id: x, definition: {en: one}}]\n"
    load_pack(pack(main, more="taxonomy: {intents: [{id: x, cues: [a]}]}"))
    with pytest.raises(PackError, match=r"more\.yaml:1:23: .*defined twice, first in .*pack\.yaml, line 6"):
        load_pack(pack(main, more="taxonomy: {intents: [{id: x, definition: {en: two}}]}"))


def test_the_strategy_of_a_template(pack: Any, tmp_path: Path):
    text = HEAD + "templates: [{text: '{core} x', strategy: refin}]"
    plugins = Plugins.load(allow=())
    load_pack(pack(text))  # which strategies there are is the plugins' to say
    with pytest.raises(
        PackError, match=r"pack\.yaml:6:32: templates\.0\.strategy: there is no strategy 'refin' .*refine"
    ):
        load_domain("./", tmp_path, plugins)


def test_engines_of_the_same_installed_packs_share_what_is_made_of_them(tmp_path: Path):
    ours, theirs = (Profile.model_validate({"name": name, "folder": tmp_path}) for name in ("a", "b"))
    first = gather_knowledge(ours, Plugins.load(allow=()))
    second = gather_knowledge(theirs, Plugins.load(allow=()))
    assert first is second
    assert shared_rules(first, spelling=True, condense_above=400) is shared_rules(
        second, spelling=True, condense_above=400
    )
    assert shared_rules(first, spelling=False, condense_above=400) is not shared_rules(
        first, spelling=True, condense_above=400
    )


def test_what_a_tenant_brings_is_its_own_even_where_another_says_the_same(pack: Any):
    folder = pack("schema_version: 1\nname: tea\ntaxonomy: {name: tea, intents: []}\n")
    profile = Profile.model_validate({"folder": folder, "domains": ["./"]})
    worded = Profile.model_validate({"synonyms": [{"words": ["tea", "cuppa"]}]})
    for given in (profile, worded):
        first, second = (gather_knowledge(given, Plugins.load(allow=())) for _ in range(2))
        assert first is not second
        assert first.fingerprint == second.fingerprint


def test_installed_data_is_read_again_when_a_file_of_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    package = tmp_path / "qx_share_test"
    package.mkdir()
    (package / "pack.yaml").write_text(
        "schema_version: 1\nname: s\ninclude: [w.yaml]\ntaxonomy: {name: s, intents: []}\n"
    )
    (package / "w.yaml").write_text("lexicon: [one]\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = Entry(name="s", target="qx_share_test:pack.yaml", origin="test")
    first = read_entry("packs", entry)
    assert read_entry("packs", entry) is first
    (package / "w.yaml").write_text("lexicon: [one, two]\n")
    assert read_entry("packs", entry).lexicon == ("one", "two")  # type: ignore[union-attr]


def test_a_pack_for_a_newer_qx_says_so(pack):
    with pytest.raises(PackError, match=r"pack\.yaml:2:\d+: schema_version: 99 is newer .* \(install a newer qx"):
        load_pack(pack("name: x\nschema_version: 99\nnew_key: 1\ntaxonomy: general\n"))
    for wrong in ("'1'", "0"):
        with pytest.raises(PackError, match="schema_version"):
            load_pack(pack(f"name: x\nschema_version: {wrong}\ntaxonomy: general\n"))


def test_the_files_of_a_pack_are_told(pack: Any):
    folder = pack(HEAD + "include: [more.yaml]\nsynonyms: [{file: words.txt}]\n", more="lexicon: [a]\n")
    (folder / "words.txt").write_text("bike, bicycle\n")
    found = read_pack(folder)
    assert found.pack == load_pack(folder)
    assert found.files == (folder / "pack.yaml", folder / "more.yaml", folder / "words.txt")


async def test_an_engine_reads_each_file_of_its_packs_once(pack: Any, monkeypatch: pytest.MonkeyPatch):
    """A large pack takes its time to read; so does the general one, at each start of a process."""
    folder = pack(HEAD + "include: [more.yaml]\nlexicon: [b]\n", more="lexicon: [a]\n")
    (folder / "acme.yaml").write_text("domains: [./pack.yaml]\nunderstand: {mode: rules}\n")
    monkeypatch.setattr(entries, "_installed", {})
    monkeypatch.setattr(loading, "general_intents", loading.general_intents.__wrapped__)
    read: Counter[str] = Counter()
    real = yaml.Document.__init__

    def counted(self: yaml.Document, *args: Any, **options: Any) -> None:
        read[options["file"]] += 1
        real(self, *args, **options)

    places = yaml.Document.place

    def placed(self: yaml.Document, loc: Any = ()) -> yaml.Place:
        assert self.file.endswith(("acme.yaml", "default.yaml")), f"{self.file} is read again for the place of {loc}"
        return places(self, loc)

    monkeypatch.setattr(yaml.Document, "__init__", counted)
    monkeypatch.setattr(yaml.Document, "place", placed)
    async with Engine.opened(folder / "acme.yaml", plugins=Plugins.load(allow=())) as engine:
        assert engine.knowledge.lexicon[:2] == ("b", "a")
    packs = {file: times for file, times in read.items() if "general" in file or str(folder) in file}
    assert len(packs) > 10
    assert set(packs.values()) == {1}
