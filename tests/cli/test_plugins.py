"""``qx plugins info`` and ``check``: what a plugin brings, and whether it keeps the contracts."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Collection, Sequence
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from qx.backend import Document, SearchBackend
from qx.cli import main, schemas
from qx.cli.plugin_check import Checked, CheckReport, Failed, _read
from qx.in_memory import FileBackend, WritableFileBackend
from qx.options import options
from qx.testing import (
    CacheConformance,
    CountConformance,
    CountersConformance,
    FilterConformance,
    SortingConformance,
    TestServices,
)
from qx.testing.checking import _backend, _cache, _emptied, _prepared

PLUGIN = '''
"""Two strategies, of which one says nothing of its reasons; a processor with settings; one that is not there."""
from qx import Contribution, SubQuery, hookimpl
from qx.model import Model
from pydantic import Field


class Settings(Model):
    """What it is told."""

    least: int = Field(default=3, ge=0, le=9)
    """Hits that it leaves."""
    key: str
    """A word."""


class Keep:
    """Keeps everything.

    At length.
    """

    Settings = Settings

    @classmethod
    async def create(cls, settings, services):
        return cls()

    async def process_hits(self, ranking, context, /):
        return ranking

    async def aclose(self):
        pass


class Good:
    """Adds a word."""

    async def expand(self, query, understanding, context, /):
        return [SubQuery(text="word", strategy="good", why="as people say")] if query.text.strip() else []


class Mute:
    async def expand(self, query, understanding, context, /):
        return [SubQuery(text="word", strategy="mute")]


@hookimpl
def qx_steps():
    names = {"good": "Good", "mute": "Mute"}
    return [Contribution(name=name, target=f"qxt_sample:{target}") for name, target in names.items()]


@hookimpl
def qx_post_processors():
    return [Contribution(name="keep", target="qxt_sample:Keep"), Contribution(name="gone", target="qxt_sample:Gone")]
'''


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution ``qx-query-sample``, installed."""
    (tmp_path / "qxt_sample.py").write_text(PLUGIN)
    info = tmp_path / "qx_query_sample-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: qx-query-sample\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text("[qx]\nsample = qxt_sample\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delitem(sys.modules, "qxt_sample", raising=False)
    return tmp_path


def qx(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(words))
    return done.exit_code, done.output


@pytest.mark.parametrize("name", ["sample", "qx-query-sample", "QX_query.Sample"])
def test_info_tells_contributions_and_settings(sample: Path, name: str) -> None:
    code, out = qx("plugins", "info", name)
    assert code == 0
    assert textwrap.dedent(out) == textwrap.dedent("""\
        sample 1.2 (qx-query-sample)
          processor: keep (qxt_sample:Keep)
            Keeps everything.
            least: whole number, 0 to 9, default 3 (Hits that it leaves.)
            key: text, must be given (A word.)
          processor: gone
            problem: sample (qx-query-sample 1.2): 'gone' cannot be loaded from 'qxt_sample:Gone': AttributeError: module 'qxt_sample' has no attribute 'Gone'
          strategy: good (qxt_sample:Good)
            Adds a word.
          strategy: mute (qxt_sample:Mute)
    """)  # fmt: skip


def test_info_as_json(sample: Path) -> None:
    code, out = qx("plugins", "info", "sample", "--json")
    assert code == 0
    [found] = json.loads(out)
    assert found["plugin"]["version"] == "1.2"
    keep = next(one for one in found["contributions"] if one["name"] == "keep")
    assert keep["options"][0] == {
        "key": "least",
        "type": "whole number, 0 to 9",
        "default": "3",
        "meaning": "Hits that it leaves.",
    }


def test_an_unknown_name_comes_with_the_nearest(sample: Path) -> None:
    code, out = qx("plugins", "info", "smaple")
    assert code == 2
    assert "did you mean 'sample'?" in out
    assert qx("plugins", "check", "nobody")[0] == 2
    code, out = qx("plugins", "--json", "info", "sample")
    assert code == 2
    assert "--json goes after" in out


def test_the_settings_of_every_built_in_are_told() -> None:
    code, out = qx("plugins", "info", "qx", "--json")
    assert code == 0
    [found] = json.loads(out)
    assert not [one for one in found["contributions"] if one["problem"]]
    local = next(one for one in found["contributions"] if one["name"] == "local")
    assert {"path", "fields"} <= {option["key"] for option in local["options"]}
    assert "name" not in {option["key"] for option in local["options"]}


