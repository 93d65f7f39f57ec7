"""A suite over a writable backend fails one that keeps less than it was given, however well it answers from memory."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from types import ModuleType

import pytest

from qx.backend import Document
from qx.in_memory import WritableFileBackend
from qx.scaffold import project
from qx.serial import from_plain, to_plain
from qx.testing import IndexingConformance, TestServices
from qx.testing.conformance.backend import SHORT_FIELDS

DOCS = Path(__file__).parents[2] / "docs"
TESTS = (
    IndexingConformance.test_what_is_written_is_there_when_it_is_opened_again,
    IndexingConformance.test_what_is_replaced_or_deleted_is_so_when_it_is_opened_again,
)


class Lines(WritableFileBackend):
    """One JSON document a line, each changed by ``lose`` on its way out."""

    @staticmethod
    def lose(plain: dict) -> dict | None:
        return plain

    def read(self, path: Path) -> Iterable[Document]:
        return [from_plain(Document, json.loads(line)) for line in path.read_bytes().splitlines()]

    def write(self, path: Path, documents: Collection[Document]) -> None:
        kept = [plain for d in documents if (plain := self.lose(to_plain(d))) is not None]
        path.write_text("".join(json.dumps(plain) + "\n" for plain in kept))


def without(*names: str) -> Callable[[dict], dict]:
    return lambda plain: plain | {"metadata": {k: v for k, v in plain.get("metadata", {}).items() if k not in names}}


def recased(plain: dict) -> dict:
    return plain | {"metadata": {name.lower(): value for name, value in plain.get("metadata", {}).items()}}


def shallow(plain: dict) -> dict:
    metadata = {k: v if not isinstance(v, dict) else json.dumps(v) for k, v in plain.get("metadata", {}).items()}
    return plain | {"metadata": metadata}


MUTANTS: dict[str, Callable[[dict], dict | None]] = {
    "stores nothing": lambda plain: None,
    "drops metadata": lambda plain: plain | {"metadata": {}},
    "alters titles": lambda plain: plain | {"title": plain.get("title", "").upper()},
    "strips texts": lambda plain: plain | {"text": plain.get("text", "").strip()},
    "drops urls": lambda plain: plain | {"url": None},
    "metadata named title": without("title"),
    "metadata named id": without("id"),
    "metadata named text": without("text"),
    "lower-cases names": recased,
    "nested values": shallow,
    "null": lambda plain: plain | {"metadata": {k: v for k, v in plain.get("metadata", {}).items() if v is not None}},
}


async def run(services: TestServices, lose: Callable[[dict], dict | None]) -> None:
    class Mutant(Lines):
        pass

    Mutant.lose = staticmethod(lose)
    await suites_of(Mutant, services)


async def suites_of(made: type[WritableFileBackend], services: TestServices) -> None:
    suite = IndexingConformance()
    for number, test in enumerate(TESTS):
        settings = made.Settings.model_validate({"name": "m", "path": f"lines{number}", "fields": SHORT_FIELDS})
        backend = await made.create(settings, services)
        await backend.prepare(fingerprint=None, dimensions=0)
        await test(suite, backend, services)


async def test_one_that_keeps_all_passes(services: TestServices) -> None:
    await run(services, lambda plain: plain)


@pytest.mark.parametrize("mutant", MUTANTS)
async def test_one_that_keeps_less_fails(services: TestServices, mutant: str) -> None:
    with pytest.raises(AssertionError):
        await run(services, MUTANTS[mutant])


def source(name: str) -> str:
    """The Python of a backend that people start from."""
    if name == "template":
        return project("backend", "thing", "file").files["qx_thing/backend.py"]
    if name == "sample":
        return (DOCS / "examples/csv/qx_csv/backend.py").read_text("utf-8")
    page = (DOCS / "writing-a-plugin.md").read_text("utf-8")
    return page.partition("qx_recipes/backend.py -->\n```python\n")[2].partition("\n```")[0]


@pytest.mark.parametrize("name", ["template", "sample", "tutorial"])
async def test_what_people_start_from_passes(
    services: TestServices, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType(f"started_{name}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(source(name), name, "exec"), module.__dict__)
    [made] = [item for item in vars(module).values() if isinstance(item, type) and item.__module__ == module.__name__
              and issubclass(item, WritableFileBackend)]  # fmt: skip
    await suites_of(made, services)


async def test_one_without_settings_is_skipped_with_what_to_override(services: TestServices) -> None:
    settings = Lines.Settings.model_validate({"name": "m", "path": "lines"})
    backend = await Lines.create(settings, services)
    await backend.prepare(fingerprint=None, dimensions=0)
    del backend.settings
    with pytest.raises(pytest.skip.Exception, match="override `reopened`"):
        await TESTS[0](IndexingConformance(), backend, services)
