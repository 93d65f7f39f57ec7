"""What is said of a pack that opens and says something in vain: each warning with the file and the line of it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engines import profile
from qx import Engine, Profile
from qx.packs import BY_RULES, lint_domains, load_pack
from qx.plugins import Plugins
from qx.profiles import load
from qx.rules import names
from qx.text import identifiers

HEAD = "schema_version: 1\nname: shop\ntaxonomy:\n  name: shop\n  intents: [{id: buy, cues: [buy]}]\n"
KEPT = "never replaced: identifiers, model numbers and versions stay as they are"


@pytest.fixture
def pack(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        (tmp_path / "pack.yaml").write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
        return tmp_path

    return write


def named(folder: Path, *domains: str) -> Profile:
    return profile(domains=domains).model_copy(update={"folder": folder})


def warnings(folder: Path, text: str) -> list[str]:
    """What ``qx profile check`` warns of in a profile, without its folder."""
    file = folder / "own.yaml"
    file.write_text(text, encoding="utf-8")
    plugins = Plugins.load(allow=())
    loaded = load(file, plugins=plugins)
    told = lint_domains(loaded.profile, plugins, loaded.packs, locate=loaded.layers.place)
    return [one.replace(f"{folder}/", "") for one in told]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("#\n  entity_types: [{id: a, broader: prodct}]", "entity_types.0.broader: no pack has a type 'prodct' (did you mean 'product'?)"),
        ("#\n  entity_types: [{id: a, takes: [b]}]", "entity_types.0.takes: no pack has a type 'b'"),
        ("templates: [{text: '{core} x', strategy: refine, when: ['@nope', 'x + @moon']}]", "templates.0.when: no pack has a type 'nope'"),
        ("templates: [{text: '{core} x', strategy: refine, unless: ['x + @moon']}]", "templates.0.unless: no pack has a type 'moon'"),
        ("sites: [{site: a.example, intents: [buy], when: ['@moon']}]", "sites.0.when: no pack has a type 'moon'"),
        ("needs: [{when: ['@moon'], needs: [x]}]", "needs.0.when: no pack has a type 'moon'"),
    ],
)  # fmt: skip
def test_a_type_that_nobody_finds_is_warned_of(pack: Any, more: str, says: str):
    folder = pack(more + "\n")
    told = lint_domains(named(folder.parent, f"./{folder.name}"), Plugins.load(allow=()))
    assert [one for one in told if says in one], told


def test_an_intent_that_is_taken_and_that_nobody_has_is_warned_of(tmp_path: Path):
    text = "schema_version: 1\nname: p\ntaxonomy:\n  name: p\n  intents:\n  - {id: buy, definition: {en: to get a thing}, when: ['@moon'], takes: [explore]}\n"
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "pack.yaml").write_text(text)
    told = lint_domains(named(tmp_path, "./p"), Plugins.load(allow=()))
    file = tmp_path / "p" / "pack.yaml"
    assert told == (
        f"{file}:6:49: taxonomy.intents.0.when: no pack has a type 'moon': nothing of it is ever read",
        f"{file}:6:66: taxonomy.intents.0.takes: no pack has an intent 'explore' (did you mean 'exploration'?): nothing of it is ever read",
    )


@pytest.mark.parametrize(
    "type", ["product", "identifier", "doi", "quote", "thing", "version", "error-code", "platform"]
)
def test_types_that_rules_find_are_known(pack: Any, type: str):
    folder = pack(f"needs: [{{when: ['@bare', '@{type}'], needs: [x]}}]\n")
    told = lint_domains(named(folder.parent, f"./{folder.name}"), Plugins.load(allow=()))
    assert not [one for one in told if "no pack has" in one]


@pytest.mark.parametrize(
    ("sets", "told"),
    [
        ("{of: RX100M7, words: [黑卡七]}", "'RX100M7'"),
        ("{of: Windows 11, words: [win]}", "'Windows 11'"),
        ("{words: [PS5, PlayStation 5]}", "'PS5', 'PlayStation 5'"),
        ("{words: [RTX4090, 卡皇]}", None),  # who says 卡皇 is searched RTX4090
        ("{of: 5G, words: [第五代]}", None),
        ("{of: laptop, words: [PS5]}", None),
    ],
)
async def test_a_set_for_words_that_are_never_replaced_is_warned_of(pack: Any, sets: str, told: str | None):
    folder, plugins = pack(f"synonyms: [{sets}]\n"), Plugins.load(allow=())
    chosen = named(folder.parent, f"./{folder.name}")
    own = chosen.model_copy(update={"domains": (), "synonyms": load_pack(folder).synonyms})
    are = "are" if ", " in (told or "") else "is"
    said = f"synonyms: {told} {are} never replaced: identifiers, model numbers and versions stay as they are"
    for profile_, where in ((chosen, f"{folder / 'pack.yaml'}:6:12: "), (own, "")):
        found = [one for one in lint_domains(profile_, plugins) if "never replaced" in one]
        assert found == ([] if told is None else [where + said])
    async with Engine.opened(own, plugins=plugins) as engine:  # and so it is
        [synonyms] = load_pack(folder).synonyms
        word = synonyms.of or synonyms.words[0]
        texts = [query.text for query in (await engine.expand(f"{word} 配件")).queries]
    assert told is None or all(word in text for text in texts)


def test_a_set_in_a_file_is_told_by_that_file_and_its_line(pack: Any):
    folder = pack("synonyms:\n- words: [bike, bicycle]\n- {file: words.txt, language: en}\n- {of: PS5, words: [p]}\n")
    (folder / "words.txt").write_text("# consoles\ntv, telly\nalone\nPS4, PlayStation 4\n", encoding="utf-8")
    told = lint_domains(named(folder.parent, f"./{folder.name}"), Plugins.load(allow=()))
    assert [one for one in told if "never" in one] == [
        f"{folder / 'words.txt'}:4: synonyms: 'PS4', 'PlayStation 4' are {KEPT}",
        f"{folder / 'pack.yaml'}:9:3: synonyms: 'PS5' is {KEPT}",
    ]


def test_an_included_file_is_told(pack: Any):
    folder = pack("include: [more.yaml]\nsynonyms:\n- words: [bike, bicycle]\n")
    (folder / "more.yaml").write_text(
        "synonyms:\n\n- {of: PS5, words: [p]}\nsites:\n- {intents: [buy], site: a.example, when: ['@nope']}\n"
    )
    told = lint_domains(named(folder.parent, f"./{folder.name}"), Plugins.load(allow=()))
    assert [one.split(": ")[0] for one in told if "PS5" in one or "nope" in one] == [
        f"{folder / 'more.yaml'}:5:37",
        f"{folder / 'more.yaml'}:3:3",
    ]


def test_a_profile_s_own_sets_and_files_are_told(tmp_path: Path):
    (tmp_path / "own.txt").write_text("laptop, notebook\nPS5 => 五代主机\n", encoding="utf-8")
    (tmp_path / "api.json").write_text('{"synonyms_set": [{"synonyms": "PS3, PS2"}]}', encoding="utf-8")
    told = warnings(tmp_path, "synonyms:\n- {file: own.txt}\n- {of: RX100M7, words: [黑卡七]}\n- {file: api.json}\n")
    assert told == [
        f"own.txt:2: synonyms: 'PS5' is {KEPT}",
        f"own.yaml:3:3: synonyms: 'RX100M7' is {KEPT}",
        f"api.json: synonyms: 'PS3', 'PS2' are {KEPT}",
    ]


def test_sets_of_a_profile_that_it_extends_are_told_where_they_are_written(tmp_path: Path):
    below = tmp_path / "below.yaml"
    below.write_text("synonyms:\n- {of: PS5, words: [五代]}\n", encoding="utf-8")
    assert warnings(tmp_path, "extends: below\n") == [f"below.yaml:2:3: synonyms: 'PS5' is {KEPT}"]


def test_of_many_sets_in_vain_some_are_told_and_the_rest_is_counted(pack: Any):
    folder = pack("synonyms: [{file: many.txt}]\n")
    plain = "".join(f"word{'a' * (at % 7)}{chr(97 + at % 26)}x, other\n" for at in range(3_000))
    (folder / "many.txt").write_text(plain + "".join(f"PS{at}1, PlayStation {at}1\n" for at in range(9)))
    told = [
        one for one in lint_domains(named(folder.parent, f"./{folder.name}"), Plugins.load(allow=())) if "never" in one
    ]
    assert [re.sub(r".*many\.txt:(\d+): synonyms: ", r"\1 ", one) for one in told[-2:]] == [
        f"3005 'PS41', 'PlayStation 41' are {KEPT}",
        "3006 'PS51' is never replaced either, nor are 3 sets more",
    ]
    assert len(told) == 6


def test_warnings_of_intents_have_their_line(pack: Any):
    folder = pack("""\
        examples:
        - {text: how to reset it, language: en, understanding: {intent: [buy]}}
        """)
    (folder / "pack.yaml").write_text(
        "schema_version: 1\nname: shop\ninclude: [more.yaml]\ntaxonomy:\n  name: shop\n  intents:\n"
        "  - {id: buy, definition: {en: get a thing}}\n",
    )
    (folder / "more.yaml").write_text(
        "taxonomy:\n  intents:\n  - {id: buy, cues: [get]}\n  - id: sell\n    cues: [get]\n  - {id: Lend}\n",
        encoding="utf-8",
    )
    told = lint_domains(named(folder.parent, f"./{folder.name}"), Plugins.load(allow=()))
    assert {one.removeprefix(f"{folder}/") for one in told} >= {
        "more.yaml:5:5: cue 'get' belongs to both 'buy' and 'sell'",
        "more.yaml:4:5: intent 'sell' has no definition",
        "more.yaml:6:6: intent 'Lend': an id is kebab-case such as 'how-to'",
    }


def test_an_installed_pack_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    package, about = tmp_path / "qxt_moons", tmp_path / "qxt_moons-1.0.dist-info"
    package.mkdir()
    about.mkdir()
    (package / "pack.yaml").write_text(HEAD + "synonyms: [{of: PS5, words: [p]}]\n")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: qxt-moons\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[qx.packs]\nmoons = qxt_moons:pack.yaml\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    told = lint_domains(profile(domains=("moons",)), Plugins.load(allow=["qxt-moons"]))
    assert [one for one in told if "PS5" in one] == [f"pack shop: synonyms: 'PS5' is {KEPT}"]


def test_the_types_that_rules_find_are_those_that_the_rules_have():
    """What finds identifiers names their types itself, what reads quotes and things does so in ``qx.rules``."""
    found = {names._PLAIN.get(kind, kind) for kind, _, _ in identifiers._PATTERNS}
    folder = Path(names.__file__).parent
    source = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.py")))
    found |= set(re.findall(r'\btype="([a-z-]+)"', source))
    found |= set(re.findall(r'kind = "([a-z]+)" if phrase\.kind == "[a-z]+" else "quote"', source)) | {"quote"}
    found |= set(re.findall(r'^TYPE = "([a-z]+)"$', source, re.MULTILINE))
    assert found == BY_RULES
