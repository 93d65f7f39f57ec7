"""What an answer tells while it is made, and its result: the models of ``qx answer --events`` and ``--json``.

Each is called by its class: ``thinking``, ``action``, ``data``, ``progress``, ``claim``, ``warning``, ``done``.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from qx.model import Model
from qx_answer.claims import Verdict

ActionKind = Literal["search", "write", "verify"]


class OpenQuestion(Model):
    """One line of the list of open questions: asked, answered by which quote, or missing."""

    asked: str
    answered: str | None = None
    source_id: str | None = None
    missing: str | None = None


class Thinking(Model):
    """What is planned, and what is known and missing after reading."""

    text: str
    questions: tuple[OpenQuestion, ...] = ()


class Action(Model):
    """Something begins that takes time."""

    kind: ActionKind
    round: int = 0
    query: str | None = None
    strategy: str | None = None
    backends: tuple[str, ...] = ()


class Data(Model):
    """Something came."""

    kind: Literal["hits", "ranked", "page", "passages"]
    backend: str | None = None
    query: str | None = None
    found: int = 0
    outcome: str | None = None
    rung: str | None = None
    title: str | None = None
    url: str | None = None


class Progress(Model):
    """n of m are done: reading 3 of 5."""

    kind: Literal["reading"] = "reading"
    n: int
    of: int
    title: str = ""


class CheckedClaim(Model):
    """A sentence of the answer, with the quotation that it stands on; offsets are code points of the source's text."""

    statement: str
    source_id: str
    quote: str
    start: int
    end: int
    verdict: Verdict


class Claim(CheckedClaim):
    """A sentence of the answer, as soon as it is verified."""

    marker: int


class Warning(Model):
    """Something is not as it should be; the answer goes on.

    Attributes:
        about: The page that was not read, the query whose search failed; None where it is neither.
    """

    kind: str
    text: str
    about: str | None = None


class SourceShown(Model):
    """A source that the answer cites."""

    id: str
    title: str | None = None
    url: str | None = None


class Spent(Model):
    """What was spent of one resource; null: without a limit."""

    used: int | float
    limit: int | float | None = None


class Allowed(Model):
    """What may be spent of a resource whose use differs from one run to the next."""

    limit: float


class BudgetShown(Model):
    """What the answer spent, and might have."""

    rounds: Spent
    searches: Spent
    tokens: Spent
    seconds: Allowed


class Degradation(Model):
    """A step that fell a rung: nothing does so in silence."""

    step: str
    rung: str
    reason: str


Stopped = Literal[
    "answered", "nothing found", "no new evidence", "repeating", "authentication", "search failed", "rounds", "searches",
    "tokens", "calls", "cost", "seconds",
]  # fmt: skip
"""Why it ended: see the page on answering."""


class Done(Model):
    """The answer.

    ``claims`` are in the order of the text; ``sources`` are those that it cites, each once, in the order of their markers.
    """

    answer: str
    claims: tuple[CheckedClaim, ...] = ()
    sources: tuple[SourceShown, ...] = ()
    stopped_because: Stopped
    budget: BudgetShown
    degraded: tuple[Degradation, ...] = Field(default=())


Event = Thinking | Action | Data | Progress | Claim | Warning
"""What comes before the result."""
