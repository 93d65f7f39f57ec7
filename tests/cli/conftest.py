"""Running the program inside the test, and an engine that answers what the test says."""

import io
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from qx.cli import main
from qx.cli.app import COMMANDS
from qx.settings import Profile
from qx.types import (
    Constraint,
    Degraded,
    Dropped,
    Entity,
    Expansion,
    Query,
    Sentiment,
    Span,
    SubQuery,
    Trace,
    Understanding,
    Usage,
)

TEXT = "想买一台给爸妈用的手机屏幕大点字大声大预算2000左右"

UNDERSTANDING = Understanding(
    intent=("recommendation",),
    entities=(Entity(text="手机", type="product", start=8, end=10),),
    constraints=(
        Constraint(field="price", op="prefer", value=2000.0, unit="CNY", text="预算2000左右", hard=False),
        Constraint(field="colour", op="ne", value="white", text="not white"),
    ),
    implicit_needs=("大字体", "操作简单"),
    sentiment=Sentiment(label="worried", intensity=0.4),
    keywords=("手机", "屏幕"),
    negations=("white",),
    language="zh",
    kind="complex",
    source="rules",
    confidence=0.7,
)

EXPANSION = Expansion(
    original=TEXT,
    queries=(
        SubQuery(text=TEXT, strategy="original"),
        SubQuery(text="老人手机 大屏 2000元", strategy="refine", target="web", weight=0.5, why="for 爸妈"),
        SubQuery(text="tab\there", strategy="synonym", why="a\nb"),
    ),
    dropped=(Dropped(text="手机壳", reason="drifted", strategy="synonym"),),
    notes=("nothing more that is different",),
    understanding=UNDERSTANDING,
    degraded=(Degraded(step="expand", rung="rules", reason="model timed out after 2 s"),),
    usage=Usage(calls=2, input_tokens=300, output_tokens=40, cost=0.0012),
    trace=Trace(
        id="t1",
        spans=(
            Span(name="expand", start=1.5, duration=2.25, attributes={"step": "expand", "none": None}),
            Span(name="understand", start=0.0, duration=1.5),
        ),
    ),
)


@dataclass
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Run in an empty folder, with an empty home and no keys; put the log and the environment back."""
    monkeypatch.chdir(tmp_path)
    before = dict(os.environ)
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "QX_")):
            del os.environ[name]
    os.environ["QX_HOME"] = str(tmp_path / "home")
    root, ours = logging.getLogger(), logging.getLogger("qx")
    handlers, levels = list(root.handlers), (root.level, ours.level)
    yield tmp_path
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    ours.setLevel(levels[1])
    logging.captureWarnings(False)
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``qx`` with arguments and, if given, standard input."""

    def program(*arguments: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        code = int(stopped.value.code or 0)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return program


@dataclass
class StubEngine:
    """Answers with the values above and remembers what it was asked."""

    profile: Profile
    error: BaseException | None = None
    asked: list[Query] = field(default_factory=list)

    async def understand(self, query: Query) -> Understanding:
        return self._answer(query, UNDERSTANDING)

    async def expand(self, query: Query) -> Expansion:
        return self._answer(query, EXPANSION)

    def _answer(self, query: Query, value: Any) -> Any:
        self.asked.append(query)
        if self.error is not None:
            raise self.error
        return value


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> StubEngine:
    """Put a ``StubEngine`` in the place of the real one."""
    stub = StubEngine(Profile(tenant="acme", timezone="Asia/Shanghai"))

    @asynccontextmanager
    async def opened(profile: Profile, ctx: object, *options: object) -> AsyncIterator[StubEngine]:
        stub.profile = profile
        yield stub

    profile = stub.profile

    def load(choice: object, ctx: object, **options: object) -> Profile:
        from qx.cli.session import read_env

        read_env(choice.env_file)  # type: ignore[attr-defined]
        return profile

    for name in COMMANDS:  # a command that is first imported now would keep what is only patched in
        import_module(f"qx.cli.commands.{name}")
    monkeypatch.setattr("qx.cli.session.open_engine", opened)
    monkeypatch.setattr("qx.cli.session.load", load)
    return stub
