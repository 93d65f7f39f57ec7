"""Time zones by their IANA names, and which one is meant by what people write instead."""

from __future__ import annotations

import difflib
import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

_MEANT = {
    **dict.fromkeys(("pst", "pdt", "pt", "pacific"), "America/Los_Angeles"),
    **dict.fromkeys(("mst", "mdt", "mt", "mountain"), "America/Denver"),
    **dict.fromkeys(("cdt", "ct", "central"), "America/Chicago"),
    **dict.fromkeys(("est", "edt", "et", "eastern"), "America/New_York"),
    **dict.fromkeys(("bst", "uk", "england", "britain"), "Europe/London"),
    **dict.fromkeys(("cest", "germany"), "Europe/Berlin"),
    **dict.fromkeys(("eest",), "Europe/Helsinki"),
    **dict.fromkeys(("msk", "russia"), "Europe/Moscow"),
    **dict.fromkeys(("ist", "india"), "Asia/Kolkata"),
    **dict.fromkeys(("jst", "japan", "日本", "东京"), "Asia/Tokyo"),
    **dict.fromkeys(("kst", "korea", "韩国"), "Asia/Seoul"),
    **dict.fromkeys(("hkt", "香港"), "Asia/Hong_Kong"),
    **dict.fromkeys(("sgt", "新加坡"), "Asia/Singapore"),
    **dict.fromkeys(("aest", "aedt"), "Australia/Sydney"),
    **dict.fromkeys(("china", "beijing", "北京", "中国", "上海", "北京时间", "shenzhen", "guangzhou"), "Asia/Shanghai"),
    **dict.fromkeys(("台北", "台湾", "taiwan"), "Asia/Taipei"),
    **dict.fromkeys(("z", "zulu"), "UTC"),
}
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+-])\s*(\d{1,2})(?::?(\d{2}))?", re.IGNORECASE)


def is_zone(name: str) -> bool:
    """Whether ``name`` is an IANA time zone that is installed."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a folder of the zones is an OSError
        return False
    return True


def zone_hint(name: str) -> str:
    """Return what to write for ``name``, which is no IANA time zone: an abbreviation, an offset, a city, a misspelling."""
    said = name.strip()[:100]
    if said.casefold() == "cst":
        return "America/Chicago, or Asia/Shanghai for China"
    if meant := _MEANT.get(said.casefold()):
        return f"did you mean {meant!r}?"
    if offset := _OFFSET.fullmatch(said):
        return _by_offset(offset[1], int(offset[2]), offset[3])
    zones = {zone.casefold(): zone for zone in sorted(available_timezones())}
    cities = {zone.rsplit("/", 1)[-1].casefold(): zone for zone in zones.values() if not zone.startswith("Etc/")}
    for known in (zones, cities):
        near = difflib.get_close_matches(said.casefold().replace(" ", "_"), known, n=1, cutoff=0.7)
        if near:
            return f"did you mean {known[near[0]]!r}?"
    return "write a name such as Asia/Shanghai, America/New_York or UTC"


def _by_offset(sign: str, hours: int, minutes: str | None) -> str:
    if sign == "+" and hours == 8 and minutes in (None, "00"):
        return "did you mean 'Asia/Shanghai'?"
    if minutes in (None, "00") and hours <= 12:
        turned = "-" if sign == "+" else "+"  # Etc/GMT-8 is eight hours ahead
        return f"did you mean 'Etc/GMT{turned}{hours}'? the name of a place knows its summer time too"
    return "write the name of a place, such as Asia/Kolkata"
