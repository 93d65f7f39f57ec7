"""Units in one form, however they are written: 250 square metres, 250平方米 and 250 m²; 90 degrees Celsius and 90 °C."""

from __future__ import annotations

import re

_POWERS = {"²": "2", "³": "3"}
_POWER = re.compile("(?<=[A-Za-z])[²³]")
_LENGTHS = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters", "米"), "m"),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer", "kilometers", "公里", "千米"), "km"),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeter", "centimeters", "厘米"), "cm"),
    **dict.fromkeys(("ft", "foot", "feet", "英尺"), "ft"),
}
_AREA = re.compile(
    r"(?<=\d)\s?(?:(?P<sq>square|sq\.?|平方)|(?:cubic|cu\.?|立方))\s?(?P<of>kilomet(?:re|er)s?|centimet(?:re|er)s?|met(?:re|er)s?|km|cm|m|feet|foot|ft|公里|千米|厘米|米|英尺)(?![A-Za-z])",
    re.IGNORECASE,
)
_CELSIUS = re.compile(
    r"(?<=\d)\s?(?:degrees?\s(?P<of>celsius|centigrade|fahrenheit)|(?P<zh>[摄华])氏度)", re.IGNORECASE
)
_DEGREES = re.compile(r"(?<=\d)\s?(?:degrees?\b|度|°(?![A-Za-z]))", re.IGNORECASE)
_SCALE = re.compile(r"\d\s?(?:°\s?[CF]\b|℃|℉)")
_SCALED = re.compile(r"(?<=\d)\s?(?:°\s?[CF]\b|℃|℉)")
_BOUND_OF_HAN = re.compile("(至少|最少|至多|最多|不少于|不超过|不得超过|不低于|不高于)[高宽长重深厚](?=[0-9０-９])")


def one_form(text: str) -> str:
    """Return a text with areas, volumes and degrees of a scale as their signs, and no 高 between a bound and its number."""
    text = _POWER.sub(lambda match: _POWERS[match[0]], text)
    text = _AREA.sub(lambda match: f" {_LENGTHS[match['of'].lower()]}{2 if match['sq'] else 3}", text)
    text = _CELSIUS.sub(
        lambda match: f" °{match['of'][0].upper()}" if match["of"] else f" °{'C' if match['zh'] == '摄' else 'F'}", text
    )
    return _BOUND_OF_HAN.sub(r"\1", text)


def same_scale(said: str, known: str) -> tuple[str, str]:
    """Where one of two texts says the scale of its degrees and the other leaves it out, both with their number alone."""
    if bool(_SCALE.search(said)) is bool(_SCALE.search(known)) or not _DEGREES.search(f"{said}\n{known}"):
        return said, known
    return _bare(said), _bare(known)


def _bare(text: str) -> str:
    return _DEGREES.sub("", _SCALED.sub("", text))
