"""The contract of a search backend, over a file; nearly all of it is inherited."""

import pytest
import pytest_asyncio
from qx_csv.backend import Csv

from qx.errors import BadResponse
from qx.plugins import Plugins
from qx.testing import (
    BackendConformance,
    CountConformance,
    FilterConformance,
    HealthConformance,
    IndexingConformance,
    SortingConformance,
    SpellingConformance,
    VocabularyConformance,
)
from qx.testing.conformance.backend import SHORT_FIELDS, ask


async def opened(services, path):
    settings = Csv.Settings.model_validate({"name": "mine", "path": path, "fields": SHORT_FIELDS})
    return await Csv.create(settings, services)


class TestCsv(
    BackendConformance,
    FilterConformance,
    SortingConformance,
    IndexingConformance,
    CountConformance,
    HealthConformance,
    VocabularyConformance,
    SpellingConformance,
):
    traditional = True

    @pytest_asyncio.fixture
    async def backend(self, services):
        made = await opened(services, "documents")
        await made.prepare(fingerprint=None, dimensions=0)
        yield made
        await made.aclose()

    @pytest_asyncio.fixture
    async def broken(self, services):
        yield await opened(services, "nowhere")

    @pytest_asyncio.fixture
    async def foreign(self, services):
        (services.folder / "theirs").write_text("id,title\n1,theirs\n")
        yield await opened(services, "theirs")


async def test_a_sheet_as_people_keep_one(services):
    sheet = '\ufeffid;title;price;released;note\r\n7;红色 跑鞋;129.5;2024-05;"a; b"\r\n8;Blue hat;20;;\r\n'
    (services.folder / "sheet.csv").write_bytes(sheet.encode())
    settings = Csv.Settings.model_validate({"name": "mine", "path": "sheet.csv", "delimiter": ";"})
    backend = await Csv.create(settings, services)
    found = await backend.search(ask("跑鞋"))
    assert found.hit(0).id == "7"
    assert dict(found.hit(0).metadata) == {"price": 129.5, "released": "2024-05", "note": "a; b"}
    assert dict((await backend.search(ask("hat"))).hit(0).metadata) == {"price": 20}


@pytest.mark.parametrize("line", ["1,red,more,still more", ",red,more", '1,"red'])
async def test_a_line_that_is_wrong_is_told(services, line):
    (services.folder / "sheet.csv").write_text(f"id,title,text\n0,fine,fine\n{line}\n")
    backend = await opened(services, "sheet.csv")
    with pytest.raises(BadResponse, match=r"sheet\.csv cannot be read"):
        await backend.search(ask("red"))


def test_it_is_installed():
    assert "csv" in Plugins.load().registry("backends"), "run: pip install -e ."
