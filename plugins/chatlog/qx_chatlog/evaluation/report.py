"""What an evaluation came to, as lines and as a page of Markdown: ids and numbers, none of the set's text."""

from __future__ import annotations

from collections.abc import Iterator

from qx.eval.aligned import aligned, number, points
from qx_chatlog.evaluation.locomo import CATEGORIES, UNANSWERABLE
from qx_chatlog.evaluation.running import Evaluation
from qx_chatlog.evaluation.scoring import MAIN, TOKENS, TURNS, Measured

Table = tuple[str, list[tuple[str, ...]]]


def lines(made: Evaluation) -> Iterator[str]:
    """Yield the report as lines for a terminal."""
    yield _said(made)
    for title, rows in tables(made):
        yield ""
        yield title
        yield from aligned(rows)
    for note in notes(made):
        yield ""
        yield note


def page(made: Evaluation) -> Iterator[str]:
    """Yield the report as lines of Markdown."""
    yield _said(made)
    for title, rows in tables(made):
        yield ""
        yield f"**{title}**"
        yield ""
        yield f"| {' | '.join(rows[0])} |"
        yield f"|{'---|' * len(rows[0])}"
        for row in rows[1:]:
            yield f"| {' | '.join(row)} |"
    for note in notes(made):
        yield ""
        yield note


def tables(made: Evaluation) -> Iterator[Table]:
    """Yield the tables: at equal turns, at equal tokens, by category, against plain BM25."""
    every = (*made.arms, *made.sampled)
    yield (
        "Turns that hold the answer, in points: recall (precision) at so many turns; what they cost at ten",
        [
            (
                "",
                *(f"at {k}" for k in TURNS),
                "95 % at 10",
                "any at 10",
                "tokens",
                "calls",
                "ms",
                "ms 95 %",
                "questions",
            ),
            *(_turns(one) for one in every),
        ],
    )
    yield (
        "Recall in points within so many tokens",
        [
            ("", *map(str, TOKENS)),
            *((one.name, *(points(one.at_tokens[k]) for k in TOKENS)) for one in every if one.at_tokens),
        ],
    )
    kinds = [CATEGORIES[kind] for kind in CATEGORIES if kind != UNANSWERABLE]
    yield (
        "Recall at ten turns in points, by category",
        [("", *kinds), *((one.name, *(points(one.categories.get(kind)) for kind in kinds)) for one in every)],
    )
    yield (
        f"Recall at {MAIN} turns against plain BM25, in points",
        [
            ("", "difference", "95 %", "p", "better", "worse"),
            *(_difference(one) for one in every if one.against is not None),
        ],
    )


def notes(made: Evaluation) -> Iterator[str]:
    """Yield what the tables do not say."""
    declined = made.declined
    if declined is not None and declined.unanswerable:
        yield (
            f"Unanswerable questions ({declined.unanswerable}) count as right when declined: {points(declined.rightly)} % are, as "
            f"somebody else's words fit much better than those of the speaker who is asked about; of those with an "
            f"answer {points(declined.wrongly)} % are wrongly declined."
        )
    yield from made.notes
    yield f"{made.seconds:.0f} s."


def _said(made: Evaluation) -> str:
    left = "; ".join(f"{count} left out: {why}" for why, count in made.left_out.items())
    return f"{made.name}: {made.questions:,} questions with an answer" + (f" ({left})" if left else "")


def _turns(one: Measured) -> tuple[str, ...]:
    main = one.at[MAIN]
    return (
        one.name,
        *(_at(one, k) for k in TURNS),
        f"{points(one.low)} to {points(one.high)}",
        points(main.any),
        number(main.tokens, 0),
        number(one.calls, 1),
        number(one.milliseconds, 1),
        number(one.slowest, 1),
        f"{one.questions:,}",
    )


def _at(one: Measured, turns: int) -> str:
    found = one.at.get(turns)
    return "-" if found is None else f"{points(found.recall)} ({points(found.precision, 0)})"


def _difference(one: Measured) -> tuple[str, ...]:
    made = one.against
    if made is None:
        return (one.name,)
    bounds = f"{_signed(made.low)} to {_signed(made.high)}"
    return (one.name, _signed(made.mean), bounds, number(made.p, 4), str(made.wins), str(made.losses))


def _signed(fraction: float) -> str:
    return f"{fraction * 100:+.1f}"
