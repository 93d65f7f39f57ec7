"""What observers write, what they must never see, and that they never stand in the way."""

import json
import logging
import stat
import threading
from pathlib import Path

import pytest

from qx.builtin.jsonl_observer import JsonlObserver, JsonlObserverSettings
from qx.builtin.log_observer import LogObserver, LogObserverSettings
from qx.errors import NotAllowed
from qx.observer import Event, Observer

LOG = logging.getLogger("qx.tests.observers")


class FakeServices:
    """What an observer's factory uses of ``Services``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.log = LOG


@pytest.fixture
def services(tmp_path: Path) -> FakeServices:
    return FakeServices(tmp_path)


def event(number: int = 0, **attributes: object) -> Event:
    return Event(name="step.end", tenant="acme", trace="t1", at=float(number), attributes=attributes)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


async def test_every_event_is_a_line(services: FakeServices) -> None:
    observer = await JsonlObserver.create(JsonlObserverSettings(path="e.jsonl"), services)
    assert isinstance(observer, Observer)
    for number in range(1000):
        observer.on_event(event(number, step="理解\n二"))
    await observer.aclose()
    path = services.folder / "e.jsonl"
    found = lines(path)
    assert [line["at"] for line in found] == list(range(1000))
    assert found[0] == {
        "name": "step.end",
        "tenant": "acme",
        "trace": "t1",
        "at": 0.0,
        "attributes": {"step": "理解\n二"},
        "content": {},
    }
    assert "理解" in path.read_text("utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_lines_are_appended_to_what_is_there(services: FakeServices) -> None:
    for number in range(2):
        observer = await JsonlObserver.create(JsonlObserverSettings(), services)
        observer.on_event(event(number))
        await observer.aclose()
    assert [line["at"] for line in lines(services.data / "events.jsonl")] == [0, 1]


async def test_a_line_that_a_crash_cut_short_costs_itself_alone(services: FakeServices) -> None:
    path = services.folder / "e.jsonl"
    path.write_text('{"name": "st')
    observer = await JsonlObserver.create(JsonlObserverSettings(path="e.jsonl"), services)
    observer.on_event(event(7))
    await observer.aclose()
    torn, whole = path.read_text().splitlines()
    assert torn == '{"name": "st'
    assert json.loads(whole)["at"] == 7


async def test_content_only_where_it_is_asked_for(services: FakeServices) -> None:
    assert JsonlObserverSettings().wants_content is False
    quiet = await JsonlObserver.create(JsonlObserverSettings(), services)
    curious = await JsonlObserver.create(JsonlObserverSettings(wants_content=True), services)
    assert (quiet.wants_content, curious.wants_content) == (False, True)
    await quiet.aclose()
    await curious.aclose()


async def test_a_full_queue_drops_and_says_so(
    services: FakeServices, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    free, busy = threading.Event(), threading.Event()
    write = JsonlObserver._write

    def slow(self: JsonlObserver, batch: list[str]) -> None:
        busy.set()
        free.wait()
        write(self, batch)

    monkeypatch.setattr(JsonlObserver, "_write", slow)
    observer = await JsonlObserver.create(JsonlObserverSettings(max_pending=5), services)
    observer.on_event(event(0))
    busy.wait()  # the writer now stands still with the first event in hand
    for number in range(1, 11):
        observer.on_event(event(number))
    assert observer.dropped == 5
    free.set()
    await observer.aclose()
    found = lines(services.data / "events.jsonl")
    assert [line["at"] for line in found if line["name"] == "step.end"] == [0, 1, 2, 3, 4, 5]
    assert [line["attributes"] for line in found if line["name"] == "observer.dropped"] == [{"count": 5}]
    assert "5 events dropped" in caplog.text


async def test_a_file_that_cannot_be_written_is_one_warning(
    services: FakeServices, caplog: pytest.LogCaptureFixture
) -> None:
    (services.folder / "e.jsonl").mkdir()
    observer = await JsonlObserver.create(JsonlObserverSettings(path="e.jsonl"), services)
    observer.on_event(event())
    await observer.aclose()
    observer.on_event(event())
    assert caplog.text.count("cannot be written") == 1
    assert observer.dropped == 1


async def test_an_attribute_without_a_json_form_is_still_a_line(services: FakeServices) -> None:
    observer = await JsonlObserver.create(JsonlObserverSettings(), services)
    observer.on_event(event(1, odd=object, fine=[1], broken="\ud800"))
    await observer.aclose()
    (line,) = lines(services.data / "events.jsonl")
    assert line["attributes"] == {"odd": "<class 'object'>", "fine": [1], "broken": "?"}


async def test_the_thread_ends(services: FakeServices) -> None:
    observer = await JsonlObserver.create(JsonlObserverSettings(), services)
    await observer.aclose()
    await observer.aclose()
    assert not any(thread.name == "qx-jsonl" for thread in threading.enumerate())


async def test_a_path_outside_the_folder_is_refused(services: FakeServices) -> None:
    with pytest.raises(NotAllowed, match="out of the profile's folder"):
        await JsonlObserver.create(JsonlObserverSettings(path="../e.jsonl"), services)


async def test_the_log_has_one_line_an_event(services: FakeServices, caplog: pytest.LogCaptureFixture) -> None:
    observer = await LogObserver.create(LogObserverSettings(level="debug"), services)
    assert isinstance(observer, Observer)
    assert observer.wants_content is False
    with caplog.at_level(logging.DEBUG, "qx.events"):
        observer.on_event(event(1, step="expand", ms=1.23456789, reason="two\nlines"))
        observer.on_event(Event(name="degraded", tenant="acme", trace="t", at=0.0))
    await observer.aclose()
    first, second = caplog.records
    assert first.getMessage() == 'step.end tenant=acme trace=t1 step=expand ms=1.23457 reason="two\\nlines"'
    assert (first.levelname, second.levelname) == ("DEBUG", "DEBUG")  # the warning is the request's own


async def test_a_silent_log_costs_nothing(services: FakeServices, caplog: pytest.LogCaptureFixture) -> None:
    observer = await LogObserver.create(LogObserverSettings(level="debug"), services)
    with caplog.at_level(logging.INFO, "qx.events"):
        observer.on_event(event(1))
    assert caplog.records == []
