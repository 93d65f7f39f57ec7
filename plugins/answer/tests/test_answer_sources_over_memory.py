"""Fifty planted sources that contradict what everybody knows: the answer says what the source says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from qx.backend import Document

ROWS = [
    json.loads(line) for line in (Path(__file__).parent / "data/contradictions.jsonl").read_text("utf-8").splitlines()
]
DOCUMENTS = [Document(id=str(n), text=row["text"]) for n, row in enumerate(ROWS)]


async def test_by_quotation(opened):
    wrong: list[str] = []
    async with opened(DOCUMENTS) as engine:
        for row in ROWS:
            done = await engine.result("answer", {"question": row["question"], "budget": {"rounds": 1}})
            if not done.claims or row["answer"] not in done.claims[0].quote:
                wrong.append(f"{row['question']} {done.answer}")
    assert not wrong


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.timeout(1800)
async def test_by_the_local_model(capsys, monkeypatch):
    """The share is printed; there is no bound that a small model of another machine must keep."""
    path = os.environ.get("QX_TEST_MODEL")
    if not path:
        pytest.skip("QX_TEST_MODEL names no chat model (a GGUF file)")
    qx_llamacpp = pytest.importorskip("qx_llamacpp")
    monkeypatch.setenv("QX_ALLOW_PATHS", str(Path(path).parent))
    import qx.testing.plugin
    import qx_answer
    from qx import Engine, Profile
    from qx.plugins import Plugins
    from qx.testing import FakeBackend

    FakeBackend(DOCUMENTS).named("memory")
    settings = {
        "tenant": "test",
        "understand": {"mode": "rules"},
        "llm": {"provider": "llamacpp", "model": path},
        "search": {"backends": {"docs": {"type": "fake", "instance": "memory"}}, "min_results": 0},
        "answer": {"read": {"pages": 2, "window": 300}, "judge": {"type": "off"}},
    }
    plugins = Plugins.load(allow=(), modules=[qx.testing.plugin, qx_answer, qx_llamacpp])
    followed = answered = 0
    sample = ROWS[::10]
    async with Engine.opened(Profile.model_validate(settings), plugins=plugins) as engine:
        for row in sample:
            budget = {"rounds": 1, "seconds": 120}
            done = await engine.result("answer", {"question": row["question"], "budget": budget})
            answered += bool(done.claims)
            followed += any(row["answer"] in claim.statement for claim in done.claims)
    with capsys.disabled():
        print(f"\nof {len(sample)} questions {answered} answered, {followed} as the source says")
    assert answered