def test_defaults_are_as_a_profile_writes_them() -> None:
    from qx.builtin.web.settings import Settings
    from qx.settings import Profile

    written = {option.key: option.default for option in options(Profile)}
    assert written["deadline"] == "10s"
    assert {option.key: option for option in options(Settings)}["url"].type == "text"


REPORT = """<testsuites><testsuite>
<testcase classname="test_plugin.Test_backends__my-engine" name="test_a" />
<testcase classname="test_plugin.Test_backends__my-engine" name="test_b"><properties/></testcase>
<testcase classname="test_plugin.Test_backends__my-engine" name="test_c"><failure message="lost&#10;more">...</failure></testcase>
<testcase classname="test_plugin.Test_backends__my-engine" name="test_d"><error message="broke">...</error></testcase>
<testcase classname="test_plugin.Test_backends__my-engine" name="test_e"><skipped message="why" /></testcase>
<testcase classname="test_plugin.Test_backends__my-engine" name="test_f"><skipped message="why" /></testcase>
<testcase classname="test_plugin.Test_processors__two.TestHits" name="test_a" />
<testcase classname="" name="test_plugin"><error message="collection failure">...</error></testcase>
</testsuite></testsuites>"""


def test_what_pytest_wrote_is_read_by_contribution(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)
    found = _read(tmp_path / "report.xml", ("backends:my-engine", "processors:two", "taxonomies:three"))
    assert found[0] == Checked(
        kind="backends",
        name="my-engine",
        passed=2,
        failed=(Failed(test="test_c", reason="lost"), Failed(test="test_d", reason="broke")),
        skipped=("why",),
    )
    assert (found[1].passed, found[1].failed) == (1, ())
    assert found[2].passed == 1
    assert found[2].skipped == ("there is no suite for its kind: it was loaded, and that is all",)
    assert found[3].failed == (Failed(test="test_plugin", reason="collection failure"),)
    report = CheckReport(plugin="x", contributions=found)
    assert (report.failures, report.outcome, report.is_sound) == (3, "3 failed", False)
    idle = CheckReport(plugin="x", contributions=(found[1], Checked(kind="backends", name="b", skipped=("no engine",))))
    assert (idle.outcome, idle.is_sound) == ("not all could be run", False)
    assert CheckReport(plugin="x", contributions=found[1:3]).is_sound


