"""Years that stand beside one another as alternatives: "2023 vs 2021", 2022款和2021款哪个好.

Each read as a limit of its own, they would contradict one another: nothing is of both years.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.types import Constraint

_YEAR = r"(?<!\d)(?P<{}>(?:19|20)\d\d)(?!\d)\s?年?[版款]?的?"
_YEARS = re.compile(
    _YEAR.format("one") + r"\s?(?P<between>vs\.?|versus|compared (?:to|with)|or|and|还是|或者?|和|与|跟|对比|比)\s?(?:the\s)?"
    + _YEAR.format("two")
)  # fmt: skip
_COMPARES = re.compile(
    r"\bvs\b|versus|compare|comparison|differen|better|worth|upgrade|还是|区别|差别|差异|不同|哪个|哪款|对比|比较|比"
)
_JOINS = frozenset({"and", "和", "与", "跟"})
_DATED = frozenset({"published", "date", "year"})


def alternatives(
    folded: str, found: Sequence[tuple[Constraint, tuple[int, int]]], *, documents: bool
) -> list[tuple[Constraint, tuple[int, int]]]:
    """Return ``found`` with one condition in the place of those on two years that are alternatives.

    Args:
        folded: The query, folded, of which the spans are.
        documents: Whether documents of these years are meant: "papers of 2021 or 2022" limits when they were published,
            "kindle 2023 vs 2021" names two articles, of which a hard condition would lose one.
    """
    match = _YEARS.search(folded)
    if match is None or (match["between"] in _JOINS and not _COMPARES.search(folded)):
        return list(found)
    if re.search(r"\bbetween\s$|\bfrom\s$|从$", folded[: match.start()]) and match["between"] in _JOINS:
        return list(found)
    span, words = match.span(), match[0].strip()
    years = sorted((int(match["one"]), int(match["two"])))
    kept = [(c, s) for c, s in found if c.field not in _DATED or not (span[0] <= s[0] and s[1] <= span[1])]
    if years[0] == years[1]:
        return list(found)
    if documents and not _COMPARES.search(folded):
        kept.append((Constraint(field="published", op="ge", value=f"{years[0]}-01-01", text=words), span))
        kept.append((Constraint(field="published", op="lt", value=f"{years[1] + 1}-01-01", text=words), span))
        return kept
    kept.append((Constraint(field="year", op="in", value=tuple(years), text=words, hard=False), span))
    return kept


__all__ = ["alternatives"]
