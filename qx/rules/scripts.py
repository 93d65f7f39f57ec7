"""Data in the characters of the query: the packs are written in Simplified ones, and a reader may write Traditional."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from qx.rules.terms import has_han


def local(text: str, language: str) -> str:
    """Write data (Simplified) as the query's readers do: in Traditional characters for ``zh-Hant``."""
    if language != "zh-Hant" or not has_han(text):
        return text
    written = str(_traditional().convert(text))
    return (
        written.replace("計算機", "電腦")
        .replace("飯店", "餐館")
        .replace("測評", "評測")
        .replace("價效比", "性價比")
        .replace("引數", "參數")
    )  # as is said in Taiwan


@cache
def _traditional() -> Any:
    from opencc import OpenCC  # a native library: loaded at first use

    return cast(Any, OpenCC("s2twp"))
