"""What finding quotations costs: 20 quotes against 50 sources of 10,000 characters, English and Chinese.

Run it by hand: ``python benchmarks/quoting.py``.  The texts are made up here.  Of the quotes a third is as in the source,
a third otherwise spaced, cased or punctuated, and a third (in English) has a slip.  Printed are milliseconds of CPU, the
least of several runs, each over texts that were never folded before:

- ``own source``: each quote in the source that its claim names, as the verifier asks;
- ``every source``: each quote in all 50;
- beside it ``rapidfuzz``: ``fuzz.partial_ratio_alignment`` on the same, without any folding, which tells no number from
  a word and gives spans that are some characters off.

The first line is what a process pays once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from rapidfuzz import fuzz

from qx.text.quotes import locate

SOURCES, LENGTH, QUOTES, ROUNDS = 50, 10_000, 20, 5
_ENGLISH_TEXT = (
    "the quick report shows that most readers open a page and leave it again without reading a single line while others "
    "stay for hours because what they found there answers more than they had asked so the editors counted how often each "
    "paragraph was seen and moved the best ones up which helped a little in spring and not at all in autumn"
)
ENGLISH = _ENGLISH_TEXT.split()
CHINESE = "我们支持七天无理由退货打印机卡纸怎么办先关电源等待系统设置网络连接失败请检查路由器信号强度并重新启动设备后再试如果问题仍然存在联系客服热线工作时间上午九点到下午六点"


def english(rng: random.Random) -> str:
    """A text of ``LENGTH`` characters."""
    made: list[str] = []
    size = 0
    while size < LENGTH:
        words = [rng.choice(ENGLISH) for _ in range(rng.randint(6, 20))]
        if rng.random() < 0.3:
            words.insert(rng.randrange(len(words)), str(rng.randint(2, 900)))
        sentence = " ".join(words).capitalize() + rng.choice([". ", ", he said. ", " (see below). "])
        made.append(sentence)
        size += len(sentence)
    return "".join(made)[:LENGTH]


def chinese(rng: random.Random) -> str:
    """A text of ``LENGTH`` characters."""
    made: list[str] = []
    size = 0
    while size < LENGTH:
        sentence = "".join(rng.choice(CHINESE) for _ in range(rng.randint(5, 16))) + rng.choice("，，。；")
        if rng.random() < 0.1:
            sentence += f"{rng.randint(2, 90)}%"
        made.append(sentence)
        size += len(sentence)
    return "".join(made)[:LENGTH]


def quotes(sources: Sequence[str], rng: random.Random, parting: str) -> list[tuple[str, str]]:
    """Quotes, each with the source that it is from."""
    made: list[tuple[str, str]] = []
    for i in range(QUOTES):
        source = sources[rng.randrange(len(sources))]
        start = source.index(parting, rng.randrange(LENGTH - 600)) + 1
        quote = source[start : start + 150].rpartition(parting)[0]
        if i % 3 == 1:
            quote = quote.upper().replace(" ", "\u00a0").replace("，", ",")
        elif i % 3 == 2:
            quote = quote.replace("e", "", 1)
        made.append((quote, source))
    return made


def measure(
    make: Callable[[random.Random], str], parting: str, *, every: bool, find: Callable[[str, str], object]
) -> float:
    """Milliseconds of CPU for the quotes, the least of the rounds."""
    taken: list[float] = []
    for seed in range(ROUNDS):
        rng = random.Random(seed)
        sources = [make(rng) for _ in range(SOURCES)]
        pairs = quotes(sources, rng, parting)
        began = time.process_time()
        for quote, own in pairs:
            for source in sources if every else (own,):
                find(quote, source)
        taken.append((time.process_time() - began) * 1000)
    return min(taken)


def main() -> None:
    """Print the table."""
    began = time.process_time()
    locate("the first quoet", "The first quote, 第一句：“引用” costs what is made once.")
    print(f"once in a process: {(time.process_time() - began) * 1000:.0f} ms")
    print(f"{QUOTES} quotes, {SOURCES} sources of {LENGTH:,} characters: ms of CPU, least of {ROUNDS}")
    print(f"{'':24}{'qx':>8}{'rapidfuzz':>12}{'ratio':>8}")
    for name, make, parting in (("English", english, " "), ("Chinese", chinese, "，")):
        for which, every in (("own source", False), ("every source", True)):
            ours = measure(make, parting, every=every, find=locate)
            theirs = measure(make, parting, every=every, find=fuzz.partial_ratio_alignment)
            print(f"{name + ', ' + which:24}{ours:8.1f}{theirs:12.1f}{ours / theirs:8.2f}")


if __name__ == "__main__":
    main()
