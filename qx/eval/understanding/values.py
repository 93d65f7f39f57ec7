"""What ``qx eval understand`` reports; every fraction is of 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from qx.eval.values import Latency, Provenance
from qx.serial import empty, value
from qx.types import Usage


@value
class F1:
    """Precision, recall and their harmonic mean over all rows together: ``found`` of ``wanted``, ``read`` in all."""

    precision: float
    recall: float
    f1: float
    found: int
    wanted: int
    read: int


@value
class Share:
    """``share`` of ``of`` cases."""

    share: float
    of: int


@value
class Matched:
    """Over ``rows`` that say what is wanted; what meets exactly and in part: ``qx.eval.understanding.matching``."""

    rows: int
    exact: F1
    partial: F1


@value
class Intents:
    """Attributes:
    rows: That say which intents are wanted.
    first: Share of them whose first intent is the first wanted one.
    among: Share of them whose first intent is one of the wanted.
    macro_f1: Mean F1 of all intents that are wanted or read anywhere.
    labels: By intent.
    """

    rows: int
    first: float
    among: float
    macro_f1: float
    labels: Mapping[str, F1] = field(default_factory=empty)


@value
class Scores:
    """One table.  None: no row says what is wanted.

    Attributes:
        language_read: Rows whose language was found out.
        language_kept: Queries beside the original that are in the row's language; translations do not count.
        must: Words that some query holds; ``must_not``: words that none does.
        kind: Rows whose kind was read so, of those that name one of qx's own kinds.
    """

    rows: int
    intents: Intents | None = None
    entities: Matched | None = None
    constraints: Matched | None = None
    implicit_needs: Matched | None = None
    language_read: Share | None = None
    language_kept: Share | None = None
    must: Share | None = None
    must_not: Share | None = None
    sentiment: Share | None = None
    stance: Share | None = None
    kind: Share | None = None


@value
class Bin:
    """Rows whose confidence lies in ``low`` to ``high``: their mean confidence, and the share that was right."""

    low: float
    high: float
    rows: int
    confidence: float
    accuracy: float


@value
class Calibration:
    """How far confidence tells right from wrong: right is a row whose first intent is one of the wanted.

    ``ece`` is the expected calibration error over the bins, ``brier`` the mean squared difference; 0 is best of both.
    """

    rows: int
    ece: float
    brier: float
    confidence: float
    accuracy: float
    bins: tuple[Bin, ...] = ()


@value
class Failure:
    """One field of a row that was read otherwise."""

    field: str
    expected: str
    read: str


@value
class FailedRow:
    """A row with at least one field that was not read as wanted; ``line`` counts from 1."""

    file: str
    line: int
    text: str
    kind: str
    language: str
    failures: tuple[Failure, ...]
    source: str = ""
    confidence: float = 0.0
    queries: tuple[str, ...] = ()


@value
class UnderstandingReport:
    """The result of ``qx eval understand``.

    Attributes:
        scores: Over all rows; ``kinds`` and ``languages`` have the same by kind of query and by language.
        confusion: First wanted intent -> first read intent -> rows.
        failed: The rows that were not read as wanted, in the order of the file.
        rungs: How many rows each rung read (``rules``, ``llm`` …); ``degraded``: rows of which a step fell a rung.
        latency: Of understanding and expanding one row.
        errors: Rows without any result; they count as nothing read.
        provenance: When it was made, by which version and command; None from Python.
    """

    name: str
    profile: str
    mode: str
    rows: int
    scores: Scores
    kinds: Mapping[str, Scores] = field(default_factory=empty)
    languages: Mapping[str, Scores] = field(default_factory=empty)
    confusion: Mapping[str, Mapping[str, int]] = field(default_factory=empty)
    calibration: Calibration | None = None
    failed: tuple[FailedRow, ...] = ()
    rungs: Mapping[str, int] = field(default_factory=empty)
    degraded: int = 0
    errors: int = 0
    latency: Latency = field(default_factory=Latency)
    usage: Usage = field(default_factory=Usage)
    notes: tuple[str, ...] = ()
    provenance: Provenance | None = None
