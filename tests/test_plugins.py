import logging
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from qx.errors import PluginError
from qx.plugins import KINDS, PluginInfo, Plugins

HEAD = "import qx.hookspecs as q\nfrom qx.hookspecs import Contribution, hookimpl\n"


def hook(name: str, *contributions: tuple[str, str], arguments: str = "") -> str:
    listed = ", ".join(f"Contribution(name={n!r}, target={t!r})" for n, t in contributions)
    return f"@hookimpl\ndef {name}({arguments}):\n    return [{listed}]\n"


class Site:
    """A folder on ``sys.path`` with tiny distributions."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        monkeypatch.syspath_prepend(str(folder))

    def add(self, name: str, code: str | None = None, *, version: str = "1.0", points: str | None = None) -> None:
        module = "qxt_" + name.replace("-", "_")
        if code is not None:
            (self.folder / f"{module}.py").write_text(HEAD + code, encoding="utf-8")
        self._monkeypatch.delitem(sys.modules, module, raising=False)
        info = self.folder / f"qx_query_{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: qx-query-{name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(points or f"[qx]\n{name} = {module}\n", encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    for name in ("QX_PLUGINS", "QX_DISABLE", "QX_STRICT"):
        monkeypatch.delenv(name, raising=False)
    return Site(tmp_path, monkeypatch)


def info(plugins: Plugins, name: str) -> PluginInfo:
    return next(one for one in plugins.report() if one.name == name)


def test_a_plugin_brings_what_its_hooks_list(site: Site):
    site.add("good", hook("qx_caches", ("tape", "qxt_good:Tape")) + "class Tape:\n    create = print\n", version="2.3")
    plugins = Plugins.load(allow=["good"])
    found = info(plugins, "good")
    assert found == PluginInfo(
        name="good", version="2.3", origin="qx-query-good", status="ok", contributions=("caches:tape",)
    )
    assert "tape" in plugins.registry("caches").names()
    assert plugins.registry("caches").get("tape").__name__ == "Tape"
    assert plugins.registry("caches").origin("tape") == "good (qx-query-good 2.3)"


def test_targets_are_imported_on_first_use(site: Site):
    (site.folder / "qxt_heavy_part.py").write_text("class Heavy: pass\n")
    site.add("heavy", hook("qx_caches", ("heavy", "qxt_heavy_part:Heavy")))
    plugins = Plugins.load()
    assert "qxt_heavy_part" not in sys.modules
    assert plugins.registry("caches").get("heavy") is plugins.registry("caches").get("heavy")
    assert "qxt_heavy_part" in sys.modules


def test_the_built_ins_are_plugins_too():
    plugins = Plugins.load(allow=())
    assert [one.origin for one in plugins.report() if one.status == "ok"] == ["built in"]
    assert {"openai", "cassette"} <= set(plugins.registry("llm_providers").names())
    assert plugins.registry("caches").origin("memory") == "built in"
    for kind in KINDS.values():
        plugins.registry(kind)
    with pytest.raises(PluginError, match="did you mean 'caches'"):
        plugins.registry("cache")


BROKEN = {
    "raises": ("raise RuntimeError('boom at import')\n", "RuntimeError: boom at import"),
    "exits": ("import sys\nsys.exit('bye')\n", "SystemExit: bye"),
    "syntax": ("def :\n", "SyntaxError"),
    "missing": (None, "ModuleNotFoundError"),
    "in-hook": ("@hookimpl\ndef qx_caches():\n    raise ValueError('boom in hook')\n", "ValueError: boom in hook"),
    "exit-hook": ("@hookimpl\ndef qx_caches():\n    raise SystemExit(3)\n", "SystemExit: 3"),
    "argument": (hook("qx_caches", arguments="colour"), "colour"),
    "no-list": ("@hookimpl\ndef qx_caches():\n    return 7\n", "list of Contribution"),
    "no-text": ("@hookimpl\ndef qx_caches():\n    return [Contribution(name=1, target='x:y')]\n", "are text"),
    "strings": ("@hookimpl\ndef qx_caches():\n    return ['memory']\n", "Contribution(name"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plugin_is_listed_and_takes_no_other_along(site: Site, name: str):
    code, says = BROKEN[name]
    site.add(name, code)
    site.add("good", hook("qx_caches", ("tape", "json:dumps")))
    plugins = Plugins.load()
    found = info(plugins, name)
    assert found.status == "failed"
    assert says in found.reason
    assert info(plugins, "good").status == "ok"
    assert "tape" in plugins.registry("caches")
    with pytest.raises(PluginError) as caught:
        plugins.registry("caches").get(name)
    assert says in str(caught.value)
    assert caught.value.__cause__ is not None


def test_a_persons_interrupt_is_no_failure_of_a_plugin(site: Site):
    site.add("slow", "import signal\nsignal.raise_signal(signal.SIGINT)\n")
    with pytest.raises(KeyboardInterrupt):
        Plugins.load(allow=["slow"])


ODD = "class Odd(BaseException):\n    def __str__(self):\n        raise RuntimeError('worse')\n"


@pytest.mark.parametrize(
    ("raises", "said"),
    [
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise SystemExit('bye')", "SystemExit: bye"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("raise Odd()", "Odd"),
        ("import asyncio; raise asyncio.CancelledError", "CancelledError"),
        ("raise MemoryError", "MemoryError"),
        ("deep = lambda: deep(); deep()", "RecursionError"),
    ],
)
@pytest.mark.parametrize("where", ["import", "hook", "attribute", "target"])
def test_whatever_a_plugin_raises_is_its_own_failure(site: Site, raises: str, said: str, where: str):
    good = hook("qx_caches", ("tape", "qxt_bad:Tape"))
    code = {
        "import": f"{ODD}{raises}\n",
        "hook": f"{ODD}@hookimpl\ndef qx_caches():\n    {raises}\n",
        "attribute": f"{ODD}def __dir__():\n    {raises}\n",
        "target": f"{good}{ODD}def __getattr__(name):\n    if name != 'Tape':\n        raise AttributeError(name)\n    {raises}\n",
    }[where]
    site.add("bad", code)
    site.add("good", hook("qx_caches", ("reel", "qxt_good:Reel")))
    plugins = Plugins.load(allow=["bad", "good"])
    assert "reel" in plugins.registry("caches")
    if where == "target":
        with pytest.raises(PluginError, match="bad"):
            plugins.registry("caches").get("tape")
    else:
        assert info(plugins, "bad").status == "failed"
        assert said.partition(":")[0] in info(plugins, "bad").reason


def test_one_hook_that_raises_leaves_the_plugin_s_others(site: Site):
    code = hook("qx_caches", ("half", "json:dumps")) + "@hookimpl\ndef qx_observers():\n    raise ValueError('no')\n"
    site.add("half", code)
    plugins = Plugins.load()
    assert info(plugins, "half").status == "failed"
    assert plugins.registry("caches").get("half")
    with pytest.raises(PluginError, match="qx_observers raises: ValueError: no"):
        plugins.registry("observers").get("half")


def test_a_target_that_does_not_import_raises_when_selected(site: Site):
    targets = [("a", "qxt_none:X"), ("b", "json:nothing"), ("c", "no target"), ("d", "qxt_bye:X")]
    (site.folder / "qxt_bye.py").write_text("raise SystemExit\n")
    site.add("targets", hook("qx_caches", *targets))
    caches = Plugins.load().registry("caches")
    for name, _ in targets:
        with pytest.raises(PluginError, match="qx-query-targets") as caught:
            caches.get(name)
        assert caught.value.plugin == name


def test_names_of_the_built_ins_are_reserved(site: Site):
    site.add("grab", hook("qx_llm_providers", ("openai", "json:dumps"), ("mine", "json:loads")))
    plugins = Plugins.load()
    assert info(plugins, "grab").status == "clash"
    assert "'openai' is reserved" in info(plugins, "grab").reason
    assert plugins.registry("llm_providers").origin("openai") == "built in"
    assert plugins.registry("llm_providers").get("mine")


def test_commands_of_qx_are_reserved(site: Site):
    site.add("cmd", hook("qx_commands", ("expand", "json:dumps"), ("polish", "json:dumps")))
    plugins = Plugins.load()
    assert "polish" in plugins.registry("commands")
    assert "expand" not in plugins.registry("commands")
    assert info(plugins, "cmd").status == "clash"
    with pytest.raises(PluginError, match="reserved"):
        plugins.registry("commands").get("expand")


@pytest.mark.parametrize(
    ("hook_name", "name"),
    [
        ("qx_operations", "expand"),
        ("qx_operations", "search.deep"),
        ("qx_commands", "eval.more"),
        ("qx_profile_sections", "llm"),
    ],
)
def test_so_are_names_of_operations_and_sections(site: Site, hook_name: str, name: str):
    site.add("grab", hook(hook_name, (name, "json:dumps"), ("mine", "json:loads")))
    plugins = Plugins.load()
    assert "mine" in plugins.registry(KINDS[hook_name])
    assert name not in plugins.registry(KINDS[hook_name])
    assert f"{name!r} is reserved for qx itself" in info(plugins, "grab").reason


@pytest.mark.parametrize(
    ("hook_name", "name"),
    [("qx_commands", "answer"), ("qx_operations", "chat.search"), ("qx_profile_sections", "chat")],
)
def test_names_of_qx_s_own_plugins_are_theirs_alone(site: Site, hook_name: str, name: str):
    """Whoever else claims one does not take it from its owner either."""
    owner = "answer" if name == "answer" else "chatlog"
    site.add("impostor", hook(hook_name, (name, "json:dumps")))
    plugins = Plugins.load(allow=["impostor"])
    assert name not in plugins.registry(KINDS[hook_name])
    assert info(plugins, "impostor").status == "clash"
    site.add(owner, hook(hook_name, (name, "json:loads")))
    plugins = Plugins.load(allow=["impostor", owner])
    assert info(plugins, owner).status == "ok"
    assert plugins.registry(KINDS[hook_name]).target(name) == "json:loads"


@pytest.mark.parametrize(
    ("hook_name", "name"),
    [("qx_operations", "Search"), ("qx_operations", "a.b.c"), ("qx_operations", "a b"), ("qx_operations", "-x"),
     ("qx_commands", ".x"), ("qx_profile_sections", "Chat"), ("qx_profile_sections", "a.b")],
)  # fmt: skip
def test_names_that_nobody_could_type(site: Site, hook_name: str, name: str):
    site.add("odd", hook(hook_name, (name, "json:dumps")))
    assert info(Plugins.load(), "odd").status == "failed"
    assert "its name is" in info(Plugins.load(), "odd").reason


def test_a_contribution_may_say_what_it_is(site: Site):
    site.add(
        "good",
        "@hookimpl\ndef qx_operations():\n    return [Contribution(name='tidy', target='x:y', help='Tidy up.')]\n",
    )
    assert Plugins.load().registry("operations").help("tidy") == "Tidy up."
    assert Plugins.load().registry("caches").help("memory") == ""


def test_two_plugins_with_one_name_clash(site: Site):
    site.add("one", hook("qx_caches", ("tape", "json:dumps")))
    site.add("two", hook("qx_caches", ("tape", "json:loads"), ("reel", "json:loads")))
    plugins = Plugins.load()
    assert [info(plugins, n).status for n in ("one", "two")] == ["clash", "clash"]
    assert "two (qx-query-two 1.0)" in info(plugins, "one").reason
    with pytest.raises(PluginError, match=r"one \(.*both claim it.*QX_DISABLE"):
        plugins.registry("caches").get("tape")
    assert plugins.registry("caches").get("reel")
    assert Plugins.load(block=["two"]).registry("caches").get("tape")


def test_unknown_hooks_are_told_in_the_report_and_not_at_every_start(site: Site, caplog: pytest.LogCaptureFixture):
    code = hook("qx_cashes", ("x", "json:dumps")) + hook("qx_caches", ("tape", "json:dumps"))
    site.add("typo", code)
    site.add("bare", hook("qx_observers", ("x", "json:dumps")).replace("@hookimpl\n", ""))
    with caplog.at_level(logging.INFO, "qx"):
        plugins = Plugins.load()
    assert "there is no hook qx_cashes (did you mean 'qx_caches'?)" in caplog.text
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert info(plugins, "typo").status == "ok"
    with pytest.raises(PluginError, match="qx_cashes"):
        Plugins.load(strict=True)
    assert "qx_cashes" in info(plugins, "typo").reason
    assert "tape" in plugins.registry("caches")
    assert "not marked with @qx.hookimpl" in info(plugins, "bare").reason


def test_allow_and_block(site: Site, monkeypatch: pytest.MonkeyPatch):
    for name in ("one", "two", "three"):
        site.add(name, "import qxt_mark_" + name + "\n")
        (site.folder / f"qxt_mark_{name}.py").write_text("")
        monkeypatch.delitem(sys.modules, f"qxt_mark_{name}", raising=False)
    monkeypatch.setenv("QX_PLUGINS", "one, qx_query_TWO")
    monkeypatch.setenv("QX_DISABLE", "qx-query-one")
    plugins = Plugins.load()
    assert {one.name: one.status for one in plugins.report() if one.name in ("one", "two", "three")} == {
        "one": "blocked",
        "two": "ok",
        "three": "blocked",
    }
    assert "qxt_mark_one" not in sys.modules
    assert "qxt_mark_three" not in sys.modules
    with pytest.raises(PluginError, match="blocked by QX_DISABLE"):
        plugins.registry("caches").get("one")
    monkeypatch.setenv("QX_PLUGINS", "")
    assert info(Plugins.load(), "two").status == "blocked"
    assert info(Plugins.load(allow=["three"], block=["three"]), "three").status == "blocked"


def test_strict_raises(site: Site, monkeypatch: pytest.MonkeyPatch):
    Plugins.load(strict=True)
    site.add("broken", "raise RuntimeError('boom')\n")
    with pytest.raises(PluginError, match="boom") as caught:
        Plugins.load(strict=True)
    assert isinstance(caught.value.__cause__, RuntimeError)
    monkeypatch.setenv("QX_STRICT", "1")
    with pytest.raises(PluginError):
        Plugins.load()


def test_a_profile_s_list_narrows_what_is_loaded(site: Site):
    site.add("one", hook("qx_caches", ("tape", "json:dumps")))
    site.add("two", hook("qx_caches", ("tape", "json:loads")))
    plugins = Plugins.load()
    assert plugins.only(None) is plugins
    narrowed = plugins.only(("two",))
    assert narrowed.registry("caches").get("tape").__name__ == "loads"
    assert info(narrowed, "one").status == "blocked"
    assert "memory" in plugins.only(()).registry("caches")


def test_a_module_that_is_not_installed(site: Site):
    module = types.ModuleType("given")
    exec(HEAD + hook("qx_caches", ("tape", "json:dumps")), vars(module))
    plugins = Plugins.load(allow=(), modules=[module])
    assert info(plugins, "given").status == "ok"
    assert plugins.registry("caches").get("tape")
    assert info(plugins.only(()), "given").status == "blocked"


def test_damaged_metadata_hides_no_other_plugin(site: Site):
    site.add("good", hook("qx_caches", ("tape", "json:dumps")))
    bare = site.folder / "qx_query_bare-1.0.dist-info"
    bare.mkdir()
    (bare / "entry_points.txt").write_text("[qx]\nbare = qxt_good\n")
    broken = site.folder / "qx_query_odd-1.0.dist-info"
    broken.mkdir()
    (broken / "entry_points.txt").write_bytes(b"[qx]\nodd = \xff\xfe\n")
    found: Any = {one.name: one for one in Plugins.load().report()}
    assert found["good"].origin == "qx-query-good"


PACK = "schema_version: 1\nname: medical\ntaxonomy: {name: m, intents: [{id: symptom}]}\n"


def test_a_pack_without_python(site: Site):
    package = site.folder / "qxt_medical"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('never imported')\n")
    (package / "pack.yaml").write_text(PACK)
    site.add("medical", points="[qx.packs]\nmedical = qxt_medical:pack.yaml\n")
    plugins = Plugins.load()
    assert info(plugins, "medical").contributions == ("packs:medical",)
    assert plugins.registry("packs").get("medical").taxonomy.intents[0].id == "symptom"
    assert "qxt_medical" not in sys.modules


def test_packs_and_taxonomies_as_objects(site: Site):
    made = (
        "from qx.domain import DomainPack, Taxonomy\nT = Taxonomy(name='t', intents=())\n"
        "P = DomainPack(schema_version=1, name='p', taxonomy=T)\n"
    )
    packs = hook("qx_domain_packs", ("p", "qxt_made:P"), ("odd", "qxt_made:T"), ("gone", "qxt_made:none.yaml"))
    site.add("made", made + packs + hook("qx_intent_taxonomies", ("t", "qxt_made:T")))
    plugins = Plugins.load()
    assert plugins.registry("packs").get("p").name == "p"
    assert plugins.registry("taxonomies").get("t").name == "t"
    with pytest.raises(PluginError, match="is no DomainPack but Taxonomy"):
        plugins.registry("packs").get("odd")
    with pytest.raises(Exception, match="no data file"):
        plugins.registry("packs").get("gone")
