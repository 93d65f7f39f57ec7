"""Write numbers in Chinese, for tests that read them back."""

from __future__ import annotations

_DIGITS = "零一二三四五六七八九"


def chinese(number: int) -> str:
    """Write a number below 10^8 as it is written in full (一万零五, 十五)."""

    def section(n: int) -> str:
        text, gap = "", False
        for size, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
            digit = n // size % 10
            if digit:
                text += ("零" if gap and text else "") + _DIGITS[digit] + name
                gap = False
            else:
                gap = True
        return text

    high, low = divmod(number, 10_000)
    text = (section(high) + "万" if high else "") + ("零" if high and 0 < low < 1000 else "") + section(low)
    return text.removeprefix("一") if 10 <= number < 20 or 100_000 <= number < 200_000 else text
