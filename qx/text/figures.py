"""What belongs to a number in a text, and so is no punctuation: decimals, ranges, signs, comparisons, money, per cent.

Each such character becomes a code of its own, a control character that no text has by then; what is left of
punctuation may go.  The length stays.
"""

from __future__ import annotations

import re

_CODES = {
    ".": "\x02", ":": "\x04", "/": "\x05", "-": "\x06", "^": "\x07", "−": "\x08", "≥": "\x0e", "≤": "\x0f",
    "<": "\x10", ">": "\x11", "=": "\x12", "~": "\x13", "≠": "\x14", "±": "\x15", "+": "\x16", "#": "\x17",
    "%": "\x18", "‰": "\x19", "°": "\x1a", "$": "\x1b", "€": "\x1c", "£": "\x1d", "¥": "\x1e", "¢": "\x7f",
}  # fmt: skip
BETWEEN = "\x1f"
"""Stands between two numbers that nothing but a gap parts: ``2024 50`` is not ``202450``."""
KEPT = "".join(_CODES.values()) + BETWEEN
"""All codes; they count like letters."""
INSIDE = frozenset(_CODES[c] for c in ".:/-^")
BEFORE = frozenset(_CODES[c] for c in "−≥≤<>~≠±+$€£¥¢")
"""What changes the number after it; ``=`` says only what it is."""
AFTER = frozenset(_CODES[c] for c in "%‰°+$€£¥¢^")
"""What changes the number before it."""

_S = "[ \t\n\r\x00\x01]"
_GROUPED = re.compile(r"[,，]\d{3}(?!\d)")
_GROUPS = re.compile(r"(?<![\d.,])\d{1,3}(?:[,，]\d{3})+(?![\d,，])")
_SIGNS = "<>=~!≤≥≦≧⩽⩾≠≈≃≅∼±"
_COMPARED = re.compile(f"[{_SIGNS}]+")
_NUMBER_NEXT = re.compile(rf"{_S}*+[$€£¥+-]?{_S}*+\.?\d")
_RANGE = re.compile(rf"(?<=[\d\u3400-\u9fff]){_S}*~{_S}*(?=[\d$€£¥])")
_SIGN = re.compile(r"[-+](?<![^\W\u3400-\u9fff][-+])(?<![.)\]}%+-][-+])(?=[$€£¥]?\.?\d)")
_POINT = re.compile(r"\.(?<![\w)\]}.]\.)(?=\d)")
_MONEY = re.compile(rf"[$€£¥¢](?={_S}*+[\x02\x08]?\d)")
_CELSIUS = re.compile(rf"°(?={_S}?[cf]\b)")
_GAP = rf"[^{KEPT}\w]"
_AFTER_DIGIT = re.compile(
    rf"\d(?:(?P<inside>[\x00\x01]*[.．:：/^](?:-(?=\d))?[\x00\x01]*(?=\d)|{_S}*+[-~]{_S}*(?=[\d\x1b-\x1e])"
    rf"|\+(?![\d+])|{_S}*+[%‰°$€£¥¢])|(?P<apart>{_GAP}*[^{KEPT}\w\x00\x01]{_GAP}*(?=\d)|_+(?=\d)))"
)
_NAMED = re.compile(r"(?<![^\W_])[a-z](?:\+\+?|#)(?![\w+#])")
_SAME = {"≦": "≤", "⩽": "≤", "≧": "≥", "⩾": "≥", "≈": "~", "≃": "~", "≅": "~", "∼": "~"}
_INSIDE = _CODES | {"．": _CODES["."], "：": _CODES[":"], "~": _CODES["-"]}
_TWO = {">=": "≥", "<=": "≤", "!=": "≠", "==": "=", "<>": "≠"}


def encode_figures(text: str) -> str:
    """Return folded ``text`` with codes in place of what belongs to numbers, names such as ``c++``, and comparisons."""
    if "×" in text:
        text = text.replace("×", "x")
    if "," in text or "，" in text:
        text = _grouped(text)
    if "~" in text:
        text = _RANGE.sub(lambda m: m[0].replace("~", "-"), text)
    if any(sign in text for sign in _SIGNS):
        text = _COMPARED.sub(_compared, text)
    if "-" in text or "+" in text:
        text = _SIGN.sub(lambda m: _CODES["−" if m[0] == "-" else "+"], text)
        text = _NAMED.sub(_code, text) if "+" in text or "#" in text else text
    elif "#" in text:
        text = _NAMED.sub(_code, text)
    text = _POINT.sub(_code, text)
    if any(sign in text for sign in "$€£¥¢"):
        text = _MONEY.sub(_code, text)
    if "°" in text:
        text = _CELSIUS.sub(_code, text)
    return _AFTER_DIGIT.sub(_after_digit, text)


def _grouped(text: str) -> str:
    """``1,000`` is 1000, and ``1,2,3`` are three numbers."""
    if _GROUPED.search(text) is None:
        return text
    return _GROUPS.sub(lambda m: m[0].replace(",", "\x01").replace("，", "\x01"), text)


def _code(match: re.Match[str]) -> str:
    return "".join(_CODES.get(c, c) for c in match[0])


def _after_digit(match: re.Match[str]) -> str:
    said = match[0]
    if match["apart"] is not None:
        return said[0] + BETWEEN + " " * (len(said) - 2)
    return "".join(_INSIDE.get(c, c) for c in said)


def _compared(match: re.Match[str]) -> str:
    """``>=5`` and ``≥ 5`` alike; an arrow, a tag's bracket or a tilde that no number follows is punctuation."""
    said = "".join(_SAME.get(c, c) for c in match[0])
    inner = said[1:-1] if len(said) > 2 and said[0] == "<" and said[-1] == ">" else said
    sign = _TWO.get(inner, inner)
    text, start = match.string, match.start()
    if len(sign) != 1 or sign == "!" or (said[-1] == ">" and text[start - 1 : start] == "-") or said == "=>":
        return "*" * len(said)
    if sign in "≥≤≠" or _NUMBER_NEXT.match(text, match.end()):
        return _CODES[sign] + "\x00" * (len(said) - 1)
    return "*" * len(said)
