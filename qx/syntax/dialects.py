"""What each engine's query line can say.  A dialect is data: another engine is another row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from qx.serial import empty, value


@value
class Dialect:
    """The forms of one engine's query line; what is None cannot be said there.

    Attributes:
        name: How profiles name it.
        phrase: Whether quotes ask for the exact phrase.
        either: The word between alternatives; ``(a OR b)``.
        both: The word between parts that are all asked for, where the engine reads one.
        exclude: The mark before what is excluded.
        site: Form of a site, with ``{}``; ``filetype`` likewise.
        fields: Name of a field -> form, with ``{}`` for a word or phrase.
        after: Form of "from this date on", with ``{}``; ``before`` likewise.
        ranges: Form of any other range, with ``{field}``, ``{low}`` and ``{high}``.
        mixed: Whether alternatives may be exclusions: ``(a OR -b)``.
        max_words: Words that the engine reads; the rest would be ignored.
        max_chars: Characters that the engine reads.
        wide: What a Han, kana or hangul character counts for among them.
    """

    name: str
    phrase: bool = False
    either: str | None = None
    both: str | None = None
    exclude: str | None = None
    site: str | None = None
    filetype: str | None = None
    fields: Mapping[str, str] = field(default_factory=empty)
    after: str | None = None
    before: str | None = None
    ranges: str | None = None
    mixed: bool = False
    max_words: int | None = None
    max_chars: int | None = None
    wide: int = 1


QX = Dialect(
    name="qx",
    phrase=True,
    either="OR",
    both="AND",
    exclude="-",
    site="site:{}",
    filetype="filetype:{}",
    fields={"intitle": "intitle:{}", "author": "author:{}"},
    after="after:{}",
    before="before:{}",
    ranges="{field}:{low}..{high}",
    mixed=True,
)
"""The syntax that ``parse`` reads: it can say everything."""

GOOGLE = Dialect(
    name="google",
    phrase=True,
    either="OR",
    both="AND",
    exclude="-",
    site="site:{}",
    filetype="filetype:{}",
    fields={"intitle": "intitle:{}"},
    after="after:{}",
    before="before:{}",
    max_words=32,
    max_chars=2048,
)
BING = Dialect(
    name="bing",
    phrase=True,
    either="OR",
    both="AND",
    exclude="-",
    site="site:{}",
    filetype="filetype:{}",
    fields={"intitle": "intitle:{}"},
    max_words=150,
    max_chars=1500,
)
BAIDU = Dialect(
    name="baidu",
    phrase=True,
    either="|",
    exclude="-",
    site="site:{}",
    filetype="filetype:{}",
    fields={"intitle": "intitle:{}"},
    max_words=32,
    max_chars=76,
    wide=2,
)
PLAIN = Dialect(name="plain")
"""Words alone."""

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (QX, GOOGLE, BING, BAIDU, PLAIN)}
