"""Running conditions over a dataset: concurrent, resumable, what was asked is kept.

::

    run = Run(load_dataset(Path("shop")), conditions([profile]))
    result = await run.run()                      # again: goes on where it was, or has nothing to do
    for row in run.rows("no-expansion"): ...

A row is written when it is there (``run_folder.py``, ``row_file.py``), and a row that is there is not asked again.
Conditions run one after the other, each with an engine of its own that has no memory of results, so that none profits
from another's.  (What a process remembers of single words and short texts is left: microseconds.)
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import field, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path

from qx.engine import Engine
from qx.errors import ProfileError, UsageError
from qx.eval import idle
from qx.eval import workers as processes
from qx.eval.asking import Asking, asked, opened
from qx.eval.conditions import asks_model
from qx.eval.index_state import states_of
from qx.eval.kept import KEEPS, Keep, Kept
from qx.eval.locking import locked
from qx.eval.names import MOST
from qx.eval.places import places
from qx.eval.presence import check_presence
from qx.eval.progress import Going, Progress
from qx.eval.run_folder import RunFolder
from qx.eval.values import Condition, Dataset, EvalQuery, Row
from qx.eval.waiting import probed, settled
from qx.gathering import check_opening
from qx.paths import home, make_private
from qx.plugins import Plugins
from qx.serial import empty, value
from qx.settings import Profile
from qx.steps.pace import Waiting

ANSWERS = "answers.db"
"""The file of what was answered, in the folder of evaluations."""
DEPTH = 100
"""Hits of each search, where no other number is asked for."""
AT_ONCE = 8
"""Queries under way at once where a model or an engine elsewhere is asked."""
LOCAL_BASELINES = (None, "rm3")
REMOTE_RERANKERS = ("api", "llm")
_OPENED = {"search": {"backends"}, "llm": True, "embedder": True}
"""What of a profile is opened beside its packs."""
log = logging.getLogger("qx")


@value
class RunResult:
    """What a run did.

    Attributes:
        folder: Where its rows are.
        now: The moment that the queries were asked at.
        asked: Rows that are new.
        there: Rows of an earlier run that counted.
        failed: Condition -> rows with an error.
        notes: What is worth knowing of it.
    """

    folder: Path
    now: datetime
    asked: int = 0
    there: int = 0
    failed: Mapping[str, int] = field(default_factory=empty)
    notes: tuple[str, ...] = ()


class Run:
    """Conditions over a dataset.

    Attributes:
        conditions: Those that are run; after ``run`` without the ablations that were left out.

    Args:
        dataset: The queries.
        conditions: Names must differ.
        folder: Where rows and answers are kept; None: ``$QX_HOME/eval``.
        depth: Hits that are asked of each search.
        concurrency: Queries under way at once in a process; None: 8, where all is local 1.
        workers: Processes; None: 1, where all is local one for each processor.
        plugins: What is installed; None: looked for.  A set of one's own needs one worker.
        keep: What answers are kept of (``Kept``).
        fresh: Forget the rows of this dataset, and answers that were kept before.
        always: Names of ablations that are run even where the others tell all about them (``qx.eval.idle``).
        on_progress: Told after each row.

    Raises:
        UsageError: there is nothing to run, names are double, or a number is out of bounds.
    """

    def __init__(
        self,
        dataset: Dataset,
        conditions: Sequence[Condition],
        *,
        folder: Path | None = None,
        depth: int = DEPTH,
        concurrency: int | None = None,
        workers: int | None = None,
        plugins: Plugins | None = None,
        keep: Keep = "auto",
        fresh: bool = False,
        always: Collection[str] = (),
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        _check(conditions, depth=depth, concurrency=concurrency, workers=workers)
        if keep not in KEEPS:
            raise UsageError(f"keep={keep!r}: give one of {', '.join(KEEPS)}")
        if workers is not None and workers > 1:
            processes.check_importable(plugins)
        self.dataset = dataset
        self.conditions = tuple(conditions)
        self.depth = depth
        self._root = folder or home() / "eval"
        self._concurrency = concurrency
        self._workers = workers if workers is not None or plugins is None else 1
        self._given = plugins
        self._keep: Keep = keep
        self._fresh = fresh
        self._always = frozenset(always)
        self._on_progress = on_progress

    @cached_property
    def _plugins(self) -> Plugins:
        return self._given or Plugins.load()

    @cached_property
    def folder(self) -> RunFolder:
        """Where its rows are; the first use reads the packs of the profiles."""
        return RunFolder(self._root, self.dataset, self.conditions, depth=self.depth, plugins=self._plugins)

    def rows(self, condition: str) -> Iterator[Row]:
        """Yield the rows of a condition that are there, in the order in which they came.

        Raises:
            UsageError: there is no such condition.
            DatasetError: the file is damaged.
        """
        return self.folder.rows(condition)

    async def run(self) -> RunResult:
        """Ask what is not there yet.  A second call goes on where the first was ended.

        Raises:
            Unavailable: another process runs this dataset.
            DatasetError: the index is empty, or holds none of the documents that are judged relevant.
            ProviderError: many queries failed one after the other; or a condition's engine cannot be opened.
            ProfileError, PluginError: likewise.
        """
        folder = await asyncio.to_thread(lambda: self.folder)
        try:
            await asyncio.to_thread(make_private, folder.path)
        except OSError as error:
            raise ProfileError(
                f"rows cannot be kept: {error.strerror or error}",
                file=str(folder.path),
                hint="let QX_HOME name a folder that can be written",
            ) from error
        with locked(folder.path / "lock", f"the dataset {self.dataset.name}"):
            if self._fresh:
                folder.clear()
            now = folder.moment().now
            pending, notes = await asyncio.to_thread(self._pending)
            going = Going(pending, len(self.dataset.queries), self._on_progress)
            began = time.time()
            asking = Asking(now=now, depth=self.depth, snippets=not self.dataset.grades)
            keeping = processes.Keeping(path=self._root / ANSWERS, keep=self._keep, began=began, fresh=self._fresh)
            await self._look(going)
            notes += await self._all(asking, keeping, going)
        for said in folder.warnings():
            if said not in notes:
                log.warning("%s", said)
                notes.append(said)
        return RunResult(
            folder=folder.path,
            now=now,
            asked=going.done,
            there=going.there,
            failed=dict(going.failed),
            notes=tuple(dict.fromkeys(notes)),
        )

    def _pending(self) -> tuple[dict[str, list[EvalQuery]], list[str]]:
        """Condition -> queries without a row that counts, and notes on rows that were forgotten."""
        pending: dict[str, list[EvalQuery]] = {}
        notes: list[str] = []
        for one in self.conditions:
            pending[one.name], note = self.folder.pending(one.name)
            notes += [note] if note else []
        for name, indexes in self.folder.behind().items():
            notes.append(self.folder.forget(name, indexes))
            pending[name] = list(self.dataset.queries)
        return pending, notes

    async def _look(self, going: Going) -> None:
        """Open every set of engines and models before the first search: not the last one after hours."""
        asked = [one for one in self.conditions if going.pending[one.name]]
        for one in asked:
            check_opening(one.profile)
        apart = {_opening(one.profile): one for one in reversed(asked)}
        for one in reversed(apart.values()) if len(apart) > 1 else ():
            async with opened(one, self._plugins) as engine:
                await self._missing(engine, going)

    async def _all(self, asking: Asking, keeping: processes.Keeping, going: Going) -> list[str]:
        """Ask what is pending, and then once more the conditions that another one has found a newer index for."""
        notes: list[str] = []
        async with AsyncExitStack() as stack:
            for one in self.conditions:
                if going.pending[one.name]:
                    notes += await self._condition(one, asking, keeping, going, stack)
                await self._leave_out(one, asking, going)
            notes += idle.told([one for one in self.conditions if one.name in going.idle])
            self.conditions = tuple(one for one in self.conditions if one.name not in going.idle)
            behind = self.folder.behind()
            for one in self.conditions:
                if one.name in behind:
                    notes.append(self.folder.forget(one.name, behind[one.name]))
                    going.anew(one.name, self.dataset.queries)
                    notes += await self._condition(one, asking, keeping, going, stack)
        return [*notes, *self.folder.apart()]

    async def _leave_out(self, whole: Condition, asking: Asking, going: Going) -> None:
        """Leave out the ablations of a condition, whose rows are all there, that its rows tell all about."""
        parts = [one for one in self.conditions if one.part is not None and one.part.of == whole.name]
        parts = [one for one in parts if one.name not in self._always]
        if parts:
            rows, tell = self.folder.rows(whole.name), partial(going.tell, f"{whole.name}, what its strategies write")
            queries = [(query.id, asking.query(query)) for query in self.dataset.queries]
            for one in await idle.ablations(whole, parts, rows, queries, self._plugins, tell=tell):
                going.leave_out(one.name)
            self.folder.leave_out(going.idle)

    async def _condition(
        self, condition: Condition, asking: Asking, keeping: processes.Keeping, going: Going, run: AsyncExitStack
    ) -> list[str]:
        """Ask the queries of one condition that have no row, and write their rows."""
        kept = Kept(keeping.path, keeping.keep, began=keeping.began, fresh=keeping.fresh)
        async with AsyncExitStack() as stack:
            stack.callback(kept.close)
            plugins = kept.over(self._plugins)
            waiting = settled(condition) or await self._probed(condition, asking)
            engine = await stack.enter_async_context(opened(condition, plugins, waiting))
            missing = await self._missing(engine, going)
            note = self.folder.begin(condition.name, await states_of(engine), warning=missing)
            pending = going.again(condition.name, self.dataset.queries) if note else going.pending[condition.name]
            file = self.folder.file(condition.name)
            stack.callback(file.close)
            at_once = self._concurrency or (1 if is_local(condition) else AT_ONCE)
            count = self._processes(condition, pending)
            if count > 1:
                if going.pool is None:  # for all conditions: to start a process costs seconds
                    going.pool = await run.enter_async_context(processes.pool(count))
                lines = processes.lines(
                    going.pool,
                    condition,
                    pending,
                    asking,
                    keeping,
                    workers=count,
                    concurrency=at_once,
                    waiting=waiting,
                )
            else:
                lines = asked(engine, condition, pending, asking, at_once)
            async with aclosing(lines):
                async for line in lines:
                    file.add(line.data)
                    going.note(condition.name, line.error)
        return [said for said in (missing, note) if said]

    async def _probed(self, condition: Condition, asking: Asking) -> Waiting:
        """Whether expansions wait for these engines, as it was found out by the first who asked them."""
        blocks = repr(condition.profile.search.model_dump(mode="json", include={"backends"}))
        key = hashlib.sha256(blocks.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        moment = self.folder.moment()
        if key not in moment.waiting:
            anew = Kept(Path(), "none", began=0.0).over(self._plugins)  # what is kept answers at once
            async with opened(replace(condition, expand=False), anew) as engine:
                found = await probed(engine, self.dataset.queries, asking)
            moment = replace(moment, waiting={**moment.waiting, key: found})
            self.folder.note(moment)
        return moment.waiting[key]

    async def _missing(self, engine: Engine, going: Going) -> str:
        """Look once for each set of engines whether what was judged is there."""
        profile = engine.profile
        blocks = repr((profile.search.model_dump(mode="json", include={"backends"}), places(profile)))
        if blocks not in going.looked_at:
            going.looked_at[blocks] = await check_presence(engine, self.dataset)
        return going.looked_at[blocks]

    def _processes(self, condition: Condition, pending: Sequence[EvalQuery]) -> int:
        if self._workers is not None:
            return self._workers
        return processes.share(pending, processes.processors()) if is_local(condition) else 1


def _opening(profile: Profile) -> str:
    """What tells the engines and models of one profile from another's."""
    return repr((profile.model_dump(mode="json", include=_OPENED), places(profile)))


def is_local(condition: Condition) -> bool:
    """Whether a condition asks nothing outside of this process, so that processors are what it needs."""
    profile = condition.profile
    backends = all(block.type == "local" for block in profile.search.backends.values())
    models = (condition.expand and asks_model(profile)) or profile.embedder is not None
    remote = any(named.settings.get("by") in REMOTE_RERANKERS for named in profile.search.processors)
    return backends and not models and not remote and condition.baseline in LOCAL_BASELINES


def _check(conditions: Sequence[Condition], *, depth: int, concurrency: int | None, workers: int | None) -> None:
    names = [one.name for one in conditions]
    if not names:
        raise UsageError("there is no condition to run")
    if double := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"two conditions are called {double!r}: give them names of their own")
    if not 1 <= depth <= MOST:
        raise UsageError(f"depth={depth}: give one from 1 to {MOST}")
    for name, number in (("concurrency", concurrency), ("workers", workers)):
        if number is not None and not 1 <= number <= 1000:
            raise UsageError(f"{name}={number}: give one from 1 to 1000")
