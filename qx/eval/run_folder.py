"""Where a run is: a folder for each dataset, in it a file of rows for each condition, and the moment of the run."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from qx.errors import DatasetError, UsageError
from qx.eval.conditions import fingerprint, qx_version
from qx.eval.index_state import IndexState
from qx.eval.own_digest import salt
from qx.eval.row_file import Header, RowFile, write_whole
from qx.eval.values import Condition, Dataset, EvalQuery, Row
from qx.paths import file_name
from qx.plugins import Plugins
from qx.serial import empty, from_json, to_json, value
from qx.steps.pace import Waiting

_MOMENT = "run.json"


@value
class Moment:
    """The file ``run.json``: what holds for all conditions, also of later runs.

    Attributes:
        now: What "yesterday" is relative to.
        waiting: A digest of engines -> whether expansions over them wait for the raw query's hits.
    """

    dataset: str
    fingerprint: str
    queries: int
    now: datetime
    waiting: Mapping[str, Waiting] = field(default_factory=empty)


class RunFolder:
    """The folder of one dataset, for some conditions.

    Args:
        root: Where all runs are.
        depth: Hits of each row.
        plugins: For what the packs of a profile hold.
    """

    def __init__(
        self, root: Path, dataset: Dataset, conditions: Sequence[Condition], *, depth: int, plugins: Plugins
    ) -> None:
        self.path = root / "runs" / file_name(f"{dataset.name}-{dataset.fingerprint[:12]}")
        self._root = root
        self._dataset = dataset
        self._conditions = {one.name: one for one in conditions}
        self._depth = depth
        self._plugins = plugins
        self._files: dict[str, RowFile] = {}

    @cached_property
    def _fingerprints(self) -> Mapping[str, str]:
        made = self._conditions.items()
        key = salt(self._root)
        return {name: fingerprint(one, depth=self._depth, plugins=self._plugins, salt=key) for name, one in made}

    @cached_property
    def _queries(self) -> frozenset[str]:
        return frozenset(query.id for query in self._dataset.queries)

    def file(self, condition: str) -> RowFile:
        """Return a condition's file.

        Raises:
            UsageError: there is no such condition.
        """
        if condition not in self._conditions:
            raise UsageError(f"there is no condition {condition!r} (known: {', '.join(self._conditions)})")
        if condition not in self._files:
            name = f"{file_name(condition)}.{self._fingerprints[condition]}.jsonl"
            self._files[condition] = RowFile(self.path / name)
        return self._files[condition]

    def leave_out(self, conditions: Collection[str]) -> None:
        """These are not run after all: rows of theirs that are there are of no further interest."""
        self._conditions = {name: one for name, one in self._conditions.items() if name not in conditions}

    def rows(self, condition: str) -> Iterator[Row]:
        """Yield the rows that are there, in the order in which they came.

        Raises:
            UsageError: there is no such condition.
            DatasetError: the file is damaged.
        """
        return self.file(condition).rows(self._queries)

    def moment(self) -> Moment:
        """Return what holds for the runs in this folder; the first makes it.

        Raises:
            DatasetError: it cannot be read: the rows that are there were asked at a moment that nobody knows.
        """
        place = self.path / _MOMENT
        try:
            return from_json(Moment, place.read_bytes())
        except FileNotFoundError:
            now = datetime.now(UTC).replace(microsecond=0)
        except (OSError, ValidationError, RecursionError) as error:
            raise DatasetError(
                "does not say when the queries of this dataset were asked", file=str(place), hint="run with --fresh"
            ) from error
        dataset = self._dataset
        made = Moment(dataset=dataset.name, fingerprint=dataset.fingerprint, queries=len(dataset.queries), now=now)
        self.note(made)
        return made

    def note(self, moment: Moment) -> None:
        """Write down what holds from now on."""
        write_whole(self.path / _MOMENT, to_json(moment, indent=1) + "\n")

    def clear(self) -> None:
        """Forget all rows of the dataset, and its moment."""
        for path in self.path.glob("*.json*"):
            path.unlink()

    def pending(self, condition: str) -> tuple[list[EvalQuery], str]:
        """Return the queries without a row that counts, and a note where rows were forgotten.

        Raises:
            DatasetError: the file is damaged.
        """
        file, note = self.file(condition), ""
        header = file.header()
        if header is None or header.fingerprint != self._fingerprints[condition]:
            lost = "it is not known what the rows that were there are of"
            note = f"{condition}: all was asked anew, {lost}" if file.is_begun else ""
            file.clear()
        elif changed := [name for name, index in header.indexes.items() if index.changed]:
            note = _anew(condition, changed) if file.is_begun else ""
            file.clear()
        there = file.mend()
        return [query for query in self._dataset.queries if query.id not in there], note

    def begin(self, condition: str, indexes: Mapping[str, IndexState], *, warning: str = "") -> str:
        """Note which states of the indexes the rows are of; those of others are forgotten, which the note says.

        Args:
            warning: What is wrong with the indexes: as true of the rows when they are read again.
        """
        file, note = self.file(condition), ""
        header = file.header()
        before: Mapping[str, IndexState] = header.indexes if header is not None else {}
        if changed := [name for name, index in indexes.items() if name in before and index.differs(before[name])]:
            note = _anew(condition, changed) if file.is_begun else ""
            file.clear()
        made = Header(
            condition=condition,
            fingerprint=self._fingerprints[condition],
            qx=qx_version(),
            indexes=indexes,
            seen=time.time(),
            warning=warning,
        )
        file.begin(made)
        return note

    def warnings(self) -> tuple[str, ...]:
        """Return what was wrong with the indexes that the rows are of, each once."""
        headers = (self.file(name).header() for name in self._conditions)
        return tuple(dict.fromkeys(header.warning for header in headers if header is not None and header.warning))

    def behind(self) -> Mapping[str, Sequence[str]]:
        """Return the conditions whose rows are of another state of an index than the latest rows: name -> indexes.

        Two of them compared would show what the index has gained as well.  Only what engines said while they were asked is
        looked at: a run that is complete opens none.
        """
        headers = {name: header for name in self._conditions if (header := self.file(name).header()) is not None}
        latest: dict[str, tuple[float, IndexState]] = {}
        for header in headers.values():
            for index in header.indexes.values():
                if index.where and (index.where not in latest or latest[index.where][0] < header.seen):
                    latest[index.where] = (header.seen, index)
        found = {
            name: [
                called
                for called, index in header.indexes.items()
                if index.where in latest and index.differs(latest[index.where][1])
            ]
            for name, header in headers.items()
        }
        return {name: indexes for name, indexes in found.items() if indexes}

    def apart(self) -> list[str]:
        """Return notes of conditions that are behind even now: an index changes faster than it is measured."""
        return [
            f"{name}: its rows are of another state of the index of {', '.join(indexes)} than others': it changes while it "
            "is measured, so that differences may be the index's"
            for name, indexes in self.behind().items()
        ]

    def forget(self, condition: str, indexes: Sequence[str]) -> str:
        """Forget the rows of a condition that is behind on ``indexes``, and return the note that says so."""
        self.file(condition).clear()
        return _anew(condition, indexes)


def _anew(condition: str, changed: Sequence[str]) -> str:
    return f"{condition}: all was asked anew, the index of {', '.join(changed)} has changed since"
