"""Pictures and recordings of an export are described at import, and the text is marked as nobody's words."""

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

import qx_chatlog
from qx.cli import main
from qx.describer import Describer, DescribeRequest, Description
from qx.errors import Unavailable
from qx.hookspecs import Contribution, hookimpl
from qx.model import Model
from qx.plugins import Plugins
from qx.types import Usage


class Captions:
    """Says what the first word of a file is."""

    class Settings(Model):
        prefix: str = "a photo of"

    kinds = frozenset(["image"])

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    @classmethod
    async def create(cls, settings: Settings, services: Any) -> "Captions":
        return cls(settings.prefix)

    async def describe(self, request: DescribeRequest, /) -> Description:
        if b"broken" in request.content:
            raise Unavailable("the model is down")
        return Description(text=f"{self._prefix} {request.content.decode()}", usage=Usage())

    async def aclose(self) -> None:
        pass


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("qx_captions")
    module.Captions = Captions  # type: ignore[attr-defined]

    def qx_describers() -> list[Contribution[Describer]]:
        return [Contribution(name="captions", target="qx_captions:Captions")]

    module.qx_describers = hookimpl(qx_describers)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "qx_captions", module)
    found = Plugins.load(allow=(), modules=[module, qx_chatlog])
    monkeypatch.setattr(Plugins, "load", classmethod(lambda cls, **options: found))


def test_what_a_picture_shows_is_searched_and_marked(plugins: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    (tmp_path / "secret.txt").write_text("a photo outside")
    (tmp_path / "export").mkdir()
    for name, content in (("cat.jpg", "a red panda"), ("bad.jpg", "broken"), ("talk.ogg", "la la")):
        (tmp_path / "export" / name).write_text(content)
    files = [
        {"kind": "image", "name": "cat.jpg"},
        {"kind": "image", "name": "bad.jpg"},
        {"kind": "image", "name": "../secret.txt"},
        {"kind": "image", "url": "https://example.com/cat.jpg"},
        {"kind": "image", "name": "named.jpg", "text": "Ann at the lake"},
        {"kind": "audio", "name": "talk.ogg"},
    ]
    rows = [
        {"id": f"p{n}", "user": "ann", "session": "s", "role": "user", "time": f"2026-11-2{n}T10:00:00Z",
         "content": f"look {n}", "attachments": [one]} for n, one in enumerate(files)
    ]  # fmt: skip
    (tmp_path / "export" / "chat.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "p.yaml").write_text(
        "tenant: t\nchat: {store: {type: sqlite, path: chat.db}, describe: {type: captions, prefix: shows}}\n"
    )
    done = CliRunner().invoke(main, ["chat", "import", "export/chat.jsonl", "-p", "p.yaml"])
    assert done.exit_code == 0, done.output
    assert "1 pictures and recordings described, 1 not" in done.output
    assert "bad.jpg: the model is down" in done.output
    found = CliRunner().invoke(main, ["chat", "search", "red panda", "--user", "ann", "-p", "p.yaml", "--json"])
    hit = next(one for one in json.loads(found.stdout)["messages"] if not one["context"])
    assert (hit["id"], hit["content"], hit["derived"]) == ("p0", "look 0", ["shows a red panda"])
    assert "outside" not in CliRunner().invoke(main, ["chat", "export", "--user", "ann", "-p", "p.yaml"]).output
