"""The measures that a report can name, and how their names are read: ``ndcg@10``, ``overlap@10``, ``zero-results``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from qx.errors import UsageError
from qx.registry import suggest
from qx.serial import value

Unit = Literal["points", "documents", "grade"]
"""Points: a fraction of 1 times 100.  Documents: a number of them.  Grade: as the dataset grades."""


@value
class Family:
    """What stands before ``@``.

    Attributes:
        cutoff: Whether a depth is needed, may be given, or makes no sense.
        depth: What holds where none is given.
        relative: It is about the list beside the raw query's, so that conditions are not compared on it.
        lower: Less is better.
        trec: The name in ``ir-measures``; empty: qx's own (``qx.eval.own``).  Such a measure takes what nobody judged for
            not relevant, so it needs judgements of whole lists: a classifier's of first pages are none.
        graded: Whether it reads grades at all, whoever gave them.
    """

    meaning: str
    cutoff: Literal["needed", "optional", "none"] = "needed"
    depth: int | None = None
    unit: Unit = "points"
    relative: bool = False
    lower: bool = False
    trec: str = ""
    graded: bool = True


FAMILIES: dict[str, Family] = {
    "ndcg": Family(
        meaning="gain of the grades, discounted by rank, beside the best order", cutoff="optional", trec="nDCG"
    ),
    "recall": Family(meaning="share of the relevant documents that is in the first k", trec="R"),
    "mrr": Family(meaning="1 / rank of the first relevant document", cutoff="optional", trec="RR"),
    "map": Family(meaning="mean of the precision at each relevant document", cutoff="optional", trec="AP"),
    "p": Family(meaning="share of the first k that is relevant", trec="P"),
    "success": Family(meaning="1 where a relevant document is in the first k", trec="Success"),
    "zero-results": Family(meaning="1 where nothing was found", cutoff="none", lower=True, graded=False),
    "unique-useful": Family(
        meaning="relevant documents that the raw query's list has not",
        cutoff="optional",
        unit="documents",
        relative=True,
    ),
    "good": Family(meaning="relevant documents in the first k", cutoff="optional", depth=10, unit="documents"),
    "good-kept": Family(
        meaning="share of the relevant documents of the raw query's first k that is still in the first k",
        cutoff="optional",
        depth=10,
        relative=True,
    ),
    "good-added": Family(
        meaning="relevant documents in the first k that the raw query's first k has not",
        cutoff="optional",
        depth=10,
        unit="documents",
        relative=True,
    ),
    "overlap": Family(
        meaning="share of the first k that both lists have", cutoff="optional", depth=10, relative=True, graded=False
    ),
    "mean-grade": Family(meaning="mean grade of the first k", cutoff="optional", depth=10, unit="grade"),
}
"""By canonical name."""

_ALIASES = {"r": "recall", "rr": "mrr", "ap": "map", "precision": "p", "zero-result-rate": "zero-results"}
_DEPTH = re.compile(r"@\d+")
_NAME = re.compile(r"(?P<family>[a-z][a-z-]*)(?:@(?P<depth>[0-9]{1,6}))?")

MOST = 1000
"""Hits of one search, at most."""
DEFAULT = ("ndcg@10", "recall@100", "mrr", "zero-results", "overlap@10", "unique-useful", "good-kept@10")
"""What is measured where people have graded documents."""
BARE = ("mean-grade@10", "good@10", "zero-results", "unique-useful", "good-kept@10", "good-added@10", "overlap@10")
"""What is measured where a classifier graded what was found."""


@value
class Measure:
    """One measure as it stands in a report; ``name`` is canonical."""

    name: str
    family: str
    depth: int | None = None

    @property
    def about(self) -> Family:
        """What the family is."""
        return FAMILIES[self.family]


def parse_measure(text: str) -> Measure:
    """Read one name; case, ``_`` for ``-`` and the field's short forms (``RR``, ``AP``, ``R@100``) do not matter.

    Raises:
        UsageError: there is no such measure, or it needs (or has not) a depth.
    """
    given = text.strip().lower().replace("_", "-")
    found = _NAME.fullmatch(given)
    family = _ALIASES.get(found["family"], found["family"]) if found else given.partition("@")[0]
    if found is None or family not in FAMILIES:
        hint = _meant(family, given) or f"known: {', '.join(FAMILIES)}"
        raise UsageError(f"there is no measure {text!r}: {hint}")
    about = FAMILIES[family]
    depth = int(found["depth"]) if found["depth"] is not None else about.depth
    if depth == 0:
        raise UsageError(f"measure {text!r}: the depth after @ is at least 1")
    if depth is None and about.cutoff == "needed":
        raise UsageError(f"measure {text!r} needs a depth: write {family}@10")
    if depth is not None and about.cutoff == "none":
        raise UsageError(f"measure {text!r} has no depth: write {family}")
    return Measure(name=family if depth is None else f"{family}@{depth}", family=family, depth=depth)


def _meant(family: str, given: str) -> str | None:
    """Which measure somebody may have meant, with the depth that was written, where it takes one."""
    names = [*FAMILIES, *_ALIASES]
    near = suggest(family, names)
    name = next((one for one in names if near == suggest(one, [one])), None)
    if name is None or FAMILIES[_ALIASES.get(name, name)].cutoff == "none":
        return near
    depth = _DEPTH.match(given, len(family))
    whole = f"{name}{depth[0] if depth else ''}"
    return suggest(whole, [whole])


def parse_measures(names: Iterable[str]) -> tuple[Measure, ...]:
    """Read names in order; each counts once.

    Raises:
        UsageError: one of them cannot be read, or there is none.
    """
    made = tuple({measure.name: measure for measure in map(parse_measure, names)}.values())
    if not made:
        raise UsageError("no measure is named: write at least one, such as ndcg@10")
    return made


def within(names: Iterable[str], depth: int) -> tuple[str, ...]:
    """Return names of measures, those that look deeper than ``depth`` to ``depth`` instead: ``recall@20`` for ``recall@100``."""
    made = parse_measures(names)
    return tuple(m.name if m.depth is None or m.depth <= depth else f"{m.family}@{depth}" for m in made)


def check_depth(measures: Iterable[Measure], depth: int) -> None:
    """See that lists of ``depth`` documents are long enough for every measure.

    Raises:
        UsageError: one looks deeper: what was never asked for would count as not found.
    """
    deeper = [one for one in measures if one.depth is not None and one.depth > depth]
    if not deeper:
        return
    name, wanted = max(((one.name, one.depth or 0) for one in deeper), key=lambda one: one[1])
    if wanted > MOST:
        raise UsageError(f"measure {name}: a search brings {MOST} hits at most")
    raise UsageError(f"measure {name} looks at {wanted} hits, each search is asked for {depth}: add --depth {wanted}")