def test_without_pytest_it_says_what_to_install(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    code, out = qx("plugins", "check", "sample")
    assert code == 2
    assert "pip install 'qx-query[testing]'" in out


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_check_runs_the_suites(sample: Path) -> None:
    code, out = qx("plugins", "check", "sample", "--json")
    assert code == 6
    report = json.loads(out)
    jsonschema.Draft202012Validator(schemas.schema("plugin-check")).validate(report)
    found = {one["name"]: one for one in report["contributions"]}
    assert found["good"]["failed"] == []
    assert found["good"]["passed"] > 20
    assert any("people read why" in failed["reason"] for failed in found["mute"]["failed"])
    assert found["keep"]["passed"] == 0
    assert any("key is missing" in reason for reason in found["keep"]["skipped"])
    assert any("has no attribute 'Gone'" in failed["reason"] for failed in found["gone"]["failed"])
    (sample / "p.yaml").write_text("search: {processors: [{type: keep, key: x}]}\n")
    code, out = qx("plugins", "check", "qx-query-sample", "-p", str(sample / "p.yaml"), "--json")
    found = {one["name"]: one for one in json.loads(out)["contributions"]}
    assert found["keep"]["passed"] == 7


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_is_built_in_keeps_its_own_contracts() -> None:
    code, out = qx("plugins", "check", "qx", "--json")
    assert code == 6  # some need settings or a model
    report = json.loads(out)
    assert [one for one in report["contributions"] if one["failed"]] == []
    untried = {one["name"] for one in report["contributions"] if not one["passed"]}
    assert not any("Traditional" in reason for one in report["contributions"] for reason in one["skipped"])
    assert untried <= {"openai", "cassette", "allow", "block", "filter", "web"}


def test_all_that_a_backend_says_of_its_engine_reaches_its_suite() -> None:
    suite = _backend(Titles, None)
    assert suite.by_id
    assert suite.traditional
    assert issubclass(suite, FilterConformance)
    assert issubclass(suite, SortingConformance)
    wrong = type("Wrong", (Titles,), {"conformance": {"stem": False}})
    with pytest.raises(
        pytest.fail.Exception, match=r"conformance says 'stem', which no suite knows: known are .*stems"
    ):
        _backend(wrong, None)().test_it_can_be_loaded()


def test_a_cache_that_counts_is_asked_how_too() -> None:
    plain, counting = type("Plain", (), {}), type("Counting", (), {"add": None})
    assert issubclass(_cache(plain, None), CacheConformance)
    both = _cache(counting, None)
    assert issubclass(both.Testcache, CacheConformance)
    assert issubclass(both.Testcounters, CountersConformance)
    assert not both.Testcounters.expires


def test_a_backend_that_holds_documents_is_left_alone() -> None:
    """What it holds would be deleted between two tests."""
    import asyncio

    from qx.testing import FakeBackend

    class Suite:
        fingerprint, dimensions = None, 0

    held = FakeBackend([Document(id="mine", title="kept")])
    with pytest.raises(pytest.skip.Exception, match="holds 1 documents"):
        asyncio.run(_emptied(held, Suite()))
    assert [d.id for d in held.documents] == ["mine"]


class Titles(FileBackend):
    """A title a line; somebody else writes it."""

    def read(self, path: Path) -> list[Document]:
        return [Document(id=str(n), title=line) for n, line in enumerate(path.read_text().splitlines())]


class Written(Titles, WritableFileBackend):
    def write(self, path: Path, documents: Collection[Document]) -> None:
        path.write_text("\n".join(d.title for d in documents))


@pytest.mark.parametrize(("backend", "absolute", "there", "reason"), [
    (Written, False, "made by qx", "holds 2 documents"),
    (Written, True, "made by qx", "holds 2 documents"),
    (Written, False, "somebody's", "somebody else's"),
    (Written, False, "nothing", ""),
    (Written, True, "nothing", ""),
    (Titles, False, "nothing", "there is no file"),
    (Titles, False, "somebody's", ""),
    (Titles, True, "somebody's", ""),
])  # fmt: skip
async def test_check_takes_the_index_that_the_profile_names(
    tmp_path: Path, services: TestServices, backend: type[Titles], absolute: bool, there: str, reason: str
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    index = home / "titles"
    if there != "nothing":
        index.write_text("one\ntwo")
    if there == "made by qx":
        (home / "titles.qx.json").write_text("{}")

    class Suite:
        fingerprint, dimensions, folder = None, 0, home

    opening = _prepared(backend, {"path": str(index) if absolute else "titles"}, services, Suite())
    if reason:
        with pytest.raises(pytest.skip.Exception, match=reason):
            await opening
    else:
        assert (await opening).path == index
        assert index.exists()
    assert there == "nothing" or index.read_text() == "one\ntwo"


async def test_what_only_reads_passes_over_an_empty_list_where_there_was_no_file(services: TestServices) -> None:
    class Suite(CountConformance):
        async def fill(self, backend: SearchBackend, documents: Sequence[Document]) -> None:
            assert isinstance(backend, Titles)
            backend.path.write_text("\n".join(d.title for d in documents))

    made = await Titles.create(Titles.Settings.model_validate({"name": "t", "path": "none yet"}), services)
    await Suite().test_an_empty_index_has_none(made)


FILM = """
schema_version: 1
name: film
taxonomy: general
patterns:
  - {name: frames, pattern: '(?P<value>[0-9]+) frames', field: length, op: eq, unit: frames}
"""


def test_a_pack_that_cannot_be_read_is_not_ok(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = tmp_path / "qxt_film" / "pack.yaml"
    pack.parent.mkdir()
    (pack.parent / "__init__.py").write_text("")
    pack.write_text(FILM)
    info = tmp_path / "qx_query_film-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: qx-query-film\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[qx.packs]\nfilm = qxt_film:pack.yaml\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    code, out = qx("plugins", "--json")
    assert code == 0
    found = {one["name"]: one for one in json.loads(out)}
    assert found["film"]["status"] == "failed"
    assert "frames" in found["film"]["reason"]
    assert "pack.yaml" in found["film"]["reason"]
    assert {one["status"] for name, one in found.items() if name != "film"} == {"ok"}
