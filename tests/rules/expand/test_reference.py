"""The table of ``tests/reference/expansions.yaml``: what a person would expect among a query's expansions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from qx.builtin.fit import Fit, FitSettings
from qx.domain import Knowledge
from qx.rules.expand import choose, expand
from qx.rules.terms import plain
from qx.settings import Expand
from qx.steps.abstain import abstain
from qx.steps.guard import guard
from qx.types import Expansion, Query, SubQuery, Understanding

ROWS = yaml.safe_load(
    (Path(__file__).parent.parent.parent / "reference" / "expansions.yaml").read_text(encoding="utf-8")
)


def test_every_row_says_what_must_not_be_and_every_query_has_a_row():
    queries = yaml.safe_load((Path(__file__).parent.parent.parent / "reference" / "queries.yaml").read_text("utf-8"))
    assert [row["text"] for row in ROWS if "must_not" not in row and not row.get("abstained")] == []
    assert {row["text"] for row in queries} <= {row["text"] for row in ROWS}


def _identity(row: Mapping[str, Any]) -> str:
    return f"{row['text']} {row.get('filtered', '')}".strip()


@pytest.mark.parametrize("row", ROWS, ids=_identity)
async def test_reference(
    row: Mapping[str, Any],
    understand: Callable[..., Understanding],
    knowledge: Knowledge,
    make_context: Callable[[], Any],
    strategies: Callable[..., dict[str, Any]],
):
    understanding = understand(row["text"])
    context = make_context()
    query = Query(text=row["text"])
    reason = abstain(query, understanding, "auto")
    assert (reason is not None) == row.get("abstained", False)
    if reason is not None:
        return
    filtered = frozenset(row.get("filtered", ()))
    chosen = strategies(choose(query, understanding, knowledge))
    made = await expand(query, understanding, context, chosen, filtered=filtered)
    kept, _ = guard(query, understanding, made, settings=Expand(), knowledge=knowledge, filtered=filtered)
    original = SubQuery(text=row["text"], strategy="original")
    expansion = Expansion(original=row["text"], queries=(original, *kept), understanding=understanding)
    fitted = await Fit(FitSettings()).process_queries(expansion, context)
    queries = fitted.queries[1 : row.get("limit", 8) + 1]
    assert context.degraded == []

    shown = "\n".join(f"{q.strategy}: {q.text}" for q in queries)
    texts = [plain(q.text) for q in queries]
    for wanted in row.get("must", ()):
        words = plain(wanted).split()
        assert any(all(w in t for w in words) for t in texts), f"{wanted!r} in none of\n{shown}"
    for word in row.get("every", ()):
        lost = [q.text for q in queries if word.casefold() not in q.text.casefold() and q.strategy != "decompose"]
        assert not lost, f"{word!r} not in {lost}"
    for word in row.get("must_not", ()):
        assert not any(word.casefold() in q.text.casefold() for q in queries), f"{word!r} in\n{shown}"
    assert len(queries) >= row.get("at_least", 5), shown
    assert all(q.why and q.weight < 1 for q in queries)
