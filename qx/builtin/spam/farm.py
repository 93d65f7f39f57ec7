"""The detector ``farm``: sites that are known content farms, and pages stuffed with their keywords.

The third sign, one text over many hosts, shows only in the whole list: ``copies``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from qx.builtin.likeness import representatives
from qx.builtin.spam.page import Page, entries
from qx.text.lexicons import load_set
from qx.text.segment import HAN

HOSTS = 3
"""Hosts with one text from which on it is no coincidence."""
_LEAST = 8
"""Times that a word must come before it can be stuffing."""
_SHARE = 0.25
_COPY_LENGTH = 100
"""Bytes of UTF-8: a Chinese character says about as much as three letters."""
_WORD = re.compile(rf"[^\W_{HAN}]+")
_HAN_RUN = re.compile(rf"[{HAN}]{{2,}}")


def farm(page: Page, domains: frozenset[str] = frozenset()) -> str | None:
    """Return why the hit is from a content farm, or None; ``domains`` adds to the list that ships."""
    domain = within(page.host, domains | frozenset(entries("farm_domains")))
    if domain:
        return f"{domain} is a known content farm"
    stuffed = _stuffing(page)
    return f"keyword stuffing: {stuffed}" if stuffed else None


def within(host: str, domains: frozenset[str]) -> str | None:
    """Return which of ``domains`` ``host`` is or lies under."""
    labels = host.split(".")
    return next((d for i in range(len(labels)) if (d := ".".join(labels[i:])) in domains), None)


def copies(pages: Sequence[Page]) -> dict[int, str]:
    """Return the pages (by index) whose text stands on several hosts, with the reason; the first one is left out."""
    long = [i for i, page in enumerate(pages) if len(page.text.encode(errors="replace")) >= _COPY_LENGTH and page.host]
    groups: dict[int, list[int]] = {}
    for at, first in enumerate(representatives([pages[i].text for i in long], threshold=0.9)):
        groups.setdefault(at if first is None else first, []).append(long[at])
    out: dict[int, str] = {}
    for members in groups.values():
        hosts = {pages[i].host for i in members}
        if len(hosts) >= HOSTS:
            out |= {i: f"the same text on {len(hosts)} hosts" for i in members[1:]}
    return out


def _stuffing(page: Page) -> str | None:
    """The word that the text repeats beyond all measure."""
    text = f"{page.title} {page.text}"
    words = _WORD.findall(text)
    stop = load_set("stopwords_en")
    counts = Counter([w for w in words if len(w) > 2 and w not in stop and not w.isdigit()])
    pairs = Counter(run[i : i + 2] for run in _HAN_RUN.findall(text) for i in range(len(run) - 1))
    for found, total in ((counts, len(words)), (pairs, sum(pairs.values()))):
        if found:
            word, times = found.most_common(1)[0]
            if times >= _LEAST and times / total >= (_SHARE if found is counts else _SHARE / 2.5):
                return f"“{word}” {times} times in {total}"
    return None
