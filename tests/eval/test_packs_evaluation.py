"""A pack's own evaluation set."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import PLUGINS, profile
from qx.errors import DatasetError, PackError, PluginError
from qx.eval.aligned import points
from qx.eval.packs import evaluation_files, read_set, with_pack, without_pack
from qx.eval.understanding import read_all, report
from qx.plugins import Plugins
from qx.settings import Profile

PACK = """
schema_version: 1
name: bikes
taxonomy:
  name: bikes
  intents:
    - {id: fitting, labels: {en: Fitting}, definition: {en: Whether a part fits.}, cues: [does it fit, 通用吗]}
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "bikes"
    (folder / "eval").mkdir(parents=True)
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    (folder / "eval" / "a.jsonl").write_text('{"text": "这个飞轮通用吗", "intents": ["fitting"]}\n', encoding="utf-8")
    (folder / "eval" / "b.jsonl").write_text('{"text": "sprocket, does it fit", "intents": ["fitting"]}\n')
    (folder / "eval" / "notes.txt").write_text("no rows")
    return folder


async def test_with_and_without_the_pack(pack: Path):
    files = evaluation_files(str(pack), PLUGINS)
    assert [file.name for file in files] == ["a.jsonl", "b.jsonl"]
    rows = read_set(files)
    assert [(row.file, row.line) for row in rows] == [("a.jsonl", 1), ("b.jsonl", 1)]
    having = with_pack(profile(), str(pack), own=False)
    lacking = without_pack(having, str(pack))
    assert having.domains == ("./bikes",)
    assert lacking is not None
    assert lacking.domains == ()
    scores = [
        report(name, own, await read_all(rows, own, plugins=PLUGINS)).scores.intents
        for name, own in (("with", having), ("without", lacking))
    ]
    assert [one.first if one else None for one in scores] == [1.0, 0.0]


def test_a_profile_that_names_it_keeps_its_place(pack: Path):
    own = profile(domains=("./bikes",)).model_copy(update={"folder": pack.parent})
    assert with_pack(own, str(pack), own=True) is own
    lacking = without_pack(own, str(pack))
    assert lacking is not None
    assert lacking.domains == ()


def test_the_folder_of_a_profile_that_was_named_stays(pack: Path):
    own = profile().model_copy(update={"folder": pack.parent})
    assert with_pack(own, str(pack), own=True).folder == pack.parent.resolve()


def test_an_installed_pack_comes_first(pack: Path):
    assert with_pack(profile(domains=("other",)), "medical", own=False).domains == ("medical", "other")
    assert without_pack(profile(domains=("other", "medical")), "medical").domains == ("other",)  # type: ignore[union-attr]


def test_the_general_pack_has_a_set_of_its_own_half_of_it_chinese():
    rows = read_set(evaluation_files("general", PLUGINS))
    assert len(rows) >= 40
    chinese = sum((row.wanted.language or "").startswith("zh") for row in rows)
    assert abs(chinese - len(rows) / 2) <= 1
    assert all(row.wanted.intents for row in rows)
    assert with_pack(profile(), "general", own=False).domains == ()
    assert without_pack(profile(), "general") is None


def test_what_is_not_there(pack: Path, tmp_path: Path):
    with pytest.raises(PackError, match="there is no pack"):
        evaluation_files("./nowhere", PLUGINS)
    with pytest.raises(PluginError, match="no domain pack 'medicall'"):
        evaluation_files("medicall", PLUGINS)
    for file in (pack / "eval").glob("*.jsonl"):
        file.unlink()
    with pytest.raises(DatasetError, match="has no evaluation set"):
        evaluation_files(str(pack), PLUGINS)


def test_only_some_of_its_files(pack: Path):
    assert [file.stem for file in evaluation_files(str(pack), PLUGINS, ("b",))] == ["b"]
    with pytest.raises(DatasetError, match=r"has no rows bb\.jsonl") as caught:
        evaluation_files(str(pack), PLUGINS, ("bb",))
    assert "there are a, b" in str(caught.value.hint) or "did you mean 'b'?" in str(caught.value.hint)


def test_the_set_of_a_distribution_as_it_is_written(pack: Path, tmp_path: Path):
    source = tmp_path / "source"
    (source / "qx_bikes").mkdir(parents=True)
    (pack / "pack.yaml").rename(source / "qx_bikes" / "pack.yaml")
    (pack / "eval").rename(source / "eval")
    with pytest.raises(PackError, match="there is no pack"):
        evaluation_files(str(source), PLUGINS)
    (source / "pyproject.toml").write_text("")
    assert [file.stem for file in evaluation_files(str(source), PLUGINS)] == ["a", "b"]


async def test_the_documented_figures_are_those_of_today():
    page = (Path(__file__).parents[2] / "docs" / "evaluating-understanding.md").read_text("utf-8")
    plugins = Plugins.load(allow=())
    rows = read_set(evaluation_files("general", plugins))
    made = report("general", Profile(), await read_all(rows, Profile(), plugins=plugins))
    figures = {
        "intents, macro F1": lambda s: s.intents.macro_f1,
        "first intent is right": lambda s: s.intents.first,
        "constraints, exact F1": lambda s: s.constraints.exact.f1,
        "entities, exact F1": lambda s: s.entities.exact.f1,
        "key terms kept": lambda s: s.must.share,
    }
    for name, of in figures.items():
        cells = [points(of(scores)) for scores in (made.scores, made.languages["en"], made.languages["zh"])]
        assert f"| {name} | {' | '.join(cells)} |" in page
    assert f"ECE is {made.calibration.ece:.2f}." in page
    assert f"of {len(rows)} queries" in page
