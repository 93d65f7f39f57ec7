"""Synonym files of Solr, Elasticsearch and WordNet: what they mean in qx, and where they are wrong."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx import Profile, synonym_files
from qx.domain import SynonymSet
from qx.errors import PackError, PathNotAllowed, ProfileError
from qx.gathering import gather_knowledge
from qx.packs import load_pack
from qx.plugins import Plugins
from qx.profiles import load_profile
from qx.synonym_files import expanded, read_synonyms


def read(tmp_path: Path, text: str, name: str = "words.txt") -> list[tuple[str | None, tuple[str, ...]]]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return [(one.of, one.words) for one in read_synonyms(path)]


def test_rules_of_solr(tmp_path: Path) -> None:
    text = """\
# a comment, with, commas
laptop, notebook ,笔记本电脑

  i-pod, i pod => ipod, iPod touch
sea biscuit, sea biscit => seabiscuit
a\\,b, c\\=>d
alone
丢了 => 遗失
"""
    assert read(tmp_path, text) == [
        (None, ("laptop", "notebook", "笔记本电脑")),
        ("i-pod", ("ipod", "iPod touch")),
        ("i pod", ("ipod", "iPod touch")),
        ("sea biscuit", ("seabiscuit",)),
        ("sea biscit", ("seabiscuit",)),
        (None, ("a,b", "c=>d")),
        ("丢了", ("遗失",)),
    ]


def test_a_word_does_not_replace_itself(tmp_path: Path) -> None:
    assert read(tmp_path, "tv => tv, television\nsame => same\n") == [("tv", ("television",))]


def test_a_file_of_another_systems_lines_is_the_same(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeffa, b\r\nc, d\r\n") == [(None, ("a", "b")), (None, ("c", "d"))]


def test_the_form_of_the_api_of_elasticsearch(tmp_path: Path) -> None:
    rules = [{"id": "1", "synonyms": "hello, hi"}, {"synonyms": "bye => goodbye"}]
    assert read(tmp_path, json.dumps({"synonyms_set": rules}), "set.json") == [
        (None, ("hello", "hi")),
        ("bye", ("goodbye",)),
    ]


def test_the_form_of_wordnet(tmp_path: Path) -> None:
    text = "s(1,1,'laptop',n,1,0).\ns(1,2,'notebook',n,1,0).\ns(2,1,'o''clock',r,1,0).\ns(2,2,'sharp',r,1,0).\ns(3,1,'lone',n,1,0).\n"
    assert read(tmp_path, text, "wn_s.pl") == [(None, ("laptop", "notebook")), (None, ("o'clock", "sharp"))]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a, b\n, => c\n", r"words.txt:2: a side of the => holds no word"),
        ("a => b => c\n", r"words.txt:1: a rule has one =>"),
        ("a, b\n电脑，计算机\n", r"words.txt:2: one word, with a comma of Chinese"),
        ("s(1,1,'a',n,1,0).\nnonsense\n", r"words.txt:2: not a line of WordNet"),
        ('{"synonyms_set": [{"synonyms": "a, b"}, {"words": "c"}]}', r"words.txt: rule 2 has no text"),
        ('{"synonyms_set": [{"synonyms": "a =>"}]}', r"words.txt: rule 1: a side of the =>"),
        ('{"rules": []}', r"no list under synonyms_set"),
        ('{"synonyms_set": \n[}', r"words.txt:2: not JSON"),
    ],
)
def test_what_is_no_rule_is_told_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(PackError, match=said):
        read(tmp_path, text)


def test_a_file_that_is_not_utf_8_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("a, b\n电脑, 计算机\n".encode("gbk"))
    with pytest.raises(PackError, match=r"words.txt:2: this is not UTF-8"):
        read_synonyms(path)
    with pytest.raises(ProfileError, match="cannot be read"):
        read_synonyms(tmp_path)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8), min_size=2, max_size=5))
def test_what_is_escaped_comes_back(words: list[str]) -> None:
    import tempfile

    def escaped(word: str) -> str:
        return "".join("\\" + c if c in ",\\=#>sS{" else c for c in word)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words.txt"
        path.write_text("x0, x1\n" + ", ".join(map(escaped, words)) + "\n", encoding="utf-8")
        unique = tuple(dict.fromkeys(words))
        assert [one.words for one in read_synonyms(path)][1:] == ([unique] if len(unique) > 1 else [])


def test_a_profile_and_a_pack_name_files_beside_words(tmp_path: Path) -> None:
    (tmp_path / "es.txt").write_text("buggy => stroller\n")
    (tmp_path / "bikes").mkdir()
    (tmp_path / "bikes" / "words.txt").write_text("saddle, seat\n")
    (tmp_path / "bikes" / "pack.yaml").write_text(
        "schema_version: 1\nname: bikes\ntaxonomy: general\nsynonyms: [{file: words.txt}, {words: [rim, felloe]}]\n"
    )
    path = tmp_path / "shop.yaml"
    path.write_text("domains: [./bikes]\nsynonyms: [{words: [anorak, parka]}, {file: es.txt, language: en}]\n")
    plugins = Plugins.load(allow=())
    known = gather_knowledge(load_profile(path, plugins=plugins, env={}), plugins).synonyms
    assert known["buggy"] == (("stroller", "profile"),)
    assert known["anorak"] == (("parka", "profile"),)
    assert known["saddle"] == (("seat", "bikes"),)
    assert known["rim"] == (("felloe", "bikes"),)


def test_a_path_starts_at_the_file_that_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "profiles" / "acme").mkdir(parents=True)
    (tmp_path / "profiles" / "words.txt").write_text("saddle, seat\n")
    (tmp_path / "profiles" / "base.yaml").write_text("synonyms: [{file: words.txt}]\n")
    path = tmp_path / "profiles" / "acme" / "eu.yaml"
    path.write_text("extends: ../base.yaml\n")
    plugins = Plugins.load(allow=())
    assert "saddle" in gather_knowledge(load_profile(path, plugins=plugins), plugins).synonyms


@pytest.mark.parametrize(
    ("entry", "said", "kind"),
    [
        ("{file: nowhere.txt}", r":2:\d+: synonyms.0.file: there is no file 'nowhere.txt'", ProfileError),
        ("{file: ../secret.txt}", r":2:\d+: synonyms.0.file: .*leads out", PathNotAllowed),
        ("{file: es.txt, words: [a, b]}", r":2:\d+: synonyms.0.file: a file brings its own words", ProfileError),
        ("{words: [a]}", r"a set needs two words", ProfileError),
    ],
)
def test_a_wrong_entry_is_told_with_its_place(entry: str, said: str, kind: type[ProfileError], tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("a, b\n")
    (tmp_path / "shop").mkdir()
    path = tmp_path / "shop" / "shop.yaml"
    path.write_text(f"synonyms:\n  - {entry}\n")
    with pytest.raises(kind, match=said):
        load_profile(path, env={})


def test_a_pack_does_not_read_files_of_others(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("a, b\n")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "pack.yaml").write_text(
        "schema_version: 1\nname: bikes\ntaxonomy: general\nsynonyms:\n  - words: [a, b]\n  - file: ../secret.txt\n"
    )
    said = r"pack\.yaml:6:\d+: synonyms\.1\.file: .*leads out"
    with pytest.raises(PathNotAllowed, match=said):
        load_pack(tmp_path / "pack")
    with pytest.raises(PathNotAllowed, match=said):
        gather_knowledge(Profile(domains=("./pack",), folder=tmp_path), Plugins.load(allow=()))


def test_a_file_that_a_pack_lacks_is_told_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(
        "schema_version: 1\nname: bikes\ntaxonomy: general\nsynonyms:\n  - words: [a, b]\n  - file: wrods.txt\n"
    )
    with pytest.raises(PackError, match=r"pack\.yaml:6:5: synonyms\.1\.file: there is no file 'wrods\.txt'"):
        load_pack(tmp_path)


def test_what_an_edit_of_the_file_changes_is_in_the_fingerprint(tmp_path: Path) -> None:
    plugins = Plugins.load(allow=())
    made = Profile(synonyms=(SynonymSet(file="words.txt"),), folder=tmp_path)
    prints = set[str]()
    for text in ("a, b\n", "a, c\n"):
        (tmp_path / "words.txt").write_text(text)
        prints.add(gather_knowledge(made, plugins).fingerprint)
    assert len(prints) == 2


def test_sets_without_files_stay_what_they_are() -> None:
    sets = (SynonymSet(words=("a", "b")),)
    assert expanded(sets, Path("nowhere")) is not None
    assert expanded(sets, Path("nowhere")) == sets


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tv, television\n" + ", ".join(f"w{n}" for n in range(201)), r"words\.txt:2: 201 words in one rule"),
        (", ".join(f"w{n}" for n in range(201)) + " => a", r"words\.txt:1: 201 words in one rule"),
        ("a => " + ", ".join(f"w{n}" for n in range(201)), r"words\.txt:1: 201 words in one rule"),
        ("tv, television\n\nphone, " + "长" * 201, r"words\.txt:3: a word of 201 letters"),
        ("phone, " + "x" * 200_000, r"words\.txt:1: a word of 200,000 letters"),
        ("p\0r, am", r"words\.txt:1: .*control character"),
        ("tv, a\x1bb", r"words\.txt:1: .*control character"),
        ("[" * 100_000, r"words\.txt:1: a list, and no form of synonyms"),
        ('["tv", "television"]', r"words\.txt:1: a list, and no form of synonyms"),
        ('{"a":' * 100_000, "not JSON"),
        ('{"synonyms_set": [{"synonyms": "a, %s"}]}' % ("x" * 201), "rule 1: a word of 201 letters"),
        (
            "\n".join(f"s(100000001,{n},'w{n}',n,1,0)." for n in range(1, 202)),
            r"words\.txt:1: 201 words in one rule",
        ),
        ("s(100000002,1,'a',n,1,0).\ns(100000001,1,'%s',n,1,0)." % ("x" * 201), r"words\.txt:2: a word of 201"),
    ],
    ids=lambda item: item[:30] if "\\" in item or " " in item[:20] else "text",
)
def test_what_would_take_the_memory_of_a_process_is_refused_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(PackError, match=said):
        read(tmp_path, text)


def test_as_many_words_as_a_rule_may_have(tmp_path: Path) -> None:
    words = (*(f"w{n}" for n in range(199)), "x" * 200)
    assert read(tmp_path, ", ".join(words)) == [(None, words)]


def test_a_rule_of_solr_may_begin_with_a_bracket(tmp_path: Path) -> None:
    assert read(tmp_path, "\\[c], c\n") == [(None, ("[c]", "c"))]


def test_all_rules_of_a_file_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qx.synonym_files.MOST_PAIRS", 8)
    assert len(read(tmp_path, "a, b, c\nd, e")) == 2
    with pytest.raises(PackError, match=r"words\.txt:3: more than 8 replacements"):
        read(tmp_path, "a, b, c\nd, e\nf => g\n")
    (tmp_path / "a.txt").write_text("a, b, c")
    (tmp_path / "b.txt").write_text("d, e, f")
    with pytest.raises(ProfileError, match=r"b\.txt: .*more than 8 replacements in all"):
        expanded([SynonymSet(file="a.txt"), SynonymSet(file="b.txt")], tmp_path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([f"w{n}" for n in range(201)], "201 words in one set"),
        (["tv", "长" * 201], "a word of 201 letters"),
        (["tv", "a\0b"], "control character"),
    ],
    ids=["many", "long", "nul"],
)
@pytest.mark.parametrize("of", ["", "of: screen, "])
def test_inline_sets_have_the_same_limits(words: list[str], said: str, of: str, tmp_path: Path) -> None:
    lines = f"synonyms:\n- {{words: [a, b]}}\n- {{{of}words: {json.dumps(words)}}}\n"
    (tmp_path / "acme.yaml").write_text(lines, encoding="utf-8")
    with pytest.raises(ProfileError, match=said) as caught:
        load_profile(tmp_path / "acme.yaml")
    assert caught.value.line == 3
    (tmp_path / "pack.yaml").write_text("schema_version: 1\nname: p\ntaxonomy: general\n" + lines, encoding="utf-8")
    with pytest.raises(PackError, match=said) as caught:
        load_pack(tmp_path)
    assert caught.value.line == 6


def test_inline_sets_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qx.synonym_files.MOST_PAIRS", 8)
    (tmp_path / "acme.yaml").write_text("synonyms:\n- {words: [a, b, c]}\n- {words: [d, e]}\n- {of: f, words: [g]}\n")
    with pytest.raises(ProfileError, match="more than 8 replacements") as caught:
        load_profile(tmp_path / "acme.yaml")
    assert caught.value.line == 4


def test_the_word_that_is_replaced_has_them_too(tmp_path: Path) -> None:
    (tmp_path / "acme.yaml").write_text(f"synonyms:\n- {{of: {'x' * 201}, words: [a]}}\n")
    with pytest.raises(ProfileError, match=r"synonyms\.0\.of: a word of 201 letters"):
        load_profile(tmp_path / "acme.yaml")


@pytest.mark.parametrize("mark", [", ", "\\, ", " => "])
def test_a_line_of_a_hundred_thousand_words_is_refused_at_once(mark: str, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text(mark.join(f"word{n}" for n in range(100_000)), encoding="utf-8")
    start = time.process_time()
    with pytest.raises(PackError, match=r"words in one rule|a word of|one =>"):
        read_synonyms(path)
    assert time.process_time() - start < 3  # 18 s when each letter was looked at alone, and the line copied


WORDS = st.text(alphabet="ab 中,=>\\", min_size=1, max_size=12).filter(str.strip)


@given(st.lists(WORDS, min_size=2, max_size=5))
@settings(max_examples=50, deadline=None)
def test_a_line_without_a_backslash_is_read_like_one_with(words: list[str]) -> None:
    """Lines in which nothing is escaped take a shorter way."""
    plain = [word.replace("\\", "").replace(",", "").replace("=>", "") for word in words]
    line, escaped = (", ".join(said) for said in (plain, [re.sub(r"(\S)", r"\\\1", word, count=1) for word in plain]))
    assert synonym_files._words(line) == synonym_files._words(escaped)
    assert synonym_files._split(line, ",") == re.split(",", line)
