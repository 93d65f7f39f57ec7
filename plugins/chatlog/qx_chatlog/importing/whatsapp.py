"""Chats that WhatsApp exports as text: ``[29/11/2026, 14:05:10] Ann: see you`` and its other shapes.

What 3/4/2026 means is read from the whole file: some number above 12 tells.  Where none does, it must be given: no day
is guessed.  Of an hour that the clock shows twice, the order of the lines tells which of the two is meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TextIO
from zoneinfo import ZoneInfo

from qx.serial import replace, value
from qx_chatlog.importing.entry import Dates, Entry, Given, Read, Refused, made_id
from qx_chatlog.message import Attachment

_HEAD = re.compile(
    r"^[\u200e\u200f\ufeff]*\[?(?P<date>\d{1,4}[./\-年]\s?\d{1,2}[./\-月]\s?\d{1,4}日?)[,，]?\s+"
    r"(?P<before>上午|下午|凌晨|中午|晚上|早上)?\s?(?P<clock>\d{1,2}[:.]\d{2}(?:[:.]\d{2})?)"
    r"[\s\u202f]*(?P<after>[AaPp]\.?\s?[Mm]\.?)?(?:\]|\s+[-–])\s*(?P<rest>.*)$"
)
_SPEAKER = re.compile(r"^[\u200e\u200f~\s\u202f]*(?P<name>[^:\n]{1,80}):\s(?P<text>.*)$", re.DOTALL)
_LEFT_OUT = re.compile(
    r"^[\u200e\s]*(?:<(?:media omitted|media weggelassen|medien ausgeschlossen|multimedia omitido|médias omis|媒体文件已省略"
    r"|省略多媒体文件|省略影音内容|省略多媒體檔|影音檔已省略)>|(?P<kind>image|video|audio|sticker|GIF|document|contact card) omitted"
    r"|<(?:attached|附件)[:：] ?(?P<file>[^>]+)>|(?P<named>[^\n]+?) \((?:file attached|文件附件|檔案附件|Datei angehängt)\))\s*$",
    re.IGNORECASE,
)
"""What the export writes where something was sent: nobody's words."""
_NOTICE = re.compile(
    r"^[\u200e\s]*(?:messages and calls are end-to-end encrypted|this message was deleted|you deleted this message|this message was edited"
    r"|missed (?:voice|video) call|waiting for this message|消息和通话(?:均|都)?(?:已|经)?端到端加密|此消息已(?:被)?删除|此訊息已刪除|您已删除此消息|你删除了这条消息|未接(?:语音|视频)通话"
    r"|diese nachricht wurde gelöscht)",
    re.IGNORECASE,
)
"""What WhatsApp itself says in somebody's line."""
_KINDS = {
    "image": ("jpg", "jpeg", "png", "webp", "gif", "heic"),
    "audio": ("opus", "mp3", "m4a", "ogg", "aac", "wav"),
    "video": ("mp4", "mov", "3gp", "webm"),
}


LONGEST = 1_000_000
"""Characters of one line."""


@value
class Line:
    """One message of the file."""

    number: int
    date: tuple[int, int, int]
    clock: tuple[int, int, int]
    rest: str
    said: str = ""


def is_whatsapp(path: Path) -> bool:
    """Whether one of the first lines is a message's."""
    try:
        with path.open(encoding="utf-8-sig", errors="strict") as stream:
            return any(_HEAD.match(line) for line in islice(iter(lambda: stream.readline(LONGEST), ""), 5))
    except (UnicodeDecodeError, OSError):
        return False


def read(path: Path, given: Given) -> Iterator[Read]:
    """Yield the messages of a file."""
    lines, refused = _lines(path)
    yield from refused
    order = given.dates or dates(lines)
    if order is None:
        yield Refused(
            place=path.name, reason="its dates can be read both ways: say --dates day-first or --dates month-first"
        )
        return
    nth: Counter[str] = Counter()
    zone, before = ZoneInfo(given.zone), datetime.min
    for line in lines:
        place = f"{path.name}:{line.number}"
        try:
            day = datetime(*_day(line.date, order))
        except ValueError:
            yield Refused(place=place, reason=f"{'/'.join(map(str, line.date))} is no day ({order})")
            continue
        try:
            moment = day.replace(hour=line.clock[0], minute=line.clock[1], second=line.clock[2])
        except ValueError:
            yield Refused(place=place, reason=f"{line.said} is no time of day")
            continue
        before = moment = _again(moment, before, zone)
        entry, text = _entry(line, place, moment)
        same = f"{moment.isoformat()}\0{entry.speaker}\0{text}"
        session = given.session or path.stem
        yield _named(entry, made_id(session, same, nth[same]))
        nth[same] += 1


_BACK = timedelta(minutes=1)
"""What stands later in a file may have been sent some seconds earlier."""


def _again(moment: datetime, before: datetime, zone: ZoneInfo) -> datetime:
    """``moment``, the second of its name where the clock was put back: the line before it is later, or second itself."""
    second = moment.replace(fold=1)
    if moment.replace(tzinfo=zone).utcoffset() <= second.replace(tzinfo=zone).utcoffset():  # type: ignore[operator]  # both aware
        return moment
    close = before - moment < timedelta(hours=2)
    return second if close and (before - moment >= _BACK or (before.fold and moment >= before)) else moment


def dates(lines: Sequence[Line]) -> Dates | None:
    """Return how the dates of a file are meant; None: both ways are possible."""
    short = [line.date for line in lines if line.date[0] < 100]
    if any(first > 12 for first, _, _ in short):
        return "day-first"
    if any(second > 12 for _, second, _ in short):
        return "month-first"
    alike = all(first == second for first, second, _ in short)
    return "day-first" if alike else None


def _lines(path: Path) -> tuple[list[Line], list[Refused]]:
    found: list[Line] = []
    refused: list[Refused] = []
    with path.open(encoding="utf-8-sig", errors="replace") as stream:
        for number, text in enumerate(_short(stream), 1):
            if text is None:
                reason = f"a line of more than {LONGEST:,} characters"
                refused.append(Refused(place=f"{path.name}:{number}", reason=reason))
                continue
            text = text.rstrip("\r\n")
            match = _HEAD.match(text)
            if match:
                found.append(_line(number, match))
            elif found:
                last = found[-1]
                found[-1] = Line(
                    number=last.number, date=last.date, clock=last.clock, rest=f"{last.rest}\n{text}", said=last.said
                )
            elif text.strip():
                refused.append(Refused(place=f"{path.name}:{number}", reason="no message of WhatsApp begins here"))
    return found, refused


def _short(stream: TextIO) -> Iterator[str | None]:
    """Yield lines; None stands for one that is too long, which is passed over."""
    while line := stream.readline(LONGEST):
        if len(line) < LONGEST or line.endswith("\n"):
            yield line
            continue
        while line and not line.endswith("\n"):
            line = stream.readline(LONGEST)
        yield None


def _line(number: int, match: re.Match[str]) -> Line:
    first, second, third = (int(part) for part in re.findall(r"\d+", match["date"]))
    clock = [int(part) for part in re.split("[:.]", match["clock"])]
    half = (match["after"] or "").lower().replace(".", "").replace(" ", "")
    afternoon = half == "pm" or match["before"] in ("下午", "晚上", "中午")
    morning = half == "am" or match["before"] in ("上午", "凌晨", "早上")
    hour = clock[0]
    if afternoon and hour < 12 and not (match["before"] == "中午" and hour == 11):
        hour += 12
    elif morning and hour == 12:
        hour = 0
    seconds = clock[2] if len(clock) > 2 else 0
    at = (hour, clock[1], seconds)
    return Line(number=number, date=(first, second, third), clock=at, rest=match["rest"], said=match["clock"])


def _day(date: tuple[int, int, int], order: Dates) -> tuple[int, int, int]:
    first, second, third = date
    if first >= 100:
        return first, second, third
    year = third + 2000 if third < 100 else third
    return (year, second, first) if order == "day-first" else (year, first, second)


def _entry(line: Line, place: str, moment: datetime) -> tuple[Entry, str]:
    """A line's message, and the text as it stands there."""
    spoken = _SPEAKER.match(line.rest)
    if spoken is None:
        return Entry(place=place, role="system", time=moment, content=line.rest, type="system"), line.rest
    text, speaker = spoken["text"], spoken["name"].strip()
    if _NOTICE.match(text):
        return Entry(place=place, role="system", speaker=speaker, time=moment, content=text, type="system"), text
    sent = _LEFT_OUT.match(text)
    if sent is None:
        return Entry(place=place, role="user", speaker=speaker, time=moment, content=text), text
    file = (sent["file"] or sent["named"] or "").strip("\u200e ")
    made = Entry(
        place=place,
        role="user",
        speaker=speaker,
        time=moment,
        type="media",
        attachments=(Attachment(kind=_kind(file, sent["kind"]), name=file),),
    )
    return made, text


def _kind(file: str, said: str | None) -> str:
    """The kind of what was sent, by the name of its file or by what the export calls it."""
    ending = file.rpartition(".")[2].lower()
    named = {"image": "image", "sticker": "image", "gif": "image", "video": "video", "audio": "audio"}
    by_name = next((kind for kind, endings in _KINDS.items() if ending in endings), None)
    return by_name or named.get((said or "").lower(), "file")


def _named(entry: Entry, id: str) -> Entry:
    return replace(entry, id=id)
